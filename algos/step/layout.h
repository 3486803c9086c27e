/* SPDX-License-Identifier: BSD-3-Clause
 * The positions of data in the buffers of a call.
 *
 *   barrier                          nothing
 *   bcast reduce allreduce scan      buffer: the whole vector
 *   allgather(v) gather(v) scatter   buffer: the block of rank r in place r, of all ranks, on all ranks
 *   reducescatter                    buffer: a vector of such places; after a call place r on rank r alone
 *   alltoall(v)                      in: the block for rank r in place r; buffer: the block from rank r in
 *                                    place r
 *
 * An algorithm out of place (is_apart) has the vector, or all blocks of a scatter, or else the own block, in
 * `in` also for other collectives.
 * Places begin at multiples of 16 bytes, so that every block can be moved by DMA. The rest of a place behind
 * its block is padding with undefined contents. After a scatter the root has all blocks as before, and after
 * a gather each rank has its own block as before; an all-to-all leaves `in` as before. In the vector versions
 * blocks have different sizes, and some blocks are empty. */
#pragma once

#include <stddef.h>

struct coll_group;

/* Part of a buffer. */
struct span {
  size_t offset, nbytes;
};

/* Return the distance between places. */
size_t layout_stride(const struct coll_group *group);

/* Return that distance in the call of GROUP with the most bytes. */
size_t layout_most_stride(const struct coll_group *group);

/* Return the bytes of rank FROM's block for rank TO; if all ranks get the same block, TO is ignored. In the
 * vector versions a block has 0, 1, 2, 3 or 4 quarters of the size of the call. */
size_t layout_count(const struct coll_group *group, unsigned from, unsigned to);

/* Return the block of RANK in the buffer of a collective with blocks. */
struct span layout_block(const struct coll_group *group, unsigned rank);

/* Return the places FIRST .. FIRST + COUNT - 1 with the padding between blocks, without the padding behind
 * the last block. */
struct span layout_blocks(const struct coll_group *group, unsigned first, unsigned count);

/* Return the part of a vector for piece INDEX of COUNT. Pieces are equal, up to multiples of elements and of
 * 16 bytes. */
struct span layout_piece(const struct coll_group *group, unsigned index, unsigned count);

/* Return the pieces FIRST .. END - 1 of COUNT; pieces beyond the last are left out. */
struct span layout_pieces(const struct coll_group *group, unsigned first, unsigned end, unsigned count);

/* Return the bytes of `buffer`, and of `in` (0: there is none). */
size_t layout_buffer_bytes(const struct coll_group *group);
size_t layout_in_bytes(const struct coll_group *group);
