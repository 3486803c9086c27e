/* SPDX-License-Identifier: BSD-3-Clause
 * What bus requests of the model machine share.
 *
 * On a chip a request passes when the ramp out of its sender and, as much later as it travels, the ramp into
 * its receiver are free. A sender's requests keep their order, and a receiver takes those of several senders
 * in turn: so the ramp of a sender stays idle while its first request waits. What is between, links and
 * memory, serves one after the other as they come; all that a request crosses there, and the ramps behind,
 * are taken at once, and of several waits the longest counts. */
#include "algos/cost/model_parts.h"

/* Keep what is busy until *FREE busy for CYCLES more.
 * returns: for how long it was. */
static double take(double *free, double cycles) {
  double now = model_now(), start = model_later(*free, now);
  *free = start + cycles;
  return start - now;
}

double model_way(const struct model_ramps *from, const struct model_ramps *to) {
  const struct model_machine *machine = from->machine;
  const double *lines = machine->values->of[MODEL_BETWEEN];
  unsigned n = machine->shape->spes_per_chip, a = from->unit - MODEL_OTHERS, b = to->unit - MODEL_OTHERS;
  return from->chip == to->chip ? model_later(0, lines[a * n + b] - lines[b * n + b]) : machine->mean_way;
}

/* Return the first cycle from which on a request that waits for nobody else can pass from FROM to TO, which
 * is WAY away. */
static double passes_from(const struct model_ramps *from, const struct model_ramps *to, double way) {
  return model_later(model_later(model_now(), from->out), to->in - way);
}

/* Let a request pass from FROM to TO, which is WAY away, from cycle START on. */
static void pass(struct model_ramps *from, struct model_ramps *to, double way, double start) {
  from->out = start + model_value(from->machine, MODEL_OUT, 0);
  to->in = start + way + model_value(from->machine, MODEL_IN, 0);
}

/* Pass from FROM to TO, which are on one chip, without a turn.
 * returns: how long that takes more than alone. */
static double take_ramps(struct model_ramps *from, struct model_ramps *to) {
  double way = from->machine->mean_way, start = passes_from(from, to, way);
  pass(from, to, way, start);
  return start - model_now();
}

/* Cross all links from FROM to TO, for BUSY cycles each, and pass to TO from where they end.
 * returns: how long that takes more than alone. */
static double cross(const struct model_ramps *from, struct model_ramps *to, double busy) {
  struct model_machine *machine = from->machine;
  unsigned nchips = machine->shape->nchips;
  double wait = 0;
  for (unsigned chip = from->chip; chip != to->chip;) {
    unsigned next = machine->shape->neighbour[chip * nchips + to->chip];
    wait = model_later(wait, take(&machine->links[chip * nchips + next], busy));
    chip = next;
  }
  return model_later(wait, take_ramps(model_unit(machine, to->chip, MODEL_BIF), to));
}

/* --- requests that wait --- */

/* Return a bus request of COMMAND. */
static struct model_request *take_request(struct model_command *command) {
  struct model_machine *machine = command->spe->machine;
  struct model_request *request = machine->unused_requests;
  machine->unused_requests = request->next;
  request->command = command;
  request->next = NULL;
  return request;
}

/* Return the command of REQUEST, which is over. */
static struct model_command *release(struct model_request *request) {
  struct model_machine *machine = request->command->spe->machine;
  request->next = machine->unused_requests;
  machine->unused_requests = request;
  return request->command;
}

/* --- turns --- */

static void look_at(struct model_ramps *from);

/* Let the first request of FROM, whose turn it is, pass if it can.
 * returns: whether it does. */
static bool try_to_pass(struct model_ramps *from) {
  struct model_request *request = from->first;
  struct model_ramps *to = request->to;
  double start = passes_from(from, to, request->way);
  if (start >= model_now() + 1) {
    return false;
  }
  pass(from, to, request->way, start);
  to->heard = from->unit;
  to->waiting &= ~(UINT32_C(1) << from->unit);
  from->first = request->next;
  double wait = to == request->end ? 0 : cross(from, request->end, request->command->crossing);
  model_dma_passed(release(request), wait);
  if (from->first) {
    look_at(from);
  }
  return true;
}

/* Return the unit whose turn it is at TO, for which some wait. */
static struct model_ramps *turn_at(const struct model_ramps *to) {
  uint32_t after = to->waiting & (UINT32_MAX << to->heard << 1);
  return model_unit(to->machine, to->chip, (unsigned)__builtin_ctz(after ? after : to->waiting));
}

/* Look again at TO, later than now, when the unit can pass whose turn it is. */
static void receive_later(struct model_ramps *to) {
  if (to->waiting && !to->receives.pending) {
    const struct model_ramps *from = turn_at(to);
    double at = passes_from(from, to, from->first->way), soon = model_now() + 1;
    des_schedule(&to->receives, model_whole(model_later(at, soon)), DES_ARBITRATE, to->unit);
  }
}

static void receive(struct event *event) {
  struct model_ramps *to = EVENT_OWNER(event, struct model_ramps, receives);
  try_to_pass(turn_at(to));
  receive_later(to);
}

/* Let the first request of FROM pass: at once, or when the ramp out is free, or in turn. */
static void look_at(struct model_ramps *from) {
  struct model_ramps *to = from->first->to;
  if (from->out >= model_now() + 1) {
    des_schedule(&from->sends, model_whole(from->out), DES_ARBITRATE, from->unit);
  } else if (to->waiting || !try_to_pass(from)) {
    to->waiting |= UINT32_C(1) << from->unit;
    receive_later(to);
  }
}

static void send(struct event *event) {
  look_at(EVENT_OWNER(event, struct model_ramps, sends));
}

void model_ramps_init(struct model_machine *machine, unsigned chip, unsigned unit) {
  *model_unit(machine, chip, unit) = (struct model_ramps){
    .machine = machine, .chip = chip, .unit = unit, .sends = {.run = send}, .receives = {.run = receive}};
}

/* Let a request of COMMAND wait for its turn from FROM to TO. */
static void take_turns(struct model_command *command, struct model_ramps *from, struct model_ramps *to) {
  struct model_request *request = take_request(command);
  request->to = from->chip == to->chip ? to : model_unit(from->machine, from->chip, MODEL_BIF);
  request->end = to;
  request->way = command->way;
  if (from->first) {
    from->last = from->last->next = request;
  } else {
    from->first = from->last = request;
    look_at(from);
  }
}

/* --- memory --- */

/* Let a request of COMMAND, which gets to memory now, pass.
 * returns: how long that takes more than alone. */
static double pass_memory(const struct model_command *command) {
  struct model_machine *machine = command->spe->machine;
  bool get = command->direction == MODEL_GET;
  struct model_ramps *memory = model_unit(machine, command->far_chip, MODEL_MEMORY);
  struct model_ramps *from = get ? memory : command->spe->ramps, *to = get ? command->spe->ramps : memory;
  double wait =
    take(&machine->controllers[command->far_chip], model_value(machine, get ? MODEL_READ : MODEL_WRITE, 0));
  if (from->chip == to->chip) {
    return model_later(wait, take_ramps(from, to));
  }
  wait = model_later(wait, take_ramps(from, model_unit(machine, from->chip, MODEL_BIF)));
  return model_later(wait, cross(from, to, command->crossing));
}

static void reach_memory(struct event *event) {
  struct model_command *command = release(EVENT_OWNER(event, struct model_request, event));
  model_dma_passed(command, pass_memory(command) - command->delay);
}

void model_bus_send(struct model_command *command) {
  struct model_spe *spe = command->spe, *far = command->far;
  if (far && command->direction == MODEL_GET) {
    take_turns(command, far->ramps, spe->ramps);
  } else if (far) {
    take_turns(command, spe->ramps, far->ramps);
  } else if (command->delay > 0) {
    struct model_request *request = take_request(command);
    request->event.run = reach_memory;
    des_schedule(&request->event, des_now() + model_cycles(command->delay), DES_READY, spe->index);
  } else {
    model_dma_passed(command, pass_memory(command));
  }
}
