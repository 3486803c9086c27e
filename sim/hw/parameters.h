/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of a platform in the units in which the machine counts: SPU cycles and thousandths of them. */
#pragma once

#include "platform/platform.h"
#include "sim/hw/rate_server.h"
#include "sim/hw/ring.h"

#include <stdint.h>

struct parameters {
  double ghz; /* SPU clock, for printing seconds */
  uint64_t spu_khz, timebase_khz;

  /* EIB */
  struct ring_parameters ring;
  unsigned nrings_clockwise, nrings;
  unsigned request_bytes;
  uint64_t command_interval;  /* between two commands on one chip */
  uint64_t coherent_interval; /* after a command to memory: no shorter than after others */
  uint64_t command_phase;
  struct rate_interval ramp_interval;

  /* MFC and local store */
  unsigned queue, window;
  uint64_t issue, to_bus;
  uint64_t visible, retire, complete; /* after the last beat */
  uint64_t list_element, channel_read;
  unsigned proxy_queue;
  uint64_t atomic_local, atomic_transfer;
  uint64_t ls_read;
  uint64_t ls_port_mcyc; /* 0: a port for each direction */
  uint32_t ls_bytes, ls_reserve;

  /* main memory of a chip */
  uint64_t memory_bytes;
  uint64_t memory_latency;
  uint64_t memory_read_mcyc, memory_write_mcyc; /* between two bus requests */

  /* PPE */
  uint64_t mmio;
  double copy_bytes_per_cycle;

  /* BIF, for one crossing */
  double bif_byte_mcyc;  /* one byte on a link */
  unsigned bif_overhead; /* bytes that go with every bus request */
  uint64_t bif_command, bif_data;
  uint64_t bif_put_hold, bif_put_complete;
};

/* Convert what PLATFORM says; NUNITS is the number of units on a ring. */
void parameters_init(struct parameters *parameters, const struct platform *platform, unsigned nunits);
