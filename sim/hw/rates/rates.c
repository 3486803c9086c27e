/* SPDX-License-Identifier: BSD-3-Clause
 * The bus of rates, see bus.h: approximate. A transfer goes in a few pieces through servers with a rate; the
 * exact bus moves bus requests over rings.
 *
 * A piece has up to LINES_MAX lines (of 128 bytes of the effective address); a bus request of the exact bus
 * has one line. A stage is one event for a piece. On the exact bus a stage is an event for each line.
 * A piece stores two cycles: the arrival of its first line and of its last line at the present stage. The
 * difference is the time of the slowest server so far for the lines.
 *
 *   window        each line takes an entry and gives the entry back as on the exact bus; a piece is issued
 *                 when its first line has an entry, and holds only lines whose entries are free soon after
 *                 one another (rates_window.h). Jobs of an MFC take turns, also behind a job that comes while
 *                 no entry is free. A line to another chip takes a credit of the MFC and of the chip as well
 *   command bus   one of each chip takes the lines one by one; an MFC issues its next piece when the command
 *                 bus has taken the last one. Then comes the delay of the transfer (bus.c)
 *   port, memory  if lines take turns at the source: the port, or the memory controller, serves the lines
 *   ramps         pieces at a ramp out keep their order: the first one blocks the others. Senders to one ramp
 *                 in take turns, beginning after the last sender; memory takes the oldest piece first. Both
 *                 ramps are taken for the lines of the piece, the ramp in later by the travel, the hops of
 *                 the shorter way
 *   link          serves pieces in the order of arrival; each link of a way has an event of its own, since
 *                 a reservation for later would keep out an earlier piece
 *   ramps         the same on the chip of the target, from the BIF on
 *   port, memory  if lines take turns at the target
 *   end           visible after the last line: all bytes of the transfer are copied at once, and its command
 *                 is told
 *
 * There are no rings: a transfer meets others only at servers.
 *
 * Sizes: pieces of up to LINES_MAX lines, at least PIECES for a longer transfer. Smaller pieces come
 * closer to the exact bus and cost more events: docs/decisions.md. */
#include "sim/base/engine/des.h"
#include "sim/base/pool.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/board/memory.h"
#include "sim/hw/bus/arbiter.h"
#include "sim/hw/bus/blade_plan.h"
#include "sim/hw/bus/bus.h"
#include "sim/hw/bus/route.h"
#include "sim/hw/exact/bif.h"
#include "sim/hw/exact/bus_request.h"
#include "sim/hw/rates/rates_window.h"
#include "sim/hw/spe/dma.h"
#include "sim/hw/spe/spe.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 8, LINES_MAX = 16 };

/* Lines issued together by an MFC. */
struct piece {
  struct event event; /* its next stage */
  struct piece *next; /* in the queue of a ramp out */
  struct rates_job *job;
  struct ramps *to; /* the exit from the rings of CHIP */
  unsigned chip;
  unsigned nlines;
  uint64_t first, last; /* cycles at which its first and its last line are at this stage */
};

/* The ramps of a unit. */
struct ramps {
  struct rates *rates;
  unsigned chip, unit;
  struct rate_server out, in;
  struct piece *head, *tail; /* queue of the ramp out */
  uint32_t waiting;          /* units whose first piece waits for the ramp in */
  unsigned heard;            /* unit whose piece came in last */
  struct event sends, receives;
};

struct rates_mfc {
  struct rates *rates;
  struct dma *dma;
  struct event event; /* the MFC can issue */
  uint64_t from;      /* the command bus has taken all lines issued so far */
  struct rates_window windows[DMA_WINDOWS_MAX];
};

struct rates {
  struct bus bus;
  const struct board *board;
  const struct parameters *parameters;
  struct ramps *ramps;       /* [chip * nunits + unit] */
  uint64_t *commands;        /* by chip: when its command bus is free */
  struct rate_server *links; /* [from * nchips + to]: neighbouring chips */
  struct rates_mfc *mfcs;    /* by SPE */
  uint64_t *entries;         /* of all windows */
  size_t nentries;
  struct pool jobs, pieces;
};

static inline uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* --- servers --- */

static struct rate_interval times(struct rate_interval interval, unsigned n) {
  return rate_interval(n * rate_interval_mcyc(interval));
}

/* Return the cycle at which the last line of PIECE has been served if a server with INTERVAL for each line
 * takes the first one at START. */
static uint64_t end_of(const struct piece *piece, uint64_t start, struct rate_interval interval) {
  return later(start + times(interval, piece->nlines - 1).cycles, piece->last);
}

/* Let SERVER, with INTERVAL for each line, serve PIECE, whose first line is there now; its lines are at the
 * next stage DELAY later. */
static void serve(struct rate_server *server, struct piece *piece, struct rate_interval interval,
                  uint64_t delay) {
  uint64_t start = rate_server_ready(server, piece->first);
  piece->last = end_of(piece, start, interval) + delay;
  piece->first = start + delay;
  rate_server_take(server, start, times(interval, piece->nlines));
}

/* PIECE is at memory, or at a port whose lines take turns: END. */
static void serve_at_end(struct piece *piece, const struct bus_end *end, bool is_target) {
  const struct parameters *parameters = piece->job->mfc->rates->parameters;
  if (end->kind == BUS_END_MEMORY) {
    uint64_t mcyc = is_target ? parameters->memory_write_mcyc : parameters->memory_read_mcyc;
    serve(&end->memory->pace, piece, rate_interval(mcyc), parameters->memory_latency);
  } else {
    serve(&end->spe->ls_port, piece, rate_interval(parameters->ls_port_mcyc),
          is_target ? 0 : parameters->ls_read);
  }
}

static void next_stage(struct piece *piece, void (*run)(struct event *)) {
  assert(piece->first >= des_now());
  piece->event.run = run;
  des_schedule(&piece->event, piece->first, DES_READY, piece->job->mfc->dma->issuer);
}

/* --- the end of a piece --- */

static void issue(struct rates_mfc *mfc);

/* Credits of the chip of MFC are back: let the MFCs of the chip issue, the next one first. */
static void issue_on_chip(struct rates_mfc *mfc) {
  const struct rates *rates = mfc->rates;
  unsigned n = rates->parameters->spes_per_chip, spe = mfc->dma->issuer, first = spe / n * n;
  for (unsigned i = 1; i < n; i++) {
    issue(&rates->mfcs[first + (spe - first + i) % n]);
  }
}

static void deliver(struct event *event) {
  struct rates_job *job = EVENT_OWNER(event, struct rates_job, event);
  struct bus_transfer *transfer = job->transfer;
  pool_give(&job->mfc->rates->jobs, job);
  bus_request_land(transfer);
  dma_transfer_delivered(transfer);
}

/* The lines of PIECE arrive, from its first to its last cycle. */
static void arrive(struct piece *piece) {
  struct rates_job *job = piece->job;
  struct rates_mfc *mfc = job->mfc;
  const struct bus_transfer *transfer = job->transfer;
  uint64_t hold = transfer->visible + transfer->hold;
  credits_give(&mfc->windows[transfer->window].entries, piece->nlines, piece->first + hold,
               piece->last + hold);
  for (unsigned i = 0; i < RATES_LIMITS && job->credits[i]; i++) {
    credits_give(job->credits[i], piece->nlines, piece->first + hold, piece->last + hold);
  }
  job->visible_at = later(job->visible_at, piece->last + transfer->visible);
  job->underway -= piece->nlines;
  pool_give(&mfc->rates->pieces, piece);
  if (!job->underway && !job->left) {
    job->event.run = deliver;
    des_schedule(&job->event, job->visible_at, DES_DELIVER, mfc->dma->issuer);
  }
  if (job->credits[RATES_CHIP] && job->credits[RATES_CHIP]->free_at) {
    issue_on_chip(mfc);
  }
  issue(mfc);
}

static void reach_target(struct event *event) {
  struct piece *piece = EVENT_OWNER(event, struct piece, event);
  serve_at_end(piece, &piece->job->transfer->target, true);
  arrive(piece);
}

/* --- links --- */

static void enter_chip(struct event *event);

/* Let PIECE cross the next link on the way to its target. */
static void cross(struct piece *piece) {
  const struct rates *rates = piece->job->mfc->rates;
  const struct bus_transfer *transfer = piece->job->transfer;
  uint32_t line = rates->parameters->eib_request_bytes;
  uint32_t nbytes = transfer->undelivered < line ? transfer->undelivered : line;
  unsigned next = chip_ways_next(rates->board->ways, piece->chip, transfer->target.chip);
  serve(&rates->links[piece->chip * rates->parameters->nchips + next], piece,
        rates->board->plan->link_intervals[nbytes], rates->parameters->bif_data);
  piece->chip = next;
  next_stage(piece, enter_chip);
}

/* --- ramps --- */

static struct ramps *ramps_of(const struct rates *rates, unsigned chip, unsigned unit) {
  return &rates->ramps[chip * rates->parameters->ring.nunits + unit];
}

static unsigned travel_between(const struct ramps *from, const struct ramps *to) {
  const struct route *routes = from->rates->board->plan->routes;
  return routes[from->unit * from->rates->parameters->ring.nunits + to->unit].paths[0].travel;
}

/* Let PIECE, the first one of the ramp out of FROM, go to its ramp in, TRAVEL cycles away. */
static void pass(struct ramps *from, struct piece *piece, unsigned travel) {
  const struct parameters *parameters = from->rates->parameters;
  const struct bus_transfer *transfer = piece->job->transfer;
  struct rate_interval interval = parameters->ramp_interval, all = times(interval, piece->nlines);
  uint64_t now = des_now(), beats = parameters->ring.beats;
  rate_server_take(&from->out, now, all);
  rate_server_take(&piece->to->in, later(now + travel, piece->to->in.ready), all);
  piece->last = end_of(piece, now, interval) + travel + beats;
  piece->first = now + travel + beats;
  if (from->chip != transfer->target.chip) {
    cross(piece);
  } else if (transfer->target_takes_turns) {
    next_stage(piece, reach_target);
  } else {
    arrive(piece);
  }
}

static void look_at(struct ramps *from);

/* It is the turn of FROM: let the first piece pass if the ramp in is free when the piece gets there. */
static bool try_to_pass(struct ramps *from) {
  struct piece *piece = from->head;
  struct ramps *to = piece->to;
  unsigned travel = travel_between(from, to);
  if (to->in.ready > des_now() + travel) {
    return false;
  }
  to->heard = from->unit;
  to->waiting &= ~(UINT32_C(1) << from->unit);
  from->head = piece->next;
  pass(from, piece, travel);
  if (from->head) {
    look_at(from);
  }
  return true;
}

/* Return the units waiting for the ramp in of TO, memory, with the oldest first piece. */
static uint32_t with_oldest_piece(const struct ramps *to) {
  uint64_t since = UINT64_MAX;
  uint32_t oldest = 0;
  for (uint32_t rest = to->waiting; rest; rest &= rest - 1) {
    unsigned unit = (unsigned)__builtin_ctz(rest);
    uint64_t first = ramps_of(to->rates, to->chip, unit)->head->first;
    oldest = first < since ? 0 : oldest;
    since = first < since ? first : since;
    oldest |= first == since ? UINT32_C(1) << unit : 0;
  }
  return oldest;
}

/* Return the sender in turn at the ramp in of TO, for which some wait. */
static struct ramps *sender_to(const struct ramps *to) {
  bool is_memory = to->unit == to->rates->parameters->memory_unit;
  uint32_t senders = is_memory ? with_oldest_piece(to) : to->waiting;
  return ramps_of(to->rates, to->chip, arbiter_next(senders, 0, to->heard));
}

/* If anybody waits for the ramp in of TO, look again when the sender in turn can pass. */
static void receive_later(struct ramps *to) {
  if (to->waiting && !to->receives.pending) {
    uint64_t travel = travel_between(sender_to(to), to), ready = to->in.ready;
    des_schedule(&to->receives, later(ready > travel ? ready - travel : 0, des_now() + 1), DES_ARBITRATE,
                 to->unit);
  }
}

static void receive(struct event *event) {
  struct ramps *to = EVENT_OWNER(event, struct ramps, receives);
  try_to_pass(sender_to(to));
  receive_later(to);
}

/* Let the first piece of FROM pass: now, or when the ramp out is free, or in turn. */
static void look_at(struct ramps *from) {
  struct ramps *to = from->head->to;
  if (from->out.ready > des_now()) {
    if (!from->sends.pending) {
      des_schedule(&from->sends, from->out.ready, DES_ARBITRATE, from->unit);
    }
  } else if (to->waiting || !try_to_pass(from)) {
    to->waiting |= UINT32_C(1) << from->unit;
    receive_later(to);
  }
}

static void send(struct event *event) {
  look_at(EVENT_OWNER(event, struct ramps, sends));
}

/* Put PIECE, whose first line is at the ramp out of FROM now, into its queue. */
static void enter_rings(struct piece *piece, struct ramps *from) {
  const struct bus_end *target = &piece->job->transfer->target;
  const struct rates *rates = from->rates;
  unsigned unit = target->chip == from->chip ? target->unit : rates->parameters->bif_unit;
  piece->to = ramps_of(rates, from->chip, unit);
  piece->next = NULL;
  if (from->head) {
    from->tail = from->tail->next = piece;
  } else {
    from->head = from->tail = piece;
    look_at(from);
  }
}

static void enter_chip(struct event *event) {
  struct piece *piece = EVENT_OWNER(event, struct piece, event);
  const struct rates *rates = piece->job->mfc->rates;
  if (piece->chip == piece->job->transfer->target.chip) {
    enter_rings(piece, ramps_of(rates, piece->chip, rates->parameters->bif_unit));
  } else {
    cross(piece);
  }
}

static void leave_source(struct event *event) {
  struct piece *piece = EVENT_OWNER(event, struct piece, event);
  const struct bus_end *source = &piece->job->transfer->source;
  enter_rings(piece, ramps_of(piece->job->mfc->rates, source->chip, source->unit));
}

static void read_source(struct event *event) {
  struct piece *piece = EVENT_OWNER(event, struct piece, event);
  serve_at_end(piece, &piece->job->transfer->source, false);
  next_stage(piece, leave_source);
}

/* --- issue --- */

/* Let the job at PLACE of WINDOW of MFC issue a piece; there is an entry for its first line. */
static void issue_piece(struct rates_mfc *mfc, struct rates_window *window, struct rates_job **place) {
  struct rates *rates = mfc->rates;
  struct rates_job *job = rates_window_leave(window, place);
  const struct bus_transfer *transfer = job->transfer;
  struct piece *piece = pool_take(&rates->pieces);
  uint64_t *commands = &rates->commands[mfc->dma->spe->chip], last = des_now();
  unsigned n = rates_window_take(window, job, job->left < job->piece_max ? job->left : job->piece_max, &last);
  uint64_t start = later(des_now(), *commands);
  *commands = start + n * (uint64_t)transfer->interval;
  *piece = (struct piece){.job = job,
                          .chip = transfer->source.chip,
                          .nlines = n,
                          .first = start + transfer->delay,
                          .last = later(*commands - transfer->interval, last) + transfer->delay};
  mfc->from = *commands;
  job->left -= n;
  job->underway += n;
  rates_window_end_turn(window, job);
  next_stage(piece, transfer->source_takes_turns ? read_source : leave_source);
  if (!job->left) {
    dma_issued(transfer->command);
  }
}

/* Let MFC issue as much as is possible now, and look again when more is possible. */
static void issue(struct rates_mfc *mfc) {
  uint64_t from = 0;
  if (mfc->event.pending) {
    des_cancel(&mfc->event);
  }
  while (!mfc->dma->stopped && from <= des_now()) {
    struct rates_window *window = &mfc->windows[0], *other = &mfc->windows[DMA_WINDOWS_MAX - 1];
    struct rates_next next = rates_window_next(window), of_other = rates_window_next(other);
    if (of_other.from < next.from) {
      window = other;
      next = of_other;
    }
    from = later(next.from, mfc->from);
    if (from <= des_now()) {
      issue_piece(mfc, window, next.place);
    } else if (from != UINT64_MAX && !mfc->event.pending) {
      des_schedule(&mfc->event, from, DES_COMMAND, mfc->dma->issuer);
    }
  }
}

static void issue_now(struct event *event) {
  issue(EVENT_OWNER(event, struct rates_mfc, event));
}

/* --- the interface --- */

static struct rates *rates_of(struct bus *bus) {
  return (struct rates *)bus;
}

static void begin(struct bus *bus, struct bus_transfer *transfer) {
  struct rates *rates = rates_of(bus);
  struct rates_mfc *mfc = &rates->mfcs[transfer->dma->issuer];
  struct rates_job *job = pool_take(&rates->jobs);
  unsigned nlines = bus_transfer_requests(transfer, rates->parameters->eib_request_bytes),
           most = (nlines + PIECES - 1) / PIECES;
  *job = (struct rates_job){
    .transfer = transfer, .mfc = mfc, .left = nlines, .piece_max = most < LINES_MAX ? most : LINES_MAX};
  if (transfer->needs_credits) {
    unsigned direction = transfer->command->given.direction;
    job->credits[RATES_MFC] = &transfer->dma->credits[direction];
    job->credits[RATES_CHIP] = &transfer->dma->chip_credits[direction];
  }
  rates_window_add(&mfc->windows[transfer->window], job);
  issue(mfc);
}

static void stop(struct bus *bus, struct dma *dma) {
  issue(&rates_of(bus)->mfcs[dma->issuer]);
}

/* Make all MFCs of RATES idle, with all entries free. */
static void reset_entries(struct rates *rates) {
  uint64_t *places = rates->entries;
  memset(places, 0, rates->nentries * sizeof *places);
  for (unsigned i = 0; i < rates->parameters->nspes; i++) {
    struct rates_mfc *mfc = &rates->mfcs[i];
    *mfc = (struct rates_mfc){.rates = rates, .dma = &rates->board->spes[i].dma, .event = {.run = issue_now}};
    for (unsigned j = 0; j < DMA_WINDOWS_MAX; j++) {
      mfc->windows[j] = (struct rates_window){
        .entries = credits_at(&places, rates->parameters->mfc_window),
        .gap_max = RATES_GAP_LINES * rates->parameters->ring.beats,
      };
    }
  }
}

static void reset(struct bus *bus) {
  struct rates *rates = rates_of(bus);
  const struct parameters *parameters = rates->parameters;
  unsigned nchips = parameters->nchips, nunits = parameters->ring.nunits;
  for (unsigned i = 0; i < nchips * nunits; i++) {
    rates->ramps[i] = (struct ramps){.rates = rates,
                                     .chip = i / nunits,
                                     .unit = i % nunits,
                                     .heard = nunits - 1,
                                     .sends = {.run = send},
                                     .receives = {.run = receive}};
  }
  memset(rates->commands, 0, nchips * sizeof *rates->commands);
  memset(rates->links, 0, (size_t)nchips * nchips * sizeof *rates->links);
  pool_reset(&rates->jobs);
  pool_reset(&rates->pieces);
  reset_entries(rates);
  bif_reset_credits(rates->board->bif);
}

static void release(struct bus *bus) {
  struct rates *rates = rates_of(bus);
  pool_fini(&rates->jobs);
  pool_fini(&rates->pieces);
  free(rates->ramps);
  free(rates->commands);
  free(rates->links);
  free(rates->mfcs);
  free(rates->entries);
  free(rates);
}

struct bus *rates_new(struct board *board) {
  const struct parameters *parameters = board->parameters;
  struct rates *rates = xcalloc(1, sizeof *rates);
  unsigned nchips = parameters->nchips;
  *rates = (struct rates){.bus = {.begin = begin, .stop = stop, .reset = reset, .free = release},
                          .board = board,
                          .parameters = parameters,
                          .nentries = (size_t)parameters->nspes * DMA_WINDOWS_MAX *
                                      credits_room(parameters->mfc_window)};
  rates->ramps = xcalloc((size_t)nchips * parameters->ring.nunits, sizeof *rates->ramps);
  rates->commands = xcalloc(nchips, sizeof *rates->commands);
  rates->links = xcalloc((size_t)nchips * nchips, sizeof *rates->links);
  rates->mfcs = xcalloc(parameters->nspes, sizeof *rates->mfcs);
  rates->entries = xcalloc(rates->nentries, sizeof *rates->entries);
  pool_init(&rates->jobs, sizeof(struct rates_job));
  pool_init(&rates->pieces, sizeof(struct piece));
  reset(&rates->bus);
  return &rates->bus;
}
