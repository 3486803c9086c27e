/* SPDX-License-Identifier: BSD-3-Clause
 * Upper limits of calls back to back, and of cycles of skew, that a user can ask for: far beyond any loop,
 * and safe from overflow. */
#pragma once

enum { CALL_REPEATS_MAX = 1000000, CALL_SKEW_MAX = 1000000000 };
