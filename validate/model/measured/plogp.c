/* SPDX-License-Identifier: BSD-3-Clause
 * See plogp.h.
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
#include "validate/model/measured/plogp.h"

#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "sim/base/engine/des.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/rig/rig.h"

#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

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
  for (unsigned i = 0; i < PLOGP_CHANGED; i++) {
    machine_free(plogp->changed[i]);
  }
}

/* --- SPE programs --- */

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

/* --- measurements --- */

/* Prepare RIG for NRANKS ranks with M bytes each, on chip 0 and the next one. */
static void start_rig(struct rig *rig, const struct plogp *plogp, unsigned nranks, size_t m) {
  struct call call = {.nranks = nranks, .nbytes = m, .repeat = 1, .profile = plogp->profile};
  call.placement = (struct placement){PLACEMENT_LIST, rig_two_chips(plogp->machine)};
  rig_init_known(rig, plogp->machine, &call);
  units_list_fini(&call.placement.list);
  for (unsigned r = 0; r < nranks; r++) {
    rig->ranks[r].nbytes = m;
  }
}

/* Return half the mean round trip between rank 0 and the ranks on the same chip, or on the next chip. */
static double latency(const struct plogp *plogp, bool across, size_t m) {
  struct pingpong pingpong = {.machine = plogp->machine,
                              .profile = plogp->profile,
                              .kind = m == COST_ACK ? PINGPONG_FLAG : PINGPONG_DATA,
                              .nbytes = m};
  return pingpong_mean(&pingpong, across) / 2;
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
  struct pingpong empty = {.machine = plogp->machine, .profile = plogp->profile, .kind = PINGPONG_FLAG};
  double round_trip = measure_pair(plogp, spe, m, (rig_program *const[2]){send_message, take_message});
  return round_trip - pingpong_between(&empty, spe) + flood;
}

double plogp_crossing_time(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n) {
  rig_program *program = parameter == COST_C ? get_in_loop : get_from_peer;
  unsigned chip = plogp->platform->spes_per_chip, back = n / 2, there = n - back;
  unsigned left = n, *counting = &left;
  struct rig rig;
  start_rig(&rig, plogp, 2 * chip, m);
  for (unsigned r = 0; r < 2 * chip; r++) {
    rig.ranks[r].job = &counting;
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
    return plogp_ppe(plogp, parameter, m);
  }
  if (machine == CLUSTER || machine == HOSTS) {
    return plogp_net(plogp, parameter, m, key->n);
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
  if (kinds[parameter].machine == NODES &&
      plogp_ppe_bytes(m == COST_ACK ? 0 : m) > rig_room(plogp->platform, 1)) {
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
