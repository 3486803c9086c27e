/* SPDX-License-Identifier: BSD-3-Clause
 * See judge.h. */
#include "algos/schedule/blocks/judge.h"

#include "algos/schedule/blocks/judge_private.h"
#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void findings_add(struct findings *findings, const char *format, ...) {
  if (findings->n < JUDGE_SHOWN) {
    va_list arguments;
    va_start(arguments, format);
    findings->shown[findings->n] = xvasprintf(format, arguments);
    va_end(arguments);
  }
  findings->n++;
}

void findings_fini(struct findings *findings) {
  for (size_t i = 0; i < findings->n && i < JUDGE_SHOWN; i++) {
    free(findings->shown[i]);
  }
  *findings = (struct findings){0};
}

const char *judge_place(const struct blocks *schedule, size_t index) {
  static char texts[4][64];
  static unsigned turn;
  char *text = texts[turn++ % 4];
  const struct block *block = &schedule->blocks[schedule->steps[index].block];
  snprintf(text, sizeof texts[0], "rank %u block %u step %zu (%s)", block->rank, block->number,
           index - block->first, step_traits[schedule->steps[index].kind].word);
  return text;
}

void cells_init(struct cells *cells, const struct blocks *schedule, bool in_place) {
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  bool joins = in_place && traits->has_result && traits->from == FROM_BLOCK && !traits->is_own;
  *cells = (struct cells){.schedule = schedule, .in_place = in_place};
  cells->first = xcalloc((size_t)schedule->nranks * BUFFER_COUNT, sizeof *cells->first);
  cells->begin = xcalloc((size_t)schedule->nranks + 1, sizeof *cells->begin);
  for (unsigned r = 0; r < schedule->nranks; r++) {
    size_t *first = &cells->first[(size_t)r * BUFFER_COUNT], shift = (size_t)r * blocks_each(schedule);
    first[BUFFER_INPUT] = cells->begin[r] + (joins ? shift : 0);
    size_t end = first[BUFFER_INPUT] + blocks_room(schedule, r, BUFFER_INPUT);
    first[BUFFER_OUTPUT] = in_place ? cells->begin[r] + (traits->is_block ? shift : 0) : end;
    size_t other = first[BUFFER_OUTPUT] + blocks_room(schedule, r, BUFFER_OUTPUT);
    first[BUFFER_SCRATCH] = end > other ? end : other;
    cells->begin[r + 1] = first[BUFFER_SCRATCH] + blocks_room(schedule, r, BUFFER_SCRATCH);
  }
}

void cells_fini(struct cells *cells) {
  free(cells->first);
  free(cells->begin);
}

unsigned judge_depth(const struct blocks *schedule, unsigned per_slot) {
  unsigned high = judge_play(schedule, (struct play_limits){UINT_MAX, per_slot}, NULL, NULL), low = 1;
  high = high == UINT_MAX ? 0 : high > 1 ? high : 1;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (judge_play(schedule, (struct play_limits){middle, per_slot}, NULL, NULL) == UINT_MAX) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return high;
}

/* Judge SCHEDULE done in ORDER, in place or out of place. */
static void judge_way(const struct blocks *schedule, const struct play_order *order, unsigned way,
                      struct judgement *judgement) {
  struct cells cells;
  struct findings races = {0};
  bool is_first = way == JUDGED_IN_PLACE || !judgement->results[JUDGED_IN_PLACE].is_claimed;
  cells_init(&cells, schedule, way == JUDGED_IN_PLACE);
  judge_values(&cells, order, &judgement->results[way], is_first ? &judgement->ndiffer : NULL);
  judge_races(&cells, order, &races);
  cells_fini(&cells);
  if (races.n > judgement->races.n) {
    struct findings fewer = judgement->races;
    judgement->races = races;
    races = fewer;
  }
  findings_fini(&races);
}

struct judgement judge_blocks(const struct blocks *schedule) {
  struct judgement judgement = {.has_result = blocks_traits[schedule->collective].has_result};
  struct play_order order = {0};
  judgement.results[JUDGED_IN_PLACE].is_claimed = schedule->in_place;
  judgement.results[JUDGED_OUT_OF_PLACE].is_claimed = schedule->out_of_place;
  if (judge_play(schedule, (struct play_limits){UINT_MAX, UINT_MAX}, &order, &judgement.stuck) != UINT_MAX) {
    judgement.depth = judge_depth(schedule, UINT_MAX);
    judgement.depth_narrow = judge_depth(schedule, 1);
    if (judgement.depth > 1) {
      judge_play(schedule, (struct play_limits){judgement.depth - 1, UINT_MAX}, NULL, &judgement.stuck);
    }
    for (unsigned way = 0; way < JUDGED_WAYS; way++) {
      if (judgement.results[way].is_claimed) {
        judge_way(schedule, &order, way, &judgement);
      }
    }
  }
  judge_rccl(schedule, &judgement);
  free(order.steps);
  return judgement;
}

bool judgement_is_wrong(const struct judgement *judgement) {
  return judgement->has_result &&
         (judgement->results[JUDGED_IN_PLACE].wrong.n || judgement->results[JUDGED_OUT_OF_PLACE].wrong.n);
}

bool judgement_fails(const struct judgement *judgement) {
  return judgement->depth == 0 || judgement->races.n > 0 || judgement_is_wrong(judgement);
}

void judgement_fini(struct judgement *judgement) {
  findings_fini(&judgement->stuck);
  for (unsigned way = 0; way < JUDGED_WAYS; way++) {
    findings_fini(&judgement->results[way].wrong);
    findings_fini(&judgement->results[way].unwritten);
  }
  struct findings *others[] = {&judgement->races, &judgement->refusals, &judgement->hangs, &judgement->notes};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    findings_fini(others[i]);
  }
}
