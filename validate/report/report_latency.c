/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report with latency curves: simulated, predicted, measured. */
#include "algos/catalogue.h"
#include "draw/gnuplot_batch.h"
#include "draw/html.h"
#include "draw/plot_frame.h"
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"
#include "sim/hw/blade.h"
#include "validate/model/compare.h"
#include "validate/report/curves.h"
#include "validate/report/plot.h"
#include "validate/report/plot_curves.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_figures.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Add VALUE to the N different ones in LIST, which ascend and have room for it.
 * returns: how many there are now. */
static size_t add_value(uint64_t *list, size_t n, uint64_t value) {
  size_t i = n;
  while (i > 0 && list[i - 1] > value) {
    i--;
  }
  if (i > 0 && list[i - 1] == value) {
    return n;
  }
  memmove(&list[i + 1], &list[i], (n - i) * sizeof *list);
  list[i] = value;
  return n + 1;
}

/* Tell whether each of the N values of LIST is twice the one before. */
static bool doubles(const uint64_t *list, size_t n) {
  bool all = list[0] > 0;
  for (size_t i = 1; i < n; i++) {
    all &= list[i] == 2 * list[i - 1];
  }
  return all;
}

/* Write the N sizes of LIST as an option. */
static void write_sizes(FILE *stream, const uint64_t *list, size_t n) {
  char text[UNITS_TEXT_SIZE];
  bool range = n > 2 && doubles(list, n);
  for (size_t i = 0; i < n; i += range ? n - 1 : 1) {
    units_format_bytes(list[i], text);
    fprintf(stream, "%s%s", i == 0 ? " -s " : range ? ".." : ",", text);
  }
}

/* Write the options for the ranks and sizes of the points that the picture of GROUP shows. */
static void write_grid(FILE *stream, const struct plot_group *group) {
  size_t room = 0, n = 0;
  for (size_t i = 0; i < group->n; i++) {
    room += group->curves[i].npoints;
  }
  uint64_t *values = xcalloc(room, sizeof *values);
  for (size_t i = 0; i < group->n; i++) {
    for (size_t j = 0; j < group->curves[i].npoints; j++) {
      const struct curve_point *point = &group->curves[i].points[j];
      if (!group->ranks || point->ranks == group->ranks) {
        n = add_value(values, n, group->ranks ? point->bytes : point->ranks);
      }
    }
  }
  if (group->ranks) {
    fprintf(stream, " -n %u", group->ranks);
    write_sizes(stream, values, n);
  } else {
    for (size_t i = 0; i < n; i++) {
      fprintf(stream, "%s%u", i ? "," : " -n ", (unsigned)values[i]);
    }
  }
  free(values);
}

/* Return the words of a command line that runs GROUP of REPORT, each with a blank before it. Curves of
 * measured calls have the software costs under which `published` simulates them, whatever those of the page
 * are.
 * owner: the caller frees the text. */
static char *group_words(const struct report *report, const struct plot_group *group) {
  size_t nbytes;
  const char *profile = NULL;
  char *words;
  FILE *stream = open_memstream(&words, &nbytes);
  for (size_t i = 0; i < group->n; i++) {
    const struct curve *curve = &group->curves[i];
    fprintf(stream, " %s", curve->name);
    profile = curve->usual ? profile : curve->profile->name;
  }
  write_grid(stream, group);
  fputs(" --format=csv", stream);
  fputs(report->options->curve[group->curves->call.algo->collective], stream);
  if (profile) {
    fprintf(stream, " --profile %s", profile);
  } else {
    fputs(report->options->profile, stream);
  }
  fclose(stream);
  return words;
}

/* Tell whether a model predicts a point of GROUP. */
static bool is_predicted(const struct plot_group *group) {
  for (size_t i = 0; i < group->n; i++) {
    for (size_t j = 0; j < group->curves[i].npoints; j++) {
      const struct prediction *predicted = group->curves[i].points[j].predicted;
      if (!isnan(predicted[MODEL_PUBLISHED].middle) || !isnan(predicted[MODEL_REFINED].middle)) {
        return true;
      }
    }
  }
  return false;
}

/* Return the caption of the picture of GROUP.
 * owner: the caller frees the text. */
static char *title_of(const struct plot_group *group) {
  const struct curve *first = group->curves;
  bool one_profile = first->profile == first[group->n - 1].profile;
  char place[64] = " over ranks";
  if (group->ranks) {
    snprintf(place, sizeof place, " on %u ranks, over bytes", group->ranks);
  }
  return xasprintf("Latency: %s%s%s%s", collective_name(first->call.algo->collective), place,
                   one_profile ? "; software costs " : "", one_profile ? first->profile->name : "");
}

/* Write links from the picture of GROUP to the rows of its algorithms in the table of algorithms. */
static void write_links(const struct report *report, const struct plot_group *group,
                        struct xml_writer *page) {
  bool any = false;
  for (size_t i = 0; i < group->n; i++) {
    char row[REPORT_ROW_SIZE];
    if (report_row_of(report, &group->curves[i].call, row)) {
      const char *colon = strchr(group->curves[i].name, ':');
      if (!any) {
        html_block_begin(page, "p", "command");
        xml_write_text(page, "Errors of the published model: ");
      }
      html_link(page, &(struct html_link){row, colon ? colon + 1 : group->curves[i].name});
      any = true;
    }
  }
  if (any) {
    html_block_end(page);
  }
}

/* Write the next of PICTURES, that of GROUP called NAME, and where its figures come from. */
static void write_picture(const struct report *report, const struct plot_group *group, const char *name,
                          struct gnuplot_batch *pictures, struct xml_writer *page) {
  char *title = title_of(group), *words = group_words(report, group), *csv, *file = xstrdup(title);
  enum collective collective = group->curves->call.algo->collective;
  size_t nbytes;
  FILE *stream = open_memstream(&csv, &nbytes);
  plot_plain_name(file);
  plot_curves_csv(group, stream);
  fclose(stream);
  html_figure_begin(page, name);
  html_picture(page, title, gnuplot_batch_next(pictures));
  html_data(page, file, csv);
  html_command(page, "Simulated", "cellcoll run%s", words);
  if (is_predicted(group)) {
    html_command(page, "Predicted", "cellcoll compare --format=csv%s | grep ^%s:", report->options->grid,
                 collective_name(collective));
  }
  write_links(report, group, page);
  html_block_end(page);
  free(file);
  free(csv);
  free(words);
  free(title);
}

/* A page with pictures, those of a collective together. */
struct album {
  struct xml_writer *page;
  int last; /* the collective of the last picture; -1: there was none */
};

/* Begin in ALBUM what is of the collective of GROUP, unless that has begun. */
static void begin_collective(struct album *album, const struct plot_group *group) {
  enum collective collective = group->curves->call.algo->collective;
  if (album->last == (int)collective) {
    return;
  }
  if (album->last >= 0) {
    html_block_end(album->page);
  }
  html_block(album->page, "h3", NULL, "%s", collective_name(collective));
  html_block_begin(album->page, "div", "pictures");
  album->last = (int)collective;
}

/* Write the picture of GROUP unless there are no points for it; ALBUM NULL: ask PICTURES for it. */
static void write_latency(const struct report *report, const struct plot_group *group,
                          struct gnuplot_batch *pictures, struct album *album) {
  char name[REPORT_FIGURE_SIZE];
  if (plot_count_points(group) == 0) {
    return;
  }
  report_figure_id(report->curves, group, name);
  if (album) {
    begin_collective(album, group);
    write_picture(report, group, name, pictures, album->page);
  } else {
    plot_curves(group, name, pictures);
  }
}

/* Return the most ranks of a point of GROUP. */
static unsigned most_ranks(const struct plot_group *group) {
  unsigned most = 0;
  for (size_t i = 0; i < group->n; i++) {
    for (size_t j = 0; j < group->curves[i].npoints; j++) {
      unsigned ranks = group->curves[i].points[j].ranks;
      most = ranks > most ? ranks : most;
    }
  }
  return most;
}

/* Write the pictures of GROUP: over ranks, or over bytes on all SPEs of a chip, of a machine, and of all
 * nodes. */
static void write_group(const struct report *report, const struct plot_group *group,
                        struct gnuplot_batch *pictures, struct album *album) {
  const unsigned all = blade_nspes(report->blade), most = most_ranks(group);
  struct plot_group own = *group;
  if (group->curves->call.algo->collective == COLL_BARRIER) {
    write_latency(report, &own, pictures, album);
    return;
  }
  for (own.ranks = blade_spes_per_chip(report->blade); own.ranks != 0; own.ranks = own.ranks < all    ? all
                                                                                   : own.ranks < most ? most
                                                                                                      : 0) {
    write_latency(report, &own, pictures, album);
  }
}

void report_draw_latencies(const struct report *report, struct gnuplot_batch *pictures) {
  struct plot_group group = {0};
  while (plot_next_group(report->curves, &group)) {
    write_group(report, &group, pictures, NULL);
  }
}

void report_write_latencies(const struct report *report, struct gnuplot_batch *pictures,
                            struct xml_writer *page) {
  struct plot_group group = {0};
  struct album album = {page, -1};
  html_heading(page, "latency",
               report->unmeasured ? "Latency: simulated, predicted"
                                  : "Latency: simulated, predicted, measured");
  html_paragraph(
    page,
    "Points on thin lines are simulated, one call by itself. Dashed lines of the same colour are what the "
    "published model predicts, with a light band where it gives a range, and dotted ones what the refined "
    "model predicts. %sThe numbers of a point appear beside the mouse pointer.",
    report->unmeasured
      ? ""
      : "Stars are measured on real machines, as published, as the mean of calls in a loop, which "
        "may overlap; a cross of the same colour is simulated in such a loop, and is what a star is "
        "to be compared with. ");
  while (plot_next_group(report->curves, &group)) {
    write_group(report, &group, pictures, &album);
  }
  if (album.last >= 0) {
    html_block_end(page);
  } else {
    html_paragraph(page, "On this machine no call is on more than one rank.");
  }
}
