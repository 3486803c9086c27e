/* SPDX-License-Identifier: BSD-3-Clause
 * See plogp.h.
 *
 *   L(1), L1(1), L2(1)  half the round trip of a flag between rank 0 and each other rank, averaged
 *   L(m), L1(m), L2(m)  half the round trip of: address there, get of m bytes, address back, get of m bytes
 *   g(m)                all other ranks of one chip get m bytes from rank 0 at once: mean time / their number
 *   g1(m), g2(m)        the same with all other ranks of both chips: mean over those on rank 0's chip, and over those
 *                       across, each divided by the number of all of them
 *   gAck, g1Ack, g2Ack  the same with flags put into rank 0
 *   C(m, n)             n messages cross the BIF, n / 2 pairs both ways: mean time of a get minus that with n = 2
 *   issue, queue, start one rank raises flags at all others of a chip, waits for each where that is usual, or for none; or
 *                       starts transfers: mean time of one; issue2 is issue across
 *   read, write, copy, behind  see memory_time.h
 *   gamma m             one rank combines a buffer of m bytes with itself, by the first operator on the first type
 *
 * A blade of more than two chips is measured on its first two. */
#include "validate/plogp.h"

#include "algos/step.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/memory_time.h"
#include "validate/pingpong.h"
#include "validate/rig.h"

#include <stdlib.h>

struct plogp_value {
  enum cost_parameter parameter;
  size_t m;
  unsigned n;
  bool known; /* measured */
  double cycles;
};

void
plogp_init(struct plogp *plogp, struct blade *blade, const struct profile *profile)
{
  *plogp = (struct plogp){.blade = blade, .profile = profile};
}

void
plogp_fini(struct plogp *plogp)
{
  free(plogp->values);
}

/* --- SPE programs --- */

static void
get_from_peer(void *argument)
{
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
  uint64_t start = spu_cycles();
  uint64_t ea = spu_ls_ea(c->group->spe_of[rank->peer], coll_buffer_address(c->group));
  step_fetch(c, c->buffer, ea, rank->nbytes);
  rank->cycles = (double)(spu_cycles() - start);
}

static void
notify_peer(void *argument)
{
  struct rig_rank *rank = argument;
  coll_enter(&rank->c);
  uint64_t start = spu_cycles();
  step_notify(&rank->c, rank->peer);
  step_settle(&rank->c, rank->peer);
  rank->cycles = (double)(spu_cycles() - start);
}

/* Give the buffer away, then take one: a data step there and one back, each with its acknowledgement. */
static void
give_and_take(void *argument)
{
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
  uint64_t start = spu_cycles();
  step_begin(c);
  step_post(c, rank->peer, c->buffer);
  step_begin(c);
  step_take(c, rank->peer, c->buffer, rank->nbytes);
  rank->cycles = (double)(spu_cycles() - start);
}

static void
take_and_give(void *argument)
{
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
  step_begin(c);
  step_take(c, rank->peer, c->buffer, rank->nbytes);
  step_begin(c);
  step_post(c, rank->peer, c->buffer);
}

/* Serve one message of the classic benchmark: its data is taken, an empty one comes back. */
static void
send_message(void *argument)
{
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
  uint64_t start = spu_cycles();
  step_post(c, rank->peer, c->buffer);
  step_await(c, rank->peer);
  rank->cycles = (double)(spu_cycles() - start);
}

static void
take_message(void *argument)
{
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
  step_fetch(c, c->buffer, step_await_post(c, rank->peer), rank->nbytes);
  step_notify(c, rank->peer);
}

/* Send as many empty messages as fill the network. */
static void
flood_peer(void *argument)
{
  enum { FLOOD = 64, PLACES = 16 };
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
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

/* Raise a flag at all other ranks of the chip, or of the last one, and wait for each where that is usual, or for none; find
 * all of theirs up after a long time. */
static void
tell_with(struct rig_rank *rank, void (*tell)(struct coll *c, unsigned to))
{
  struct coll *c = &rank->c;
  coll_enter(c);
  unsigned first = rank->peer ? rank->peer : 1;
  uint64_t start = spu_cycles();
  for (unsigned r = first; r < c->nranks; r++) {
    tell(c, r);
  }
  rank->cycles = (double)(spu_cycles() - start) / (c->nranks - first);
}

static void
tell_all(void *argument)
{
  tell_with(argument, step_notify);
}

static void
tell_more(void *argument)
{
  tell_with(argument, step_notify_more);
}

/* Start a transfer to the buffer of rank TO. */
static void
start_transfer(struct coll *c, unsigned to)
{
  step_start_put(c, &(struct step_transfer){
                      .ls = c->buffer, .ea = step_peer_ea(c, to, c->buffer), .nbytes = MFC_MIN_DMA_SIZE});
}

static void
start_more(void *argument)
{
  tell_with(argument, start_transfer);
}

static void
hear_all(void *argument)
{
  enum { LONG_ENOUGH = 100000 };
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
  spu_compute(LONG_ENOUGH);
  spu_sync();
  uint64_t start = spu_cycles();
  for (unsigned r = 1; r < c->nranks; r++) {
    step_await(c, r);
  }
  rank->cycles = (double)(spu_cycles() - start) / (c->nranks - 1);
}

static void
combine_own(void *argument)
{
  struct rig_rank *rank = argument;
  struct coll *c = &rank->c;
  coll_enter(c);
  uint64_t start = spu_cycles();
  step_combine(c, c->buffer, c->buffer, rank->nbytes);
  rank->cycles = (double)(spu_cycles() - start);
}

/* --- measurements --- */

static void
start_rig(struct rig *rig, const struct plogp *plogp, unsigned nranks, size_t m)
{
  struct rig_spec spec = {.nranks = nranks, .nbytes = m, .nrepeats = 1, .profile = plogp->profile};
  rig_init_known(rig, plogp->blade, &spec);
  for (unsigned r = 0; r < nranks; r++) {
    rig->ranks[r].nbytes = m;
  }
}

/* Return half the round trip between rank 0 and the others on its chip or on the next, averaged. */
static double
latency(const struct plogp *plogp, bool across, size_t m)
{
  struct pingpong pingpong = {.blade = plogp->blade,
                              .profile = plogp->profile,
                              .kind = m == COST_ACK ? PINGPONG_FLAG : PINGPONG_DATA,
                              .nbytes = m};
  return pingpong_mean(&pingpong, across) / 2;
}

/* Return the mean time that ranks other than 0 take when all of them turn to rank 0 at once, by their number. */
static double
gap(struct plogp *plogp, enum cost_parameter parameter, size_t m)
{
  unsigned chip = plogp->blade->spes_per_chip;
  bool blade = parameter != COST_G && parameter != COST_G_ACK;
  bool across = parameter == COST_G2 || parameter == COST_G2_ACK;
  bool acks = parameter == COST_G_ACK || parameter == COST_G1_ACK || parameter == COST_G2_ACK;
  unsigned nranks = blade ? 2 * chip : chip;
  struct rig rig;
  start_rig(&rig, plogp, nranks, m == COST_ACK ? MFC_MIN_DMA_SIZE : m);
  for (unsigned r = 1; r < nranks; r++) {
    rig_set(&rig, r, acks ? notify_peer : get_from_peer);
  }
  rig_run_sound(&rig);
  double time = across ? rig_mean(&rig, chip, nranks) : rig_mean(&rig, 1, chip);
  rig_fini(&rig);
  return time / (nranks - 1);
}

/* Return by how much each of the ranks of a chip but one makes it later that all have got M bytes from rank 0, which is on
 * the chip before if ACROSS. */
static double
serving_time(const struct plogp *plogp, bool across, size_t m)
{
  unsigned chip = plogp->blade->spes_per_chip, first = across ? chip : 1, end = across ? 2 * chip : chip;
  double times[2];
  for (unsigned all = 0; all < 2; all++) {
    struct rig rig;
    start_rig(&rig, plogp, end, m);
    for (unsigned r = first; r < (all ? end : first + 1); r++) {
      rig_set(&rig, r, get_from_peer);
    }
    rig_run_sound(&rig);
    times[all] = rig_mean(&rig, first, all ? end : first + 1);
    rig_fini(&rig);
  }
  return end - first > 1 ? (times[1] - times[0]) / (end - first - 1) : 0;
}

/* Let ranks 0 and PEER run two programs.
 * returns: what rank 0 measured. */
static double
measure_pair(const struct plogp *plogp, unsigned peer, size_t m, void (*const programs[2])(void *))
{
  struct rig rig;
  start_rig(&rig, plogp, peer + 1, m);
  rig.ranks[0].peer = peer;
  rig_set(&rig, 0, programs[0]);
  if (programs[1]) {
    rig_set(&rig, peer, programs[1]);
  }
  rig_run_sound(&rig);
  double cycles = rig.ranks[0].cycles;
  rig_fini(&rig);
  return cycles;
}

/* Return g(m) = RTT(m) - RTT(0) + g(0): RTT(m) the round trip of m bytes there and nothing back, g(0) the interval of
 * empty messages in a flood.
 * source: Kielmann, Bal, Verstoep 2000, Fast measurement of LogP parameters for message passing platforms. */
static double
classic_gap(const struct plogp *plogp, bool across, size_t m)
{
  unsigned peer = across ? plogp->blade->spes_per_chip : 1;
  double flood = measure_pair(plogp, peer, 256, (void (*const[2])(void *)){flood_peer, NULL});
  if (m == COST_ACK) {
    return flood;
  }
  struct pingpong empty = {.blade = plogp->blade, .profile = plogp->profile, .kind = PINGPONG_FLAG};
  double round_trip = measure_pair(plogp, peer, m, (void (*const[2])(void *)){send_message, take_message});
  return round_trip - pingpong_between(&empty, peer) + flood;
}

/* Return what rank 0 spends, by PROGRAM, on a flag for each other rank of its chip, or of the next, or from each. */
static double
notifying_time(const struct plogp *plogp, bool across, void (*program)(void *))
{
  unsigned nranks = plogp->blade->spes_per_chip << across;
  struct rig rig;
  start_rig(&rig, plogp, nranks, MFC_MIN_DMA_SIZE);
  rig.ranks[0].peer = across ? nranks / 2 : 0;
  rig_set(&rig, 0, program);
  for (unsigned r = 1; r < nranks && program == hear_all; r++) {
    rig_set(&rig, r, notify_peer);
  }
  rig_run_sound(&rig);
  double time = rig.ranks[0].cycles;
  rig_fini(&rig);
  return time;
}

static double
combining_time(struct plogp *plogp, size_t m)
{
  struct rig rig;
  start_rig(&rig, plogp, 1, m);
  rig_set(&rig, 0, combine_own);
  rig_run_sound(&rig);
  double time = rig.ranks[0].cycles;
  rig_fini(&rig);
  return time;
}

double
plogp_crossing_time(struct plogp *plogp, size_t m, unsigned n)
{
  unsigned chip = plogp->blade->spes_per_chip, pairs = n / 2;
  struct rig rig;
  start_rig(&rig, plogp, 2 * chip, m);
  for (unsigned r = 0; r < pairs; r++) {
    rig.ranks[r].peer = r + chip;
    rig.ranks[r + chip].peer = r;
    rig_set(&rig, r, get_from_peer);
    rig_set(&rig, r + chip, get_from_peer);
  }
  rig_run_sound(&rig);
  double time = (rig_mean(&rig, 0, pairs) + rig_mean(&rig, chip, chip + pairs)) / 2;
  rig_fini(&rig);
  return time;
}

static double
measure(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n)
{
  switch (parameter) {
  case COST_L:
  case COST_L1:
    return latency(plogp, false, m);
  case COST_L2:
    return latency(plogp, true, m);
  case COST_C:
    return plogp_crossing_time(plogp, m, n) - plogp_crossing_time(plogp, m, 2);
  case COST_GAMMA:
    return combining_time(plogp, m);
  case COST_SERVE1:
    return serving_time(plogp, false, m);
  case COST_SERVE2:
    return serving_time(plogp, true, m);
  case COST_ISSUE:
    return notifying_time(plogp, false, tell_all);
  case COST_ISSUE2:
    return notifying_time(plogp, true, tell_all);
  case COST_QUEUE:
    return notifying_time(plogp, false, tell_more);
  case COST_START:
    return notifying_time(plogp, false, start_more);
  case COST_HANDLE:
    return notifying_time(plogp, false, hear_all);
  case COST_READ1:
  case COST_READ2:
  case COST_WRITE1:
  case COST_WRITE2:
  case COST_COPY1:
  case COST_COPY2:
    return memory_time(plogp, parameter, m, cost_unpack_movers(n));
  case COST_BEHIND1:
  case COST_BEHIND2:
    return memory_time_behind(plogp, parameter == COST_BEHIND2, m);
  case COST_STEP1:
    return measure_pair(plogp, 1, m, (void (*const[2])(void *)){give_and_take, take_and_give}) / 2;
  case COST_STEP2:
    return measure_pair(plogp, plogp->blade->spes_per_chip, m,
                        (void (*const[2])(void *)){give_and_take, take_and_give}) /
           2;
  case COST_CLASSIC_G1:
    return classic_gap(plogp, false, m);
  case COST_CLASSIC_G2:
    return classic_gap(plogp, true, m);
  default:
    return gap(plogp, parameter, m);
  }
}

bool
plogp_exists(const struct blade *blade, enum cost_parameter parameter)
{
  bool one_chip = parameter == COST_L || parameter == COST_G || parameter == COST_G_ACK ||
                  parameter == COST_GAMMA || parameter == COST_CLASSIC_G1 || parameter == COST_STEP1 ||
                  parameter == COST_SERVE1 || parameter == COST_ISSUE || parameter == COST_HANDLE ||
                  parameter == COST_QUEUE || parameter == COST_START || parameter == COST_READ1 ||
                  parameter == COST_WRITE1 || parameter == COST_COPY1 || parameter == COST_BEHIND1;
  return blade->spes_per_chip >= 2 && (one_chip || blade->nchips >= 2);
}

/* Return the number of the value of a parameter; a new one is not known yet. */
static size_t
find_value(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n)
{
  for (size_t i = 0; i < plogp->nvalues; i++) {
    const struct plogp_value *value = &plogp->values[i];
    if (value->parameter == parameter && value->m == m && value->n == n) {
      return i;
    }
  }
  if (plogp->nvalues == plogp->capacity) {
    plogp->capacity = plogp->capacity ? 2 * plogp->capacity : 64;
    plogp->values = xrealloc(plogp->values, plogp->capacity, sizeof *plogp->values);
  }
  plogp->values[plogp->nvalues] = (struct plogp_value){.parameter = parameter, .m = m, .n = n};
  return plogp->nvalues++;
}

void
plogp_collect(struct plogp *plogp, bool collecting)
{
  plogp->collecting = collecting;
}

double
plogp_measure(struct plogp *plogp, size_t index)
{
  const struct plogp_value *value = &plogp->values[index];
  double cycles = measure(plogp, value->parameter, value->m, value->n);
  return des_interrupted() ? NAN : cycles;
}

void
plogp_learn(struct plogp *plogp, size_t index, double cycles)
{
  plogp->values[index].known = true;
  plogp->values[index].cycles = cycles;
}

double
plogp_get(struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned n)
{
  const struct blade *blade = plogp->blade;
  size_t nbytes = m == COST_ACK ? MFC_MIN_DMA_SIZE : m;
  bool memory = parameter >= COST_READ1 && parameter <= COST_COPY2;
  unsigned spes = memory ? cost_unpack_movers(n).spes : n;
  if (!plogp_exists(blade, parameter) || spes > 2 * blade->spes_per_chip || nbytes == 0 ||
      (!memory && nbytes > rig_room(blade, blade->nspes)) ||
      (parameter == COST_GAMMA && nbytes % combine_size(TYPE_INT32) != 0)) {
    return NAN;
  }
  size_t index = find_value(plogp, parameter, m, n);
  if (!plogp->values[index].known) {
    if (plogp->collecting) {
      return 1;
    }
    double cycles = plogp_measure(plogp, index);
    if (des_interrupted()) {
      return NAN;
    }
    plogp_learn(plogp, index, cycles);
  }
  return plogp->values[index].cycles;
}
