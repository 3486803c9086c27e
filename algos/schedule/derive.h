/* SPDX-License-Identifier: BSD-3-Clause
 * The derivation of programs, see schedule_derive.c; the knowledge of places while the list of operations is
 * read. For this folder only. */
#pragma once

#include "algos/schedule/schedule.h"

/* A list of numbers of operations. */
struct numbers {
  unsigned *items;
  size_t n;
};

/* What is known of a region of a place while the list is read. */
struct region {
  unsigned writer;        /* last operation to write the region; SCHEDULE_NONE: none, or a combination */
  unsigned event;         /* the end of the last write, at the place */
  struct numbers readers; /* operations with a read of the region since */
  struct numbers adds;    /* combinations in no program yet */
};

/* A signal sent and not awaited yet. */
struct heard {
  unsigned place, other, event;
};

struct derivation {
  struct schedule *schedule;
  struct heard *heard;
  size_t nheard;
  size_t together; /* combinations of this operation and of later ones are not read yet */
  struct region *regions;
  unsigned *clock; /* [place * nplaces + other] */
};

static inline unsigned *derive_clock(const struct derivation *d, unsigned place) {
  return d->clock + (size_t)place * d->schedule->nplaces;
}

static inline struct place_command *derive_command(const struct derivation *d, unsigned place,
                                                   unsigned event) {
  return &d->schedule->programs[place].commands[event - 1];
}

static inline unsigned derive_most(unsigned a, unsigned b) {
  return a > b ? a : b;
}

/* Append COMMAND to the program of PLACE, or a command of KIND for OPERATION.
 * returns: the event of the command. */
unsigned derive_push(struct derivation *d, unsigned place, struct place_command command);
unsigned derive_push_for(struct derivation *d, unsigned place, enum command_kind kind, unsigned operation);

/* Let PLACE know all events of the clock OTHER. */
void derive_join(struct derivation *d, unsigned place, const unsigned *other);

/* Let OTHER tell PLACE as soon as EVENT has happened at OTHER. */
void derive_tell(struct derivation *d, unsigned place, unsigned other, unsigned event);

/* Let PLACE await the signals sent by OTHER; with PLACE SCHEDULE_NONE all places all signals. */
void derive_hear_all(struct derivation *d, unsigned place, unsigned other);

/* See that PLACE knows of EVENT of OTHER; of all events NEEDED, by place. Notifications are added for unknown
 * events. */
void derive_learn(struct derivation *d, unsigned place, unsigned other, unsigned event);
void derive_learn_all(struct derivation *d, unsigned place, const unsigned *needed);

/* Derive the programs of SCHEDULE, and from the pairs allowed by SCHEDULE the trusting pairs. */
void derive_programs(struct schedule *schedule);

/* Release the programs of SCHEDULE. */
void derive_clear(struct schedule *schedule);
