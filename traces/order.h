/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that looks for hazards on a blade: what a program leaves to chance, whatever came of it this
 * time.
 *
 *  - two accesses to the same bytes, one of them writing, of which neither happens before the other, however
 *    far apart they were this time;
 *  - a signal that is lost: another value overwrites one that has not been read, or sets bits that are
 *    already set.
 *
 * Accesses are those of DMA commands, and those of programs as far as these tell (spu_note_store,
 * spu_note_load; a program on a PPE that copies, combines, sends or takes a message tells). The rules of
 * happens-before, each with its source, are in docs/how-to/orders.md.
 *
 * What orders two accesses of this run is taken as given: another winner of an atomic line, or a flag that
 * was overwritten before its reader came, may order them otherwise in another run. */
#pragma once

#include "traces/hazard_list.h"

struct order;
struct order_net;
struct probe;

/* Make what the observers of several nodes share. Messages order what programs of different nodes do.
 * owner: the caller, with order_net_free after order_free of all of them. */
struct order_net *order_net_new(void);
void order_net_free(struct order_net *net);

/* Make an observer of a blade of NSPES SPEs, which has just been reset; NET: NULL of a blade alone.
 * owner: the caller, with order_free. */
struct order *order_new(unsigned nspes, struct order_net *net);
void order_free(struct order *order);

/* Return ORDER as an observer, and the hazards that ORDER has found; the caller may clear the list. */
struct probe *order_probe(struct order *order);
struct hazard_list *order_hazards(struct order *order);
