/* SPDX-License-Identifier: BSD-3-Clause
 * See model_cluster.h. A message passes one hop: between two blades, between a blade and its host, or between
 * two hosts. */
#include "algos/cost/model_cluster.h"

#include "algos/cost/model_link.h"
#include "algos/cost/model_parts.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* One end of a link: when it is free for what leaves, and what enters. */
struct end {
  uint64_t out;
  struct model_inlet in;
};

/* The ends of the link that joins a machine with the others: its own; of a blade also that at its host. */
struct place {
  struct end own, host;
};

struct message {
  struct model_net *net;
  unsigned from, to; /* machines, by their place in the call */
  uint32_t nbytes;
  uint32_t unsent, missing; /* bytes, for sender and receiver */
  bool arrived;
  struct message *next, *before;
};

/* What leaves of a message at once. */
struct train {
  struct message *message;
  uint32_t nbytes;
  struct model_inlet *in; /* at the end of its hop */
  struct event event;
  struct model_inflow inflow;
};

struct messages {
  struct message *first, *last;
};

struct model_net {
  const struct model_network *network;
  struct model_machine **machines; /* of the nodes, then of the hosts */
  const unsigned *numbers;
  unsigned n, nhosts;
  struct place *places;     /* by machine */
  struct messages *inboxes; /* what is on its way to a machine, or there and not yet taken */
  uint64_t look_ahead;
};

/* --- lists --- */

static void append(struct messages *list, struct message *message) {
  message->before = list->last;
  *(list->last ? &list->last->next : &list->first) = message;
  list->last = message;
}

static void take_out(struct messages *list, struct message *message) {
  *(message->next ? &message->next->before : &list->last) = message->before;
  *(message->before ? &message->before->next : &list->first) = message->next;
  free(message);
}

/* --- hops --- */

/* A train has arrived. */
static void is_there(struct model_inflow *inflow) {
  struct train *train = (struct train *)((char *)inflow - offsetof(struct train, inflow));
  struct message *message = train->message;
  message->missing -= train->nbytes;
  if (message->missing == 0) {
    message->arrived = true;
    des_poke(message->net->machines[message->to]->ppe, MODEL_POKE_MESSAGE);
  }
  free(train);
}

/* The first byte of a train is there. */
static void arrive(struct event *event) {
  struct train *train = EVENT_OWNER(event, struct train, event);
  model_inlet_take(train->in, &train->inflow, train->message->to);
}

/* A hop: when its beginning is free, and its end. */
struct hop {
  enum model_hop kind;
  uint64_t *out;
  struct model_inlet *in;
};

static struct hop hop_of(const struct message *message) {
  struct model_net *net = message->net;
  struct place *from = &net->places[message->from], *to = &net->places[message->to];
  bool from_host = message->from >= net->n, to_host = message->to >= net->n;
  if (from_host == to_host) {
    return (struct hop){from_host ? MODEL_HOP_HOSTS : MODEL_HOP_NODES, &from->own.out, &to->own.in};
  }
  return to_host ? (struct hop){MODEL_HOP_PCIE, &from->own.out, &from->host.in}
                 : (struct hop){MODEL_HOP_PCIE, &to->host.out, &to->own.in};
}

/* Return the cycles of GAP, that of MESSAGE, for NBYTES of them. */
static uint64_t gap_of(const struct message *message, double gap, uint32_t nbytes) {
  return model_cycles(message->nbytes ? gap * nbytes / message->nbytes : gap);
}

static void leave(struct event *event);

/* Let TRAIN, and what is left of its message after it, leave from now on. */
static void pass(struct train *train) {
  struct message *message = train->message;
  const struct model_net *net = message->net;
  const struct model_network *network = net->network;
  struct hop hop = hop_of(message);
  struct model_pass times = network->pass(network->context, hop.kind, message->nbytes);
  bool has_window = network->window && hop.kind != MODEL_HOP_PCIE;
  uint32_t nbytes = has_window && network->window < message->unsent ? network->window : message->unsent,
           packet = network->packet < nbytes ? network->packet : nbytes;
  uint64_t leaves = *hop.out > des_now() ? *hop.out : des_now(), gap = gap_of(message, times.gap, nbytes),
           into = gap_of(message, fmin(times.into, times.gap), nbytes),
           of_packet = gap_of(message, fmin(times.into, times.gap), packet);
  uint64_t latency = model_cycles(times.latency), there = leaves + latency + gap - into,
           least = leaves + net->look_ahead;
  *hop.out = leaves + gap;
  train->nbytes = nbytes;
  train->in = hop.in;
  train->inflow = (struct model_inflow){.left = into, .packet = of_packet ? of_packet : 1, .done = is_there};
  train->event.run = arrive;
  message->unsent -= nbytes;
  if (message->unsent) {
    struct train *rest = xcalloc(1, sizeof *rest);
    rest->message = message;
    rest->event.run = leave;
    uint64_t again = network->acknowledged ? leaves + 2 * latency : leaves + gap;
    des_schedule(&rest->event, again, DES_DELIVER, message->from);
  }
  des_schedule_on(net->machines[message->to]->node, &train->event, there > least ? there : least,
                  des_order(DES_ARRIVE, message->from));
}

/* The rest of a message may leave. */
static void leave(struct event *event) {
  pass(EVENT_OWNER(event, struct train, event));
}

/* --- programs of PPEs and hosts --- */

/* Return the place of machine NUMBER in the call of NET. */
static unsigned place_of(const struct model_net *net, unsigned number) {
  unsigned low = 0, high = net->n + net->nhosts - 1;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (net->numbers[middle] < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void model_net_put(unsigned to, uint64_t ea, uint32_t nbytes) {
  struct model_machine *machine = model_of_ppe();
  struct model_net *net = machine->net;
  struct message *message = xcalloc(1, sizeof *message);
  struct train *train = xcalloc(1, sizeof *train);
  (void)ea;
  *message = (struct message){.net = net,
                              .from = machine->number,
                              .to = place_of(net, to),
                              .nbytes = nbytes,
                              .unsent = nbytes,
                              .missing = nbytes};
  train->message = message;
  des_sync(machine->ppe);
  append(&net->inboxes[message->to], message);
  pass(train);
  if (hop_of(message).kind == MODEL_HOP_HOSTS) {
    des_charge(machine->ppe, model_cycles(net->network->host_sends));
  }
}

/* Return the first message from machine FROM to MACHINE that is not yet taken; NULL: there is none. */
static struct message *first_from(const struct model_machine *machine, unsigned from) {
  struct message *message = machine->net->inboxes[machine->number].first;
  while (message && message->from != from) {
    message = message->next;
  }
  return message;
}

/* What a PPE waits for. */
struct awaited {
  const struct model_machine *machine;
  unsigned from;
};

static bool has_arrived(const struct des_wait *wait) {
  const struct awaited *awaited = model_wait_of(wait)->what;
  const struct message *message = first_from(awaited->machine, awaited->from);
  return message && message->arrived;
}

void model_net_wait(unsigned from, uint64_t ea, uint32_t nbytes) {
  struct model_machine *machine = model_of_ppe();
  struct awaited awaited = {machine, place_of(machine->net, from)};
  (void)ea, (void)nbytes;
  model_wait_until(NULL, MODEL_POKE_MESSAGE, has_arrived, &awaited);
  take_out(&machine->net->inboxes[machine->number], first_from(machine, awaited.from));
}

/* --- running --- */

/* Return the least time in which a message of NET reaches another machine. */
static uint64_t look_ahead(const struct model_net *net) {
  double least = INFINITY;
  for (unsigned hop = 0; hop < MODEL_HOPS; hop++) {
    if ((hop == MODEL_HOP_NODES) == (net->nhosts == 0)) {
      least = fmin(least, net->network->pass(net->network->context, hop, 0).latency);
    }
  }
  return least >= 1 ? model_cycles(least) : 1;
}

/* Prepare NET for the machines of PARTS, which are like MACHINE. */
static void join(struct model_net *net, const struct model_machine *machine,
                 const struct model_parts *parts) {
  unsigned n = parts->n + parts->nhosts;
  net->n = parts->n;
  net->nhosts = parts->nhosts;
  net->numbers = parts->numbers;
  net->look_ahead = look_ahead(net);
  net->machines = xcalloc(n, sizeof(struct model_machine *));
  net->places = xcalloc(n, sizeof *net->places);
  net->inboxes = xcalloc(n, sizeof *net->inboxes);
  for (unsigned i = 0; i < n; i++) {
    struct model_machine *own = net->machines[i] = model_machine_new(machine->values);
    own->net = net;
    own->number = i;
    if (i < net->n) {
      own->program = parts->program;
      own->words = xcalloc(1, MODEL_WORDS_BYTES);
      model_machine_begin(own, &parts->groups[i]);
    } else {
      own->host_combines = net->network->host_combines;
      model_machine_begin_host(own, &parts->groups[i], parts->host_program);
    }
  }
}

/* Release NET. */
static void part(struct model_net *net) {
  for (unsigned i = 0; i < net->n + net->nhosts; i++) {
    while (net->inboxes[i].first) {
      take_out(&net->inboxes[i], net->inboxes[i].first);
    }
    free(net->machines[i]->words);
    model_machine_free(net->machines[i]);
  }
  free(net->machines);
  free(net->places);
  free(net->inboxes);
}

/* Run all programs of NET.
 * returns: whether they have ended. */
static bool run(struct model_net *net, struct model_stop *stop) {
  unsigned n = net->n + net->nhosts;
  struct des_node **nodes = xcalloc(n, sizeof(struct des_node *));
  struct des_result *results = xcalloc(n, sizeof *results);
  bool ended = true;
  for (unsigned i = 0; i < n; i++) {
    nodes[i] = net->machines[i]->node;
  }
  des_run_all(nodes, n, net->look_ahead, results);
  for (unsigned i = 0; i < n; i++) { /* what one has been stopped by may be what others wait for */
    const struct model_stop *own = &net->machines[i]->stop;
    *stop = own->refused || (*own->how && !stop->refused) ? *own : *stop;
  }
  for (unsigned i = 0; i < n; i++) {
    ended &= model_note_end(stop, &results[i]);
  }
  free(nodes);
  free(results);
  return ended;
}

double model_cluster_run(struct model_machine *machine, const struct model_parts *parts,
                         const struct model_network *network, struct model_stop *stop) {
  struct model_net net = {.network = network};
  struct model_span whole = {UINT64_MAX, 0};
  struct model_stop why = {NULL, ""};
  join(&net, machine, parts);
  bool ended = run(&net, &why);
  for (unsigned i = 0; i < net.n; i++) {
    struct model_span own = model_machine_end(net.machines[i], !ended);
    whole.first = own.first < whole.first ? own.first : whole.first;
    whole.last = own.last > whole.last ? own.last : whole.last;
  }
  part(&net);
  if (stop) {
    *stop = why;
  }
  return ended ? (double)(whole.last - whole.first) : NAN;
}
