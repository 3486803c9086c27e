/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard_list.h. */
#include "traces/hazard_list.h"

#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void hazard_list_add(struct hazard_list *list, const char *format, ...) {
  va_list arguments;
  if (list->count++ < HAZARD_LINES_MAX) {
    char text[1024];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    list->lines[list->count - 1] = xstrdup(text);
  }
}

void hazard_list_clear(struct hazard_list *list) {
  for (unsigned i = 0; i < HAZARD_LINES_MAX; i++) {
    free(list->lines[i]);
  }
  *list = (struct hazard_list){0};
}
