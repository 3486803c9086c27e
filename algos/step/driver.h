/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the calls of a collective: the SPE program around an algorithm, which notes when its rank enters and
 * leaves. */
#pragma once

#include <stdint.h>

struct coll;
struct coll_group;

/* What a rank does before and after each call outside of simulated time; either may be NULL. */
struct call_hooks {
  void (*before)(struct coll *c, void *owner);
  void (*after)(struct coll *c, void *owner);
  void *owner;
};

/* Return rank RANK's view of the calls of GROUP, which must outlive it.
 * owner: the caller, with driver_free. */
struct coll *driver_new(const struct coll_group *group, unsigned rank);

/* Release C; NULL is nothing. */
void driver_free(struct coll *c);

/* Let rank C enter its call number CALL, counted from 0, DELAY cycles late. */
void driver_delay(struct coll *c, unsigned call, uint64_t delay);

/* Attach HOOKS, which must outlive the calls, to rank C. */
void driver_attach(struct coll *c, const struct call_hooks *hooks);

/* Find arrays and buffers in the local store of the calling SPE program, which is rank C. */
void driver_enter(struct coll *c);

/* Make one call of C, whose arrays have been found, inside another one. */
void driver_call(struct coll *c);

/* The SPE program of a rank: ARGUMENT is its struct coll. Makes the calls and notes entries and exits. */
void driver_main(void *argument);

/* The PPE program of an algorithm that has one: ARGUMENT is the struct coll_group. */
void driver_ppe_main(void *argument);

/* Return the cycle in which rank C entered, or left, its call number CALL. */
uint64_t driver_entered(const struct coll *c, unsigned call);
uint64_t driver_left(const struct coll *c, unsigned call);
