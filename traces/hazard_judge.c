/* SPDX-License-Identifier: BSD-3-Clause
 * The judgement of the hazard detector of hosts: what was under way at once in the same bytes.
 *
 * The shadow tells whether a transfer has bytes in common with any other: as a rule none has, and no pair is
 * looked at. */
#include "traces/hazard.h"

#include "sim/hw/ea.h"

#include <stdio.h>

/* --- texts --- */

unsigned hazard_area(uint64_t ea) {
  return (unsigned)((ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE);
}

static const char *describe_place(char text[HAZARD_PLACE_SIZE], uint64_t ea) {
  snprintf(text, HAZARD_PLACE_SIZE, "0x%llx of process %u",
           (unsigned long long)((ea - EA_PROCESS_BASE) % EA_PROCESS_STRIDE), hazard_area(ea));
  return text;
}

static const char *describe_process(char text[HAZARD_PLACE_SIZE], const struct hazard *hazard,
                                    unsigned number) {
  const char *name = hazard->programs[number];
  snprintf(text, HAZARD_PLACE_SIZE, "%.24s on process %u", name ? name : "nobody", number);
  return text;
}

static const char *describe(char text[HAZARD_PARTY_SIZE], const struct hazard *hazard,
                            const struct hazard_transfer *transfer) {
  char who[HAZARD_PLACE_SIZE], from[HAZARD_PLACE_SIZE], to[HAZARD_PLACE_SIZE];
  snprintf(text, HAZARD_PARTY_SIZE, "%s of %u bytes (%s, tag %u, cycle %llu, from %s to %s)",
           transfer->is_put ? "put" : "get", (unsigned)transfer->nbytes,
           describe_process(who, hazard, transfer->process), transfer->tag, (unsigned long long)transfer->at,
           describe_place(from, transfer->spans[0].ea), describe_place(to, transfer->spans[1].ea));
  return text;
}

/* --- pairs --- */

/* Tell whether A and B have bytes in common that are no flags, and one writes; *COMMON becomes the bytes. */
static bool meet(const struct hazard *hazard, const struct hazard_span *a, const struct hazard_span *b,
                 struct hazard_span *common) {
  uint64_t a_end = a->ea + a->nbytes, b_end = b->ea + b->nbytes;
  uint64_t start = a->ea > b->ea ? a->ea : b->ea, end = a_end < b_end ? a_end : b_end;
  if (start >= end || !(a->writes || b->writes)) {
    return false;
  }
  for (size_t i = 0; i < hazard->nflags; i++) {
    const struct hazard_span *flags = &hazard->flags[i];
    if (flags->ea <= start && end <= flags->ea + flags->nbytes) {
      return false;
    }
  }
  *common = (struct hazard_span){.ea = start, .nbytes = (uint32_t)(end - start)};
  return true;
}

/* A notification comes after all earlier puts of the process. */
static bool ordered(const struct hazard_transfer *first, const struct hazard_transfer *second) {
  return first->process == second->process && second->tells && first->is_put;
}

/* Judge A and B, of which the first to be over is so at cycle END. */
static void judge_pair(struct hazard *hazard, const struct hazard_transfer *a,
                       const struct hazard_transfer *b, uint64_t end) {
  static const char *const does[] = {"reads", "writes"};
  bool swap = a->at > b->at || (a->at == b->at && a->sequence > b->sequence);
  const struct hazard_transfer *first = swap ? b : a, *second = swap ? a : b;
  struct hazard_span common;
  for (size_t i = 0; second->at < end && !ordered(first, second) && i < 4; i++) {
    const struct hazard_span *x = &first->spans[i / 2], *y = &second->spans[i % 2];
    if (meet(hazard, x, y, &common)) {
      char one[HAZARD_PARTY_SIZE], two[HAZARD_PARTY_SIZE], where[HAZARD_PLACE_SIZE];
      hazard_list_add(&hazard->hazards, "%s %s and %s %s %u bytes at %s, in no order until cycle %llu",
                      describe(one, hazard, first), does[x->writes], describe(two, hazard, second),
                      does[y->writes], (unsigned)common.nbytes, describe_place(where, common.ea),
                      (unsigned long long)end);
      return;
    }
  }
}

/* Tell whether TOUCH came before TRANSFER: in the order of its program if that has begun the transfer, else
 * in time. */
static bool is_before(const struct hazard_touch *touch, const struct hazard_transfer *transfer) {
  return touch->process == transfer->process ? touch->sequence < transfer->sequence
                                             : touch->at < transfer->at;
}

/* A span of a transfer that is over at a cycle. */
struct ended {
  const struct hazard_transfer *transfer;
  const struct hazard_span *span;
  uint64_t end;
};

/* Judge TOUCH, which did not come before the transfer of ENDED. */
static void judge_touch(struct hazard *hazard, const struct hazard_touch *touch, const struct ended *ended) {
  const struct hazard_span *span = ended->span;
  uint64_t end = ended->end;
  struct hazard_span common;
  if (touch->at < end && meet(hazard, &touch->span, span, &common)) {
    char who[HAZARD_PLACE_SIZE], where[HAZARD_PLACE_SIZE], other[HAZARD_PARTY_SIZE];
    hazard_list_add(&hazard->hazards, "%s %s %u bytes at %s at cycle %llu, which a %s %s until cycle %llu",
                    describe_process(who, hazard, touch->process), touch->span.writes ? "writes" : "reads",
                    (unsigned)common.nbytes, describe_place(where, common.ea), (unsigned long long)touch->at,
                    describe(other, hazard, ended->transfer), span->writes ? "writes" : "reads",
                    (unsigned long long)end);
  }
}

/* Judge the touches of programs. The touches of one program are in the order of time. */
static void judge_touches(struct hazard *hazard, const struct ended *ended) {
  const struct hazard_transfer *transfer = ended->transfer;
  const struct hazard_touches *touches = &hazard->touches[hazard_area(ended->span->ea)];
  size_t first = touches->mixed ? 0 : touches->n;
  while (first > 0 && !is_before(&touches->items[first - 1], transfer)) {
    first--;
  }
  for (size_t i = first; i < touches->n; i++) {
    if (!is_before(&touches->items[i], transfer)) {
      judge_touch(hazard, &touches->items[i], ended);
    }
  }
}

void hazard_judge(struct hazard *hazard, const struct hazard_transfer *transfer, uint64_t end) {
  bool meets = hazard_shadow_meets(&hazard->shadow, transfer->parts);
  for (size_t i = 0; meets && i < hazard->ntransfers; i++) {
    if (hazard->transfers[i] != transfer) {
      judge_pair(hazard, transfer, hazard->transfers[i], end);
    }
  }
  for (unsigned i = 0; i < 2; i++) {
    if (transfer->spans[i].nbytes) {
      judge_touches(hazard, &(struct ended){transfer, &transfer->spans[i], end});
    }
  }
}
