/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of a platform in the machine's units: SPU cycles and thousandths of cycles, numbers of
 * chips, SPEs and units. */
#pragma once

#include "platform/platform.h"
#include "sim/base/engine/rate_server.h"

#include <stdint.h>

/* The parameters of a ring, in SPU cycles. */
struct ring_parameters {
  unsigned nunits;
  unsigned hops_max;       /* of a transfer */
  unsigned transfers_max;  /* at a time */
  uint64_t start_interval; /* between two starts */
  uint64_t hop;            /* from one unit to the next */
  uint64_t beats;          /* cycles of a transfer at a place on the ring */
};

typedef unsigned PARAMETER_COUNT;
typedef double PARAMETER_REAL;
typedef const char *PARAMETER_TEXT;
typedef uint64_t PARAMETER_CYCLES, PARAMETER_BUS_CYCLES; /* whole SPU cycles */

struct parameters {
  /* the rows of platform.def, such as mfc_issue; texts belong to the platform */
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) PARAMETER_##kind group##_##field;
#include "platform/platform.def"

  /* values of several rows, or in other units */
  uint64_t spu_khz, timebase_khz;
  unsigned nchips, nspes, spes_per_chip; /* usable SPEs, numbered chip by chip */
  unsigned spe_units[RING_UNITS_MAX];    /* position on the rings of the n-th SPE of a chip */
  unsigned bif_unit, memory_unit;        /* positions on the rings */
  unsigned nrings;
  struct ring_parameters ring;
  uint64_t memory_interval; /* eib_coherent_interval, at least eib_command_interval */
  struct rate_interval ramp_interval;
  uint64_t ls_port_mcyc;                        /* 0: a port for each direction */
  uint64_t memory_bytes;                        /* of a chip */
  uint64_t memory_read_mcyc, memory_write_mcyc; /* between two bus requests */
  uint64_t ppe_poll;
  double copy_bytes_per_cycle, combine_bytes_per_cycle; /* of a PPE */
  double bif_byte_mcyc;                                 /* one byte on a link, for one crossing */
};

/* Convert the values of PLATFORM. */
void parameters_init(struct parameters *parameters, const struct platform *platform);

/* Return for how many thousandths of a cycle a bus request of NBYTES takes a link between chips. */
uint64_t parameters_link_mcyc(const struct parameters *parameters, unsigned nbytes);
