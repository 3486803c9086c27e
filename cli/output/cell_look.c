/* SPDX-License-Identifier: BSD-3-Clause
 * See cell_look.h. */
#include "cli/output/cell_look.h"

#include <stddef.h>
#include <string.h>

enum terminal_look cell_look(const char *column, const char *text) {
  static const struct {
    const char *column, *text; /* NULL: any other one */
    enum terminal_look look;
  } looks[] = {
    {"verified", "yes", TERMINAL_GOOD}, {"verified", "no", TERMINAL_BAD},
    {"outcome", "ok", TERMINAL_GOOD},   {"outcome", "unpredicted", TERMINAL_OPEN},
    {"outcome", NULL, TERMINAL_BAD},    {"verdict", "holds", TERMINAL_GOOD},
    {"verdict", "fails", TERMINAL_BAD}, {"verdict", NULL, TERMINAL_OPEN},
    {"result", "pass", TERMINAL_GOOD},  {"result", "ok", TERMINAL_GOOD},
    {"result", NULL, TERMINAL_BAD},     {"cause", "unexplained", TERMINAL_BAD},
  };
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    if (strcmp(looks[i].column, column) == 0 && (!looks[i].text || strcmp(looks[i].text, text) == 0)) {
      return looks[i].look;
    }
  }
  return TERMINAL_PLAIN;
}
