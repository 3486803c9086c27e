/* SPDX-License-Identifier: BSD-3-Clause
 * How a call of an algorithm ended. */
#pragma once

/* What stopped, from CALL_FAULT on, has measured nothing. */
enum call_end { CALL_OK, CALL_WRONG, CALL_FAULT, CALL_DEADLOCK, CALL_CRASH };

/* Return END as printed. */
const char *call_end_name(enum call_end end);
