/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/call/delay.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <string.h>

/* Add DELAY to LIST in the order of ranks. */
static int add(struct delay_list *list, struct delay delay, struct err *err) {
  VEC_ADD(list->items, list->n) = delay;
  struct delay *at = &list->items[list->n - 1];
  for (; at > list->items && at[-1].rank > delay.rank; at--) {
    at[0] = at[-1];
    at[-1] = delay;
  }
  return at == list->items || at[-1].rank != delay.rank
           ? 0
           : err_set(err, "rank %u twice, expected each rank once", delay.rank);
}

int delay_list_parse(const char *text, struct delay_list *list, struct err *err) {
  enum { DIGITS = 9 };
  SCOPED char *copy = xstrdup(text);
  char *rest = copy;
  int status = 0;
  for (const char *word; status == 0 && (word = strsep(&rest, ","));) {
    struct delay delay;
    const char *at = word;
    bool good = text_take_number(&at, DIGITS, &delay.rank) && *at++ == ':' &&
                text_take_number(&at, DIGITS, &delay.cycles) && *at == '\0';
    status = good ? add(list, delay, err)
                  : err_set(err, "'%.60s', expected RANK:CYCLES such as 0:5000, numbers of at most %d digits",
                            word, DIGITS);
  }
  return status;
}

int delay_list_check(const struct delay_list *list, unsigned nranks, struct err *err) {
  unsigned last = list->n ? list->items[list->n - 1].rank : 0;
  return list->n == 0 || last < nranks
           ? 0
           : err_set(err, "delay of rank %u, expected a rank below %u", last, nranks);
}

void delay_list_append(char **text, const struct delay_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    xappend(text, "%s%u:%u", i ? "," : "", list->items[i].rank, list->items[i].cycles);
  }
}
