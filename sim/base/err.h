/* SPDX-License-Identifier: BSD-3-Clause
 * One clear message for bad input, carried from where it is found to where it is printed. */
#pragma once

#include <stdarg.h>

/* Holds the first message set; empty means no error. */
struct err {
  char text[640];
};

/* Format a message into ERR unless it already holds one, so that the cause survives and not its consequences;
 * ERR may be NULL.
 * returns: always -1, so that callers can write `return err_set(...)`. */
int err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
