/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks that enter each call late, in the form of --delay: "0:5000,3:200". */
#pragma once

#include <stddef.h>

struct err;

/* Ranks in ascending order, and the delays of the entries of these ranks. */
struct delay_list {
  struct delay {
    unsigned rank, cycles;
  } * items;
  size_t n;
};

/* Read TEXT, RANK:CYCLES separated by commas, and add the delays to LIST.
 * errors: anything else, a number of more than nine digits, a rank twice.
 * owner: the caller frees the items, also after an error. */
int delay_list_parse(const char *text, struct delay_list *list, struct err *err);

/* Check that the ranks of LIST are among NRANKS. */
int delay_list_check(const struct delay_list *list, unsigned nranks, struct err *err);

/* Append LIST, as typed, to TEXT. */
void delay_list_append(char **text, const struct delay_list *list);
