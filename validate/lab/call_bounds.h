/* SPDX-License-Identifier: BSD-3-Clause
 * The most calls back to back, and cycles of skew, that a user can ask for: far beyond any loop, and safe to
 * count with. */
#pragma once

enum { CALL_REPEATS_MAX = 1000000, CALL_SKEW_MAX = 1000000000 };
