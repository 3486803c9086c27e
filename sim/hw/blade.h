/* SPDX-License-Identifier: BSD-3-Clause
 * A blade, the front door of this folder: chips with SPEs, PPEs and main memory, observers, and programs that
 * run on the blade. */
#pragma once

#include "sim/hw/board/bus_traffic.h"

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
  char *faults;    /* one line per stopped program; NULL: none */
  char *stuck;     /* one line per program that waits for ever; NULL: none */
  bool cut;        /* blade_limit has stopped a program */
};

/* Build the blade described by PLATFORM; PLATFORM must outlive the blade.
 * owner: the caller, with blade_free. */
struct blade *blade_new(const struct platform *platform);

/* Release BLADE; NULL is allowed. */
void blade_free(struct blade *blade);

/* From now on transfers of data (spu_move_data) on BLADE take the usual time and move no bytes. */
void blade_keep_times_only(struct blade *blade);

/* Make BLADE as new: idle, all local stores zero. Observers stay. */
void blade_reset(struct blade *blade);

/* From now on blade_reset of BLADE leaves the bytes in local stores unchanged (KEEP), or makes them zero. */
void blade_keep_local_stores(struct blade *blade, bool keep);

/* Return the local stores of all SPEs of BLADE, one after another. */
struct pages *blade_local_stores(struct blade *blade);

/* In the next run of BLADE, stop each program without an end by cycle LIMIT, and the program's MFC, as a
 * fault does. */
void blade_limit(struct blade *blade, uint64_t limit);

/* Run the programs started on BLADE (spu_start, in sim/node).
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result blade_run(struct blade *blade);

/* Blades that run together, and the network between the blades. */
struct blade_company {
  struct blade *const *blades; /* all different */
  size_t n;
  struct des_node *beside; /* a network; NULL: none */
  uint64_t look_ahead;     /* at least 1 */
};

/* Run all blades of COMPANY together, as blade_run; RESULTS has one result per blade. While two blades both
 * have events to run, the difference of the clocks is less than look_ahead cycles. For blades that do not
 * communicate the result is independent of look_ahead, and the same as with blade_run. */
void blade_run_all(const struct blade_company *company, struct blade_result results[]);

/* Let BLADE be node NUMBER of MACHINE, the programs' way to the network (NULL: no network). All events of
 * BLADE carry the number, initially 0. */
void blade_join(struct blade *blade, struct machine *machine, unsigned number);

/* Return the traffic of BLADE since the reset. */
struct bus_traffic blade_bus_traffic(const struct blade *blade);

/* Release the texts of RESULT. */
void blade_result_fini(struct blade_result *result);

/* Attach PROBE: from now on PROBE sees all events. */
void blade_attach(struct blade *blade, struct probe *probe);

/* Detach PROBE. */
void blade_detach(struct blade *blade, struct probe *probe);

/* --- the parts --- */

/* Return the parameters of BLADE in cycles. */
const struct parameters *blade_parameters(const struct blade *blade);

/* Return how many chips BLADE has, SPEs (numbered chip by chip), and SPEs on each chip. */
unsigned blade_nchips(const struct blade *blade);
unsigned blade_nspes(const struct blade *blade);
unsigned blade_spes_per_chip(const struct blade *blade);

/* Return the position of SPE on the rings of the SPE's chip. */
unsigned blade_unit_of(const struct blade *blade, unsigned spe);

/* Return how many links lie on the way from chip FROM to chip TO. */
unsigned blade_links_between(const struct blade *blade, unsigned from, unsigned to);

/* --- memories --- */

/* Return the bytes of the local store of SPE. */
uint8_t *blade_ls(const struct blade *blade, unsigned spe);

/* Return the chip whose main memory holds the data of a rank on SPE: memory.placement of the platform. */
unsigned blade_data_chip(const struct blade *blade, unsigned spe);

/* Allocate NBYTES of the main memory of chip CHIP, aligned to 128 bytes, until the next blade_reset.
 * returns: the effective address; 0: not enough memory. */
uint64_t blade_allocate(struct blade *blade, unsigned chip, uint64_t nbytes);

/* Return the bytes of main memory at effective address EA, from blade_allocate. */
uint8_t *blade_memory(const struct blade *blade, uint64_t ea);
