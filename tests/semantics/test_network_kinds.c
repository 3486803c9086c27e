/* SPDX-License-Identifier: BSD-3-Clause
 * The routes of networks against SimGrid, which a process of its own asks: of network files with each kind of
 * SimGrid's zones, and of fat trees, whose routes this program computes; and the time of two flows. */
#include "sim/base/engine/simgrid_calls.h"
#include "sim/base/network/network_reader.h"
#include "tests/net_bed.h"

#include <sys/wait.h>
#include <unistd.h>

/* SimGrid is not started: other processes ask SimGrid. */
static void prepare(void) {
  network_reader_prepare();
  SUCCEEDS(network_reader_begin(&failure));
}

TESTS(network_kinds, .start = prepare, .stop = net_bed_end);

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

static const char *path; /* of the file of a network */

/* Let the file PATH describe a network by TEXT. */
static void write_file(const char *text) {
  char *whole =
    xasprintf("<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
              "<platform version=\"4.1\">%s</platform>\n",
              text);
  path = net_bed_file(whole);
  free(whole);
}

/* Write SimGrid's own answers about the ways between HOSTS, N of them, into OUT. */
static void ask_simgrid(const char *const *hosts, unsigned nhosts, FILE *out) {
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
        route = simgrid_route(ends[0], ends[1], &n);
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
static void tell_fabric(struct fabric *fabric, const char *const *hosts, FILE *out) {
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
        const struct network_link *link = &fabric->links[route.links[i]];
        fprintf(out, " %s %.6g %.6g", link->name, link->bandwidth, link->latency);
      }
      fputc('\n', out);
    }
  }
}

/* Let a separate process ask SimGrid.
 * owner: the caller. */
static char *simgrid_says(const char *const *hosts, unsigned n) {
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

/* Compare all routes of FABRIC, between HOSTS, with the routes of the file. */
static void compare_routes(struct fabric *fabric, const char *const *hosts) {
  char *own = NULL;
  size_t size;
  FILE *stream = open_memstream(&own, &size);
  tell_fabric(fabric, hosts, stream);
  fclose(stream);
  char *theirs = simgrid_says(hosts, fabric->nhosts);
  ck_assert_str_eq(own, theirs);
  free(own);
  free(theirs);
}

TEST_EACH(ways_are_those_of_SimGrid, 0, sizeof kinds / sizeof *kinds) {
  write_file(kinds[_i].text);
  struct platform *platform =
    net_bed_platform("gdx", "network.topology=file;network.file=%s;network.transport=wormhole", path);
  ck_assert_uint_eq(platform->node.count, kinds[_i].nhosts);
  ck_assert_str_eq(platform->host_names[0], kinds[_i].first);
  ck_assert_str_eq(platform->host_names[kinds[_i].nhosts - 1], kinds[_i].last);
  struct fabric *fabric = net_bed_fabric(platform, 1);
  for (unsigned i = 1; i < fabric->nhosts && kinds[_i].links[1]; i++) {
    ck_assert_uint_eq(fabric_route(fabric, 0, i).n, kinds[_i].links[i]);
  }
  compare_routes(fabric, platform->host_names);
  net_bed_drop_file();
}

/* --- fat trees --- */

/* Let the file describe the fat tree of PLATFORM as a cluster of SimGrid, between BEFORE and AFTER. */
static void write_tree(const struct platform *platform, const char *before, const char *after) {
  char lists[128], *text;
  snprintf(lists, sizeof lists, "%s", platform->network.topology + strlen("fat-tree"));
  unsigned nlevels = 1;
  for (char *at = lists; *at; at++) {
    nlevels += at > strrchr(lists, ' ') && *at == 'x';
    *at = *at == ' ' ? ';' : *at == 'x' ? ',' : *at;
  }
  text = xasprintf(
    "%s<cluster id='net' prefix='n' suffix='' radical='0-%u' speed='1f' bw='%.17gMBps' lat='%.17gus' "
    "topology='FAT_TREE' topo_parameters='%u%s'/>%s",
    before, platform->node.count - 1, platform->network.bandwidth, platform->network.latency, nlevels, lists,
    after);
  write_file(text);
  free(text);
}

/* Draw a number from 1 to MOST. */
static unsigned draw(uint64_t *state, unsigned most) {
  return 1 + (unsigned)(random_next(state) % most);
}

/* One to four levels, with one to three parents and one to three cables on each of the levels. */
TEST_EACH(routes_of_a_drawn_fat_tree_are_those_of_SimGrid, 0, 40) {
  uint64_t state = (uint64_t)_i;
  unsigned nlevels = 1 + (unsigned)_i % 4, nhosts = 1;
  char topology[128] = "fat-tree", *hosts[256] = {NULL};
  for (unsigned list = 0; list < 3; list++) {
    for (unsigned i = 0; i < nlevels; i++) {
      unsigned number = draw(&state, list == 0 && nlevels < 4 ? 5 : 3);
      nhosts *= list == 0 ? number : 1;
      snprintf(topology + strlen(topology), sizeof topology - strlen(topology), "%c%u", i == 0 ? ' ' : 'x',
               number);
    }
  }
  struct platform *platform = net_bed_platform("gdx", "node.count=%u;network.topology=%s", nhosts, topology);
  write_tree(platform, "<zone id='world' routing='Full'>", "</zone>");
  struct fabric *fabric = net_bed_fabric(platform, 1);
  for (unsigned i = 0; i < nhosts; i++) {
    hosts[i] = xasprintf("n%u", i);
  }
  compare_routes(fabric, (const char *const *)hosts);
  for (unsigned i = 0; i < nhosts; i++) {
    free(hosts[i]);
  }
  net_bed_drop_file();
}

/* A cable for each of 3060 hosts, and 12 from each of 17 switches to each of 8. SimGrid has a loopback
 * besides. The tree of the file has no zone around it. */
TEST(links_and_routes_of_roadrunner_are_those_of_SimGrid) {
  enum { PAIRS = 4000, NLINKS = 2 * (3060 + 17 * 8 * 12) };
  struct platform *platform = bed_platform("roadrunner", "");
  write_tree(platform, "", "");
  struct platform *same = net_bed_platform("roadrunner", "network.topology=file;network.file=%s", path);
  struct fabric *fabric = net_bed_fabric(platform, 1), *file = net_bed_fabric(same, 1);
  uint64_t state = 1;
  ck_assert_uint_eq(fabric->nlinks, NLINKS);
  ck_assert_uint_eq(file->nlinks, NLINKS + 1);
  for (unsigned i = 0; i < NLINKS; i++) {
    const struct network_link *link = &fabric->links[i], *other = &file->links[i + 1];
    ck_assert_str_eq(link->name, other->name);
    ck_assert_double_eq_tol(link->bandwidth / other->bandwidth, 1, 1e-15);
    ck_assert_double_eq_tol(link->latency / other->latency, 1, 1e-15);
  }
  for (unsigned pair = 0; pair < PAIRS; pair++) {
    unsigned from = draw(&state, 3060) - 1, to = draw(&state, 3060) - 1;
    struct fabric_route route = fabric_route(fabric, from, to), other = fabric_route(file, from, to);
    ck_assert_uint_eq(route.n, other.n);
    for (unsigned i = 0; i < route.n; i++) {
      ck_assert_uint_eq(route.links[i] + 1, other.links[i]);
    }
  }
  net_bed_drop_file();
}

/* --- two flows --- */

/* A message from host n0 or n1 to host n2. */
struct flow {
  double nbytes, seconds;
  unsigned from;
};

static void flow_main(int argc, char **argv) {
  struct flow *flow = sg_actor_self_get_data();
  sg_host_sendto(sg_host_by_name(flow->from ? "n1" : "n0"), sg_host_by_name("n2"), flow->nbytes);
  flow->seconds = simgrid_get_clock();
}

/* Have a process of its own simulate one flow of NBYTES from each of two hosts, which begin together.
 * returns: the seconds of both; the flows are alike. */
static double simgrid_flows(size_t nbytes) {
  char *argv[] = {"ask", "--cfg=network/model:CM02", "--cfg=network/crosstraffic:no",
                  "--log=root.threshold:error", NULL};
  int argc = 4, ends[2], status;
  struct flow flows[2] = {{(double)nbytes, 0, 0}, {(double)nbytes, 0, 1}};
  ck_assert_int_eq(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    simgrid_init(&argc, argv);
    simgrid_load_platform(path);
    for (unsigned i = 0; i < 2; i++) {
      sg_actor_t actor = sg_actor_init("flow", sg_host_by_name("n2"));
      sg_actor_set_data(actor, &flows[i]);
      sg_actor_start(actor, flow_main, 0, NULL);
    }
    simgrid_run();
    _exit(write(ends[1], flows, sizeof flows) != sizeof flows);
  }
  ck_assert_int_eq(read(ends[0], flows, sizeof flows), sizeof flows);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_double_eq_tol(flows[0].seconds / flows[1].seconds, 1, 1e-9);
  return flows[0].seconds;
}

static uint64_t arrivals[2];

static void note(struct net_message *message) {
  arrivals[message->from] = des_now();
}

#define FLOW_LINK(name, bandwidth) "<link id='" name "' bandwidth='" bandwidth "' latency='5us'/>"
#define FLOW_NET(own) \
  "<zone id='z' routing='Full'><host id='n0' speed='1f'/><host id='n1' speed='1f'/><host id='n2' " \
  "speed='1f'/>" FLOW_LINK("a", own) FLOW_LINK("b", own) FLOW_LINK("c", "100MBps") \
    ROUTE("n0", "n1", OVER("a") OVER("b")) ROUTE("n0", "n2", OVER("a") OVER("c")) \
      ROUTE("n1", "n2", OVER("b") OVER("c")) "</zone>"

/* Hosts n0 and n1 have links of their own, as fast as the link to n2, or much faster. (Where one link of
 * their own is slower than half of the other, servers that serve first come, first served, give each flow the
 * rate at which the flow sends, and SimGrid's flows share evenly.) */
TEST_EACH(two_flows_over_a_shared_link_take_as_long_as_in_the_model_of_SimGrid, 0, 6) {
  static const size_t sizes[] = {65536, 262144, 1048576};
  write_file(_i / 3 ? FLOW_NET("1000MBps") : FLOW_NET("100MBps"));
  struct platform *platform = net_bed_platform(
    "blades",
    "node.count=3;network.topology=file;network.file=%s;network.packet=2048;network.header=0;"
    "network.transport=lossless;network.buffer=0;nic.send=0.001;nic.receive=0",
    path);
  double seconds = simgrid_flows(sizes[_i % 3]);
  bed_start();
  struct net *net = net_bed_net(platform, 1);
  struct net_message messages[2];
  for (unsigned from = 0; from < 2; from++) {
    messages[from] = (struct net_message){
      .from = from, .to = 2, .nbytes = sizes[_i % 3], .receiver = net->node, .arrived = note};
    net_send(net, &messages[from], 0);
  }
  des_run(net->node);
  for (unsigned from = 0; from < 2; from++) {
    double ours = (double)(arrivals[from] - net->send) / (1e9 * platform->clock.spu);
    ck_assert_double_eq_tol(ours / seconds, 1, 0.05);
  }
  net_bed_drop_file();
}
