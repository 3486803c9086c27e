/* SPDX-License-Identifier: BSD-3-Clause
 * See call_bed.h. */
#include "tests/call_bed.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"

#include <check.h>

struct algo_call call_bed_find(const char *name) {
  struct algo_call call;
  struct err err = {""};
  ck_assert_msg(catalogue_find(name, &call, &err) == 0, "%s", err.text);
  return call;
}

struct rig_spec call_bed_spec(const struct platform *platform, const char *name, unsigned nranks,
                              size_t nbytes) {
  struct err err = {""};
  struct rig_spec spec = {.call = call_bed_find(name),
                          .nranks = nranks,
                          .nbytes = nbytes,
                          .nrepeats = 1,
                          .seed = 1,
                          .type = TYPE_INT32};
  spec.profile = rig_profile(platform, NULL, catalogue_source(&spec.call), &err);
  ck_assert_msg(spec.profile != NULL, "%s", err.text);
  return spec;
}

struct outcome call_bed_run(struct blade *blade, const struct rig_spec *spec) {
  struct outcome outcome;
  struct err err = {""};
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  ck_assert_msg(runner_run(blade, spec, &outcome, &err) == 0, "%s", err.text);
  ck_assert_msg(outcome.end == CALL_OK, "%s on %u ranks, %zu bytes, root %u: %s", name, spec->nranks,
                spec->nbytes, spec->root, outcome.detail);
  return outcome;
}

double call_bed_cycles(struct blade *blade, const struct rig_spec *spec) {
  struct outcome outcome = call_bed_run(blade, spec);
  double cycles = outcome.cycles;
  outcome_fini(&outcome);
  return cycles;
}

struct machine *call_bed_rig(struct rig *rig, struct blade *blade, const struct rig_spec *spec) {
  struct err err = {""};
  struct machine *machine = rig_machine(blade, spec, &err);
  ck_assert_msg(machine && rig_init_on(rig, machine, spec, &err) == 0, "%s", err.text);
  rig_set_calls(rig);
  return machine;
}

void call_bed_check_path(const struct path *path, const char *name) {
  uint64_t clock = path->begin, totals[PATH_CAUSES] = {0};
  for (size_t i = 0; i < path->nsegments; i++) {
    const struct path_segment *segment = &path->segments[i];
    ck_assert_msg(segment->from == clock && segment->to > clock, "%s: a gap", name);
    ck_assert_uint_lt(segment->part, path->nparts);
    const struct path_part *part = &path->parts[segment->part];
    ck_assert(part->from <= segment->from && part->to >= segment->to);
    enum path_group group = path_cause_group(segment->cause);
    ck_assert(segment->behind == RECORD_NOBODY || group == PATH_GROUP_OTHERS || group == PATH_GROUP_NETWORK);
    totals[segment->cause] += segment->to - segment->from;
    clock = segment->to;
  }
  ck_assert_uint_eq(clock, path->end);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    ck_assert_uint_eq(totals[i], path->totals[i]);
  }
}
