/* SPDX-License-Identifier: BSD-3-Clause
 * See machine.h and message.h: machines of blades and of hosts of triblades. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board.h"
#include "sim/hw/ppe.h"
#include "sim/node/machine_state.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Put MESSAGE at the end of LIST, or take MESSAGE out of LIST. */
static void append(struct messages *list, struct message *message) {
  message->next = NULL;
  message->before = list->last;
  *(list->last ? &list->last->next : &list->first) = message;
  list->last = message;
}

static void take_out(struct messages *list, struct message *message) {
  *(message->next ? &message->next->before : &list->last) = message->before;
  *(message->before ? &message->before->next : &list->first) = message->next;
}

/* Forget the messages of LIST. */
static void forget(struct messages *list) {
  while (list->first) {
    struct message *message = list->first;
    take_out(list, message);
    free(message);
  }
}

static void forget_started(struct machine *machine) {
  while (machine->started) {
    struct started *started = machine->started;
    machine->started = started->next;
    free(started);
  }
}

/* --- messages --- */

void message_arrive(struct message *message) {
  struct machine *machine = message->machine;
  struct probe_cause cause = {.kind = PROBE_BY_MESSAGE, .who = message->from, .number = message->way.number};
  message->arrived = true;
  ppe_poke_all(blade_board(machine->blades[message->to]), PPE_POKE_MESSAGE, &cause);
}

struct message *message_of_way(struct net_message *way) {
  return (struct message *)((char *)way - offsetof(struct message, way));
}

static void arrive_by_network(struct net_message *way) {
  message_arrive(message_of_way(way));
}

bool message_can_be(const struct machine *machine, unsigned from, unsigned to) {
  unsigned low = from < to ? from : to, high = from < to ? to : from, n = machine->nblades;
  bool of_host = low < n && high >= n; /* one is a host, the other a blade */
  return low != high && high < n + machine->nhosts &&
         (!of_host || low / machine->blades_per_host == high - n);
}

uint64_t message_send(struct machine *machine, const struct message *head, const void *bytes) {
  struct message *message = xcalloc(1, sizeof *message + head->nbytes);
  *message = *head;
  message->machine = machine;
  message->way = (struct net_message){.from = head->from,
                                      .to = head->to,
                                      .nbytes = head->nbytes,
                                      .receiver = blade_board(machine->blades[head->to])->node,
                                      .arrived = arrive_by_network,
                                      .number = net_number(machine->net),
                                      .from_node = head->from,
                                      .to_node = head->to};
  if (head->nbytes) {
    memcpy(message->bytes, bytes, head->nbytes);
  }
  append(&machine->inboxes[head->to], message);
  net_see(machine->net, &message->way, (struct probe_event){.kind = PROBE_MESSAGE_SEND, .cycle = des_now()});
  uint64_t number = message->way.number;
  if (machine->blades_per_host) {
    triblade_send(message);
  } else {
    net_send(machine->net, &message->way, des_now());
  }
  return number;
}

const struct message *message_look(const struct machine *machine, unsigned node, unsigned from) {
  const struct message *message = machine->inboxes[node].first;
  while (message && message->from != from) {
    message = message->next;
  }
  return message && message->arrived ? message : NULL;
}

struct message *message_take(struct machine *machine, unsigned node, unsigned from) {
  struct message *message = (struct message *)message_look(machine, node, from);
  assert(message);
  take_out(&machine->inboxes[node], message);
  return message;
}

uint64_t message_send_cycles(const struct machine *machine, unsigned from, unsigned to) {
  bool by_nic = !machine->blades_per_host || (from >= machine->nblades && to >= machine->nblades);
  return by_nic ? net_send_cycles(machine->net) : 0;
}

/* --- runs --- */

static void reset(struct machine *machine, const struct machine_memory *memory) {
  (void)memory;
  forget_started(machine);
  for (unsigned i = 0; i < machine->nblades + machine->nhosts; i++) {
    blade_reset(machine->blades[i]);
  }
  triblade_reset(machine);
}

static void start(struct machine *machine, struct place place, const struct machine_program *program) {
  struct started *started = xcalloc(1, sizeof *started);
  struct spu_programs programs = {.spus = &started->spu, .nspus = 1};
  if (place.kind == PLACE_SPE) {
    started->spu = (struct spu){.spe = place.number,
                                .main = program->main,
                                .argument = program->argument,
                                .name = program->name,
                                .start = program->start};
  } else {
    started->ppu = (struct ppu){.chip = place.number,
                                .main = program->main,
                                .argument = program->argument,
                                .name = program->name,
                                .start = program->start};
    programs = (struct spu_programs){.ppus = &started->ppu, .nppus = 1};
  }
  started->next = machine->started;
  machine->started = started;
  spu_start(machine->blades[place.node], &programs);
}

static uint8_t *memory_of(const struct machine *machine, struct place place) {
  return blade_ls(machine_blade(machine, place.node), place.number);
}

/* Return one text of all lines in RESULTS (one result per node): the lines about STUCK programs, otherwise
 * the lines about faults; NULL: no lines. With several blades a line about a program of a blade begins with
 * the name of the node; a line about a program of a host only where hosts have names. */
static char *join_lines(const struct machine *machine, const struct blade_result *results, bool stuck) {
  char *whole = NULL;
  size_t size = 0;
  const struct node_names names = machine_nodes(machine).names;
  FILE *stream = open_memstream(&whole, &size);
  if (!stream) {
    xalloc_fail("messages");
  }
  for (unsigned i = 0; i < machine->nblades + machine->nhosts; i++) {
    char name[NODE_NAME_SIZE];
    node_name(&names, i, name);
    char *text = stuck ? results[i].stuck : results[i].faults, *rest = NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
      bool named = names.hosts || (machine->nblades > 1 && i < machine->nblades);
      fprintf(stream, "%s%s%s\n", named ? name : "", named ? ": " : "", line);
    }
  }
  fclose(stream);
  if (size == 0) {
    free(whole);
    whole = NULL;
  }
  return whole;
}

static struct blade_result run(struct machine *machine) {
  unsigned n = machine->nblades + machine->nhosts;
  if (!machine->net) {
    return blade_run(machine->blades[0]);
  }
  struct blade_result *results = xcalloc(n, sizeof *results), whole = {0};
  blade_run_all(
    &(struct blade_company){
      .blades = machine->blades, .n = n, .beside = net_node(machine->net), .look_ahead = machine->look_ahead},
    results);
  for (unsigned i = 0; i < n; i++) {
    whole.cycles = results[i].cycles > whole.cycles ? results[i].cycles : whole.cycles;
    whole.interrupted |= results[i].interrupted;
    forget(&machine->inboxes[i]);
  }
  whole.faults = join_lines(machine, results, false);
  whole.stuck = join_lines(machine, results, true);
  for (unsigned i = 0; i < n; i++) {
    blade_result_fini(&results[i]);
  }
  free(results);
  return whole;
}

/* --- the machine --- */

static void release(struct machine *machine) {
  forget_started(machine);
  triblade_fini(machine);
  for (unsigned i = 0; machine->net && i < machine->nblades; i++) {
    blade_free(machine->blades[i]);
  }
  net_free(machine->net);
  free(machine->blades);
  free(machine->inboxes);
  free(machine);
}

static const struct machine_kind blades = {
  .free = release, .reset = reset, .start = start, .memory = memory_of, .run = run};

/* Make a machine with room for NNODES blades, and as many hosts. */
static struct machine *make(const struct platform *platform, unsigned nnodes, struct net *net) {
  struct machine *machine = xcalloc(1, sizeof *machine);
  *machine = (struct machine){.kind = &blades, .platform = platform, .net = net, .look_ahead = UINT64_MAX};
  machine->blades = xcalloc(2 * (size_t)nnodes, sizeof(struct blade *));
  return machine;
}

struct machine *machine_alone(struct blade *blade) {
  struct machine *machine = make(blade_platform(blade), 1, NULL);
  machine->blades[machine->nblades++] = blade;
  return machine;
}

struct machine *blades_new(const struct platform *platform, unsigned nnodes, struct net *net,
                           struct err *err) {
  struct machine *machine = make(platform, nnodes, net);
  bool built = true;
  machine->look_ahead = net_horizon(net);
  machine->inboxes = xcalloc(2 * (size_t)nnodes, sizeof *machine->inboxes);
  for (; built && machine->nblades < nnodes; machine->nblades += built) {
    struct blade *blade = machine->blades[machine->nblades] = blade_new(platform, err);
    built = blade != NULL;
    if (built) {
      blade_set_number(blade, machine->nblades);
      blade_set_machine(blade, machine);
    }
  }
  if (built && platform_blades_per_host(platform)) {
    built = triblade_init(machine, platform, err) == 0;
  }
  if (!built) {
    release(machine);
    return NULL;
  }
  return machine;
}
