/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard.h.
 *
 * A pair is judged when the first of the two completes: only then are both times known, since programs run ahead of the
 * machine. What a program touches is kept as long as a command may turn out to have been under way at that time. All
 * places are effective addresses, those of local stores too. */
#include "traces/hazard.h"

#include "sim/base/xalloc.h"
#include "sim/hw/ea.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIGNALS = 2 }; /* registers of an SPE */

/* Room for the texts of a message. */
enum { PLACE_SIZE = 48, PARTY_SIZE = 256 };

static void see(struct probe *probe, const struct probe_event *event);

void
hazard_init(struct hazard *hazard, unsigned nspes)
{
  *hazard = (struct hazard){.probe = {.see = see, .details = true, .accesses_only = true}, .nspes = nspes};
  hazard->signals = xcalloc((size_t)nspes * SIGNALS, sizeof *hazard->signals);
  hazard->touches = xcalloc(nspes, sizeof *hazard->touches);
}

/* Forget all that is under way. */
static void
forget(struct hazard *hazard)
{
  for (size_t i = 0; i < hazard->ncommands; i++) {
    free(hazard->commands[i].spans);
  }
  for (unsigned spe = 0; spe < hazard->nspes; spe++) {
    hazard->touches[spe].n = 0;
  }
  hazard->ncommands = hazard->nflags = 0;
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
  free(hazard->commands);
  free(hazard->touches);
  free(hazard->flags);
  free(hazard->signals);
}

/* --- messages --- */

static void __attribute__((format(printf, 2, 3))) report(struct hazard *hazard, const char *format, ...)
{
  va_list arguments;
  if (hazard->count++ < HAZARD_LINES_MAX) {
    char text[1024];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hazard->lines[hazard->count - 1] = xstrdup(text);
  }
}

/* Return the SPE whose area EA lies in; one that does not exist if EA is in main memory. */
static uint64_t
area_of(uint64_t ea)
{
  return (ea - EA_SPE_BASE) / EA_SPE_STRIDE;
}

static const char *
place(char text[PLACE_SIZE], const struct hazard *hazard, uint64_t ea)
{
  unsigned long long offset = (ea - EA_SPE_BASE) % EA_SPE_STRIDE, area = area_of(ea);
  if (area >= hazard->nspes) {
    snprintf(text, PLACE_SIZE, "main memory 0x%llx", (unsigned long long)ea);
  } else if (offset >= EA_PROBLEM_STATE) {
    snprintf(text, PLACE_SIZE, "a signal register of SPE %llu", area);
  } else {
    snprintf(text, PLACE_SIZE, "0x%llx of SPE %llu", offset, area);
  }
  return text;
}

/* Describe program NUMBER: that on an SPE, or one on a PPE. */
static const char *
program(char text[PLACE_SIZE], const struct hazard *hazard, unsigned number)
{
  const char *name = hazard->programs[number];
  if (number < hazard->nspes) {
    snprintf(text, PLACE_SIZE, "%.24s on SPE %u", name ? name : "nobody", number);
  } else {
    snprintf(text, PLACE_SIZE, "%.24s on a PPE", name ? name : "a program");
  }
  return text;
}

/* Describe COMMAND: of two spans that of its source comes first. */
static const char *
party(char text[PARTY_SIZE], const struct hazard *hazard, const struct hazard_command *command)
{
  char who[PLACE_SIZE], from[PLACE_SIZE], to[PLACE_SIZE];
  const char *way = command->is_put ? "put" : "get";
  program(who, hazard, command->spe);
  if (command->is_list) {
    snprintf(text, PARTY_SIZE, "%s list (%s, tag %u, cycle %llu, list at %s)", way, who, command->tag,
             (unsigned long long)command->at, place(from, hazard, command->spans[0].ea));
  } else {
    snprintf(text, PARTY_SIZE, "%s of %u bytes (%s, tag %u, cycle %llu, from %s to %s)", way,
             (unsigned)command->nbytes, who, command->tag, (unsigned long long)command->at,
             place(from, hazard, command->spans[0].ea), place(to, hazard, command->spans[1].ea));
  }
  return text;
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
    if (is_between(first, second, &hazard->commands[i])) {
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
        char one[PARTY_SIZE], two[PARTY_SIZE], where[PLACE_SIZE];
        report(hazard, "%s %s and %s %s %u bytes at %s, in no order until cycle %llu",
               party(one, hazard, first), does[x->writes], party(two, hazard, second), does[y->writes],
               (unsigned)common.nbytes, place(where, hazard, common.ea), (unsigned long long)end);
        return;
      }
    }
  }
}

/* Judge TOUCH of the program on SPE against COMMAND, which completes at cycle END. */
static void
judge_touch(struct hazard *hazard, unsigned spe, const struct hazard_touch *touch,
            const struct hazard_command *command, uint64_t end)
{
  struct hazard_span common;
  bool before = spe == command->spe ? touch->sequence < command->sequence : touch->at < command->at;
  if (before || touch->at >= end) {
    return;
  }
  for (size_t i = 0; i < command->nspans; i++) {
    if (meet(hazard, &touch->span, &command->spans[i], &common)) {
      char who[PLACE_SIZE], where[PLACE_SIZE], other[PARTY_SIZE];
      report(hazard, "%s %s %u bytes at %s at cycle %llu, which a %s %s until cycle %llu",
             program(who, hazard, spe), touch->span.writes ? "writes" : "reads", (unsigned)common.nbytes,
             place(where, hazard, common.ea), (unsigned long long)touch->at, party(other, hazard, command),
             command->spans[i].writes ? "writes" : "reads", (unsigned long long)end);
      return;
    }
  }
}

/* --- events --- */

static struct hazard_command *
find(struct hazard *hazard, const struct probe_dma *dma)
{
  for (size_t i = 0; i < hazard->ncommands; i++) {
    struct hazard_command *command = &hazard->commands[i];
    if (command->spe == dma->spe && command->number == dma->command) {
      return command;
    }
  }
  return NULL;
}

static void
add_span(struct hazard_command *command, struct hazard_span span)
{
  command->spans = xrealloc(command->spans, command->nspans + 1, sizeof *command->spans);
  command->spans[command->nspans++] = span;
}

/* Let COMMAND move NBYTES between local store address LS and effective address EA. A signal register is no bytes. */
static void
add_transfer(struct hazard_command *command, uint64_t ls, uint64_t ea, unsigned nbytes)
{
  bool is_register = ea < EA_MEMORY_BASE && (ea - EA_SPE_BASE) % EA_SPE_STRIDE >= EA_PROBLEM_STATE;
  struct hazard_span local = {
    .ea = ea_of_ls(command->spe, (uint32_t)ls), .nbytes = nbytes, .writes = !command->is_put};
  struct hazard_span far = {.ea = ea, .nbytes = is_register ? 0 : nbytes, .writes = command->is_put};
  add_span(command, command->is_put ? local : far);
  add_span(command, command->is_put ? far : local);
}

static void
see_enqueue(struct hazard *hazard, const struct probe_enqueue *enqueue)
{
  const struct probe_dma *dma = &enqueue->dma;
  if (hazard->ncommands == hazard->commands_room) {
    hazard->commands_room = 2 * hazard->commands_room + 16;
    hazard->commands = xrealloc(hazard->commands, hazard->commands_room, sizeof *hazard->commands);
  }
  struct hazard_command *command = &hazard->commands[hazard->ncommands++];
  *command = (struct hazard_command){.spe = dma->spe,
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
                                     .all_tags = enqueue->all_tags};
  if (enqueue->is_list) {
    uint64_t list = ea_of_ls(dma->spe, (uint32_t)enqueue->ls);
    add_span(command, (struct hazard_span){.ea = list, .nbytes = dma->nbytes});
  } else {
    add_transfer(command, enqueue->ls, enqueue->ea, dma->nbytes);
  }
}

static void
see_element(struct hazard *hazard, const struct probe_element *element)
{
  struct hazard_command *command = find(hazard, &element->dma);
  if (command) {
    add_transfer(command, element->ls, element->ea, element->nbytes);
  }
}

/* Tell whether span I of COMMAND is the first one in its area. */
static bool
is_first_there(const struct hazard_command *command, size_t i)
{
  for (size_t j = 0; j < i; j++) {
    if (area_of(command->spans[j].ea) == area_of(command->spans[i].ea)) {
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
    for (size_t i = 0; i < touches->n; i++) {
      judge_touch(hazard, (unsigned)area, &touches->items[i], command, end);
    }
  }
}

/* Judge what COMMAND has moved up to cycle END against all else. */
static void
judge(struct hazard *hazard, const struct hazard_command *command, uint64_t end)
{
  for (size_t i = 0; i < hazard->ncommands; i++) {
    if (&hazard->commands[i] != command) {
      judge_pair(hazard, command, &hazard->commands[i], end);
    }
  }
  for (size_t i = 0; i < command->nspans; i++) {
    if (is_first_there(command, i)) {
      judge_touches(hazard, area_of(command->spans[i].ea), command, end);
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
  free(command->spans);
  *command = hazard->commands[--hazard->ncommands];
}

/* A list has stopped: the program may touch what has been moved, and the elements that are left. */
static void
see_stall(struct hazard *hazard, const struct probe_event *event)
{
  struct hazard_command *command = find(hazard, &event->stall.dma);
  if (command) {
    judge(hazard, command, event->cycle);
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
    add_span(command, (struct hazard_span){.ea = ea_of_ls(event->stall.dma.spe, (uint32_t)event->stall.ls),
                                           .nbytes = event->stall.left});
  }
}

/* Drop those of TOUCHES that no command can have met: those of the past, before all commands under way. */
static void
drop_touches(const struct hazard *hazard, struct hazard_touches *touches, uint64_t now)
{
  uint64_t oldest = now;
  for (size_t i = 0; i < hazard->ncommands; i++) {
    oldest = hazard->commands[i].at < oldest ? hazard->commands[i].at : oldest;
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
  char who[PLACE_SIZE], other[PLACE_SIZE];
  if (event->full && (event->combines ? lost != 0 : event->old != event->value)) {
    unsigned bit = lost ? (unsigned)__builtin_ctz(lost) : 0;
    report(
      hazard, "%s sends signal 0x%x to register %u of SPE %u at cycle %llu, which %s 0x%x of %s (cycle %llu)",
      program(who, hazard, writer), (unsigned)event->value, event->number, event->peer,
      (unsigned long long)cycle, event->combines ? "adds nothing to the unread" : "overwrites the unread",
      (unsigned)lost, program(other, hazard, signal->program[bit]), (unsigned long long)signal->cycle[bit]);
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
