/* SPDX-License-Identifier: BSD-3-Clause
 * A blade, by its front door: chips with SPEs, PPEs and main memory, observers, and programs that run on
 * it. */
#pragma once

#include "sim/hw/bus_traffic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blade;
struct des_node;
struct err;
struct machine;
struct pages;
struct parameters;
struct platform;
struct probe;

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

/* Return the twin of BLADE: the same machine on the bus of rates, on which only times count. Transfers of
 * data (spu_move_data) move no bytes.
 * owner: BLADE. */
struct blade *blade_on_rates(struct blade *blade);

/* Make the machine as new: idle, all local stores zero. Observers stay. */
void blade_reset(struct blade *blade);

/* Let blade_reset leave the bytes in the local stores as they are if KEEP, for those who fill them on their
 * own. */
void blade_keep_local_stores(struct blade *blade, bool keep);

/* Return the local stores of all SPEs of BLADE, one after another. */
struct pages *blade_local_stores(struct blade *blade);

/* Run the programs that have been started on BLADE (spu_run, in sim/spu, starts and runs them).
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result blade_run(struct blade *blade);

/* Blades that run together, and what is between them. */
struct blade_company {
  struct blade *const *blades; /* all different */
  size_t n;
  struct des_node *beside; /* a network; NULL: none */
  uint64_t look_ahead;     /* at least 1 */
};

/* The same for all blades of COMPANY in one run; RESULTS become theirs. The clocks of no two of them are
 * look_ahead cycles or more apart while both have something to do. Blades that do not reach one another take
 * the same cycles whatever it is, which are those that they take alone. */
void blade_run_all(const struct blade_company *company, struct blade_result results[]);

/* Give BLADE its NUMBER among those that run together, which all its events carry; 0 unless set. */
void blade_set_number(struct blade *blade, unsigned number);

/* Let BLADE be a node of MACHINE, of which the blade itself makes no use. */
void blade_set_machine(struct blade *blade, struct machine *machine);

/* Return what has passed through BLADE since its reset. */
struct bus_traffic blade_bus_traffic(const struct blade *blade);

/* Release the texts of RESULT. */
void blade_result_fini(struct blade_result *result);

/* Let PROBE see all that happens from now on. */
void blade_attach(struct blade *blade, struct probe *probe);

/* Let PROBE, which is attached, see no more. */
void blade_detach(struct blade *blade, struct probe *probe);

/* --- what it consists of --- */

/* Return the platform that BLADE was built from, and its parameters in cycles. */
const struct platform *blade_platform(const struct blade *blade);
const struct parameters *blade_parameters(const struct blade *blade);

/* Return how many chips BLADE has, SPEs (numbered chip by chip), and SPEs on each chip. */
unsigned blade_nchips(const struct blade *blade);
unsigned blade_nspes(const struct blade *blade);
unsigned blade_spes_per_chip(const struct blade *blade);

/* Return the chip of SPE. */
unsigned blade_chip_of(const struct blade *blade, unsigned spe);

/* Return the position of SPE on the rings of its chip. */
unsigned blade_unit_of(const struct blade *blade, unsigned spe);

/* Return how many links lie on the way from chip FROM to chip TO. */
unsigned blade_links_between(const struct blade *blade, unsigned from, unsigned to);

/* Return the SPU clock of BLADE, in GHz: cycles divided by it are nanoseconds. */
double blade_ghz(const struct blade *blade);

/* --- its memories --- */

/* Return the bytes of the local store of SPE. */
uint8_t *blade_ls(const struct blade *blade, unsigned spe);

/* Return the chip in whose main memory the data of ranks on chip CHIP lies: memory.placement of the
 * platform. */
unsigned blade_data_chip(const struct blade *blade, unsigned chip);

/* Hand out NBYTES of the main memory of chip CHIP, on a 128-byte line; blade_reset takes all back.
 * returns: their effective address, or 0 if that memory has no room left. */
uint64_t blade_allocate(struct blade *blade, unsigned chip, uint64_t nbytes);

/* Return the bytes of main memory at effective address EA, which blade_allocate has handed out. */
uint8_t *blade_memory(const struct blade *blade, uint64_t ea);
