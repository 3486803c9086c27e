/* SPDX-License-Identifier: BSD-3-Clause
 * The assertions of Check for loops over many cases: Check itself sends the place of every assertion that
 * holds to the process that reports, which keeps them all, and each later test then begins with a copy of
 * them. */
#pragma once

#include <check.h>

#undef ck_assert_msg
#define ck_assert_msg(condition, ...) \
  ((condition) ? (void)0 \
               : _ck_assert_failed(__FILE__, __LINE__, "Assertion '" #condition "' failed", ##__VA_ARGS__))
