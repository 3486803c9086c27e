/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that looks for hazards on a blade, or on all hosts: results that a program leaves to chance.
 *
 *  - two accesses to the same bytes, one or both of them writes, of which neither happens before the other,
 *    at any distance in time;
 *  - a signal that is lost: another value overwrites an unread signal, or sets bits that are already set.
 *
 * Accesses are those of DMA commands, puts and gets, and those of which programs tell (spu_note_store,
 * spu_note_load; copies, combining and messages of a program on a PPE). docs/how-to/orders.md has the rules
 * of happens-before, each with its source.
 *
 * One run is judged. Another winner of an atomic line, or a flag that was overwritten before its reader came,
 * may order two accesses otherwise in another run. */
#pragma once

#include <stdint.h>

struct order;
struct order_net;
struct probe;

/* Make the knowledge shared by the observers of several nodes. Messages order programs of different nodes.
 * owner: the caller, with order_net_free after order_free of all of them. */
struct order_net *order_net_new(void);
void order_net_free(struct order_net *net);

/* Make an observer of a blade of NSPES SPEs, just reset; NET: NULL for a blade alone.
 * owner: the caller, with order_free. */
struct order *order_new(unsigned nspes, struct order_net *net);

/* Make an observer of NPROCESSES of hosts, just reset.
 * owner: the caller, with order_free. */
struct order *order_new_on_hosts(unsigned nprocesses);

void order_free(struct order *order);

/* Return ORDER as an observer, and the hazards found by ORDER; the caller may clear the list. */
struct probe *order_probe(struct order *order);
struct hazard_list *order_hazards(struct order *order);

/* --- hazards --- */

enum { HAZARD_LINES_MAX = 20 };

/* The hazards found: how many, and the text of the first ones. */
struct hazard_list {
  uint64_t count;
  char *lines[HAZARD_LINES_MAX];
};

/* Add a hazard. */
void hazard_list_add(struct hazard_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Forget all hazards of LIST. */
void hazard_list_clear(struct hazard_list *list);
