/* SPDX-License-Identifier: BSD-3-Clause
 * Published results on networks, from the packets up: complete exchanges with all messages at once on three
 * networks of hosts, puts over two rails, a given signature that comes back. Two or three draws each; `bench
 * signature` makes ten. */
#include "tests/net_bed.h"
#include "validate/model/measured/net_exchange.h"
#include "validate/model/measured/signature.h"

enum { SIZES = 5 };

static const size_t sizes[SIZES] = {16384, 65536, 262144, 524288, 1048576};

/* Take the signature of PLATFORM with RANKS ranks from the means of DRAWS exchanges of each size. */
static struct signature take_signature(const struct platform *platform, unsigned ranks, unsigned draws) {
  struct signature signature;
  struct signature_point messages[SIZES], exchanges[SIZES];
  for (unsigned seed = 1; seed <= draws; seed++) {
    struct net *net = net_bed_net(platform, seed);
    for (unsigned i = 0; i < SIZES; i++) {
      struct net_exchange exchange = {.platform = platform, .ranks = ranks, .nbytes = sizes[i], .seed = seed};
      double sum = seed > 1 ? exchanges[i].cycles : 0;
      exchanges[i] =
        (struct signature_point){sizes[i], sum + (double)net_exchange_all(net, &exchange) / draws};
      messages[i] = (struct signature_point){sizes[i], (double)net_exchange_one(net, sizes[i], 0, 1)};
    }
  }
  signature_fit_message(&signature, messages, SIZES);
  signature_fit(&signature, exchanges, SIZES, ranks);
  return signature;
}

/* Return the time of the whole exchange of RANKS ranks beyond the bytes, from SIGNATURE: n - 1 times delta,
 * in ms. */
static double exchange_delta(const struct platform *platform, const struct signature *signature,
                             unsigned ranks) {
  return (ranks - 1) * signature->delta / (1e6 * platform->clock.spu);
}

TESTS(networks, .start = net_bed_start, .stop = net_bed_end);

/* source: Steffenel et al. 2007, section 6.1: gamma 1.0195, 23 times delta is 189 ms. */
TEST(fast_ethernet_is_hardly_slower_than_its_bound_but_for_a_timeout) {
  struct platform *platform = bed_platform("icluster2-fe", "");
  struct signature signature = take_signature(platform, 24, 3);
  ck_assert_double_eq_tol(signature.gamma / 1.0195, 1, 0.10);
  ck_assert_double_ge(exchange_delta(platform, &signature, 24), 150);
  ck_assert_double_le(exchange_delta(platform, &signature, 24), 400);
}

/* source: section 6.2: gamma 4.3628, 39 times delta is 192 ms. The mechanism gives a gamma of several, but
 * another value. */
TEST(gigabit_ethernet_is_several_times_slower_than_its_bound) {
  struct platform *platform = bed_platform("gdx", "");
  struct signature signature = take_signature(platform, 40, 2);
  ck_assert_double_ge(signature.gamma, 2);
  ck_assert_double_ge(exchange_delta(platform, &signature, 40), 150);
  ck_assert_double_le(exchange_delta(platform, &signature, 40), 400);
}

/* From some size M on the packets of an exchange find no room behind a link, and the exchange has a
 * retransmission timeout; below M there is none. Each of three draws agrees.
 * source: sections 6.1 and 6.2: M is 2 KiB on Fast Ethernet, 8 KiB on Gigabit Ethernet. Here M lies between
 * these sizes. */
static const struct {
  const char *platform;
  unsigned ranks;
  size_t below, from;
} thresholds[] = {{"icluster2-fe", 24, 2048, 16384}, {"gdx", 40, 1024, 16384}};

TEST_EACH(exchanges_have_timeouts_from_a_size_on, 0, 2) {
  struct platform *platform = bed_platform(thresholds[_i].platform, "");
  double timeout = 1e6 * platform->network.rto * platform->clock.spu;
  uint64_t ntimeouts;
  for (unsigned seed = 1; seed <= 3; seed++) {
    struct net *net = net_bed_net(platform, seed);
    struct net_exchange exchange = {.platform = platform,
                                    .ranks = thresholds[_i].ranks,
                                    .nbytes = thresholds[_i].below,
                                    .seed = seed,
                                    .ntimeouts = &ntimeouts};
    ck_assert_double_lt((double)net_exchange_all(net, &exchange), timeout);
    ck_assert_uint_eq(ntimeouts, 0);
    exchange.nbytes = thresholds[_i].from;
    ck_assert_double_ge((double)net_exchange_all(net, &exchange), timeout);
    ck_assert_uint_gt(ntimeouts, 0);
  }
}

/* source: section 6.3: gamma 2.49754 at 24, delta below 1 us; the prediction fits from 40 on. */
TEST(myrinet_blocks_and_loses_nothing) {
  struct platform *platform = bed_platform("icluster2-myrinet", "");
  struct signature few = take_signature(platform, 24, 3), many = take_signature(platform, 40, 3);
  ck_assert_double_eq_tol(few.gamma / 2.49754, 1, 0.15);
  ck_assert_double_ge(many.gamma / few.gamma, 1.05);
  ck_assert_double_le(many.gamma / few.gamma, 1.25);
  ck_assert_double_lt(few.delta / (1e3 * platform->clock.spu), 1);
}

/* --- a lossless network with room for little --- */

/* Ways up and then down never form a circle, so that all packets waiting for room are through at last. In a
 * complete exchange of packets of 2078 bytes with headers, room for three packets costs time, room for one
 * more time; a wormhole, which holds all of its way, most. */
static const char *const lossless_on[] = {"fat-tree 4x4x2 1x2x2 1x1x1", "clos 4 8 4", "switch"};

TEST_EACH(room_behind_links_holds_packets_up_and_blocks_none_for_ever, 0, 3) {
  static const struct {
    const char *transport, *buffer;
  } rooms[] = {{"lossless", "0"}, {"lossless", "8"}, {"lossless", "2.5"}, {"wormhole", "0"}};
  struct net_exchange exchange = {.ranks = 32, .nbytes = 16384, .seed = 1};
  uint64_t cycles[4];
  for (unsigned i = 0; i < 4; i++) {
    struct platform *platform = net_bed_platform(
      "roadrunner", "node.count=32;node.blades=1;network.topology=%s;network.transport=%s;network.buffer=%s",
      lossless_on[_i], rooms[i].transport, rooms[i].buffer);
    struct net *net = net_bed_net(platform, 1);
    exchange.platform = platform;
    cycles[i] = net_exchange_all(net, &exchange);
  }
  ck_assert_uint_gt(cycles[0], 0);
  ck_assert_uint_ge(cycles[1], cycles[0]);
  ck_assert_uint_ge(cycles[2], cycles[1]);
  ck_assert_uint_ge(cycles[3], cycles[2]);
}

/* Equation 5 of the same paper with the paper's three signatures, on their networks without chance. */
static const struct {
  const char *platform;
  unsigned ranks;
  const char *gamma, *delta, *threshold;
  double expected_gamma, expected_delta; /* ms */
} given[] = {
  {"icluster2-fe", 24, "1.0195", "8230", "2048", 1.0195, 8.23},
  {"gdx", 40, "4.3628", "4930", "8192", 4.3628, 4.93},
  {"icluster2-myrinet", 24, "2.49754", "0", "0", 2.49754, 0},
};

TEST_EACH(a_given_signature_comes_back, 0, 3) {
  struct platform *platform = net_bed_platform(
    given[_i].platform,
    "network.transport=signature;host.jitter=0;network.gamma=%s;network.delta=%s;network.threshold=%s",
    given[_i].gamma, given[_i].delta, given[_i].threshold);
  struct signature signature = take_signature(platform, given[_i].ranks, 1);
  ck_assert_double_eq_tol(signature.gamma / given[_i].expected_gamma, 1, 0.01);
  ck_assert_double_eq_tol(signature.delta / (1e6 * platform->clock.spu), given[_i].expected_delta,
                          0.01 * given[_i].expected_delta + 0.001);
}

/* source: Qian, Afsahi 2006, section 4.1: 670 and 1332 MB/s both ways on one and two rails, 2.0 to 2.77 us
 * for 4 bytes. */
TEST_EACH(puts_over_rails_are_as_fast_as_published, 0, 2) {
  static const double published[] = {670, 1332};
  struct platform *platform = net_bed_platform("qsnet2", "nic.rails=%d", _i + 1);
  struct net *net = net_bed_net(platform, 1);
  double seconds = 1 / (1e9 * platform->clock.spu);
  const struct net_stream ways[] = {{0, 1, 8}, {1, 0, 8}};
  double both = 16 * 1048576 / (seconds * (double)net_exchange_streams(net, 1048576, ways, 2)),
         one = 8 * 1048576 / (seconds * (double)net_exchange_streams(net, 1048576, ways, 1)),
         latency = 1e6 * seconds * (double)net_exchange_one(net, 4, 0, 1);
  ck_assert_double_eq_tol(1e-6 * both / published[_i], 1, 0.03);
  /* two rails double the rate of one message as well */
  ck_assert_double_eq_tol(1e-6 * one / published[_i], 1, 0.03);
  ck_assert_double_ge(latency, 2.0);
  ck_assert_double_le(latency, 2.77);
}
