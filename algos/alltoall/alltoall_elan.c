/* SPDX-License-Identifier: BSD-3-Clause
 * The all-to-all of Quadrics' library, as far as published: by the size of a block
 *
 *   up to `bruck`      the algorithm of Bruck et al. with packed blocks (elan_bruck.h)
 *   up to `puts`       every rank puts its blocks into buffers of the library of all others, without waiting
 *                      in between, and copies received blocks, at host.copy. Calls take two buffers in turn:
 *                      a rank in the next call but one has the blocks of all ranks for the next call, so all
 *                      ranks have left this call
 *   up to `pairwise`   in step i partners p and p XOR i exchange blocks; p + i and p - i if the number of
 *                      ranks is no power of two
 *   above              in step i rank p puts its block to p + i once p + i has given permission
 *
 * Blocks up to `rail` bytes take one rail, longer blocks are divided among all rails.
 * source: Qian, Afsahi 2006, section 2.1: the four algorithms, and 8 KiB; the other sizes are assumptions.
 * The use of the second rail from 32 KiB on is the reading that fits sections 4.4 (native all-to-alls gain
 * from the second rail) and 6.3 (docs/trust-networks.md). */
#include "algos/phase/elan_bruck.h"
#include "algos/phase/portion.h"
#include "algos/step/ranks.h"

enum { BRUCK, PUTS, PAIRWISE, RAIL };

enum { BANKS = 2, MOST = 1 << 30 };

static size_t scratch(const struct coll_group *group) {
  const unsigned *values = group->call.values;
  size_t all = group->nranks * layout_most_stride(group);
  bool copies = group->most_bytes || group->nbytes <= values[BRUCK];
  bool puts = group->most_bytes || (!copies && group->nbytes <= values[PUTS]);
  return (copies ? elan_bruck_scratch(group) : 0) + (puts ? BANKS * all : 0);
}

/* Return where the library keeps the block from rank FROM in this call. */
static uint8_t *place_from(const struct coll *c, unsigned from) {
  size_t before = c->group->most_bytes ? elan_bruck_scratch(c->group) : 0;
  return c->scratch + before + (coll_own_calls(c) % BANKS * c->nranks + from) * layout_most_stride(c->group);
}

static void puts_run(struct coll *c) {
  unsigned n = c->nranks;
  step_begin(c);
  for (unsigned distance = 1; distance < n; distance++) {
    unsigned to = (c->rank + distance) % n;
    step_start_put(c, &(struct step_transfer){.ls = portion_for(c, to),
                                              .ea = step_peer_ea(c, to, place_from(c, c->rank)),
                                              .nbytes = c->nbytes});
    step_notify_more(c, to);
  }
  for (unsigned distance = 1; distance < n; distance++) {
    unsigned from = (c->rank + n - distance) % n;
    step_await(c, from);
    step_copy(c, portion_from(c, from), c->rank, place_from(c, from), c->nbytes);
  }
  step_settle_all(c);
  step_finish(c, 0);
}

static void pairwise_run(struct coll *c) {
  unsigned n = c->nranks;
  for (unsigned i = 1; i < n; i++) {
    bool power = ranks_is_power(n);
    unsigned to = power ? c->rank ^ i : (c->rank + i) % n, from = power ? to : (c->rank + n - i) % n;
    step_begin(c);
    step_post(c, to, portion_for(c, to));
    step_take(c, from, portion_from(c, from), c->nbytes);
    step_await_taken(c, to);
  }
}

static void permission_run(struct coll *c) {
  unsigned n = c->nranks;
  for (unsigned i = 1; i < n; i++) {
    unsigned to = (c->rank + i) % n, from = (c->rank + n - i) % n;
    step_begin(c);
    step_post(c, from, portion_from(c, from));
    step_store(c, portion_for(c, to), step_await_post(c, to), c->nbytes);
    step_notify(c, to);
    step_await(c, from);
  }
}

static void run(struct coll *c) {
  step_use_one_rail(c, c->nbytes <= coll_value(c, RAIL));
  if (c->nbytes <= coll_value(c, BRUCK)) {
    elan_bruck(c);
    return;
  }
  portion_start_own(c);
  (c->nbytes <= coll_value(c, PUTS)       ? puts_run
   : c->nbytes <= coll_value(c, PAIRWISE) ? pairwise_run
                                          : permission_run)(c);
  portion_finish_own(c);
}

const struct algo alltoall_elan = {
  .collective = COLL_ALLTOALL,
  .name = "elan",
  .source = "ali2010",
  .idea = "the library of QsNetII: another algorithm for each size of blocks",
  .needs = NEED_HOSTS,
  .params = {[BRUCK] = {.name = "bruck", .most = MOST, .initial = 64},
             [PUTS] = {.name = "puts", .most = MOST, .initial = 1024},
             [PAIRWISE] = {.name = "pairwise", .most = MOST, .initial = 8192},
             [RAIL] = {.name = "rail", .most = MOST, .initial = 16384}},
  .scratch = scratch,
  .run = run,
};
