/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands of an MFC: load a line with a reservation, store it under that condition, or store it
 * anyway.
 * source: Cell Broadband Engine Architecture (getllar, putllc, putlluc). */
#pragma once

#include "sim/base/wheel.h"
#include "sim/hw/fault.h"
#include "sim/hw/reservation.h"

#include <stdbool.h>
#include <stdint.h>

struct spe;

enum atomic_kind {
  ATOMIC_GETLLAR,
  ATOMIC_PUTLLC,
  ATOMIC_PUTLLUC,
};

/* A load that is made again and again until it has FOUND in the line what is looked for. */
struct atomic_poll {
  bool (*found)(const void *line, const void *context);
  const void *context;
  uint64_t pause; /* cycles from the end of one load to the start of the next one */
};

/* The atomic command of one MFC: one at a time, apart from the command queue. */
struct atomic {
  struct spe *spe;
  struct event event;    /* its next stage */
  bool busy;             /* until it has completed */
  struct atomic *behind; /* it waits for the same line and has its turn next */
  bool told;             /* its status has not been read */
  uint32_t status;       /* of the last one */
  uint64_t number;       /* of the last one, among all of this MFC */
  uint64_t came;         /* cycle at which it came to where the line is ordered */
  enum atomic_kind kind;
  uint32_t ls;
  uint64_t ea;
  uint8_t data[RESERVATION_BYTES];
  const struct atomic_poll *poll; /* NULL: it is made once */
  bool looked;                    /* in vain; it polls */
};

/* Status of a completed command. */
enum atomic_status {
  ATOMIC_STORED = 0, /* putllc: the line was written */
  ATOMIC_LOST = 1,   /* putllc: nothing was written, the reservation was lost */
  ATOMIC_PUTLLUC_DONE = 2,
  ATOMIC_GETLLAR_DONE = 4,
};

/* Make the atomic commands of SPE idle. */
void atomic_reset(struct atomic *atomic, struct spe *spe);

/* Check the addresses of an atomic command.
 * faults: not aligned to a line, outside of the local store, not in main memory.
 * returns: NULL, or what is wrong, which is also in FAULT. */
const char *atomic_check(const struct atomic *atomic, uint32_t ls, uint64_t ea, struct fault *fault);

/* Begin command KIND, whose addresses atomic_check accepts, at cycle AT; the last one must have completed. */
void atomic_begin(struct atomic *atomic, enum atomic_kind kind, uint64_t at);

/* The same for loads until POLL has found something, as if the program gave one after the other; for
 * observers they are one command, which has an effect whenever it has been on the bus. */
void atomic_begin_poll(struct atomic *atomic, const struct atomic_poll *poll, uint64_t at);

/* Let the next load of ATOMIC, which polls, begin at cycle AT, unless its program has stopped. */
void atomic_resume(struct atomic *atomic, uint64_t at);
