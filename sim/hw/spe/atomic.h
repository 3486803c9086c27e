/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands of an MFC: load a line with a reservation, store the line under this condition, or store
 * the line anyway.
 * source: Cell Broadband Engine Architecture (getllar, putllc, putlluc). */
#pragma once

#include "sim/base/engine/wheel.h"
#include "sim/hw/spe/reservation.h"

#include <stdbool.h>
#include <stdint.h>

struct fault;
struct spe;

enum atomic_kind {
  ATOMIC_GETLLAR,
  ATOMIC_PUTLLC,
  ATOMIC_PUTLLUC,
};

/* A load that is repeated until FOUND accepts the line. */
struct atomic_poll {
  bool (*found)(const void *line, const void *context);
  const void *context;
  uint64_t pause; /* cycles from the end of one load to the start of the next one */
};

/* The atomic command of one MFC: one at a time, apart from the command queue. */
struct atomic {
  struct spe *spe;
  struct event event;    /* the next stage */
  bool busy;             /* until the command has completed */
  struct atomic *behind; /* waits for the same line and has its turn next */
  bool told;             /* the status has not been read */
  uint32_t status;       /* of the last one */
  uint64_t number;       /* of the last one, among all of this MFC */
  uint64_t came;         /* cycle at which the command came to the place where the line is ordered */
  enum atomic_kind kind;
  uint32_t ls;
  uint64_t ea;
  uint8_t data[RESERVATION_BYTES];
  const struct atomic_poll *poll; /* NULL: a single load */
  bool looked;                    /* the first load was in vain: the command polls */
};

/* Status of a completed command. */
enum atomic_status {
  ATOMIC_STORED = 0, /* putllc: the line was written */
  ATOMIC_LOST = 1,   /* putllc: nothing was written, the reservation was lost */
  ATOMIC_PUTLLUC_DONE = 2,
  ATOMIC_GETLLAR_DONE = 4,
};

/* Check the addresses of an atomic command.
 * faults: not aligned to a line, outside of the local store, not in main memory.
 * returns: NULL, or the fault, which is also in FAULT. */
const char *atomic_check(const struct atomic *atomic, uint32_t ls, uint64_t ea, struct fault *fault);

/* Begin command KIND, whose addresses atomic_check accepts, at cycle AT; the previous command must have
 * completed. */
void atomic_begin(struct atomic *atomic, enum atomic_kind kind, uint64_t at);

/* The same for loads until POLL accepts the line, as if the program gave one load after the other; for
 * observers the loads are one command, with an effect each time the command has been on the bus. */
void atomic_begin_poll(struct atomic *atomic, const struct atomic_poll *poll, uint64_t at);

/* Let the next load of ATOMIC, which polls, begin at cycle AT, unless the program has stopped. */
void atomic_resume(struct atomic *atomic, uint64_t at);
