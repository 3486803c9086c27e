/* SPDX-License-Identifier: BSD-3-Clause
 * The times of messages over a lossless network follow from links, packets and NICs. */
#include "tests/net_bed.h"

static struct letter *const letters = round_net.letters;

/* Make the lossless network without headers, with SETTINGS besides. */
static void make_net(const char *settings) {
  net_bed_make("network.transport=lossless network.buffer=0 network.header=0");
  bed_apply(round_net.platform, settings);
  round_net.net = net_bed_net(round_net.platform, 1);
}

TESTS(net, .start = bed_start, .stop = net_bed_end);

TEST(a_packet_takes_its_bytes_once_and_the_delay_of_each_link) {
  make_net("");
  EXPECT_ARRIVALS({0, 1, 1000, 0, 1000 * BYTE + 4 * US}); /* send, two links, receive */
  EXPECT_ARRIVALS({3, 2, 0, 7, 7 + 4 * US});
}

TEST(packets_of_a_message_follow_each_other_and_each_has_its_header) {
  make_net("network.header=100");
  EXPECT_ARRIVALS({0, 1, 2500, 0, (2500 + 3 * 100) * BYTE + 4 * US});
}

/* The second one waits for the link down to host 2; both have begun together. */
TEST(messages_to_one_host_wait_for_each_other_in_the_order_of_their_senders) {
  make_net("");
  EXPECT_ARRIVALS({3, 2, 1000, 0, 2000 * BYTE + 4 * US}, {1, 2, 1000, 0, 1000 * BYTE + 4 * US});
}

/* Packet by packet: the long one is behind the short one by one packet only. */
TEST(messages_of_one_host_share_its_link_packet_by_packet) {
  make_net("");
  EXPECT_ARRIVALS({0, 1, 3000, 0, 4000 * BYTE + 4 * US}, {0, 2, 1000, 0, 2000 * BYTE + 4 * US});
}

/* The bus is as fast as the link and serves both directions: each direction gets half of the bus. Outgoing
 * bytes pass two buses. */
TEST(both_directions_share_the_bus_of_a_NIC) {
  make_net("nic.bus=100");
  EXPECT_ARRIVALS({0, 1, 1000, 0, 1000 * BYTE + 4 * US});
  EXPECT_ARRIVALS({0, 1, 100000, 0, 0}, {1, 0, 100000, 0, 0});
  ck_assert_uint_ge(letters[0].at, 200000 * BYTE);
  ck_assert_uint_le(letters[0].at, 202000 * BYTE + 4 * US);
  ck_assert_uint_le(letters[1].at, 202000 * BYTE + 4 * US);
}

TEST(a_long_message_is_divided_among_the_rails_and_a_short_one_takes_that_of_its_port) {
  make_net("nic.rails=2 network.stripe=2000");
  EXPECT_ARRIVALS({0, 1, 4000, 0, 2000 * BYTE + 4 * US});
  EXPECT_ARRIVALS({0, 1, 4001, 0, 2001 * BYTE + 4 * US});
  EXPECT_ARRIVALS({0, 1, 2000, 0, 3000 * BYTE + 4 * US}, {0, 1, 2000, 0, 2000 * BYTE + 4 * US},
                  {0, 1, 2000, 0, 4000 * BYTE + 4 * US});
}

/* The gap comes once for each message: between the first packet of one and the first packet of the next. */
TEST(the_gap_of_the_NIC_comes_once_for_each_message) {
  make_net("nic.gap=2");
  EXPECT_ARRIVALS({0, 1, 2000, 0, 2000 * BYTE + 6 * US});
  EXPECT_ARRIVALS({0, 1, 100, 0, 0}, {0, 2, 100, 0, 200 * BYTE + 8 * US});
}

TEST(a_message_to_its_own_host_is_copied_there) {
  make_net("host.copy=200");
  EXPECT_ARRIVALS({1, 1, 1000, 0, 1000 * BYTE / 2 + 2 * US});
}

TEST(arrivals_in_one_cycle_come_in_the_order_of_their_senders) {
  make_net("");
  EXPECT_ARRIVALS({2, 3, 500, 0, 0}, {1, 0, 500, 0, 0}, {0, 1, 500, 0, 0});
  ck_assert_uint_eq(letters[2].at, letters[0].at);
  ck_assert_uint_eq(letters[2].place, 0);
  ck_assert_uint_eq(letters[1].place, 1);
  ck_assert_uint_eq(letters[0].place, 2);
}

/* --- room behind a link: of one packet, 1000 bytes --- */

static const char one_packet[] = "network.buffer=0.9765625";

/* Two messages of two packets to host 2; host 0 sends one more to host 3, between the two on host 0's link.
 * Services of the link to host 2, in us: from 1 to 11 the first packet of host 0, until 21 the first packet
 * of host 1. The link from host 0 is free at 10, but the room behind the link not before 11: then the packet
 * to host 3 begins, and is through at 22. So the next packet to host 2 begins at 22; the second packet of
 * host 1 has begun at 21 and is served first, from 22 to 32. Without a limit each message would arrive 1 us
 * earlier, the message of host 1 even 1 more. */
TEST(a_packet_begins_when_there_is_room_behind_its_link) {
  make_net(one_packet);
  EXPECT_ARRIVALS({0, 2, 2000, 0, 4000 * BYTE + 5 * US}, {1, 2, 2000, 0, 3000 * BYTE + 5 * US},
                  {0, 3, 1000, 0, 2000 * BYTE + 5 * US});
}

/* A message without contention takes the same time as without a limit; received bytes have room in the
 * NIC. */
TEST(room_for_a_packet_is_enough_for_a_message_alone) {
  make_net(one_packet);
  EXPECT_ARRIVALS({0, 1, 1000, 0, 1000 * BYTE + 4 * US});
}

/* --- several nodes --- */

enum { TURNS = 40 };

static struct des_node *nodes[4];

/* A host with a letter sends the letter on, to another host each time, a little later; `place` counts the
 * turns, `at` sums up the cycles. */
static void send_on(struct net_message *message) {
  struct letter *letter = (struct letter *)(void *)message;
  unsigned turn = letter->place++;
  letter->at = 31 * letter->at + des_now();
  if (turn + 1 < TURNS) {
    message->from = message->to;
    message->to = (message->from + 1 + turn % 3) % 4;
    message->receiver = nodes[message->to];
    message->nbytes = 100 + 37 * (turn % 11);
    net_send(round_net.net, message, des_now() + turn % 5);
  }
}

/* Let each of four hosts send a message that goes from host to host.
 * returns: a sum over all arrivals. */
static uint64_t relay(uint64_t look_ahead) {
  struct des_node *all[5] = {round_net.net->node};
  struct des_result results[5];
  uint64_t sum = 0;
  for (unsigned i = 0; i < 4; i++) {
    all[1 + i] = nodes[i] = des_node_new();
    letters[i] = (struct letter){
      .message = {.from = i, .to = i ^ 1, .nbytes = 100 * i, .receiver = NULL, .arrived = send_on}};
  }
  for (unsigned i = 0; i < 4; i++) {
    letters[i].message.receiver = nodes[i ^ 1];
    net_send(round_net.net, &letters[i].message, 0);
  }
  des_run_all(all, 5, look_ahead, results);
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_uint_eq(letters[i].place, TURNS);
    sum = 31 * sum + letters[i].at;
  }
  net_reset(round_net.net);
  for (unsigned i = 0; i < 4; i++) {
    des_node_free(nodes[i]);
  }
  return sum;
}

TEST(what_arrives_when_does_not_depend_on_the_look_ahead) {
  make_net("");
  ck_assert_uint_eq(net_horizon(round_net.net), US);
  uint64_t sum = relay(1);
  ck_assert_uint_eq(relay(net_horizon(round_net.net)), sum);
  ck_assert_uint_eq(relay(net_horizon(round_net.net) / 3), sum);
}

TEST(much_room_is_as_none_that_ends) {
  make_net("");
  uint64_t sum = relay(1);
  make_net("network.buffer=100");
  ck_assert_uint_eq(relay(net_horizon(round_net.net)), sum);
}
