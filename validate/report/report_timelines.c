/* SPDX-License-Identifier: BSD-3-Clause
 * See report_timelines.h.
 * source: the two broadcasts: Ali, Midkiff, Pai 2010, section 5.2. */
#include "validate/report/report_timelines.h"

#include "algos/catalogue.h"
#include "draw/html.h"
#include "draw/timeline.h"
#include "draw/timeline_svg.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/units.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger_call.h"
#include "validate/report/call_timeline.h"
#include "validate/report/report_files.h"
#include "validate/report/report_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_BYTES = 16384, BEST_BYTES = 4096 };
static const char pair_name[] = "bcast:binomial-simple", other_name[] = "bcast:binomial-opt";

size_t report_timelines_count(void) {
  return 1 + COLL_COUNT;
}

/* Fill SPEC for CALL on NRANKS SPEs, as ASKED.
 * returns: whether the machine can serve it. */
static bool fill_spec(const struct report_timelines_asked *asked, const struct algo_call *call,
                      unsigned nranks, struct rig_spec *spec) {
  enum collective collective = call->algo->collective;
  *spec = (struct rig_spec){.call = *call,
                            .nranks = nranks,
                            .nbytes = collective_has_data(collective) ? BEST_BYTES : 0,
                            .nrepeats = 1,
                            .seed = 1,
                            .skew_seed = 1};
  spec->profile = rig_compared(blade_platform(asked->blade), asked->profile, call);
  return spec->profile && rig_check(asked->blade, spec, NULL) == 0;
}

/* --- the fastest --- */

struct search {
  const struct report_timelines_asked *asked;
  struct rig_spec best[COLL_COUNT];
  double cycles[COLL_COUNT]; /* 0: there is none */
};

/* Tell whether ALGO, with CYCLES, is better than what is known so far. */
static bool is_better(const struct search *search, const struct algo *algo, double cycles) {
  double least = search->cycles[algo->collective];
  const struct algo *best = search->best[algo->collective].call.algo;
  if (least == 0) {
    return true;
  }
  return algo->in_memory != best->in_memory ? best->in_memory : cycles < least;
}

/* Ask for all variants of ALGO, and keep what is faster than what is known so far. Data in local store and in
 * main memory are different
 * problems: that in main memory counts only where there is nothing else. */
static void try_algorithm(struct search *search, const struct algo *algo) {
  const struct report_timelines_asked *asked = search->asked;
  struct algo_call call = catalogue_call(algo);
  do {
    struct rig_spec spec;
    struct call_result result;
    if (fill_spec(asked, &call, blade_nspes(asked->blade), &spec) &&
        ledger_call(asked->ledger, &(struct call_point){.blade = asked->blade, .spec = spec}, &result) &&
        result.end == CALL_OK && !*result.refused && is_better(search, algo, result.cycles)) {
      search->cycles[algo->collective] = result.cycles;
      search->best[algo->collective] = spec;
    }
  } while (catalogue_next(&call));
}

static void ask(void *context) {
  struct search *search = context;
  memset(search->cycles, 0, sizeof search->cycles);
  for (size_t i = 0; i < catalogue_size; i++) {
    try_algorithm(search, catalogue[i]);
  }
}

/* --- drawing --- */

/* Draw the calls of the SPECS into TIMELINE, which is empty.
 * returns: whether that could be done. */
static bool draw_calls(struct blade *blade, const struct rig_spec *specs, size_t n,
                       struct report_timeline *timeline) {
  struct err refused = {""};
  for (size_t i = 0; i < n; i++) {
    timeline->calls[i] = call_timeline(blade, &specs[i], REPORT_LANES_MAX, &refused);
    timeline->ncalls = i + 1;
    if (!timeline->calls[i]) {
      report_timelines_fini(timeline, 1);
      return false;
    }
  }
  timeline->ranks = specs->nranks;
  timeline->bytes = specs->nbytes;
  return true;
}

/* Return the cycles that the path of TIMELINE stands behind others' bytes. */
static uint64_t behind(const struct timeline *lanes) {
  uint64_t cycles = 0;
  for (size_t i = 0; i < lanes->ncauses; i++) {
    cycles += lanes->causes[i].ink == TIMELINE_SHARED ? lanes->causes[i].cycles : 0;
  }
  return cycles;
}

/* Draw the two broadcasts on the SPEs of a chip. */
static bool draw_pair(const struct report_timelines_asked *asked, struct report_timeline *timeline) {
  struct rig_spec specs[2];
  struct algo_call calls[2];
  struct err refused = {""};
  char numbers[4][TIMELINE_NUMBER_SIZE];
  if (catalogue_find(pair_name, &calls[0], &refused) != 0 ||
      catalogue_find(other_name, &calls[1], &refused) != 0) {
    return false;
  }
  for (size_t i = 0; i < 2; i++) {
    if (!fill_spec(asked, &calls[i], blade_spes_per_chip(asked->blade), &specs[i])) {
      return false;
    }
    specs[i].nbytes = PAIR_BYTES;
  }
  if (!draw_calls(asked->blade, specs, 2, timeline)) {
    return false;
  }
  for (size_t i = 0; i < 2; i++) {
    timeline_number(behind(timeline->calls[i]), numbers[2 * i]);
    timeline_number(timeline->calls[i]->cycles, numbers[2 * i + 1]);
  }
  timeline->caption = xasprintf(
    "In %s a parent serves all its children at once, and the child with the longest way below it waits for "
    "the others: %s of its %s cycles the critical path stands behind others\u2019 bytes. %s serves that "
    "child first: %s of %s.",
    pair_name, numbers[0], numbers[1], other_name, numbers[2], numbers[3]);
  return true;
}

int report_timelines_run(const struct report_timelines_asked *asked, struct report_timeline *timelines,
                         size_t *n, struct err *err) {
  struct search search = {.asked = asked};
  *n = 0;
  if (ledger_settle(asked->ledger, &(struct ledger_round){ask, &search}, err) != 0) {
    return -1;
  }
  ask(&search);
  *n += draw_pair(asked, &timelines[*n]);
  for (enum collective i = 0; i < COLL_COUNT && !des_interrupted(); i++) {
    if (search.cycles[i] > 0 && draw_calls(asked->blade, &search.best[i], 1, &timelines[*n])) {
      timelines[*n].caption =
        xasprintf("%s: the fastest algorithm is %s", collective_name(i), timelines[*n].calls[0]->title);
      (*n)++;
    }
  }
  return 0;
}

void report_timelines_fini(struct report_timeline *timelines, size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < timelines[i].ncalls; j++) {
      timeline_free(timelines[i].calls[j]);
    }
    free(timelines[i].caption);
    timelines[i] = (struct report_timeline){0};
  }
}

/* --- the section --- */

/* Write the command that draws TIMELINE. */
static void write_command(const struct report *report, const struct report_timeline *timeline,
                          struct xml_writer *page) {
  char bytes[UNITS_TEXT_SIZE];
  units_format_bytes(timeline->bytes, bytes);
  bool two = timeline->ncalls > 1, sized = timeline->bytes > 0;
  html_command(page, "The picture", "cellcoll run %s%s%s -n %u%s%s --timeline FILE.svg%s%s",
               timeline->calls[0]->name, two ? " " : "", two ? timeline->calls[1]->name : "", timeline->ranks,
               sized ? " -s " : "", sized ? bytes : "", report->options->machine, report->options->compared);
}

/* Return TIMELINE as a picture called ID. */
static struct timeline_picture picture_of(const struct report_timeline *timeline, const char *id) {
  struct timeline_picture picture = {.ncalls = timeline->ncalls, .id = id};
  for (size_t i = 0; i < timeline->ncalls; i++) {
    picture.calls[i] = timeline->calls[i];
  }
  return picture;
}

/* Write TIMELINE into the page. */
static void write_inside(const struct report *report, const struct report_timeline *timeline,
                         struct xml_writer *page) {
  struct timeline_picture picture = picture_of(timeline, "inside");
  xml_write_begin(page, "figure");
  xml_write_attribute(page, "class", "timeline scroll");
  xml_write_attribute(page, "tabindex", "0");
  html_picture_begin(page, timeline->caption);
  timeline_svg_add(&picture, page);
  html_block_end(page);
  html_block_end(page);
  write_command(report, timeline, page);
}

/* Say where the cycles of the critical path of TIMELINE went, in words. */
static void say_causes(const struct timeline *lanes, struct xml_writer *page) {
  const char *comma = "";
  xml_write_begin(page, "p");
  xml_write_text(page, "Its critical path: ");
  for (size_t i = 0; i < lanes->ncauses && lanes->cycles > 0; i++) {
    double percent = 100 * (double)lanes->causes[i].cycles / (double)lanes->cycles;
    if (percent >= 0.5) {
      xml_write_text(page, "%s%.0f\u00a0%% %s", comma, percent, lanes->causes[i].what);
      comma = ", ";
    }
  }
  xml_write_text(page, ".");
  html_block_end(page);
}

/* Write TIMELINE, of one call, into a file beside the page, and into the page a preview of it. */
static int write_beside(const struct report *report, const struct report_timeline *timeline,
                        struct report_files *files, struct xml_writer *page, struct err *err) {
  const struct timeline *lanes = timeline->calls[0];
  struct timeline_picture picture = picture_of(timeline, "beside");
  char *name = xasprintf("timeline-%.*s.svg", (int)strcspn(lanes->name, ":"), lanes->name);
  FILE *stream = report_files_add(files, name, err);
  if (stream) {
    timeline_svg_write(&picture, stream);
    html_block_begin(page, "figure", "preview");
    html_block(page, "figcaption", NULL, "%s", timeline->caption);
    xml_write_begin(page, "a");
    xml_write_attribute(page, "href", "%s", name);
    xml_write_begin(page, "img");
    xml_write_attribute(page, "src", "%s", name);
    xml_write_attribute(page, "alt", "%s, over time, at full size", lanes->name);
    xml_write_attribute(page, "loading", "lazy");
    xml_write_attribute(page, "width", "1200");
    xml_write_attribute(page, "height", "800");
    xml_write_end(page);
    html_block_end(page);
    say_causes(lanes, page);
    write_command(report, timeline, page);
    html_block_end(page);
  }
  free(name);
  return stream ? 0 : -1;
}

int report_write_timelines(const struct report *report, struct report_files *files, struct xml_writer *page,
                           struct err *err) {
  int status = 0;
  size_t first = report->timelines[0].ncalls > 1 ? 1 : 0;
  html_heading(page, "timelines", "What happens in a call");
  html_paragraph(
    page,
    "A lane for each rank: above what its program does, below its DMA commands, as high as their share of "
    "the "
    "ramp of their sender. The thick line is the critical path, backwards from the last rank to leave; the "
    "bar "
    "at the end says where its cycles went. %sThe fastest algorithm of each collective has a "
    "picture "
    "of its own in a file beside this page.",
    first ? "First two broadcasts of which one makes ranks wait for each other. " : "");
  if (first) {
    write_inside(report, &report->timelines[0], page);
  }
  html_block_begin(page, "div", "pictures previews");
  for (size_t i = first; i < report->ntimelines && status == 0; i++) {
    status = write_beside(report, &report->timelines[i], files, page, err);
  }
  html_block_end(page);
  return status;
}
