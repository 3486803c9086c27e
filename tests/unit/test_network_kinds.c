/* SPDX-License-Identifier: BSD-3-Clause
 * Network files with each kind of SimGrid's zones: the ways and links of nodes equal the answers of SimGrid,
 * asked in a separate process. */
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/network_reader.h"
#include "sim/base/simgrid_version.h"
#include "sim/net/fabric.h"
#include "tests/net_bed.h"
#include "tests/suite.h"

#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TESTS(network_kinds, .timeout = 20, .start = network_reader_prepare);

#define CLUSTER(id, prefix, radical, more) \
  "<cluster id='" id "' prefix='" prefix "' suffix='.here' radical='" radical \
  "' speed='1Gf' bw='125MBps' lat='50us' " more "/>"
#define WORLD(inside) "<zone id='world' routing='Full'>" inside "</zone>"
#define HOSTS "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/><router id='r'/>"
#define LINKS \
  "<link id='one' bandwidth='1MBps' latency='1us'/><link id='two' bandwidth='2MBps' latency='2us'/>" \
  "<link id='split' bandwidth='4MBps' latency='4us' sharing_policy='SPLITDUPLEX'/>" \
  "<link id='fat' bandwidth='8MBps' latency='8us' sharing_policy='FATPIPE'/>"
#define ROUTE(from, to, links) "<route src='" from "' dst='" to "'>" links "</route>"
#define OVER(link) "<link_ctn id='" link "'/>"
#define UP(link) "<link_ctn id='" link "' direction='UP'/>"
#define ZONE_ROUTE(from, to, gateways, links) \
  "<zoneRoute src='" from "' dst='" to "' " gateways ">" links "</zoneRoute>"
/* a - r - b - c: a graph finds the way */
#define GRAPH(routing) \
  "<zone id='world' routing='" routing "'>" HOSTS LINKS ROUTE("a", "r", OVER("one")) \
    ROUTE("r", "b", OVER("two")) ROUTE("b", "c", OVER("fat")) "</zone>"

/* A file, the number of hosts, and the first and the last host; for some files the numbers of links from node
 * 0 to each other node, by hand. */
static const struct {
  const char *text;
  unsigned nhosts;
  const char *first, *last;
  unsigned links[16];
} kinds[] = {
  {CLUSTER("flat", "node-", "0-3,10,7", ""), 6, "node-0.here", "node-10.here", {0, 2, 2, 2, 2, 2}},
  {CLUSTER("backbone", "node-", "0-3", "bb_bw='1GBps' bb_lat='5us'"),
   4,
   "node-0.here",
   "node-3.here",
   {0, 3, 3, 3}},
  {CLUSTER("shared", "node-", "0-3",
           "sharing_policy='SHARED' limiter_link='100MBps' loopback_bw='1GBps' loopback_lat='1us'"),
   4,
   "node-0.here",
   "node-3.here",
   {0}},
  {WORLD(CLUSTER("tree", "node-", "0-15", "topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,2'")),
   16,
   "node-0.here",
   "node-15.here",
   {0, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}},
  {WORLD(CLUSTER("dragonfly", "node-", "0-15", "topology='DRAGONFLY' topo_parameters='2,1;2,1;2,1;2'")),
   16,
   "node-0.here",
   "node-15.here",
   {0}},
  /* rings of 3, 2 and 2: a link for each step */
  {WORLD(CLUSTER("torus", "node-", "0-11", "topology='TORUS' topo_parameters='3,2,2'")),
   12,
   "node-0.here",
   "node-11.here",
   {0, 1, 1, 1, 2, 2, 1, 2, 2, 2, 3, 3}},
  {WORLD(HOSTS LINKS ROUTE("a", "b", OVER("one") OVER("two")) ROUTE("a", "c", OVER("fat") UP("split"))
           ROUTE("b", "c", OVER("two"))),
   3,
   "a",
   "c",
   {0, 2, 2}},
  {GRAPH("Floyd"), 3, "a", "c", {0, 2, 3}},
  {GRAPH("Dijkstra"), 3, "a", "c", {0, 2, 3}},
  {GRAPH("DijkstraCache"), 3, "a", "c", {0, 2, 3}},
  /* a star: each host has links, and all hosts share the backbone */
  {"<zone id='star' routing='Cluster'><host id='s2' speed='1Gf'/><host id='s10' speed='1Gf'/><host id='s1' "
   "speed='1Gf'/>" LINKS
   "<link id='up' bandwidth='1MBps' latency='1us'/><link id='down' bandwidth='1MBps' latency='2us'/>"
   "<host_link id='s1' up='up' down='down'/><host_link id='s2' up='one' down='two'/><host_link id='s10' "
   "up='split_UP' down='split_DOWN'/>"
   "<backbone id='bone' bandwidth='1GBps' latency='9us'/></zone>",
   3,
   "s1",
   "s10",
   {0, 3, 3}},
  {WORLD(CLUSTER("near", "near-", "0-2", "router_id='near-router'") CLUSTER(
     "far", "far-", "1-2",
     "router_id='far-router'") "<zone id='deep' routing='Floyd'><zone id='deeper' routing='Full'>"
                               "<host id='x' speed='1Gf'/><router id='door'/><link id='l' bandwidth='3MBps' "
                               "latency='3us'/>" ROUTE(
                                 "x", "door",
                                 OVER(
                                   "l")) "</zone><zone id='other' routing='Full'><router id='gate'/></zone>"
                                         "<link id='m' bandwidth='5MBps' latency='5us'/>" ZONE_ROUTE(
                                           "deeper", "other", "gw_src='door' gw_dst='gate'",
                                           OVER("m")) "</zone>" LINKS
                                           ZONE_ROUTE("near", "far",
                                                      "gw_src='near-router' gw_dst='far-router'", UP("split"))
                                             ZONE_ROUTE("near", "deep", "gw_src='near-router' gw_dst='gate'",
                                                        OVER("one"))
                                               ZONE_ROUTE("far", "deep", "gw_src='far-router' gw_dst='gate'",
                                                          OVER("two") OVER("fat"))),
   6,
   "far-1.here",
   "x",
   {0, 2, 3, 3, 3, 5}},
};

static char path[64];

/* Write SimGrid's own answers about the ways between HOSTS, N of them, into OUT. */
static void ask_simgrid(char *const *hosts, unsigned nhosts, FILE *out) {
  char *argv[] = {"ask", "--log=root.threshold:error", NULL};
  int argc = 2;
  simgrid_init(&argc, argv);
  simgrid_load_platform(path);
  simgrid_run_until(0);
  for (unsigned from = 0; from < nhosts; from++) {
    for (unsigned to = 0; to < nhosts; to++) {
      sg_host_t ends[] = {sg_host_by_name(hosts[from]), sg_host_by_name(hosts[to])};
      fprintf(out, "%s %s", hosts[from], hosts[to]);
      int n = 0;
      const_sg_link_t *route = NULL;
      if (from != to) {
        route = sg_host_get_route_links(ends[0], ends[1], &n);
        fprintf(out, " %.6g", sg_host_get_route_latency(ends[0], ends[1]) * 1e6);
      }
      for (int i = 0; i < n; i++) {
        fprintf(out, " %s %.6g %.6g", sg_link_get_name(route[i]), sg_link_get_bandwidth(route[i]) * 1e-6,
                sg_link_get_latency(route[i]) * 1e6);
      }
      free(route);
      fputc('\n', out);
    }
  }
}

/* Write the same of FABRIC. */
static void tell_fabric(struct fabric *fabric, char *const *hosts, FILE *out) {
  for (unsigned from = 0; from < fabric->nhosts; from++) {
    for (unsigned to = 0; to < fabric->nhosts; to++) {
      struct fabric_route route = fabric_route(fabric, from, to);
      double latency = 0;
      for (unsigned i = 0; i < route.n; i++) {
        latency += fabric->links[route.links[i]].latency;
      }
      fprintf(out, "%s %s", hosts[from], hosts[to]);
      if (from != to) {
        fprintf(out, " %.6g", latency);
      }
      for (unsigned i = 0; i < route.n; i++) {
        const struct fabric_link *link = &fabric->links[route.links[i]];
        fprintf(out, " %s %.6g %.6g", link->name, link->bandwidth, link->latency);
      }
      fputc('\n', out);
    }
  }
}

/* Let a separate process ask SimGrid.
 * owner: the caller. */
static char *simgrid_says(char *const *hosts, unsigned n) {
  char *text = NULL;
  size_t room = 0;
  int ends[2], status;
  ck_assert_int_eq(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    FILE *out = fdopen(ends[1], "w");
    ask_simgrid(hosts, n, out);
    fclose(out);
    _exit(0);
  }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  ck_assert_int_ge(getdelim(&text, &room, '\0', in), 1);
  fclose(in);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  return text;
}

TEST_EACH(ways_are_those_of_SimGrid, 0, sizeof kinds / sizeof *kinds) {
  char folder[] = "/tmp/cellcoll-kinds-XXXXXX", *own = NULL;
  struct err err = {""};
  size_t size;
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/net.xml", folder);
  FILE *file = fopen(path, "w");
  fprintf(file,
          "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">%s</platform>\n",
          kinds[_i].text);
  fclose(file);
  const struct platform_setting settings[] = {
    {"network.topology", "file"}, {"network.file", path}, {"network.transport", "wormhole"}};
  struct platform *platform = net_bed_platform("gdx", settings, 3);
  ck_assert_uint_eq(platform->node.count, kinds[_i].nhosts);
  ck_assert_str_eq(platform->network.names[0], kinds[_i].first);
  ck_assert_str_eq(platform->network.names[kinds[_i].nhosts - 1], kinds[_i].last);
  struct fabric *fabric = fabric_new(platform, 1, &err);
  ck_assert_msg(fabric != NULL, "%s", err.text);
  for (unsigned i = 1; i < fabric->nhosts && kinds[_i].links[1]; i++) {
    ck_assert_uint_eq(fabric_route(fabric, 0, i).n, kinds[_i].links[i]);
  }
  FILE *stream = open_memstream(&own, &size);
  tell_fabric(fabric, platform->network.names, stream);
  fclose(stream);
  char *theirs = simgrid_says(platform->network.names, fabric->nhosts);
  ck_assert_str_eq(own, theirs);
  free(own);
  free(theirs);
  fabric_free(fabric);
  platform_free(platform);
  unlink(path);
  rmdir(folder);
}
