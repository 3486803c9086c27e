/* SPDX-License-Identifier: BSD-3-Clause
 * Packets that meet: in TCP, in a wormhole switch, by a signature.
 *
 * All cases have round figures: 1 us is 3200 cycles, a byte takes 32 cycles on a link of 100 MB/s; a packet
 * has 1000 bytes. */
#include "sim/base/engine/des.h"
#include "tests/net_bed.h"
#include "tests/suite.h"
#include "traces/net_counters.h"

enum { US = 3200, BYTE = 32, MESSAGES = 16, PACKET = 1000 * BYTE, HEADER = 100 * BYTE, MS = 1000 * US };

static struct platform *platform;
static struct net *net;
static struct net_message messages[MESSAGES];
static uint64_t arrivals[MESSAGES];

static void note(struct net_message *message) {
  arrivals[message - messages] = des_now();
}

/* Make the network of four nodes on one switch of round figures, with N more SETTINGS. */
static void make_net(const struct platform_setting *settings, size_t n) {
  static const struct platform_setting round[] = {
    {"network.bandwidth", "100"}, {"network.latency", "1"}, {"network.packet", "1000"},
    {"network.header", "100"},    {"nic.send", "1"},        {"nic.receive", "1"}};
  struct err err = {.text = ""};
  platform = net_bed_platform("blades", round, sizeof round / sizeof *round);
  ck_assert_msg(platform_set_all(platform, settings, n, &err) == 0, "%s", err.text);
  net = net_bed_net(platform, 1);
}

static void drop_net(void) {
  net_free(net);
  platform_free(platform);
}

/* Send message INDEX of NBYTES between two hosts at cycle AT. */
static void send_message(unsigned index, unsigned from, unsigned to, size_t nbytes, uint64_t at) {
  messages[index] = (struct net_message){
    .from = from, .to = to, .nbytes = nbytes, .receiver = net_node(net), .arrived = note};
  arrivals[index] = 0;
  net_send(net, &messages[index], at);
}

static void run(void) {
  des_run(net_node(net));
}

/* --- TCP --- */

TESTS(transports, .start = des_init);

/* A switch stores a packet before forwarding. */
TEST(a_segment_takes_its_bytes_on_each_link) {
  make_net(NULL, 0);
  send_message(0, 0, 1, 1000, 0);
  run();
  ck_assert_uint_eq(arrivals[0], 4 * US + 2 * (PACKET + HEADER));
  ck_assert_uint_eq(net_totals(net)->nmessages, 1);
  ck_assert_uint_eq(net_totals(net)->nbytes, 1000);
  drop_net();
}

/* With a window of one segment the next one leaves when the acknowledgement of the one before has come
 * back. */
TEST(a_cold_connection_waits_for_an_acknowledgement) {
  make_net(&(struct platform_setting){"network.initial-window", "1"}, 1);
  send_message(0, 0, 1, 2000, 0);
  run();
  ck_assert_uint_eq(arrivals[0], 2 * US + 2 * (2 * US + 2 * (PACKET + HEADER)) + 2 * US + 2 * HEADER);
  drop_net();
}

/* The same, but a single segment is acknowledged only after a while. */
TEST(a_single_acknowledgement_is_delayed) {
  struct platform_setting settings[] = {{"network.initial-window", "1"}, {"network.delayed-ack", "40"}};
  make_net(settings, 2);
  send_message(0, 0, 1, 2000, 0);
  run();
  ck_assert_uint_eq(arrivals[0],
                    2 * US + 2 * (2 * US + 2 * (PACKET + HEADER)) + 2 * US + 2 * HEADER + 40 * MS);
  drop_net();
}

/* Room for one packet: of two packets at once the second is lost, and no later packet follows to report the
 * loss. */
TEST(a_lost_segment_that_nothing_follows_is_sent_again_after_the_timeout) {
  make_net(&(struct platform_setting){"network.buffer", "1.5"}, 1);
  send_message(0, 0, 2, 1000, 0);
  send_message(1, 1, 2, 1000, 0);
  run();
  ck_assert_uint_eq(arrivals[0], 4 * US + 2 * (PACKET + HEADER));
  ck_assert_uint_eq(arrivals[1], 4 * US + 2 * (PACKET + HEADER) + 200 * MS);
  ck_assert_uint_eq(net_totals(net)->ndrops, 1);
  ck_assert_uint_eq(net_totals(net)->ntimeouts, 1);
  ck_assert_uint_eq(net_totals(net)->nretransmissions, 1);
  drop_net();
}

/* The segment sent again meets a segment of host 0 as before, and is lost once more. */
TEST(each_timeout_in_a_row_is_twice_as_long) {
  make_net(&(struct platform_setting){"network.buffer", "1.5"}, 1);
  send_message(0, 0, 2, 1000, 0);
  send_message(1, 1, 2, 1000, 0);
  send_message(2, 0, 2, 1000, 200 * MS);
  run();
  ck_assert_uint_eq(arrivals[1], 4 * US + 2 * (PACKET + HEADER) + 600 * MS);
  ck_assert_uint_eq(net_totals(net)->ndrops, 2);
  ck_assert_uint_eq(net_totals(net)->ntimeouts, 2);
  drop_net();
}

/* A window of 65 packets and a burst of 30 meet at a port with room for 20: in two packet times two packets
 * come and one leaves, so that the port is full after 20 of the burst, and one of each later pair is lost,
 * the later sender's. Packets behind the burst report the loss. */
TEST(lost_segments_that_others_follow_are_sent_again_at_once) {
  make_net(&(struct platform_setting){"network.buffer", "21.5"}, 1);
  send_message(0, 0, 2, 30000, 0);
  send_message(1, 1, 2, 200000, 0);
  run();
  const struct net_totals *totals = net_totals(net);
  ck_assert_uint_ge(totals->ndrops, 9);
  ck_assert_uint_le(totals->ndrops, 11);
  ck_assert_uint_eq(totals->nretransmissions, totals->ndrops);
  ck_assert_uint_eq(totals->ntimeouts, 0);
  ck_assert_uint_lt(arrivals[1], 10 * MS);
  drop_net();
}

/* --- wormhole --- */

static const struct platform_setting wormhole = {"network.transport", "wormhole"};

/* The head of the second packet waits for the link down until the tail of the first one has passed. */
TEST(a_packet_holds_its_links_until_its_tail_has_passed) {
  make_net(&wormhole, 1);
  send_message(0, 0, 2, 1000, 0);
  send_message(1, 1, 2, 1000, 10);
  run();
  uint64_t first = 3 * US + PACKET + HEADER;
  ck_assert_uint_eq(arrivals[0], first + US);
  ck_assert_uint_eq(arrivals[1], first + US + PACKET + HEADER + US);
  drop_net();
}

/* Host 1 waits for the link to host 2 and holds its own link: the message of host 1 to host 3, with no other
 * traffic, waits as well. */
TEST(a_packet_that_waits_blocks_what_is_behind_it) {
  make_net(&wormhole, 1);
  send_message(0, 0, 2, 1000, 0);
  send_message(1, 1, 2, 1000, 10);
  send_message(2, 1, 3, 1000, 20);
  run();
  uint64_t second = arrivals[1] - US;
  ck_assert_uint_eq(arrivals[2], second + 2 * US + PACKET + HEADER + US);
  drop_net();
}

/* --- signature --- */

TEST(messages_that_meet_take_what_the_signature_says) {
  struct platform_setting settings[] = {{"network.transport", "signature"},
                                        {"network.gamma", "2.5"},
                                        {"network.delta", "7"},
                                        {"network.threshold", "1000"}};
  make_net(settings, 4);
  send_message(0, 0, 1, 1000, 0);
  run();
  ck_assert_uint_eq(arrivals[0], 4 * US + PACKET);
  net_reset(net);
  send_message(0, 0, 1, 1000, 0);
  send_message(1, 0, 2, 999, 0);
  send_message(2, 3, 1, 1000, 0);
  run();
  uint64_t long_time = 4 * US + PACKET * 5 / 2 + 7 * US;
  ck_assert_uint_eq(arrivals[0], long_time);
  ck_assert_uint_eq(arrivals[2], long_time);
  ck_assert_uint_eq(arrivals[1], long_time + 4 * US + 999 * BYTE * 5 / 2);
  drop_net();
}

/* Two messages meet that have only the source, or only the target, in common. */
TEST(messages_meet_at_one_end) {
  struct platform_setting settings[] = {
    {"network.transport", "signature"}, {"network.gamma", "2.5"}, {"network.delta", "7"}};
  uint64_t both = 4 * US + PACKET * 5 / 2 + 7 * US;
  make_net(settings, 3);
  send_message(0, 0, 1, 1000, 0);
  send_message(1, 0, 2, 1000, 0);
  run();
  ck_assert_uint_eq(arrivals[0], both);
  net_reset(net);
  send_message(0, 0, 1, 1000, 0);
  send_message(1, 3, 1, 1000, 0);
  run();
  ck_assert_uint_eq(arrivals[0], both);
  ck_assert_uint_eq(arrivals[1], both);
  drop_net();
}

/* --- counters --- */

static struct net_counters counters;

static void count(struct probe *probe, const struct probe_event *event) {
  net_counters_see(&counters, event);
}

TEST(a_link_tells_what_it_has_done) {
  struct probe probe = {.see = count};
  make_net(&(struct platform_setting){"network.transport", "lossless"}, 1);
  net_attach(net, &probe);
  send_message(0, 0, 2, 1000, 0);
  send_message(1, 1, 2, 1000, 0);
  run();
  ck_assert_uint_eq(net_fabric(net)->nlinks, 8);
  const struct net_counters_server *first = &counters.servers[0], *down = &counters.servers[6];
  ck_assert_str_eq(down->name, "n2-down");
  ck_assert_uint_eq(down->packets, 2);
  ck_assert_uint_eq(down->nbytes, 2200);
  ck_assert_uint_eq(down->busy, 2200 * BYTE);
  ck_assert_uint_eq(down->longest_queue, 1100);
  ck_assert_uint_eq(first->packets, 1);
  ck_assert_uint_eq(first->longest_queue, 0);
  net_counters_fini(&counters);
  drop_net();
}
