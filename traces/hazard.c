/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard.h.
 *
 * A pair is judged when the first of the two completes: only then are both times known, since programs run
 * ahead of the machine. The touches of a program are kept as long as a command may turn out to have been
 * under way at the same time. All places are effective addresses, also places in local stores. */
#include "traces/hazard.h"

#include "sim/base/vec.h"
#include "sim/hw/ea.h"
#include "traces/hazard_parts.h"

#include <assert.h>
#include <stdlib.h>

enum {
  SIGNALS = 2, /* registers of an SPE */
  /* lists of the shadow: of a blade, and of hosts, with processes that move megabytes */
  LISTS = 512,
  LISTS_HOSTS = 32768,
};

static void see(struct probe *probe, const struct probe_event *event);

/* Make HAZARD ready; the sizes and names are set already. */
static void init(struct hazard *hazard, unsigned nlists) {
  hazard->probe = (struct probe){.see = see, .details = true, .accesses_only = true};
  hazard->signals = xcalloc((size_t)hazard->nspes * SIGNALS, sizeof *hazard->signals);
  hazard->touches = xcalloc((size_t)hazard->nspes + 1, sizeof *hazard->touches);
  hazard->newest = xcalloc(hazard->nspes, sizeof *hazard->newest);
  hazard_shadow_init(&hazard->shadow, nlists);
}

void hazard_init(struct hazard *hazard, unsigned nspes) {
  *hazard =
    (struct hazard){.base = EA_SPE_BASE, .shift = (unsigned)__builtin_ctzll(EA_SPE_STRIDE), .nspes = nspes};
  init(hazard, LISTS);
}

void hazard_init_hosts(struct hazard *hazard, unsigned nprocesses) {
  *hazard = (struct hazard){.on_hosts = true,
                            .base = EA_PROCESS_BASE,
                            .shift = (unsigned)__builtin_ctzll(EA_PROCESS_STRIDE),
                            .nspes = nprocesses};
  init(hazard, LISTS_HOSTS);
}

/* COMMAND is not under way any more. */
static void drop_command(struct hazard *hazard, struct hazard_command *command) {
  hazard_shadow_remove(&hazard->shadow, &command->parts);
  *command->link = command->next;
  if (command->next) {
    command->next->link = command->link;
  }
  struct hazard_command *last = hazard->commands[--hazard->ncommands];
  last->place = command->place;
  hazard->commands[last->place] = last;
  hazard->commands[hazard->ncommands] = command;
}

/* Forget all commands under way, touches and flags. */
static void forget(struct hazard *hazard) {
  while (hazard->ncommands) {
    drop_command(hazard, hazard->commands[hazard->ncommands - 1]);
  }
  for (unsigned area = 0; area <= hazard->nspes; area++) {
    hazard->touches[area].n = 0;
  }
  hazard->nflags = 0;
}

void hazard_clear(struct hazard *hazard) {
  for (size_t i = 0; i < HAZARD_LINES_MAX; i++) {
    free(hazard->lines[i]);
    hazard->lines[i] = NULL;
  }
  hazard->count = 0;
}

void hazard_fini(struct hazard *hazard) {
  hazard_clear(hazard);
  forget(hazard);
  for (unsigned area = 0; area <= hazard->nspes; area++) {
    free(hazard->touches[area].items);
  }
  for (size_t i = 0; i < hazard->nused; i++) {
    free(hazard->commands[i]->spans);
    free(hazard->commands[i]);
  }
  hazard_shadow_fini(&hazard->shadow);
  free(hazard->newest);
  free(hazard->commands);
  free(hazard->touches);
  free(hazard->flags);
  free(hazard->signals);
}

/* --- events --- */

static struct hazard_command *find(struct hazard *hazard, const struct probe_dma *dma) {
  struct hazard_command *command = hazard->newest[dma->spe];
  while (command && command->number != dma->command) {
    command = command->next;
  }
  return command;
}

static void add_span(struct hazard *hazard, struct hazard_command *command, struct hazard_span span) {
  if (command->nspans == command->room) {
    command->room = 2 * command->room + 2;
    command->spans = xrealloc(command->spans, command->room, sizeof *command->spans);
  }
  command->spans[command->nspans++] = span;
  hazard_shadow_add(&hazard->shadow, &command->parts, command, &span);
}

/* Return the effective address of byte OFFSET of the local store of SPE, or of the memory of process SPE. */
static uint64_t local_ea(const struct hazard *hazard, unsigned spe, uint64_t offset) {
  return hazard->base + ((uint64_t)spe << hazard->shift) + (hazard->on_hosts ? offset : (uint32_t)offset);
}

/* Tell whether EA is the address of a register of an SPE. */
static bool is_register(const struct hazard *hazard, uint64_t ea) {
  return !hazard->on_hosts && ea < EA_MEMORY_BASE && (ea - EA_SPE_BASE) % EA_SPE_STRIDE >= EA_PROBLEM_STATE;
}

/* Let COMMAND move NBYTES between local store address LS and effective address EA. A signal register has no
 * bytes. A notification of a process has left its memory already. */
static void add_transfer(struct hazard *hazard, struct hazard_command *command, uint64_t ls, uint64_t ea,
                         unsigned nbytes) {
  struct hazard_span local = {.ea = local_ea(hazard, command->spe, ls),
                              .nbytes = hazard->on_hosts && command->fence ? 0 : nbytes,
                              .writes = !command->is_put};
  struct hazard_span far = {
    .ea = ea, .nbytes = is_register(hazard, ea) ? 0 : nbytes, .writes = command->is_put};
  add_span(hazard, command, command->is_put ? local : far);
  add_span(hazard, command, command->is_put ? far : local);
}

/* Return a command that is not under way, the first one behind the commands under way, with its room for
 * spans. */
static struct hazard_command *unused_command(struct hazard *hazard) {
  if (hazard->ncommands == hazard->nused) {
    VEC_ADD(hazard->commands, hazard->nused) = xcalloc(1, sizeof(struct hazard_command));
  }
  return hazard->commands[hazard->ncommands];
}

static void see_enqueue(struct hazard *hazard, const struct probe_enqueue *enqueue) {
  const struct probe_dma *dma = &enqueue->dma;
  struct hazard_command *command = unused_command(hazard), **newest = &hazard->newest[dma->spe];
  *command = (struct hazard_command){.next = *newest,
                                     .link = newest,
                                     .place = hazard->ncommands++,
                                     .spe = dma->spe,
                                     .tag = dma->tag,
                                     .program = enqueue->program,
                                     .number = dma->command,
                                     .sequence = ++hazard->sequence,
                                     .at = enqueue->at,
                                     .nbytes = dma->nbytes,
                                     .is_put = enqueue->is_put,
                                     .is_proxy = enqueue->is_proxy,
                                     .is_list = enqueue->is_list,
                                     .fence = enqueue->fence,
                                     .barrier = enqueue->barrier,
                                     .all_tags = enqueue->all_tags,
                                     .spans = command->spans,
                                     .room = command->room};
  if (*newest) {
    (*newest)->link = &command->next;
  }
  *newest = command;
  if (enqueue->is_list) {
    uint64_t list = local_ea(hazard, dma->spe, enqueue->ls);
    add_span(hazard, command, (struct hazard_span){.ea = list, .nbytes = dma->nbytes});
  } else {
    add_transfer(hazard, command, enqueue->ls, enqueue->ea, dma->nbytes);
  }
}

static void see_element(struct hazard *hazard, const struct probe_element *element) {
  struct hazard_command *command = find(hazard, &element->dma);
  if (command) {
    add_transfer(hazard, command, element->ls, element->ea, element->nbytes);
  }
}

static void see_complete(struct hazard *hazard, const struct probe_event *event) {
  struct hazard_command *command = find(hazard, &event->complete.dma);
  if (!command) {
    return; /* from before this observer came */
  }
  hazard_judge(hazard, command, event->cycle);
  drop_command(hazard, command);
}

/* The bytes of a put of a process have come: from now on only the source is read. */
static void see_put(struct hazard *hazard, const struct probe_event *event) {
  const struct probe_request *request = &event->deliver.request;
  struct hazard_command *command =
    find(hazard, &(struct probe_dma){.spe = request->spe, .command = request->command});
  if (command) {
    uint32_t nbytes = command->spans[0].nbytes;
    command->spans[0].nbytes = 0;
    hazard_judge(hazard, command, event->cycle);
    command->spans[0].nbytes = nbytes;
    command->spans[1].nbytes = 0;
    hazard_shadow_remove(&hazard->shadow, &command->parts);
    hazard_shadow_add(&hazard->shadow, &command->parts, command, &command->spans[0]);
  }
}

/* A list has stopped: the program may touch the bytes already moved, and the remaining elements. */
static void see_stall(struct hazard *hazard, const struct probe_event *event) {
  struct hazard_command *command = find(hazard, &event->stall.dma);
  if (command) {
    hazard_judge(hazard, command, event->cycle);
    hazard_shadow_remove(&hazard->shadow, &command->parts);
    command->nspans = 0;
  }
}

/* A list goes on, as if its remaining elements were a command just given. */
static void see_resume(struct hazard *hazard, const struct probe_event *event) {
  struct hazard_command *command = find(hazard, &event->stall.dma);
  if (command) {
    command->sequence = ++hazard->sequence;
    command->at = event->cycle;
    uint64_t list = local_ea(hazard, event->stall.dma.spe, event->stall.ls);
    add_span(hazard, command, (struct hazard_span){.ea = list, .nbytes = event->stall.left});
  }
}

/* Drop the TOUCHES earlier than all commands under way: no command can meet these touches any more. */
static void drop_touches(const struct hazard *hazard, struct hazard_touches *touches, uint64_t now) {
  uint64_t oldest = now;
  for (size_t i = 0; i < hazard->ncommands; i++) {
    oldest = hazard->commands[i]->at < oldest ? hazard->commands[i]->at : oldest;
  }
  size_t kept = 0;
  for (size_t i = 0; i < touches->n; i++) {
    if (touches->items[i].at >= oldest) {
      touches->items[kept++] = touches->items[i];
    }
  }
  touches->n = kept;
}

/* Keep TOUCH, complete but for its place in the sequence, in cycle NOW. */
static void keep_touch(struct hazard *hazard, struct hazard_touch touch, uint64_t now) {
  unsigned area = hazard_area(hazard, touch.span.ea);
  struct hazard_touches *touches = &hazard->touches[area];
  if (touches->n == touches->room) {
    drop_touches(hazard, touches, now);
    if (2 * touches->n >= touches->room) {
      touches->room = 2 * touches->room + 16;
      touches->items = xrealloc(touches->items, touches->room, sizeof *touches->items);
    }
  }
  touches->mixed |= touch.program != area;
  assert(touches->mixed || touches->n == 0 || touches->items[touches->n - 1].at <= touch.at);
  touch.sequence = ++hazard->sequence;
  touches->items[touches->n++] = touch;
}

static void see_touch(struct hazard *hazard, const struct probe_event *event) {
  const struct probe_touch *touch = &event->touch;
  keep_touch(hazard,
             (struct hazard_touch){.program = touch->spe,
                                   .at = touch->at,
                                   .span = {.ea = local_ea(hazard, touch->spe, touch->ls),
                                            .nbytes = touch->nbytes,
                                            .writes = event->kind == PROBE_STORE}},
             event->cycle);
}

/* A program on a PPE, or a process of a host, touches NBYTES at EA. */
static void see_touch_at(struct hazard *hazard, unsigned program, const struct hazard_span *span,
                         uint64_t cycle) {
  if (!is_register(hazard, span->ea)) {
    keep_touch(hazard, (struct hazard_touch){.program = program, .at = cycle, .span = *span}, cycle);
  }
}

static void see_ppe_touch(struct hazard *hazard, const struct probe_event *event) {
  const struct probe_ppe_touch *touch = &event->ppe_touch;
  see_touch_at(
    hazard, touch->program,
    &(struct hazard_span){.ea = touch->ea, .nbytes = touch->nbytes, .writes = event->kind == PROBE_PPE_STORE},
    event->cycle);
}

static void see_copy(struct hazard *hazard, const struct probe_copy *copy, uint64_t cycle) {
  see_touch_at(hazard, copy->by.who, &(struct hazard_span){.ea = copy->from, .nbytes = copy->nbytes}, cycle);
  see_touch_at(hazard, copy->by.who,
               &(struct hazard_span){.ea = copy->to, .nbytes = copy->nbytes, .writes = true}, cycle);
}

static void see_flags(struct hazard *hazard, const struct probe_touch *touch) {
  uint64_t ea = local_ea(hazard, touch->spe, touch->ls);
  VEC_ADD(hazard->flags, hazard->nflags) = (struct hazard_span){.ea = ea, .nbytes = touch->nbytes};
}

static void see_signal(struct hazard *hazard, const struct probe_signal *event, uint64_t cycle) {
  struct hazard_signal *signal = &hazard->signals[SIGNALS * event->peer + event->number - 1];
  uint32_t lost = event->combines ? event->old & event->value : event->old;
  unsigned writer = event->by.who;
  char who[HAZARD_PLACE_SIZE], other[HAZARD_PLACE_SIZE];
  if (event->full && (event->combines ? lost != 0 : event->old != event->value)) {
    unsigned bit = lost ? (unsigned)__builtin_ctz(lost) : 0;
    hazard_report(
      hazard, "%s sends signal 0x%x to register %u of SPE %u at cycle %llu, which %s 0x%x of %s (cycle %llu)",
      hazard_program(who, hazard, writer), (unsigned)event->value, event->number, event->peer,
      (unsigned long long)cycle, event->combines ? "adds nothing to the unread" : "overwrites the unread",
      (unsigned)lost, hazard_program(other, hazard, signal->program[bit]),
      (unsigned long long)signal->cycle[bit]);
  }
  for (unsigned bit = 0; bit < 32; bit++) {
    if (!event->combines || (event->value >> bit & 1)) {
      signal->program[bit] = writer;
      signal->cycle[bit] = cycle;
    }
  }
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
  case PROBE_ELEMENT:
    see_element(hazard, &event->element);
    break;
  case PROBE_STALL:
    see_stall(hazard, event);
    break;
  case PROBE_RESUME:
    see_resume(hazard, event);
    break;
  case PROBE_COMPLETE:
    see_complete(hazard, event);
    break;
  case PROBE_DELIVER:
    if (hazard->on_hosts) {
      see_put(hazard, event);
    }
    break;
  case PROBE_STORE:
  case PROBE_LOAD:
    see_touch(hazard, event);
    break;
  case PROBE_PPE_STORE:
  case PROBE_PPE_LOAD:
    see_ppe_touch(hazard, event);
    break;
  case PROBE_COPY:
    see_copy(hazard, &event->copy, event->cycle);
    break;
  case PROBE_FLAGS:
    see_flags(hazard, &event->touch);
    break;
  case PROBE_SIGNAL:
    see_signal(hazard, &event->signal, event->cycle);
    break;
  default:
    break;
  }
}
