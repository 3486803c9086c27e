/* SPDX-License-Identifier: BSD-3-Clause
 * Where data lies in the buffers of calls: pieces and blocks neither overlap nor leave anything out. */
#include "algos/step/call_map.h"
#include "algos/step/group.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "tests/asserts.h"
#include "tests/suite.h"

enum { MOST_RANKS = 17, PLACE = 16, LINE = 128 };

static const size_t sizes[] = {0, 1, 4, 15, 16, 17, 20, 128, 1000, 4096, 16400, 65536};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct coll_group group_of(const struct algo *algo, unsigned nranks, size_t nbytes) {
  return (struct coll_group){.call.algo = algo, .nranks = nranks, .nbytes = nbytes};
}

static size_t one_line(const struct coll_group *group) {
  return LINE;
}

TESTS(layout);

/* Loop test: the index is the size. */
TEST_EACH(pieces_share_out_the_vector, 0, SIZES) {
  struct algo algo = {.collective = COLL_REDUCE};
  struct coll_group group = group_of(&algo, 1, sizes[_i]);
  for (unsigned count = 1; count <= MOST_RANKS; count++) {
    size_t end = 0, least = SIZE_MAX, most = 0;
    for (unsigned i = 0; i < count; i++) {
      struct span piece = layout_piece(&group, i, count);
      ck_assert_uint_eq(piece.offset, end);
      ck_assert(piece.offset % PLACE == 0 ||
                piece.nbytes == 0); /* nor is any element cut, the largest has 8 bytes */
      end = piece.offset + piece.nbytes;
      least = piece.nbytes < least ? piece.nbytes : least;
      most = piece.nbytes > most ? piece.nbytes : most;
    }
    ck_assert_uint_eq(end, sizes[_i]);
    ck_assert_uint_lt(most - least,
                      2 * PLACE); /* equal but for one place, and the difference of the last one's own size */
  }
}

TEST_EACH(pieces_in_a_row_are_one_span, 0, SIZES) {
  struct algo algo = {.collective = COLL_REDUCE};
  struct coll_group group = group_of(&algo, 1, sizes[_i]);
  for (unsigned count = 1; count <= MOST_RANKS; count++) {
    for (unsigned first = 0; first < count; first++) {
      for (unsigned end = first; end <= count; end++) {
        struct span row = layout_pieces(&group, first, end, count);
        size_t nbytes = 0;
        for (unsigned i = first; i < end; i++) {
          nbytes += layout_piece(&group, i, count).nbytes;
        }
        ck_assert_uint_eq(row.nbytes, nbytes);
        ck_assert_uint_eq(row.offset, layout_piece(&group, first < count ? first : count - 1, count).offset);
      }
    }
  }
}

TEST_EACH(blocks_lie_apart_in_places_of_16_bytes, 0, SIZES) {
  static const enum collective with_blocks[] = {COLL_ALLGATHER, COLL_ALLGATHERV, COLL_GATHER,
                                                COLL_GATHERV,   COLL_SCATTER,    COLL_REDUCESCATTER};
  for (size_t k = 0; k < sizeof with_blocks / sizeof *with_blocks; k++) {
    struct algo algo = {.collective = with_blocks[k]};
    for (unsigned n = 1; n <= MOST_RANKS; n++) {
      struct coll_group group = group_of(&algo, n, sizes[_i]);
      size_t end = 0;
      for (unsigned r = 0; r < n; r++) {
        struct span block = layout_block(&group, r);
        ck_assert_uint_eq(block.offset, r * layout_stride(&group));
        ck_assert_uint_eq(block.offset % PLACE, 0);
        ck_assert_uint_ge(block.offset, end);
        ck_assert_uint_eq(block.nbytes, layout_count(&group, r, 0));
        end = block.offset + block.nbytes;
      }
      ck_assert_uint_le(end, layout_buffer_bytes(&group));
    }
  }
}

TEST_EACH(blocks_in_a_row_are_one_span_without_the_last_padding, 0, SIZES) {
  struct algo algo = {.collective = COLL_GATHERV};
  struct coll_group group = group_of(&algo, MOST_RANKS, sizes[_i]);
  for (unsigned first = 0; first < MOST_RANKS; first++) {
    ck_assert_uint_eq(layout_blocks(&group, first, 0).nbytes, 0);
    for (unsigned count = 1; first + count <= MOST_RANKS; count++) {
      struct span row = layout_blocks(&group, first, count);
      struct span last = layout_block(&group, first + count - 1);
      ck_assert_uint_eq(row.offset, layout_block(&group, first).offset);
      ck_assert_uint_eq(row.offset + row.nbytes, last.offset + last.nbytes);
    }
  }
}

/* Blocks of the vector versions are quarters of the size of the call, from none to all four; blocks of other
 * collectives have the whole size. */
TEST_EACH(sizes_of_blocks_are_known_to_all, 0, SIZES) {
  for (int collective = 0; collective < COLL_COUNT; collective++) {
    struct algo algo = {.collective = (enum collective)collective};
    struct coll_group group = group_of(&algo, MOST_RANKS, 4 * sizes[_i]);
    bool vector = collective == COLL_ALLGATHERV || collective == COLL_GATHERV || collective == COLL_ALLTOALLV;
    unsigned seen = 0;
    for (unsigned from = 0; from < MOST_RANKS; from++) {
      for (unsigned to = 0; to < MOST_RANKS; to++) {
        size_t count = layout_count(&group, from, to);
        ck_assert(vector || count == group.nbytes);
        ck_assert(count <= group.nbytes && (sizes[_i] == 0 || count % sizes[_i] == 0));
        ck_assert(collective == COLL_ALLTOALLV || count == layout_count(&group, from, 0));
        seen |= sizes[_i] ? 1U << count / sizes[_i] : 0x1f;
      }
    }
    ck_assert(!vector || seen == 0x1f);
  }
}

TEST_EACH(buffers_have_room_for_what_the_collective_needs, 0, SIZES) {
  size_t nbytes = sizes[_i], places = 2 * ((nbytes + 15) / 16 * 16) + nbytes;
  const size_t expected[COLL_COUNT][2] = {[COLL_BARRIER] = {0, 0},
                                          [COLL_BCAST] = {nbytes, 0},
                                          [COLL_REDUCE] = {nbytes, 0},
                                          [COLL_ALLREDUCE] = {nbytes, 0},
                                          [COLL_ALLGATHER] = {places, 0},
                                          [COLL_ALLGATHERV] = {places, 0},
                                          [COLL_SCAN] = {nbytes, 0},
                                          [COLL_GATHER] = {places, 0},
                                          [COLL_GATHERV] = {places, 0},
                                          [COLL_SCATTER] = {places, 0},
                                          [COLL_ALLTOALL] = {places, places},
                                          [COLL_ALLTOALLV] = {places, places},
                                          [COLL_REDUCESCATTER] = {places, 0}};
  for (int collective = 0; collective < COLL_COUNT; collective++) {
    struct algo algo = {.collective = (enum collective)collective};
    struct coll_group group = group_of(&algo, 3, nbytes);
    ck_assert_uint_eq(layout_buffer_bytes(&group), expected[collective][0]);
    ck_assert_uint_eq(layout_in_bytes(&group), expected[collective][1]);
  }
}

/* Behind the arrays, the buffer, the input and the scratch, also where one of these ends on a line. */
TEST_EACH(each_part_of_a_call_begins_on_a_line_and_has_a_guard_behind, 0, SIZES) {
  struct algo algo = {.collective = COLL_ALLTOALL, .scratch = one_line};
  for (unsigned nranks = 1; nranks <= MOST_RANKS; nranks++) {
    struct coll_group group = group_of(&algo, nranks, sizes[_i]);
    size_t in = layout_in_bytes(&group);
    group.ls_base = 0x4000;
    const size_t starts[] = {call_map_buffer(&group), call_map_in(&group), call_map_scratch(&group),
                             group.ls_base + call_map_bytes(&group)};
    const size_t ends[] = {group.ls_base + step_arrays_bytes(nranks), starts[0] + layout_buffer_bytes(&group),
                           in ? starts[1] + in : starts[0] + layout_buffer_bytes(&group), starts[2] + LINE};
    for (unsigned i = 0; i < 4; i++) {
      ck_assert_uint_ge(starts[i], ends[i] + CALL_MAP_GUARD);
      ck_assert_uint_le(starts[i], ends[i] + CALL_MAP_GUARD + LINE);
      ck_assert(i == 3 || starts[i] % LINE == 0);
    }
  }
}
