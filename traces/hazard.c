/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard.h.
 *
 * A pair is judged when the first of the two is over: only then are both times known, since programs run
 * ahead of the machine. A touch of a program is kept as long as a transfer may turn out to have been under
 * way at the same time. All places are effective addresses. */
#include "traces/hazard.h"

#include "sim/base/vec.h"
#include "sim/hw/ea.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTS = 32768 }; /* of the shadow: processes move megabytes */

static void see(struct probe *probe, const struct probe_event *event);

void hazard_init(struct hazard *hazard, unsigned nprocesses) {
  *hazard = (struct hazard){.probe = {.see = see, .details = true, .accesses_only = true},
                            .nprocesses = nprocesses,
                            .touches = xcalloc(nprocesses, sizeof *hazard->touches),
                            .newest = xcalloc(nprocesses, sizeof *hazard->newest)};
  hazard_shadow_init(&hazard->shadow, LISTS);
}

/* TRANSFER is not under way any more. */
static void drop(struct hazard *hazard, struct hazard_transfer *transfer) {
  hazard_shadow_remove(&hazard->shadow, &transfer->parts);
  *transfer->link = transfer->next;
  if (transfer->next) {
    transfer->next->link = transfer->link;
  }
  struct hazard_transfer *last = hazard->transfers[--hazard->ntransfers];
  last->place = transfer->place;
  hazard->transfers[last->place] = last;
  hazard->transfers[hazard->ntransfers] = transfer;
}

/* Forget all that is under way. */
static void forget(struct hazard *hazard) {
  while (hazard->ntransfers) {
    drop(hazard, hazard->transfers[hazard->ntransfers - 1]);
  }
  for (unsigned i = 0; i < hazard->nprocesses; i++) {
    hazard->touches[i].n = 0;
  }
  hazard->nflags = 0;
}

void hazard_fini(struct hazard *hazard) {
  hazard_list_clear(&hazard->hazards);
  forget(hazard);
  for (unsigned i = 0; i < hazard->nprocesses; i++) {
    free(hazard->touches[i].items);
  }
  for (size_t i = 0; i < hazard->nused; i++) {
    free(hazard->transfers[i]);
  }
  hazard_shadow_fini(&hazard->shadow);
  free(hazard->newest);
  free(hazard->transfers);
  free(hazard->touches);
  free(hazard->flags);
}

/* --- texts --- */

/* Return the process in whose memory EA lies. */
static unsigned area_of(uint64_t ea) {
  return (unsigned)((ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE);
}

static const char *describe_place(char text[HAZARD_PLACE_SIZE], uint64_t ea) {
  snprintf(text, HAZARD_PLACE_SIZE, "0x%llx of process %u",
           (unsigned long long)((ea - EA_PROCESS_BASE) % EA_PROCESS_STRIDE), area_of(ea));
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
  const struct hazard_touches *touches = &hazard->touches[area_of(ended->span->ea)];
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

/* Judge the bytes moved by TRANSFER up to cycle END against all other transfers under way and against the
 * touches of programs. The shadow tells whether TRANSFER has bytes in common with any other transfer: as a
 * rule none has, and no pair is looked at. */
static void judge(struct hazard *hazard, const struct hazard_transfer *transfer, uint64_t end) {
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

/* --- events --- */

static struct hazard_transfer *find(struct hazard *hazard, unsigned process, uint64_t number) {
  struct hazard_transfer *transfer = hazard->newest[process];
  while (transfer && transfer->number != number) {
    transfer = transfer->next;
  }
  return transfer;
}

/* Return an unused transfer, the first one behind the transfers under way. */
static struct hazard_transfer *unused_transfer(struct hazard *hazard) {
  if (hazard->ntransfers == hazard->nused) {
    VEC_ADD(hazard->transfers, hazard->nused) = xcalloc(1, sizeof(struct hazard_transfer));
  }
  return hazard->transfers[hazard->ntransfers];
}

/* A notification has left the memory of the process already. */
static void see_enqueue(struct hazard *hazard, const struct probe_enqueue *enqueue) {
  const struct probe_dma *dma = &enqueue->dma;
  struct hazard_transfer *transfer = unused_transfer(hazard), **newest = &hazard->newest[dma->spe];
  uint64_t local = ea_of_process(dma->spe, enqueue->ls);
  bool is_put = enqueue->is_put;
  *transfer = (struct hazard_transfer){
    .next = *newest,
    .link = newest,
    .place = hazard->ntransfers++,
    .process = dma->spe,
    .tag = dma->tag,
    .number = dma->command,
    .sequence = ++hazard->sequence,
    .at = enqueue->at,
    .nbytes = dma->nbytes,
    .is_put = is_put,
    .tells = enqueue->fence,
    .spans = {{.ea = is_put ? local : enqueue->ea, .nbytes = enqueue->fence ? 0 : dma->nbytes},
              {.ea = is_put ? enqueue->ea : local, .nbytes = dma->nbytes, .writes = true}}};
  if (*newest) {
    (*newest)->link = &transfer->next;
  }
  *newest = transfer;
  hazard_shadow_add(&hazard->shadow, &transfer->parts, transfer, &transfer->spans[0]);
  hazard_shadow_add(&hazard->shadow, &transfer->parts, transfer, &transfer->spans[1]);
}

static void see_complete(struct hazard *hazard, const struct probe_event *event) {
  const struct probe_dma *dma = &event->complete.dma;
  struct hazard_transfer *transfer = find(hazard, dma->spe, dma->command);
  if (transfer) { /* else the transfer began before this observer came */
    judge(hazard, transfer, event->cycle);
    drop(hazard, transfer);
  }
}

/* The bytes of a put have come: only its source is still read. */
static void see_put(struct hazard *hazard, const struct probe_event *event) {
  const struct probe_request *request = &event->deliver.request;
  struct hazard_transfer *transfer = find(hazard, request->spe, request->command);
  if (transfer) {
    uint32_t nbytes = transfer->spans[0].nbytes;
    transfer->spans[0].nbytes = 0;
    judge(hazard, transfer, event->cycle);
    transfer->spans[0].nbytes = nbytes;
    transfer->spans[1].nbytes = 0;
    hazard_shadow_remove(&hazard->shadow, &transfer->parts);
    hazard_shadow_add(&hazard->shadow, &transfer->parts, transfer, &transfer->spans[0]);
  }
}

/* Drop the touches of the past, before all transfers under way: no transfer can have met such a touch. */
static void drop_touches(const struct hazard *hazard, struct hazard_touches *touches, uint64_t now) {
  uint64_t oldest = now;
  for (size_t i = 0; i < hazard->ntransfers; i++) {
    oldest = hazard->transfers[i]->at < oldest ? hazard->transfers[i]->at : oldest;
  }
  size_t kept = 0;
  for (size_t i = 0; i < touches->n; i++) {
    if (touches->items[i].at >= oldest) {
      touches->items[kept++] = touches->items[i];
    }
  }
  touches->n = kept;
}

/* Keep TOUCH, all of which but its place in the sequence is known, in cycle NOW. */
static void keep_touch(struct hazard *hazard, struct hazard_touch touch, uint64_t now) {
  unsigned area = area_of(touch.span.ea);
  struct hazard_touches *touches = &hazard->touches[area];
  if (touches->n == touches->room) {
    drop_touches(hazard, touches, now);
    if (2 * touches->n >= touches->room) {
      touches->room = 2 * touches->room + 16;
      touches->items = xrealloc(touches->items, touches->room, sizeof *touches->items);
    }
  }
  touches->mixed |= touch.process != area;
  assert(touches->mixed || touches->n == 0 || touches->items[touches->n - 1].at <= touch.at);
  touch.sequence = ++hazard->sequence;
  touches->items[touches->n++] = touch;
}

/* A process touches its own memory. */
static void see_touch(struct hazard *hazard, const struct probe_event *event) {
  const struct probe_touch *touch = &event->touch;
  struct hazard_span span = {.ea = ea_of_process(touch->spe, touch->ls),
                             .nbytes = touch->nbytes,
                             .writes = event->kind == PROBE_STORE};
  keep_touch(hazard, (struct hazard_touch){.process = touch->spe, .at = touch->at, .span = span},
             event->cycle);
}

/* A process copies from memory that it shares. */
static void see_copy(struct hazard *hazard, const struct probe_event *event) {
  const struct probe_ppe_touch *touch = &event->ppe_touch;
  struct hazard_span span = {
    .ea = touch->ea, .nbytes = touch->nbytes, .writes = event->kind == PROBE_PPE_STORE};
  keep_touch(hazard, (struct hazard_touch){.process = touch->program, .at = event->cycle, .span = span},
             event->cycle);
}

static void see_flags(struct hazard *hazard, const struct probe_touch *touch) {
  VEC_ADD(hazard->flags, hazard->nflags) =
    (struct hazard_span){.ea = ea_of_process(touch->spe, touch->ls), .nbytes = touch->nbytes};
}

static void see(struct probe *probe, const struct probe_event *event) {
  struct hazard *hazard = (struct hazard *)probe;
  hazard->programs = event->programs;
  switch (event->kind) {
  case PROBE_RESET:
    forget(hazard);
    break;
  case PROBE_ENQUEUE:
    see_enqueue(hazard, &event->enqueue);
    break;
  case PROBE_COMPLETE:
    see_complete(hazard, event);
    break;
  case PROBE_DELIVER:
    see_put(hazard, event);
    break;
  case PROBE_STORE:
  case PROBE_LOAD:
    see_touch(hazard, event);
    break;
  case PROBE_PPE_STORE:
  case PROBE_PPE_LOAD:
    see_copy(hazard, event);
    break;
  case PROBE_FLAGS:
    see_flags(hazard, &event->touch);
    break;
  default:
    break;
  }
}
