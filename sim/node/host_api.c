/* SPDX-License-Identifier: BSD-3-Clause
 * See host_api.h, without transfers: memory, time, events for observers, waits. For the observers each
 * process is a machine with one program, on a PPE. */
#include "sim/base/random.h"
#include "sim/node/host_api.h"

#include "sim/base/engine/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/program.h"
#include "sim/node/hosts_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A wait of a process. */
struct host_wait {
  struct des_wait wait; /* first */
  const struct process *process;
  struct spu_any any; /* bit t of `tags` is tag first + t */
  uint32_t first;
  bool all; /* no flags: the transfers of all tags */
};

/* Tell EVENT to the observers of HOSTS that look at the course of programs, at accesses to memory, at orders:
 * LOOKS. */
static void tell_observers(const struct hosts *hosts, bool (*looks)(const struct probe *probe),
                           const struct probe_event *event) {
  for (unsigned i = 0; i < hosts->machine.probes.n; i++) {
    struct probe *probe = hosts->machine.probes.items[i];
    if (looks(probe)) {
      probe->see(probe, event);
    }
  }
}

static bool looks_at_course(const struct probe *probe) {
  return !probe->accesses_only;
}

static bool looks_at_accesses(const struct probe *probe) {
  return probe->accesses_only || probe->orders;
}

static bool looks_at_orders(const struct probe *probe) {
  return probe->orders;
}

void hosts_tell_access(const struct hosts *hosts, struct probe_event event) {
  event.cycle = des_now();
  event.programs = hosts->names;
  tell_observers(hosts, looks_at_accesses, &event);
}

void hosts_tell_order(const struct hosts *hosts, struct probe_event event) {
  event.cycle = des_now();
  event.programs = hosts->names;
  tell_observers(hosts, looks_at_orders, &event);
}

void process_see(const struct process *self, uint64_t cycle, struct probe_event event) {
  event.cycle = cycle;
  event.node = self->number;
  event.programs = &self->job.name;
  tell_observers(self->hosts, looks_at_course, &event);
}

/* The same in the current cycle; without an observer the event is not even filled in. */
#define see_now(self, ...) \
  do { \
    if ((self)->hosts->machine.probes.followed) { \
      process_see((self), des_now(), __VA_ARGS__); \
    } \
  } while (0)

/* --- faults --- */

void process_fault(const char *format, ...) {
  char what[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  host_fault(what);
}

void host_fault(const char *what) {
  struct process *self = process_self();
  if (!self->fault) {
    self->fault = xasprintf("%s: %s", self->title, what);
    des_note_fault(self->fault);
    see_now(self, (struct probe_event){.kind = PROBE_FAULT,
                                       .fault = {.by = {.kind = PROBE_BY_PROGRAM, .number = 1},
                                                 .spe = PROBE_NOBODY,
                                                 .text = self->fault}});
  }
  des_park(self->actor);
}

/* --- memory --- */

struct process *process_reach(uint64_t ea, size_t nbytes, size_t *there) {
  const struct hosts *hosts = process_self()->hosts;
  struct process *process =
    ea < EA_PROCESS_BASE ? NULL : process_find(hosts, (ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE);
  *there = (ea - EA_PROCESS_BASE) % EA_PROCESS_STRIDE;
  if (!process || *there > hosts->memory.nbytes || nbytes > hosts->memory.nbytes - *there) {
    process_fault("%zu bytes at effective address 0x%llx, expected those of a process", nbytes,
                  (unsigned long long)ea);
  }
  return process;
}

void process_check_near(const struct process *peer) {
  if (!host_is_near(peer->number)) {
    process_fault("process %u is on another host than process %u, expected the same", peer->number,
                  process_self()->number);
  }
}

uint64_t host_ea(unsigned process, size_t address) {
  return ea_of_process(process, address);
}

void *host_memory(size_t address) {
  size_t there;
  return process_reach(host_ea(process_self()->number, address), 1, &there)->memory + address;
}

bool host_is_near(unsigned process) {
  const struct process *self = process_self(), *peer = process_find(self->hosts, process);
  return peer && peer->host == self->host;
}

void host_copy(void *into, uint64_t ea, size_t nbytes) {
  const struct process *self = process_self();
  size_t there;
  const struct process *peer = process_reach(ea, nbytes, &there);
  process_check_near(peer);
  host_sync();
  struct probe_ppe_touch touch = {.program = self->number, .ea = ea, .nbytes = (unsigned)nbytes};
  hosts_see(self->hosts, (struct probe_event){.kind = PROBE_PPE_LOAD, .ppe_touch = touch});
  touch.ea = ea_of_process(self->number, (uint64_t)((const uint8_t *)into - self->memory));
  hosts_see(self->hosts, (struct probe_event){.kind = PROBE_PPE_STORE, .ppe_touch = touch});
  if (self->hosts->memory.has_data) {
    memmove(into, peer->memory + there, nbytes);
  }
  host_compute_for(COMPUTE_COPY, (uint64_t)llround((double)nbytes * self->hosts->copy_byte));
}

void host_use_one_rail(bool one) {
  process_self()->one_rail = one;
}

/* --- time --- */

void host_compute_for(enum compute_reason reason, uint64_t cycles) {
  const struct process *self = process_self();
  if (cycles) {
    see_now(self, (struct probe_event){
                    .kind = PROBE_COMPUTE,
                    .compute = {.reason = reason, .at = des_local(self->actor), .cycles = cycles}});
  }
  des_charge(self->actor, cycles);
}

void host_sync(void) {
  des_sync(des_self());
}

uint64_t host_cycles(void) {
  des_note_change();
  return des_local(des_self());
}

/* --- events for observers --- */

/* Tell the observers of an access of KIND to NBYTES of the own memory from POINTER on. */
static void note_bytes(enum probe_kind kind, const volatile void *pointer, size_t nbytes) {
  const struct process *self = process_self();
  hosts_see(self->hosts,
            (struct probe_event){.kind = kind,
                                 .touch = {.spe = self->number,
                                           .at = des_local(self->actor),
                                           .ls = (uint64_t)((const volatile uint8_t *)pointer - self->memory),
                                           .nbytes = (unsigned)nbytes}});
}

void host_note_store(const volatile void *pointer, size_t nbytes) {
  note_bytes(PROBE_STORE, pointer, nbytes);
}

void host_note_load(const volatile void *pointer, size_t nbytes) {
  note_bytes(PROBE_LOAD, pointer, nbytes);
}

void host_note_flags(const volatile void *pointer, size_t nbytes) {
  note_bytes(PROBE_FLAGS, pointer, nbytes);
}

static void note_call(enum probe_kind kind, unsigned rank, unsigned call) {
  const struct process *self = process_self();
  des_set_step(self->actor, 0);
  see_now(self, (struct probe_event){.kind = kind,
                                     .call = {.rank = rank, .call = call, .at = des_local(self->actor)}});
}

void host_note_enter(unsigned rank, unsigned call) {
  note_call(PROBE_ENTER, rank, call);
}

void host_note_leave(unsigned rank, unsigned call) {
  note_call(PROBE_LEAVE, rank, call);
}

void host_note_step(unsigned step, const char *name) {
  const struct process *self = process_self();
  des_set_step(self->actor, step);
  see_now(self, (struct probe_event){.kind = PROBE_STEP, .step = {0, step, des_local(self->actor), name}});
}

void host_note_barrier(unsigned rank, unsigned call, unsigned nranks) {
  const struct process *self = process_self();
  hosts_see_order(
    self->hosts,
    (struct probe_event){.kind = PROBE_BARRIER,
                         .seen = {.program = self->number, .rank = rank, .number = call, .mask = nranks}});
}

/* --- waits --- */

/* Return the bits of MASK whose tags have no transfer under way; bit t is tag FIRST + t of SELF. */
static uint32_t tags_done(const struct process *self, uint32_t first, uint32_t mask) {
  uint32_t done = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    uint32_t bit = (uint32_t)__builtin_ctz(left), tag = first + bit;
    done |= tag < self->ntags && self->under_way[tag] ? 0 : UINT32_C(1) << bit;
  }
  return done;
}

static bool is_over(const struct des_wait *wait) {
  const struct host_wait *own = (const struct host_wait *)wait;
  uint32_t done = tags_done(own->process, own->first, own->any.tags);
  return own->all ? done == own->any.tags : done || spu_any_flag_is_up(&own->any);
}

static void describe(const struct des_wait *wait, char *text, size_t size) {
  const struct host_wait *own = (const struct host_wait *)wait;
  if (own->first) {
    snprintf(text, size, "waits for transfers with tag %u", own->first);
  } else {
    spu_any_describe(&own->any, text, size);
  }
}

static void see_wait(const void *self, struct probe_event *event) {
  process_see(self, des_now(), *event);
}

/* Let the running process wait as OWN says. */
static void wait_for(struct host_wait *own) {
  struct process *self = process_self();
  bool has_flags = own->any.nflags > 0;
  own->process = self;
  process_stall();
  if (self->held) {
    uint32_t mask = own->any.tags;
    if (!own->all) {
      mask = tags_done(self, own->first, mask) ? 0 : des_draw_bit(mask);
    }
    transfers_let_go(self, own->first, mask);
  }
  own->wait = (struct des_wait){.kinds = (has_flags ? PROCESS_POKE_MEMORY : 0) |
                                         (own->any.tags ? PROCESS_POKE_TAGS : 0),
                                .ready = is_over,
                                .describe = describe};
  if (self->hosts->machine.probes.followed) {
    program_wait_watched(&(struct program_watcher){see_wait, self, 0}, &own->wait,
                         has_flags ? PROBE_FOR_FLAG : PROBE_FOR_TAGS, NULL);
  } else {
    des_wait(self->actor, &own->wait);
  }
}

void process_poke(const struct process *self, enum process_poke kind, const struct process *sender,
                  uint64_t message) {
  if (des_poke(self->actor, kind)) {
    program_woken(self->actor,
                  (struct probe_cause){.kind = PROBE_BY_MESSAGE, .who = sender->number, .number = message});
  }
}

void host_wait_any(const struct spu_any *any) {
  wait_for(&(struct host_wait){.any = *any});
}

bool host_poll_flag(const struct spu_flag *flag) {
  const struct process *self = process_self();
  des_sync(self->actor);
  bool up = spu_flag_is_up(flag);
  if (up) {
    uint64_t at = (uint64_t)((const volatile uint8_t *)flag->word - self->memory);
    hosts_see_order(self->hosts,
                    (struct probe_event){.kind = PROBE_SEEN_WORD,
                                         .seen = {.program = self->number, .ea = host_ea(self->number, at)}});
  }
  return up;
}

void host_wait_flag(const struct spu_flag *flag) {
  host_wait_any(&(struct spu_any){.flags = flag, .nflags = 1});
  host_poll_flag(flag);
}

/* Tell the observers: SELF knows the end of the transfers of the tags in MASK; bit t is tag FIRST + t. */
static void see_tags(const struct process *self, uint32_t first, uint32_t mask) {
  hosts_see_order(self->hosts, (struct probe_event){.kind = PROBE_SEEN_TAGS,
                                                    .seen = {.program = self->number,
                                                             .spe = self->number,
                                                             .is_proxy = true,
                                                             .mask = mask << first % 32,
                                                             .number = first / 32}});
}

uint32_t host_poll_tags(uint32_t mask) {
  struct process *self = process_self();
  des_sync(self->actor);
  transfers_let_go(self, 0, mask);
  uint32_t done = tags_done(self, 0, mask);
  see_tags(self, 0, done);
  return done;
}

static void wait_tags(uint32_t first, uint32_t mask) {
  const struct process *self = process_self();
  des_note_change();
  random_absorb(&self->hosts->machine.calls, (uint64_t)first << 32 | mask);
  wait_for(&(struct host_wait){.any.tags = mask, .first = first, .all = true});
  see_tags(self, first, mask);
}

void host_wait_tags(uint32_t mask) {
  wait_tags(0, mask);
}

void host_wait_tag(uint32_t tag) {
  wait_tags(tag, 1);
}
