/* SPDX-License-Identifier: BSD-3-Clause
 * See net_exchange.h. */
#include "validate/model/net_exchange.h"

#include "sim/base/des.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "sim/net/net.h"

#include <stdbool.h>
#include <stdlib.h>

static uint64_t latest; /* arrival */

static void
note(struct net_message *message)
{
  (void)message;
  latest = des_now() > latest ? des_now() : latest;
}

/* Let all messages that have been sent on NET arrive, and count the timeouts of TCP in NTIMEOUTS, unless it is NULL. */
static uint64_t
run(struct net *net, uint64_t *ntimeouts)
{
  latest = 0;
  struct des_result result = des_run(net_node(net));
  free(result.stuck_report);
  if (ntimeouts) {
    *ntimeouts = net_totals(net)->ntimeouts;
  }
  net_reset(net);
  return latest;
}

uint64_t
net_exchange_all(struct net *net, const struct net_exchange *exchange)
{
  unsigned n = exchange->ranks;
  struct net_message *messages = xcalloc((size_t)n * (n - 1), sizeof *messages), *message = messages;
  uint64_t state = exchange->seed;
  for (unsigned rank = 0; rank < n; rank++) {
    for (unsigned step = 1; step < n; step++, message++) {
      *message = (struct net_message){.from = exchange->first + rank / exchange->per_host,
                                      .to = exchange->first + (rank + step) % n / exchange->per_host,
                                      .port = step - 1,
                                      .nbytes = exchange->nbytes,
                                      .receiver = net_node(net),
                                      .arrived = note};
      net_send(net, message, random_next(&state) % (exchange->jitter + 1));
    }
  }
  uint64_t cycles = run(net, exchange->ntimeouts);
  free(messages);
  return cycles;
}

uint64_t
net_exchange_one(struct net *net, size_t nbytes, unsigned from, unsigned to)
{
  struct net_message message = {
    .from = from, .to = to, .nbytes = nbytes, .receiver = net_node(net), .arrived = note};
  net_send(net, &message, 0);
  return run(net, NULL);
}

uint64_t
net_exchange_two(struct net *net, size_t nbytes, unsigned count, unsigned back)
{
  struct net_message *messages = xcalloc(count + back, sizeof *messages);
  for (unsigned i = 0; i < count + back; i++) {
    bool forth = i < count;
    messages[i] = (struct net_message){.from = forth ? 0 : 1,
                                       .to = forth ? 1 : 0,
                                       .nbytes = nbytes,
                                       .receiver = net_node(net),
                                       .arrived = note};
    net_send(net, &messages[i], 0);
  }
  uint64_t cycles = run(net, NULL);
  free(messages);
  return cycles;
}
