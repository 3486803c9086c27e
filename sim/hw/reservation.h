/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic units of a blade: the lines that each MFC keeps for its atomic commands, its reservation, and who
 * waits for a line.
 *
 * A unit that polls a line which it keeps loads it again and again, each time with the same result, until
 * somebody writes it. These loads are not made one by one: when the last one was made follows from the first
 * one, and only that matters.
 * source: Cell Broadband Engine Architecture (lock line reservation, atomic commands). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct atomic;
struct probe_cause;

enum {
  RESERVATION_BYTES = 128, /* of a line; also its alignment */
  RESERVATION_LINES = 4, /* that one atomic unit keeps; source: Cell Broadband Engine Programming Handbook */
  RESERVATION_BUCKETS = 256,
};

/* A line in an atomic unit. */
struct reservation_copy {
  uint64_t ea;    /* 0: none */
  uint64_t used;  /* the greater, the later it was used */
  uint64_t until; /* cycle up to which the line was on its way to this unit, or of its latest load */
  uint64_t
    period;     /* its unit polls the line: loads it anew every so many cycles after that; 0: it does not */
  unsigned spe; /* whose atomic unit it is */
  struct reservation_copy *next, *before; /* among all copies of the line: the one that came last is first */
};

/* The atomic unit of one MFC. */
struct reservation {
  struct reservation_units *units;
  unsigned spe;
  bool held;
  uint64_t ea; /* the reserved line */
  uint64_t clock;
  struct reservation_copy lines[RESERVATION_LINES];
  struct reservation *next, *before; /* among those with a reservation of the same line */
};

/* A line that some atomic unit has had to do with. */
struct reservation_line {
  uint64_t ea;
  struct reservation_copy *copies;
  unsigned npolled;                            /* of these */
  struct reservation *holders;                 /* of a reservation */
  struct atomic *waiting_first, *waiting_last; /* commands, in the order in which they came */
  struct reservation_line *next;               /* in its bucket */
};

/* A moment at which something happens: of the loads of that cycle those of SPEs below `spe` have been
 * made. */
struct reservation_moment {
  uint64_t cycle;
  unsigned spe;
};

/* A write to a line. */
struct reservation_write {
  unsigned writer; /* the SPE whose atomic unit does it; the number of them: something else does */
  struct reservation_moment moment;
  const struct probe_cause *cause; /* its name */
};

/* All atomic units of a blade. */
struct reservation_units {
  struct reservation *of; /* one per SPE */
  unsigned n;
  bool in_use; /* there was an atomic command, or a PPE has waited for bytes: writes to memory must be told */
  struct reservation_line *buckets[RESERVATION_BUCKETS];
  /* Called when the unit of SPE has lost its reservation to another writer by CAUSE; NULL: nobody wants to
   * know. */
  void (*lost)(void *whom, unsigned spe, const struct probe_cause *cause);
  /* Called when the line that the unit of SPE polls has been written, so that its next load, at cycle AT,
   * does not find it here. */
  void (*resume)(void *whom, unsigned spe, uint64_t at);
  void *whom;
};

/* Make UNITS N idle atomic units.
 * owner: the caller, with reservation_fini. */
void reservation_init(struct reservation_units *units, unsigned n);

/* Release what UNITS allocated. */
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

/* Return the SPE other than that of MOMENT whose unit keeps line EA (of several the one to which it came, or
 * that loaded it, last before MOMENT); UNITS->n: none does. */
unsigned reservation_keeper(struct reservation_units *units, uint64_t ea, struct reservation_moment moment);

/* Return the first cycle at which LINE is on its way to no unit. */
uint64_t reservation_settled(const struct reservation_line *line);

/* Let UNIT keep line EA, which reaches it at cycle UNTIL, in place of the one that it used least recently. */
void reservation_keep(struct reservation *unit, uint64_t ea, uint64_t until);

/* Let UNIT, which keeps line EA and holds a reservation of it, poll it: load it now, at cycle NOW, and then
 * every PERIOD > 0 cycles. */
void reservation_poll(struct reservation *unit, uint64_t ea, uint64_t now, uint64_t period);

/* Let UNIT hold a reservation of line EA and of no other. */
void reservation_take(struct reservation *unit, uint64_t ea);

/* Let UNIT hold no reservation. */
void reservation_lose(struct reservation *unit);

/* Byte EA of main memory has been written by WRITE: all reservations of its line are lost, and no other unit
 * keeps it. To be called while UNITS are in use. */
void reservation_written(struct reservation_units *units, uint64_t ea, const struct reservation_write *write);
