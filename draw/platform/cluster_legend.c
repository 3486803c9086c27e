/* SPDX-License-Identifier: BSD-3-Clause
 * See cluster_legend.h. */
#include "draw/platform/cluster_legend.h"

#include "draw/platform/platform_legend.h"
#include "draw/platform/text_lines.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* The most names of nodes in a list. */
enum { NAMES_MOST = 12 };

static const double left = 24, font = 11, label_width = 130;

struct platform_layout *cluster_legend_title(const struct platform *platform, double width) {
  struct platform_layout *layout = xcalloc(1, sizeof *layout);
  layout->width = width;
  layout->scale = 1;
  layout->height = platform_legend_add_title(layout, platform);
  return layout;
}

/* Add a row of LABEL and VALUE at the bottom of LAYOUT, and free VALUE. */
static void add_figure(struct platform_layout *layout, const char *label, char *value) {
  struct draw_text text = {
    .text = label, .baseline = {left, layout->height + font}, .size = font, .faint = true};
  text_lines_add(layout, &text);
  text.text = value;
  text.baseline.x += label_width;
  text.faint = false;
  layout->height = text_lines_add_paragraph(layout, &text, layout->width - 2 * left - label_width) - font + 3;
  free(value);
}

/* List the names of the first nodes of PLATFORM.
 * owner: the caller. */
static char *list_names(const struct platform *platform) {
  char *list = NULL;
  for (unsigned i = 0; i < platform->node.count && i < NAMES_MOST; i++) {
    xappend(&list, "%s%s", i ? ", " : "", platform->host_names[i]);
  }
  if (platform->node.count > NAMES_MOST) {
    xappend(&list, " and %u more", platform->node.count - NAMES_MOST);
  }
  return list;
}

struct platform_layout *cluster_legend_figures(const struct platform *platform, double width) {
  struct platform_layout *layout = xcalloc(1, sizeof *layout);
  layout->width = width;
  layout->scale = 1;
  add_figure(layout, "Network", xasprintf("%s, %s", platform->network.topology, platform->network.transport));
  if (strcmp(platform->network.topology, "file") == 0) {
    add_figure(layout, "Links", xasprintf("as in the file %s", platform->network.file));
    if (platform->host_names) {
      add_figure(layout, "Hosts", list_names(platform));
    }
  } else {
    add_figure(
      layout, "Link",
      xasprintf("%.4g MB/s each way, %.4g us", platform->network.bandwidth, platform->network.latency));
  }
  add_figure(
    layout, "Packet",
    xasprintf("up to %u bytes, with a header of %u", platform->network.packet, platform->network.header));
  add_figure(layout, "Message",
             xasprintf("%.4g us to send, %.4g us to receive", platform->nic.send, platform->nic.receive));
  add_figure(layout, "NICs of a node", xasprintf("%u", platform->nic.rails));
  if (platform->nic.bus > 0) {
    add_figure(layout, "Bus of a NIC", xasprintf("%.4g MB/s, both directions share it", platform->nic.bus));
  }
  if (strcmp(platform->node.kind, "host") == 0) {
    add_figure(layout, "Processes of a host", xasprintf("%u", platform->node.processes));
    add_figure(layout, "Copies in a host", xasprintf("%.4g MB/s", platform->host.copy));
  }
  return layout;
}
