/* SPDX-License-Identifier: BSD-3-Clause
 * Metadata: the place of each rank's data in main memory. Every rank keeps a table with one 16-byte entry per
 * rank, an address and a serial number, which names the call of the entry; entries travel in blocks, and the
 * serial number of each entry shows that the entry has arrived.
 * source: Velamati et al. 2007, sections 4 (arrays, serial numbers), 6.1 (G gathers, AG all-gathers, OTA
 * broadcasts). */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* The degree of the k-nomial tree of addresses, equal to the degree of barriers. */
enum { METADATA_DEGREE = 4 };

/* The scratch of the functions below: the scratch of double_buffer.h, then the table, then room for an
 * address per rank. */
size_t metadata_scratch(const struct coll_group *group);

/* Collect the entries of all ranks at the root, up the tree of METADATA_DEGREE: each rank sends its parent
 * the entries of its subtree, which are neighbours, in one put. */
void metadata_gather(struct coll *c);

/* Let all ranks have the entries of all ranks, by recursive doubling.
 *
 *   step 1   0-1 2-3 4-5 6-7   partners exchange their entries: 1, 2, 4, ... neighbours, and the entries of
 *   step 2   0-2 1-3 4-6 5-7   ranks beyond the largest power of two m; rank r >= m tells r - m its entry
 *   step 3   0-4 1-5 2-6 3-7   before, and gets all entries from r - m after */
void metadata_allgather(struct coll *c);

/* Return the place of the root's buffer; the root tells all ranks down the same tree. */
uint64_t metadata_of_root(struct coll *c);

/* Return the place of the buffer of the rank in place PLACE of the table: after a gather the ranks are in the
 * order of their numbers in the tree, after an all-gather in ascending order. */
uint64_t metadata_at(struct coll *c, unsigned place);

/* Return, in local store, the addresses of byte OFFSET of the buffers of all ranks in the table but the rank
 * in place SKIP; the next call overwrites the list. */
const uint64_t *metadata_list(struct coll *c, unsigned skip, size_t offset);

/* Without a table: tell all other ranks where the own buffer is, the next one first. */
void metadata_tell_all(struct coll *c);
