/* SPDX-License-Identifier: BSD-3-Clause
 * Observers of orders on two nodes: messages and ends of programs order programs of PPEs. The events are told
 * by hand, since the algorithms of several nodes have one program on the PPE of a node. */
#include "sim/hw/board/ea.h"
#include "sim/hw/watch/probe.h"
#include "tests/suite.h"
#include "traces/order/order.h"

enum { NSPES = 2, WRITER = NSPES, READER, OTHER = NSPES /* on node 1 */ };

static const char *const names[] = {"spe 0", "spe 1", "writer", "reader"};
static struct order_net *net;
static struct order *nodes[2];

static void start(void) {
  net = order_net_new();
  for (unsigned i = 0; i < 2; i++) {
    nodes[i] = order_new(NSPES, net);
  }
}

static void stop(void) {
  for (unsigned i = 0; i < 2; i++) {
    order_free(nodes[i]);
  }
  order_net_free(net);
}

static void tell(unsigned node, struct probe_event event) {
  event.programs = names;
  event.node = node;
  order_probe(nodes[node])->see(order_probe(nodes[node]), &event);
}

/* PROGRAM of node 0 stores into, or loads, 16 bytes of main memory. */
static void touch(enum probe_kind kind, unsigned program) {
  tell(0, (struct probe_event){.kind = kind,
                               .ppe_touch = {.program = program, .ea = EA_MEMORY_BASE, .nbytes = 16}});
}

/* PROGRAM of NODE sends or takes message NUMBER, or sees the end of program NUMBER. */
static void see(unsigned node, enum probe_kind kind, unsigned program, uint64_t number) {
  tell(node, (struct probe_event){.kind = kind, .seen = {.program = program, .number = number}});
}

/* Return how many hazards there are after the reader has read. */
static uint64_t hazards(void) {
  touch(PROBE_PPE_LOAD, READER);
  return order_hazards(nodes[0])->count;
}

TESTS(order, .start = start, .stop = stop);

TEST(a_message_there_and_a_message_back_order_two_programs_of_a_node) {
  touch(PROBE_PPE_STORE, WRITER);
  see(0, PROBE_SENT, WRITER, 1);
  see(1, PROBE_SEEN_MESSAGE, OTHER, 1);
  see(1, PROBE_SENT, OTHER, 2);
  see(0, PROBE_SEEN_MESSAGE, READER, 2);
  ck_assert_uint_eq(hazards(), 0);
}

TEST(a_message_sent_before_the_first_has_come_orders_nothing) {
  touch(PROBE_PPE_STORE, WRITER);
  see(0, PROBE_SENT, WRITER, 1);
  see(1, PROBE_SENT, OTHER, 2);
  see(1, PROBE_SEEN_MESSAGE, OTHER, 1);
  see(0, PROBE_SEEN_MESSAGE, READER, 2);
  ck_assert_uint_eq(hazards(), 1);
}

TEST(a_store_behind_the_message_is_not_ordered) {
  see(0, PROBE_SENT, WRITER, 1);
  touch(PROBE_PPE_STORE, WRITER);
  see(1, PROBE_SEEN_MESSAGE, OTHER, 1);
  see(1, PROBE_SENT, OTHER, 2);
  see(0, PROBE_SEEN_MESSAGE, READER, 2);
  ck_assert_uint_eq(hazards(), 1);
}

TEST(the_end_of_a_program_comes_after_its_stores) {
  touch(PROBE_PPE_STORE, WRITER);
  see(0, PROBE_SEEN_END, READER, WRITER);
  ck_assert_uint_eq(hazards(), 0);
}

TEST(without_a_message_or_an_end_nothing_is_ordered) {
  touch(PROBE_PPE_STORE, WRITER);
  ck_assert_uint_eq(hazards(), 1);
}

/* PROGRAM of NODE enters a barrier as RANK; or leaves the barrier of NRANKS. */
static void meet(unsigned node, unsigned program, unsigned rank, unsigned nranks) {
  tell(node, (struct probe_event){.kind = PROBE_BARRIER,
                                  .seen = {.program = program, .rank = rank, .mask = nranks}});
}

/* Rank 0 of node 0 and rank 1 of node 1: the message tells rank 0 of the entry of rank 1, and nobody tells
 * rank 1. */
TEST(a_barrier_needs_a_message_from_the_other_node) {
  meet(0, WRITER, 0, 0);
  see(1, PROBE_SENT, OTHER, 1); /* before the entry */
  meet(1, OTHER, 1, 0);
  see(0, PROBE_SEEN_MESSAGE, WRITER, 1);
  meet(0, WRITER, 0, 2);
  ck_assert_uint_eq(order_hazards(nodes[0])->count, 1);
  see(1, PROBE_SENT, OTHER, 2);
  see(0, PROBE_SEEN_MESSAGE, WRITER, 2);
  meet(0, WRITER, 0, 2);
  ck_assert_uint_eq(order_hazards(nodes[0])->count, 1);
  meet(1, OTHER, 1, 2);
  ck_assert_uint_eq(order_hazards(nodes[1])->count, 1);
}
