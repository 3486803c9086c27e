/* SPDX-License-Identifier: BSD-3-Clause
 * The fabric of a network: links and ways, and what is wrong in a file. */
#include "platform/network_shape.h"
#include "sim/base/network/network_file.h"
#include "sim/base/xalloc.h"
#include "tests/net_bed.h"

#include <sys/wait.h>
#include <unistd.h>

TESTS(fabric, .start = net_bed_start, .stop = net_bed_end);

TEST(the_ways_in_a_fat_tree_climb_as_far_as_they_must) {
  struct platform *platform = bed_platform("roadrunner", "");
  struct fabric *fabric = net_bed_fabric(platform, 1);
  ck_assert_uint_eq(fabric_route(fabric, 0, 179).n, 2);
  ck_assert_uint_eq(fabric_route(fabric, 0, 180).n, 4);
  ck_assert_uint_eq(fabric_route(fabric, 3059, 0).n, 4);
  ck_assert_uint_eq(fabric_route(fabric, 7, 7).n, 0);
  ck_assert_double_eq_tol(fabric->links[fabric_route(fabric, 0, 1).links[0]].bandwidth, 2000, 1e-9);
  ck_assert_double_eq_tol(fabric->links[fabric_route(fabric, 0, 1).links[0]].latency, 0.29, 1e-9);
  ck_assert_ptr_eq(fabric_route(fabric, 0, 180).links, fabric_route(fabric, 0, 180).links);
}

/* Return the level of the lowest switch above both A and B. */
static unsigned level_of_meeting(const struct network_shape *shape, unsigned a, unsigned b) {
  /* of a level, the reachable nodes or switches */
  uint64_t over_a = UINT64_C(1) << a, over_b = UINT64_C(1) << b;
  unsigned level = 0, n = shape->nnodes;
  while (!(over_a & over_b) && level < shape->nlevels) {
    uint64_t next_a = 0, next_b = 0;
    unsigned above = network_nswitches(shape, ++level);
    for (unsigned i = 0; i < n * above; i++) {
      uint64_t joined = network_joins(shape, level, i / above, i % above) ? UINT64_C(1) << i % above : 0;
      next_a |= over_a >> (i / above) & 1 ? joined : 0;
      next_b |= over_b >> (i / above) & 1 ? joined : 0;
    }
    over_a = next_a;
    over_b = next_b;
    n = above;
  }
  ck_assert(over_a & over_b);
  return level;
}

static const struct {
  const char *topology, *nnodes;
} wirings[] = {
  {"fat-tree 2x2x2 1x1x1 1x1x1", "8"},
  {"fat-tree 4x2 2x3 2x1", "8"},
  {"fat-tree 3x2x4 1x2x3 1x1x2", "24"},
  {"clos 3 5 7", "13"},
  {"switch", "9"},
};

/* Check that the way from host A to host B in FABRIC, a fat tree, goes on where the link before has ended. A
 * name tells the lower and the upper end of a cable. */
static void check_way(struct fabric *fabric, unsigned a, unsigned b) {
  struct fabric_route route = fabric_route(fabric, a, b);
  long at = a, ends[2];
  for (unsigned i = 0; i < route.n; i++) {
    char way;
    ck_assert_int_eq(
      sscanf(fabric->links[route.links[i]].name, "link_from_%ld_%ld_%*u_%c", &ends[0], &ends[1], &way), 3);
    ck_assert_int_eq(at, ends[way == 'D']);
    at = ends[way == 'U'];
  }
  ck_assert_int_eq(at, b);
}

/* The wiring of network_joins, as drawn in drawings, agrees with the ways: up to the lowest switch above both
 * nodes, and down. The links of a fat tree are in the order of their names. */
TEST_EACH(ways_follow_the_wiring_of_a_shape, 0, sizeof wirings / sizeof *wirings) {
  struct platform *platform =
    net_bed_platform("gdx", "node.count=%s;network.topology=%s", wirings[_i].nnodes, wirings[_i].topology);
  struct fabric *fabric = net_bed_fabric(platform, 1);
  struct network_shape shape;
  SUCCEEDS(network_shape(platform, &shape, &failure));
  bool is_fat_tree = strcmp(shape.kind->word, "fat-tree") == 0;
  for (unsigned a = 0; a < fabric->nhosts; a++) {
    for (unsigned b = 0; b < fabric->nhosts; b++) {
      ck_assert_uint_eq(fabric_route(fabric, a, b).n, 2 * level_of_meeting(&shape, a, b));
      if (is_fat_tree) {
        check_way(fabric, a, b);
      }
    }
  }
  for (size_t i = 1; i < fabric->nlinks && is_fat_tree; i++) {
    ck_assert_str_lt(fabric->links[i - 1].name, fabric->links[i].name);
  }
  for (unsigned level = 1, n = fabric->nhosts; level <= shape.nlevels; level++) {
    unsigned above = network_nswitches(&shape, level), lines = 0;
    for (unsigned i = 0; i < above; i++) {
      lines += network_nbelow(&shape, level, i);
    }
    ck_assert_uint_eq(lines, n * shape.up[level - 1]);
    n = above;
  }
}

/* Count the ways of FABRIC with other links than the way in OTHER; each host is on a leaf of 8. */
static unsigned different_ways(struct fabric *fabric, struct fabric *other) {
  unsigned count = 0;
  for (unsigned from = 0; from < 24; from++) {
    for (unsigned to = 0; to < 24; to++) {
      struct fabric_route route = fabric_route(fabric, from, to), another = fabric_route(other, from, to);
      ck_assert_uint_eq(route.n, from == to ? 0 : from / 8 == to / 8 ? 2 : 4);
      ck_assert_uint_eq(route.n, another.n);
      count += route.n && memcmp(route.links, another.links, route.n * sizeof *route.links) != 0;
    }
  }
  return count;
}

/* A leaf has 8 hosts. The seed's stream has a number for each ordered pair of hosts, the pair of a host with
 * itself included. */
TEST(a_Clos_network_takes_the_spine_of_each_pair_from_the_stream) {
  struct platform *platform = bed_platform("icluster2-myrinet", "");
  struct fabric *fabric = net_bed_fabric(platform, 7);
  uint64_t state = 7;
  for (unsigned pair = 0; pair < fabric->nhosts * fabric->nhosts; pair++) {
    unsigned from = pair / fabric->nhosts, to = pair % fabric->nhosts;
    unsigned spine = (unsigned)(random_next(&state) % 8);
    struct fabric_route route = fabric_route(fabric, from, to);
    char names[4][32];
    snprintf(names[0], sizeof names[0], "n%u-leaf_UP", from);
    snprintf(names[1], sizeof names[1], "leaf%u-spine%u_UP", from / 8, spine);
    snprintf(names[2], sizeof names[2], "leaf%u-spine%u_DOWN", to / 8, spine);
    snprintf(names[3], sizeof names[3], "n%u-leaf_DOWN", to);
    for (unsigned i = 0; i < route.n; i++) {
      ck_assert_str_eq(fabric->links[route.links[i]].name, names[route.n == 2 ? 3 * i : i]);
    }
  }
}

/* Of the 384 ways between leaves 7 in 8 have another spine in another drawing: 336, give or take 6.5. */
TEST(the_spines_of_a_Clos_network_come_from_the_seed) {
  struct platform *platform = bed_platform("icluster2-myrinet", "");
  struct fabric *fabric = net_bed_fabric(platform, 1), *same = net_bed_fabric(platform, 1),
                *other = net_bed_fabric(platform, 2);
  ck_assert_uint_eq(different_ways(fabric, same), 0);
  ck_assert_uint_ge(different_ways(fabric, other), 300);
}

TEST(a_built_in_network_has_its_zones) {
  struct platform *platform = bed_platform("grid", "");
  struct fabric *fabric = net_bed_fabric(platform, 1);
  for (unsigned i = 0; i < 40; i++) {
    ck_assert_int_eq(fabric->zones[i] == fabric->zones[0], i < 20);
  }
  struct fabric_route route = fabric_route(fabric, 3, 33);
  ck_assert_uint_eq(route.n, 3);
  ck_assert_str_eq(fabric->links[route.links[1]].name, "wide-area_UP");
  ck_assert_double_eq_tol(fabric->links[route.links[1]].latency, 10000, 1e-6);
}

/* --- network files --- */

#define HEAD \
  "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform " \
  "version=\"4.1\">\n"
#define HOST(name) "<host id=\"" name "\" speed=\"1f\"/>"
#define LINK(name, bandwidth, latency) \
  "<link id=\"" name "\" bandwidth=\"" bandwidth "\" latency=\"" latency "\"/>\n"
#define ROUTE(from, to, links) "<route src=\"" from "\" dst=\"" to "\">" links "</route>\n"
#define OVER(name) "<link_ctn id=\"" name "\"/>"
/* Two hosts NAME0 and NAME1 at the router rNAME. */
#define RACK(name) \
  "<cluster id=\"" name "\" prefix=\"" name "\" suffix=\"\" radical=\"0-1\" speed=\"1f\" bw=\"1Bps\" " \
  "lat=\"1us\" router_id=\"r" name "\"/>\n"
#define ZONE(what) HEAD "<zone id=\"z\" routing=\"Full\">\n" what "</zone>\n</platform>\n"

static const struct {
  const char *text, *message; /* the message after the path */
} bad[] = {
  {"", ":1: no XML, expected well-formed XML"},
  {HEAD "<zone id=\"a\" routing=\"Full\">\n</platform>\n",
   ":5: Opening and ending tag mismatch: zone line 4 and platform, expected well-formed XML"},
  {ZONE(""), ": no host, expected some"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1us")),
   ":4: no route from n0 to n1, expected one between any two nodes (network.hosts chooses hosts)"},
  {ZONE(HOST("n0") HOST("n1")
          LINK("l", "1MBps", "1us") "<route src=\"n0\" dst=\"n1\" symmetrical=\"NO\">" OVER("l") "</route>"),
   ":4: no route from n1 to n0, expected one between any two nodes (network.hosts chooses hosts)"},
  {ZONE("<zone id=\"inner\" routing=\"None\">\n" HOST("n0") HOST("n1") "</zone>\n"),
   ":5: no route from n0 to n1, expected one between any two nodes (network.hosts chooses hosts)"},
  {ZONE("<zone id=\"x\" routing=\"Full\">\n" HOST("n0") "</zone>\n<zone id=\"y\" routing=\"Full\">\n" HOST(
     "n1") "</zone>\n"),
   ":4: no route from n0 to n1, expected one between any two nodes (network.hosts chooses hosts)"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1us") ROUTE("n0", "n1", OVER("k"))),
   ":6: Link not found: k, expected a SimGrid platform file"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "-1us") ROUTE("n0", "n1", OVER("l"))),
   ":5: latency of link l is '-1us', expected at least 0"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1w") ROUTE("n0", "n1", OVER("l"))),
   ":5: latency of link l is 604800 s, expected 0 to 1000"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "0.5Bps", "1us") ROUTE("n0", "n1", OVER("l"))),
   ":5: bandwidth of link l is 0.5 bytes per second, expected at least 1"},
  {"\n \n" ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "-1us") ROUTE("n0", "n1", OVER("l"))),
   ":7: latency of link l is '-1us', expected at least 0"},
  {"\n<!-- no blank -->\n" ZONE(HOST("n0")),
   ":3: XML declaration allowed only at the start of the document, expected well-formed XML"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "0MBps", "1us") ROUTE("n0", "n1", OVER("l"))),
   ":5: bandwidth of link l is '0MBps', expected more than 0"},
  {ZONE("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1f\" bw=\"0.0\" lat=\"1us\"/>"),
   ":5: bandwidth of cluster c is '0.0', expected more than 0"},
  {ZONE("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-\" speed=\"1f\" bw=\"1Bps\" lat=\"1us\"/>"),
   ":5: radical of <cluster> is '0-', expected numbers such as 0-3,7"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1year") ROUTE("n0", "n1", OVER("l"))),
   ":5: unknown unit: year, expected a SimGrid platform file"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1us") ROUTE("n0", "n1", OVER("l"))
          ROUTE("n1", "n0", OVER("l"))),
   ":7: <route> from n0 to n1 given again, expected one in each direction (first in line 6)"},
  {ZONE(HOST("n0") HOST("n1") "\n" HOST("n0")),
   ":6: host n0 given again, expected each host once (first in line 5)"},
  {ZONE(HOST("") HOST("n1")), ":5: host '', expected a name of at most 80 characters"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1us") ROUTE("n0", "n1", OVER("no link"))),
   ":6: Link not found: no link, expected a SimGrid platform file"},
  {ZONE(HOST("n0") "\n<!-- ends -- with -- an odd hyphen --->" HOST("n1")),
   ":6: comment without an end, expected '-->' behind pairs of hyphens"},
  {ZONE("<host id=\"<!-- no comment -->\"/>"),
   ":5: Unescaped '<' not allowed in attributes values, expected well-formed XML"},
  {"<system version=\"1\">\n<cpu numaid=\"0\"/>\n</system>\n",
   ":1: root element 'system', an NCCL topology, expected platform, a SimGrid platform file"},
  {"<graphs version=\"1\"/>",
   ":1: root element 'graphs', graphs of NCCL, expected platform, a SimGrid platform file"},
  {"\n<cluster id=\"c\"/>", ":2: root element 'cluster', expected platform, a SimGrid platform file"},
  {HEAD "<zone id=\"z\" routing=\"Vivaldi\">\n"
        "<peer id=\"a\" coordinates=\"1 2 3\" speed=\"1f\" bw_in=\"1MBps\" bw_out=\"1MBps\"/>\n"
        "<peer id=\"b\" coordinates=\"9 8 7\" speed=\"1f\" bw_in=\"1MBps\" "
        "bw_out=\"1MBps\"/>\n</zone>\n</platform>\n",
   ":4: latency from a to b is not that of links, expected a zone without coordinates"},
  /* SimGrid's own words, put right where they are wrong */
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1us") ROUTE("n0", "n7", OVER("l"))),
   ":6: Route dst='n7' does not name a node, expected a SimGrid platform file"},
  {ZONE(HOST("n0") HOST("n1") LINK("l", "1MBps", "1us") ROUTE("a does name a node", "n1", OVER("l"))),
   ":6: Route src='a does name a node' does not name a node, expected a SimGrid platform file"},
  {ZONE(RACK("n") RACK("b")
          LINK("l", "1MBps", "1us") "<zoneRoute src=\"n\" dst=\"b\" gw_src=\"rb\" gw_dst=\"rn\">" OVER(
            "l") "</zoneRoute>\n"),
   ": Invalid NetzoneRoute from n@rb to b@rn: gw_src rb belongs to b, not to n, expected a SimGrid "
   "platform file"},
  {"<platform version=\"3\">\n<AS id=\"z\" routing=\"Full\"/>\n</platform>\n",
   ":1: version 3 of SimGrid platform files, expected 4 or later: simgrid_update_xml FILE brings a file "
   "there"},
  {"<?xml version='1.0'?>\n\n<platform version='2.5'/>\n",
   ":3: version 2.5 of SimGrid platform files, expected 4 or later: simgrid_update_xml FILE brings a file "
   "there"},
  {"<!DOCTYPE platform [<!ENTITY e 'e'>]>\n<platform/>", ":1: declaration of an entity, expected none"},
};

TEST_EACH(a_bad_network_file_gives_one_message, 0, sizeof bad / sizeof *bad) {
  struct err err = {.text = ""};
  struct platform *platform = bed_platform("blades", "");
  const char *path = net_bed_file(bad[_i].text);
  struct platform_setting settings[] = {
    {"node.count", "2"}, {"network.topology", "file"}, {"network.file", path}};
  int status = platform_set_all(platform, settings, 3, &err);
  ck_assert(status == PLATFORM_BAD_NETWORK || status == 0);
  struct fabric *fabric = status == 0 ? fabric_new(platform, 1, &err) : NULL;
  ck_assert(!fabric || fabric_check_routes(fabric, NULL, &err) != 0);
  fabric_free(fabric);
  ck_assert_int_eq(strncmp(err.text, path, strlen(path)), 0);
  ck_assert_str_eq(err.text + strlen(path), bad[_i].message);
  net_bed_drop_file();
}

/* A bandwidth above 1e13 bytes per second, 1e7 MB/s, counts as 1e7 MB/s; blank lines may come first. */
TEST(a_link_without_limit_has_the_largest_bandwidth) {
  struct platform *platform = net_bed_platform(
    "gdx", "network.topology=file;network.file=%s",
    net_bed_file("\n\t\r\n" ZONE(HOST("n0") HOST("n1") LINK("a", "1000EBps", "0us") LINK(
      "b", "10TBps", "0us") LINK("c", "9TBps", "0us") ROUTE("n0", "n1", OVER("a") OVER("b") OVER("c")))));
  struct fabric *fabric = net_bed_fabric(platform, 1);
  ck_assert_double_eq_tol(fabric->links[fabric_route(fabric, 0, 1).links[0]].bandwidth, 1e7, 1e-3);
  ck_assert_double_eq_tol(fabric->links[fabric_route(fabric, 0, 1).links[1]].bandwidth, 1e7, 1e-3);
  ck_assert_double_eq_tol(fabric->links[fabric_route(fabric, 0, 1).links[2]].bandwidth, 9e6, 1e-3);
  net_bed_drop_file();
}

/* What lies between two hosts, and how many hosts there are: as SimGrid 3.32 lists them, 2026-11-28. */
static const struct {
  const char *between;
  size_t nhosts;
} comments[] = {
  {"<!-- a -- b -->", 2},
  {"<!---->", 2},
  {"<!------>", 2},
  {"<!-- a ---> <host id='c'/> <!-- -->", 2},
  {"<!-- -------- --> <host id='c'/> <!-- -->", 3},
  {"<!---------> <host id='c'/> <!-- -->", 2},
  {"<!--> <host id='c'/> <!-- -->", 2},
  {"<!-- <!-- a --> <host id='c'/>", 3},
  {"<!-- it's > -- \n --> <host id='c' speed=\"'1Gf\"/>", 3},
};

TEST_EACH(comments_are_those_of_simgrid, 0, sizeof comments / sizeof *comments) {
  struct err err = {.text = ""};
  struct network_file file;
  char *text =
    xasprintf(HEAD "<zone id='z'>" HOST("a") "%s" HOST("b") "</zone></platform>", comments[_i].between);
  ck_assert_msg(network_file_read(&file, &(struct network_source){.path = "f", .text = text}, &err) == 0,
                "%s", err.text);
  ck_assert_uint_eq(file.nhosts, comments[_i].nhosts);
  ck_assert_int_eq(xml_line(file.hosts[1].element), strchr(comments[_i].between, '\n') ? 5 : 4);
  network_file_fini(&file);
  free(text);
}

/* Any name of SimGrid is a name of a node; profiles of links are named, and change nothing. */
TEST(names_have_blanks_and_links_have_profiles) {
  struct platform *platform = net_bed_platform(
    "gdx", "network.topology=file;network.file=%s;network.hosts='Host 2' x* Host' '{9-11}",
    net_bed_file(ZONE(HOST("Host 10") HOST("Host 2") HOST("x &quot;{,}*[a]")
                        LINK("l", "1MBps", "1us\" bandwidth_file=\"none.bw\" latency_file=\"none.lat")
                          ROUTE("Host 10", "Host 2", OVER("l")) ROUTE("Host 2", "x &quot;{,}*[a]", OVER("l"))
                            ROUTE("Host 10", "x &quot;{,}*[a]", OVER("l")))));
  ck_assert_uint_eq(platform->node.count, 3);
  ck_assert_str_eq(platform->host_names[0], "Host 2");
  ck_assert_str_eq(platform->host_names[1], "x \"{,}*[a]");
  ck_assert_str_eq(platform->host_names[2], "Host 10");
  ck_assert_str_eq(platform->ignored_parts, "link profiles (line 5)");
  struct fabric *fabric = net_bed_fabric(platform, 1);
  ck_assert_double_eq_tol(fabric->links[fabric_route(fabric, 0, 2).links[0]].bandwidth, 1, 1e-9);
  net_bed_drop_file();
}

/* The hosts of a cluster of 100,000 are found at once: one after the other they would take minutes. */
TEST(hosts_of_a_large_file_are_found_at_once) {
  struct err err = {.text = ""};
  struct network_file file;
  const char *text = HEAD "<cluster id='c' prefix='n' suffix='' radical='0-99999'/></platform>";
  ck_assert_int_eq(network_file_read(&file, &(struct network_source){.path = "f", .text = text}, &err), 0);
  ck_assert_uint_eq(file.nhosts, 100000);
  for (size_t i = 1; i < file.nhosts; i++) {
    ck_assert(network_file_zone_line(&file, file.hosts[i - 1].name, file.hosts[i].name) == 4);
  }
  ck_assert_int_eq(network_file_zone_line(&file, "n0", "n100000"), 0);
  network_file_fini(&file);
}

TEST(a_network_file_that_is_not_there_is_named) {
  struct err err = {.text = ""};
  struct platform_setting settings[] = {{"network.topology", "file"}, {"network.file", "nowhere/net.xml"}};
  struct platform *platform = bed_platform("blades", "");
  ck_assert_int_eq(platform_set_all(platform, settings, 2, &err), PLATFORM_BAD_NETWORK);
  ck_assert_str_eq(err.text, "nowhere/net.xml: No such file or directory, expected a SimGrid platform file");
}

/* A way is asked for only between hosts in question: of three hosts in a line, the ends have none. */
TEST(ways_are_tried_between_the_hosts_in_question) {
  struct err err = {.text = ""};
  struct platform *platform =
    net_bed_platform("gdx", "network.topology=file;network.file=%s",
                     net_bed_file(ZONE(HOST("a") HOST("b") HOST("c") LINK("l", "1MBps", "1us")
                                         ROUTE("a", "b", OVER("l")) ROUTE("b", "c", OVER("l")))));
  struct fabric *fabric = net_bed_fabric(platform, 1);
  ck_assert_int_eq(fabric_check_routes(fabric, (const bool[]){true, true, false}, &err), 0);
  ck_assert_int_eq(fabric_check_routes(fabric, (const bool[]){false, true, true}, &err), 0);
  ck_assert_int_eq(fabric_check_routes(fabric, (const bool[]){false, true, false}, &err), 0);
  ck_assert_uint_eq(fabric_route(fabric, 2, 1).n, 1);
  ck_assert_int_ne(fabric_check_routes(fabric, (const bool[]){true, false, true}, &err), 0);
  ck_assert_ptr_nonnull(strstr(err.text, ":4: no route from a to c, expected one"));
  net_bed_drop_file();
}

/* A missing way that nobody has asked to try is found at the first request. */
TEST(a_missing_way_of_a_large_network_ends_the_program_with_one_message) {
  enum { HOSTS = 600 };
  char *text, said[256] = "", expected[256];
  size_t size;
  int ends[2], status;
  FILE *stream = open_memstream(&text, &size);
  fputs(HEAD "<zone id=\"z\" routing=\"Full\">\n", stream);
  for (unsigned i = 0; i < HOSTS; i++) {
    fprintf(stream, "<host id=\"n%u\" speed=\"1f\"/>\n", i);
  }
  fputs(LINK("l", "1MBps", "1us") ROUTE("n0", "n1", OVER("l")) "</zone>\n</platform>\n", stream);
  fclose(stream);
  struct platform *platform =
    net_bed_platform("blades", "node.count=600;network.topology=file;network.file=%s", net_bed_file(text));
  free(text);
  snprintf(expected, sizeof expected,
           "cellcoll: %s:4: no route from n0 to n599, expected one between any two nodes (network.hosts "
           "chooses hosts)\n",
           platform->network.file);
  ck_assert_int_eq(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 2);
    struct fabric *fabric = net_bed_fabric(platform, 1);
    if (fabric_route(fabric, 0, 1).n == 1) {
      fabric_route(fabric, 0, HOSTS - 1);
    }
    _exit(0);
  }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  ck_assert_uint_ge(fread(said, 1, sizeof said - 1, in), 1);
  fclose(in);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_int_eq(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 3);
  ck_assert_str_eq(said, expected);
  net_bed_drop_file();
}
