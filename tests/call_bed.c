/* SPDX-License-Identifier: BSD-3-Clause
 * See call_bed.h. */
#include "tests/call_bed.h"

#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/port.h"
#include "validate/lab/call/call_watch.h"

struct algorithm call_bed_find(const char *name) {
  struct algorithm algorithm;
  struct err err = {""};
  ck_assert_msg(catalogue_find(name, &algorithm, &err) == 0, "%s", err.text);
  return algorithm;
}

struct call call_bed_call(const char *name, unsigned nranks, size_t nbytes) {
  struct err err = {""};
  struct call call = {.algorithm = call_bed_find(name),
                      .nranks = nranks,
                      .nbytes = nbytes,
                      .repeat = 1,
                      .seed = 1,
                      .type = TYPE_INT32};
  call.profile = rig_profile(bed.platform, NULL, catalogue_source(&call.algorithm), &err);
  ck_assert_msg(call.profile != NULL, "%s", err.text);
  return call;
}

struct outcome call_bed_run(const struct call *call) {
  struct outcome outcome;
  char name[128];
  catalogue_format(&call->algorithm, name, sizeof name);
  SUCCEEDS(call_run(bed.machine, call, &outcome, &failure));
  ck_assert_msg(outcome.end == CALL_OK, "%s on %u ranks, %zu bytes, root %u: %s", name, call->nranks,
                call->nbytes, call->root, outcome.detail);
  outcome_fini(&outcome);
  return outcome;
}

double call_bed_cycles(const struct call *call) {
  return call_bed_run(call).cycles;
}

struct machine *call_bed_rig(struct rig *rig, const struct call *call) {
  struct machine *machine = rig_machine(bed.machine, call, &failure);
  ck_assert_msg(machine && rig_init(rig, machine, call, &failure) == 0, "%s", failure.text);
  rig_set_calls(rig);
  return machine;
}

void call_bed_check_shapes(const char *name, const struct call_bed_shape shapes[], uint64_t skew) {
  for (const struct call_bed_shape *shape = shapes; shape->ranks; shape++) {
    struct call call = call_bed_call(name, shape->ranks, shape->nbytes);
    enum collective collective = call.algorithm.algo->collective;
    call.root = collective_has_root(collective) ? shape->root : 0;
    call.nbytes = collective_has_data(collective) ? call.nbytes : 0;
    call.op = shape->op;
    call.type = shape->type;
    call.repeat = 3;
    call_bed_cycles(&call);
    call.placement.kind = PLACEMENT_ROUND_ROBIN;
    call.skew = skew;
    call_bed_cycles(&call);
  }
}

static void stop_rank_17(struct coll *c, void *owner) {
  (void)owner;
  if (group_name(c->group, c->rank) == 17) {
    spu_fault("leaves");
  }
}

void call_bed_check_deadlock(const struct call *call, const char *fault, const char *const waits[]) {
  struct call_hooks hooks = {.before = stop_rank_17};
  struct rig rig;
  struct machine *machine = call_bed_rig(&rig, call);
  driver_attach(rig.ranks[17].c, &hooks);
  struct blade_result result = rig_run(&rig);
  ck_assert_msg(strstr(result.faults, fault), "%s", result.faults);
  for (unsigned i = 0; waits[i]; i++) {
    ck_assert_msg(strstr(result.stuck, waits[i]), "expected '%s' in %s", waits[i], result.stuck);
  }
  blade_result_fini(&result);
  rig_fini(&rig);
  machine_free(machine);
}

bool call_bed_find_path(struct call call, struct path *path, struct outcome *outcome) {
  struct call_records records;
  call.profile = rig_profile(bed.platform, NULL, catalogue_source(&call.algorithm), &failure);
  call.nbytes = collective_has_data(call.algorithm.algo->collective) ? call.nbytes : 0;
  call.observers = &records.observer;
  call_records_init(&records);
  bool made = call_run(bed.machine, &call, outcome, &failure) == 0;
  if (made) {
    ck_assert_msg(outcome->end == CALL_OK, "%s", outcome->detail);
    ck_assert(!records.share.full);
    path_find(path, &records.all);
  }
  call_records_fini(&records);
  ck_assert_uint_eq(records.share.nbytes, 0);
  return made;
}

void call_bed_check_path(const struct path *path, const char *name) {
  uint64_t clock = path->begin, totals[PATH_CAUSES] = {0};
  for (size_t i = 0; i < path->nsegments; i++) {
    const struct path_segment *segment = &path->segments[i];
    ck_assert_msg(segment->from == clock && segment->to > clock, "%s: a gap", name);
    ck_assert_uint_lt(segment->part, path->nparts);
    const struct path_part *part = &path->parts[segment->part];
    ck_assert(part->from <= segment->from && part->to >= segment->to);
    enum path_group group = path_causes[segment->cause].group;
    ck_assert(segment->behind == RECORD_NOBODY || group == PATH_GROUP_OTHERS || group == PATH_GROUP_NETWORK);
    totals[segment->cause] += segment->to - segment->from;
    clock = segment->to;
  }
  ck_assert_uint_eq(clock, path->end);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    ck_assert_uint_eq(totals[i], path->totals[i]);
  }
}
