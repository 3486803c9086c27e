/* SPDX-License-Identifier: BSD-3-Clause
 * See report_usage.h. */
#include "validate/report/report_usage.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "traces/utilisation.h"
#include "validate/lab/ledger_call.h"

#include <stdio.h>
#include <string.h>

/* Runs that fill different parts: one root, a tree with few crossings and one with many, exchanges, main
 * memory; on all SPEs of a chip or of the machine. */
static const struct {
  const char *name;
  enum { CHIP, ALL } spes;
  size_t bytes;
} runs[] = {
  {"bcast:one-to-all", CHIP, 32768},
  {"bcast:one-to-all", ALL, 32768},
  {"bcast:hybrid-segmented-binomial", ALL, 32768},
  {"bcast:segmented-binomial", ALL, 32768},
  {"bcast:tree-opt-blade", ALL, 16384},
  {"allgather:recursive-doubling", ALL, 8192},
  {"allreduce:scatter-allgather", ALL, 32768},
  {"alltoall:pairwise", ALL, 4096},
  {"bcast:mm-allgather", ALL, 32768},
  {"reduce:mm-ls-tree", ALL, 32768},
};

size_t report_usage_count(void) {
  return sizeof runs / sizeof *runs;
}

/* Keep ROW if it is the busiest part of its kind so far. */
static void keep_busiest(void *context, const struct utilisation_row *row) {
  static const char *const kinds[REPORT_KINDS] = {" ring ", "link ", "memory ", " out"}, *const more = " in";
  struct report_usage *usage = context;
  if (strcmp(row->counter, "busy") != 0) {
    return;
  }
  for (size_t kind = 0; kind < REPORT_KINDS; kind++) {
    struct report_busy *busiest = &usage->busiest[kind];
    bool is = strstr(row->where, kinds[kind]) || (kind == REPORT_KINDS - 1 && strstr(row->where, more));
    if (is && row->value > busiest->percent) {
      busiest->percent = row->value;
      snprintf(busiest->where, sizeof busiest->where, "%s", row->where);
    }
  }
}

/* The runs on their way. */
struct walk {
  struct blade *blade;
  struct ledger *ledger;
  struct report_usage *usage;
};

/* Find out how busy the machine is in run INDEX, if that is known. */
static void fill(const struct walk *walk, size_t index) {
  struct err refused = {""};
  struct report_usage *usage = &walk->usage[index];
  struct call_result result;
  const unsigned chip = blade_spes_per_chip(walk->blade), all = blade_nspes(walk->blade);
  struct rig_spec spec = {.nranks = runs[index].spes == CHIP ? chip : all,
                          .nbytes = runs[index].bytes,
                          .nrepeats = 1,
                          .seed = 1,
                          .skew_seed = 1};
  *usage = (struct report_usage){.name = runs[index].name, .ranks = spec.nranks, .bytes = spec.nbytes};
  bool is_repeated = runs[index].spes == CHIP && chip == all;
  if (is_repeated || catalogue_find(usage->name, &spec.call, &refused) != 0) {
    return;
  }
  spec.profile = rig_profile(blade_platform(walk->blade), NULL, catalogue_source(&spec.call), &refused);
  struct call_point point = {.blade = walk->blade, .spec = spec, .observers = CALL_UTILISATION};
  if (spec.profile && rig_check(walk->blade, &spec, NULL) == 0 &&
      ledger_call(walk->ledger, &point, &result) && result.end == CALL_OK) {
    usage->ns = result.cycles / result.ghz;
    call_list_utilisation(&result.utilisation, keep_busiest, usage);
  }
}

static void ask(void *context) {
  for (size_t i = 0; i < report_usage_count(); i++) {
    fill(context, i);
  }
}

int report_usage_run(struct blade *blade, struct ledger *ledger, struct report_usage *usage,
                     struct err *err) {
  struct walk walk = {blade, ledger, usage};
  return ledger_settle(ledger, &(struct ledger_round){ask, &walk}, err);
}
