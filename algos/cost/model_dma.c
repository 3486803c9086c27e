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
static void start(struct model_command *command);

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

/* Let COMMAND be complete in CYCLES. */
static void
complete_in(struct model_command *command, double cycles)
{
  command->done.run = complete;
  des_schedule(&command->done, des_now() + model_cycles(cycles), DES_COMPLETE, command->spe->index);
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
    des_poke(far->actor, MODEL_POKE_FLAG);
  }
}

/* Return how many window entries of SPE the bursts in direction WAY leave. */
static double
window_room(const struct model_spe *spe, enum model_direction way)
{
  const struct model_machine *machine = spe->machine;
  return machine->shape->burst - spe->burst[way] - spe->burst[!way] * model_value(machine, MODEL_BOTH, 0);
}

/* Return how many bus requests COMMAND makes. */
static double
requests_of(const struct model_command *command)
{
  size_t offset = command->ea % MODEL_LINE_BYTES;
  return command->kind == MODEL_TRANSFER
           ? (double)((offset + command->nbytes + MODEL_LINE_BYTES - 1) / MODEL_LINE_BYTES)
           : 1;
}

/* Let COMMAND wait if the window has no entry for it.
 * returns: whether it waits. */
static bool
waits_for_window(struct model_command *command)
{
  struct model_spe *spe = command->spe;
  enum model_direction way = command->direction;
  if (window_room(spe, way) >= 1) {
    return false;
  }
  if (spe->burst[way] <= 0) {
    way = !way;
  }
  append(&spe->waiting[way], command);
  return true;
}

/* The requests of a burst have come back: its window entries are free. */
static void
release(struct event *event)
{
  struct model_command *command = EVENT_OWNER(event, struct model_command, release);
  struct model_spe *spe = command->spe;
  enum model_direction way = command->direction;
  struct model_queue waiting = spe->waiting[way];
  spe->burst[way] -= command->burst;
  spe->waiting[way].first = NULL;
  forget(command);
  while (waiting.first) {
    start(take_first(&waiting));
  }
}

static void
start_notification(struct model_command *command)
{
  const struct model_machine *machine = command->spe->machine;
  bool signal = command->kind == MODEL_SIGNALLING;
  unsigned links = model_links(machine, command->spe->chip, command->far_chip);
  double issue = model_value(machine, MODEL_ISSUE, 0), status = model_value(machine, MODEL_STATUS, 0);
  double seen = model_value(machine, signal ? MODEL_SIGNAL : MODEL_FLAG, links) - issue;
  double done = model_value(machine, signal ? MODEL_SIGNAL_DONE : MODEL_FLAG_DONE, links) - issue - status;
  command->burst = 1;
  command->expected++;
  command->release.run = release;
  command->spe->burst[MODEL_PUT] += 1;
  des_schedule(&command->release, des_now() + model_cycles(done), DES_COMPLETE, command->spe->index);
  command->event.run = deliver;
  des_schedule(&command->event, des_now() + model_cycles(seen), DES_DELIVER, command->far->index);
  complete_in(command, done);
}

/* --- transfers --- */

/* The values of a transfer of one bus request, of a full window, and of a DMA of 16 KiB. */
struct sizes {
  enum model_value line, burst, dma;
};

static struct sizes
sizes_of(const struct model_command *command)
{
  static const struct sizes all[2][MODEL_DIRECTIONS] = {
    {{MODEL_READ_LINE, MODEL_READ_BURST, MODEL_READ_DMA},
     {MODEL_WRITE_LINE, MODEL_WRITE_BURST, MODEL_WRITE_DMA}},
    {{MODEL_GET_LINE, MODEL_GET_BURST, MODEL_GET_DMA}, {MODEL_PUT_LINE, MODEL_PUT_BURST, MODEL_PUT_DMA}}};
  return all[command->far != NULL][command->direction];
}

/* Let FLOW use all links from chip FROM to chip TO, and the units of these chips that lead to them. */
static void
use_links(struct model_machine *machine, struct model_flow *flow, unsigned from, unsigned to)
{
  unsigned nchips = machine->shape->nchips;
  if (from == to) {
    return;
  }
  model_flow_add_use(flow, &machine->bif_in[from], model_value(machine, MODEL_IN, 0));
  model_flow_add_use(flow, &machine->bif_out[to], model_value(machine, MODEL_OUT, 0));
  for (unsigned chip = from; chip != to;) {
    unsigned next = machine->shape->neighbour[chip * nchips + to];
    model_flow_add_use(flow, &machine->links[chip * nchips + next], model_value(machine, MODEL_LINK, 0));
    chip = next;
  }
}

/* Let the flow of COMMAND use what it crosses. */
static void
use_path(struct model_command *command)
{
  struct model_spe *spe = command->spe, *far = command->far;
  struct model_machine *machine = spe->machine;
  struct model_flow *flow = &command->flow;
  enum model_direction way = command->direction;
  double out = model_value(machine, MODEL_OUT, 0), in = model_value(machine, MODEL_IN, 0);
  model_flow_add_use(flow, &spe->window[way], flow->rest_pace);
  model_flow_add_use(flow, &spe->window[!way], flow->rest_pace * model_value(machine, MODEL_BOTH, 0));
  flow->nwindows = flow->nuses;
  model_flow_add_use(flow, way == MODEL_GET ? &spe->in : &spe->out, way == MODEL_GET ? in : out);
  if (far) {
    model_flow_add_use(flow, way == MODEL_GET ? &far->out : &far->in, way == MODEL_GET ? out : in);
  } else {
    model_flow_add_use(flow, &machine->memory[command->far_chip],
                       model_value(machine, way == MODEL_GET ? MODEL_READ : MODEL_WRITE, 0));
  }
  if (way == MODEL_GET) {
    use_links(machine, flow, command->far_chip, spe->chip);
  } else {
    use_links(machine, flow, spe->chip, command->far_chip);
  }
}

/* Let COMMAND, whose flow is ready, begin when it is the turn of its burst at SOURCE. */
static void
take_turn(struct model_command *command, struct model_source *source)
{
  double now = (double)des_now();
  if (source->nbursts && now > source->open) {
    append(&source->waiting, command);
    return;
  }
  source->open =
    (source->nbursts ? source->open : now) + command->flow.burst * command->spe->machine->shape->command;
  source->nbursts++;
  command->source = source;
  model_flow_begin(&command->flow);
}

/* The burst of FLOW has passed: it is the turn of the next one. */
static void
burst_passed(struct model_flow *flow)
{
  struct model_command *command = EVENT_OWNER(flow, struct model_command, flow);
  struct model_source *source = command->source;
  if (!source || --source->nbursts) {
    return;
  }
  if (source->waiting.first) {
    take_turn(take_first(&source->waiting), source);
  }
}

/* The last bus request of a transfer has passed. */
static void
passed(struct model_flow *flow)
{
  struct model_command *command = EVENT_OWNER(flow, struct model_command, flow);
  struct model_spe *spe = command->spe;
  const struct model_machine *machine = spe->machine;
  unsigned links = model_links(machine, spe->chip, command->far_chip);
  double line = model_value(machine, sizes_of(command).line, links);
  spe->nresting[command->direction] -= flow->rest > 0;
  complete_in(command, line - model_value(machine, MODEL_ISSUE, 0) - model_value(machine, MODEL_STATUS, 0) -
                         flow->burst_pace);
}

static void
start_transfer(struct model_command *command)
{
  struct model_spe *spe = command->spe;
  struct model_machine *machine = spe->machine;
  struct model_flow *flow = &command->flow;
  unsigned links = model_links(machine, spe->chip, command->far_chip), window = machine->shape->burst;
  enum model_direction way = command->direction;
  struct sizes sizes = sizes_of(command);
  double line = model_value(machine, sizes.line, links), burst = model_value(machine, sizes.burst, links);
  double after = MODEL_DMA_BYTES / MODEL_LINE_BYTES - window;
  double requests = requests_of(command);
  double room = spe->nresting[way] ? 0 : fmax(0, window_room(spe, way));
  flow->burst_pace = window > 1 ? (burst - line) / (window - 1) : line;
  flow->rest_pace = after > 0 ? (model_value(machine, sizes.dma, links) - burst) / after : flow->burst_pace;
  command->burst = flow->burst = requests < room ? requests : room;
  flow->rest = requests - flow->burst;
  flow->nuses = 0;
  flow->ended = passed;
  flow->burst_ended = burst_passed;
  flow->order = spe->index;
  flow->flows = &machine->flows;
  command->release.run = release;
  if (command->burst > 0) {
    double hold = fmax(line - model_value(machine, MODEL_ISSUE, 0), window * flow->rest_pace);
    des_schedule(&command->release, des_now() + model_cycles(hold), DES_COMPLETE, spe->index);
    command->expected++;
  }
  spe->burst[way] += command->burst;
  spe->nresting[way] += flow->rest > 0;
  use_path(command);
  command->source = NULL;
  if (way == MODEL_GET && flow->burst > 0) {
    take_turn(command, command->far ? &command->far->source : &machine->sources[command->far_chip]);
  } else {
    model_flow_begin(flow);
  }
}

/* --- order --- */

static void
start(struct model_command *command)
{
  if (waits_for_window(command)) {
    return;
  }
  if (command->kind == MODEL_TRANSFER) {
    start_transfer(command);
  } else {
    start_notification(command);
  }
}

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
  struct model_use *uses = command->flow.uses;
  machine->unused = command->next;
  *command = *wanted;
  command->flow.uses = uses;
  command->event.run = arrive;
  spe->ncommands++;
  spe->tags[command->tag].given++;
  des_schedule(&command->event, des_local(spe->actor), DES_ISSUE, spe->index);
}
