/* SPDX-License-Identifier: BSD-3-Clause
 * The shadow of memory finds the same meetings of commands as a comparison of all spans with all. */
#include "sim/base/random.h"
#include "sim/hw/ea.h"
#include "traces/hazard_shadow.h"
#include "tests/suite.h"

enum { COMMANDS = 24, SPANS = 3, ROUNDS = 4000 };

/* Commands under way, each with SPANS spans. */
static struct {
  struct hazard_span spans[SPANS];
  struct hazard_part *parts;
} commands[COMMANDS];

/* Return a span drawn by STATE: small, or over several blocks, or without bytes, in one of two local
 * stores. */
static struct hazard_span draw_span(uint64_t *state) {
  static const uint32_t most[] = {1, 17, 4097, 20000};
  uint32_t bound = most[random_next(state) % 4];
  return (struct hazard_span){
    .ea = ea_of_ls((unsigned)(random_next(state) % 2), (uint32_t)(random_next(state) % 65536)),
    .nbytes = (uint32_t)(random_next(state) % bound),
    .writes = random_next(state) % 4 == 0};
}

static bool spans_meet(const struct hazard_span *a, const struct hazard_span *b) {
  return a->nbytes && b->nbytes && a->ea < b->ea + b->nbytes && b->ea < a->ea + a->nbytes &&
         (a->writes || b->writes);
}

/* Tell whether command NUMBER meets another one: all spans are compared with all. */
static bool meets_plainly(size_t number) {
  for (size_t other = 0; other < COMMANDS; other++) {
    for (size_t i = 0; i < (size_t)SPANS * SPANS && other != number; i++) {
      if (spans_meet(&commands[number].spans[i / SPANS], &commands[other].spans[i % SPANS])) {
        return true;
      }
    }
  }
  return false;
}

TESTS(hazard_shadow);

TEST(the_shadow_finds_what_a_comparison_of_all_finds) {
  struct hazard_shadow shadow;
  uint64_t state = 11;
  size_t met = 0;
  hazard_shadow_init(&shadow, 512);
  for (size_t round = 0; round < ROUNDS; round++) {
    size_t number = random_next(&state) % COMMANDS;
    hazard_shadow_remove(&shadow, &commands[number].parts);
    for (size_t i = 0; i < SPANS; i++) {
      commands[number].spans[i] = draw_span(&state);
      hazard_shadow_add(&shadow, &commands[number].parts, &commands[number], &commands[number].spans[i]);
    }
    bool plain = meets_plainly(number);
    ck_assert_int_eq(hazard_shadow_meets(&shadow, commands[number].parts), plain);
    met += plain;
  }
  ck_assert_uint_gt(met, ROUNDS / 10);
  ck_assert_uint_lt(met, ROUNDS - ROUNDS / 10);
  hazard_shadow_fini(&shadow);
}
