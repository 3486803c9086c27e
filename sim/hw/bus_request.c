/* SPDX-License-Identifier: BSD-3-Clause
 * See bus_request.h.
 *
 * The life of a bus request. What a stage costs is named after the platform parameter. A stage needs an event only where
 * something is decided that others may change until then; what is known earlier is noted earlier.
 *
 *   dma.c           the MFC has a command with bytes left; it asks for the command bus for when it has a free window entry
 *   command_bus.c   the command bus accepts it (one command per command-interval)               -> bus_request_start
 *   command         command-phase, plus bif.command for each link on the way; then the sender's local store is read
 *                   (ls.read, once its port is free), or main memory (memory.c)      -> read_source
 *   eib.c           it is put into the queue of the on-ramp of its sender for the cycle at which its data will be ready, and
 *                   from then on waits until the data arbiter grants a ring                      -> bus_request_granted
 *   bif.c           if the target is on another chip: it queues for the link                     -> reach_bif
 *   crossing        after bif.data it is ready at the BIF's on-ramp of the next chip             -> bus_request_crossed
 *   port            if the target is a local store whose port is shared: it must be free         -> reach_target
 *   memory.c        if the target is main memory, it must also have been written                 -> reach_target
 *   last beat       + visible: the bytes (or the signal) can be seen in the target; only now they are copied -> deliver
 *                   + retire: its window entry is free again, which the MFC knows from now on    (dma.c)
 *                   + complete: if it is the last of its command, the tag group is told          (dma.c)
 *
 * The port: what leaves a local store for the bus and what comes from there share one data path (ls.port-interval) in the
 * order of arrival; an SPE that is source and sink at once is then slower each way than its ramps. Assumption: the local
 * store itself has a single port, and measurements on silicon (cellmark 2026) show such a loss in exchanges, none in
 * one-way streams; where in the bus interface the directions meet is not published. Signals do not pass it. With an
 * interval of 0 each direction has its own path, and the two stages are left out.
 *
 * The bytes are taken from their source as late as the architecture allows, when they become visible in the target: a
 * program that writes over them before its tag group is told has a race, and is more likely to see it here than on a machine.
 *
 * source: Kistler, Perrone, Petrini 2006 (phases); Ainsworth and Pinkston 2007 (flow of a DMA). */
#include "sim/hw/bus_request.h"

#include "sim/base/des.h"
#include "sim/hw/blade.h"
#include "sim/hw/ea.h"

#include <string.h>

static void read_source(struct event *event);
static void reach_bif(struct event *event);
static void reach_target(struct event *event);
static void deliver(struct event *event);

static inline void
next_stage(struct bus_request *request, void (*run)(struct event *), uint64_t at, enum des_phase phase)
{
  request->event.run = run;
  des_schedule(&request->event, at, phase, request->dma->issuer);
}

/* Have the bytes at PLACE, which a bus request will read or write soon, brought into the cache. */
static inline void
fetch_early(const uint8_t *place)
{
  __builtin_prefetch(place);
  __builtin_prefetch(place + BUS_REQUEST_BYTES_MAX / 2);
}

/* Tell whether bus requests that begin or end at END take turns there. */
static bool
takes_turns(const struct bus_end *end, const struct figures *figures)
{
  return end->kind == BUS_END_MEMORY || (end->kind == BUS_END_LS && figures->ls_port_mcyc);
}

void
bus_transfer_init(struct bus_transfer *transfer, struct blade *blade, bool is_put)
{
  const struct bus_end *source = &transfer->source, *target = &transfer->target;
  const struct figures *figures = &blade->figures;
  bool is_far = source->chip != target->chip;
  bool is_coherent = source->kind == BUS_END_MEMORY || target->kind == BUS_END_MEMORY;
  transfer->interval = is_coherent ? figures->coherent_interval : figures->command_interval;
  transfer->rings = &blade->eibs[source->chip];
  transfer->from = source->unit;
  transfer->to = is_far ? (uint8_t)blade->bif_unit : target->unit;
  transfer->is_far_put = is_far && is_put;
  transfer->source_takes_turns = takes_turns(source, figures);
  transfer->target_takes_turns = takes_turns(target, figures);
  transfer->delay =
    figures->command_phase + bif_distance(&blade->bif, source->chip, target->chip) * figures->bif_command;
  if (!transfer->source_takes_turns) {
    transfer->delay += figures->ls_read;
  }
}

/* Let REQUEST, whose data is ready at cycle READY_AT, as one of those of ORDER, wait for a transfer on the rings EIB of its
 * current chip. */
static inline void
enter_rings(struct bus_request *request, struct eib *eib, uint64_t ready_at, uint32_t order)
{
  request->event.at = ready_at;
  request->event.order = order;
  eib_send(eib, request);
}

void
bus_request_start(struct bus_request *request)
{
  const struct bus_transfer *transfer = &request->command->transfer;
  uint64_t at = des_now() + transfer->delay;
  if (transfer->source_takes_turns) {
    next_stage(request, read_source, at, DES_READY);
  } else {
    enter_rings(request, transfer->rings, at, request->dma->issuer);
  }
}

/* Take the port of the local store of SPE for one bus request as soon as it is free.
 * returns: the cycle from which on it is taken. */
static uint64_t
take_port(struct spe *spe)
{
  uint64_t start = pace_ready(&spe->ls_port, des_now());
  pace_take(&spe->ls_port, start, pace_interval(spe->blade->figures.ls_port_mcyc));
  return start;
}

/* Tell the observers that a memory controller takes REQUEST, whose data is read or written at cycle AT. */
static void
see_memory(const struct bus_request *request, uint64_t at)
{
  struct blade *blade = request->dma->blade;
  bool written = request->target.kind == BUS_END_MEMORY;
  blade_see_detail(blade, &(struct probe_event){.kind = PROBE_MEMORY,
                                                .spe = request->dma->issuer,
                                                .is_put = written,
                                                .nbytes = request->nbytes,
                                                .chip = written ? request->target.chip : request->source.chip,
                                                .waited = at - blade->figures.memory_latency - des_now()});
}

static void
read_source(struct event *event)
{
  struct bus_request *request = EVENT_OWNER(event, struct bus_request, event);
  struct blade *blade = request->dma->blade;
  uint64_t at;
  if (request->source.kind == BUS_END_MEMORY) {
    at = memory_read(request->source.memory);
    see_memory(request, at);
  } else {
    at = take_port(request->source.spe) + blade->figures.ls_read;
  }
  enter_rings(request, &blade->eibs[request->chip], at, request->dma->issuer);
}

/* The last beat of REQUEST reaches its target, or the port or memory there has taken it, at cycle AT. */
static void
arrive(struct bus_request *request, uint64_t at)
{
  fetch_early(request->source.bytes);
  fetch_early(request->target.bytes);
  __builtin_prefetch(request->target.spe);
  next_stage(request, deliver, at + request->dma->blade->figures.visible, DES_DELIVER);
}

static void
reach_target(struct event *event)
{
  struct bus_request *request = EVENT_OWNER(event, struct bus_request, event);
  uint64_t at;
  if (request->target.kind == BUS_END_MEMORY) {
    at = memory_write(request->target.memory);
    see_memory(request, at);
  } else {
    at = take_port(request->target.spe);
  }
  arrive(request, at);
}

void
bus_request_granted(struct bus_request *request, uint64_t end)
{
  if (request->chip != request->target.chip) {
    next_stage(request, reach_bif, end, DES_READY);
  } else if (request->target_takes_turns) {
    next_stage(request, reach_target, end, DES_READY);
  } else {
    arrive(request, end);
  }
}

static void
reach_bif(struct event *event)
{
  struct bus_request *request = EVENT_OWNER(event, struct bus_request, event);
  bif_send(&request->dma->blade->bif, request);
}

void
bus_request_crossed(struct bus_request *request, unsigned chip, uint64_t at)
{
  struct blade *blade = request->dma->blade;
  request->chip = (uint16_t)chip;
  if (chip != request->target.chip) {
    next_stage(request, reach_bif, at, DES_READY);
    return;
  }
  request->from = (uint8_t)blade->bif_unit;
  request->to = request->target.unit;
  /* Without bif.data it is there when all others of this cycle have come. */
  enter_rings(request, &blade->eibs[chip], at, at > des_now() ? request->dma->issuer : UINT32_MAX);
}

/* Tell the observers that REQUEST is about to write VALUE into a signal register. */
static void
see_signal(const struct bus_request *request, uint32_t value)
{
  unsigned which = request->target.signal;
  const struct spe *peer = request->target.spe;
  const struct snr *snr = &peer->signals[which];
  blade_see_detail(request->dma->blade, &(struct probe_event){.kind = PROBE_SIGNAL,
                                                              .spe = request->dma->issuer,
                                                              .tag = request->command->tag,
                                                              .peer = peer->index,
                                                              .number = which + 1,
                                                              .combines = snr->or_mode,
                                                              .full = snr->full,
                                                              .old = snr->value,
                                                              .value = value});
}

/* Copy NBYTES; the places may overlap. Nearly always it is a full line, which fits registers. */
static inline void
copy_bytes(uint8_t *to, const uint8_t *from, unsigned nbytes)
{
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

/* Return the effective address of the bytes of END, which lie in main memory. */
static uint64_t
memory_ea(const struct bus_end *end)
{
  const struct memory *memory = end->memory;
  return EA_MEMORY_BASE + end->chip * memory->figures->memory_bytes + (uint64_t)(end->bytes - memory->bytes);
}

/* Put the data of REQUEST into its target, which is no local store, and tell the program there. */
static void
write_elsewhere(struct bus_request *request)
{
  const struct bus_end *target = &request->target;
  const uint8_t *bytes = request->source.bytes;
  uint32_t word;
  switch ((enum bus_end_kind)target->kind) {
  case BUS_END_LS:
    break;
  case BUS_END_SIGNAL:
    memcpy(&word, bytes, sizeof word);
    see_signal(request, word);
    snr_write(&target->spe->signals[target->signal], word);
    des_poke(target->spe->actor, SPE_POKE_SIGNAL);
    break;
  case BUS_END_MAILBOX:
    memcpy(&word, bytes, sizeof word);
    mailbox_write(&target->spe->in_mailbox, word);
    des_poke(target->spe->actor, SPE_POKE_MAILBOX);
    break;
  case BUS_END_MEMORY:
    copy_bytes(target->bytes, bytes, request->nbytes);
    blade_memory_written(request->dma->blade, memory_ea(target));
    break;
  }
}

static void
deliver(struct event *event)
{
  struct bus_request *request = EVENT_OWNER(event, struct bus_request, event);
  const struct bus_end *target = &request->target;
  if (target->kind == BUS_END_LS) {
    copy_bytes(target->bytes, request->source.bytes, request->nbytes);
    des_poke(target->spe->actor, SPE_POKE_LS);
  } else {
    write_elsewhere(request);
  }
  dma_delivered(request);
}
