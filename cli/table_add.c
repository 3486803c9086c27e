/* SPDX-License-Identifier: BSD-3-Clause
 * Several cells of a table at once; see table.h. */
#include "cli/table.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void table_add(struct table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (const char *next = strchr(format, '%'); next; next = strchr(next, '%')) {
    int decimals = 0;
    bool is_size = false, is_long = false;
    const char *text;
    for (next++; strspn(next, ".*0123456789zl"); next++) {
      is_size |= *next == 'z';
      is_long |= *next == 'l';
      decimals = *next == '*'                   ? va_arg(arguments, int)
                 : *next >= '0' && *next <= '9' ? *next - '0'
                                                : decimals;
    }
    switch (*next) {
    case 's':
      text = va_arg(arguments, const char *);
      text ? table_add_text(table, text) : table_add_nothing(table);
      break;
    case 'u':
      table_add_count(table, is_size   ? va_arg(arguments, size_t)
                             : is_long ? va_arg(arguments, uint64_t)
                                       : va_arg(arguments, unsigned));
      break;
    case 'f':
      table_add_real(table, va_arg(arguments, double), decimals);
      break;
    case 'p':
      table_add_platform(table, va_arg(arguments, const struct platform *));
      break;
    default:
      assert(!"a conversion of table_add");
    }
  }
  va_end(arguments);
}
