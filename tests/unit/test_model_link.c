/* SPDX-License-Identifier: BSD-3-Clause
 * The end of a link in the model machine: what arrives of several messages takes turns, packet by packet. */
#include "algos/cost/model_link.h"
#include "sim/base/des.h"
#include "tests/suite.h"

#include <stddef.h>
#include <string.h>

enum { MESSAGES_MAX = 4, PACKET = 10 };

/* A message, and when it is there. */
struct arrival {
  uint64_t at, packets, there;
};

/* The same on its way. */
struct arriving {
  struct event event;
  struct model_inflow inflow;
  uint64_t there;
};

static struct model_inlet inlet;

static void note(struct model_inflow *inflow) {
  ((struct arriving *)((char *)inflow - offsetof(struct arriving, inflow)))->there = des_now();
}

static void begin(struct event *event) {
  model_inlet_take(&inlet, &EVENT_OWNER(event, struct arriving, event)->inflow, 0);
}

/* Each list ends with a message of no packets. Turns are those of a circle: of messages of 3 and 5 packets
 * that come together, the first has packets 1, 3 and 5, the second what is left up to 8. One that comes in a
 * packet waits for its end. */
static const struct arrival cases[][MESSAGES_MAX + 1] = {
  {{0, 4, 40}},
  {{0, 3, 50}, {0, 5, 80}},
  {{0, 5, 80}, {0, 3, 60}},
  {{0, 1, 10}, {0, 1, 20}, {0, 1, 30}},
  {{0, 5, 60}, {15, 1, 30}},
  {{0, 2, 20}, {12, 2, 40}},
  {{0, 2, 20}, {20, 1, 30}},
  {{0, 6, 90}, {5, 1, 20}, {35, 2, 70}},
};

TESTS(model_link, .start = des_init);

TEST_EACH(packets_of_messages_take_turns, 0, sizeof cases / sizeof *cases) {
  const struct arrival *expected = cases[_i];
  struct des_node *node = des_node_new();
  struct arriving messages[MESSAGES_MAX];
  memset(&inlet, 0, sizeof inlet);
  unsigned n = 0;
  for (; expected[n].packets; n++) {
    messages[n] = (struct arriving){
      .event.run = begin, .inflow = {.left = expected[n].packets * PACKET, .packet = PACKET, .done = note}};
    des_schedule_on(node, &messages[n].event, expected[n].at, des_order(DES_ARRIVE, n));
  }
  struct des_result result = des_run(node);
  ck_assert_uint_eq(result.stuck, 0);
  for (unsigned i = 0; i < n; i++) {
    ck_assert_msg(messages[i].there == expected[i].there, "message %u: %llu, expected %llu", i,
                  (unsigned long long)messages[i].there, (unsigned long long)expected[i].there);
  }
  des_node_free(node);
}
