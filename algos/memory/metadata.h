/* SPDX-License-Identifier: BSD-3-Clause
 * Metadata: who has its data where in main memory. Every rank keeps a table with one 16-byte entry per rank,
 * an address and a serial number, the call to which it belongs; entries travel in blocks, and each tells by
 * itself that it is there.
 * source: Velamati et al. 2007, sections 4 (arrays, serial numbers), 6.1 (G gathers, AG all-gathers, OTA
 * broadcasts). */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* The degree of the k-nomial tree of addresses, which is that of barriers. */
enum { METADATA_DEGREE = 4 };

/* The scratch that the functions below use: what double_buffer.h needs, then the table, then room for an
 * address per rank. */
size_t metadata_scratch(const struct coll_group *group);

/* Collect the entries of all ranks at the root, up that tree: each rank sends its parent those of its whole
 * subtree, which are neighbours, in one put. */
void metadata_gather(struct coll *c);

/* Let all ranks have the entries of all ranks, by recursive doubling.
 *
 *   step 1   0-1 2-3 4-5 6-7   partners exchange the entries that they have: 1, 2, 4, ... neighbours, and
 *   step 2   0-2 1-3 4-6 5-7   those of the ranks beyond the largest power of two m that have told them;
 *   step 3   0-4 1-5 2-6 3-7   rank r >= m tells r - m before, and is told everything by it after */
void metadata_allgather(struct coll *c);

/* Return where the root has its buffer, which it tells all ranks down the same tree. */
uint64_t metadata_of_root(struct coll *c);

/* Return where the rank in place PLACE of the table has its buffer: after a gather the ranks are in the order
 * of their numbers in the tree, after an all-gather in their own. */
uint64_t metadata_at(struct coll *c, unsigned place);

/* Return the addresses of byte OFFSET of the buffers of all ranks in the table but that in place SKIP, in
 * local store; the next such list takes their place. */
const uint64_t *metadata_list(struct coll *c, unsigned skip, size_t offset);
