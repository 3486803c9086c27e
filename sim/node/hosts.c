/* SPDX-License-Identifier: BSD-3-Clause
 * Machines of processes of hosts without SPEs, and the calls of programs of hosts (machine.h, host_api.h).
 * All processes and the network run on one node of the event core, the network's: one order of events holds
 * for all. For observers of the course of programs each process is a node with one program; for observers of
 * accesses and orders all processes are one node.
 *
 * A put is over when the acknowledgement of the other NIC is back, after the latency of the links of the way
 * back (assumption: the acknowledgement takes no bandwidth). A get asks the other NIC for bytes; no processor
 * works on the other side. A tell is a few bytes that the processor hands to the NIC. Each memory has a list
 * of the puts and tells in transit to that memory, in the order of sending. A tell becomes visible only after
 * all earlier puts and tells of the same sender to that memory. Bytes of data are read and written in the
 * cycle in which the last byte arrives.
 *
 * source: Qian, Afsahi 2006, section 2: RDMA engine, short transactions, events. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/pages.h"
#include "sim/base/pool.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"
#include "sim/net/net.h"
#include "sim/node/host_api.h"
#include "sim/node/machine_state.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

enum { TELL_BYTES = 16 /* at most */ };

struct process {
  struct program program; /* first */
  struct board board;     /* of this process alone: only clock, number, names and observers */
  struct hosts *hosts;
  unsigned host;
  struct des_actor *actor; /* NULL: the process has no program */
  struct machine_program job;
  char *title;         /* the program, with the name of the host; NULL: no program */
  unsigned *under_way; /* [tag]: puts and gets that are not over */
  unsigned ntags;      /* one more than the highest tag used */
  bool one_rail;       /* all messages of the process take rail 0 */
  char *fault;         /* the reason for which the process was stopped; NULL: not stopped */
  /* list of transfers into the memory of this process: in transit, or arrived before a transfer sent
   * earlier */
  struct transfer *first, *last;
  LIST_HEAD(, transfer) held; /* lazy puts and gets of this process before the begin */
  uint64_t near_until; /* the latest cycle at which a tell of this process in shared memory is visible */
};

struct hosts {
  struct machine machine; /* first */
  struct process *processes;
  struct probes course;  /* the observers of the course of programs */
  struct board accesses; /* of all processes: clock, names, and the observers of accesses and orders */
  const char **names;    /* [process]: name of the program; NULL: no program */
  struct pages memories;
  struct machine_memory memory;
  uint64_t flag;    /* cycles */
  double copy_byte; /* cycles */
  struct pool transfers;
};

/* Something under way between two processes. */
struct transfer {
  struct net_message way; /* the message with the bytes; of a get first the request */
  /* the return of the acknowledgement; or the moment when a tell in shared memory becomes visible */
  struct event event;
  struct process *self, *peer;
  struct host_transfer wanted;
  size_t there;     /* the place of the effective address in the memory of the peer */
  bool tells, near; /* near: through shared memory */
  uint8_t told[TELL_BYTES];
  bool arrived, is_over;
  bool is_watched; /* observers of orders are told of the arrival */
  unsigned holds;  /* owners: the list, and each event still to come */
  struct transfer *next;
  LIST_ENTRY(transfer) others; /* among the held transfers */
};

/* Return the process whose program is running. */
static struct process *process_self(void) {
  return des_argument(des_self());
}

/* Return process NUMBER of HOSTS; NULL: there is none with memory. */
static struct process *process_find(const struct hosts *hosts, uint64_t number) {
  return number < hosts->memory.nprocesses ? &hosts->processes[number] : NULL;
}

/* --- faults and memory --- */

static __attribute__((noreturn)) void stop(struct program *program, const char *what) {
  struct process *self = (struct process *)program;
  self->fault = xasprintf("%s: %s", self->title, what);
  des_note_fault(self->fault);
  board_see(&self->board,
            &(struct probe_event){
              .kind = PROBE_FAULT,
              .fault = {.by = program_action(&self->board, 0), .spe = PROBE_NOBODY, .text = self->fault}});
  des_park(self->actor);
}

/* Return the process with effective address EA, and the place of EA in the memory in *THERE.
 * faults: no process has NBYTES there. */
static struct process *process_reach(uint64_t ea, size_t nbytes, size_t *there) {
  const struct hosts *hosts = process_self()->hosts;
  struct process *process =
    ea < EA_PROCESS_BASE ? NULL : process_find(hosts, (ea - EA_PROCESS_BASE) / EA_PROCESS_STRIDE);
  *there = (ea - EA_PROCESS_BASE) % EA_PROCESS_STRIDE;
  if (!process || *there > hosts->memory.nbytes || nbytes > hosts->memory.nbytes - *there) {
    program_fault("%zu bytes at effective address 0x%llx, expected those of a process", nbytes,
                  (unsigned long long)ea);
  }
  return process;
}

/* Stop a running process on another host than PEER. */
static void process_check_near(const struct process *peer) {
  if (!host_is_near(peer->program.unit)) {
    program_fault("process %u is on another host than process %u, expected the same", peer->program.unit,
                  process_self()->program.unit);
  }
}

uint64_t host_ea(unsigned process, uint32_t address) {
  return ea_of_process(process, address);
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
  des_sync(self->actor);
  struct probe_ppe_touch touch = {.program = self->program.unit, .ea = ea, .nbytes = (unsigned)nbytes};
  board_see_detail(self->program.memory, &(struct probe_event){.kind = PROBE_PPE_LOAD, .ppe_touch = touch});
  touch.ea = ea_of_process(self->program.unit, (uint64_t)((const uint8_t *)into - self->program.bytes));
  board_see_detail(self->program.memory, &(struct probe_event){.kind = PROBE_PPE_STORE, .ppe_touch = touch});
  if (self->hosts->memory.has_data) {
    memmove(into, peer->program.bytes + there, nbytes);
  }
  program_compute(self->program.board, COMPUTE_COPY,
                  (uint64_t)llround((double)nbytes * self->hosts->copy_byte));
}

void host_use_one_rail(bool one) {
  process_self()->one_rail = one;
}

/* --- transfers --- */

static struct transfer *new_transfer(const struct host_transfer *wanted, unsigned holds) {
  struct process *self = process_self();
  size_t there;
  program_stall(self->program.board);
  struct process *peer = process_reach(wanted->ea, wanted->nbytes, &there);
  struct transfer *transfer = pool_take(&self->hosts->transfers);
  uint64_t *calls = &self->hosts->machine.calls;
  des_note_change();
  random_absorb(calls, des_local(self->actor) << 20 ^ self->program.unit);
  random_absorb(calls, (uint64_t)there << 20 ^ peer->program.unit);
  random_absorb(calls, (uint64_t)wanted->nbytes << 24 ^ wanted->tag << 8 ^ wanted->rail << 4 ^ holds);
  *transfer = (struct transfer){.way = {.from = self->host,
                                        .to = peer->host,
                                        .from_node = self->program.unit,
                                        .to_node = peer->program.unit,
                                        .nbytes = wanted->nbytes,
                                        .port = self->one_rail ? 0 : wanted->rail,
                                        .one_rail = self->one_rail,
                                        .receiver = self->hosts->machine.net->node},
                                .self = self,
                                .peer = peer,
                                .wanted = *wanted,
                                .there = there,
                                .holds = holds};
  return transfer;
}

/* Return a new tell of WANTED with the present bytes. */
static struct transfer *new_tell(const struct host_transfer *wanted) {
  struct transfer *transfer = new_transfer(wanted, 1);
  assert(wanted->nbytes <= TELL_BYTES);
  memcpy(transfer->told, wanted->here, wanted->nbytes);
  transfer->tells = true;
  return transfer;
}

/* Return a new put or get of WANTED, whose near end must lie in the process's own memory, as the NIC
 * requires. Count the data. */
static struct transfer *new_move(const struct host_transfer *wanted, unsigned holds) {
  struct process *self = process_self();
  struct hosts *hosts = self->hosts;
  size_t here = (size_t)((uintptr_t)wanted->here - (uintptr_t)self->program.bytes);
  if (here > hosts->memory.nbytes || wanted->nbytes > hosts->memory.nbytes - here) {
    program_fault("%zu bytes that are not in the own memory, expected those of spu_ls", wanted->nbytes);
  }
  struct transfer *transfer = new_transfer(wanted, holds);
  hosts->machine.ntransfers++;
  hosts->machine.ncrossing += machine_cluster(&hosts->machine, self->program.unit) !=
                              machine_cluster(&hosts->machine, transfer->peer->program.unit);
  ++*VEC_REACH(self->under_way, self->ntags, wanted->tag);
  return transfer;
}

static void release(struct transfer *transfer) {
  if (--transfer->holds == 0) {
    pool_give(&transfer->self->hosts->transfers, transfer);
  }
}

/* --- events for observers of memory --- */

/* Return TRANSFER as a DMA command. */
static struct probe_dma dma_of(const struct transfer *transfer) {
  return (struct probe_dma){.spe = transfer->self->program.unit,
                            .command = transfer->way.number,
                            .tag = transfer->wanted.tag,
                            .nbytes = (unsigned)transfer->wanted.nbytes};
}

/* Tell the observers that TRANSFER, which has a number, begins. */
static void see_begin(struct transfer *transfer, bool is_put) {
  const struct process *self = transfer->self;
  const struct host_transfer *wanted = &transfer->wanted;
  board_see_detail(
    self->program.memory,
    &(struct probe_event){.kind = PROBE_ENQUEUE,
                          .enqueue = {.dma = dma_of(transfer),
                                      .program = self->program.unit,
                                      .at = des_local(self->actor),
                                      .ls = (uint64_t)((const uint8_t *)wanted->here - self->program.bytes),
                                      .ea = wanted->ea,
                                      .is_proxy = !transfer->tells,
                                      .is_put = is_put,
                                      .fence = transfer->tells,
                                      .all_tags = transfer->tells && !transfer->near,
                                      .arrives = &transfer->is_watched}});
}

/* The bytes of TRANSFER have come: tell the observers of orders. */
static void see_arrival(const struct transfer *transfer) {
  if (transfer->is_watched) {
    struct probe_dma dma = dma_of(transfer);
    board_see_order(
      transfer->self->program.memory,
      &(struct probe_event){
        .kind = PROBE_ARRIVE,
        .landed = {.spe = dma.spe, .command = dma.command, .tag = dma.tag, .nbytes = dma.nbytes}});
  }
}

/* Tell the observers that TRANSFER is over. */
static void see_over(const struct transfer *transfer) {
  board_see_detail(transfer->self->program.memory,
                   &(struct probe_event){.kind = PROBE_COMPLETE, .complete.dma = dma_of(transfer)});
}

/* --- puts and gets: transfers that a program can wait for --- */

/* Check the wait of SELF after an event of KIND, as on an SPE, caused by message number MESSAGE of SENDER. */
static void process_poke(const struct process *self, enum spe_poke kind, const struct process *sender,
                         uint64_t message) {
  if (des_poke(self->actor, kind)) {
    program_woken(self->actor, (struct probe_cause){
                                 .kind = PROBE_BY_MESSAGE, .who = sender->program.unit, .number = message});
  }
}

/* End TRANSFER, a put or a get. */
static void end_transfer(struct transfer *transfer) {
  see_over(transfer);
  transfer->is_over = true;
  transfer->self->under_way[transfer->wanted.tag]--;
  process_poke(transfer->self, SPE_POKE_DMA, transfer->self, transfer->way.number);
  release(transfer);
}

/* --- tells --- */

/* Write the bytes of TRANSFER, a tell, into the memory of PROCESS, now that message number MESSAGE has
 * come. */
static void show(struct process *process, const struct transfer *transfer, uint64_t message) {
  see_arrival(transfer);
  see_over(transfer);
  memcpy(process->program.bytes + transfer->there, transfer->told, transfer->wanted.nbytes);
  process_poke(process, SPE_POKE_LS, transfer->self, message);
}

/* Put TRANSFER at the end of the list of transfers into the same memory. */
static void line_up(struct transfer *transfer) {
  struct process *process = transfer->peer;
  *(process->last ? &process->last->next : &process->first) = transfer;
  process->last = transfer;
}

/* MESSAGE of SENDER has arrived: take the arrived transfers of SENDER out of the list of PROCESS, up to the
 * first transfer of SENDER that has not arrived, and make the tells visible. */
static void show_arrived(struct process *process, const struct process *sender, uint64_t message) {
  struct transfer *before = NULL, *next;
  for (struct transfer *transfer = process->first; transfer; transfer = next) {
    next = transfer->next;
    if (transfer->self != sender) {
      before = transfer;
    } else if (!transfer->arrived) {
      return;
    } else {
      *(before ? &before->next : &process->first) = next;
      process->last = next ? process->last : before;
      if (transfer->tells) {
        show(process, transfer, message);
      }
      release(transfer);
    }
  }
}

/* --- transfers through the network --- */

/* Give the message of TRANSFER, a lazy put or get, to the network at cycle AT. */
static void let_go(struct transfer *transfer, uint64_t at) {
  LIST_REMOVE(transfer, others);
  if (transfer->event.pending) {
    des_cancel(&transfer->event);
  }
  net_send(transfer->self->hosts->machine.net, &transfer->way, at);
}

static void end_hold(struct event *event) {
  let_go(EVENT_OWNER(event, struct transfer, event), des_now());
}

/* Let the lazy puts and gets of SELF with the tags in MASK begin: the running program asks for the end of
 * these tags. Bit t is tag FIRST + t. */
static void transfers_let_go(struct process *self, uint32_t first, uint32_t mask) {
  for (struct transfer *transfer = LIST_FIRST(&self->held), *next; transfer; transfer = next) {
    uint32_t place = transfer->wanted.tag - first;
    next = LIST_NEXT(transfer, others);
    if (place < 32 && mask >> place & 1) {
      let_go(transfer, des_local(self->actor));
    }
  }
}

/* Let the lazy puts into the memory of TRANSFER, a tell given at cycle AT, begin: the tell must wait for
 * these puts. */
static void let_earlier_go(const struct transfer *transfer, uint64_t at) {
  for (struct transfer *earlier = LIST_FIRST(&transfer->self->held), *next; earlier; earlier = next) {
    next = LIST_NEXT(earlier, others);
    if (earlier->peer == transfer->peer && !earlier->way.relayed) {
      let_go(earlier, at);
    }
  }
}

/* Let TRANSFER, a put or get given at cycle AT of a shuffled run, begin at a drawn pace. */
static void set_out_shuffled(struct transfer *transfer, uint64_t at) {
  struct process *self = transfer->self;
  enum des_pace pace = des_draw_pace();
  if (pace == DES_LAZY) {
    transfer->event.run = end_hold;
    des_schedule(&transfer->event, at + HOST_SLOWNESS * DES_HOLD_MAX, DES_ISSUE, self->program.unit);
    LIST_INSERT_HEAD(&self->held, transfer, others);
    return;
  }
  net_send(self->hosts->machine.net, &transfer->way, at);
  if (pace == DES_EAGER) {
    transfer->holds++;
    while (!transfer->is_over) {
      program_stall_for(self->program.board, des_stall_after());
    }
    release(transfer);
  }
}

/* Begin TRANSFER of the running process, which is busy for nic.send; ARRIVED is called when the message has
 * come. A get sends a question without bytes. */
static void begin_transfer(struct transfer *transfer, void (*arrived)(struct net_message *way), bool is_put) {
  struct net *net = transfer->self->hosts->machine.net;
  uint64_t at = des_local(transfer->self->actor);
  net_number(net, &transfer->way, at, (struct probe_send){.asks = !is_put});
  transfer->way.nbytes = is_put ? transfer->wanted.nbytes : 0;
  transfer->way.arrived = arrived;
  see_begin(transfer, is_put);
  program_compute(transfer->self->program.board, COMPUTE_SEND, net->send);
  if (des_is_shuffled() && !transfer->tells) {
    set_out_shuffled(transfer, at);
    return;
  }
  let_earlier_go(transfer, at);
  net_send(net, &transfer->way, at);
}

static void told_arrives(struct net_message *way) {
  struct transfer *transfer = EVENT_OWNER(way, struct transfer, way);
  transfer->arrived = true;
  show_arrived(transfer->peer, transfer->self, way->number);
}

void host_tell(const struct host_transfer *wanted) {
  struct transfer *transfer = new_tell(wanted);
  line_up(transfer);
  begin_transfer(transfer, told_arrives, true);
}

static void told_near_is_seen(struct event *event) {
  struct transfer *transfer = EVENT_OWNER(event, struct transfer, event);
  show(transfer->peer, transfer, transfer->way.number);
  release(transfer);
}

void host_tell_near(const struct host_transfer *wanted) {
  struct transfer *transfer = new_tell(wanted);
  struct process *self = transfer->self;
  process_check_near(transfer->peer);
  transfer->near = true;
  transfer->event.run = told_near_is_seen;
  struct net *net = self->hosts->machine.net;
  uint64_t at = des_local(self->actor) + self->hosts->flag + des_lateness();
  RAISE(at, self->near_until);
  self->near_until = at;
  net_number(net, &transfer->way, des_local(self->actor), (struct probe_send){.near = true});
  see_begin(transfer, true);
  net_see(net, &transfer->way,
          (struct probe_event){.kind = PROBE_MESSAGE_ARRIVE, .cycle = at, .arrive.told = at});
  des_schedule_on(net->node, &transfer->event, at, des_order(DES_ARRIVE, self->host));
}

static void acknowledged(struct event *event) {
  end_transfer(EVENT_OWNER(event, struct transfer, event));
}

/* Return the latency of the links from the host of FROM to the host of TO, in cycles. */
static uint64_t latency_between(const struct process *from, const struct process *to) {
  struct fabric *fabric = from->hosts->machine.net->fabric;
  struct fabric_route route = fabric_route(fabric, from->host, to->host);
  double us = 0;
  for (unsigned i = 0; i < route.n; i++) {
    us += fabric->links[route.links[i]].latency;
  }
  return net_cycles(from->hosts->machine.net, us);
}

static void put_arrives(struct net_message *way) {
  struct transfer *transfer = EVENT_OWNER(way, struct transfer, way);
  struct process *self = transfer->self, *peer = transfer->peer;
  if (self->hosts->memory.has_data) {
    memcpy(peer->program.bytes + transfer->there, transfer->wanted.here, transfer->wanted.nbytes);
  }
  see_arrival(transfer);
  uint64_t back = latency_between(peer, self), receive = self->hosts->machine.net->receive;
  transfer->event.run = acknowledged;
  des_schedule_on(self->hosts->machine.net->node, &transfer->event,
                  des_now() + (back > receive ? back - receive : 0),
                  des_order(DES_COMPLETE, self->program.unit));
  transfer->arrived = true;
  show_arrived(peer, self, way->number);
}

void host_put(const struct host_transfer *wanted) {
  struct transfer *transfer = new_move(wanted, 2);
  line_up(transfer);
  begin_transfer(transfer, put_arrives, true);
}

static void got_arrives(struct net_message *way) {
  struct transfer *transfer = EVENT_OWNER(way, struct transfer, way);
  if (transfer->self->hosts->memory.has_data) {
    memcpy(transfer->wanted.here, transfer->peer->program.bytes + transfer->there, transfer->wanted.nbytes);
  }
  see_arrival(transfer);
  end_transfer(transfer);
}

/* The NIC of the peer answers at once and without a processor: send counts nic.send, so that the answer
 * begins earlier by nic.send. */
static void question_arrives(struct net_message *way) {
  struct transfer *transfer = EVENT_OWNER(way, struct transfer, way);
  way->nbytes = transfer->wanted.nbytes;
  way->relayed = false;
  way->from = transfer->peer->host;
  way->to = transfer->self->host;
  way->from_node = transfer->peer->program.unit;
  way->to_node = transfer->self->program.unit;
  way->arrived = got_arrives;
  net_send(way->net, way, des_now() - way->net->send);
}

void host_get(const struct host_transfer *wanted) {
  struct transfer *transfer = new_move(wanted, 1);
  transfer->way.relayed = true; /* the get is complete when the bytes have come back */
  begin_transfer(transfer, question_arrives, false);
}

/* --- waits for transfers --- */

/* A wait for the end of all transfers of SELF with the tags of MASK; bit t is tag FIRST + t. */
struct tag_wait {
  struct des_wait wait; /* first */
  const struct process *self;
  uint32_t first, mask;
};

/* Return the bits of MASK whose tags have no transfer under way; bit t is tag FIRST + t of SELF. */
static uint32_t tags_done(const struct process *self, uint32_t first, uint32_t mask) {
  uint32_t done = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    uint32_t bit = (uint32_t)__builtin_ctz(left), tag = first + bit;
    done |= tag < self->ntags && self->under_way[tag] ? 0 : UINT32_C(1) << bit;
  }
  return done;
}

static void let_go_of(struct program *program, uint32_t tags, bool any) {
  struct process *self = (struct process *)program;
  if (LIST_FIRST(&self->held)) {
    bool is_over = any && tags_done(self, 0, tags);
    transfers_let_go(self, 0, is_over ? 0 : any ? des_draw_bit(tags) : tags);
  }
}

static uint32_t done_of(const struct program *program, uint32_t tags) {
  return tags_done((const struct process *)program, 0, tags);
}

static bool is_over(const struct des_wait *wait) {
  const struct tag_wait *own = (const struct tag_wait *)wait;
  return tags_done(own->self, own->first, own->mask) == own->mask;
}

static void describe(const struct des_wait *wait, char *text, size_t size) {
  const struct tag_wait *own = (const struct tag_wait *)wait;
  snprintf(text, size, own->first ? "waits for transfers with tag %u" : "waits for transfers with tags 0x%x",
           own->first ? own->first : own->mask);
}

/* Tell the observers: SELF knows the end of the transfers of the tags in MASK; bit t is tag FIRST + t. */
static void see_tags(const struct process *self, uint32_t first, uint32_t mask) {
  program_see(PROBE_SEEN_TAGS, .spe = self->program.unit, .is_proxy = true, .mask = mask << first % 32,
              .number = first / 32);
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
  struct process *self = process_self();
  des_note_change();
  random_absorb(&self->hosts->machine.calls, (uint64_t)first << 32 | mask);
  program_stall(self->program.board);
  transfers_let_go(self, first, mask);
  struct tag_wait wait = {
    .wait = {.kinds = SPE_POKE_DMA, .ready = is_over, .describe = describe}, self, first, mask};
  program_wait(&wait.wait, PROBE_FOR_TAGS, NULL);
  see_tags(self, first, mask);
}

void host_wait_tags(uint32_t mask) {
  wait_tags(0, mask);
}

void host_wait_tag(uint32_t tag) {
  wait_tags(tag, 1);
}

/* --- the machine --- */

static const struct program_kind on_host = {
  .fault = stop, .let_go = let_go_of, .done = done_of, .is_on_host = true, .slowness = HOST_SLOWNESS};

static void reset(struct machine *machine, const struct machine_memory *memory) {
  struct hosts *hosts = (struct hosts *)machine;
  if (hosts->memories.bytes) {
    pages_fini(&hosts->memories, hosts->memories.nbytes);
  }
  hosts->memories = (struct pages){.bytes = NULL};
  if (memory->nprocesses) {
    pages_init(&hosts->memories, memory->nprocesses * memory->nbytes, "memory of processes");
  }
  pool_reset(&hosts->transfers);
  hosts->memory = *memory;
  machine->ntransfers = machine->ncrossing = machine->calls = 0;
  for (unsigned i = 0; i < hosts->machine.nprocesses; i++) {
    struct process *self = &hosts->processes[i];
    free(self->fault);
    free(self->title);
    free(self->under_way);
    uint8_t *bytes = i < memory->nprocesses ? hosts->memories.bytes + i * memory->nbytes : NULL;
    *self = (struct process){.program = {.kind = &on_host,
                                         .board = &self->board,
                                         .memory = &hosts->accesses,
                                         .unit = i,
                                         .bytes = bytes,
                                         .nbytes = memory->nbytes,
                                         .ea = ea_of_process(i, 0)},
                             .board = {.node = machine->net->node,
                                       .number = i,
                                       .programs = &hosts->names[i],
                                       .programs_room = 1,
                                       .probes = hosts->course},
                             .hosts = hosts,
                             .host = i / machine->platform->node.processes};
    hosts->names[i] = NULL;
  }
  board_see_detail(&hosts->accesses, &(struct probe_event){.kind = PROBE_RESET});
}

static uint8_t *memory_of(const struct machine *machine, struct place place) {
  return ((const struct hosts *)machine)->processes[place.node].program.bytes;
}

static void connect(struct machine *machine, struct probe *probe, bool on) {
  struct hosts *hosts = (struct hosts *)machine;
  void (*join)(struct probes *, struct probe *) = on ? probes_add : probes_remove;
  if (!probe->accesses_only) {
    join(&hosts->course, probe);
    for (unsigned i = 0; i < machine->nprocesses; i++) {
      hosts->processes[i].board.probes = hosts->course;
    }
  }
  if (probe->accesses_only || probe->orders) {
    join(&hosts->accesses.probes, probe);
  }
}

static void run_process(void *argument) {
  const struct process *self = argument;
  self->job.main(self->job.argument);
  program_end();
}

static void start(struct machine *machine, struct place place, struct machine_program *program) {
  struct hosts *hosts = (struct hosts *)machine;
  struct process *self = &hosts->processes[place.node];
  const char *const *names = machine->platform->host_names;
  self->job = *program;
  self->program.name = program->name;
  self->title = names ? xasprintf("%s on %s", program->name, names[self->host]) : xstrdup(program->name);
  self->actor = program_start(
    &(struct des_job){.program = run_process, .argument = self, .name = self->title, .number = place.node},
    &(struct program_place){.spe = PROBE_NOBODY}, 0);
}

/* Return the faults of all processes, one a line; NULL: there are none. */
static char *join_faults(const struct hosts *hosts) {
  char *all = NULL;
  for (unsigned i = 0; i < hosts->memory.nprocesses; i++) {
    if (hosts->processes[i].fault) {
      xappend(&all, "%s\n", hosts->processes[i].fault);
    }
  }
  return all;
}

static struct blade_result run(struct machine *machine) {
  struct des_result result = des_run(machine->net->node);
  return (struct blade_result){
    .cycles = result.cycles, .faults = join_faults((struct hosts *)machine), .stuck = result.stuck};
}

static void free_hosts(struct machine *machine) {
  struct hosts *hosts = (struct hosts *)machine;
  reset(machine, &(struct machine_memory){.nprocesses = 0});
  pool_fini(&hosts->transfers);
  net_free(machine->net);
  free(hosts->processes);
  free(hosts->names);
  free(hosts);
}

static const struct machine_kind processes = {
  .free = free_hosts, .connect = connect, .reset = reset, .start = start, .memory = memory_of, .run = run};

struct machine *hosts_new(const struct platform *platform, struct net *net) {
  struct hosts *hosts = xcalloc(1, sizeof *hosts);
  hosts->machine = (struct machine){.kind = &processes,
                                    .platform = platform,
                                    .net = net,
                                    .look_ahead = UINT64_MAX, /* programs run ahead without a limit */
                                    .nprocesses = platform->node.count * platform->node.processes};
  hosts->copy_byte = 1e3 * platform->clock.spu / platform->host.copy;
  hosts->flag = net_cycles(net, platform->host.flag);
  hosts->processes = xcalloc(hosts->machine.nprocesses, sizeof *hosts->processes);
  hosts->names = xcalloc(hosts->machine.nprocesses, sizeof *hosts->names);
  hosts->accesses = (struct board){.node = net->node, .programs = hosts->names};
  pool_init(&hosts->transfers, sizeof(struct transfer));
  return &hosts->machine;
}
