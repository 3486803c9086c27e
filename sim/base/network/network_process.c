/* SPDX-License-Identifier: BSD-3-Clause
 * The process of a reader of networks: see network_reader.h. Only this file and simgrid_actor.c call SimGrid.
 *
 * SimGrid aborts on most of what is wrong in a file; what it says before goes to standard error, which the
 * reader reads. */
#include "sim/base/network/network_reader.h"

#include "sim/base/engine/simgrid_calls.h"
#include "sim/base/minmax.h"
#include "sim/base/pack.h"
#include "sim/base/xalloc.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The most difference, as a part of the whole, between two sums of the same latencies. */
static const double most_rounding = 1e-9;

/* Send all NBYTES, or receive them.
 * returns: false if the other end is closed before. */
static bool pass(int descriptor, void *bytes, size_t nbytes, bool sends) {
  for (char *at = bytes, *end = at + nbytes; at < end;) {
    size_t left = (size_t)(end - at);
    ssize_t n = sends ? send(descriptor, at, left, MSG_NOSIGNAL) : recv(descriptor, at, left, 0);
    if (n == 0 || (n < 0 && errno != EINTR)) {
      return false;
    }
    at += n > 0 ? n : 0;
  }
  return true;
}

bool network_send(int descriptor, const void *bytes, size_t nbytes) {
  return pass(descriptor, &nbytes, sizeof nbytes, true) &&
         pass(descriptor, (void *)(uintptr_t)bytes, nbytes, true);
}

bool network_receive(int descriptor, struct pack *message) {
  char bytes[4096];
  size_t left = 0;
  bool good = pass(descriptor, &left, sizeof left, false);
  for (size_t n; good && left; left -= n) {
    n = MIN(left, sizeof bytes);
    good = pass(descriptor, bytes, n, false);
    pack_add_bytes(message, bytes, n);
  }
  return good;
}

/* Send MESSAGE and make it empty, or end if nobody reads it. */
static void say(int descriptor, struct pack *message) {
  if (!network_send(descriptor, message->bytes, message->nbytes)) {
    _exit(0);
  }
  pack_clear(message);
}

static int compare_names(const void *a, const void *b) {
  sg_link_t const *left = a, *right = b;
  return strcmp(simgrid.sg_link_get_name(*left), simgrid.sg_link_get_name(*right));
}

/* Add the N LINKS to ANSWER; each remembers its number, from 1 on. */
static void add_links(struct pack *answer, sg_link_t *links, size_t n) {
  pack_add_count(answer, n);
  for (size_t i = 0; i < n; i++) {
    simgrid.sg_link_set_data(links[i], (void *)(i + 1));
    pack_add_real(answer, simgrid.sg_link_get_bandwidth(links[i]));
    pack_add_real(answer, simgrid.sg_link_get_latency(links[i]));
    pack_add_count(answer, simgrid.sg_link_is_shared(links[i]) != 0);
    pack_add_text(answer, simgrid.sg_link_get_name(links[i]));
  }
}

/* Add the zone of each of NHOSTS HOSTS to ANSWER, counted from 0, on the outermost level of several zones;
 * hosts in none of these zones are in zone 0. */
static void add_zones(struct pack *answer, sg_host_t *hosts, size_t nhosts) {
  unsigned *zones = xcalloc(nhosts, sizeof *zones);
  for (size_t i = 0; i < nhosts; i++) {
    simgrid.sg_host_set_data(hosts[i], &zones[i]);
  }
  int nzones, ninside;
  sg_netzone_t *found = simgrid_zones(simgrid.sg_zone_get_root(), &nzones);
  while (nzones == 1) { /* the root of SimGrid 4.0 has only the outermost zone of the file */
    sg_netzone_t *deeper = simgrid_zones(found[0], &nzones);
    free(found);
    found = deeper;
  }
  for (int zone = 0; zone < nzones; zone++) {
    const_sg_host_t *inside = simgrid_hosts(found[zone], &ninside);
    for (int i = 0; i < ninside; i++) {
      unsigned *place = simgrid.sg_host_get_data(inside[i]);
      if (place) {
        *place = (unsigned)zone;
      }
    }
    free(inside);
  }
  free(found);
  pack_add_bytes(answer, zones, nhosts * sizeof *zones);
}

/* Tell whether the latency from host FROM to host TO is the sum of the N links of ROUTE. */
static bool is_of_links(sg_host_t from, sg_host_t to, const const_sg_link_t *route, int n) {
  double whole = simgrid.sg_host_get_route_latency(from, to), sum = 0;
  for (int i = 0; i < n; i++) {
    sum += simgrid.sg_link_get_latency(route[i]);
  }
  return fabs(whole - sum) <= whole * most_rounding;
}

/* Say the way from host FROM to host TO. */
static void say_route(int descriptor, sg_host_t from, sg_host_t to) {
  struct pack answer = {0};
  int n;
  const_sg_link_t *route = simgrid_route(from, to, &n);
  pack_add_count(&answer, is_of_links(from, to, route, n) ? (uint64_t)n : NETWORK_OTHER_LATENCY);
  for (int i = 0; i < n; i++) {
    pack_add_count(&answer, (size_t)simgrid.sg_link_get_data(route[i]) - 1);
  }
  say(descriptor, &answer);
  pack_fini(&answer);
  free(route);
}

/* What is being done, for die. */
static struct network_question trying;
static int listener = -1;

/* SimGrid crashes where there is no route: say so, and end. */
static void die(int signal_number) {
  (void)signal_number;
  if (listener >= 0) {
    (void)!network_send(listener, &trying, sizeof trying);
  }
  _exit(1);
}

/* Try the way from host FROM to another host TO. */
static void try_route(sg_host_t from, sg_host_t to) {
  int n;
  if (from == to) {
    return;
  }
  const_sg_link_t *route = simgrid_route(from, to, &n);
  trying.other_latency = n > 0 && !is_of_links(from, to, route, n);
  free(route);
  if (n == 0 || trying.other_latency) {
    die(0);
  }
}

/* Try the ways between the HOSTS with the numbers in MESSAGE, and say the first missing way, or the first way
 * with another latency than the links. */
static void try_routes(int descriptor, sg_host_t *hosts, struct pack *message) {
  size_t n = pack_take_count(message);
  SCOPED uint32_t *tried = xcalloc(n, sizeof *tried);
  pack_take_bytes(message, tried, n * sizeof *tried);
  listener = descriptor;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      if (n <= NETWORK_MOST_TRIED || i == 0 || j == 0 || i == j + 1 || j == i + 1) {
        trying.from = tried[i];
        trying.to = tried[j];
        try_route(hosts[trying.from], hosts[trying.to]);
      }
    }
  }
  trying = (struct network_question){0};
  (void)!network_send(descriptor, &trying, sizeof trying);
  listener = -1;
}

/* Load the network that TEXT describes. */
static void load(const char *text) {
  char *argv[] = {"cellcoll", "--cfg=network/model:CM02", "--log=root.threshold:error", NULL};
  int argc = (int)(sizeof argv / sizeof *argv) - 1;
  simgrid.simgrid_init(&argc, argv);
  if (simgrid_read_platform(text, NULL) != 0) {
    _exit(1);
  }
  /* gives zones with routing Floyd or Dijkstra their ways, and with SimGrid 4.0 the routers of clusters
   * their links */
  simgrid.simgrid_run_until(0);
}

void network_process(int descriptor) {
  struct pack message = {0}, answer = {0};
  struct network_question question;
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* SimGrid may work for long, but not for nobody */
  if (!network_receive(descriptor, &message)) {
    _exit(0);
  }
  load(pack_take_text(&message));
  size_t nhosts = pack_take_count(&message), nfound = 0;
  sg_host_t *hosts = xcalloc(nhosts, sizeof(sg_host_t));
  while (nfound < nhosts && (hosts[nfound] = simgrid.sg_host_by_name(pack_take_text(&message)))) {
    nfound++;
  }
  pack_add_count(&answer, nfound);
  if (nfound == nhosts) {
    sg_link_t *links = simgrid.sg_link_list();
    size_t nlinks = simgrid.sg_link_count();
    qsort(links, nlinks, sizeof *links, compare_names);
    add_links(&answer, links, nlinks);
    add_zones(&answer, hosts, nhosts);
  }
  say(descriptor, &answer);
  signal(SIGSEGV, die);
  signal(SIGABRT, die);
  while (pack_clear(&message), network_receive(descriptor, &message)) {
    pack_take_bytes(&message, &question, sizeof question);
    if (question.from == question.to) {
      try_routes(descriptor, hosts, &message);
    } else {
      say_route(descriptor, hosts[question.from], hosts[question.to]);
    }
  }
  _exit(0);
}
