/* SPDX-License-Identifier: BSD-3-Clause
 * The process of a reader of networks: see network_reader.h; besides des.c the only file that uses SimGrid.
 *
 * SimGrid aborts on most of what is wrong in a file; what it says before goes to standard error, which the
 * reader reads. */
#include "sim/base/network/network_reader.h"

#include "sim/base/engine/simgrid_version.h"
#include "sim/base/xalloc.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* For how long SimGrid may work at one question. */
enum { TIME_LIMIT_SECONDS = 60 };

/* The most difference, as a part of the whole, between two sums of the same latencies. */
static const double most_rounding = 1e-9;

bool network_receive(int descriptor, void *data, size_t size) {
  char *at = data;
  while (size) {
    ssize_t n = read(descriptor, at, size);
    if (n <= 0 && !(n < 0 && errno == EINTR)) {
      return false;
    }
    at += n > 0 ? n : 0;
    size -= n > 0 ? (size_t)n : 0;
  }
  return true;
}

bool network_say(int descriptor, const void *data, size_t size) {
  const char *at = data;
  while (size) {
    ssize_t n = send(descriptor, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) {
      return false;
    }
    at += n > 0 ? n : 0;
    size -= n > 0 ? (size_t)n : 0;
  }
  return true;
}

/* Say SIZE bytes of DATA, or end if nobody listens. */
static void say(int descriptor, const void *data, size_t size) {
  if (!network_say(descriptor, data, size)) {
    _exit(0);
  }
}

static int compare_names(const void *a, const void *b) {
  sg_link_t const *left = a, *right = b;
  return strcmp(sg_link_get_name(*left), sg_link_get_name(*right));
}

/* Say what links there are; each remembers its number, from 1 on. */
static void say_links(int descriptor, sg_link_t *links, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char *name = sg_link_get_name(links[i]);
    struct network_link_said said = {.bandwidth = sg_link_get_bandwidth(links[i]),
                                     .latency = sg_link_get_latency(links[i]),
                                     .shared = sg_link_is_shared(links[i]) != 0,
                                     .name_length = (uint32_t)strlen(name)};
    sg_link_set_data(links[i], (void *)(i + 1));
    say(descriptor, &said, sizeof said);
    say(descriptor, name, said.name_length);
  }
}

/* Say in which zone each of NHOSTS HOSTS is, counted from 0, on the outermost level of several zones;
 * hosts in none of these zones are in zone 0. */
static void say_zones(int descriptor, sg_host_t *hosts, uint32_t nhosts) {
  uint32_t *zones = xcalloc(nhosts, sizeof *zones);
  for (uint32_t i = 0; i < nhosts; i++) {
    sg_host_set_data(hosts[i], &zones[i]);
  }
  int nzones, ninside;
  sg_netzone_t *found = sg_zone_get_childs(sg_zone_get_root(), &nzones);
  while (nzones == 1) { /* the root of SimGrid 4.0 has only the outermost zone of the file */
    sg_netzone_t *deeper = sg_zone_get_childs(found[0], &nzones);
    free(found);
    found = deeper;
  }
  for (int zone = 0; zone < nzones; zone++) {
    const_sg_host_t *inside = sg_zone_get_all_hosts(found[zone], &ninside);
    for (int i = 0; i < ninside; i++) {
      uint32_t *place = sg_host_get_data(inside[i]);
      if (place) {
        *place = (uint32_t)zone;
      }
    }
    free(inside);
  }
  free(found);
  say(descriptor, zones, nhosts * sizeof *zones);
}

/* Tell whether the latency from host FROM to host TO is the sum of the N links of ROUTE. */
static bool is_of_links(sg_host_t from, sg_host_t to, const const_sg_link_t *route, int n) {
  double whole = sg_host_get_route_latency(from, to), sum = 0;
  for (int i = 0; i < n; i++) {
    sum += sg_link_get_latency(route[i]);
  }
  return fabs(whole - sum) <= whole * most_rounding;
}

/* Say the way from host FROM to host TO. */
static void say_route(int descriptor, sg_host_t from, sg_host_t to) {
  int n;
  const_sg_link_t *route = sg_host_get_route_links(from, to, &n);
  uint32_t *numbers = xcalloc((size_t)n + 1, sizeof *numbers);
  numbers[0] = is_of_links(from, to, route, n) ? (uint32_t)n : NETWORK_OTHER_LATENCY;
  for (int i = 0; i < n; i++) {
    numbers[1 + i] = (uint32_t)(size_t)sg_link_get_data(route[i]) - 1;
  }
  say(descriptor, numbers, ((size_t)n + 1) * sizeof *numbers);
  free(numbers);
  free(route);
}

/* Find NHOSTS hosts; their names follow on DESCRIPTOR.
 * returns: how many there are before the first one that is missing. */
static uint32_t find_hosts(int descriptor, sg_host_t *hosts, uint32_t nhosts) {
  uint32_t nbytes, found = 0;
  if (!network_receive(descriptor, &nbytes, sizeof nbytes)) {
    _exit(0);
  }
  char *names = xcalloc(nbytes + 1, 1);
  if (!network_receive(descriptor, names, nbytes)) {
    _exit(0);
  }
  for (const char *name = names; found < nhosts && (hosts[found] = sg_host_by_name(name)); found++) {
    name += strlen(name) + 1;
  }
  free(names);
  return found;
}

/* What is being done, for die. */
static struct network_question trying;
static int listener = -1;

/* SimGrid crashes where there is no route: say so, and end. */
static void die(int signal_number) {
  (void)signal_number;
  if (listener >= 0) {
    (void)!send(listener, &trying, sizeof trying, MSG_NOSIGNAL);
  }
  _exit(1);
}

/* Try all ways between NHOSTS HOSTS and say the first missing way, or the first way with another latency
 * than the links. */
static void try_routes(int descriptor, sg_host_t *hosts, uint32_t nhosts) {
  listener = descriptor;
  for (trying.from = 0; trying.from < nhosts; trying.from++) {
    for (trying.to = 0; trying.to < nhosts; trying.to++) {
      if (trying.from != trying.to) {
        int n;
        sg_host_t from = hosts[trying.from], to = hosts[trying.to];
        const_sg_link_t *route = sg_host_get_route_links(from, to, &n);
        trying.n = n > 0 && !is_of_links(from, to, route, n);
        free(route);
        if (n == 0 || trying.n) {
          die(0);
        }
      }
    }
  }
  trying = (struct network_question){0};
  say(descriptor, &trying, sizeof trying);
  listener = -1;
}

void network_process(const char *path, uint32_t nhosts, int descriptor) {
  char *argv[] = {"cellcoll", "--cfg=network/model:CM02", "--log=root.threshold:error", NULL};
  int argc = (int)(sizeof argv / sizeof *argv) - 1;
  alarm(TIME_LIMIT_SECONDS);
  simgrid_init(&argc, argv);
  simgrid_load_platform(path);
  /* gives zones with routing Floyd or Dijkstra their ways, and with SimGrid 4.0 the routers of clusters
   * their links */
  simgrid_run_until(0);
  sg_host_t *hosts = xcalloc(nhosts, sizeof(sg_host_t));
  struct network_hello hello = {.nfound = find_hosts(descriptor, hosts, nhosts),
                                .nlinks = (uint32_t)sg_link_count()};
  say(descriptor, &hello, sizeof hello);
  if (hello.nfound < nhosts) {
    _exit(0);
  }
  sg_link_t *links = sg_link_list();
  qsort(links, hello.nlinks, sizeof *links, compare_names);
  say_links(descriptor, links, hello.nlinks);
  say_zones(descriptor, hosts, nhosts);
  signal(SIGSEGV, die);
  signal(SIGABRT, die);
  struct network_question question;
  alarm(0);
  while (network_receive(descriptor, &question, sizeof question)) {
    alarm(TIME_LIMIT_SECONDS);
    if (question.subject == NETWORK_ROUTES) {
      try_routes(descriptor, hosts, nhosts);
    } else {
      say_route(descriptor, hosts[question.from], hosts[question.to]);
    }
    alarm(0);
  }
  _exit(0);
}
