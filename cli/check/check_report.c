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
  report->more = points->more > report->more ? points->more : report->more;
  points->n = 0; /* their placements are the report's */
  check_points_fini(points);
}

void check_report_fini(struct check_report *report) {
  for (size_t i = 0; i < report->n; i++) {
    check_result_fini(&report->items[i].result);
    free(report->items[i].call.placement.list.values);
  }
  free(report->items);
  *report = (struct check_report){0};
}

void check_report_count(struct check_report *report) {
  for (size_t i = 0; i < report->n; i++) {
    const struct algo *algo = report->items[i].call.algorithm.algo;
    enum check_verdict verdict = report->items[i].result.verdict;
    report->count[verdict]++;
    if (verdict == CHECK_NOT_APPLICABLE && sweep_is_listed(algo)) {
      sweep_skip_call(algo, "");
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
  char *text = xasprintf("%u rank%s", call->nranks, text_plural(call->nranks)),
       placement[PLACEMENT_TEXT_SIZE];
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
    placement_format(&call->placement, call->nranks, placement);
    xappend(&text, ", placement %s", placement);
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
enum { PARTS = sizeof parts / sizeof *parts };

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
    char placement[PLACEMENT_TEXT_SIZE];
    if (!was_served(item)) {
      continue;
    }
    placement_format(&call->placement, call->nranks, placement);
    table_add(table, "%s %u %zu %u %s %s %p", catalogue_name(&call->algorithm), call->nranks, call->nbytes,
              call->root, verdicts[item->result.verdict].result,
              item->result.detail ? item->result.detail : "", machine_platform(item->check->machine));
    add_fields(table, call, 0);
    table_add(table, "%" PRIu64 " %s", call->seed, placement);
    add_fields(table, call, 1);
    table_add(table, "%" PRIu64 " %zu", call->root_step, call->byte_step);
    add_fields(table, call, 2);
  }
  return table;
}

/* --- summary --- */

/* Return the number of items of REPORT from FIRST on that belong to one algorithm on one machine. */
static size_t same_subject(const struct check_report *report, size_t first) {
  const struct check_item *items = &report->items[first];
  return VEC_INDEX(items, report->n - first,
                   item->check != items->check || memcmp(&item->call.algorithm, &items->call.algorithm,
                                                         sizeof items->call.algorithm) != 0);
}

/* Add the row of the N items from ITEMS on. */
static void summarise(struct table *table, const struct check_item *items, size_t n) {
  size_t count[CHECK_VERDICTS] = {0};
  for (size_t i = 0; i < n; i++) {
    count[items[i].result.verdict]++;
  }
  if (count[CHECK_NOT_FINISHED] == n) {
    return;
  }
  if (count[CHECK_NOT_APPLICABLE] == n && sweep_is_listed(items->call.algorithm.algo)) {
    return;
  }
  table_add(table, "%s %p %zu %zu %zu", catalogue_name(&items->call.algorithm),
            machine_platform(items->check->machine), count[CHECK_PASS] + count[CHECK_FAIL], count[CHECK_FAIL],
            count[CHECK_NOT_APPLICABLE]);
}

struct table *check_report_summary(const struct check_report *report) {
  struct table *table = table_new("algorithm,platform,points,failed,not_applicable");
  for (size_t i = 0; i < report->n;) {
    size_t n = same_subject(report, i);
    summarise(table, report->items + i, n);
    i += n;
  }
  return table;
}

void check_report_traffic(const struct check_report *report, struct table *table) {
  for (size_t i = 0, n; i < report->n; i += n) {
    const struct algorithm *algorithm = &report->items[i].call.algorithm;
    double moved = 0, needed = 0;
    n = same_subject(report, i);
    for (size_t k = i; k < i + n; k++) {
      moved += (double)report->items[k].result.moved;
      needed += (double)report->items[k].result.needed;
    }
    if (moved >= 2 * needed && needed > 0 && !sweep_is_listed(algorithm->algo)) {
      table_note(table, "%s moves %.1f times the bytes that the call needs", catalogue_name(algorithm),
                 moved / needed);
    }
  }
}

void check_report_notes(const struct check_report *report, struct table *table) {
  for (size_t i = 0, n; i < report->n; i += n) {
    const struct check_item *items = &report->items[i];
    n = same_subject(report, i);
    const struct check_item *noted =
      VEC_FIND(items, n, item->result.verdict == CHECK_PASS && *item->result.detail);
    if (noted) {
      SCOPED char *subject = describe_subject(noted);
      table_note(table, "note: %s, %u rank%s: %s; no result is made of that data", subject,
                 noted->call.nranks, text_plural(noted->call.nranks), noted->result.detail);
    }
  }
}

void check_report_totals(const struct check_report *report, const struct opts *opts, struct table *table) {
  enum { LARGER = 32 /* SPEs of quad-mesh */ };
  const size_t *count = report->count;
  unsigned most = 0, nspes = 0;
  size_t largest = 0;
  for (size_t i = 0; i < report->n; i++) {
    const struct check_item *item = &report->items[i];
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

void check_report_counts(struct xml_writer *xml, size_t ntests, size_t nfailures, size_t nerrors) {
  xml_write_attributes(xml, "tests='%zu' failures='%zu' errors='%zu'", ntests, nfailures, nerrors);
}

/* Tell whether JUnit has one skipped test for the N points ITEMS of an algorithm of REPORT: no point is
 * applicable. */
static bool is_skipped(const struct check_report *report, const struct check_item *items, size_t n) {
  return (report->is_untried || !sweep_is_listed(items->call.algorithm.algo)) &&
         !VEC_FIND(items, n, item->result.verdict != CHECK_NOT_APPLICABLE);
}

/* Write NAME, and how many tests REPORT has. */
static void write_counts(struct xml_writer *xml, const char *name, const struct check_report *report,
                         const char *broken) {
  const struct judged_files *files = report->files ? report->files : &(struct judged_files){0};
  size_t count[CHECK_VERDICTS] = {0}, nskipped = 0;
  for (size_t i = 0; i < report->n; i++) {
    count[report->items[i].result.verdict]++;
  }
  for (size_t i = 0, n; i < report->n; i += n) {
    n = same_subject(report, i);
    nskipped += is_skipped(report, &report->items[i], n);
  }
  xml_write_attribute(xml, "name", "%s", name);
  check_report_counts(xml,
                      count[CHECK_PASS] + count[CHECK_FAIL] + count[CHECK_NOT_TRIED] + nskipped + files->n +
                        files->nidle + (broken != NULL),
                      count[CHECK_FAIL] + files->counts[FILE_WRONG],
                      files->counts[FILE_BAD] + (broken != NULL));
}

void check_report_case_begin(struct xml_writer *xml, const char *const names[2]) {
  xml_write_begin(xml, "testcase");
  xml_write_attribute(xml, "classname", "%s", names[0]);
  xml_write_attribute(xml, "name", "%s", names[1]);
}

void check_report_case_end(struct xml_writer *xml, const char *trouble, const char *message) {
  if (trouble) {
    xml_write_begin(xml, "%s", trouble);
    xml_write_attribute(xml, "message", "%s", message);
    xml_write_end(xml);
  }
  xml_write_end(xml);
}

void check_report_case(struct xml_writer *xml, const char *const names[2], const char *trouble,
                       const char *message) {
  check_report_case_begin(xml, names);
  check_report_case_end(xml, trouble, message);
}

/* Write SUITE, the points of one algorithm on one machine. */
static void write_suite(struct xml_writer *xml, const struct check_report *suite) {
  SCOPED char *subject = describe_subject(suite->items);
  xml_write_begin(xml, "testsuite");
  write_counts(xml, subject, suite, NULL);
  if (is_skipped(suite, suite->items, suite->n)) {
    check_report_case(xml, (const char *[]){catalogue_name(&suite->items->call.algorithm), "any point"},
                      "skipped", suite->items->result.detail);
  }
  for (const struct check_item *item = suite->items; item < suite->items + suite->n; item++) {
    if (was_served(item)) {
      SCOPED char *point = describe_point(item);
      check_report_case(xml, (const char *[]){catalogue_name(&item->call.algorithm), point},
                        verdicts[item->result.verdict].trouble, item->result.detail);
    }
  }
  xml_write_end(xml);
}

int check_report_junit(const struct check_report *report, const char *path, const char *broken,
                       struct err *err) {
  struct outfile file;
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  struct xml_writer *xml = xml_write_new(file.stream);
  xml_write_declaration(xml);
  xml_write_indent(xml, "  ");
  xml_write_begin(xml, "testsuites");
  write_counts(xml, "cellcoll check", report, broken);
  for (size_t i = 0, n; i < report->n; i += n) {
    n = same_subject(report, i);
    struct check_report suite = {.items = &report->items[i], .n = n, .is_untried = report->is_untried};
    if (is_skipped(&suite, suite.items, n) || VEC_FIND(suite.items, n, was_served(item))) {
      write_suite(xml, &suite);
    }
  }
  if (report->files && report->files->n) {
    judged_files_junit(report->files, xml);
  }
  if (broken) {
    xml_write_begin(xml, "testsuite");
    write_counts(xml, "cellcoll", &(struct check_report){0}, broken);
    check_report_case(xml, (const char *[]){"cellcoll", "all points are checked"}, "error", broken);
    xml_write_end(xml);
  }
  xml_write_end(xml);
  xml_write_free(xml);
  return outfile_close(&file, err);
}
