/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic units of a blade: the lines that each MFC keeps for its atomic commands, its reservation, and the
 * units that wait for a line.
 *
 * A unit that polls a line kept by itself loads the line again and again, each time with the same result,
 * until a unit writes the line. These loads are not simulated one by one: the time of the last load follows
 * from the first load, and only this time matters.
 * source: Cell Broadband Engine Architecture (lock line reservation, atomic commands). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

struct atomic;
struct probe_cause;

enum {
  RESERVATION_BYTES = 128, /* of a line; also the alignment of a line */
  /* number of lines in one atomic unit; source: Cell Broadband Engine Programming Handbook */
  RESERVATION_LINES = 4,
  RESERVATION_BUCKETS = 64,
};

/* A line in an atomic unit. */
struct reservation_copy {
  uint64_t ea;     /* 0: none */
  uint64_t used;   /* grows with each use */
  uint64_t until;  /* end of the line's way to this unit, or cycle of the unit's latest load */
  uint64_t period; /* the unit polls the line: loads anew every so many cycles after `until`; 0: no polling */
  unsigned spe;    /* the SPE of the atomic unit */
  struct reservation_copy *next; /* among all copies of the line: the latest copy is first */
};

/* The atomic unit of one MFC. */
struct reservation {
  struct reservation_units *units;
  unsigned spe;
  bool held;
  uint64_t ea; /* the reserved line */
  uint64_t clock;
  struct reservation_copy lines[RESERVATION_LINES];
  LIST_ENTRY(reservation) others; /* among the units with a reservation of the same line */
};

/* A line that an atomic unit has used. */
struct reservation_line {
  uint64_t ea;
  struct reservation_copy *copies;
  LIST_HEAD(, reservation) holders; /* of a reservation */
  struct atomic *waiting_last;      /* the command that arrived last and waits; NULL: none waits */
  struct reservation_line *next;    /* in the bucket */
};

/* A moment of the simulation: of the loads of this cycle, the loads of SPEs below `spe` have been made. */
struct reservation_moment {
  uint64_t cycle;
  unsigned spe;
};

/* A write to a line. */
struct reservation_write {
  unsigned writer; /* the SPE of the acting atomic unit; the number of SPEs: another unit acts */
  struct reservation_moment moment;
  const struct probe_cause *cause; /* name of the cause */
};

/* All atomic units of a blade. */
struct reservation_units {
  struct reservation *of; /* one per SPE */
  unsigned n;
  bool in_use; /* there was an atomic command, or a PPE has waited for bytes: writes to memory must be told */
  struct reservation_line *buckets[RESERVATION_BUCKETS];
  /* Called when the unit of SPE has lost its reservation to another writer by CAUSE; NULL: not called. */
  void (*lost)(void *whom, unsigned spe, const struct probe_cause *cause);
  /* Called when the line polled by the unit of SPE has been written, so that the next load, at cycle AT, does
   * not find the line here. */
  void (*resume)(void *whom, unsigned spe, uint64_t at);
  void *whom;
};

/* Make UNITS N idle atomic units.
 * owner: the caller, with reservation_fini. */
void reservation_init(struct reservation_units *units, unsigned n);

/* Release the memory of UNITS. */
void reservation_fini(struct reservation_units *units);

/* Make UNITS idle. */
void reservation_reset(struct reservation_units *units);

/* Return line EA.
 * owner: UNITS, until the next reset. */
struct reservation_line *reservation_line(struct reservation_units *units, uint64_t ea);

/* Tell whether UNIT keeps line EA. */
bool reservation_keeps(const struct reservation *unit, uint64_t ea);

/* Tell whether the unit of another SPE than EXCEPT keeps line EA. */
bool reservation_is_shared(struct reservation_units *units, uint64_t ea, unsigned except);

/* Return the SPE, other than the SPE of MOMENT, whose unit keeps line EA; of several SPEs the SPE with the
 * last arrival or load before MOMENT; UNITS->n: none. */
unsigned reservation_keeper(struct reservation_units *units, uint64_t ea, struct reservation_moment moment);

/* Return the first cycle at which LINE is on its way to no unit. */
uint64_t reservation_settled(const struct reservation_line *line);

/* Let UNIT keep line EA, which arrives at cycle UNTIL, in place of the least recently used line. */
void reservation_keep(struct reservation *unit, uint64_t ea, uint64_t until);

/* Let UNIT, which keeps line EA and holds a reservation of EA, poll EA: load the line now, at cycle NOW, and
 * then every PERIOD > 0 cycles. */
void reservation_poll(struct reservation *unit, uint64_t ea, uint64_t now, uint64_t period);

/* Let UNIT hold a reservation of line EA and of no other. */
void reservation_take(struct reservation *unit, uint64_t ea);

/* Let UNIT hold no reservation. */
void reservation_lose(struct reservation *unit);

/* WRITE has written byte EA of main memory: all reservations of the byte's line are lost, and no other unit
 * keeps the line. Call while UNITS are in use. */
void reservation_written(struct reservation_units *units, uint64_t ea, const struct reservation_write *write);
