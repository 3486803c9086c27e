/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report about which algorithm to choose: for each collective a map of the fastest ones over
 * ranks and sizes, with what the best other algorithm loses. */
#include "algos/catalogue.h"
#include "draw/html.h"
#include "sim/base/units.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"
#include "validate/model/tune.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_figures.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TINTS = 8, LITTLE = 5 /* percent of loss that hardly matters */ };

/* The decisions about one problem, which follow each other in a tuning. */
struct map {
  const struct tune_decision *decisions;
  size_t n;
  const struct algo *seen[TINTS]; /* winners in the order in which they are met: each has a tint of its own */
};

static bool same_problem(const struct tune_decision *a, const struct tune_decision *b) {
  return a->problem.collective == b->problem.collective && a->problem.in_memory == b->problem.in_memory;
}

/* Go on to the next map of TUNING; MAP starts as zero.
 * returns: false after the last one. */
static bool next_map(const struct tuning *tuning, struct map *map) {
  const struct tune_decision *end = tuning->decisions + tuning->n;
  *map = (struct map){.decisions = map->decisions ? map->decisions + map->n : tuning->decisions};
  while (map->decisions + map->n < end && same_problem(map->decisions, map->decisions + map->n)) {
    map->n++;
  }
  return map->n > 0;
}

/* Return the loss of the runner-up of DECISION in percent, 0 in a tie of several algorithms; NaN: there is no
 * other algorithm. SECOND becomes the runner-up, or NULL. */
static double loss_of(const struct tune_decision *decision, const struct tune_candidate **second) {
  bool is_tie = false;
  const struct tune_candidate *winner = tune_fastest(decision->candidates, decision->n);
  *second = winner ? tune_runner_up(decision->candidates, decision->n, &is_tie) : NULL;
  return is_tie ? 0 : *second ? 100 * (*second)->simulated / winner->simulated - 100 : NAN;
}

/* Return the tint of ALGO in MAP: those that come after the last tint share it. */
static unsigned tint_of(struct map *map, const struct algo *algo) {
  unsigned tint = 0;
  while (tint < TINTS - 1 && map->seen[tint] && map->seen[tint] != algo) {
    tint++;
  }
  map->seen[tint] = algo;
  return tint;
}

/* Return the name of CALL behind that of its collective. */
static const char *short_name(const struct algo_call *call, char name[CATALOGUE_NAME_SIZE]) {
  catalogue_format(call, name, 128);
  const char *colon = strchr(name, ':');
  return colon ? colon + 1 : name;
}

/* Write the name of CANDIDATE of DECISION, with a link to its curve. */
static void write_name(const struct report *report, const struct tune_decision *decision,
                       const struct tune_candidate *candidate, struct xml_writer *page) {
  char name[CATALOGUE_NAME_SIZE], figure[REPORT_FIGURE_SIZE];
  bool has_figure = report_figure_of(report, &candidate->call, decision->ranks, figure);
  if (has_figure) {
    xml_write_begin(page, "a");
    xml_write_attribute(page, "href", "#%s", figure);
  }
  xml_write_text(page, "%s", short_name(&candidate->call, name));
  if (has_figure) {
    xml_write_end(page);
  }
}

/* Write the cell of DECISION: the fastest algorithms, the loss and the name of the runner-up. */
static void write_cell(const struct report *report, struct map *map, const struct tune_decision *decision,
                       struct xml_writer *page) {
  const struct tune_candidate *second, *winner = tune_fastest(decision->candidates, decision->n);
  char name[CATALOGUE_NAME_SIZE];
  const char *separator = "";
  if (!winner) {
    html_cell(page, "\u2013");
    return;
  }
  double loss = loss_of(decision, &second);
  xml_write_begin(page, "td");
  xml_write_attribute(page, "class", "tint%u", tint_of(map, winner->call.algo));
  for (size_t i = 0; i < decision->n; i++) {
    if (tune_wins(decision->candidates, decision->n, i)) {
      xml_write_text(page, "%s", separator);
      write_name(report, decision, &decision->candidates[i], page);
      separator = "; ";
    }
  }
  if (second) {
    xml_write_text(page, " +%.1f\u00a0%%", loss);
  }
  xml_write_begin(page, "small");
  xml_write_text(page, "%s", second ? short_name(&second->call, name) : isnan(loss) ? "no other" : "tie");
  xml_write_end(page);
  xml_write_end(page);
}

/* Return the decision of MAP about RANKS and BYTES; NULL: there is none. */
static const struct tune_decision *find(const struct map *map, unsigned ranks, size_t bytes) {
  for (size_t i = 0; i < map->n; i++) {
    if (map->decisions[i].ranks == ranks && map->decisions[i].bytes == bytes) {
      return &map->decisions[i];
    }
  }
  return NULL;
}

/* Write the row of BYTES: a cell for each number of ranks of MAP. */
static void write_row(const struct report *report, struct map *map, size_t bytes, struct xml_writer *page) {
  char text[UNITS_TEXT_SIZE] = "\u2013";
  if (bytes) {
    report_format_bytes(bytes, text);
  }
  html_row_begin(page);
  html_row_heading(page, text);
  for (size_t i = 0; i < map->n; i++) {
    unsigned ranks = map->decisions[i].ranks;
    if (i == 0 || ranks != map->decisions[i - 1].ranks) {
      const struct tune_decision *decision = find(map, ranks, bytes);
      if (decision) {
        write_cell(report, map, decision, page);
      } else {
        html_cell(page, "\u2013");
      }
    }
  }
  html_block_end(page);
}

/* Write MAP as a table: a column for each number of ranks, a row for each size. */
static void write_map(const struct report *report, struct map *map, struct xml_writer *page) {
  char name[TUNE_NAME_SIZE], *columns = xstrdup("size");
  for (size_t i = 0; i < map->n; i++) {
    if (i == 0 || map->decisions[i].ranks != map->decisions[i - 1].ranks) {
      char *longer = xasprintf("%s|%u ranks", columns, map->decisions[i].ranks);
      free(columns);
      columns = longer;
    }
  }
  tune_problem_format(map->decisions->problem, name);
  html_table_begin_as(page, "map", columns);
  for (size_t i = 0; i < map->n; i++) {
    size_t bytes = map->decisions[i].bytes;
    bool is_new = true;
    for (size_t j = 0; j < i; j++) {
      is_new &= map->decisions[j].bytes != bytes;
    }
    if (is_new) {
      write_row(report, map, bytes, page);
    }
  }
  html_table_end(page);
  html_command(page, report_data_from, "cellcoll tune %s --format=csv%s", name,
               report->options->tune[map->decisions->problem.collective]);
  free(columns);
}

/* Say how often the choice hardly matters. */
static void say_losses(const struct tuning *tuning, struct xml_writer *page) {
  size_t n = 0, little = 0;
  for (size_t i = 0; i < tuning->n; i++) {
    const struct tune_candidate *second;
    double loss = loss_of(&tuning->decisions[i], &second);
    n += isnan(loss) ? 0 : 1;
    little += loss < LITTLE ? 1 : 0;
  }
  if (n > 0) {
    html_paragraph(page,
                   "In %zu of %zu cells the next algorithm loses less than %d\u00a0%%: the choice hardly "
                   "matters there, and is within what the simulation can tell.",
                   little, n, LITTLE);
  }
}

/* Name the software costs of the algorithms of TUNING. */
static void say_costs(const struct tuning *tuning, struct xml_writer *page) {
  const char *profile = tuning->n ? tuning->decisions->profile : "";
  if (strcmp(profile, "source") == 0) {
    html_paragraph(page,
                   "Each algorithm has the software costs of its own paper, so that a cheap message of one "
                   "paper can win against a better algorithm of another one.");
  } else if (*profile) {
    html_paragraph(page,
                   "All algorithms have the same software costs, those of profile %s; the curves have those "
                   "of each algorithm\u2019s own paper.",
                   profile);
  }
}

void report_write_winners(const struct report *report, struct xml_writer *page) {
  struct map map = {0};
  html_heading(page, "winners", "Which algorithm is the fastest");
  html_paragraph(
    page,
    "For each number of ranks and each size the fastest algorithm in the simulation, with the parameters "
    "that make it the fastest, and by how many percent the best other algorithm, named below, is slower; "
    "where several are the fastest, all of them. One algorithm has one tint in a table. A name leads to the "
    "picture with its curve. Data in local store and data in main memory (-mm) are different problems.");
  say_costs(report->tuning, page);
  say_losses(report->tuning, page);
  while (next_map(report->tuning, &map)) {
    char name[TUNE_NAME_SIZE];
    tune_problem_format(map.decisions->problem, name);
    xml_write_begin(page, "h3");
    xml_write_attribute(page, "id", "winners-%s", name);
    xml_write_text(page, "%s", name);
    html_block_end(page);
    write_map(report, &map, page);
  }
}
