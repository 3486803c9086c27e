/* SPDX-License-Identifier: BSD-3-Clause
 * See report_what_if.h. */
#include "validate/report/report_what_if.h"

#include "algos/catalogue.h"
#include "draw/html.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger.h"
#include "validate/lab/rig.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdlib.h>

/* Calls that different parts of the machine bound, on all its SPEs: short messages, long ones in a tree and
 * in exchanges, combining, main memory. */
static const struct {
  const char *name;
  size_t bytes;
} named[] = {
  {"barrier:recursive-doubling", 0},
  {"bcast:binomial-opt", 4096},
  {"bcast:hybrid-segmented-binomial", 32768},
  {"allreduce:scatter-allgather", 16384},
  {"alltoall:pairwise", 4096},
  {"bcast:mm-allgather", 32768},
};
enum { NAMED = sizeof named / sizeof *named };

size_t report_what_if_count(void) {
  return NAMED;
}

/* Fill SPEC for named call INDEX on all SPEs of BLADE.
 * returns: whether the machine can serve it. */
static bool fill_spec(struct blade *blade, size_t index, struct rig_spec *spec) {
  struct err refused = {""};
  *spec = (struct rig_spec){
    .nranks = blade_nspes(blade), .nbytes = named[index].bytes, .nrepeats = 1, .seed = 1, .skew_seed = 1};
  if (catalogue_find(named[index].name, &spec->call, &refused) != 0) {
    return false;
  }
  spec->profile = rig_profile(blade_platform(blade), NULL, catalogue_source(&spec->call), &refused);
  return spec->profile && rig_check(blade, spec, NULL) == 0;
}

/* Take what WHAT_IF has found of its call NUMBER into CALL.
 * returns: whether the call did its work. */
static bool take(const struct what_if *what_if, size_t number, const struct rig_spec *spec,
                 struct report_what_if *call) {
  struct call_result result;
  struct what_if_finding *findings = xcalloc(what_if_count(), sizeof *findings);
  if (!what_if_find(what_if, number, &result, findings) || *result.refused || result.end != CALL_OK) {
    free(findings);
    return false;
  }
  *call = (struct report_what_if){.ranks = spec->nranks,
                                  .bytes = spec->nbytes,
                                  .ns = result.cycles / result.ghz,
                                  .findings = findings,
                                  .nfindings = what_if_count()};
  return true;
}

int report_what_if_run(struct blade *blade, struct ledger *ledger, struct report_what_if *calls, size_t *n,
                       struct err *err) {
  struct call_point points[NAMED];
  struct call_points asked = {.items = points};
  const char *names[NAMED];
  *n = 0;
  for (size_t i = 0; i < NAMED; i++) {
    points[asked.n] = (struct call_point){.blade = blade};
    if (fill_spec(blade, i, &points[asked.n].spec)) {
      names[asked.n++] = named[i].name;
    }
  }
  struct what_if *what_if = what_if_open(ledger, &asked, NULL);
  int status = ledger_settle(ledger, &(struct ledger_round){what_if_ask, what_if}, err);
  for (size_t i = 0; i < asked.n && status == 0; i++) {
    if (take(what_if, i, &points[i].spec, &calls[*n])) {
      calls[(*n)++].name = names[i];
    }
  }
  what_if_close(what_if);
  return status;
}

void report_what_if_fini(struct report_what_if *calls, size_t n) {
  for (size_t i = 0; i < n; i++) {
    free(calls[i].findings);
  }
}

/* --- the section --- */

/* Tell whether FINDING changes its call by at least half a percent. */
static bool matters(const struct what_if_finding *finding) {
  bool any = false;
  for (size_t i = 0; i < WHAT_IF_FACTORS; i++) {
    any |= finding->known[i] && fabs(finding->change[i]) >= 0.5;
  }
  return any;
}

/* Write the row of FINDING of CALL. */
static void write_row(const struct report_what_if *call, const struct what_if_finding *finding,
                      struct xml_writer *page) {
  html_row_begin(page);
  html_cell(page, call->name);
  report_bytes_cell(page, call->bytes);
  report_time_cell(page, call->ns);
  html_cell(page, finding->name);
  for (size_t i = 0; i < WHAT_IF_FACTORS; i++) {
    if (finding->known[i]) {
      report_error_cell(page, finding->change[i]);
    } else {
      report_value_cell(page, NAN, 0);
    }
  }
  html_number(page, "%.1f %%", finding->share);
  html_cell(page, finding->note[WHAT_IF_FACTORS - 1] ? finding->note[WHAT_IF_FACTORS - 1] : "");
  html_block_end(page);
}

/* Write the command that prints what is known of CALL. */
static void write_command(const struct report *report, const struct report_what_if *call,
                          struct xml_writer *page) {
  char bytes[UNITS_TEXT_SIZE];
  units_format_bytes(call->bytes, bytes);
  html_command(page, report_data_from, "cellcoll run %s -n %u%s%s --what-if%s", call->name, call->ranks,
               call->bytes ? " -s " : "", call->bytes ? bytes : "", report->options->machine);
}

void report_write_what_if(const struct report *report, struct xml_writer *page) {
  html_heading(page, "what-if", "What a better machine would bring");
  html_paragraph(
    page,
    "Some calls on %u ranks, run again on machines of which one parameter is 1.1 times and twice as good: by "
    "how much the time of the call changes, and which share of its critical path the parameter is behind. "
    "Twice "
    "as good saves about half of that share; the last column says where it does not. Parameters that change "
    "a "
    "call by less than 0.5 %% are left out.",
    blade_nspes(report->blade));
  html_table_begin(page,
                   "call|#bytes|#takes|parameter|#1.1 times as good|#twice as good|#share of the path|note");
  for (size_t i = 0; i < report->nwhat_if; i++) {
    const struct report_what_if *call = &report->what_if[i];
    for (size_t j = 0; j < call->nfindings; j++) {
      if (matters(&call->findings[j])) {
        write_row(call, &call->findings[j], page);
      }
    }
  }
  html_table_end(page);
  for (size_t i = 0; i < report->nwhat_if; i++) {
    write_command(report, &report->what_if[i], page);
  }
}
