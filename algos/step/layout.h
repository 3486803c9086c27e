/* SPDX-License-Identifier: BSD-3-Clause
 * Where data lies in the buffers of a call.
 *
 *   barrier                          nothing
 *   bcast reduce allreduce scan      buffer: the whole vector
 *   allgather(v) gather(v) scatter   buffer: the block of rank r in place r, of all ranks, on all ranks
 *   alltoall(v)                      in: the block for rank r in place r; buffer: the block from rank r in
 *                                    place r
 *
 * Places begin at multiples of 16 bytes, so that every block can be moved by DMA; what a block leaves of its
 * place is padding that may come to hold anything. In the vector versions blocks have different sizes, among
 * them none at all. */
#pragma once

#include <stddef.h>

struct coll_group;

/* Part of a buffer. */
struct span {
  size_t offset, nbytes;
};

/* Return the distance of places. */
size_t layout_stride(const struct coll_group *group);

/* Return the bytes of the block that rank FROM has for rank TO; where everybody gets the same, TO does not
 * matter. In the vector versions it is 0, 1, 2, 3 or 4 quarters of the size of the call. */
size_t layout_count(const struct coll_group *group, unsigned from, unsigned to);

/* Return the block of RANK in the buffer of a gather, an all-gather or a scatter. */
struct span layout_block(const struct coll_group *group, unsigned rank);

/* Return the places FIRST .. FIRST + COUNT - 1 with the padding between them, without that after the last
 * block. */
struct span layout_blocks(const struct coll_group *group, unsigned first, unsigned count);

/* Return the part of a vector that belongs to piece INDEX of COUNT: all as large as one another, as far as
 * elements and 16 bytes are not cut. */
struct span layout_piece(const struct coll_group *group, unsigned index, unsigned count);

/* Return the pieces FIRST .. END - 1 of COUNT, as far as there are any. */
struct span layout_pieces(const struct coll_group *group, unsigned first, unsigned end, unsigned count);

/* Return the bytes of `buffer`, and of `in` (0: there is none). */
size_t layout_buffer_bytes(const struct coll_group *group);
size_t layout_in_bytes(const struct coll_group *group);
