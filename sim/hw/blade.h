/* SPDX-License-Identifier: BSD-3-Clause
 * The machine as a whole, and its front door: chips, links, SPEs, observers, and running programs on it. */
#pragma once

#include "sim/base/des.h"
#include "sim/hw/bif.h"
#include "sim/hw/counters.h"
#include "sim/hw/eib.h"
#include "sim/hw/figures.h"
#include "sim/hw/memory.h"
#include "sim/hw/probe.h"
#include "sim/hw/spe.h"

#include <stddef.h>
#include <stdint.h>

struct err;
struct platform;

struct blade {
  const struct platform *platform;
  struct figures figures;
  unsigned bif_unit, memory_unit; /* positions on every ring */
  unsigned nchips;
  struct eib *eibs; /* one per chip */
  struct bif bif;
  unsigned nspes, spes_per_chip;
  struct spe *spes; /* chip by chip */
  uint8_t *local_stores;
  struct memory *memories; /* one per chip */
  struct probe *probes;
  unsigned detailed; /* probes that look at details */
  char *faults;      /* one line per SPE that stopped in this run; NULL: none */
};

/* What runs on one SPE. */
struct blade_program {
  unsigned spe;
  void (*run)(void *argument);
  void *argument;
  const char *name;
  uint64_t start; /* cycle */
};

/* How a run ended. */
struct blade_result {
  uint64_t cycles; /* when the last program ended */
  char *faults;    /* one line per SPE that stopped; NULL: none */
  char *stuck;     /* one line per program that nothing can wake; NULL: none */
  bool interrupted;
};

/* Build the machine that PLATFORM describes; PLATFORM must outlive it.
 * errors: as topology_links.
 * owner: the caller, with blade_free. */
struct blade *blade_new(const struct platform *platform, struct err *err);

/* Release BLADE; NULL is allowed. */
void blade_free(struct blade *blade);

/* Make the machine as new: idle, all local stores zero. Observers stay. */
void blade_reset(struct blade *blade);

/* Run COUNT programs, at most one per SPE, on a machine that has been reset.
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result blade_run(struct blade *blade, const struct blade_program *programs, size_t count);

/* Release the texts of RESULT. */
void blade_result_fini(struct blade_result *result);

/* Let PROBE see all that happens from now on. */
void blade_attach(struct blade *blade, struct probe *probe);

/* Let PROBE, which is attached, see no more. */
void blade_detach(struct blade *blade, struct probe *probe);

/* Hand out NBYTES of the main memory of chip CHIP, on a 128-byte line; blade_reset takes all back.
 * returns: their effective address, or 0 if that memory has no room left. */
uint64_t blade_allocate(struct blade *blade, unsigned chip, uint64_t nbytes);

/* Return the bytes of main memory at effective address EA, which blade_allocate has handed out. */
uint8_t *blade_memory(struct blade *blade, uint64_t ea);

/* --- for the units --- */

/* Find what lies behind NBYTES from effective address EA.
 * returns: 0, or -1 if no single local store, register or memory covers them. */
int blade_resolve(struct blade *blade, uint64_t ea, uint32_t nbytes, struct bus_end *end);

/* Tell the observers, of whom there is at least one, of EVENT, whose cycle is set here; called by blade_see. */
void blade_tell(struct blade *blade, struct probe_event *event);

/* Tell the observers of an event: a pointer to its struct probe_event, which is not even filled in when nobody watches. */
#define blade_see(blade_, ...) \
  do { \
    if (__builtin_expect((blade_)->probes != NULL, 0)) { \
      blade_tell((blade_), __VA_ARGS__); \
    } \
  } while (0)

/* The same for an event that only observers of details look at. */
#define blade_see_detail(blade_, ...) \
  do { \
    if (__builtin_expect((blade_)->detailed != 0, 0)) { \
      blade_tell((blade_), __VA_ARGS__); \
    } \
  } while (0)
