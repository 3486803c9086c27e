/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/board/fault.h"

#include <stdarg.h>
#include <stdio.h>

const char *fault_set(struct fault *fault, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(fault->text, sizeof fault->text, format, args);
  va_end(args);
  return fault->text;
}
