/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard.h.
 *
 * A pair is judged when the first of the two completes: only then are both times known, since programs run ahead of the
 * machine. The shadow tells whether a command has bytes in common with any other: as a rule none has, and no pair is looked at. What a program touches is kept as long as a command may turn out to have been under way at that time. All
 * places are effective addresses, those of local stores too. */
#include "traces/hazard.h"

#include "sim/base/xalloc.h"
#include "sim/hw/ea.h"
#include "traces/hazard_text.h"

#include <assert.h>
#include <stdlib.h>

enum { SIGNALS = 2 }; /* registers of an SPE */

static void see(struct probe *probe, const struct probe_event *event);

void
hazard_init(struct hazard *hazard, unsigned nspes)
{
  *hazard = (struct hazard){.probe = {.see = see, .details = true, .accesses_only = true}, .nspes = nspes};
  hazard->signals = xcalloc((size_t)nspes * SIGNALS, sizeof *hazard->signals);
  hazard->touches = xcalloc(nspes, sizeof *hazard->touches);
  hazard->newest = xcalloc(nspes, sizeof *hazard->newest);
  hazard_shadow_init(&hazard->shadow);
}

/* COMMAND is not under way any more. */
static void
drop_command(struct hazard *hazard, struct hazard_command *command)
{
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

/* Forget all that is under way. */
static void
forget(struct hazard *hazard)
{
  while (hazard->ncommands) {
    drop_command(hazard, hazard->commands[hazard->ncommands - 1]);
  }
  for (unsigned spe = 0; spe < hazard->nspes; spe++) {
    hazard->touches[spe].n = 0;
  }
  hazard->nflags = 0;
}

void
hazard_clear(struct hazard *hazard)
{
  for (size_t i = 0; i < HAZARD_LINES_MAX; i++) {
    free(hazard->lines[i]);
    hazard->lines[i] = NULL;
  }
  hazard->count = 0;
}

void
hazard_fini(struct hazard *hazard)
{
  hazard_clear(hazard);
  forget(hazard);
  for (unsigned spe = 0; spe < hazard->nspes; spe++) {
    free(hazard->touches[spe].items);
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

/* --- who touches what --- */

/* Tell whether A and B have bytes in common that are no flags, and one writes; *COMMON becomes the bytes. */
static bool
meet(const struct hazard *hazard, const struct hazard_span *a, const struct hazard_span *b,
     struct hazard_span *common)
{
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

/* Tell whether commands FIRST and SECOND of one queue are ordered by BETWEEN, which was given between them. */
static bool
is_between(const struct hazard_command *first, const struct hazard_command *second,
           const struct hazard_command *between)
{
  return between->barrier && between->spe == first->spe && between->is_proxy == first->is_proxy &&
         between->number > first->number && between->number < second->number &&
         (between->all_tags || (between->tag == first->tag && between->tag == second->tag));
}

/* Tell whether the engine orders FIRST, which was issued first, before SECOND. */
static bool
ordered(const struct hazard *hazard, const struct hazard_command *first, const struct hazard_command *second)
{
  if (first->spe != second->spe || first->is_proxy != second->is_proxy) {
    return false;
  }
  if (first->tag == second->tag && (first->barrier || second->fence)) {
    return true;
  }
  for (size_t i = 0; i < hazard->ncommands; i++) {
    if (is_between(first, second, hazard->commands[i])) {
      return true;
    }
  }
  return false;
}

/* Judge A and B, of which the first to complete does so at cycle END. */
static void
judge_pair(struct hazard *hazard, const struct hazard_command *a, const struct hazard_command *b,
           uint64_t end)
{
  static const char *const does[] = {"reads", "writes"};
  bool swap = a->at > b->at || (a->at == b->at && a->sequence > b->sequence);
  const struct hazard_command *first = swap ? b : a, *second = swap ? a : b;
  struct hazard_span common;
  if (second->at >= end) {
    return;
  }
  for (size_t i = 0; i < first->nspans; i++) {
    for (size_t j = 0; j < second->nspans; j++) {
      const struct hazard_span *x = &first->spans[i], *y = &second->spans[j];
      if (meet(hazard, x, y, &common)) {
        if (ordered(hazard, first, second)) {
          return;
        }
        char one[HAZARD_PARTY_SIZE], two[HAZARD_PARTY_SIZE], where[HAZARD_PLACE_SIZE];
        hazard_report(hazard, "%s %s and %s %s %u bytes at %s, in no order until cycle %llu",
                      hazard_party(one, hazard, first), does[x->writes], hazard_party(two, hazard, second),
                      does[y->writes], (unsigned)common.nbytes, hazard_place(where, hazard, common.ea),
                      (unsigned long long)end);
        return;
      }
    }
  }
}

/* Tell whether TOUCH of the program on SPE came before COMMAND. */
static bool
is_before(const struct hazard_touch *touch, unsigned spe, const struct hazard_command *command)
{
  return spe == command->spe ? touch->sequence < command->sequence : touch->at < command->at;
}

/* Judge TOUCH of the program on SPE, which did not come before COMMAND, against that, which completes at cycle END. */
static void
judge_touch(struct hazard *hazard, unsigned spe, const struct hazard_touch *touch,
            const struct hazard_command *command, uint64_t end)
{
  struct hazard_span common;
  if (touch->at >= end) {
    return;
  }
  for (size_t i = 0; i < command->nspans; i++) {
    if (meet(hazard, &touch->span, &command->spans[i], &common)) {
      char who[HAZARD_PLACE_SIZE], where[HAZARD_PLACE_SIZE], other[HAZARD_PARTY_SIZE];
      hazard_report(hazard, "%s %s %u bytes at %s at cycle %llu, which a %s %s until cycle %llu",
                    hazard_program(who, hazard, spe), touch->span.writes ? "writes" : "reads",
                    (unsigned)common.nbytes, hazard_place(where, hazard, common.ea),
                    (unsigned long long)touch->at, hazard_party(other, hazard, command),
                    command->spans[i].writes ? "writes" : "reads", (unsigned long long)end);
      return;
    }
  }
}

/* --- events --- */

static struct hazard_command *
find(struct hazard *hazard, const struct probe_dma *dma)
{
  struct hazard_command *command = hazard->newest[dma->spe];
  while (command && command->number != dma->command) {
    command = command->next;
  }
  return command;
}

static void
add_span(struct hazard *hazard, struct hazard_command *command, struct hazard_span span)
{
  if (command->nspans == command->room) {
    command->room = 2 * command->room + 2;
    command->spans = xrealloc(command->spans, command->room, sizeof *command->spans);
  }
  command->spans[command->nspans++] = span;
  hazard_shadow_add(&hazard->shadow, &command->parts, command, &span);
}

/* Let COMMAND move NBYTES between local store address LS and effective address EA. A signal register is no bytes. */
static void
add_transfer(struct hazard *hazard, struct hazard_command *command, uint64_t ls, uint64_t ea, unsigned nbytes)
{
  bool is_register = ea < EA_MEMORY_BASE && (ea - EA_SPE_BASE) % EA_SPE_STRIDE >= EA_PROBLEM_STATE;
  struct hazard_span local = {
    .ea = ea_of_ls(command->spe, (uint32_t)ls), .nbytes = nbytes, .writes = !command->is_put};
  struct hazard_span far = {.ea = ea, .nbytes = is_register ? 0 : nbytes, .writes = command->is_put};
  add_span(hazard, command, command->is_put ? local : far);
  add_span(hazard, command, command->is_put ? far : local);
}

/* Return a command that is not under way, with what room it has for spans; it is the first one behind those that are. */
static struct hazard_command *
unused_command(struct hazard *hazard)
{
  if (hazard->ncommands == hazard->nused) {
    if (hazard->nused == hazard->commands_room) {
      hazard->commands_room = 2 * hazard->commands_room + 16;
      hazard->commands = xrealloc(hazard->commands, hazard->commands_room, sizeof(struct hazard_command *));
    }
    hazard->commands[hazard->nused++] = xcalloc(1, sizeof(struct hazard_command));
  }
  return hazard->commands[hazard->ncommands];
}

static void
see_enqueue(struct hazard *hazard, const struct probe_enqueue *enqueue)
{
  const struct probe_dma *dma = &enqueue->dma;
  struct hazard_command *command = unused_command(hazard), **newest = &hazard->newest[dma->spe];
  *command = (struct hazard_command){.next = *newest,
                                     .link = newest,
                                     .place = hazard->ncommands++,
                                     .spe = dma->spe,
                                     .tag = dma->tag,
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
    uint64_t list = ea_of_ls(dma->spe, (uint32_t)enqueue->ls);
    add_span(hazard, command, (struct hazard_span){.ea = list, .nbytes = dma->nbytes});
  } else {
    add_transfer(hazard, command, enqueue->ls, enqueue->ea, dma->nbytes);
  }
}

static void
see_element(struct hazard *hazard, const struct probe_element *element)
{
  struct hazard_command *command = find(hazard, &element->dma);
  if (command) {
    add_transfer(hazard, command, element->ls, element->ea, element->nbytes);
  }
}

/* Tell whether span I of COMMAND is the first one in its area. */
static bool
is_first_there(const struct hazard_command *command, size_t i)
{
  for (size_t j = 0; j < i; j++) {
    if (hazard_area(command->spans[j].ea) == hazard_area(command->spans[i].ea)) {
      return false;
    }
  }
  return true;
}

/* Judge what the program of AREA, if that is the local store of an SPE, has touched there against COMMAND. */
static void
judge_touches(struct hazard *hazard, uint64_t area, const struct hazard_command *command, uint64_t end)
{
  if (area < hazard->nspes) {
    const struct hazard_touches *touches = &hazard->touches[area];
    size_t first = touches->n;
    while (first > 0 && !is_before(&touches->items[first - 1], (unsigned)area, command)) {
      first--;
    }
    for (size_t i = first; i < touches->n; i++) {
      judge_touch(hazard, (unsigned)area, &touches->items[i], command, end);
    }
  }
}

/* Judge what COMMAND has moved up to cycle END against all else. */
static void
judge(struct hazard *hazard, const struct hazard_command *command, uint64_t end)
{
  bool meets = hazard_shadow_meets(&hazard->shadow, command->parts);
  for (size_t i = 0; meets && i < hazard->ncommands; i++) {
    if (hazard->commands[i] != command) {
      judge_pair(hazard, command, hazard->commands[i], end);
    }
  }
  for (size_t i = 0; i < command->nspans; i++) {
    if (is_first_there(command, i)) {
      judge_touches(hazard, hazard_area(command->spans[i].ea), command, end);
    }
  }
}

static void
see_complete(struct hazard *hazard, const struct probe_event *event)
{
  struct hazard_command *command = find(hazard, &event->complete.dma);
  if (!command) {
    return; /* from before this observer came */
  }
  judge(hazard, command, event->cycle);
  drop_command(hazard, command);
}

/* A list has stopped: the program may touch what has been moved, and the elements that are left. */
static void
see_stall(struct hazard *hazard, const struct probe_event *event)
{
  struct hazard_command *command = find(hazard, &event->stall.dma);
  if (command) {
    judge(hazard, command, event->cycle);
    hazard_shadow_remove(&hazard->shadow, &command->parts);
    command->nspans = 0;
  }
}

/* A list goes on, as if the rest of it had just been given. */
static void
see_resume(struct hazard *hazard, const struct probe_event *event)
{
  struct hazard_command *command = find(hazard, &event->stall.dma);
  if (command) {
    command->sequence = ++hazard->sequence;
    command->at = event->cycle;
    uint64_t list = ea_of_ls(event->stall.dma.spe, (uint32_t)event->stall.ls);
    add_span(hazard, command, (struct hazard_span){.ea = list, .nbytes = event->stall.left});
  }
}

/* Drop those of TOUCHES that no command can have met: those of the past, before all commands under way. */
static void
drop_touches(const struct hazard *hazard, struct hazard_touches *touches, uint64_t now)
{
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

static void
see_touch(struct hazard *hazard, const struct probe_event *event)
{
  const struct probe_touch *touch = &event->touch;
  struct hazard_touches *touches = &hazard->touches[touch->spe];
  if (touches->n == touches->room) {
    drop_touches(hazard, touches, event->cycle);
    if (2 * touches->n >= touches->room) {
      touches->room = 2 * touches->room + 16;
      touches->items = xrealloc(touches->items, touches->room, sizeof *touches->items);
    }
  }
  uint64_t ea = ea_of_ls(touch->spe, (uint32_t)touch->ls);
  assert(touches->n == 0 || touches->items[touches->n - 1].at <= touch->at);
  touches->items[touches->n++] =
    (struct hazard_touch){.sequence = ++hazard->sequence,
                          .at = touch->at,
                          .span = {.ea = ea, .nbytes = touch->nbytes, .writes = event->kind == PROBE_STORE}};
}

static void
see_flags(struct hazard *hazard, const struct probe_touch *touch)
{
  uint64_t ea = ea_of_ls(touch->spe, (uint32_t)touch->ls);
  hazard->flags = xrealloc(hazard->flags, hazard->nflags + 1, sizeof *hazard->flags);
  hazard->flags[hazard->nflags++] = (struct hazard_span){.ea = ea, .nbytes = touch->nbytes};
}

static void
see_signal(struct hazard *hazard, const struct probe_signal *event, uint64_t cycle)
{
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

static void
see(struct probe *probe, const struct probe_event *event)
{
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
  case PROBE_STORE:
  case PROBE_LOAD:
    see_touch(hazard, event);
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
