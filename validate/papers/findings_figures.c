/* SPDX-License-Identifier: BSD-3-Clause
 * Deciders of statements of Velamati et al. about parameters of algorithms in main memory: shifts, pieces,
 * degrees and buffers, figures 2, 4, 5 and 7; the inequality of each is in findings.def. Small messages are
 * 128 B and 1 KiB. */
#include "validate/papers/findings_decide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define SHIFT(bytes) "bcast:mm-one-to-all:shift=" #bytes
#define PIECE(bytes) "bcast:mm-allgather:min=" #bytes
#define TREEMM(degree) "bcast:mm-tree:degree=" #degree
#define TREE(degree) "bcast:mm-ls-tree:degree=" #degree
#define REDUCE(degree) "reduce:mm-ls-tree:degree=" #degree

enum { MOST = 5 };

/* Compared algorithms, up to NULL, and the time of each. */
struct race {
  const char *const *names;
  double times[MOST], least, most; /* least and most: of all but the first */
};

/* Time NAMES on RANKS ranks with BYTES bytes, and say the times. */
static struct race race(struct decision *d, const char *const *names, unsigned ranks, size_t bytes) {
  struct race race = {.names = names, .least = INFINITY};
  char text[16 * MOST] = "";
  for (size_t i = 0; names[i]; i++) {
    double time = finding_time(d, names[i], ranks, bytes);
    race.times[i] = time;
    race.least = i ? fmin(race.least, time) : race.least;
    race.most = i ? fmax(race.most, time) : race.most;
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.0f", i ? "/" : "", time);
  }
  finding_say(d, "%u x %zu B: %s", ranks, bytes, text);
  return race;
}

/* Tell whether all of RACE are close to one another. */
static bool is_close(const struct race *race) {
  return fmax(race->times[0], race->most) <= FINDING_CLOSE * fmin(race->times[0], race->least);
}

/* The first one has no shift. */
static const char *const shifts[] = {SHIFT(0), SHIFT(128), SHIFT(1024), SHIFT(2048), SHIFT(4096), NULL};

void finding_any_shift_helps_on_4(struct decision *d) {
  for (size_t bytes = 16384; bytes <= 65536; bytes *= 4) {
    struct race times = race(d, shifts, 4, bytes);
    finding_require(d, times.most < times.times[0] && times.most <= FINDING_CLOSE * times.least);
  }
}

void finding_shifts_are_equal_above_4(struct decision *d) {
  for (unsigned p = 8; p <= 16; p += 4) {
    for (size_t bytes = 1024; bytes <= 65536; bytes *= 8) {
      struct race times = race(d, shifts, p, bytes);
      finding_require(d, is_close(&times));
    }
  }
}

void finding_pieces_of_2_and_4_kib_are_close(struct decision *d) {
  static const char *const pieces[] = {PIECE(2048), PIECE(4096), NULL};
  for (size_t bytes = 8192; bytes <= 32768; bytes *= 2) {
    struct race times = race(d, pieces, 16, bytes);
    finding_require(d, is_close(&times));
  }
}

void finding_smaller_pieces_are_worse(struct decision *d) {
  static const char *const pieces[] = {PIECE(128), PIECE(1024), PIECE(2048), PIECE(4096), NULL};
  for (size_t bytes = 8192; bytes <= 32768; bytes *= 2) {
    struct race times = race(d, pieces, 16, bytes);
    finding_require(d, fmin(times.times[0], times.times[1]) > fmin(times.times[2], times.times[3]));
  }
}

/* The first one has degree 2. */
static const char *const copying_trees[] = {TREEMM(2), TREEMM(3), TREEMM(4), NULL};

void finding_degree_3_best_for_trees_of_copies(struct decision *d) {
  for (unsigned p = 4; p <= 16; p += 4) {
    for (size_t bytes = 128; bytes <= 65536; bytes *= 512) {
      struct race times = race(d, copying_trees, p, bytes);
      finding_require(d, times.times[1] <= FINDING_CLOSE * fmin(times.times[0], times.least));
      finding_require(d, FINDING_CLOSE * times.times[0] >= times.most);
    }
  }
}

void finding_degrees_matter_for_small_copies(struct decision *d) {
  double before = INFINITY;
  for (size_t bytes = 128; bytes <= 65536; bytes *= 512) {
    struct race times = race(d, copying_trees, 12, bytes);
    double spread = fmax(times.times[0], times.most) / fmin(times.times[0], times.least);
    finding_require(d, spread < before);
    before = spread;
  }
}

void finding_degrees_2_and_4_are_close(struct decision *d) {
  static const char *const copying[] = {TREEMM(2), TREEMM(4), NULL}, *const trees[] = {TREE(2), TREE(4),
                                                                                       NULL};
  for (size_t bytes = 128; bytes <= 65536; bytes *= 8) {
    struct race twelve = race(d, copying, 12, bytes), sixteen = race(d, trees, 16, bytes);
    finding_require(d, is_close(&twelve) && is_close(&sixteen));
  }
}

/* The first one is a chain. */
static const char *const local_trees[] = {TREE(1), TREE(2), TREE(3), TREE(4), NULL};

void finding_degrees_are_close_for_large(struct decision *d) {
  struct race times = race(d, local_trees, 16, 1 << 20);
  finding_require(d, is_close(&times));
}

void finding_chain_best_for_very_large(struct decision *d) {
  struct race times = race(d, local_trees, 16, 1 << 20);
  finding_require(d, times.times[0] < times.least);
}

void finding_send_receive_reduces_slower(struct decision *d) {
  static const char *const reductions[] = {"reduce:mm-tree", REDUCE(1), REDUCE(3), "reduce:mm-allgather",
                                           NULL};
  for (unsigned p = 4; p <= 16; p += 4) {
    for (size_t bytes = 128; bytes <= 1 << 20; bytes *= bytes < 16384 ? 128 : 64) {
      struct race times = race(d, reductions, p, bytes);
      finding_require(d, times.times[0] > times.least);
    }
  }
}

void finding_pieces_worse_for_small_reductions(struct decision *d) {
  static const char *const reductions[] = {"reduce:mm-allgather", REDUCE(2), REDUCE(3), NULL};
  for (unsigned p = 4; p <= 16; p += 4) {
    for (size_t bytes = 128; bytes <= 1024; bytes *= 8) {
      struct race times = race(d, reductions, p, bytes);
      finding_require(d, times.times[0] > times.least);
    }
  }
}

void finding_degree_4_best_reduction_on_4(struct decision *d) {
  static const char *const reductions[] = {REDUCE(4), REDUCE(1), REDUCE(2), REDUCE(3), "reduce:mm-allgather",
                                           NULL};
  for (size_t bytes = 128; bytes <= 1024; bytes *= 8) {
    struct race times = race(d, reductions, 4, bytes);
    finding_require(d, times.times[0] <= FINDING_EQUAL * times.least);
  }
}

void finding_buffers_of_4_kib_are_enough(struct decision *d) {
  double small = finding_value(d, FINDING_COPY, .bytes = 1 << 20, .count = 2, .buffer = 4096);
  double large = finding_value(d, FINDING_COPY, .bytes = 1 << 20, .count = 2, .buffer = 16384);
  finding_point(d, small <= FINDING_CLOSE * large, "%.0f/%.0f", small, large);
}
