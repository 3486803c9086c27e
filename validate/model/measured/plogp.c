/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/model/measured/plogp.h"

#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/combine.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/net/net.h"
#include "sim/node/machine.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/measured/net_exchange.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* --- between SPEs ---
 *
 *   L(1), L1(1), L2(1)  half the round trip of a flag between rank 0 and each other rank, averaged
 *   L(m), L1(m), L2(m)  half the round trip of: address there, get of m bytes, address back, get of m bytes
 *   g(m)                all other ranks of one chip get m bytes from rank 0 at once: mean time / number of
 *                       these ranks
 *   g1(m), g2(m)        the same with all other ranks of both chips: mean over the ranks on rank 0's chip,
 *                       and over the ranks across, each divided by the number of ranks: g1 is g but for the
 *                       wait for ranks across
 *   gAck, g1Ack, g2Ack  the same with flags put into rank 0
 *   C(m, n)             n messages cross the BIF, n / 2 pairs both ways, in loops: mean time of a get minus
 *                       that with n = 2
 *   gamma m             one rank combines a buffer of m bytes with itself, by the first operator on the first
 *                       type
 *
 * A blade of more than two chips is measured on chip 0 and the first neighbour of chip 0. */

static void get_from_peer(struct rig_rank *rank) {
  struct coll *c = rank->c;
  uint64_t ea = spu_ls_ea(c->group->spe_of[rank->peer], call_map_buffer(c->group));
  step_fetch(c, c->buffer, ea, rank->nbytes);
}

/* Get in a loop, as the paper did 100,000 times; here often enough to reach the steady state, and beyond the
 * counted part, until the counted parts of all ranks have ended.
 * source: Ali, Midkiff, Pai 2010, section 7 */
static void get_in_loop(struct rig_rank *rank) {
  enum { BEFORE = 4, COUNTED = 16, AFTER_MOST = 4 };
  unsigned *counting = *(unsigned *const *)rank->job; /* ranks whose counted part has not ended */
  uint64_t start = 0;
  for (unsigned i = 0; i < BEFORE + COUNTED + (*counting > 0 ? AFTER_MOST : 0); i++) {
    start = i == BEFORE ? spu_cycles() : start;
    get_from_peer(rank);
    if (i + 1 == BEFORE + COUNTED) {
      rank->cycles = (double)(spu_cycles() - start) / COUNTED;
      --*counting;
    }
  }
}

static void notify_peer(struct rig_rank *rank) {
  step_notify(rank->c, rank->peer);
}

/* Send one message of the classic benchmark: the peer fetches the data and answers with an empty message. */
static void send_message(struct rig_rank *rank) {
  struct coll *c = rank->c;
  step_post(c, rank->peer, c->buffer);
  step_await(c, rank->peer);
}

static void take_message(struct rig_rank *rank) {
  struct coll *c = rank->c;
  step_fetch(c, c->buffer, step_await_post(c, rank->peer), rank->nbytes);
  step_notify(c, rank->peer);
}

/* Send as many empty messages as fill the network. */
static void flood_peer(struct rig_rank *rank) {
  enum { FLOOD = 64, PLACES = 16 };
  struct coll *c = rank->c;
  uint64_t start = spu_cycles();
  for (unsigned i = 0; i < FLOOD; i++) {
    uint8_t *place = c->buffer + i % PLACES * MFC_MIN_DMA_SIZE;
    spu_compute(c->group->costs.send);
    mfc_put(place, step_peer_ea(c, rank->peer, place), MFC_MIN_DMA_SIZE, i % PLACES, 0, 0);
  }
  mfc_write_tag_mask((UINT32_C(1) << PLACES) - 1);
  mfc_read_tag_status_all();
  rank->cycles = (double)(spu_cycles() - start) / FLOOD;
}

static void combine_own(struct rig_rank *rank) {
  struct coll *c = rank->c;
  step_combine(c, c->buffer, c->buffer, rank->nbytes);
}

/* Prepare RIG for NRANKS ranks with M bytes each, on chip 0 and the next one. */
static void start_rig(struct rig *rig, const struct plogp *plogp, unsigned nranks, size_t m) {
  unsigned n = plogp->platform->spes_per_chip, next = rig_next_chip(plogp->machine);
  SCOPED uint64_t *spes = xcalloc(nranks, sizeof *spes);
  for (unsigned r = 0; r < nranks; r++) {
    spes[r] = r < n ? r : next * n + r - n;
  }
  const struct call call = {.nranks = nranks,
                            .nbytes = m,
                            .placement = {PLACEMENT_LIST, {spes, nranks}},
                            .repeat = 1,
                            .profile = plogp->profile};
  rig_init_known(rig, plogp->machine, &call);
  VEC_EACH(rank, rig->ranks, nranks) {
    rank->nbytes = m;
  }
}

/* Return half the mean round trip between rank 0 and the ranks on the same chip, or on the next chip. */
static double latency(const struct plogp *plogp, bool across, size_t m) {
  struct rig_pair pair = m == COST_ACK ? rig_pingpong(PINGPONG_FLAG, 0, plogp->profile)
                                       : rig_pingpong(PINGPONG_DATA, m, plogp->profile);
  return rig_mean_of_pairs(plogp->machine, pair, across) / 2;
}

/* Let all other ranks access rank 0 at once. Return the mean time of the ranks on one chip, divided by the
 * number of these ranks. */
static double gap(struct plogp *plogp, enum cost_parameter parameter, size_t m) {
  unsigned chip = plogp->platform->spes_per_chip;
  bool two_chips = parameter != COST_G && parameter != COST_G_ACK;
  bool across = parameter == COST_G2 || parameter == COST_G2_ACK;
  bool acks = parameter == COST_G_ACK || parameter == COST_G1_ACK || parameter == COST_G2_ACK;
  unsigned nranks = two_chips ? 2 * chip : chip;
  struct rig rig;
  start_rig(&rig, plogp, nranks, m == COST_ACK ? MFC_MIN_DMA_SIZE : m);
  for (unsigned r = 1; r < nranks; r++) {
    rig_set(&rig, r, acks ? notify_peer : get_from_peer);
  }
  unsigned first = across ? chip : 1, end = across ? nranks : chip;
  return rig_measure(&rig, first, end) / (end - first);
}

/* Let the ranks on SPE 0 and on SPE, with M bytes, run two programs as rig_measure_pair does; SPE 0: rank 0
 * alone. */
static double measure_pair(const struct plogp *plogp, unsigned spe, size_t m,
                           rig_program *const programs[2]) {
  struct rig_pair pair = {
    .spe = spe, .nbytes = m, .programs = {programs[0], programs[1]}, .profile = plogp->profile};
  return rig_measure_pair(plogp->machine, &pair);
}

/* Return g(m) = RTT(m) - RTT(0) + g(0): RTT(m) the round trip of m bytes there and nothing back, g(0) the
 * interval of empty messages in a flood.
 * source: Kielmann, Bal, Verstoep 2000, Fast measurement of LogP parameters for message passing platforms. */
static double classic_gap(const struct plogp *plogp, bool across, size_t m) {
  unsigned spe = across ? rig_next_chip(plogp->machine) * plogp->platform->spes_per_chip : 1;
  double flood = measure_pair(plogp, spe, 256, (rig_program *const[2]){flood_peer, NULL});
  if (m == COST_ACK) {
    return flood;
  }
  struct rig_pair empty = rig_pingpong(PINGPONG_FLAG, 0, plogp->profile);
  empty.spe = spe;
  double round_trip = measure_pair(plogp, spe, m, (rig_program *const[2]){send_message, take_message});
  return round_trip - rig_measure_pair(plogp->machine, &empty) + flood;
}

double plogp_crossing_time(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n) {
  rig_program *program = parameter == COST_C ? get_in_loop : get_from_peer;
  unsigned chip = plogp->platform->spes_per_chip, back = n / 2, there = n - back;
  unsigned left = n, *counting = &left;
  struct rig rig;
  start_rig(&rig, plogp, 2 * chip, m);
  VEC_EACH(rank, rig.ranks, 2 * chip) {
    rank->job = &counting;
  }
  for (unsigned r = 0; r < there; r++) {
    rig.ranks[r].peer = r + chip;
    rig_set(&rig, r, program);
  }
  for (unsigned r = 0; r < back; r++) {
    rig.ranks[r + chip].peer = r;
    rig_set(&rig, r + chip, program);
  }
  rig_run_sound(&rig);
  double sum = there * rig_mean(&rig, 0, there) + (back ? back * rig_mean(&rig, chip, chip + back) : 0);
  rig_fini(&rig);
  return sum / n;
}

/* --- between SPEs and the PPE of chip 0 ---
 *
 *   Lspe-ppe(m)   an SPE puts m bytes and a word behind them into main memory, where the PPE polls the word:
 *                 from the first command until the PPE has seen the word; mean over all SPEs
 *   gspe-ppe(1)   all SPEs put a word each at once and the PPE awaits the words one after the other: the
 *                 extra time over one word, divided by the number of further words
 *   Lppe-spe(m)   the PPE writes a word into the inbound mailbox of an SPE, which reads it and gets m bytes
 *                 from main memory; mean over all SPEs
 *   gammaPPE m    the PPE combines m bytes of main memory with as many others, by the first operator on the
 *                 first type
 *
 * source: Ali, Midkiff, Pai 2010, section 6.1: benchmarks as for the parameters between SPEs. */

enum { WORD_BYTES = 16 };

/* The task of the programs of a measurement. */
struct office {
  const struct coll_group *group;
  enum cost_parameter parameter;
  size_t nbytes;
  uint64_t words_ea, data_ea; /* words: 16 bytes for each rank; data: nbytes, and as many bytes to combine */
  double cycles;              /* of the PPE */
};

/* Return NBYTES rounded up to whole words. */
static size_t whole_words(size_t nbytes) {
  return (nbytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

static void tell_ppe(struct rig_rank *rank) {
  const struct office *office = rank->job;
  struct coll *c = rank->c;
  uint32_t *word = (uint32_t *)(c->buffer + whole_words(office->nbytes));
  memset(word, 0, WORD_BYTES);
  *word = 1;
  if (office->nbytes) {
    step_start_put(c,
                   &(struct step_transfer){.ls = c->buffer, .ea = office->data_ea, .nbytes = office->nbytes});
  }
  step_start_put(c, &(struct step_transfer){.ls = word,
                                            .ea = office->words_ea + (uint64_t)c->rank * WORD_BYTES,
                                            .nbytes = WORD_BYTES,
                                            .fenced = true});
}

static void hear_ppe(struct rig_rank *rank) {
  const struct office *office = rank->job;
  spu_read_in_mbox();
  if (office->nbytes) {
    step_fetch(rank->c, rank->c->buffer, office->data_ea, office->nbytes);
  }
}

static void serve_mailboxes(void *argument) {
  struct office *office = argument;
  uint64_t start = ppe_cycles();
  switch (office->parameter) {
  case COST_L_PPE_SPE:
    step_ppe_write_mailbox(office->group->spe_of[0], 1);
    break;
  case COST_GAMMA_PPE:
    step_ppe_combine(&(struct combine){.nbytes = office->nbytes}, office->data_ea,
                     office->data_ea + whole_words(office->nbytes));
    break;
  default:
    for (unsigned r = 0; r < office->group->nranks; r++) {
      ppe_wait_word(office->words_ea + (uint64_t)r * WORD_BYTES, 1, r);
    }
  }
  office->cycles = (double)(ppe_cycles() - start);
}

/* Return how many bytes of a local store measure_ppe takes with M bytes, and for nothing but a notification
 * with 0. */
static size_t spe_bytes(size_t m) {
  return whole_words(m) + WORD_BYTES;
}

/* Run the task OFFICE on the PPE and the N first SPEs; N = 1: on SPE number FIRST.
 * returns: the time of the program that ends the task. */
static double measure_office(const struct plogp *plogp, struct office office, uint64_t first, unsigned n) {
  bool to_spe = office.parameter == COST_L_PPE_SPE;
  struct rig rig;
  struct call call = {
    .nranks = n,
    .nbytes = spe_bytes(office.nbytes),
    .repeat = 1,
    .profile = plogp->profile,
    .placement = {.kind = n == 1 ? PLACEMENT_LIST : PLACEMENT_PACKED, .list = {.values = &first, .n = 1}}};
  rig_init_known(&rig, plogp->machine, &call);
  office.group = &rig.group;
  office.words_ea = blade_allocate(rig.parts->blade, 0, (uint64_t)n * WORD_BYTES);
  office.data_ea = blade_allocate(rig.parts->blade, 0, 2 * (uint64_t)whole_words(office.nbytes) + WORD_BYTES);
  office.cycles = NAN;
  rig.parts->ppe.main = serve_mailboxes;
  rig.parts->ppe.argument = &office;
  for (unsigned r = 0; r < n && office.parameter != COST_GAMMA_PPE; r++) {
    rig.ranks[r].job = &office;
    rig_set(&rig, r, to_spe ? hear_ppe : tell_ppe);
  }
  rig_run_sound(&rig);
  double cycles = to_spe ? rig.ranks[0].cycles : office.cycles;
  rig_fini(&rig);
  return cycles;
}

/* Return the mean time of OFFICE over all SPEs, one SPE at a time. */
static double mean_of_spes(const struct plogp *plogp, const struct office *office) {
  unsigned n = plogp->platform->nspes;
  double sum = 0;
  for (unsigned i = 0; i < n; i++) {
    sum += measure_office(plogp, *office, i, 1);
  }
  return sum / n;
}

/* Measure PARAMETER, of the PPE, with M bytes.
 * returns: SPU cycles; NaN: a program has stopped. */
static double measure_ppe(const struct plogp *plogp, enum cost_parameter parameter, size_t m) {
  struct office office = {.parameter = parameter, .nbytes = m == COST_ACK ? 0 : m};
  unsigned n = plogp->platform->nspes;
  if (parameter == COST_GAMMA_PPE) {
    return measure_office(plogp, office, 0, 1);
  }
  if (parameter == COST_G_SPE_PPE) {
    office.nbytes = 0;
    return (measure_office(plogp, office, 0, n) - mean_of_spes(plogp, &office)) / (n - 1);
  }
  return mean_of_spes(plogp, &office);
}

/* --- messages: latency and gap ---
 *
 *   gnode(m)   the interval at which messages of m bytes from one PPE arrive at the PPE of another node: an
 *              eighth of the time of eight more messages
 *   Lnode(m)   the time of a message less that gap: latency and gap add up to the time of a message
 *   gnode-in(m) the delay of a message of m bytes by a message of a third node to the same receiver at the
 *              same time
 *   g3, L3     the same between the PPE of a blade and its host
 *   g4, L4, g4-in   the same as those of nodes between hosts, by messages that all are sent at once, without
 *                   programs
 *   o4         the time for which sending an empty message occupies the program of a host
 *   gammaHost m   a host combines m bytes of its memory with as many others, by the first operator on the
 *                 first type
 *
 * The time of a message is a round trip with an empty answer, less half of an empty round trip. Where
 * messages pass a switch in packets, a gap from round trips alone, as logp_mpi measures, would count a packet
 * once for each link.
 * source: Kielmann, Bal, Verstoep 2000 (latency and gap); Ali, Midkiff, Pai 2010, section 6. */

/* STREAM: the gap is the extra time of STREAM more messages, divided by STREAM. */
enum { STREAM = 8, TASKS = 3 };

/* A timed program of a PPE or a host: `act` works on NBYTES at EA, followed by ROOM bytes. */
struct task {
  void (*act)(const struct task *task);
  unsigned node, peer, count;
  uint32_t nbytes;
  uint64_t ea, room;
  double cycles;
};

/* Send COUNT messages, and await an empty answer. */
static void send_stream(const struct task *task) {
  for (unsigned i = 0; i < task->count; i++) {
    net_put(task->peer, task->ea, task->nbytes);
  }
  net_wait(task->peer, task->ea, 0);
}

static void take_stream(const struct task *task) {
  for (unsigned i = 0; i < task->count; i++) {
    net_wait(task->peer, task->ea, task->nbytes);
  }
  net_put(task->peer, task->ea, 0);
}

static void send_one(const struct task *task) {
  net_put(task->peer, task->ea, task->nbytes);
}

/* Await a message of each of COUNT peers, the nearest peer first. */
static void collect(const struct task *task) {
  for (unsigned i = 0; i < task->count; i++) {
    net_wait(1 + i, task->ea, task->nbytes);
  }
}

static void combine(const struct task *task) {
  step_ppe_combine(&(struct combine){.nbytes = task->nbytes}, task->ea, task->ea + task->nbytes);
}

static void run_task(void *argument) {
  struct task *task = argument;
  uint64_t start = ppe_cycles();
  task->act(task);
  task->cycles = (double)(ppe_cycles() - start);
}

/* Let COUNT tasks, at most TASKS, run together on nodes of MACHINE.
 * returns: the time of the first task; NaN: the task was stopped. */
static double run_tasks(struct machine *machine, struct task tasks[], unsigned count) {
  struct machine_program programs[TASKS];
  machine_reset(machine, NULL);
  for (unsigned i = 0; i < count; i++) {
    struct place ppe = {.kind = PLACE_PPE, .node = tasks[i].node};
    tasks[i].ea = blade_allocate(machine_blade(machine, ppe.node), 0, tasks[i].nbytes + tasks[i].room + 1);
    tasks[i].cycles = NAN;
    programs[i] = (struct machine_program){.main = run_task, .argument = &tasks[i], .name = "PPE 0"};
    machine_start(machine, ppe, &programs[i]);
  }
  struct blade_result result = machine_run(machine);
  blade_result_fini(&result);
  return tasks[0].cycles;
}

/* Return how long COUNT messages of NBYTES from the first node of MACHINE to node 1 take, and the
 * answer. */
static double round_trip(struct machine *machine, uint32_t nbytes, unsigned count) {
  struct task tasks[] = {{.act = send_stream, .peer = 1, .count = count, .nbytes = nbytes},
                         {.act = take_stream, .node = 1, .count = count, .nbytes = nbytes}};
  return run_tasks(machine, tasks, 2);
}

/* Return the time until a message of NBYTES from each of COUNT nodes of MACHINE has arrived at the first
 * node. */
static double meeting(struct machine *machine, uint32_t nbytes, unsigned count) {
  struct task tasks[TASKS] = {{.act = collect, .count = count, .nbytes = nbytes}};
  for (unsigned i = 1; i <= count; i++) {
    tasks[i] = (struct task){.act = send_one, .node = i, .nbytes = nbytes};
  }
  return run_tasks(machine, tasks, count + 1);
}

/* Latency and gap, and the gap of several senders. */
struct pair {
  double latency, gap, into;
};

/* Measure messages between the PPEs of two nodes, or between a PPE and its HOST. */
static struct pair between_programs(const struct plogp *plogp, uint32_t nbytes, bool host) {
  struct err err = {""};
  bool three = !host && plogp_exists(plogp->platform, COST_G_NODE_IN);
  unsigned nnodes = host ? 1 : three ? 3 : 2;
  struct machine *machine = machine_of_nodes(plogp->platform, nnodes, 0, &err);
  if (!machine) {
    return (struct pair){NAN, NAN, NAN};
  }
  double one = round_trip(machine, nbytes, 1) - round_trip(machine, 0, 1) / 2;
  double gap = (round_trip(machine, nbytes, 2 * STREAM) - round_trip(machine, nbytes, STREAM)) / STREAM;
  double into = three ? meeting(machine, nbytes, 2) - meeting(machine, nbytes, 1) : NAN;
  machine_free(machine);
  return (struct pair){one - gap, gap, into};
}

/* Return for how long a host is busy that COMBINES NBYTES, otherwise sends an empty message to another
 * host. */
static double busy(const struct plogp *plogp, bool combines, uint32_t nbytes) {
  struct err err = {""};
  unsigned host = combines ? 1 : platform_blades_per_host(plogp->platform) + 1;
  struct machine *machine = machine_of_nodes(plogp->platform, host, 0, &err);
  if (!machine) {
    return NAN;
  }
  struct task sending = {.act = send_one, .node = host, .peer = host + 1},
              combining = {.act = combine, .node = host, .nbytes = nbytes, .room = nbytes};
  double cycles = run_tasks(machine, combines ? &combining : &sending, 1);
  machine_free(machine);
  return cycles;
}

static struct pair between_hosts(const struct plogp *plogp, uint32_t nbytes, unsigned nhosts) {
  struct err err = {""};
  struct net *net = net_new(plogp->platform, 0, &err);
  if (!net) {
    return (struct pair){NAN, NAN, NAN};
  }
  unsigned last = nhosts > 1 ? nhosts - 1 : 1;
  struct net_stream streams[] = {{0, last, STREAM}, {0, last, STREAM}};
  double once = (double)net_exchange_streams(net, nbytes, streams, 1),
         gap = ((double)net_exchange_streams(net, nbytes, streams, 2) - once) / STREAM;
  struct pair pair = {(double)net_exchange_one(net, nbytes, 0, last) - gap, gap, NAN};
  if (plogp_exists(plogp->platform, COST_G4_IN)) {
    struct net_stream two[] = {{2, 0, 1}, {1, 0, 1}};
    pair.into =
      (double)net_exchange_streams(net, nbytes, two, 2) - (double)net_exchange_one(net, nbytes, 2, 0);
  }
  net_free(net);
  return pair;
}

/* Measure PARAMETER, of messages, with M bytes; on hosts between the first and the last of NHOSTS.
 * returns: SPU cycles; NaN: the network cannot be built, or a program has stopped. */
static double measure_net(const struct plogp *plogp, enum cost_parameter parameter, size_t m,
                          unsigned nhosts) {
  uint32_t nbytes = m == COST_ACK ? 0 : (uint32_t)m;
  if (parameter == COST_O4 || parameter == COST_GAMMA_HOST) {
    return busy(plogp, parameter == COST_GAMMA_HOST, nbytes);
  }
  bool inside = parameter == COST_L3 || parameter == COST_G3;
  struct pair pair =
    parameter >= COST_L4 ? between_hosts(plogp, nbytes, nhosts) : between_programs(plogp, nbytes, inside);
  switch (parameter) {
  case COST_L_NODE:
  case COST_L3:
  case COST_L4:
    return pair.latency;
  case COST_G_NODE_IN:
  case COST_G4_IN:
    return pair.into;
  default:
    return pair.gap;
  }
}

/* --- all parameters --- */

/* A parameter with the size and the number of the measurement. */
struct plogp_key {
  enum cost_parameter parameter;
  size_t m;
  unsigned n;
};

struct plogp_value {
  struct plogp_key key;
  bool known; /* measured */
  double cycles;
  const char *why; /* reason of a failed measurement; NULL: none failed */
  size_t entry;    /* of the ledger, see struct experiment */
};

void plogp_init(struct plogp *plogp, struct machine *machine, const struct profile *profile) {
  *plogp = (struct plogp){.machine = machine, .platform = machine_platform(machine), .profile = profile};
}

void plogp_fini(struct plogp *plogp) {
  tdestroy(plogp->values, free);
  VEC_EACH(machine, plogp->changed, PLOGP_CHANGED) {
    machine_free(*machine);
  }
}

/* The kind of machine that a parameter needs. */
enum needed { CHIP, BLADE, NODES, CLUSTER, HOSTS };

static const struct {
  const char *name;
  enum needed machine;
} kinds[COST_PARAMETERS] = {
#define COST_PARAMETER(id, name, machine, term, twin) [COST_##id] = {name, machine},
#include "algos/cost/cost.def"
};

static double measure(struct plogp *plogp, const struct plogp_key *key) {
  enum cost_parameter parameter = key->parameter;
  enum needed machine = kinds[parameter].machine;
  size_t m = key->m;
  if (machine == NODES) {
    return measure_ppe(plogp, parameter, m);
  }
  if (machine == CLUSTER || machine == HOSTS) {
    return measure_net(plogp, parameter, m, key->n);
  }
  switch (parameter) {
  case COST_L:
  case COST_L1:
  case COST_L2:
    return latency(plogp, parameter == COST_L2, m);
  case COST_C:
  case COST_BURST_C:
    return plogp_crossing_time(plogp, parameter, m, key->n) - plogp_crossing_time(plogp, parameter, m, 2);
  case COST_GAMMA:
    return measure_pair(plogp, 0, m, (rig_program *const[2]){combine_own, NULL});
  case COST_CLASSIC_G1:
  case COST_CLASSIC_G2:
    return classic_gap(plogp, parameter == COST_CLASSIC_G2, m);
  default:
    return gap(plogp, parameter, m);
  }
}

const char *plogp_name(enum cost_parameter parameter) {
  return kinds[parameter].name;
}

bool plogp_exists(const struct platform *platform, enum cost_parameter parameter) {
  bool several = placement_machine_nodes(platform) > 1, hosts = platform_blades_per_host(platform) != 0;
  switch (kinds[parameter].machine) {
  case NODES:
    return several;
  case CLUSTER:
    return several && !hosts && platform->node.count > (parameter == COST_G_NODE_IN ? 2 : 1);
  case HOSTS: {
    bool inside = parameter == COST_L3 || parameter == COST_G3 || parameter == COST_GAMMA_HOST;
    unsigned n = (unsigned)platform->node.count;
    return several && hosts && (inside || n > (parameter == COST_G4_IN ? 2 : 1));
  }
  default:
    return platform_has_spes(platform) && platform->spes_per_chip >= 2 &&
           (kinds[parameter].machine == CHIP || platform->blade.chips >= 2);
  }
}

/* Compare two values by the keys; the first member of a value is the key. */
static int compare(const void *a, const void *b) {
  const struct plogp_key *x = a, *y = b;
  if (x->m != y->m) {
    return x->m < y->m ? -1 : 1;
  }
  return x->parameter != y->parameter ? (x->parameter < y->parameter ? -1 : 1)
                                      : (x->n > y->n) - (x->n < y->n);
}

/* Return the value of a parameter; a new one is not known yet. */
static struct plogp_value *find_value(struct plogp *plogp, const struct plogp_key *key) {
  struct plogp_value **found = tfind(key, &plogp->values, compare);
  if (!found) {
    struct plogp_value *value = xcalloc(1, sizeof *value);
    value->key = *key;
    found = tsearch(value, &plogp->values, compare);
  }
  return *found;
}

/* --- through the ledger --- */

static void run_measurement(const struct experiment *experiment, struct pack *rows, struct err *why) {
  struct plogp plogp;
  struct plogp_key key = {.parameter = (enum cost_parameter)experiment->numbers[0],
                          .m = experiment->call.nbytes,
                          .n = (unsigned)experiment->numbers[1]};
  plogp_init(&plogp, experiment->machine, experiment->call.profile);
  (void)why;
  result_add_value(rows, plogp_name(key.parameter), measure(&plogp, &key), "cycles");
  plogp_fini(&plogp);
}

/* Measure VALUE, or ask the ledger of PLOGP for VALUE.
 * returns: whether VALUE is known now. */
static bool learn(struct plogp *plogp, struct plogp_value *value) {
  static const struct experiment_kind kind = {.name = "parameter", .shared = true, .run = run_measurement};
  const struct plogp_key *key = &value->key;
  if (!plogp->ledger) {
    value->cycles = measure(plogp, key);
    return !des_interrupted();
  }
  struct experiment experiment = {.kind = &kind,
                                  .machine = plogp->machine,
                                  .call = {.nbytes = key->m, .profile = plogp->profile},
                                  .subject = plogp_name(key->parameter),
                                  .numbers = {key->parameter, key->n},
                                  .entry = &value->entry};
  struct result result;
  bool known = ledger_ask(plogp->ledger, &experiment, &result);
  if (known) {
    value->cycles = result.number;
    value->why = isnan(result.number) ? result.why : NULL;
  }
  return known;
}

/* Tell whether PARAMETER of the machine of PLOGP exists for M bytes and N messages, or hosts. */
static bool has_value(const struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n) {
  size_t nbytes = m == COST_ACK ? MFC_MIN_DMA_SIZE : m;
  bool combines = parameter == COST_GAMMA || parameter == COST_GAMMA_PPE || parameter == COST_GAMMA_HOST;
  if (!plogp_exists(plogp->platform, parameter) || nbytes == 0 ||
      (combines && nbytes % combine_size(TYPE_INT32) != 0)) {
    return false;
  }
  if (kinds[parameter].machine == CLUSTER || kinds[parameter].machine == HOSTS) {
    return m == COST_ACK || m <= PLOGP_MESSAGE_MOST;
  }
  if (kinds[parameter].machine == NODES && spe_bytes(m == COST_ACK ? 0 : m) > rig_room(plogp->platform, 1)) {
    return false;
  }
  return n <= 2 * plogp->platform->spes_per_chip &&
         nbytes <= rig_room(plogp->platform, plogp->platform->nspes);
}

double plogp_get(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n) {
  if (!has_value(plogp, parameter, m, n)) {
    return NAN;
  }
  struct plogp_value *value = find_value(plogp, &(struct plogp_key){.parameter = parameter, .m = m, .n = n});
  value->known = value->known || learn(plogp, value);
  if (value->why) {
    plogp->unmeasured = value->why;
  }
  return value->known && !value->why ? value->cycles
                                     : 1; /* not NAN: the loops of some equations would not end */
}
