/* SPDX-License-Identifier: BSD-3-Clause
 * See fabric_text.h. A switch and a fat tree are clusters of SimGrid, with its routing (D-mod-k in the tree);
 * a Clos network is a zone in which every route is given. */
#include "sim/net/fabric_text.h"

#include "platform/network_shape.h"
#include "platform/platform.h"
#include "sim/base/random.h"
#include "sim/base/xml_write.h"

#include <stdio.h>

/* Give the element that has just begun an attribute NAME with N NUMBERS, and what was before them in LEAD. */
static void write_topology(struct xml_writer *xml, const struct network_shape *shape) {
  char text[256];
  size_t used = (size_t)snprintf(text, sizeof text, "%u", shape->nlevels);
  const unsigned *lists[] = {shape->down, shape->up, shape->cables};
  for (unsigned list = 0; list < 3; list++) {
    for (unsigned i = 0; i < shape->nlevels; i++) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%c%u", i == 0 ? ';' : ',', lists[list][i]);
    }
  }
  xml_write_attribute(xml, "topology", "FAT_TREE");
  xml_write_attribute(xml, "topo_parameters", "%s", text);
}

static void write_cluster(struct xml_writer *xml, const struct platform *platform,
                          const struct network_shape *shape) {
  xml_write_begin(xml, "zone"); /* SimGrid 4.0 crashes on a fat tree without a zone around the tree */
  xml_write_attribute(xml, "id", "root");
  xml_write_attribute(xml, "routing", "Full");
  xml_write_begin(xml, "cluster");
  xml_write_attribute(xml, "id", "net");
  xml_write_attribute(xml, "prefix", "n");
  xml_write_attribute(xml, "suffix", "%s", "");
  xml_write_attribute(xml, "radical", "0-%u", platform->node.count - 1);
  xml_write_attribute(xml, "speed", "1f");
  xml_write_attribute(xml, "bw", "%.17gBps", 1e6 * platform->network.bandwidth);
  xml_write_attribute(xml, "lat", "%.17gs", 1e-6 * platform->network.latency);
  xml_write_attribute(xml, "sharing_policy", "SPLITDUPLEX");
  if (shape->kind == NETWORK_FAT_TREE) {
    write_topology(xml, shape);
  }
  xml_write_end(xml);
  xml_write_end(xml);
}

static void write_link(struct xml_writer *xml, const struct platform *platform, const char *name) {
  xml_write_begin(xml, "link");
  xml_write_attribute(xml, "id", "%s", name);
  xml_write_attribute(xml, "bandwidth", "%.17gBps", 1e6 * platform->network.bandwidth);
  xml_write_attribute(xml, "latency", "%.17gs", 1e-6 * platform->network.latency);
  xml_write_attribute(xml, "sharing_policy", "SPLITDUPLEX");
  xml_write_end(xml);
}

/* Write that a route goes over the link from A to B, in DIRECTION. */
static void write_step(struct xml_writer *xml, const char *name, const char *direction) {
  xml_write_begin(xml, "link_ctn");
  xml_write_attribute(xml, "id", "%s", name);
  xml_write_attribute(xml, "direction", "%s", direction);
  xml_write_end(xml);
}

enum { NAME_SIZE = 48 };

static void name_host_link(char name[NAME_SIZE], unsigned host) {
  snprintf(name, NAME_SIZE, "n%u-leaf", host);
}

static void name_spine_link(char name[NAME_SIZE], unsigned leaf, unsigned spine) {
  snprintf(name, NAME_SIZE, "leaf%u-spine%u", leaf, spine);
}

/* Write the route between two HOSTS, by SPINE if they are not on one leaf. */
static void write_route(struct xml_writer *xml, const struct network_shape *shape, const unsigned hosts[2],
                        unsigned spine) {
  char name[NAME_SIZE];
  const unsigned leaves[] = {hosts[0] / shape->leaf_hosts, hosts[1] / shape->leaf_hosts};
  xml_write_begin(xml, "route");
  xml_write_attribute(xml, "src", "n%u", hosts[0]);
  xml_write_attribute(xml, "dst", "n%u", hosts[1]);
  xml_write_attribute(xml, "symmetrical", "NO");
  name_host_link(name, hosts[0]);
  write_step(xml, name, "UP");
  if (leaves[0] != leaves[1]) {
    name_spine_link(name, leaves[0], spine);
    write_step(xml, name, "UP");
    name_spine_link(name, leaves[1], spine);
    write_step(xml, name, "DOWN");
  }
  name_host_link(name, hosts[1]);
  write_step(xml, name, "DOWN");
  xml_write_end(xml);
}

static void write_clos(struct xml_writer *xml, const struct platform *platform,
                       const struct network_shape *shape, uint64_t seed) {
  char name[NAME_SIZE];
  xml_write_begin(xml, "zone");
  xml_write_attribute(xml, "id", "net");
  xml_write_attribute(xml, "routing", "Full");
  for (unsigned i = 0; i < platform->node.count; i++) {
    xml_write_begin(xml, "host");
    xml_write_attribute(xml, "id", "n%u", i);
    xml_write_attribute(xml, "speed", "1f");
    xml_write_end(xml);
  }
  for (unsigned i = 0; i < platform->node.count; i++) {
    name_host_link(name, i);
    write_link(xml, platform, name);
  }
  for (unsigned i = 0; i < shape->leaves * shape->spines; i++) {
    name_spine_link(name, i / shape->spines, i % shape->spines);
    write_link(xml, platform, name);
  }
  for (unsigned from = 0; from < platform->node.count; from++) {
    for (unsigned to = 0; to < platform->node.count; to++) {
      unsigned spine = (unsigned)(random_next(&seed) % shape->spines);
      if (from != to) {
        write_route(xml, shape, (unsigned[]){from, to}, spine);
      }
    }
  }
  xml_write_end(xml);
}

char *fabric_text(const struct platform *platform, const struct network_shape *shape, uint64_t seed) {
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  struct xml_writer *xml = xml_write_new(stream);
  xml_write_declaration(xml);
  xml_write_markup(xml, "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n");
  xml_write_begin(xml, "platform");
  xml_write_attribute(xml, "version", "4.1");
  if (shape->kind == NETWORK_CLOS) {
    write_clos(xml, platform, shape, seed);
  } else {
    write_cluster(xml, platform, shape);
  }
  xml_write_end(xml);
  xml_write_free(xml);
  fclose(stream);
  return text;
}
