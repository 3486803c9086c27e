/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/err.h"

#include <stdio.h>

int err_set(struct err *err, const char *format, ...) {
  if (err && err->text[0] == '\0') {
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
  }
  return -1;
}
