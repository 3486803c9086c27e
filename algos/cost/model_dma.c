/* SPDX-License-Identifier: BSD-3-Clause
 * The MFCs of the model machine: commands, their order in a tag group, and how long they take. */
#include "algos/cost/model_parts.h"

#include <math.h>
#include <string.h>

/* --- queues --- */

static void
append(struct model_queue *queue, struct model_command *command)
{
  command->next = NULL;
  if (queue->first) {
    queue->last->next = command;
  } else {
    queue->first = command;
  }
  queue->last = command;
}

static struct model_command *
take_first(struct model_queue *queue)
{
  struct model_command *first = queue->first;
  queue->first = first ? first->next : NULL;
  return first;
}

/* --- the end of a command --- */

static void start_waiting(struct model_tag *tag);

/* One of the events of COMMAND has come. */
static void
forget(struct model_command *command)
{
  if (!--command->expected) {
    command->next = command->spe->machine->unused;
    command->spe->machine->unused = command;
  }
}

static void
complete(struct event *event)
{
  struct model_command *command = EVENT_OWNER(event, struct model_command, done);
  struct model_spe *spe = command->spe;
  struct model_tag *tag = &spe->tags[command->tag];
  spe->ncommands--;
  tag->given--;
  tag->running--;
  tag->barrier &= !command->barrier;
  forget(command);
  start_waiting(tag);
  des_poke(spe->actor, MODEL_POKE_DMA);
}

/* --- notifications and signals --- */

static void
deliver(struct event *event)
{
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

/* Return the window from which the bus requests of COMMAND are taken. */
static struct model_window *
window_of(const struct model_command *command)
{
  bool shared = model_value(command->spe->machine, MODEL_BOTH, 0) > 0.5;
  return &command->spe->windows[shared ? MODEL_GET : command->direction];
}

/* Return the cycle from which on WINDOW has a bus request to issue, and an entry for it; INFINITY: it has none. */
static double
issues_from(const struct model_window *window)
{
  return window->current || window->waiting.first ? window->free_at[window->first] : INFINITY;
}

/* Keep the entry of WINDOW that has been free longest until cycle UNTIL. */
static void
keep_entry(struct model_window *window, unsigned size, double until)
{
  unsigned place = window->first;
  window->first = place + 1 < size ? place + 1 : 0;
  while (place != window->first) {
    unsigned before = place ? place - 1 : size - 1;
    if (window->free_at[before] <= until) {
      break;
    }
    window->free_at[place] = window->free_at[before];
    place = before;
  }
  window->free_at[place] = until;
}

/* All bus requests of COMMAND are issued, the last one to come back in WAIT cycles more than alone. */
static void
end_issue(struct model_command *command, double wait)
{
  command->done.run = complete;
  des_schedule(&command->done, model_cycles(command->done_at), DES_COMPLETE, command->spe->index);
  if (command->kind != MODEL_TRANSFER) {
    unsigned number = command->far ? command->far->index : command->spe->machine->shape->nspes;
    command->expected++;
    command->event.run = deliver;
    des_schedule(&command->event, des_now() + model_cycles(command->seen + wait), DES_DELIVER, number);
  }
}

/* Return the command whose turn it is in WINDOW, the current one from then on: others come before the one that has issued last. */
static struct model_command *
next_of(struct model_window *window)
{
  struct model_command *last = window->current;
  if (window->waiting.first) {
    window->current = take_first(&window->waiting);
    if (last) {
      append(&window->waiting, last);
    }
  }
  return window->current;
}

/* Issue the next bus request of the WINDOW of SPE. */
static void
issue(struct model_spe *spe, struct model_window *window)
{
  struct model_command *command = next_of(window);
  double wait = model_bus_pass(command), from = (double)des_now() + wait;
  keep_entry(window, spe->machine->shape->window, from + command->hold);
  command->done_at = model_later(command->done_at, from + command->latency);
  if (!--command->requests) {
    window->current = NULL;
    end_issue(command, wait);
  }
}

/* --- command buses --- */

/* Find out from which cycle on SPE has a bus request to issue, and an entry for it. */
static void
find_next(struct model_spe *spe)
{
  double get = issues_from(&spe->windows[MODEL_GET]), put = issues_from(&spe->windows[MODEL_PUT]);
  spe->issues_from = get < put ? get : put;
}

/* Let SPE issue the next bus request of a window that can; they take turns. */
static void
take_turn(struct model_spe *spe)
{
  struct model_command_bus *bus = &spe->machine->command_buses[spe->chip];
  enum model_direction way = !spe->last;
  spe->last = issues_from(&spe->windows[way]) <= (double)des_now() ? way : !way;
  bus->free = des_now() + spe->machine->shape->command;
  issue(spe, &spe->windows[spe->last]);
  find_next(spe);
}

/* Let SPE ask when it has something to issue, if that is known. */
static void
look_later(struct model_spe *spe)
{
  if (isinf(spe->issues_from)) {
    return;
  }
  uint64_t at = (uint64_t)ceil(spe->issues_from);
  if (spe->turn.pending && spe->turn.at > at) {
    des_cancel(&spe->turn);
  }
  if (!spe->turn.pending) {
    des_schedule(&spe->turn, at, DES_ISSUE, spe->index);
  }
}

/* Let SPE issue what it can: at once while nobody else asks for the command bus, else in turn. */
static void
ask(struct model_spe *spe)
{
  struct model_command_bus *bus = &spe->machine->command_buses[spe->chip];
  uint64_t now = des_now();
  if (spe->asks) {
    return;
  }
  if (spe->issues_from <= (double)now && bus->free <= now && !bus->first) {
    take_turn(spe);
  }
  if (spe->issues_from > (double)now) {
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

static void
entry_is_free(struct event *event)
{
  ask(EVENT_OWNER(event, struct model_spe, turn));
}

static void
serve(struct event *event)
{
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

void
model_dma_init(struct model_spe *spe)
{
  spe->turn.run = entry_is_free;
}

void
model_command_bus_init(struct model_command_bus *bus)
{
  *bus = (struct model_command_bus){.event = {.run = serve}};
}

/* --- commands --- */

/* Find the times of the bus requests of COMMAND. */
static void
find_times(struct model_command *command)
{
  static const enum model_value latencies[2][MODEL_DIRECTIONS] = {{MODEL_READ_LINE, MODEL_WRITE_LINE},
                                                                  {MODEL_GET_LINE, MODEL_PUT_LINE}},
                                holds[2][MODEL_DIRECTIONS] = {{MODEL_READ_HOLD, MODEL_WRITE_HOLD},
                                                              {MODEL_GET_HOLD, MODEL_PUT_HOLD}};
  const struct model_machine *machine = command->spe->machine;
  unsigned links = model_links(machine, command->spe->chip, command->far_chip);
  bool ls = command->far != NULL, signal = command->kind == MODEL_SIGNALLING;
  double issue_time = model_value(machine, MODEL_ISSUE, 0), status = model_value(machine, MODEL_STATUS, 0);
  if (command->kind == MODEL_TELLING) {
    command->seen =
      model_value(machine, MODEL_WORD, links) - model_value(machine, MODEL_POLL, 0) - issue_time;
  }
  if (command->kind == MODEL_TRANSFER || command->kind == MODEL_TELLING) {
    command->latency = model_value(machine, latencies[ls][command->direction], links) - issue_time - status;
    command->hold = model_value(machine, holds[ls][command->direction], links);
    return;
  }
  command->seen = model_value(machine, signal ? MODEL_SIGNAL : MODEL_FLAG, links) - issue_time;
  command->latency = command->hold =
    model_value(machine, signal ? MODEL_SIGNAL_DONE : MODEL_FLAG_DONE, links) - issue_time - status;
}

/* Return how many bus requests COMMAND makes. */
static unsigned
requests_of(const struct model_command *command)
{
  size_t offset = command->ea % MODEL_LINE_BYTES;
  return command->kind == MODEL_TRANSFER
           ? (unsigned)((offset + command->nbytes + MODEL_LINE_BYTES - 1) / MODEL_LINE_BYTES)
           : 1;
}

static void
start(struct model_command *command)
{
  find_times(command);
  command->requests = requests_of(command);
  command->done_at = 0;
  append(&window_of(command)->waiting, command);
  find_next(command->spe);
  ask(command->spe);
}

/* --- order --- */

/* Start the commands that wait in TAG as far as they may. */
static void
start_waiting(struct model_tag *tag)
{
  while (tag->waiting.first && !tag->barrier && !(tag->running && tag->waiting.first->fenced)) {
    struct model_command *command = take_first(&tag->waiting);
    tag->running++;
    tag->barrier = command->barrier;
    command->expected = 1;
    start(command);
  }
}

/* The command has come to the MFC. */
static void
arrive(struct event *event)
{
  struct model_command *command = EVENT_OWNER(event, struct model_command, event);
  struct model_tag *tag = &command->spe->tags[command->tag];
  append(&tag->waiting, command);
  start_waiting(tag);
}

void
model_dma_enqueue(const struct model_command *wanted)
{
  struct model_spe *spe = wanted->spe;
  struct model_machine *machine = spe->machine;
  struct model_command *command = machine->unused;
  machine->unused = command->next;
  *command = *wanted;
  command->event.run = arrive;
  spe->ncommands++;
  spe->tags[command->tag].given++;
  des_schedule(&command->event, des_local(spe->actor), DES_ISSUE, spe->index);
}
