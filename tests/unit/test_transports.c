/* SPDX-License-Identifier: BSD-3-Clause
 * Packets that meet: in TCP, in a wormhole switch, by a signature. */
#include "tests/net_bed.h"
#include "traces/utilisation.h"

enum { PACKET = 1000 * BYTE, HEADER = 100 * BYTE, MS = 1000 * US };

static struct letter *const letters = round_net.letters;

/* --- TCP --- */

TESTS(transports, .start = bed_start, .stop = net_bed_end);

/* A switch stores a packet before forwarding. */
TEST(a_segment_takes_its_bytes_on_each_link) {
  net_bed_make("");
  EXPECT_ARRIVALS({0, 1, 1000, 0, 4 * US + 2 * (PACKET + HEADER)});
  ck_assert_uint_eq(round_net.net->totals.nmessages, 1);
  ck_assert_uint_eq(round_net.net->totals.nbytes, 1000);
}

/* With a window of one segment the next one leaves when the acknowledgement of the one before has come
 * back. */
TEST(a_cold_connection_waits_for_an_acknowledgement) {
  net_bed_make("network.initial-window=1");
  EXPECT_ARRIVALS({0, 1, 2000, 0, 2 * US + 2 * (2 * US + 2 * (PACKET + HEADER)) + 2 * US + 2 * HEADER});
}

/* The same, but a single segment is acknowledged only after a while. */
TEST(a_single_acknowledgement_is_delayed) {
  net_bed_make("network.initial-window=1 network.delayed-ack=40");
  EXPECT_ARRIVALS(
    {0, 1, 2000, 0, 2 * US + 2 * (2 * US + 2 * (PACKET + HEADER)) + 2 * US + 2 * HEADER + 40 * MS});
}

/* Room for one packet: of two packets at once the second is lost, and no later packet follows to report the
 * loss. */
TEST(a_lost_segment_that_nothing_follows_is_sent_again_after_the_timeout) {
  net_bed_make("network.buffer=1.5");
  EXPECT_ARRIVALS({0, 2, 1000, 0, 4 * US + 2 * (PACKET + HEADER)},
                  {1, 2, 1000, 0, 4 * US + 2 * (PACKET + HEADER) + 200 * MS});
  ck_assert_uint_eq(round_net.net->totals.ndrops, 1);
  ck_assert_uint_eq(round_net.net->totals.ntimeouts, 1);
  ck_assert_uint_eq(round_net.net->totals.nretransmissions, 1);
}

/* The segment sent again meets a segment of host 0 as before, and is lost once more. */
TEST(each_timeout_in_a_row_is_twice_as_long) {
  net_bed_make("network.buffer=1.5");
  EXPECT_ARRIVALS({0, 2, 1000, 0, 0}, {1, 2, 1000, 0, 4 * US + 2 * (PACKET + HEADER) + 600 * MS},
                  {0, 2, 1000, 200 * MS, 0});
  ck_assert_uint_eq(round_net.net->totals.ndrops, 2);
  ck_assert_uint_eq(round_net.net->totals.ntimeouts, 2);
}

/* A window of 65 packets and a burst of 30 meet at a port with room for 20: in two packet times two packets
 * come and one leaves, so that the port is full after 20 of the burst, and one of each later pair is lost,
 * the later sender's. Packets behind the burst report the loss. */
TEST(lost_segments_that_others_follow_are_sent_again_at_once) {
  net_bed_make("network.buffer=21.5");
  EXPECT_ARRIVALS({0, 2, 30000, 0, 0}, {1, 2, 200000, 0, 0});
  const struct net_totals *totals = &round_net.net->totals;
  ck_assert_uint_ge(totals->ndrops, 9);
  ck_assert_uint_le(totals->ndrops, 11);
  ck_assert_uint_eq(totals->nretransmissions, totals->ndrops);
  ck_assert_uint_eq(totals->ntimeouts, 0);
  ck_assert_uint_lt(letters[1].at, 10 * MS);
}

/* Of 16 segments sent at once the first is lost. In a recovery half of them may be under way, with the lost
 * one: the fourth acknowledgement and the next six let segments 16 to 22 leave, segment 23 waits until all
 * before segment 16 have come. */
TEST(a_recovery_sends_half_a_window) {
  net_bed_make("network.buffer=1.5 network.window=15.625 network.latency=100");
  EXPECT_ARRIVALS({0, 2, 1000, 0, 0}, {1, 2, 24000, 10, 0});
  uint64_t packet = PACKET + HEADER, way = 2 * 100 * US + 2 * packet, round = way + 2 * 100 * US + 2 * HEADER;
  ck_assert_uint_eq(round_net.net->totals.ndrops, 1);
  ck_assert_uint_eq(round_net.net->totals.nretransmissions, 1);
  ck_assert_uint_eq(letters[1].at, 10 + US + (3 * packet + round) + round + way + US);
}

TEST(a_reset_empties_the_ports) {
  net_bed_make("network.buffer=1.5");
  for (unsigned i = 0; i < 2; i++) {
    EXPECT_ARRIVALS({0, 1, 1000, 0, 4 * US + 2 * (PACKET + HEADER)});
  }
}

/* --- wormhole --- */

static const char wormhole[] = "network.transport=wormhole";

/* The head of the second packet waits for the link down until the tail of the first one has passed. */
TEST(a_packet_holds_its_links_until_its_tail_has_passed) {
  net_bed_make(wormhole);
  uint64_t first = 3 * US + PACKET + HEADER;
  EXPECT_ARRIVALS({0, 2, 1000, 0, first + US}, {1, 2, 1000, 10, first + US + PACKET + HEADER + US});
}

/* Host 1 waits for the link to host 2 and holds its own link: the message of host 1 to host 3, with no other
 * traffic, waits as well. */
TEST(a_packet_that_waits_blocks_what_is_behind_it) {
  net_bed_make(wormhole);
  EXPECT_ARRIVALS({0, 2, 1000, 0, 0}, {1, 2, 1000, 10, 0}, {1, 3, 1000, 20, 0});
  uint64_t second = letters[1].at - US;
  ck_assert_uint_eq(letters[2].at, second + 2 * US + PACKET + HEADER + US);
}

/* --- signature --- */

TEST(messages_that_meet_take_what_the_signature_says) {
  net_bed_make("network.transport=signature network.gamma=2.5 network.delta=7 network.threshold=1000");
  EXPECT_ARRIVALS({0, 1, 1000, 0, 4 * US + PACKET});
  uint64_t long_time = 4 * US + PACKET * 5 / 2 + 7 * US;
  EXPECT_ARRIVALS({0, 1, 1000, 0, long_time}, {0, 2, 999, 0, long_time + 4 * US + 999 * BYTE * 5 / 2},
                  {3, 1, 1000, 0, long_time});
}

/* Two messages meet that have only the source, or only the target, in common. */
TEST(messages_meet_at_one_end) {
  uint64_t both = 4 * US + PACKET * 5 / 2 + 7 * US;
  net_bed_make("network.transport=signature network.gamma=2.5 network.delta=7");
  EXPECT_ARRIVALS({0, 1, 1000, 0, both}, {0, 2, 1000, 0, 0});
  EXPECT_ARRIVALS({0, 1, 1000, 0, both}, {3, 1, 1000, 0, both});
}

/* --- counters --- */

TEST(a_link_tells_what_it_has_done) {
  struct net_counters counters;
  net_counters_init(&counters);
  net_bed_make("network.transport=lossless");
  net_attach(round_net.net, &counters.probe);
  EXPECT_ARRIVALS({0, 2, 1000, 0, 0}, {1, 2, 1000, 0, 0});
  ck_assert_uint_eq(round_net.net->fabric->nlinks, 8);
  const struct net_counters_server *first = &counters.servers[0], *down = &counters.servers[6];
  ck_assert_str_eq(down->name, "n2-down");
  ck_assert_uint_eq(down->packets, 2);
  ck_assert_uint_eq(down->nbytes, 2200);
  ck_assert_uint_eq(down->busy, 2200 * BYTE);
  ck_assert_uint_eq(down->longest_queue, 1100);
  ck_assert_uint_eq(first->packets, 1);
  ck_assert_uint_eq(first->longest_queue, 0);
  net_counters_clear(&counters);
}
