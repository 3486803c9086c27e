/* SPDX-License-Identifier: BSD-3-Clause
 * What the model machine knows of the simulated one: its shape, and what programs that are no collectives
 * have measured on it. Plain data; validate/model makes it. */
#pragma once

#include <stdint.h>

/* A measured value, SPU cycles unless cost.def says otherwise. */
enum model_value {
#define MODEL_VALUE(id, ...) MODEL_##id,
#include "algos/cost/cost.def"
  MODEL_VALUES,
};

enum { MODEL_FLAG_BYTES = 16, MODEL_LINE_BYTES = 128, MODEL_DMA_BYTES = 16384 };

/* The shape of a machine. */
struct model_shape {
  unsigned nspes, spes_per_chip, nchips;
  unsigned links_max;        /* on the way between two chips */
  const unsigned *links;     /* [from * nchips + to]: links on the way */
  const unsigned *neighbour; /* [from * nchips + to]: the next chip on the way */
  const unsigned *data_chip; /* by chip: in whose memory the data of its ranks lies */
  unsigned queue;            /* commands that an MFC holds */
  unsigned command; /* cycles between two bus requests on one chip, as far as they are only asked for */
  unsigned window, windows; /* bus requests that an MFC has under way in one direction; 1: in both together */
};

/* Values of a machine: one; or links_max + 1, by the links on the way; or one for each pair of SPEs of a
 * chip, see MODEL_BETWEEN. */
struct model_values {
  const struct model_shape *shape;
  const double *of[MODEL_VALUES];
};
