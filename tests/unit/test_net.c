/* SPDX-License-Identifier: BSD-3-Clause
 * The times of messages over a lossless network follow from links, packets and NICs.
 *
 * All cases have round figures: 1 us is 3200 cycles, a byte takes 32 cycles on a link of 100 MB/s. */
#include "sim/base/engine/des.h"
#include "tests/net_bed.h"
#include "tests/suite.h"

enum { US = 3200, BYTE = 32, MESSAGES = 16 };

static struct platform *platform;
static struct net *net;

/* A message, the cycle of its arrival, and its place in the order of arrivals. */
struct letter {
  struct net_message message;
  uint64_t at;
  unsigned place;
};

static struct letter letters[MESSAGES];
static unsigned narrived;

static void note(struct net_message *message) {
  struct letter *letter = (struct letter *)(void *)message;
  letter->at = des_now();
  letter->place = narrived++;
}

/* Make the network of four nodes on one switch of round figures, with N more SETTINGS. */
static void make_net(const struct platform_setting *settings, size_t n) {
  static const struct platform_setting round[] = {{"network.transport", "lossless"},
                                                  {"network.buffer", "0"},
                                                  {"network.bandwidth", "100"},
                                                  {"network.latency", "1"},
                                                  {"network.packet", "1000"},
                                                  {"network.header", "0"},
                                                  {"nic.send", "1"},
                                                  {"nic.receive", "1"}};
  struct err err = {.text = ""};
  platform = net_bed_platform("blades", round, sizeof round / sizeof *round);
  ck_assert_msg(platform_set_all(platform, settings, n, &err) == 0, "%s", err.text);
  net = net_bed_net(platform, 1);
}

static void drop_net(void) {
  net_free(net);
  platform_free(platform);
}

/* Send letter INDEX of NBYTES between two hosts at cycle AT; the letter arrives in the network's own node. */
static void send_letter(unsigned index, unsigned from, unsigned to, size_t nbytes, uint64_t at) {
  letters[index] = (struct letter){
    .message = {
      .from = from, .to = to, .port = index, .nbytes = nbytes, .receiver = net_node(net), .arrived = note}};
  net_send(net, &letters[index].message, at);
}

/* Let all letters arrive. */
static void run(void) {
  narrived = 0;
  struct des_node *node = net_node(net);
  des_run(node);
  net_reset(net);
}

TESTS(net, .start = des_init);

TEST(a_packet_takes_its_bytes_once_and_the_delay_of_each_link) {
  make_net(NULL, 0);
  send_letter(0, 0, 1, 1000, 0);
  run();
  ck_assert_uint_eq(letters[0].at, 1000 * BYTE + 4 * US); /* send, two links, receive */
  send_letter(0, 3, 2, 0, 7);
  run();
  ck_assert_uint_eq(letters[0].at, 7 + 4 * US);
  drop_net();
}

TEST(packets_of_a_message_follow_each_other_and_each_has_its_header) {
  make_net(&(struct platform_setting){"network.header", "100"}, 1);
  send_letter(0, 0, 1, 2500, 0);
  run();
  ck_assert_uint_eq(letters[0].at, (2500 + 3 * 100) * BYTE + 4 * US);
  drop_net();
}

/* The second one waits for the link down to host 2; both have begun together. */
TEST(messages_to_one_host_wait_for_each_other_in_the_order_of_their_senders) {
  make_net(NULL, 0);
  send_letter(0, 3, 2, 1000, 0);
  send_letter(1, 1, 2, 1000, 0);
  run();
  ck_assert_uint_eq(letters[1].at, 1000 * BYTE + 4 * US);
  ck_assert_uint_eq(letters[0].at, 2000 * BYTE + 4 * US);
  drop_net();
}

/* Packet by packet: the long one is behind the short one by one packet only. */
TEST(messages_of_one_host_share_its_link_packet_by_packet) {
  make_net(NULL, 0);
  send_letter(0, 0, 1, 3000, 0);
  send_letter(1, 0, 2, 1000, 0);
  run();
  ck_assert_uint_eq(letters[1].at, 2000 * BYTE + 4 * US);
  ck_assert_uint_eq(letters[0].at, 4000 * BYTE + 4 * US);
  drop_net();
}

/* The bus is as fast as the link and serves both directions: each direction gets half of the bus. Outgoing
 * bytes pass two buses. */
TEST(both_directions_share_the_bus_of_a_NIC) {
  make_net(&(struct platform_setting){"nic.bus", "100"}, 1);
  send_letter(0, 0, 1, 1000, 0);
  run();
  ck_assert_uint_eq(letters[0].at, 1000 * BYTE + 4 * US);
  send_letter(0, 0, 1, 100000, 0);
  send_letter(1, 1, 0, 100000, 0);
  run();
  ck_assert_uint_ge(letters[0].at, 200000 * BYTE);
  ck_assert_uint_le(letters[0].at, 202000 * BYTE + 4 * US);
  ck_assert_uint_le(letters[1].at, 202000 * BYTE + 4 * US);
  drop_net();
}

TEST(a_long_message_is_divided_among_the_rails_and_a_short_one_takes_that_of_its_port) {
  struct platform_setting settings[] = {{"nic.rails", "2"}, {"network.stripe", "2000"}};
  make_net(settings, 2);
  send_letter(0, 0, 1, 4000, 0);
  run();
  ck_assert_uint_eq(letters[0].at, 2000 * BYTE + 4 * US);
  send_letter(0, 0, 1, 4001, 0);
  run();
  ck_assert_uint_eq(letters[0].at, 2001 * BYTE + 4 * US);
  send_letter(0, 0, 1, 2000, 0);
  send_letter(1, 0, 1, 2000, 0);
  send_letter(2, 0, 1, 2000, 0);
  run();
  ck_assert_uint_eq(letters[1].at, 2000 * BYTE + 4 * US);
  ck_assert_uint_eq(letters[0].at, 3000 * BYTE + 4 * US);
  ck_assert_uint_eq(letters[2].at, 4000 * BYTE + 4 * US);
  drop_net();
}

/* The gap comes once for each message: between the first packet of one and the first packet of the next. */
TEST(the_gap_of_the_NIC_comes_once_for_each_message) {
  make_net(&(struct platform_setting){"nic.gap", "2"}, 1);
  send_letter(0, 0, 1, 2000, 0);
  run();
  ck_assert_uint_eq(letters[0].at, 2000 * BYTE + 6 * US);
  send_letter(0, 0, 1, 100, 0);
  send_letter(1, 0, 2, 100, 0);
  run();
  ck_assert_uint_eq(letters[1].at, 200 * BYTE + 8 * US);
  drop_net();
}

TEST(a_message_to_its_own_host_is_copied_there) {
  make_net(&(struct platform_setting){"host.copy", "200"}, 1);
  send_letter(0, 1, 1, 1000, 0);
  run();
  ck_assert_uint_eq(letters[0].at, 1000 * BYTE / 2 + 2 * US);
  drop_net();
}

TEST(arrivals_in_one_cycle_come_in_the_order_of_their_senders) {
  make_net(NULL, 0);
  send_letter(0, 2, 3, 500, 0);
  send_letter(1, 1, 0, 500, 0);
  send_letter(2, 0, 1, 500, 0);
  run();
  ck_assert_uint_eq(letters[2].at, letters[0].at);
  ck_assert_uint_eq(letters[2].place, 0);
  ck_assert_uint_eq(letters[1].place, 1);
  ck_assert_uint_eq(letters[0].place, 2);
  drop_net();
}

/* --- room behind a link: of one packet, 1000 bytes --- */

static const struct platform_setting one_packet = {"network.buffer", "0.9765625"};

/* Two messages of two packets to host 2; host 0 sends one more to host 3, between the two on host 0's link.
 * Services of the link to host 2, in us: from 1 to 11 the first packet of host 0, until 21 the first packet
 * of host 1. The link from host 0 is free at 10, but the room behind the link not before 11: then the packet
 * to host 3 begins, and is through at 22. So the next packet to host 2 begins at 22; the second packet of
 * host 1 has begun at 21 and is served first, from 22 to 32. Without a limit each message would arrive 1 us
 * earlier, the message of host 1 even 1 more. */
TEST(a_packet_begins_when_there_is_room_behind_its_link) {
  make_net(&one_packet, 1);
  send_letter(0, 0, 2, 2000, 0);
  send_letter(1, 1, 2, 2000, 0);
  send_letter(2, 0, 3, 1000, 0);
  run();
  ck_assert_uint_eq(letters[2].at, 2000 * BYTE + 5 * US);
  ck_assert_uint_eq(letters[1].at, 3000 * BYTE + 5 * US);
  ck_assert_uint_eq(letters[0].at, 4000 * BYTE + 5 * US);
  drop_net();
}

/* A message without contention takes the same time as without a limit; received bytes have room in the
 * NIC. */
TEST(room_for_a_packet_is_enough_for_a_message_alone) {
  make_net(&one_packet, 1);
  send_letter(0, 0, 1, 1000, 0);
  run();
  ck_assert_uint_eq(letters[0].at, 1000 * BYTE + 4 * US);
  drop_net();
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
    net_send(net, message, des_now() + turn % 5);
  }
}

/* Let each of four hosts send a message that goes from host to host.
 * returns: a sum over all arrivals. */
static uint64_t relay(uint64_t look_ahead) {
  struct des_node *all[5] = {net_node(net)};
  struct des_result results[5];
  uint64_t sum = 0;
  for (unsigned i = 0; i < 4; i++) {
    all[1 + i] = nodes[i] = des_node_new();
    letters[i] = (struct letter){
      .message = {.from = i, .to = i ^ 1, .nbytes = 100 * i, .receiver = NULL, .arrived = send_on}};
  }
  for (unsigned i = 0; i < 4; i++) {
    letters[i].message.receiver = nodes[i ^ 1];
    net_send(net, &letters[i].message, 0);
  }
  des_run_all(all, 5, look_ahead, results);
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_uint_eq(letters[i].place, TURNS);
    sum = 31 * sum + letters[i].at;
  }
  net_reset(net);
  for (unsigned i = 0; i < 4; i++) {
    des_node_free(nodes[i]);
  }
  return sum;
}

TEST(what_arrives_when_does_not_depend_on_the_look_ahead) {
  make_net(NULL, 0);
  ck_assert_uint_eq(net_horizon(net), US);
  uint64_t sum = relay(1);
  ck_assert_uint_eq(relay(net_horizon(net)), sum);
  ck_assert_uint_eq(relay(net_horizon(net) / 3), sum);
  drop_net();
}

TEST(much_room_is_as_none_that_ends) {
  make_net(NULL, 0);
  uint64_t sum = relay(1);
  drop_net();
  make_net(&(struct platform_setting){"network.buffer", "100"}, 1);
  ck_assert_uint_eq(relay(net_horizon(net)), sum);
  drop_net();
}
