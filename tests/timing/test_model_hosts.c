/* SPDX-License-Identifier: BSD-3-Clause
 * Models of calls on hosts: published equations with the platform's parameters, the refined model where all
 * effects are modelled, and reasons where there is no prediction. */
#include "tests/call_bed.h"
#include "tests/net_bed.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/compare.h"
#include "validate/model/evaluation.h"
#include "validate/model/tune.h"
#include "validate/model/measured/signature.h"

/* No losses, no bus, one NIC: a message takes nic.send, nic.gap, two links, the bytes once and
 * nic.receive. */
#define PLAIN "nic.rails=1 nic.bus=0"

/* A model's prediction of a call. */
struct said {
  double us, simulated_us;
  const char *nothing;
};

struct asked {
  enum model model;
  struct said said;
};

static void take(void *context, size_t index, const struct evaluation *evaluation) {
  struct asked *asked = context;
  double us = 1e3 * machine_platform(evaluation->plogp->machine)->clock.spu;
  ck_assert_ptr_eq(evaluation->wrong, NULL);
  asked->said =
    (struct said){evaluation->predicted[asked->model].middle / us, evaluation->cycles / us,
                  evaluation->refused ? evaluation->refused : evaluation->predicted[asked->model].nothing};
}

/* Ask MODEL of NAME on NRANKS ranks with NBYTES. */
static struct said ask(enum model model, const char *name, unsigned nranks, size_t nbytes) {
  static char reason[256];
  struct ledger ledger = {0};
  struct asked asked = {.model = model};
  struct point point = {
    .machine = bed.machine,
    .call = {
      .nranks = nranks, .nbytes = nbytes, .repeat = 1, .seed = 1, .profile = &bed.platform->profiles[0]}};
  struct points points = {.items = &point, .n = 1};
  point.call.algorithm = call_bed_find(name);
  struct evaluations evaluations = {
    .ledger = &ledger, .machine = bed.machine, .points = &points, .take = take, .context = &asked};
  SUCCEEDS(evaluations_run(&evaluations, &failure));
  if (asked.said.nothing) {
    snprintf(reason, sizeof reason, "%s", asked.said.nothing);
    asked.said.nothing = reason;
  }
  ledger_fini(&ledger);
  return asked.said;
}

/* Return the time of a message of NBYTES on PLATFORM, a PLAIN one. */
static double message_us(const struct platform *platform, double nbytes) {
  return platform->nic.send + platform->nic.gap + 2 * platform->network.latency + platform->nic.receive +
         nbytes / platform->network.bandwidth;
}

TESTS(model_hosts, .start = net_bed_start, .stop = bed_end);

/* Qian and Afsahi: with k = 2 ports on 9 ranks two levels of a tree, and 4 blocks through each port; 4 of 2
 * at a time one after the other. A packet fills the second link too; a line through all sizes counts this
 * time with the start: 3 %. */
TEST(trees_and_direct_sends_take_what_their_equations_say) {
  bed_use("qsnet2", PLAIN);
  size_t m = 65536;
  double start = message_us(bed.platform, 0), byte = 1 / bed.platform->network.bandwidth;
  double tree = 2 * start + 8 / 2.0 * (double)m * byte, direct = 4 * (start + (double)m * byte);
  ck_assert_double_eq_tol(ask(MODEL_PUBLISHED, "scatter:binomial:ports=2", 9, m).us / tree, 1, 0.03);
  ck_assert_double_eq_tol(ask(MODEL_PUBLISHED, "gather:binomial:ports=2", 9, m).us / tree, 1, 0.03);
  ck_assert_double_eq_tol(ask(MODEL_PUBLISHED, "scatter:sequential:ports=2", 9, m).us / direct, 1, 0.03);
  ck_assert_double_eq_tol(ask(MODEL_PUBLISHED, "alltoall:direct:ports=2", 9, m).us / direct, 1, 0.03);
}

/* Steffenel et al.: gamma, delta and M given to the network come back from the signature of the network, and
 * the bound knows none of the three. */
TEST(an_exchange_takes_what_the_signature_of_its_network_says) {
  bed_use("qsnet2", PLAIN " node.processes=1 node.count=8 network.transport=signature "
                          "network.gamma=2 network.delta=500 network.threshold=16384");
  size_t m = 65536;
  double start = message_us(bed.platform, 0), bytes = (double)m / bed.platform->network.bandwidth;
  struct said published = ask(MODEL_PUBLISHED, "alltoall:direct:ports=7", 8, m),
              bound = ask(MODEL_NAIVE_CONTENTION, "alltoall:direct:ports=7", 8, m);
  ck_assert_double_eq_tol(published.us / (7 * (start + 2 * bytes + 500)), 1, 0.03);
  ck_assert_double_eq_tol(bound.us / (7 * (start + bytes)), 1, 0.03);
}

/* On such hosts the refined model leaves nothing out: two rounds of a barrier are two messages of 16 bytes,
 * and the simulation says the same. */
TEST(the_refined_model_is_the_program_on_messages_that_meet_nobody) {
  bed_use("qsnet2", PLAIN " node.processes=1");
  struct said barrier = ask(MODEL_REFINED, "barrier:bruck", 4, 0);
  ck_assert_double_eq_tol(barrier.us / (2 * message_us(bed.platform, 16)), 1, 0.01);
  ck_assert_double_eq_tol(barrier.us / barrier.simulated_us, 1, 0.01);
  struct said tree = ask(MODEL_REFINED, "bcast:binomial-simple", 4, 65536);
  ck_assert_double_eq_tol(tree.us / tree.simulated_us, 1, 0.02);
}

/* Return by how much the refined model errs, in parts of the simulation. */
static double error_of(const char *platform, const char *settings, const char *name, size_t nbytes) {
  bed_use(platform, settings);
  struct said said = ask(MODEL_REFINED, name, 24, nbytes);
  ck_assert_ptr_eq(said.nothing, NULL);
  return said.us / said.simulated_us - 1;
}

/* Each message begins with a window of three packets: two more rounds of the window take a fifth of the time
 * of this reduction. And a message holds its way until the message has gone, so that other messages wait; in
 * packets all messages would share the way, and the first ones be twice as late. */
TEST(the_refined_model_sends_as_the_network_does) {
  ck_assert_double_eq_tol(error_of("gdx", "", "reduce:binomial", 8192), 0, 0.02);
  ck_assert_double_eq_tol(error_of("icluster2-myrinet", "", "bcast:binomial-simple", 65536), 0, 0.1);
}

/* The model leaves out losses, and links inside a network of switches. Without both there is no error. */
TEST(the_refined_model_errs_where_packets_are_lost_and_where_inner_links_are_shared) {
  ck_assert_double_lt(error_of("gdx", "", "gather:elan", 65536), -0.5);
  ck_assert_double_eq_tol(error_of("gdx", "network.buffer=1024", "gather:elan", 65536), 0, 0.02);
  ck_assert_double_lt(error_of("icluster2-myrinet", "", "alltoall:direct", 65536), -0.4);
  ck_assert_double_eq_tol(error_of("icluster2-myrinet", "network.topology=switch", "alltoall:direct", 65536),
                          0, 0.02);
}

TEST(where_there_is_no_prediction_there_is_a_reason) {
  bed_use("qsnet2", "");
  ck_assert_str_eq(ask(MODEL_PUBLISHED, "alltoall:bruck", 4, 64).nothing, "no equation is printed");
  ck_assert_str_eq(ask(MODEL_NAIVE_CONTENTION, "gather:binomial", 4, 64).nothing,
                   "the bound is one of all-to-alls");
  ck_assert_ptr_eq(ask(MODEL_PUBLISHED, "gather:binomial", 4, 64).nothing, NULL);
  bed_use("grid", "");
  ck_assert_str_eq(
    ask(MODEL_REFINED, "alltoall:direct", 4, 64).nothing,
    "alltoall:direct: no prediction for 4 ranks of platform grid with 64 bytes: hosts of several clusters");
}

/* Equation 6 of Steffenel et al. on 20 + 20 hosts: a local exchange, and a message over the wide area, 10 ms
 * and the bytes at 125 MB/s; 90 of 1538 bytes of a packet are a header. With n1 blocks in place of n1 + n2
 * the message carries 20 fewer. */
TEST(two_clusters_take_an_exchange_and_one_message_over_the_wide_area) {
  enum { M = 65536, N = 20 };
  bed_use("grid", "");
  double byte = (1 + 90.0 / 1448) / 125, wide = 1e4; /* us */
  double printed = ask(MODEL_PUBLISHED, "alltoall:grid", 2 * N, M).us,
         carried = ask(MODEL_ANALOGY, "alltoall:grid", 2 * N, M).us;
  ck_assert_str_eq(ask(MODEL_REFINED, "alltoall:grid", 2 * N, M).nothing, "hosts of several clusters");
  bed_use("gdx", "node.count=20 network.transport=lossless network.buffer=0");
  double local = ask(MODEL_PUBLISHED, "alltoall:direct:ports=19", N, M).us;
  ck_assert_double_eq_tol((printed - carried) / (N * M * byte), 1, 0.02);
  ck_assert_double_eq_tol((carried - local) / (wide + N * M * byte), 1, 0.03);
  ck_assert_str_eq(ask(MODEL_PUBLISHED, "alltoall:grid", 4, 64).nothing, "hosts of one cluster");
  ck_assert_ptr_eq(ask(MODEL_ANALOGY, "alltoall:grid", 4, 64).nothing, NULL);
}

/* 3 and 7 ranks: three steps, each of the 3 blocks for one of the other cluster; an exchange among the 7
 * takes longer. */
TEST(clusters_of_different_sizes_take_several_steps) {
  struct signature_area area = {.clusters = {{.alpha = 100, .beta = 1, .gamma = 1, .threshold = SIZE_MAX},
                                             {.alpha = 100, .beta = 1, .gamma = 2, .threshold = SIZE_MAX}},
                                .between = {.alpha = 5000, .beta = 2}};
  ck_assert_double_eq(signature_area_predict(&area, (const unsigned[2]){3, 7}, 3, 10),
                      6 * (100 + 2 * 10) + 3 * (5000 + 2 * 10 * 3));
  ck_assert_double_eq(signature_area_predict(&area, (const unsigned[2]){7, 3}, 3, 10),
                      6 * (100 + 10) + 3 * (5000 + 2 * 10 * 3));
}

/* compare has a row for each such call, left out of all summaries. */
TEST(compare_tells_what_is_not_predicted) {
  bed_use("qsnet2", "");
  struct ledger ledger = {0};
  struct comparison comparison = {0};
  struct algorithm algorithm = call_bed_find("alltoall:bruck");
  struct compare_grid grid = {.ledger = &ledger,
                              .calls = &algorithm,
                              .ncalls = 1,
                              .ranks = {.values = (uint64_t[]){4}, .n = 1},
                              .bytes = {.values = (uint64_t[]){64}, .n = 1}};
  SUCCEEDS(compare_run(&comparison, bed.machine, &grid, &failure));
  ck_assert_uint_eq(comparison.npoints, 3);
  ck_assert_int_eq(comparison.points[0].end, CALL_UNPREDICTED);
  ck_assert_str_eq(comparison.points[0].cause, "no equation is printed");
  ck_assert_int_eq(comparison.points[1].model, MODEL_REFINED);
  ck_assert_int_eq(comparison.points[1].end, CALL_OK);
  ck_assert_uint_eq(compare_summarize(&comparison, MODEL_PUBLISHED, false).npoints, 0);
  ck_assert_uint_eq(compare_summarize(&comparison, MODEL_REFINED, false).npoints, 1);
  comparison_fini(&comparison);
  ledger_fini(&ledger);
}

/* A tree of several ports needs as many flags as one of a single port and fewer levels: the least flags win
 * short scatters, in the simulation and in the model. */
TEST(tune_chooses_on_hosts) {
  bed_use("qsnet2", "");
  struct ledger ledger = {0};
  struct tuning tuning = {0};
  struct tune_problem problem = {.collective = COLL_SCATTER};
  struct tune_grid grid = {.ledger = &ledger,
                           .problems = &problem,
                           .nproblems = 1,
                           .ranks = {.values = (uint64_t[]){16}, .n = 1},
                           .bytes = {.values = (uint64_t[]){64}, .n = 1}};
  SUCCEEDS(tune_run(&tuning, bed.machine, &grid, &failure));
  ck_assert_uint_eq(tuning.n, 1);
  struct tune_choice choice = tune_choose(&tuning.decisions[0], MODEL_REFINED);
  ck_assert_uint_ge(choice.n, 4);
  ck_assert_str_eq(choice.fastest->algorithm.algo->name, "binomial"); /* Qian and Afsahi 2006, section 6.1 */
  ck_assert_double_le(choice.loss, 5);
  tuning_fini(&tuning);
  ledger_fini(&ledger);
}
