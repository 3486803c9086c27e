/* SPDX-License-Identifier: BSD-3-Clause
 * See node_drawing.h. */
#include "draw/platform/node_drawing.h"

#include "draw/platform/platform_drawing.h"
#include "draw/platform/platform_layout.h"
#include "draw/svg_box.h"
#include "platform/platform.h"
#include "sim/base/xml/xml_write.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PROCESSES_MOST = 12, TEXT_SIZE = 200 };

static const double head = 28, box_width = 78, box_height = 30, space = 12, nic_width = 78;

static bool is_host(const struct platform *platform) {
  return strcmp(platform->node.kind, "host") == 0;
}

static unsigned processes_shown(const struct platform *platform) {
  return platform->node.processes < PROCESSES_MOST ? platform->node.processes : PROCESSES_MOST;
}

/* Return how wide N boxes are side by side. */
static double row_width(unsigned n) {
  return n * (box_width + space) + space;
}

struct node_drawing_size node_drawing_size(const struct platform *platform) {
  if (is_host(platform)) {
    unsigned nics = platform->nic.rails, processes = processes_shown(platform);
    return (struct node_drawing_size){row_width(processes > nics ? processes : nics),
                                      head + 2 * box_height + 4 * space};
  }
  struct platform_layout *layout = platform_layout_new(platform, DRAW_PART, "");
  struct node_drawing_size size = {layout->width, head + layout->height};
  platform_layout_free(layout);
  return size;
}

static void write_words(struct xml_writer *xml, double x, double y, const char *text) {
  xml_write_begin(xml, "text x='%.1f' y='%.1f'", x, y);
  xml_write_text(xml, "%s", text);
  xml_write_end(xml);
}

/* Write BOX, filled with FILL and called LABEL; TITLE is the text under a pointer. */
static void write_box(struct xml_writer *xml, const struct svg_box *box, const char *fill, const char *label,
                      const char *title) {
  svg_box(xml, box, fill, title);
  write_words(xml, box->x + 5, box->y + 19, label);
}

/* Write the processes of a host, and below the processes the NICs. */
static void add_host(const struct platform *platform, struct xml_writer *xml, double left, double top) {
  char label[TEXT_SIZE], title[TEXT_SIZE];
  struct node_drawing_size size = node_drawing_size(platform);
  snprintf(title, sizeof title, "host: %u processes, which copy %.4g MB/s", platform->node.processes,
           platform->host.copy);
  svg_box(xml, &(struct svg_box){left, top + head, size.width, size.height - head}, "#f7f7f7", title);
  for (unsigned i = 0; i < processes_shown(platform); i++) {
    snprintf(label, sizeof label, "process %u", i);
    snprintf(title, sizeof title, "process %u: %.4g us to send a message, %.4g us to receive it", i,
             platform->nic.send, platform->nic.receive);
    const struct svg_box box = {left + space + i * (box_width + space), top + head + space, box_width,
                                box_height};
    write_box(xml, &box, "#d3ebf8", label, title);
  }
  for (unsigned rail = 0; rail < platform->nic.rails; rail++) {
    snprintf(label, sizeof label, "NIC %u", rail);
    if (platform->nic.bus > 0) {
      snprintf(title, sizeof title, "NIC on rail %u, behind a bus of %.4g MB/s that both directions share",
               rail, platform->nic.bus);
    } else {
      snprintf(title, sizeof title, "NIC on rail %u", rail);
    }
    const struct svg_box box = {left + space + rail * (box_width + space),
                                top + head + 3 * space + box_height, nic_width, box_height};
    write_box(xml, &box, "#f0e442", label, title);
  }
}

void node_drawing_add(const struct platform *platform, struct xml_writer *xml, double left, double top) {
  char text[TEXT_SIZE];
  bool triblade = platform_blades_per_host(platform) != 0;
  if (is_host(platform)) {
    snprintf(text, sizeof text, "One host in detail%s",
             processes_shown(platform) < platform->node.processes ? ", its first processes" : "");
  } else if (triblade) {
    snprintf(
      text, sizeof text,
      "One of the %u blades of a triblade in detail; a PCIe link of %.4g GB/s and %.4g us leads to the host",
      platform->node.blades, platform->pcie.bandwidth, platform->pcie.latency);
  } else {
    snprintf(text, sizeof text, "One blade in detail; the PPE of chip 0 talks to the network");
  }
  write_words(xml, left, top + 18, text);
  if (is_host(platform)) {
    add_host(platform, xml, left, top);
    return;
  }
  xml_write_begin(xml, "svg x='%.1f' y='%.1f'", left, top + head);
  platform_drawing_add(platform, DRAW_PART, xml);
}
