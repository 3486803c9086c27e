/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/model/measured/net_exchange.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/net/net.h"

#include <stdlib.h>

struct net *net_exchange_rails(const struct platform *platform, unsigned nrails, struct err *err) {
  struct platform *changed = platform_copy(platform);
  int status = platform_set(changed, "nic.rails", text_brief("%u", nrails), err);
  struct net *net = status == 0 ? net_new(changed, 1, err) : NULL;
  platform_free(changed);
  return net;
}

static uint64_t latest; /* arrival */

static void note(struct net_message *message) {
  (void)message;
  latest = des_now() > latest ? des_now() : latest;
}

/* Let all messages sent on NET arrive, and store the number of TCP timeouts in NTIMEOUTS, unless NULL. */
static uint64_t arrive(struct net *net, uint64_t *ntimeouts) {
  latest = 0;
  struct des_result result = des_run(net->node);
  free(result.stuck);
  if (ntimeouts) {
    *ntimeouts = net->totals.ntimeouts;
  }
  net_reset(net);
  return latest;
}

uint64_t net_exchange_all(struct net *net, const struct net_exchange *exchange) {
  const struct platform *platform = exchange->platform;
  unsigned n = exchange->ranks, per_host = platform->node.processes;
  uint64_t jitter = (uint64_t)(1e3 * platform->host.jitter * platform->clock.spu);
  SCOPED struct net_message *messages = xcalloc((size_t)n * (n - 1), sizeof *messages);
  struct net_message *message = messages;
  uint64_t state = exchange->seed;
  for (unsigned rank = 0; rank < n; rank++) {
    for (unsigned step = 1; step < n; step++, message++) {
      *message = (struct net_message){.from = exchange->first + rank / per_host,
                                      .to = exchange->first + (rank + step) % n / per_host,
                                      .port = step - 1,
                                      .nbytes = exchange->nbytes,
                                      .receiver = net->node,
                                      .arrived = note};
      net_send(net, message, random_next(&state) % (jitter + 1));
    }
  }
  return arrive(net, exchange->ntimeouts);
}

uint64_t net_exchange_streams(struct net *net, size_t nbytes, const struct net_stream *streams, unsigned n) {
  unsigned count = 0;
  VEC_EACH(stream, streams, n) {
    count += stream->count;
  }
  SCOPED struct net_message *messages = xcalloc(count, sizeof *messages);
  struct net_message *message = messages;
  VEC_EACH(stream, streams, n) {
    for (unsigned k = 0; k < stream->count; k++, message++) {
      *message = (struct net_message){
        .from = stream->from, .to = stream->to, .nbytes = nbytes, .receiver = net->node, .arrived = note};
      net_send(net, message, 0);
    }
  }
  return arrive(net, NULL);
}
