/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the calls of a collective: the SPE program around an algorithm. The program notes when its rank
 * enters and leaves a call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct coll;
struct coll_group;

/* Functions that a rank calls before and after each call, outside of simulated time; NULL: no function. */
struct call_hooks {
  void (*before)(struct coll *c, void *owner);
  void (*after)(struct coll *c, void *owner);
  void *owner;
};

/* Return rank RANK's view of the calls of GROUP; GROUP must outlive the view.
 * owner: the caller, with driver_free. */
struct coll *driver_new(const struct coll_group *group, unsigned rank);

/* Release C; NULL is nothing. */
void driver_free(struct coll *c);

/* Delay the entry of rank C into call number CALL, counted from 0, by DELAY cycles. */
void driver_delay(struct coll *c, unsigned call, uint64_t delay);

/* Attach HOOKS to rank C; HOOKS must outlive the calls. */
void driver_attach(struct coll *c, const struct call_hooks *hooks);

/* Tell whether rank C has hooks before its calls: without hooks nobody puts data, and data may not move. */
bool driver_has_data(const struct coll *c);

/* Find arrays and buffers in the local store of the calling SPE program, the program of rank C. */
void driver_enter(struct coll *c);

/* Make one call of C inside another call; driver_enter must have found the arrays. */
void driver_call(struct coll *c);

/* Make one call of C, described by GROUP, inside a call of OUTER and with the hooks of OUTER. C has the
 * addresses of data in main memory. TIMES become the cycles of entry and exit. */
void driver_call_as(struct coll *c, const struct coll_group *group, const struct coll *outer,
                    uint64_t times[2]);

/* The SPE program of a rank, ARGUMENT its struct coll: make the calls and note entries and exits. */
void driver_main(void *argument);

/* The PPE program of an algorithm with such a program: ARGUMENT is the struct coll_group. */
void driver_ppe_main(void *argument);

/* Return the cycle of rank C's entry into, or exit from, call number CALL. */
uint64_t driver_entered(const struct coll *c, unsigned call);
uint64_t driver_left(const struct coll *c, unsigned call);
