/* SPDX-License-Identifier: BSD-3-Clause
 * See bus_request.h.
 *
 * The life of a bus request. The cost of a stage has the name of a platform parameter. A stage needs an event
 * only where other units may still change the decision; a time known earlier needs no event.
 *
 *   exact_bus.c     the MFC has a transfer with bytes left; the MFC asks for the command bus from the cycle
 *                   of a free window entry
 *   exact_bus.h     the command bus accepts the next bus request (command_bus.c: one per command-interval)
 *                   -> bus_request_start
 *   command         command-phase, plus bif.command for each link on the way; then the sender's local store
 *                   is read (ls.read)
 *   port, memory.c  if the source is main memory or a local store with a shared port: the request waits its
 *                   turn
 *                   -> read_source
 *   eib.c           the request enters the queue of the sender's on-ramp for the cycle of ready data, and
 *                   waits from that cycle until the data arbiter grants a ring
 *                   -> bus_request_granted
 *   bif.c           if the target is on another chip: the request comes to the link at the cycle of its last
 *                   beat, and waits from that cycle for a turn
 *                   -> bus_request_crossed
 *   crossing        after bif.data the request is ready at the BIF's on-ramp of the next chip (eib.c), or at
 *                   the next link (bif.c)
 *   port, memory.c  if the target is main memory or a local store with a shared port: the request waits its
 *                   turn
 *                   -> reach_target
 *   last beat       the cycles of the last stages are known: the window entry goes back to the MFC, for the
 *                   cycle of + retire
 *                   + visible: the bytes (or the signal) can be seen in the target; only now the
 *                   bytes are copied
 *                   -> deliver
 *                   + complete: if the request is the last of its command, the tag group completes (dma.c)
 *
 * The bus pipeline, exact_bus, command_bus, eib, bus_request and bif, is the one circle of modules in the
 * tree (tests/lint/includes): the exact bus asks for the command bus, each stage hands the request to the
 * next stage, and the delivery frees the window entry.
 *
 * The common properties of all bus requests of a transfer, the way and most of the times, are computed once:
 * sim/hw/bus/bus.c.
 *
 * The port: data out of a local store and data into the local store share one data path to the bus
 * (ls.port-interval) in the order of arrival; an SPE that is source and sink at once is then slower each way
 * than its ramps. Assumption: the local store has a single port, and measurements on silicon (cellmark 2026)
 * show such a loss in exchanges, none in one-way streams; the place in the bus interface where the directions
 * meet is not published. Signals do not pass the port. With an interval of 0 each direction has a separate
 * path, without turns.
 *
 * The bytes are read from the source as late as the architecture allows, when the bytes become visible in the
 * target. A program that overwrites the source before the tag group completes has a race, and the race is
 * more likely to show here than on a machine.
 *
 * source: Kistler, Perrone, Petrini 2006 (phases); Ainsworth and Pinkston 2007 (flow of a DMA). */
#include "sim/hw/exact/bus_request.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/memory.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/board/program.h"
#include "sim/hw/exact/bif.h"
#include "sim/hw/exact/eib.h"
#include "sim/hw/exact/exact_bus.h"
#include "sim/hw/spe/reservation.h"
#include "sim/hw/spe/spe.h"

#include <string.h>

_Static_assert(sizeof(struct bus_request) == 64, "a cache line");
_Static_assert(sizeof(struct bus_transfer) == 128, "two cache lines");

static void read_source(struct event *event);
static void reach_target(struct event *event);
static void deliver(struct event *event);

struct probe_request bus_request_name(const struct bus_request *request) {
  const struct bus_transfer *transfer = request->transfer;
  return (struct probe_request){.spe = transfer->dma->issuer,
                                .command = transfer->command->number,
                                .tag = transfer->command->given.tag,
                                .offset = transfer->first + request->offset,
                                .nbytes = request->nbytes,
                                .entry =
                                  transfer->dma->entries ? (unsigned)(request - transfer->dma->entries) : 0};
}

static inline void next_stage(struct bus_request *request, void (*run)(struct event *), uint64_t at,
                              enum des_phase phase) {
  request->event.run = run;
  des_schedule(&request->event, at, phase, request->transfer->dma->issuer);
}

/* Prefetch the bytes at PLACE, which a bus request will soon read or write. */
static inline void fetch_early(const uint8_t *place) {
  __builtin_prefetch(place);
  __builtin_prefetch(place + BUS_REQUEST_BYTES_MAX / 2);
}

/* Let REQUEST, with data ready at cycle READY_AT, wait for a transfer on EIB, the rings of the current chip.
 * ORDER decides among requests of one cycle. */
static inline void enter_rings(struct bus_request *request, struct eib *eib, uint64_t ready_at,
                               uint32_t order) {
  request->event.at = ready_at;
  request->event.order = order;
  eib_send(eib, request);
}

void bus_request_start(struct bus_request *request) {
  const struct bus_transfer *transfer = request->transfer;
  uint64_t at = des_now() + transfer->delay;
  if (transfer->source_takes_turns) {
    next_stage(request, read_source, at, DES_READY);
  } else {
    enter_rings(request, transfer->rings, at, transfer->dma->issuer);
  }
}

/* Take the port of the local store of SPE for one bus request, as early as possible.
 * returns: the first cycle of the occupation. */
static uint64_t take_port(struct spe *spe) {
  uint64_t start = rate_server_ready(&spe->ls_port, des_now());
  rate_server_take(&spe->ls_port, start, rate_interval(spe->board->parameters->ls_port_mcyc));
  return start;
}

/* Tell the observers that the memory controller of CHIP takes REQUEST; the data is read or written at cycle
 * AT. */
static void see_memory(const struct bus_request *request, unsigned chip, uint64_t at) {
  const struct bus_transfer *transfer = request->transfer;
  struct board *board = transfer->dma->board;
  board_see_course(
    board, &(struct probe_event){.kind = PROBE_MEMORY,
                                 .memory = {.request = bus_request_name(request),
                                            .chip = chip,
                                            .is_write = transfer->target.kind == BUS_END_MEMORY,
                                            .waited = at - board->parameters->memory_latency - des_now()}});
}

static void read_source(struct event *event) {
  struct bus_request *request = EVENT_OWNER(event, struct bus_request, event);
  const struct bus_transfer *transfer = request->transfer;
  const struct bus_end *source = &transfer->source;
  uint64_t at;
  if (source->kind == BUS_END_MEMORY) {
    at = memory_read(source->memory);
    see_memory(request, source->chip, at);
  } else {
    at = take_port(source->spe) + transfer->dma->parameters->ls_read;
  }
  enter_rings(request, transfer->rings, at, transfer->dma->issuer);
}

/* The last beat of REQUEST reaches the target, or passes the target's port or memory controller, at cycle
 * AT. */
static inline __attribute__((always_inline)) void arrive(struct bus_request *request, uint64_t at) {
  const struct bus_transfer *transfer = request->transfer;
  fetch_early(transfer->source.bytes + request->offset);
  fetch_early(transfer->target.bytes + request->offset);
  next_stage(request, deliver, at + transfer->visible + des_lateness_of_part(), DES_DELIVER);
  exact_bus_arrives(request, request->event.at);
}

static void reach_target(struct event *event) {
  struct bus_request *request = EVENT_OWNER(event, struct bus_request, event);
  const struct bus_end *target = &request->transfer->target;
  uint64_t at;
  if (target->kind == BUS_END_MEMORY) {
    at = memory_write(target->memory);
    see_memory(request, target->chip, at);
  } else {
    at = take_port(target->spe);
  }
  arrive(request, at);
}

void bus_request_granted(struct bus_request *request, uint64_t end) {
  const struct bus_transfer *transfer = request->transfer;
  if (request->chip != transfer->target.chip) {
    bif_send(transfer->dma->board->bif, request, end, transfer->dma->issuer);
  } else if (transfer->target_takes_turns) {
    next_stage(request, reach_target, end, DES_READY);
  } else {
    arrive(request, end);
  }
}

void bus_request_crossed(struct bus_request *request, unsigned chip, uint64_t at) {
  const struct bus_transfer *transfer = request->transfer;
  struct board *board = transfer->dma->board;
  /* Without bif.data the request is there after all other requests of this cycle. */
  uint32_t order = at > des_now() ? transfer->dma->issuer : UINT32_MAX;
  request->chip = (uint16_t)chip;
  if (chip != transfer->target.chip) {
    bif_send(board->bif, request, at, order);
  } else {
    request->from = (uint8_t)board->parameters->bif_unit;
    request->to = transfer->target.unit;
    enter_rings(request, board->eibs[chip], at, order);
  }
}

/* Return the delivery of REQUEST as the cause of something. */
static struct probe_cause delivery_of(const struct bus_request *request) {
  struct probe_request name = bus_request_name(request);
  return (struct probe_cause){
    .kind = PROBE_BY_DELIVERY, .who = name.spe, .number = name.command, .offset = name.offset};
}

/* Copy NBYTES; the places may overlap. Nearly all copies are full lines, which fit registers. */
static inline void copy_bytes(uint8_t *to, const uint8_t *from, unsigned nbytes) {
  typedef uint8_t part __attribute__((vector_size(16), aligned(1), may_alias));
  if (nbytes == 8 * sizeof(part)) {
    const part *in = (const part *)from;
    part *out = (part *)to;
    part a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];
    out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e, out[5] = f, out[6] = g, out[7] = h;
  } else {
    memmove(to, from, nbytes);
  }
}

/* REQUEST has written main memory: end reservations of the line, and let PPE programs check the awaited
 * words. */
static void __attribute__((noinline)) end_reservations(const struct bus_request *request) {
  const struct bus_transfer *transfer = request->transfer;
  const struct bus_end *target = &transfer->target;
  const struct memory *memory = target->memory;
  uint64_t ea = EA_MEMORY_BASE + target->chip * memory->parameters->memory_bytes +
                (uint64_t)(target->bytes - memory->pages.bytes) + request->offset;
  struct reservation_units *units = transfer->dma->board->reservations;
  struct probe_cause cause = delivery_of(request);
  struct reservation_moment before_all_loads = {des_now(), 0};
  reservation_written(units, ea, &(struct reservation_write){units->n, before_all_loads, &cause});
  ppe_poke_all(transfer->dma->board, PPE_POKE_MEMORY, &cause);
}

/* Put the word of REQUEST into the target register, and poke the program there.
 * returns: whether the program wakes. */
static bool __attribute__((noinline)) write_register(const struct bus_request *request) {
  const struct bus_transfer *transfer = request->transfer;
  struct spe *spe = transfer->target.spe;
  struct probe_cause by = delivery_of(request);
  uint32_t word;
  memcpy(&word, transfer->source.bytes, sizeof word);
  if (transfer->target.kind == BUS_END_SIGNAL) {
    spe_put_signal(spe, transfer->target.signal, by, word);
    return des_poke(spe->actor, SPE_POKE_SIGNAL | SPE_POKE_EVENT);
  }
  spe_put_mailbox(spe, &spe->in_mailbox, by, word);
  return des_poke(spe->actor, SPE_POKE_MAILBOX | SPE_POKE_EVENT);
}

/* Tell the observers that REQUEST is delivered; WAKES: the program there wakes. */
static void see_delivery(const struct bus_request *request, bool wakes) {
  const struct bus_transfer *transfer = request->transfer;
  const struct bus_end *target = &transfer->target;
  if (wakes) {
    program_woken(target->spe->actor, delivery_of(request));
  }
  if (!board_is_followed(transfer->dma->board)) {
    return;
  }
  unsigned peer = target->kind == BUS_END_MEMORY ? PROBE_NOBODY : target->spe->index;
  board_tell(transfer->dma->board, &(struct probe_event){.kind = PROBE_DELIVER,
                                                         .deliver = {.request = bus_request_name(request),
                                                                     .peer = peer,
                                                                     .wakes = wakes,
                                                                     .free_at = des_now() + transfer->hold}});
}

/* Make the bytes of REQUEST visible in the target now. Inline for the exact bus, with one delivery at a time.
 * returns: whether the program there wakes. */
static inline __attribute__((always_inline)) bool show_bytes(const struct bus_request *request) {
  const struct bus_transfer *transfer = request->transfer;
  const struct bus_end *target = &transfer->target;
  uint8_t *to = target->bytes + request->offset;
  const uint8_t *from = transfer->source.bytes + request->offset;
  bool wakes = false;
  if (target->kind == BUS_END_LS) {
    copy_bytes(to, from, request->nbytes);
    wakes = des_poke(target->spe->actor, SPE_POKE_LS);
  } else if (target->kind == BUS_END_MEMORY) {
    copy_bytes(to, from, request->nbytes);
    if (__builtin_expect(transfer->dma->board->reservations->in_use, 0)) {
      end_reservations(request);
    }
  } else {
    wakes = write_register(request);
  }
  return wakes;
}

/* As land; observers look at the target before and after. */
static void __attribute__((noinline, cold)) land_watched(const struct bus_request *request) {
  const struct bus_transfer *transfer = request->transfer;
  const struct dma_command *command = transfer->command;
  const struct bus_end *target = &transfer->target;
  bool is_told = command->arrives && (target->kind == BUS_END_LS || target->kind == BUS_END_MEMORY);
  if (is_told || (command->before && memcmp(command->before + transfer->first + request->offset,
                                            target->bytes + request->offset, request->nbytes) != 0)) {
    board_see_order(transfer->dma->board,
                    &(struct probe_event){.kind = PROBE_ARRIVE, .landed = bus_request_name(request)});
  }
  see_delivery(request, show_bytes(request));
}

static inline __attribute__((always_inline)) void land(const struct bus_request *request) {
  if (__builtin_expect(request->transfer->dma->board->probes.n != 0, 0)) {
    land_watched(request);
  } else {
    show_bytes(request);
  }
}

static void deliver(struct event *event) {
  struct bus_request *request = EVENT_OWNER(event, struct bus_request, event);
  land(request);
  exact_bus_delivered(request);
}

void bus_request_land(struct bus_transfer *transfer) {
  bool moves = !transfer->dma->board->times_only || !transfer->command->given.is_data;
  struct bus_request all = {.transfer = transfer, .nbytes = (uint16_t)(moves ? transfer->undelivered : 0)};
  land(&all);
}
