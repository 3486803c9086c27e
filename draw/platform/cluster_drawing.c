/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_drawing.h. Rows from the bottom up: nodes with NICs, then the levels of switches. Rails stand
 * side by side, each rail in its own colour. Below the rows are the key figures and one blade in detail: of
 * hosts the key figures say all. Of a long row the first boxes are drawn; an ellipsis stands for links to
 * boxes not drawn. */
#include "draw/platform/platform_drawing.h"

#include "draw/font.h"
#include "draw/platform/platform_layout.h"
#include "platform/network_shape.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MOST = 12, LEVELS_MOST = NETWORK_LEVELS_MAX + 1, TEXT_SIZE = 200 };

static const double width = 1120, margin = 40, names_width = 160, names_font = 12, node_width = 56,
                    node_height = 34, nic_size = 9, switch_height = 22, row_height = 110, rail_gap = 8,
                    switch_most = 120;

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

/* --- texts --- */

/* The most names of nodes in a list. */
enum { NAMES_MOST = 12 };

static const double legend_left = 24, legend_font = 11, label_width = 130;

/* Return room for texts, as wide as the drawing.
 * owner: the caller, with platform_layout_free. */
static struct platform_layout *new_texts(void) {
  struct platform_layout *layout = xcalloc(1, sizeof *layout);
  layout->width = width;
  layout->scale = 1;
  return layout;
}

/* Add a row of LABEL and a formatted value at the bottom of LAYOUT. */
static void __attribute__((format(printf, 3, 4)))
add_figure(struct platform_layout *layout, const char *label, const char *format, ...) {
  struct draw_text text = {.text = label,
                           .baseline = {legend_left, layout->height + legend_font},
                           .size = legend_font,
                           .faint = true};
  va_list arguments;
  va_start(arguments, format);
  SCOPED char *value = xvasprintf(format, arguments);
  va_end(arguments);
  text_lines_add(layout, &text);
  text.text = value;
  text.baseline.x += label_width;
  text.faint = false;
  text_lines_add_paragraph(layout, &text, layout->width - 2 * legend_left - label_width);
  layout->height = text.baseline.y - legend_font + 3;
}

/* Return the key figures of the network and of the hosts of PLATFORM.
 * owner: the caller, with platform_layout_free. */
static struct platform_layout *make_figures(const struct platform *platform) {
  struct platform_layout *layout = new_texts();
  add_figure(layout, "Network", "%s, %s", platform->network.topology, platform->network.transport);
  if (platform_has_network_file(platform)) {
    add_figure(layout, "Links", "as in the file %s", platform->network.file);
    SCOPED char *names = NULL;
    for (unsigned i = 0; platform->host_names && i < platform->node.count && i < NAMES_MOST; i++) {
      xappend(&names, "%s%s", i ? ", " : "", platform->host_names[i]);
    }
    if (names && platform->node.count > NAMES_MOST) {
      xappend(&names, " and %u more", platform->node.count - NAMES_MOST);
    }
    if (names) {
      add_figure(layout, "Hosts", "%s", names);
    }
  } else {
    add_figure(layout, "Link", "%.4g MB/s each way, %.4g us", platform->network.bandwidth,
               platform->network.latency);
  }
  add_figure(layout, "Packet", "up to %u bytes, with a header of %u", platform->network.packet,
             platform->network.header);
  add_figure(layout, "Message", "%.4g us to send, %.4g us to receive", platform->nic.send,
             platform->nic.receive);
  add_figure(layout, "NICs of a node", "%u", platform->nic.rails);
  if (platform->nic.bus > 0) {
    add_figure(layout, "Bus of a NIC", "%.4g MB/s, both directions share it", platform->nic.bus);
  }
  if (!platform_has_spes(platform)) {
    add_figure(layout, "Processes of a host", "%u", platform->node.processes);
    add_figure(layout, "Copies in a host", "%.4g MB/s", platform->host.copy);
  }
  return layout;
}

/* --- one blade --- */

static const double head = 28; /* the line above a blade in detail */

/* Draw one blade of PLATFORM in detail. */
static void draw_blade(const struct platform *platform, struct xml_writer *xml, double left, double top) {
  const char *blade = "One blade in detail; the PPE of chip 0 talks to the network";
  if (platform_blades_per_host(platform) != 0) {
    blade = text_brief(
      "One of the %u blades of a triblade in detail; a PCIe link of %.4g GB/s and %.4g us leads to the host",
      platform->node.blades, platform->pcie.bandwidth, platform->pcie.latency);
  }
  xml_write_full(xml, blade, "text x='%.1f' y='%.1f'", left, top + 18);
  xml_write_begin(xml, "svg x='%.1f' y='%.1f'", left, top + head);
  platform_drawing_add(platform, DRAW_PART, xml);
}

/* --- all nodes --- */

/* A row of boxes. */
struct row {
  unsigned n, shown;
  double y;
  char name[TEXT_SIZE];
};

struct drawing {
  const struct platform *platform;
  struct xml_writer *xml;
  struct network_shape shape;
  struct row rows[1 + LEVELS_MOST]; /* the nodes, then the levels */
  unsigned nrows;
  double nic_step; /* from a NIC to the next NIC */
  struct platform_layout *title, *figures;
};

/* Return the middle of box INDEX of ROW. */
static double middle(const struct row *row, unsigned index) {
  return margin + names_width + (width - 2 * margin - names_width) * (index + 0.5) / row->shown;
}

/* Return the ending of the plural of NAME for N things. */
static const char *plural(const char *name, unsigned n) {
  return n == 1 ? "" : strcmp(name + strlen(name) - 2, "ch") == 0 ? "es" : "s";
}

/* Return the middle of the NIC of RAIL of node INDEX; the NICs of a node stand on the node. */
static double nic_middle(const struct drawing *drawing, unsigned index, unsigned rail) {
  return middle(&drawing->rows[0], index) +
         drawing->nic_step * (rail - (drawing->platform->nic.rails - 1) / 2.0);
}

/* Return the distance from the switch of a rail in ROW to the switch of the next rail. */
static double rail_step(const struct drawing *drawing, const struct row *row) {
  double room = (width - 2 * margin - names_width) / row->shown - rail_gap;
  return fmin(room / drawing->platform->nic.rails, switch_most + rail_gap);
}

/* Return the middle of the switch of RAIL at place INDEX of ROW; the switches of the rails stand side by
 * side. */
static double switch_middle(const struct drawing *drawing, const struct row *row, unsigned index,
                            unsigned rail) {
  return middle(row, index) + rail_step(drawing, row) * (rail - (drawing->platform->nic.rails - 1) / 2.0);
}

static void add_row(struct drawing *drawing, unsigned n, const char *name) {
  struct row *row = &drawing->rows[drawing->nrows++];
  *row = (struct row){.n = n, .shown = MIN(n, SHOWN_MOST)};
  snprintf(row->name, sizeof row->name, "%u %s%s%s", n, name, plural(name, n),
           row->shown < n ? ", the first ones drawn" : "");
}

/* Append to the text of the last row, switches over boxes called BELOW, on how many rails the row is, and the
 * number of joined boxes, if some of the boxes below are not drawn. */
static void say_below(struct drawing *drawing, const char *below) {
  unsigned last = drawing->nrows - 1, n = network_nbelow(&drawing->shape, last, 0),
           rails = drawing->platform->nic.rails;
  struct row *row = &drawing->rows[last];
  size_t used = strlen(row->name);
  if (rails > 1) {
    used += (size_t)snprintf(row->name + used, sizeof row->name - used, " on each of %u rails", rails);
  }
  if (row->n > 1 && drawing->rows[last - 1].shown < drawing->rows[last - 1].n) {
    snprintf(row->name + used, sizeof row->name - used, "; %s%u %s%s at each",
             network_nbelow(&drawing->shape, last, row->n - 1) < n ? "up to " : "", n, below,
             plural(below, n));
  }
}

/* List the nodes and the levels of switches. */
static void list_rows(struct drawing *drawing) {
  const struct platform *platform = drawing->platform;
  const char *below = platform->node.kind;
  struct err err = {.text = ""};
  add_row(drawing, platform->node.count, below);
  if (network_shape(platform, &drawing->shape, &err) != 0) {
    return;
  }
  for (unsigned level = 1; level <= drawing->shape.nlevels; level++) {
    const char *name = drawing->shape.kind->levels[level > 1];
    add_row(drawing, network_nswitches(&drawing->shape, level), name);
    say_below(drawing, below);
    below = name;
  }
  for (unsigned i = 0; i < drawing->nrows; i++) {
    drawing->rows[i].y = drawing->title->height + margin + row_height * (drawing->nrows - 1 - i) + 20;
  }
}

/* Write BOX, with the middle as left end, filled with FILL. TITLE is the text under a pointer; the words
 * before a colon are the id. */
static void write_box(struct drawing *drawing, struct draw_box box, const char *fill, const char *title) {
  char id[TEXT_SIZE];
  snprintf(id, sizeof id, "%.*s", (int)strcspn(title, ":"), title);
  for (char *blank = id; (blank = strchr(blank, ' '));) {
    *blank = '-';
  }
  box.left -= box.width / 2;
  xml_write_begin(drawing->xml, SVG_BOX " fill='%s' stroke='#444444' id='%s'", SVG_BOX_OF(&box), fill, id);
  xml_write_element(drawing->xml, "title", "%s", title);
  xml_write_end(drawing->xml);
}

/* Write the lines of rail RAIL from ROW to the row above. */
static void write_lines(struct drawing *drawing, unsigned row, unsigned rail) {
  const struct row *below = &drawing->rows[row], *above = &drawing->rows[row + 1];
  struct xml_writer *xml = drawing->xml;
  for (unsigned i = 0; i < below->shown; i++) {
    for (unsigned j = 0; j < above->shown; j++) {
      if (!network_joins(&drawing->shape, row + 1, i, j)) {
        continue;
      }
      xml_write_empty(xml, SVG_LINE " stroke='%s'",
                      row == 0 ? nic_middle(drawing, i, rail) : switch_middle(drawing, below, i, rail),
                      below->y - (row == 0 ? nic_size : 0), switch_middle(drawing, above, j, rail),
                      above->y + switch_height, colours[rail % 4]);
    }
  }
}

/* Write an ellipsis in the middle X of a box, on the line Y. */
static void write_ellipsis(struct drawing *drawing, double x, double y) {
  xml_write_full(drawing->xml, "\u2026", "text x='%.1f' y='%.1f' text-anchor='middle'", x, y);
}

/* Write ellipses in boxes of ROW and of the row above: at the bottom of a switch if some box below has no
 * line, at the top of a box if some switch above has no line. */
static void write_ellipses(struct drawing *drawing, unsigned row) {
  const struct row *below = &drawing->rows[row], *above = &drawing->rows[row + 1];
  unsigned up[SHOWN_MOST] = {0}, down[SHOWN_MOST] = {0}; /* lines drawn */
  for (unsigned i = 0; i < below->shown; i++) {
    for (unsigned j = 0; j < above->shown; j++) {
      bool joined = network_joins(&drawing->shape, row + 1, i, j);
      up[i] += joined;
      down[j] += joined;
    }
  }
  for (unsigned i = 0; i < below->shown; i++) {
    if (up[i] < drawing->shape.up[row]) {
      write_ellipsis(drawing, middle(below, i), below->y + 6);
    }
  }
  for (unsigned i = 0; i < above->shown; i++) {
    if (down[i] < network_nbelow(&drawing->shape, row + 1, i)) {
      write_ellipsis(drawing, middle(above, i), above->y + switch_height - 4);
    }
  }
}

/* Write the name of node INDEX into the box. */
static void write_node_name(struct drawing *drawing, unsigned index) {
  const char *const *names = drawing->platform->host_names;
  const char *name = names ? text_brief("%.31s", names[index]) : text_brief("node %u", index);
  double size = fmin(names_font, names_font * (node_width - 4) / font_text_width(name, names_font));
  xml_write_full(drawing->xml, name, SVG_WORD, middle(&drawing->rows[0], index),
                 drawing->rows[0].y + node_height / 2 + size / 3, size);
}

static void write_nodes(struct drawing *drawing) {
  const struct platform *platform = drawing->platform;
  const struct row *nodes = &drawing->rows[0];
  for (unsigned i = 0; i < nodes->shown; i++) {
    const char *const *names = platform->host_names;
    write_box(
      drawing, (struct draw_box){middle(nodes, i), nodes->y, node_width, node_height}, "#d3ebf8",
      text_brief("node %u: %s%s%.80s", i, platform->node.kind, names ? " " : "", names ? names[i] : ""));
    write_node_name(drawing, i);
    for (unsigned rail = 0; rail < platform->nic.rails; rail++) {
      double wide = fmin(nic_size, drawing->nic_step);
      struct draw_box box = {nic_middle(drawing, i, rail), nodes->y - nic_size, wide, nic_size};
      write_box(drawing, box, "#f0e442", text_brief("NIC of node %u on rail %u", i, rail));
    }
  }
}

/* Write the switches of all rails. */
static void write_switches(struct drawing *drawing, unsigned row) {
  const struct row *switches = &drawing->rows[row];
  double wide = rail_step(drawing, switches) * 0.93;
  for (unsigned rail = 0; rail < drawing->platform->nic.rails; rail++) {
    for (unsigned i = 0; i < switches->shown; i++) {
      struct draw_box box = {switch_middle(drawing, switches, i, rail), switches->y, wide, switch_height};
      write_box(drawing, box, "#dfa6c4",
                text_brief("switch %u of level %u on rail %u: %.4g MB/s each way, %.4g us", i, row, rail,
                           drawing->platform->network.bandwidth, drawing->platform->network.latency));
    }
  }
}

/* Return where the key figures begin, below all rows. */
static double figures_top(const struct drawing *drawing) {
  return drawing->title->height + row_height * drawing->nrows + margin / 2;
}

/* Return where one blade in detail begins, below the key figures. */
static double blade_top(const struct drawing *drawing) {
  return figures_top(drawing) + drawing->figures->height + margin / 2;
}

/* Write the texts of LAYOUT from TOP on. */
static void write_layout(struct drawing *drawing, const struct platform_layout *layout, double top) {
  xml_write_begin(drawing->xml, "g transform='translate(%.0f %.1f)'", margin - 24, top);
  platform_drawing_add_texts(layout, drawing->xml);
  xml_write_end(drawing->xml);
}

static void write_head(const struct drawing *drawing) {
  const struct platform *platform = drawing->platform;
  struct xml_writer *xml = drawing->xml;
  double height = blade_top(drawing), wide = width;
  if (platform_has_spes(platform)) {
    struct platform_layout *blade = platform_layout_new(platform, DRAW_PART, "");
    height += head + blade->height + margin;
    wide = fmax(wide, blade->width + 2 * margin);
    platform_layout_free(blade);
  }
  xml_write_attributes(
    xml,
    "xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 %.0f %.0f' "
    "font-family='sans-serif' font-size='13'",
    wide, height, wide, height);
  xml_write_element(xml, "title", "%s", platform->name);
  xml_write_element(xml, "desc", "%s. Nodes: %u; rails: %u; network: %s; transport: %s.",
                    platform->description, platform->node.count, platform->nic.rails,
                    platform->network.topology, platform->network.transport);
  xml_write_empty(xml, "rect width='%.0f' height='%.0f' fill='#ffffff'", wide, height);
}

/* Write the names of the rows, to the left of all boxes and lines. */
static void write_row_names(struct drawing *drawing) {
  struct platform_layout *names = new_texts();
  VEC_EACH(row, drawing->rows, drawing->nrows) {
    struct draw_text text = {
      .text = row->name, .baseline = {margin, row->y + names_font}, .size = names_font};
    text_lines_add_paragraph(names, &text, names_width - 16);
  }
  platform_drawing_add_texts(names, drawing->xml);
  platform_layout_free(names);
}

void cluster_drawing_write(const struct platform *platform, FILE *stream) {
  struct xml_writer *xml = xml_write_new(stream);
  struct drawing drawing = {.platform = platform,
                            .xml = xml,
                            .nic_step = fmin(14, node_width / platform->nic.rails),
                            .title = new_texts(),
                            .figures = make_figures(platform)};
  drawing.title->height = platform_legend_add_title(drawing.title, platform);
  list_rows(&drawing);
  xml_write_declaration(xml);
  xml_write_begin(xml, "svg");
  write_head(&drawing);
  write_layout(&drawing, drawing.title, 0);
  for (unsigned row = 0; row + 1 < drawing.nrows; row++) {
    for (unsigned rail = 0; rail < platform->nic.rails; rail++) {
      write_lines(&drawing, row, rail);
    }
  }
  write_nodes(&drawing);
  for (unsigned row = 1; row < drawing.nrows; row++) {
    write_switches(&drawing, row);
  }
  for (unsigned row = 0; row + 1 < drawing.nrows; row++) {
    write_ellipses(&drawing, row);
  }
  write_row_names(&drawing);
  write_layout(&drawing, drawing.figures, figures_top(&drawing));
  if (platform_has_spes(platform)) {
    draw_blade(platform, xml, margin, blade_top(&drawing));
  }
  xml_write_end(xml);
  xml_write_free(xml);
  platform_layout_free(drawing.title);
  platform_layout_free(drawing.figures);
}

void cluster_drawing_write_text(const struct platform *platform, FILE *stream) {
  struct drawing drawing = {.platform = platform, .title = new_texts()};
  list_rows(&drawing);
  for (unsigned row = drawing.nrows; row-- > 0;) {
    const char *name = drawing.rows[row].name, *drawn = strstr(name, ", the first ones drawn");
    const char *rest = drawn ? strchr(drawn, ';') : NULL;
    fprintf(stream, "    %.*s%s\n%s", drawn ? (int)(drawn - name) : TEXT_SIZE, name, rest ? rest : "",
            row ? "        |\n" : "");
  }
  if (platform_has_spes(platform)) {
    fprintf(stream, "\nOne blade:\n\n");
    platform_drawing_write_text(platform, stream);
  }
  platform_layout_free(drawing.title);
}
