/* SPDX-License-Identifier: BSD-3-Clause
 * The machine as a whole, and its front door: chips, links, SPEs, observers, and running programs on it. */
#pragma once

#include "sim/base/des.h"
#include "sim/base/pages.h"
#include "sim/hw/bif.h"
#include "sim/hw/eib.h"
#include "sim/hw/memory.h"
#include "sim/hw/parameters.h"
#include "sim/hw/ppe.h"
#include "sim/hw/probe.h"
#include "sim/hw/reservation.h"
#include "sim/hw/spe.h"

#include <stddef.h>
#include <stdint.h>

struct err;
struct platform;

struct blade {
  const struct platform *platform;
  struct parameters parameters;
  unsigned bif_unit, memory_unit; /* positions on every ring */
  unsigned nchips;
  struct ring_plan *ring_plan; /* of all rings */
  struct route *routes;        /* on the rings of each chip */
  struct eib *eibs;            /* one per chip */
  struct bif bif;
  unsigned nspes, spes_per_chip;
  struct spe *spes; /* chip by chip */
  struct pages local_stores;
  bool keeps_local_stores; /* see blade_keep_local_stores */
  struct ppe *ppes;        /* one per chip */
  struct reservation_units reservations;
  struct memory *memories; /* one per chip */
  struct probe *probes;
  unsigned detailed; /* probes that look at details */
  uint64_t nactions; /* actions of programs since the reset */
  char *faults;      /* one line per program that stopped in this run; NULL: none */
};

/* What runs on one processor. */
struct blade_program {
  bool on_ppe;
  unsigned processor; /* number of the SPE, or of the PPE: that of its chip */
  void (*run)(void *argument);
  void *argument;
  const char *name;
  uint64_t start; /* cycle */
};

/* How a run ended. */
struct blade_result {
  uint64_t cycles; /* when the last program ended */
  char *faults;    /* one line per program that stopped; NULL: none */
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

/* Let blade_reset leave the bytes in the local stores as they are if KEEP, for those who fill them on their own. */
void blade_keep_local_stores(struct blade *blade, bool keep);

/* Run COUNT programs, at most one per processor, on a machine that has been reset.
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result blade_run(struct blade *blade, const struct blade_program *programs, size_t count);

/* Release the texts of RESULT. */
void blade_result_fini(struct blade_result *result);

/* Let PROBE see all that happens from now on. */
void blade_attach(struct blade *blade, struct probe *probe);

/* Let PROBE, which is attached, see no more. */
void blade_detach(struct blade *blade, struct probe *probe);

/* Return the chip in whose main memory the data of ranks on chip CHIP lies: memory.placement of the platform. */
unsigned blade_data_chip(const struct blade *blade, unsigned chip);

/* Hand out NBYTES of the main memory of chip CHIP, on a 128-byte line; blade_reset takes all back.
 * returns: their effective address, or 0 if that memory has no room left. */
uint64_t blade_allocate(struct blade *blade, unsigned chip, uint64_t nbytes);

/* Return the bytes of main memory at effective address EA, which blade_allocate has handed out. */
uint8_t *blade_memory(struct blade *blade, uint64_t ea);

/* --- for the units --- */

/* Find what lies behind NBYTES from effective address EA.
 * returns: 0, or -1 if no single local store, register or memory covers them. */
int blade_resolve(struct blade *blade, uint64_t ea, uint32_t nbytes, struct bus_end *end);

/* Start PROGRAM, in a run, or before it. */
void blade_start(struct blade *blade, const struct blade_program *program);

/* Note for the result of the run that ACTOR stops at CYCLE because of WHAT. */
void blade_note_fault(struct blade *blade, const struct des_actor *actor, uint64_t cycle, const char *what);

/* Tell the observers, of whom there is at least one, of EVENT, whose cycle is set here; called by blade_see. */
void blade_tell(struct blade *blade, struct probe_event *event);

/* Tell whether anybody watches. */
static inline bool
blade_is_seen(const struct blade *blade)
{
  return __builtin_expect(blade->probes != NULL, 0);
}

/* Tell the observers of an event: a pointer to its struct probe_event, which is not even filled in when nobody watches. */
#define blade_see(blade_, ...) \
  do { \
    if (blade_is_seen(blade_)) { \
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

/* Byte EA of main memory has been written, not by an atomic command: reservations of its line are lost. */
static inline void
blade_memory_written(struct blade *blade, uint64_t ea)
{
  if (__builtin_expect(blade->reservations.in_use, 0)) {
    reservation_written(&blade->reservations, ea - ea % RESERVATION_BYTES, blade->reservations.n);
  }
}
