/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of a platform in the machine's units: SPU cycles and thousandths of cycles, numbers of
 * chips, SPEs and units. */
#pragma once

#include "sim/base/engine/rate_server.h"

#include <stdint.h>

struct platform;

enum { RING_UNITS_MAX = 32 }; /* units on a ring; a 32-bit mask is a set of units */

/* The parameters of a ring, in SPU cycles. */
struct ring_parameters {
  unsigned nunits;
  unsigned hops_max;       /* of a transfer */
  unsigned transfers_max;  /* at a time */
  uint64_t start_interval; /* between two starts */
  uint64_t hop;            /* from one unit to the next */
  uint64_t beats;          /* cycles for which a transfer occupies a place on the ring */
};

struct parameters {
  double ghz; /* SPU clock, for printing seconds */
  uint64_t spu_khz, timebase_khz;

  /* chips; SPEs here are the usable SPEs, numbered chip by chip */
  unsigned nchips, nspes, spes_per_chip;
  unsigned spe_units[RING_UNITS_MAX]; /* position on the rings of the n-th SPE of a chip */
  unsigned bif_unit, memory_unit;     /* positions on the rings */

  /* EIB */
  struct ring_parameters ring;
  unsigned nrings_clockwise, nrings;
  unsigned request_bytes;
  uint64_t command_interval;  /* between two commands on one chip */
  uint64_t coherent_interval; /* after a command to memory: no shorter than after others */
  uint64_t command_phase;
  struct rate_interval ramp_interval;

  /* MFC and local store */
  unsigned queue;
  unsigned window, nwindows; /* bus requests in flight in one window; 2 windows: one for gets, one for puts */
  uint64_t issue, to_bus;
  uint64_t visible, retire, complete; /* after the last beat */
  uint64_t list_element, channel_read;
  uint64_t mfc_interval; /* between two commands or list elements that an MFC begins */
  unsigned proxy_queue;
  uint64_t atomic_local, atomic_transfer;
  uint64_t ls_read;
  uint64_t ls_port_mcyc;         /* 0: a port for each direction */
  uint32_t ls_bytes, ls_reserve; /* whole cache lines */

  /* main memory of a chip */
  uint64_t memory_bytes;
  uint64_t memory_latency;
  uint64_t memory_read_mcyc, memory_write_mcyc; /* between two bus requests */

  /* PPE */
  uint64_t mmio, poll;
  double copy_bytes_per_cycle, combine_bytes_per_cycle;

  /* BIF, for one crossing */
  double bif_byte_mcyc;  /* one byte on a link */
  unsigned bif_overhead; /* bytes of overhead in each bus request */
  uint64_t bif_command, bif_data;
  uint64_t bif_put_complete;
  unsigned bif_mfc_requests, bif_chip_requests; /* limits on requests under way to local stores; 0: none */
};

/* Convert the values of PLATFORM. */
void parameters_init(struct parameters *parameters, const struct platform *platform);

/* Return for how many thousandths of a cycle a bus request of NBYTES takes a link between chips. */
uint64_t parameters_link_mcyc(const struct parameters *parameters, unsigned nbytes);
