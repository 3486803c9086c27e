/* SPDX-License-Identifier: BSD-3-Clause
 * See watched_wait.h. */
#include "sim/base/jobs/watched_wait.h"

static const struct des_wait *given_of(const struct des_wait *wait) {
  return ((const struct watched_wait *)wait)->given;
}

static bool is_over(const struct des_wait *wait) {
  return given_of(wait)->ready(given_of(wait));
}

static void describe(const struct des_wait *wait, char *text, size_t size) {
  given_of(wait)->describe(given_of(wait), text, size);
}

static void begin(struct des_wait *wait) {
  struct watched_wait *watched = (struct watched_wait *)wait;
  watched->began = true;
  watched->since = des_now();
  watched->tell(watched);
}

struct watched_wait watched_wait(const struct des_wait *given, void (*tell)(struct watched_wait *watched)) {
  return (struct watched_wait){
    .wait = {.kinds = given->kinds, .ready = is_over, .describe = describe, .begin = begin},
    .given = given,
    .tell = tell};
}
