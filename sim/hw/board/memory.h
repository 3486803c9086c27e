/* SPDX-License-Identifier: BSD-3-Clause
 * The main memory of a chip behind its controller (MIC): bandwidth, latency, bytes. */
#pragma once

#include "sim/base/engine/rate_server.h"
#include "sim/base/pages.h"

#include <stdint.h>

struct parameters;

/* Idle at first, with nothing but the parameters. */
struct memory {
  const struct parameters *parameters;
  struct pages pages; /* reserved at the first request for a place; before, bytes is NULL */
  uint64_t allocated; /* bytes handed out, from the start */
  uint64_t reached;   /* bytes, from the start, up to the last place that was requested since the reset */
  struct rate_server pace; /* reads and writes take turns at one controller, first come, first served */
};

/* Release the bytes of MEMORY. */
void memory_fini(struct memory *memory);

/* Make MEMORY idle, and all its bytes zero and free. */
void memory_reset(struct memory *memory);

/* Return the bytes of MEMORY from byte OFFSET on. The caller writes at most NBYTES, and bytes handed out. */
uint8_t *memory_place(struct memory *memory, uint64_t offset, uint64_t nbytes);

/* Return the bytes of MEMORY from PLACE on. */
uint64_t memory_room(const struct memory *memory, const uint8_t *place);

/* Take a read request that reaches the controller of MEMORY now.
 * returns: the cycle at which the data is ready to be sent.
 * source: Velamati et al. 2007, section 2 (one SPE); cellmark 2026 (six SPEs). */
uint64_t memory_read(struct memory *memory);

/* Take a write request whose last beat reaches the controller now.
 * returns: the cycle at which the request counts as written. */
uint64_t memory_write(struct memory *memory);
