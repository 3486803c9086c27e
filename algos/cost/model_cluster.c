/* SPDX-License-Identifier: BSD-3-Clause
 * See model_cluster.h. A message passes one hop between blades; three between blades behind hosts, or two behind the same one. What
 * happens at hosts happens on a node of the event core of their own. */
#include "algos/cost/model_cluster.h"

#include "algos/cost/model_parts.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* When what leaves and what enters by one end of a link is free. */
struct end {
  uint64_t out, in;
};

/* The ends of the link that joins a machine with the others; that of the host only if there is one. */
struct place {
  struct end own, host;
};

struct message {
  struct model_net *net;
  unsigned from, to; /* machines, by their place in the call */
  uint32_t nbytes;
  enum model_hop hop;
  uint64_t *in;           /* when the end of the hop is free */
  bool descends, arrived; /* on its last hop; at the end of it */
  uint64_t gap;           /* there */
  struct event event;
  struct message *next, *before;
};

struct messages {
  struct message *first, *last;
};

struct model_net {
  const struct model_network *network;
  struct model_machine **machines;
  const unsigned *numbers;
  unsigned n;
  struct place *places;     /* by machine */
  struct end *hosts;        /* by host: its end of the network */
  struct messages *inboxes; /* what is on its way to a machine, or there and not yet taken */
  struct des_node *beside;  /* of the hosts; NULL: there are none */
  uint64_t look_ahead;
};

/* --- lists --- */

static void
append(struct messages *list, struct message *message)
{
  message->before = list->last;
  *(list->last ? &list->last->next : &list->first) = message;
  list->last = message;
}

static void
take_out(struct messages *list, struct message *message)
{
  *(message->next ? &message->next->before : &list->last) = message->before;
  *(message->before ? &message->before->next : &list->first) = message->next;
  free(message);
}

/* --- hops --- */

static void go_on(struct message *message);

/* A message has passed a hop. */
static void
is_there(struct event *event)
{
  struct message *message = EVENT_OWNER(event, struct message, event);
  if (message->descends) {
    message->arrived = true;
    des_poke(message->net->machines[message->to]->ppe, MODEL_POKE_MESSAGE);
  } else {
    go_on(message);
  }
}

/* The first byte of a message is there. */
static void
arrive(struct event *event)
{
  struct message *message = EVENT_OWNER(event, struct message, event);
  *message->in = (*message->in > des_now() ? *message->in : des_now()) + message->gap;
  message->event.run = is_there;
  des_schedule(&message->event, *message->in, DES_DELIVER, message->from);
}

/* A hop: when both its ends are free, and the node on which it ends. */
struct hop {
  enum model_hop kind;
  uint64_t *out, *in;
  struct des_node *end;
};

/* Let MESSAGE pass HOP. */
static void
pass(struct message *message, struct hop hop)
{
  const struct model_net *net = message->net;
  struct model_pass times = net->network->pass(net->network->context, hop.kind, message->nbytes);
  uint64_t leaves = *hop.out > des_now() ? *hop.out : des_now(), gap = model_cycles(times.gap);
  message->hop = hop.kind;
  message->in = hop.in;
  message->gap = model_cycles(fmin(times.into, times.gap));
  *hop.out = leaves + gap;
  message->event.run = arrive;
  uint64_t there = leaves + model_cycles(times.latency) + gap - message->gap,
           least = hop.kind == MODEL_HOP_HOSTS ? leaves : leaves + net->look_ahead;
  des_schedule_on(hop.end, &message->event, there > least ? there : least,
                  des_order(DES_ARRIVE, message->from));
}

/* Return the number of the host of machine INDEX. */
static unsigned
host_of(const struct model_net *net, unsigned index)
{
  return net->numbers[index] / net->network->blades_per_host;
}

/* Let MESSAGE, which is at a host, go to that of its receiver, or from there to the blade. */
static void
go_on(struct message *message)
{
  struct model_net *net = message->net;
  unsigned from = host_of(net, message->from), to = host_of(net, message->to);
  struct place *place = &net->places[message->to];
  if (message->hop == MODEL_HOP_PCIE && from != to) {
    pass(message, (struct hop){MODEL_HOP_HOSTS, &net->hosts[from].out, &net->hosts[to].in, net->beside});
  } else {
    message->descends = true;
    pass(message,
         (struct hop){MODEL_HOP_PCIE, &place->host.out, &place->own.in, net->machines[message->to]->node});
  }
}

/* --- programs of PPEs --- */

/* Return the place of machine NUMBER in the call of NET. */
static unsigned
place_of(const struct model_net *net, unsigned number)
{
  unsigned low = 0, high = net->n - 1;
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

void
model_net_put(unsigned to, uint64_t ea, uint32_t nbytes)
{
  struct model_machine *machine = model_of_ppe();
  struct model_net *net = machine->net;
  struct message *message = xcalloc(1, sizeof *message);
  (void)ea;
  *message = (struct message){.net = net, .from = machine->number, .to = place_of(net, to), .nbytes = nbytes};
  des_sync(machine->ppe);
  append(&net->inboxes[message->to], message);
  struct place *from = &net->places[message->from], *far = &net->places[message->to];
  if (net->beside) {
    pass(message, (struct hop){MODEL_HOP_PCIE, &from->own.out, &from->host.in, net->beside});
  } else {
    message->descends = true;
    pass(message,
         (struct hop){MODEL_HOP_NODES, &from->own.out, &far->own.in, net->machines[message->to]->node});
  }
}

/* Return the first message from machine FROM to MACHINE that is not yet taken; NULL: there is none. */
static struct message *
first_from(const struct model_machine *machine, unsigned from)
{
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

static bool
has_arrived(const struct des_wait *wait)
{
  const struct awaited *awaited = model_wait_of(wait)->what;
  const struct message *message = first_from(awaited->machine, awaited->from);
  return message && message->arrived;
}

void
model_net_wait(unsigned from, uint64_t ea, uint32_t nbytes)
{
  struct model_machine *machine = model_of_ppe();
  struct awaited awaited = {machine, place_of(machine->net, from)};
  (void)ea, (void)nbytes;
  model_wait_until(NULL, MODEL_POKE_MESSAGE, has_arrived, &awaited);
  take_out(&machine->net->inboxes[machine->number], first_from(machine, awaited.from));
}

/* --- running --- */

/* Prepare NET for the machines of PARTS, which are like MACHINE. */
static void
join(struct model_net *net, const struct model_machine *machine, const struct model_parts *parts)
{
  enum model_hop first = net->network->blades_per_host ? MODEL_HOP_PCIE : MODEL_HOP_NODES;
  net->n = parts->n;
  net->numbers = parts->numbers;
  net->look_ahead = model_cycles(net->network->pass(net->network->context, first, 0).latency);
  net->look_ahead = net->look_ahead ? net->look_ahead : 1;
  net->machines = xcalloc(net->n, sizeof(struct model_machine *));
  net->places = xcalloc(net->n, sizeof *net->places);
  net->inboxes = xcalloc(net->n, sizeof *net->inboxes);
  if (net->network->blades_per_host) {
    net->hosts = xcalloc(host_of(net, net->n - 1) + 1, sizeof *net->hosts);
    net->beside = des_node_new();
  }
  for (unsigned i = 0; i < net->n; i++) {
    struct model_machine *own = net->machines[i] = model_machine_new(machine->values);
    own->program = parts->program;
    own->words = xcalloc(1, MODEL_WORDS_BYTES);
    own->net = net;
    own->number = i;
    model_machine_begin(own, &parts->groups[i]);
  }
}

/* Release NET. */
static void
part(struct model_net *net)
{
  for (unsigned i = 0; i < net->n; i++) {
    while (net->inboxes[i].first) {
      take_out(&net->inboxes[i], net->inboxes[i].first);
    }
    free(net->machines[i]->words);
    model_machine_free(net->machines[i]);
  }
  des_node_free(net->beside);
  free(net->machines);
  free(net->places);
  free(net->hosts);
  free(net->inboxes);
}

/* Run all programs of NET.
 * returns: whether they have ended. */
static bool
run(struct model_net *net, const char **refused)
{
  unsigned n = net->n + (net->beside ? 1 : 0);
  struct des_node **nodes = xcalloc(n, sizeof(struct des_node *));
  struct des_result *results = xcalloc(n, sizeof *results);
  bool ended = true;
  for (unsigned i = 0; i < net->n; i++) {
    nodes[i] = net->machines[i]->node;
  }
  if (net->beside) {
    nodes[net->n] = net->beside;
  }
  des_run_all(nodes, n, net->look_ahead, results);
  for (unsigned i = 0; i < n; i++) {
    ended &= !results[i].stuck && !results[i].interrupted;
    free(results[i].stuck_report);
  }
  for (unsigned i = 0; i < net->n; i++) {
    *refused = net->machines[i]->refused ? net->machines[i]->refused : *refused;
  }
  free(nodes);
  free(results);
  return ended && !*refused;
}

double
model_cluster_run(struct model_machine *machine, const struct model_parts *parts,
                  const struct model_network *network, const char **refused)
{
  struct model_net net = {.network = network};
  struct model_span whole = {UINT64_MAX, 0};
  const char *why = NULL;
  join(&net, machine, parts);
  bool ended = run(&net, &why);
  for (unsigned i = 0; i < net.n; i++) {
    struct model_span own = model_machine_end(net.machines[i], !ended);
    whole.first = own.first < whole.first ? own.first : whole.first;
    whole.last = own.last > whole.last ? own.last : whole.last;
  }
  part(&net);
  if (refused) {
    *refused = why;
  }
  return ended ? (double)(whole.last - whole.first) : NAN;
}
