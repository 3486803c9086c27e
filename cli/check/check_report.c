/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/check/check_report.h"

#include "algos/catalogue.h"
#include "cli/check/check_schedules.h"
#include "cli/opts.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"
#include "sim/node/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void check_report_add(struct check_report *report, struct check *check, struct check_points *points) {
  report->items = xrealloc(report->items, report->n + points->n, sizeof *report->items);
  for (size_t i = 0; i < points->n; i++) {
    report->items[report->n++] = (struct check_item){.check = check, .call = points->calls[i]};
  }
  RAISE(report->more, points->more);
  points->n = 0; /* their placements are the report's */
  check_points_fini(points);
}

void check_report_fini(struct check_report *report) {
  VEC_EACH(checked, report->items, report->n) {
    check_result_fini(&checked->result);
    free(checked->call.placement.list.values);
  }
  free(report->items);
  free(report->subjects);
  *report = (struct check_report){0};
}

void check_report_count(struct check_report *report) {
  struct check_subject *subject = NULL;
  VEC_EACH(item, report->items, report->n) {
    const struct algorithm *algorithm = &item->call.algorithm;
    enum check_verdict verdict = item->result.verdict;
    if (!subject || item->check != subject->items->check ||
        memcmp(algorithm, &subject->items->call.algorithm, sizeof *algorithm) != 0) {
      subject = &VEC_ADD(report->subjects, report->nsubjects);
      *subject = (struct check_subject){.items = item};
    }
    subject->n++;
    subject->count[verdict]++;
    report->count[verdict]++;
    if (verdict == CHECK_NOT_APPLICABLE && sweep_is_listed(algorithm->algo)) {
      sweep_skip_call(algorithm->algo, "");
    }
  }
}

static bool was_served(const struct check_item *item) {
  return item->result.verdict >= CHECK_PASS;
}

/* Describe the point of ITEM without its algorithm and machine.
 * owner: the caller. */
static char *describe_point(const struct check_item *item) {
  const struct call *call = &item->call;
  enum collective collective = call->algorithm.algo->collective;
  char *text = xasprintf("%u rank%s", call->nranks, text_plural(call->nranks));
  if (collective_has_data(collective)) {
    xappend(&text, ", %zu bytes", call->nbytes);
    xappend(&text, call->byte_step ? " (every second call %zu fewer)" : "", call->byte_step);
  }
  if (collective_has_root(collective)) {
    xappend(&text, ", root %u", call->root);
    xappend(&text, call->root_step ? " (+%" PRIu64 " each call)" : "", call->root_step);
  }
  xappend(&text, collective_combines(collective) ? ", %s of %s" : "", combine_op_name(call->op),
          combine_type_name(call->type));
  xappend(&text, ", %u call%s", call->repeat, text_plural(call->repeat));
  call_fields_append_words(&text, call);
  if (call->placement.kind != PLACEMENT_PACKED) {
    xappend(&text, ", placement %s", placement_tell(&call->placement, call->nranks));
  }
  xappend(&text, ", seed %" PRIu64, call->seed);
  return text;
}

/* Return the name of the algorithm of ITEM and the machine.
 * owner: the caller. */
static char *describe_subject(const struct check_item *item) {
  return xasprintf("%s on %s", catalogue_name(&item->call.algorithm),
                   sweep_label(machine_platform(item->check->machine)));
}

char *check_report_describe(const struct check_item *item) {
  SCOPED char *subject = describe_subject(item), *point = describe_point(item);
  return xasprintf("%s, %s", subject, point);
}

/* --- table --- */

/* The columns of a point, and between these the fields of the call; new fields come last. */
static const struct {
  const char *columns;
  enum call_field_number first, end; /* of the fields that follow */
} parts[] = {{"algorithm,ranks,bytes,root,result,detail,platform", FIELD_op, FIELD_shuffle},
             {",seed,placement", FIELD_shuffle, FIELD_delay},
             {",root_step,byte_step,version,platform_checksum", FIELD_delay, CALL_FIELDS}};
enum { PARTS = VEC_LENGTH(parts) };

static void add_fields(struct table *table, const struct call *call, size_t part) {
  for (unsigned i = parts[part].first; i < parts[part].end; i++) {
    const struct call_field *field = &call_fields[i];
    SCOPED char *word = call_field_word(field, call);
    if (field->kind->append && !field->kind->is_part) {
      table_add_text(table, call_field_means(field, call) ? word : "");
    } else if (!field->kind->is_part) {
      table_add_count(table, call_field_number(field, call));
    }
  }
}

/* The verdicts in tables, and the elements of JUnit; NULL: none. */
static const struct {
  const char *result, *trouble;
} verdicts[CHECK_VERDICTS] = {[CHECK_NOT_FINISHED] = {"not tried", "skipped"},
                              [CHECK_NOT_APPLICABLE] = {"not tried", "skipped"},
                              [CHECK_PASS] = {"pass", NULL},
                              [CHECK_FAIL] = {"fail", "failure"},
                              [CHECK_NOT_TRIED] = {"not tried", "skipped"}};

struct table *check_report_table(const struct check_report *report) {
  SCOPED char *columns = NULL;
  for (size_t part = 0; part < PARTS; part++) {
    xappend(&columns, "%s", parts[part].columns);
    for (unsigned i = parts[part].first; i < parts[part].end; i++) {
      xappend(&columns, call_fields[i].kind->is_part ? "" : ",%s", call_fields[i].name);
    }
  }
  struct table *table = table_new(columns);
  VEC_EACH(item, report->items, report->n) {
    const struct call *call = &item->call;
    if (!was_served(item)) {
      continue;
    }
    table_add(table, "%s %u %zu %u %s %s %p", catalogue_name(&call->algorithm), call->nranks, call->nbytes,
              call->root, verdicts[item->result.verdict].result,
              item->result.detail ? item->result.detail : "", machine_platform(item->check->machine));
    add_fields(table, call, 0);
    table_add(table, "%" PRIu64 " %s", call->seed, placement_tell(&call->placement, call->nranks));
    add_fields(table, call, 1);
    table_add(table, "%" PRIu64 " %zu", call->root_step, call->byte_step);
    add_fields(table, call, 2);
  }
  return table;
}

/* --- summary --- */

struct table *check_report_summary(const struct check_report *report) {
  struct table *table = table_new("algorithm,platform,points,failed,not_applicable");
  VEC_EACH(subject, report->subjects, report->nsubjects) {
    const struct check_item *items = subject->items;
    const size_t *count = subject->count;
    if (count[CHECK_NOT_FINISHED] != subject->n &&
        (count[CHECK_NOT_APPLICABLE] != subject->n || !sweep_is_listed(items->call.algorithm.algo))) {
      table_add(table, "%s %p %zu %zu %zu", catalogue_name(&items->call.algorithm),
                machine_platform(items->check->machine), count[CHECK_PASS] + count[CHECK_FAIL],
                count[CHECK_FAIL], count[CHECK_NOT_APPLICABLE]);
    }
  }
  return table;
}

void check_report_traffic(const struct check_report *report, struct table *table) {
  VEC_EACH(subject, report->subjects, report->nsubjects) {
    const struct algorithm *algorithm = &subject->items->call.algorithm;
    double moved = 0, needed = 0;
    VEC_EACH(item, subject->items, subject->n) {
      moved += (double)item->result.moved;
      needed += (double)item->result.needed;
    }
    if (moved >= 2 * needed && needed > 0 && !sweep_is_listed(algorithm->algo)) {
      table_note(table, "%s moves %.1f times the bytes that the call needs", catalogue_name(algorithm),
                 moved / needed);
    }
  }
}

void check_report_notes(const struct check_report *report, struct table *table) {
  VEC_EACH(subject, report->subjects, report->nsubjects) {
    const struct check_item *noted =
      VEC_FIND(subject->items, subject->n, item->result.verdict == CHECK_PASS && *item->result.detail);
    if (noted) {
      SCOPED char *name = describe_subject(noted);
      table_note(table, "note: %s, %u rank%s: %s; no result is made of that data", name, noted->call.nranks,
                 text_plural(noted->call.nranks), noted->result.detail);
    }
  }
}

void check_report_totals(const struct check_report *report, const struct opts *opts, struct table *table) {
  enum { LARGER = 32 /* SPEs of quad-mesh */ };
  const size_t *count = report->count;
  unsigned most = 0, nspes = 0;
  size_t largest = 0;
  VEC_EACH(item, report->items, report->n) {
    const struct call *call = &item->call;
    const struct platform *platform = machine_platform(item->check->machine);
    const struct algo *algo = call->algorithm.algo;
    bool is_more = was_served(item) && !algo->spans_nodes && !algo->ranks && call->nranks > most;
    most = is_more ? call->nranks : most;
    nspes = !is_more ? nspes : platform_has_spes(platform) ? platform->nspes : 0;
    largest = was_served(item) && call->nbytes > largest ? call->nbytes : largest;
  }
  most = opts->ranks.n ? 0 : most;
  largest = opts->bytes.n ? 0 : largest;
  SCOPED char *text = xasprintf("%zu passed, %zu failed, %zu not applicable", count[CHECK_PASS],
                                count[CHECK_FAIL], count[CHECK_NOT_APPLICABLE]);
  xappend(&text, count[CHECK_NOT_TRIED] ? ", %zu not tried" : "", count[CHECK_NOT_TRIED]);
  xappend(&text, most ? "; at most %u rank%s" : "", most, text_plural(most));
  if (most > 0 && most == nspes && most < LARGER) {
    xappend(&text, ": the machine has no more; -p quad-mesh tries %d", LARGER);
  }
  xappend(&text, largest ? "; at most %s" : "", units_format_bytes(largest));
  if (largest && report->more > largest) {
    xappend(&text, ": -s %s tries more", units_format_bytes(report->more));
  }
  table_note(table, "%s", text);
}

/* --- JUnit --- */

/* Add the points of REPORT to JUNIT, a suite for each subject: one skipped test if no point is applicable. */
static void add_points(struct check_junit *junit, const struct check_report *report) {
  VEC_EACH(subject, report->subjects, report->nsubjects) {
    const struct algorithm *algorithm = &subject->items->call.algorithm;
    SCOPED char *described = describe_subject(subject->items);
    const char *suite = text_keep(described), *name = text_keep(catalogue_name(algorithm));
    if (subject->count[CHECK_NOT_APPLICABLE] == subject->n &&
        (report->is_untried || !sweep_is_listed(algorithm->algo))) {
      VEC_ADD(junit->tests, junit->n) =
        (struct check_test){suite, name, "any point", "skipped", .message = subject->items->result.detail};
    }
    VEC_EACH(item, subject->items, subject->n) {
      if (was_served(item)) {
        SCOPED char *point = describe_point(item);
        VEC_ADD(junit->tests, junit->n) =
          (struct check_test){suite, name, text_keep(point), verdicts[item->result.verdict].trouble,
                              .message = item->result.detail};
        suite = NULL;
      }
    }
  }
}

/* Write NAME, and the numbers of the N TESTS. */
static void write_counts(struct xml_writer *xml, const char *name, const struct check_test *tests, size_t n) {
  size_t nfailures = 0, nerrors = 0;
  VEC_EACH(test, tests, n) {
    nfailures += test->trouble && strcmp(test->trouble, "failure") == 0;
    nerrors += test->trouble && strcmp(test->trouble, "error") == 0;
  }
  xml_write_attribute(xml, "name", "%s", name);
  xml_write_attributes(xml, "tests='%zu' failures='%zu' errors='%zu'", n, nfailures, nerrors);
}

static void write_property(struct xml_writer *xml, const char *name, const char *value) {
  xml_write_begin(xml, "property");
  xml_write_attribute(xml, "name", "%s", name);
  xml_write_attribute(xml, "value", "%s", value);
  xml_write_end(xml);
}

static void write_test(struct xml_writer *xml, const struct check_test *test) {
  xml_write_begin(xml, "testcase");
  xml_write_attribute(xml, "classname", "%s", test->class);
  xml_write_attribute(xml, "name", "%s", test->name);
  if (test->protocol) {
    xml_write_begin(xml, "properties");
    write_property(xml, "protocol", test->protocol);
    write_property(xml, "slots", text_brief("%u", test->slots));
    write_property(xml, "depth", text_brief("%u", test->depth));
    xml_write_end(xml);
  }
  if (test->trouble) {
    xml_write_begin(xml, "%s", test->trouble);
    xml_write_attribute(xml, "message", "%s", test->message);
    xml_write_end(xml);
  }
  xml_write_end(xml);
}

int check_report_junit(const struct check_report *report, const char *path, const char *broken,
                       struct err *err) {
  struct outfile file;
  struct check_junit junit = {0};
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  add_points(&junit, report);
  if (report->files) {
    judged_files_junit(report->files, &junit);
  }
  if (broken) {
    VEC_ADD(junit.tests, junit.n) =
      (struct check_test){"cellcoll", "cellcoll", "all points are checked", "error", .message = broken};
  }
  struct xml_writer *xml = xml_write_new(file.stream);
  xml_write_declaration(xml);
  xml_write_indent(xml, "  ");
  xml_write_begin(xml, "testsuites");
  write_counts(xml, "cellcoll check", junit.tests, junit.n);
  for (size_t i = 0, n; i < junit.n; i += n) {
    const struct check_test *suite = &junit.tests[i];
    n = 1 + VEC_INDEX(suite + 1, junit.n - i - 1, item->suite);
    xml_write_begin(xml, "testsuite");
    write_counts(xml, suite->suite, suite, n);
    VEC_EACH(test, suite, n) {
      write_test(xml, test);
    }
    xml_write_end(xml);
  }
  xml_write_end(xml);
  xml_write_free(xml);
  free(junit.tests);
  return outfile_close(&file, err);
}
