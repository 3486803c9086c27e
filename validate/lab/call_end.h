/* SPDX-License-Identifier: BSD-3-Clause
 * How a call of an algorithm ended. */
#pragma once

/* What stopped, from CALL_FAULT to CALL_CRASH, has measured nothing; CALL_UNPREDICTED: it was fine, but what
 * a prediction of it rests on has stopped. */
enum call_end { CALL_OK, CALL_WRONG, CALL_FAULT, CALL_DEADLOCK, CALL_CRASH, CALL_UNPREDICTED };

/* Return END as printed. */
const char *call_end_name(enum call_end end);
