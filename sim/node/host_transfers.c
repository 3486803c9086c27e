/* SPDX-License-Identifier: BSD-3-Clause
 * Transfers between processes: see host_api.h.
 *
 * Each memory has a list of the puts and tells in transit to that memory, in the order of sending. A tell
 * becomes visible only after all earlier puts and tells of the same sender to that memory. Bytes of data are
 * read and written in the cycle in which the last byte arrives. */
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/node/host_api.h"
#include "sim/node/hosts_state.h"

#include <assert.h>
#include <string.h>

enum { TELL_BYTES = 16 /* at most */ };

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
  struct transfer *next, *next_held;
};

void transfers_init(struct pool *pool) {
  pool_init(pool, sizeof(struct transfer));
}

static struct transfer *new_transfer(const struct host_transfer *wanted, unsigned holds) {
  struct process *self = process_self();
  size_t there;
  process_stall();
  struct process *peer = process_reach(wanted->ea, wanted->nbytes, &there);
  struct transfer *transfer = pool_take(&self->hosts->transfers);
  uint64_t *calls = &self->hosts->machine.calls;
  des_note_change();
  random_absorb(calls, des_local(self->actor) << 20 ^ self->number);
  random_absorb(calls, (uint64_t)there << 20 ^ peer->number);
  random_absorb(calls, (uint64_t)wanted->nbytes << 24 ^ wanted->tag << 8 ^ wanted->rail << 4 ^ holds);
  *transfer = (struct transfer){.way = {.from = self->host,
                                        .to = peer->host,
                                        .from_node = self->number,
                                        .to_node = peer->number,
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
  size_t here = (size_t)((uintptr_t)wanted->here - (uintptr_t)self->memory);
  if (here > hosts->memory.nbytes || wanted->nbytes > hosts->memory.nbytes - here) {
    process_fault("%zu bytes that are not in the own memory, expected those of host_memory", wanted->nbytes);
  }
  struct transfer *transfer = new_transfer(wanted, holds);
  hosts->machine.ntransfers++;
  hosts->machine.ncrossing += machine_cluster(&hosts->machine, self->number) !=
                              machine_cluster(&hosts->machine, transfer->peer->number);
  ++*VEC_REACH(self->under_way, self->ntags, wanted->tag);
  return transfer;
}

static void release(struct transfer *transfer) {
  if (--transfer->holds == 0) {
    pool_give(&transfer->self->hosts->transfers, transfer);
  }
}

static struct transfer *transfer_of(struct net_message *way) {
  return (struct transfer *)((char *)way - offsetof(struct transfer, way));
}

/* --- events for observers of memory --- */

/* Return TRANSFER as a DMA command. */
static struct probe_dma dma_of(const struct transfer *transfer) {
  return (struct probe_dma){.spe = transfer->self->number,
                            .command = transfer->way.number,
                            .tag = transfer->wanted.tag,
                            .nbytes = (unsigned)transfer->wanted.nbytes};
}

/* Tell the observers that TRANSFER, which has a number, begins. */
static void see_begin(struct transfer *transfer, bool is_put) {
  const struct process *self = transfer->self;
  const struct host_transfer *wanted = &transfer->wanted;
  hosts_see(self->hosts,
            (struct probe_event){.kind = PROBE_ENQUEUE,
                                 .enqueue = {.dma = dma_of(transfer),
                                             .program = self->number,
                                             .at = des_local(self->actor),
                                             .ls = (uint64_t)((const uint8_t *)wanted->here - self->memory),
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
    hosts_see_order(
      transfer->self->hosts,
      (struct probe_event){
        .kind = PROBE_ARRIVE,
        .landed = {.spe = dma.spe, .command = dma.command, .tag = dma.tag, .nbytes = dma.nbytes}});
  }
}

/* Tell the observers that TRANSFER is over. */
static void see_over(const struct transfer *transfer) {
  hosts_see(transfer->self->hosts,
            (struct probe_event){.kind = PROBE_COMPLETE, .complete.dma = dma_of(transfer)});
}

/* --- puts and gets: transfers that a program can wait for --- */

/* End TRANSFER, a put or a get. */
static void end_transfer(struct transfer *transfer) {
  see_over(transfer);
  transfer->is_over = true;
  transfer->self->under_way[transfer->wanted.tag]--;
  process_poke(transfer->self, PROCESS_POKE_TAGS, transfer->self, transfer->way.number);
  release(transfer);
}

/* --- tells --- */

/* Write the bytes of TRANSFER, a tell, into the memory of PROCESS, now that message number MESSAGE has
 * come. */
static void show(struct process *process, const struct transfer *transfer, uint64_t message) {
  see_arrival(transfer);
  see_over(transfer);
  memcpy(process->memory + transfer->there, transfer->told, transfer->wanted.nbytes);
  process_poke(process, PROCESS_POKE_MEMORY, transfer->self, message);
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

/* Number the message of TRANSFER, which the running process sends, and tell the observers of the send,
 * described by HOW. */
static void announce(struct transfer *transfer, struct probe_send how) {
  struct net *net = transfer->self->hosts->machine.net;
  transfer->way.number = ++net->nmessages;
  net_see(
    net, &transfer->way,
    (struct probe_event){.kind = PROBE_MESSAGE_SEND, .cycle = des_local(transfer->self->actor), .send = how});
}

/* Give the message of TRANSFER, a lazy put or get, to the network at cycle AT. */
static void let_go(struct transfer *transfer, uint64_t at) {
  struct transfer **link = &transfer->self->held;
  while (*link != transfer) {
    link = &(*link)->next_held;
  }
  *link = transfer->next_held;
  if (transfer->event.pending) {
    des_cancel(&transfer->event);
  }
  net_send(transfer->self->hosts->machine.net, &transfer->way, at);
}

static void end_hold(struct event *event) {
  let_go(EVENT_OWNER(event, struct transfer, event), des_now());
}

void transfers_let_go(struct process *self, uint32_t first, uint32_t mask) {
  for (struct transfer *transfer = self->held, *next; transfer; transfer = next) {
    uint32_t place = transfer->wanted.tag - first;
    next = transfer->next_held;
    if (place < 32 && mask >> place & 1) {
      let_go(transfer, des_local(self->actor));
    }
  }
}

/* Let the lazy puts into the memory of TRANSFER, a tell given at cycle AT, begin: the tell must wait for
 * these puts. */
static void let_earlier_go(const struct transfer *transfer, uint64_t at) {
  for (struct transfer *earlier = transfer->self->held, *next; earlier; earlier = next) {
    next = earlier->next_held;
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
    des_schedule(&transfer->event, at + HOST_SLOWNESS * DES_HOLD_MAX, DES_ISSUE, self->number);
    transfer->next_held = self->held;
    self->held = transfer;
    return;
  }
  net_send(self->hosts->machine.net, &transfer->way, at);
  if (pace == DES_EAGER) {
    transfer->holds++;
    while (!transfer->is_over) {
      host_compute_for(COMPUTE_OTHER, des_stall_after());
      host_sync();
    }
    release(transfer);
  }
}

/* Begin TRANSFER of the running process, which is busy for nic.send; ARRIVED is called when the message has
 * come. A get sends a question without bytes. */
static void begin_transfer(struct transfer *transfer, void (*arrived)(struct net_message *way), bool is_put) {
  struct net *net = transfer->self->hosts->machine.net;
  uint64_t at = des_local(transfer->self->actor);
  announce(transfer, (struct probe_send){.asks = !is_put});
  transfer->way.nbytes = is_put ? transfer->wanted.nbytes : 0;
  transfer->way.arrived = arrived;
  see_begin(transfer, is_put);
  host_compute_for(COMPUTE_SEND, net->send);
  if (des_is_shuffled() && !transfer->tells) {
    set_out_shuffled(transfer, at);
    return;
  }
  let_earlier_go(transfer, at);
  net_send(net, &transfer->way, at);
}

static void told_arrives(struct net_message *way) {
  struct transfer *transfer = transfer_of(way);
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
  uint64_t at = des_local(self->actor) + self->hosts->flag + des_lateness();
  at = at > self->near_until ? at : self->near_until;
  self->near_until = at;
  announce(transfer, (struct probe_send){.near = true});
  see_begin(transfer, true);
  net_see(self->hosts->machine.net, &transfer->way,
          (struct probe_event){.kind = PROBE_MESSAGE_ARRIVE, .cycle = at, .arrive.told = at});
  des_schedule_on(self->hosts->machine.net->node, &transfer->event, at, des_order(DES_ARRIVE, self->host));
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
  return hosts_cycles(from->hosts, us);
}

static void put_arrives(struct net_message *way) {
  struct transfer *transfer = transfer_of(way);
  struct process *self = transfer->self, *peer = transfer->peer;
  if (self->hosts->memory.has_data) {
    memcpy(peer->memory + transfer->there, transfer->wanted.here, transfer->wanted.nbytes);
  }
  see_arrival(transfer);
  uint64_t back = latency_between(peer, self), receive = self->hosts->receive;
  transfer->event.run = acknowledged;
  des_schedule_on(self->hosts->machine.net->node, &transfer->event,
                  des_now() + (back > receive ? back - receive : 0), des_order(DES_COMPLETE, self->number));
  transfer->arrived = true;
  show_arrived(peer, self, way->number);
}

void host_put(const struct host_transfer *wanted) {
  struct transfer *transfer = new_move(wanted, 2);
  line_up(transfer);
  begin_transfer(transfer, put_arrives, true);
}

static void got_arrives(struct net_message *way) {
  struct transfer *transfer = transfer_of(way);
  if (transfer->self->hosts->memory.has_data) {
    memcpy(transfer->wanted.here, transfer->peer->memory + transfer->there, transfer->wanted.nbytes);
  }
  see_arrival(transfer);
  end_transfer(transfer);
}

/* The NIC of the peer answers at once and without a processor: send counts nic.send, so that the answer
 * begins earlier by nic.send. */
static void question_arrives(struct net_message *way) {
  struct transfer *transfer = transfer_of(way);
  way->nbytes = transfer->wanted.nbytes;
  way->relayed = false;
  way->from = transfer->peer->host;
  way->to = transfer->self->host;
  way->from_node = transfer->peer->number;
  way->to_node = transfer->self->number;
  way->arrived = got_arrives;
  net_send(way->net, way, des_now() - way->net->send);
}

void host_get(const struct host_transfer *wanted) {
  struct transfer *transfer = new_move(wanted, 1);
  transfer->way.relayed = true; /* the get is complete when the bytes have come back */
  begin_transfer(transfer, question_arrives, false);
}
