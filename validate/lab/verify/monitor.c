/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/verify/monitor.h"

#include "algos/schedule/workload/workload.h"
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "platform/parameters.h"
#include "sim/base/pages.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/hw/blade.h"
#include "sim/hw/board/ea.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of consecutive bytes that hold the pattern only if not written: a block may be a single byte, and
 * every 16 bytes begin with a block. */
enum { STRETCH = 128 };

/* Bytes of the line of an atomic command; the most of a notification. */
enum { LINE = 128, QUADWORD = 16 };

/* The seed of the pattern of all local stores. */
enum { POISON_SEED = 0 };

/* After so many calls of monitor_take local stores are renewed: to compare all pages ever written takes
 * longer than to get new ones. */
enum { RENEW_TAKES = 128 };

/* --- messages --- */

static void __attribute__((format(printf, 2, 3))) report(struct monitor *monitor, const char *format, ...) {
  va_list arguments;
  if (monitor->count++ == 0) {
    va_start(arguments, format);
    monitor->first = xvasprintf(format, arguments);
    va_end(arguments);
  }
}

/* Report that ACCESS is forbidden because of WHY. */
static void report_access(struct monitor *monitor, const struct access *access, const char *why) {
  report(monitor, "%s%s", access_describe(&monitor->ownership, access), why);
}

/* --- addresses --- */

/* Tell whether ACCESS, a write to notification arrays, comes from the rank that owns the entries. */
static bool is_own_entry(const struct monitor *monitor, const struct access *access) {
  if (access->by == ACCESS_BY_PPE) {
    return false;
  }
  const struct ownership *ownership = &monitor->ownership;
  unsigned nranks = ownership->nranks, writer = ownership->rank_of[access->spe], group = access->owned.group;
  bool is_program = access->by == ACCESS_BY_PROGRAM;
  bool other = is_program ? writer == access->owned.rank : access->is_put;
  if (group != OWNED_BY_ALL) {
    nranks = ownership->workload->groups[group].n;
  }
  unsigned wanted = is_program ? nranks : ownership_member(ownership, group, writer);
  return other && step_arrays_sender(nranks, access->owned.offset) == wanted &&
         step_arrays_sender(nranks, access->owned.offset + access->nbytes - 1) == wanted;
}

static void judge_address(struct monitor *monitor, const struct access *access) {
  enum owned_kind kind = access->owned.kind;
  bool is_kept = !monitor->ownership.calls[access->owned.rank].takes_input;
  if (kind == OWNED_BY_NOBODY || (kind == OWNED_INPUT && access->writes && is_kept)) {
    report_access(monitor, access, "");
  } else if (kind == OWNED_ARRAYS && access->writes && !is_own_entry(monitor, access)) {
    report_access(monitor, access, ": the entry of another rank");
  }
}

static uint8_t *local_store(const struct monitor *monitor, unsigned spe) {
  return blade_ls(monitor->blade, spe);
}

/* Report an ACCESS that reads a stretch of scratch never written. */
static void judge_content(struct monitor *monitor, const struct access *access) {
  if (access->writes || access->owned.kind != OWNED_SCRATCH || monitor->ownership.has_padding) {
    return;
  }
  uint64_t at = (access->ea - EA_SPE_BASE) % EA_SPE_STRIDE, end = at + access->nbytes;
  unsigned spe = monitor->ownership.part->group->spe_of[access->owned.rank];
  const uint8_t *ls = local_store(monitor, spe);
  for (; at + STRETCH <= end; at += STRETCH) {
    if (poison_match(&monitor->scratch_poison, (struct poison_range){spe, at, STRETCH}, ls + at) == STRETCH) {
      report_access(monitor, access, " that nobody has written");
      return;
    }
  }
}

/* Report an ACCESS, ending in CYCLE, to a buffer or an input of a rank that is outside of any call. */
static void judge_time(struct monitor *monitor, const struct access *access, uint64_t cycle) {
  enum owned_kind kind = access->owned.kind;
  unsigned rank = access->owned.rank;
  const struct owned_call *call = &monitor->ownership.calls[rank];
  bool is_inside = call->is_inside && call->number == access->owned.call;
  if ((kind == OWNED_BUFFER || kind == OWNED_INPUT) && !is_inside && cycle > call->left) {
    report_access(monitor, access,
                  text_brief(" until cycle %llu: outside of its calls", (unsigned long long)cycle));
  }
}

/* Judge ACCESS: of a DMA command now and, if a second judgement can find anything, at completion; of all
 * others in the cycle of the access.
 * returns: the owner of the bytes. */
static struct owned judge(struct monitor *monitor, struct access *access) {
  access->owned = ownership_find(&monitor->ownership, access->ea, access->nbytes);
  judge_address(monitor, access);
  enum owned_kind kind = access->owned.kind;
  if (access->by != ACCESS_BY_DMA && access->by != ACCESS_BY_PROXY) {
    judge_content(monitor, access);
    judge_time(monitor, access, access->at);
  } else if (kind == OWNED_BUFFER || kind == OWNED_INPUT || (kind == OWNED_SCRATCH && !access->writes)) {
    VEC_ADD(monitor->accesses, monitor->naccesses) = *access;
  }
  return access->owned;
}

/* Judge both ends of ACCESS, a move of bytes from effective address FROM to TO. */
static void judge_move(struct monitor *monitor, struct access *access, uint64_t from, uint64_t to) {
  struct owned ends[2];
  for (unsigned end = 0; end < 2 && access->nbytes; end++) {
    access->writes = end == 1;
    access->ea = access->writes ? to : from;
    ends[end] = judge(monitor, access);
  }
  if (access->nbytes) {
    unsigned by =
      access->by == ACCESS_BY_PPE ? monitor->ownership.nranks : monitor->ownership.rank_of[access->spe];
    ownership_move(&monitor->ownership, &ends[0], &ends[1], access->nbytes, by);
    bool is_told = access->is_fenced && access->is_put && access->nbytes <= QUADWORD &&
                   ends[1].kind == OWNED_SCRATCH && ends[1].rank < monitor->ownership.nranks;
    monitor->ownership.told += is_told && ends[0].rank != ends[1].rank ? access->nbytes : 0;
  }
}

/* --- events --- */

/* Judge TRANSFER, of the command DMA, between the SPE's local store, at LS, and EA. */
static void judge_transfer(struct monitor *monitor, const struct probe_dma *dma, struct access transfer,
                           uint64_t ls, uint64_t ea) {
  uint64_t local = ea_of_ls(dma->spe, (uint32_t)ls);
  transfer.spe = dma->spe;
  transfer.tag = dma->tag;
  transfer.command = dma->command;
  transfer.what = transfer.is_put ? "put" : "get";
  judge_move(monitor, &transfer, transfer.is_put ? local : ea, transfer.is_put ? ea : local);
}

static void see_enqueue(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  if (enqueue->is_list || enqueue->is_sync) {
    return; /* elements are seen one by one */
  }
  const struct access transfer = {.by = enqueue->is_proxy ? ACCESS_BY_PROXY : ACCESS_BY_DMA,
                                  .ppe = enqueue->is_proxy ? event->programs[enqueue->program] : NULL,
                                  .at = enqueue->at,
                                  .nbytes = enqueue->dma.nbytes,
                                  .is_put = enqueue->is_put,
                                  .is_fenced = enqueue->fence};
  judge_transfer(monitor, &enqueue->dma, transfer, enqueue->ls, enqueue->ea);
}

static void see_element(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_element *element = &event->element;
  const struct access transfer = {
    .by = ACCESS_BY_DMA, .at = event->cycle, .nbytes = element->nbytes, .is_put = element->is_put};
  judge_transfer(monitor, &element->dma, transfer, element->ls, element->ea);
}

static void see_complete(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_dma *dma = &event->complete.dma;
  for (size_t i = 0; i < monitor->naccesses;) {
    const struct access *access = &monitor->accesses[i];
    if (access->spe != dma->spe || access->command != dma->command) {
      i++;
      continue;
    }
    if (access->owned.kind == OWNED_SCRATCH) {
      judge_content(monitor, access);
    } else {
      judge_time(monitor, access, event->cycle);
    }
    monitor->accesses[i] = monitor->accesses[--monitor->naccesses];
  }
}

/* Return the load of a program as an access; with WRITES the store. */
static struct access access_of(const struct monitor *monitor, const struct probe_touch *touch, bool writes) {
  uint64_t ea = ea_of_ls(touch->spe, (uint32_t)touch->ls);
  return (struct access){.spe = touch->spe,
                         .at = touch->at,
                         .ea = ea,
                         .nbytes = touch->nbytes,
                         .by = ACCESS_BY_PROGRAM,
                         .writes = writes,
                         .owned = ownership_find(&monitor->ownership, ea, touch->nbytes)};
}

/* Judge a load or store of a program; outside of a call the access belongs to the application. */
static void see_touch(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_touch *touch = &event->touch;
  const struct ownership *ownership = &monitor->ownership;
  unsigned rank = ownership->rank_of[touch->spe];
  if (ownership->calls[rank].is_inside) {
    struct access access = access_of(monitor, touch, event->kind == PROBE_STORE);
    judge_address(monitor, &access);
    judge_content(monitor, &access);
  }
}

/* Set announced flags to zero, as far as never written. */
static void see_flags(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_touch *touch = &event->touch;
  if (access_of(monitor, touch, false).owned.kind != OWNED_SCRATCH) {
    return;
  }
  uint8_t *ls = local_store(monitor, touch->spe);
  for (uint64_t at = touch->ls; at + sizeof(uint32_t) <= touch->ls + touch->nbytes; at += sizeof(uint32_t)) {
    struct poison_range word = {touch->spe, at, sizeof(uint32_t)};
    if (poison_match(&monitor->scratch_poison, word, ls + at) == sizeof(uint32_t)) {
      memset(ls + at, 0, sizeof(uint32_t));
    }
  }
}

static void see_atomic(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_effect.atomic;
  uint64_t ls = ea_of_ls(atomic->spe, (uint32_t)atomic->ls);
  bool loads = strcmp(atomic->what, "getllar") == 0;
  struct access access = {
    .by = ACCESS_BY_ATOMIC, .spe = atomic->spe, .what = atomic->what, .at = event->cycle, .nbytes = LINE};
  judge_move(monitor, &access, loads ? atomic->ea : ls, loads ? ls : atomic->ea);
}

/* Return an access to NBYTES by program NUMBER, on a PPE, in the cycle of EVENT. */
static struct access access_of_ppe(const struct probe_event *event, unsigned number, uint64_t nbytes) {
  return (struct access){
    .by = ACCESS_BY_PPE, .ppe = event->programs[number], .at = event->cycle, .nbytes = nbytes};
}

/* A program of a PPE has copied something. */
static void see_copy(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_copy *copy = &event->copy;
  struct access access = access_of_ppe(event, copy->by.who, copy->nbytes);
  judge_move(monitor, &access, copy->from, copy->to);
}

/* Judge ACCESS of a PPE to memory or to a register. */
static void judge_ppe(struct monitor *monitor, struct access *access) {
  struct owned owned = judge(monitor, access), ppe = {.rank = monitor->ownership.nranks};
  ownership_move(&monitor->ownership, access->writes ? &ppe : &owned, access->writes ? &owned : &ppe,
                 access->nbytes, ppe.rank);
}

/* A program of a PPE loads or stores. */
static void see_ppe_touch(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_ppe_touch *touch = &event->ppe_touch;
  struct access access = access_of_ppe(event, touch->program, touch->nbytes);
  access.ea = touch->ea;
  access.writes = event->kind == PROBE_PPE_STORE;
  judge_ppe(monitor, &access);
}

/* Judge a write to the register at effective address EA of an SPE, caused by BY: a program as the cause runs
 * on a PPE or on that SPE. */
static void judge_register(struct monitor *monitor, const struct probe_event *event, struct probe_cause by,
                           uint64_t ea) {
  if (by.kind == PROBE_BY_PROGRAM && by.who >= blade_nspes(monitor->blade)) {
    struct access access = access_of_ppe(event, by.who, sizeof(uint32_t));
    access.ea = ea;
    access.writes = true;
    judge_ppe(monitor, &access);
  }
}

static void see_signal(struct monitor *monitor, const struct probe_event *event) {
  const struct probe_signal *signal = &event->signal;
  judge_register(monitor, event, signal->by, ea_of_signal(signal->peer, signal->number));
}

static void see_mailbox(struct monitor *monitor, const struct probe_event *event) {
  if (event->mailbox.is_write) {
    judge_register(monitor, event, event->mailbox.by, ea_of_mailbox(event->mailbox.spe));
  }
}

static void see(struct probe *probe, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct monitor * monitor, const struct probe_event *event) = {
    [PROBE_ENQUEUE] = see_enqueue,      [PROBE_ELEMENT] = see_element, [PROBE_COMPLETE] = see_complete,
    [PROBE_STORE] = see_touch,          [PROBE_LOAD] = see_touch,      [PROBE_FLAGS] = see_flags,
    [PROBE_ATOMIC_EFFECT] = see_atomic, [PROBE_COPY] = see_copy,       [PROBE_PPE_STORE] = see_ppe_touch,
    [PROBE_PPE_LOAD] = see_ppe_touch,   [PROBE_SIGNAL] = see_signal,   [PROBE_MAILBOX] = see_mailbox,
  };
  if (handlers[event->kind]) {
    handlers[event->kind]((struct monitor *)probe, event);
  }
}

/* --- processes --- */

/* Count the bytes of a message; or of a copy by a program, from or to the memory of another process, of which
 * the end in that memory counts. */
static void see_event_of_node(struct probe *probe, const struct probe_event *event) {
  struct ownership *ownership = &((struct monitor *)probe)->ownership;
  const struct probe_enqueue *enqueue = &event->enqueue;
  const struct probe_ppe_touch *touch = &event->ppe_touch;
  if (event->kind == PROBE_ENQUEUE && !enqueue->fence) { /* no tell: the bytes of a tell are no data */
    struct owned here =
      ownership_find(ownership, ea_of_process(enqueue->dma.spe, enqueue->ls), enqueue->dma.nbytes);
    struct owned there = ownership_find(ownership, enqueue->ea, enqueue->dma.nbytes);
    ownership_move(ownership, enqueue->is_put ? &here : &there, enqueue->is_put ? &there : &here,
                   enqueue->dma.nbytes, ownership->rank_of[enqueue->dma.spe]);
  } else if (event->kind == PROBE_PPE_LOAD || event->kind == PROBE_PPE_STORE) {
    bool writes = event->kind == PROBE_PPE_STORE;
    struct owned there = ownership_find(ownership, touch->ea, touch->nbytes),
                 here = {.kind = OWNED_BUFFER, .rank = ownership->rank_of[touch->program]};
    ownership_move(ownership, writes ? &here : &there, writes ? &there : &here, touch->nbytes, here.rank);
  }
}

/* --- local stores --- */

/* Prepare the local store of SPE, a participant of a run, for the run: notification arrays and scratch. Or
 * with ENDED restore the parts that the run may have written; the guards behind data belong to the oracle. */
static void fill_areas(const struct monitor *monitor, unsigned spe, bool ended) {
  const struct ownership *ownership = &monitor->ownership;
  VEC_EACH(area, ownership->areas, ownership->nareas) {
    bool guarded = area->kind == OWNED_BUFFER || area->kind == OWNED_INPUT;
    size_t end = area->end + (guarded ? CALL_MAP_GUARD : 0);
    struct poison_range range = {spe, area->start, end - area->start};
    uint8_t *bytes = local_store(monitor, spe) + area->start;
    if (ownership_member(ownership, area->group, ownership->rank_of[spe]) == OWNED_BY_ALL) {
      continue; /* an area of other ranks */
    }
    if (ended || area->kind == OWNED_SCRATCH) {
      poison_fill(ended ? &monitor->poison : &monitor->scratch_poison, range, bytes);
    } else if (area->kind == OWNED_ARRAYS) {
      memset(bytes, 0, range.nbytes);
    }
  }
}

static struct poison_stores stores_of(struct blade *blade) {
  return (struct poison_stores){blade_local_stores(blade), blade_parameters(blade)->ls_size};
}

/* Report a change of the pattern in the first local store of a participant with such a change. */
static void compare(struct monitor *monitor) {
  const struct ownership *ownership = &monitor->ownership;
  struct poison_stores stores = stores_of(monitor->blade);
  size_t same = stores.ls_bytes, nspes = ownership->nplaces;
  for (; nspes > 0 && ownership->rank_of[nspes - 1] == ownership->nranks; nspes--) {
  }
  size_t size = (size_t)sysconf(_SC_PAGESIZE), npages = (nspes * stores.ls_bytes + size - 1) / size;
  SCOPED bool *written = xcalloc(npages, sizeof *written);
  pages_written(stores.pages, 0, npages, written);
  for (unsigned spe = 0; same == stores.ls_bytes && spe < nspes; spe++) {
    unsigned rank = ownership->rank_of[spe];
    same = rank < ownership->nranks ? poison_match_shown(&monitor->poison, stores, spe, written) : same;
    if (same < stores.ls_bytes) {
      report(monitor, "the program of rank %u on SPE %u has written 0x%zx (%s)", ownership->name_of[rank],
             spe, same, ownership_find_local(ownership, rank, same, 1).what);
    }
  }
}

/* --- runs --- */

void monitor_init(struct monitor *monitor, struct blade *blade) {
  *monitor = (struct monitor){.probe = {.see = see, .details = true, .accesses_only = true}, .blade = blade};
  poison_init(&monitor->poison, POISON_SEED);
  blade_keep_local_stores(blade, true);
  poison_show(&monitor->poison, stores_of(blade));
}

void monitor_fini(struct monitor *monitor) {
  blade_keep_local_stores(monitor->blade, false);
  pages_show(blade_local_stores(monitor->blade), -1, 0);
  poison_fini(&monitor->poison);
  ownership_fini(&monitor->ownership);
  free(monitor->accesses);
  free(monitor->first);
}

char *monitor_take(struct monitor *monitor) {
  /* A DMA to a forbidden address must not be reported again as a store of the program. */
  if (monitor->count == 0 && monitor->ownership.rank_of) {
    compare(monitor);
  }
  if (monitor->count > 0 || ++monitor->takes == RENEW_TAKES) {
    pages_renew(blade_local_stores(monitor->blade));
    monitor->takes = 0;
  }
  if (monitor->count == 0) {
    return NULL;
  }
  char *text = monitor->count == 1 ? xstrdup(monitor->first)
                                   : xasprintf("%s (%llu such accesses in all)", monitor->first,
                                               (unsigned long long)monitor->count);
  free(monitor->first);
  monitor->first = NULL;
  monitor->count = 0;
  return text;
}

void monitor_begin(struct monitor *monitor, const struct rig *rig, uint64_t seed) {
  if (rig->group.on_hosts) {
    ownership_fini(&monitor->ownership);
    ownership_init(&monitor->ownership, rig, &rig->parts[0]);
    monitor->observer.probe = &monitor->probe;
    monitor->probe.see = see_event_of_node;
    machine_attach(rig->machine, &monitor->observer);
    return;
  }
  VEC_EACH(part, rig->parts, rig->nparts) {
    struct monitor *own = monitor_at(monitor, part);
    own->naccesses = 0;
    ownership_fini(&own->ownership);
    ownership_init(&own->ownership, rig, part);
    poison_init(&own->scratch_poison, ~seed);
    VEC_EACH(spe, part->group->spe_of, part->group->nranks) {
      fill_areas(own, *spe, false);
    }
    blade_attach(own->blade, &own->probe);
  }
}

void monitor_end(struct monitor *monitor, const struct rig *rig) {
  if (rig->group.on_hosts) {
    machine_detach(rig->machine, &monitor->observer);
    ownership_fini(&monitor->ownership);
    return;
  }
  VEC_EACH(part, rig->parts, rig->nparts) {
    struct monitor *own = monitor_at(monitor, part);
    blade_detach(own->blade, &own->probe);
    VEC_EACH(spe, part->group->spe_of, part->group->nranks) {
      fill_areas(own, *spe, true);
    }
    poison_fini(&own->scratch_poison);
  }
}

char *monitor_missing(struct monitor *monitor, const struct rig *rig) {
  char *text = NULL;
  for (unsigned i = 0; i < rig->nparts && !text; i++) {
    struct ownership *ownership = &monitor_at(monitor, &rig->parts[i])->ownership;
    text = ownership_missing(ownership, &rig->group);
    monitor->moved += ownership->moved;
    monitor->needed += ownership->needed;
  }
  return text;
}

/* --- several nodes: a monitor for each blade --- */

void monitor_spread(struct monitor *monitor, const struct machine *machine) {
  struct machine_nodes nodes = machine_nodes(machine);
  if (nodes.has_network && nodes.nblades > 0) {
    monitor->names = nodes.names;
    monitor->nnodes = nodes.nblades;
    monitor->nodes = xcalloc(monitor->nnodes, sizeof *monitor->nodes);
  }
  for (unsigned i = 0; i < monitor->nnodes; i++) {
    monitor_init(&monitor->nodes[i], machine_blade(machine, i));
  }
}

void monitor_gather(struct monitor *monitor) {
  for (unsigned i = 0; i < monitor->nnodes; i++) {
    SCOPED char *text = monitor_take(&monitor->nodes[i]);
    if (text && monitor->count++ == 0) {
      monitor->first = xasprintf("%s: %s", node_name(&monitor->names, i), text);
    }
    monitor_fini(&monitor->nodes[i]);
  }
  free(monitor->nodes);
  monitor->nodes = NULL;
  monitor->nnodes = 0;
}

struct monitor *monitor_at(struct monitor *monitor, const struct rig_part *part) {
  return monitor->nodes ? &monitor->nodes[part->node] : monitor;
}
