/* SPDX-License-Identifier: BSD-3-Clause
 * Platforms of several nodes: their parts, the missing parts of others, and values that do not fit
 * together. */
#include "platform/network_shape.h"
#include "tests/bed.h"

TESTS(nodes, .stop = bed_end);

TEST(a_platform_without_nodes_has_none_of_their_values) {
  struct platform *platform = bed_platform("qs22", "");
  ck_assert(!platform->has_nodes);
  ck_assert_uint_eq(platform->node.count, 0);
  ck_assert_uint_eq(platform_nentries(platform), PLATFORM_NREQUIRED + platform->nprofiles * PROFILE_NFIELDS);
  FAILS(platform_set(platform, "node.count", "4", &failure),
        "--set node.count: qs22 is one node, expected a platform that has <node>, such as blades");
}

TEST(a_platform_with_nodes_has_all_values_each_with_a_source) {
  for (const struct platform_builtin *builtin = platform_builtins; builtin->name; builtin++) {
    struct platform *platform = bed_platform(builtin->name, "");
    for (size_t i = PLATFORM_NREQUIRED; platform->has_nodes && i < PLATFORM_NPARAMS; i++) {
      struct platform_entry entry;
      platform_entry(platform, i, &entry);
      ck_assert_str_eq(entry.key, platform_params[i].key);
      ck_assert_str_ne(entry.value, "");
      ck_assert_str_ne(entry.source, "");
      ck_assert_int_gt(entry.line, 0);
    }
  }
}

TEST(values_of_nodes_can_be_set) {
  struct platform *platform = bed_platform("blades", ""), *before = bed_platform("blades", "");
  ck_assert_uint_eq(platform->checksum, before->checksum);
  SUCCEEDS(platform_set(platform, "node.count", "8", &failure));
  SUCCEEDS(platform_set(platform, "network.transport", "lossless", &failure));
  ck_assert_uint_eq(platform->node.count, 8);
  ck_assert_str_eq(platform->overrides, "node.count=8;network.transport=lossless");
  ck_assert_uint_ne(platform->checksum, before->checksum);
}

static const struct {
  const char *key, *value, *message;
} refused[] = {
  {"network.topology", "fattree", "network.topology is 'fattree', expected fat-tree"},
  {"network.topology", "switch 3", "network.topology is 'switch 3', expected switch"},
  {"network.topology", "fat-tree 2x2 1 1",
   "network.topology is 'fat-tree 2x2 1 1', expected three lists of one length after fat-tree, such as "
   "180x17 1x8 1x12 (down, "
   "up, cables)"},
  {"network.topology", "fat-tree 2x 1x 1x",
   "network.topology is 'fat-tree 2x 1x 1x', expected three lists of one length after fat-tree, such as "
   "180x17 1x8 1x12 (down, "
   "up, cables)"},
  {"network.topology", "fat-tree 2x3 1x1 1x1",
   "network.topology is 'fat-tree 2x3 1x1 1x1' with 6 places, expected node.count, 4"},
  {"network.topology", "fat-tree 2x2 1024x1024 1x1",
   "network.topology is 'fat-tree 2x2 1024x1024 1x1', expected at most 1048576 cables"},
  {"network.topology", "clos 1 4",
   "network.topology is 'clos 1 4', expected three numbers after clos, such as 16 8 8 (leaves, "
   "hosts of each, spines)"},
  {"network.topology", "clos 1 3 2",
   "network.topology is 'clos 1 3 2' with 3 places, expected at least node.count, 4"},
  {"network.file", "a.xml", "network.file is given, expected none: network.topology is not file"},
  {"network.window", "1", "network.window is 1 KiB, expected at least network.packet, 1448 bytes"},
  {"network.buffer", "1.5",
   "network.buffer is 1.5 KiB, expected at least a packet and its header, 1538 bytes"},
  {"network.transport", "udp", "network.transport is 'udp', expected lossless, wormhole, tcp or signature"},
  {"node.kind", "blad", "node.kind is 'blad', expected blade"},
  {"nic.rails", "0", "'0', expected a whole number from 1 to 16"},
  {"nic.rails", "2",
   "built-in blades:23: network.transport is tcp, expected lossless where nic.rails is over 1 "
   "or nic.bus over 0"},
};

/* Room without losses: none is no limit. */
TEST(room_of_a_lossless_network_must_be_one_that_ends) {
  struct platform_setting small[] = {{"network.transport", "lossless"}, {"network.buffer", "1.5"}};
  struct platform_setting none[] = {{"network.transport", "lossless"}, {"network.buffer", "0"}};
  struct err err = {.text = ""};
  struct platform *platform = bed_platform("blades", "");
  ck_assert_int_eq(platform_set_all(platform, small, 2, &err), -1);
  ck_assert_str_eq(err.text,
                   "--set: network.buffer is 1.5 KiB, expected at least a packet and its header, 1538 bytes");
  platform = bed_platform("blades", "");
  ck_assert_int_eq(platform_set_all(platform, none, 2, &err), 0);
  platform = bed_platform("grid", "");
  err = (struct err){.text = ""};
  ck_assert_int_eq(platform_set(platform, "network.buffer", "32", &err), -1);
  ck_assert_str_eq(err.text,
                   "--set: network.buffer is 32 KiB with transport lossless and topology file, expected 0: "
                   "its ways may form circles, in which packets wait for each other's room for ever");
}

TEST_EACH(a_value_that_does_not_fit_is_refused, 0, sizeof refused / sizeof *refused) {
  struct err err = {.text = ""};
  struct platform *platform = bed_platform("blades", "");
  ck_assert_int_eq(platform_set(platform, refused[_i].key, refused[_i].value, &err), -1);
  char lead[PLATFORM_KEY_SIZE];
  bool is_named =
    strncmp(refused[_i].message, refused[_i].key, strlen(refused[_i].key)) == 0; /* once is enough */
  snprintf(lead, sizeof lead, is_named ? "--set: " : "--set %s: ", refused[_i].key);
  ck_assert_int_eq(strncmp(err.text, lead, strlen(lead)), 0);
  ck_assert_str_eq(err.text + strlen(lead), refused[_i].message);
}

/* A look-ahead of no cycle would stop the simulation. */
TEST(a_network_without_delay_is_refused) {
  struct platform *platform = bed_platform("blades", "");
  struct platform_setting settings[] = {{"network.latency", "0"}, {"nic.receive", "0"}};
  FAILS(platform_set_all(platform, settings, 2, &failure),
        "--set: network.latency and nic.receive are together 0 us, "
        "expected at least an SPU cycle");
}

TEST(a_topology_is_read_as_numbers) {
  struct network_shape shape;
  struct platform *platform = bed_platform("roadrunner", "");
  SUCCEEDS(network_shape(platform, &shape, &failure));
  ck_assert_str_eq(shape.kind->word, "fat-tree");
  ck_assert_uint_eq(shape.nlevels, 2);
  ck_assert(shape.down[0] == 180 && shape.down[1] == 17 && shape.up[0] == 1 && shape.up[1] == 8);
  ck_assert(shape.cables[0] == 1 && shape.cables[1] == 12);
  platform = bed_platform("icluster2-myrinet", "");
  SUCCEEDS(network_shape(platform, &shape, &failure));
  ck_assert_str_eq(shape.kind->word, "clos");
  ck_assert(shape.down[1] == 16 && shape.down[0] == 8 && shape.up[1] == 8);
}
