/* SPDX-License-Identifier: BSD-3-Clause
 * A shadow of memory: the bytes read and written by the DMA commands under way, block by block, so that
 * commands with bytes in common are found without comparing each command with all others. */
#pragma once

#include "sim/base/pool.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes read or written, from effective address EA on. */
struct hazard_span {
  uint64_t ea;
  uint32_t nbytes;
  bool writes;
};

struct hazard_shadow {
  struct pool parts;
  unsigned nlists;
  struct hazard_part **lists; /* of blocks; blocks of all addresses share the lists */
};

/* A span of a command, in the list of one of the span's blocks. */
struct hazard_part {
  struct hazard_part *next, **link; /* in the block's list */
  struct hazard_part *more;         /* the next one of the same command */
  const void *command;
  uint64_t start, end; /* the whole span */
  bool writes;
  unsigned list;
};

/* Make SHADOW, of NLISTS lists, empty.
 * owner: the caller, with hazard_shadow_fini. */
void hazard_shadow_init(struct hazard_shadow *shadow, unsigned nlists);

/* Release the contents of SHADOW. */
void hazard_shadow_fini(struct hazard_shadow *shadow);

/* Add SPAN of COMMAND to the parts of COMMAND, which begin at *PARTS (NULL: no parts yet). */
void hazard_shadow_add(struct hazard_shadow *shadow, struct hazard_part **parts, const void *command,
                       const struct hazard_span *span);

/* Take back the parts at *PARTS; *PARTS becomes NULL. */
void hazard_shadow_remove(struct hazard_shadow *shadow, struct hazard_part **parts);

/* Tell whether one of PARTS has bytes in common with a part of another command, and one of the two writes. */
bool hazard_shadow_meets(const struct hazard_shadow *shadow, const struct hazard_part *parts);
