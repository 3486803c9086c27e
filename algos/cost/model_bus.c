/* SPDX-License-Identifier: BSD-3-Clause
 * What bus requests of the model machine share: each serves them one after the other, in the order in which they were issued. */
#include "algos/cost/model_parts.h"

/* Keep what is busy until *FREE busy for CYCLES more.
 * returns: for how long it was. */
static double
take(double *free, double cycles)
{
  double now = (double)des_now(), start = model_later(*free, now);
  *free = start + cycles;
  return start - now;
}

/* Keep CYCLES of GAP busy, from START on; the longer one of what is left of it remains.
 * returns: START. */
static double
fill(struct model_gap *gap, double start, double cycles)
{
  if (start - gap->from < gap->to - start - cycles) {
    gap->from = start + cycles;
  } else {
    gap->to = start;
  }
  return start;
}

/* Keep the ramp into a local store busy for CYCLES as soon as it is free, from EARLIEST on: between requests that come later because
 * their sender is busy, or behind all.
 * returns: from when on. */
static double
take_in(struct model_ramps *ramps, double earliest, double cycles)
{
  for (unsigned i = 0; earliest + cycles <= ramps->gaps_end && i < MODEL_GAPS; i++) {
    struct model_gap *gap = &ramps->gaps[i];
    double start = model_later(earliest, gap->from);
    if (start + cycles <= gap->to) {
      return fill(gap, start, cycles);
    }
  }
  double free = model_later(ramps->in, (double)des_now()), start = model_later(earliest, free);
  if (start >= free + cycles) {
    ramps->gaps[ramps->ngaps++ % MODEL_GAPS] = (struct model_gap){free, start};
    ramps->gaps_end = start;
  }
  ramps->in = start + cycles;
  return start;
}

/* Pass from FROM to TO, which are on one chip: as soon as the ramp of FROM is free, and that of TO when the request gets there.
 * returns: how long that takes more than alone. */
static double
take_ramps(const struct model_machine *machine, struct model_ramps *from, struct model_ramps *to)
{
  double now = (double)des_now(), travel = from == to ? 0 : model_value(machine, MODEL_TRAVEL, 0);
  double start =
    take_in(to, model_later(now, from->out) + travel, model_value(machine, MODEL_IN, 0)) - travel;
  from->out = start + model_value(machine, MODEL_OUT, 0);
  return start - now;
}

/* Cross all links from chip FROM to chip TO.
 * returns: how long the one waits that is busiest. */
static double
take_links(struct model_machine *machine, unsigned from, unsigned to)
{
  unsigned nchips = machine->shape->nchips;
  double wait = 0;
  while (from != to) {
    unsigned next = machine->shape->neighbour[from * nchips + to];
    wait =
      model_later(wait, take(&machine->links[from * nchips + next], model_value(machine, MODEL_LINK, 0)));
    from = next;
  }
  return wait;
}

double
model_bus_pass(const struct model_command *command)
{
  struct model_spe *spe = command->spe, *far = command->far;
  struct model_machine *machine = spe->machine;
  bool get = command->direction == MODEL_GET;
  struct model_ramps *distant = far ? &far->ramps : &machine->memories[command->far_chip].ramps;
  struct model_ramps *from = get ? distant : &spe->ramps, *to = get ? &spe->ramps : distant;
  unsigned start = get ? command->far_chip : spe->chip, end = get ? spe->chip : command->far_chip;
  double wait = 0;
  if (!far) {
    enum model_value use = get ? MODEL_READ : MODEL_WRITE;
    wait = take(&machine->memories[command->far_chip].free, model_value(machine, use, 0));
  }
  if (start == end) {
    return model_later(wait, take_ramps(machine, from, to));
  }
  wait = model_later(wait, take_ramps(machine, from, &machine->bifs[start]));
  wait = model_later(wait, take_links(machine, start, end));
  return model_later(wait, take_ramps(machine, &machine->bifs[end], to));
}
