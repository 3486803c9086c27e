/* SPDX-License-Identifier: BSD-3-Clause
 * The MFCs of the model machine: commands, their order in a tag group, and how long they take. */
#include "algos/cost/model_parts.h"

#include <math.h>
#include <string.h>

/* --- the end of a command --- */

static void start_waiting(struct model_tag *tag);

/* One of the events of COMMAND has come. */
static void forget(struct model_command *command) {
  if (!--command->expected) {
    command->next = command->spe->machine->unused;
    command->spe->machine->unused = command;
  }
}

static void complete(struct event *event) {
  struct model_command *command = EVENT_OWNER(event, struct model_command, done);
  struct model_spe *spe = command->spe;
  struct model_tag *tag = &spe->tags[command->tag];
  spe->used &= ~(UINT32_C(1) << command->place);
  tag->given--;
  tag->running--;
  tag->barrier &= !command->barrier;
  forget(command);
  start_waiting(tag);
  des_poke(spe->actor, MODEL_POKE_DMA);
}

/* --- notifications and signals --- */

static void deliver(struct event *event) {
  struct model_command *command = EVENT_OWNER(event, struct model_command, event);
  struct model_spe *far = command->far;
  if (command->kind == MODEL_SIGNALLING) {
    far->signals |= command->bits;
    des_poke(far->actor, MODEL_POKE_SIGNAL);
  } else {
    memcpy(command->into, command->from, command->nbytes);
    des_poke(far ? far->actor : command->spe->machine->ppe, far ? MODEL_POKE_FLAG : MODEL_POKE_WORD);
  }
  forget(command);
}

/* --- windows --- */

/* Return the entry of WINDOW in PLACE of its ring. */
static double *entry_at(const struct model_window *window, unsigned place) {
  return &window->free_at[place & window->mask];
}

/* Find out from which cycle on WINDOW has a bus request to issue, and an entry for it. */
static void find_issue(struct model_window *window) {
  window->from = window->ready && window->first != window->end ? *entry_at(window, window->first) : INFINITY;
}

/* Keep an entry of WINDOW that is not in its ring until cycle UNTIL. */
static void keep_entry(struct model_window *window, double until) {
  unsigned place = window->end++;
  for (; place != window->first && *entry_at(window, place - 1) > until; place--) {
    *entry_at(window, place) = *entry_at(window, place - 1);
  }
  *entry_at(window, place) = until;
}

/* Return CYCLE, or the next one that is not over. */
static uint64_t not_over(double cycle) {
  return model_cycles(model_later(cycle, model_now()));
}

/* All bus requests of COMMAND pass, the last one from WAIT cycles after now on. */
static void end_issue(struct model_command *command, double wait) {
  command->done.run = complete;
  des_schedule(&command->done, not_over(command->done_at), DES_COMPLETE, command->spe->index);
  if (command->kind != MODEL_TRANSFER) {
    unsigned number = command->far ? command->far->index : command->spe->machine->shape->nspes;
    command->expected++;
    command->event.run = deliver;
    des_schedule(&command->event, not_over(model_now() + command->seen + wait), DES_DELIVER, number);
  }
}

/* Find out from which cycle on SPE has a bus request to issue, and an entry for it. */
static void find_next(struct model_spe *spe) {
  double get = spe->windows[MODEL_GET].from, put = spe->windows[MODEL_PUT].from;
  spe->issues_from = get < put ? get : put;
}

static void ask(struct model_spe *spe);

void model_dma_passed(struct model_command *command, double wait) {
  struct model_spe *spe = command->spe;
  struct model_window *window = command->window;
  double from = model_now() + wait, issues_from = window->from;
  keep_entry(window, from + command->hold);
  command->done_at = model_later(command->done_at, from + command->latency);
  if (!--command->left) {
    end_issue(command, wait);
  }
  if (!spe->issues) { /* else it finds out itself */
    find_issue(window);
    if (!spe->asks && window->from < issues_from) { /* else it knows already when to ask */
      find_next(spe);
      ask(spe);
    }
  }
}

/* Return the places of commands of WINDOW that can issue a bus request now. */
static uint32_t can_issue(const struct model_window *window) {
  return window->from <= model_now() ? window->ready : 0;
}

/* Let the command of SPE whose turn it is issue its next bus request; turns go round by the places in the
 * queue. */
static void issue(struct model_spe *spe) {
  uint32_t can = can_issue(&spe->windows[MODEL_GET]) | can_issue(&spe->windows[MODEL_PUT]);
  uint32_t after = can & (UINT32_MAX << spe->issued_last << 1);
  unsigned place = (unsigned)__builtin_ctz(after ? after : can);
  struct model_command *command = spe->queue[place];
  struct model_window *window = command->window;
  spe->issued_last = place;
  window->first++;
  if (!--command->requests) {
    window->ready &= ~(UINT32_C(1) << place);
  }
  spe->issues = true;
  model_bus_send(command);
  spe->issues = false;
  find_issue(window);
}

/* --- command buses --- */

/* Let SPE issue its next bus request. */
static void take_turn(struct model_spe *spe) {
  spe->bus->free = des_now() + spe->machine->shape->command;
  issue(spe);
  find_next(spe);
}

/* Let SPE ask when it has something to issue, if that is known. */
static void look_later(struct model_spe *spe) {
  if (spe->issues_from == INFINITY) {
    return;
  }
  uint64_t at = model_whole(spe->issues_from);
  at += model_real(at) < spe->issues_from;
  if (spe->turn.pending && spe->turn.at > at) {
    des_cancel(&spe->turn);
  }
  if (!spe->turn.pending) {
    des_schedule(&spe->turn, at, DES_ISSUE, spe->index);
  }
}

/* Let SPE issue what it can: at once while nobody else asks for the command bus, else in turn. */
static void ask(struct model_spe *spe) {
  struct model_command_bus *bus = spe->bus;
  double now = model_now();
  if (spe->asks) {
    return;
  }
  if (spe->issues_from <= now && bus->free <= des_now() && !bus->first) {
    take_turn(spe);
  }
  if (spe->issues_from > now) {
    look_later(spe);
    return;
  }
  spe->asks = true;
  spe->next = NULL;
  *(bus->first ? &bus->last->next : &bus->first) = spe;
  bus->last = spe;
  if (!bus->event.pending) {
    des_schedule(&bus->event, bus->free, DES_COMMAND, spe->chip);
  }
}

static void entry_is_free(struct event *event) {
  ask(EVENT_OWNER(event, struct model_spe, turn));
}

static void serve(struct event *event) {
  struct model_command_bus *bus = EVENT_OWNER(event, struct model_command_bus, event);
  struct model_spe *spe = bus->first;
  bus->first = spe->next;
  spe->asks = false;
  take_turn(spe);
  ask(spe);
  if (bus->first && !bus->event.pending) {
    des_schedule(&bus->event, bus->free, DES_COMMAND, spe->chip);
  }
}

void model_dma_init(struct model_spe *spe) {
  spe->turn.run = entry_is_free;
}

void model_command_bus_init(struct model_command_bus *bus) {
  *bus = (struct model_command_bus){.event = {.run = serve}};
}

/* --- commands --- */

/* Return how far the ramps of COMMAND are apart. */
static double way_of(const struct model_command *command) {
  const struct model_ramps *near = command->spe->ramps;
  if (!command->far) {
    return command->spe->machine->mean_way;
  }
  return command->direction == MODEL_GET ? model_way(command->far->ramps, near)
                                         : model_way(near, command->far->ramps);
}

/* Return for how long a bus request of COMMAND keeps a link busy: from that of a notification to that of a
 * line in proportion to its bytes. */
static double time_on_link(const struct model_command *command) {
  const struct model_machine *machine = command->spe->machine;
  double line = model_value(machine, MODEL_LINK, 0), flag = model_value(machine, MODEL_LINK_FLAG, 0);
  double missing = command->nbytes < MODEL_LINE_BYTES ? MODEL_LINE_BYTES - command->nbytes : 0;
  return line - (line - flag) * missing / (MODEL_LINE_BYTES - MODEL_FLAG_BYTES);
}

static void find_times(struct model_command *command) {
  static const enum model_value lines[2][MODEL_DIRECTIONS] = {{MODEL_READ_LINE, MODEL_WRITE_LINE},
                                                              {MODEL_GET_LINE, MODEL_PUT_LINE}},
                                holds[2][MODEL_DIRECTIONS] = {{MODEL_READ_HOLD, MODEL_WRITE_HOLD},
                                                              {MODEL_GET_HOLD, MODEL_PUT_HOLD}};
  const struct model_machine *machine = command->spe->machine;
  unsigned links = model_links(machine, command->spe->chip, command->far_chip);
  bool ls = command->far != NULL;
  double seen = ls ? model_value(machine, MODEL_FLAG, links)
                   : model_value(machine, MODEL_WORD, links) - model_value(machine, MODEL_POLL, 0);
  enum model_value reach = command->direction == MODEL_GET ? MODEL_STORE : MODEL_WRITE_LINE;
  command->way = way_of(command);
  double more = command->way - machine->mean_way, issue_time = model_value(machine, MODEL_ISSUE, 0);
  command->latency = model_value(machine, lines[ls][command->direction], links) - issue_time + more;
  command->hold = model_value(machine, holds[ls][command->direction], links) + more;
  command->seen = seen - issue_time + more;
  command->crossing = time_on_link(command);
  command->delay = ls ? 0 : model_value(machine, reach, links) - model_value(machine, reach, 0);
}

static void start(struct model_command *command) {
  size_t end = command->ea % MODEL_LINE_BYTES + command->nbytes;
  unsigned lines = (unsigned)((end + MODEL_LINE_BYTES - 1) / MODEL_LINE_BYTES);
  find_times(command);
  command->left = command->requests = command->kind == MODEL_TRANSFER ? lines : 1;
  command->done_at = 0;
  command->window->ready |= UINT32_C(1) << command->place;
  find_issue(command->window);
  find_next(command->spe);
  ask(command->spe);
}

/* --- order --- */

/* Start the commands that wait in TAG as far as they may. */
static void start_waiting(struct model_tag *tag) {
  while (tag->waiting.first && !tag->barrier && !(tag->running && tag->waiting.first->fenced)) {
    struct model_command *command = tag->waiting.first;
    tag->waiting.first = command->next;
    tag->running++;
    tag->barrier = command->barrier;
    command->expected = 1;
    start(command);
  }
}

/* The command has come to the MFC. */
static void arrive(struct event *event) {
  struct model_command *command = EVENT_OWNER(event, struct model_command, event);
  struct model_tag *tag = &command->spe->tags[command->tag];
  command->next = NULL;
  *(tag->waiting.first ? &tag->waiting.last->next : &tag->waiting.first) = command;
  tag->waiting.last = command;
  start_waiting(tag);
}

void model_dma_enqueue(const struct model_command *wanted) {
  struct model_spe *spe = wanted->spe;
  struct model_machine *machine = spe->machine;
  struct model_command *command = machine->unused;
  machine->unused = command->next;
  *command = *wanted;
  command->event.run = arrive;
  command->place = (unsigned)__builtin_ctz(~spe->used);
  spe->used |= UINT32_C(1) << command->place;
  spe->queue[command->place] = command;
  command->window = &spe->windows[machine->shape->windows == 1 ? MODEL_GET : command->direction];
  spe->tags[command->tag].given++;
  des_schedule(&command->event, des_local(spe->actor), DES_ISSUE, spe->index);
}
