/* SPDX-License-Identifier: BSD-3-Clause
 * See check_schedules.h. */
#include "cli/check/check_schedules.h"

#include "algos/schedule/blocks/goal.h"
#include "algos/schedule/file.h"
#include "algos/step/algo.h"
#include "cli/session.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <stdlib.h>

static bool is_bad(const struct judged_file *file) {
  return !file->judged->schedule && !file->judged->goal;
}

struct judged_files judged_files_new(const struct opts_names *paths) {
  struct judged_files files = {.n = paths->n};
  files.items = xcalloc(paths->n + 1, sizeof *files.items);
  for (size_t i = 0; i < paths->n; i++) {
    struct judged_file *file = &files.items[i];
    file->path = paths->names[i];
    file->algo = file_load(file->path, NULL);
    file->judged = file->algo ? judged_of_algo(file->algo) : &file->own;
    if (!file->algo) {
      file_judge(file->path, &file->own, &file->why);
    }
    *(is_bad(file)                                ? &files.nbad
      : judgement_fails(&file->judged->judgement) ? &files.nwrong
                                                  : &files.nright) += 1;
  }
  return files;
}

void judged_files_fini(struct judged_files *files) {
  for (size_t i = 0; i < files->n; i++) {
    judged_fini(&files->items[i].own);
  }
  free(files->items);
  *files = (struct judged_files){0};
}

/* --- points --- */

struct judged_file *judged_files_find(const struct judged_files *files, const struct algo *algo) {
  return VEC_FIND(files->items, files->n, item->algo == algo);
}

void judged_file_ask(struct judged_file *file, struct check_grid *grid) {
  enum { SMALL = 4, LARGE_BLOCK = 1024, LARGE = 16384 };
  const struct algo *algo = file->algo;
  unsigned *values = grid->call.values, *depth = &values[PARAM_DEPTH];
  unsigned needed = file->judged->goal
                      ? goal_depth(file->judged->goal, (struct goal_slots){.slot = values[PARAM_SLOT],
                                                                           .eager = values[PARAM_EAGER]})
                      : file->judged->judgement.depth_narrow;
  const uint64_t sizes[2] = {SMALL, collective_has_blocks(algo->collective) ? LARGE_BLOCK : LARGE};
  for (size_t i = 0; i < 2 && algo->unit; i++) {
    file->sizes[i] = (sizes[i] + algo->unit - 1) / algo->unit * algo->unit;
  }
  const struct coll_param *param = &algo->params[PARAM_DEPTH];
  *depth = *depth == param->initial && needed > *depth && needed <= param->most ? needed : *depth;
  file->raised = *depth == param->initial ? 0 : *depth;
  if (grid->bytes.n == 0 && algo->unit) {
    grid->bytes = (struct units_list){.values = file->sizes, .n = 2};
  }
  file->ranks = algo->ranks;
  grid->ranks = grid->ranks.n ? grid->ranks : (struct units_list){.values = &file->ranks, .n = 1};
  if (!(grid->fixed >> FIELD_op & 1)) {
    grid->given.op = OP_SUM;
    grid->fixed |= 1u << FIELD_op;
  }
  if (!(grid->fixed >> FIELD_type & 1) && file->judged->judgement.ndiffer != 0) {
    grid->given.type = TYPE_INT32;
    grid->fixed |= 1u << FIELD_type;
  }
}

void judged_files_count(const struct judged_files *files, const struct check_report *report) {
  for (size_t i = 0; i < report->n; i++) {
    struct judged_file *file = judged_files_find(files, report->items[i].spec.call.algo);
    enum check_verdict verdict = report->items[i].result.verdict;
    if (file) {
      file->passed += verdict == CHECK_PASS;
      file->served += verdict == CHECK_PASS || verdict == CHECK_FAIL;
      file->refused = verdict == CHECK_NOT_APPLICABLE ? report->items[i].result.detail : file->refused;
    }
  }
}

/* --- table --- */

static const char *result_word(const struct judgement *judgement) {
  return !judgement->has_result || judgement->depth == 0 ? NULL
         : judgement_is_wrong(judgement)                 ? "wrong"
                                                         : "right";
}

/* Tell whether an order of combination is defined. */
static bool has_order(const struct judged_file *file) {
  return file->judged->schedule->collective == BLOCKS_allreduce && result_word(&file->judged->judgement);
}

/* Add the cell WORD and NEMPTY empty cells. */
static void add_words(struct table *table, const char *word, unsigned nempty) {
  table_add_text(table, word);
  for (unsigned i = 0; i < nempty; i++) {
    table_add_nothing(table);
  }
}

/* Return the number of ranks that the ends of ranks of FILE depend on, or a range, with the word TO; a
 * text_brief. */
static const char *tell_reach(const struct judged_file *file, const char *to) {
  const struct judgement *judgement = &file->judged->judgement;
  return judgement->least == judgement->most ? text_brief("%u", judgement->most)
                                             : text_brief("%u%s%u", judgement->least, to, judgement->most);
}

static void add_goal(struct table *table, const struct judged_file *file) {
  const struct judgement *judgement = &file->judged->judgement;
  table_add_text(table, "goal");
  table_add_nothing(table);
  table_add(table, "%u %zu %s %s %s", file->judged->goal->nranks, file->judged->goal->noperations,
            judgement->ends ? text_brief("%u", judgement->depth) : "never",
            judgement->most ? tell_reach(file, "-") : NULL,
            judgement->found[FOUND_OPEN].n ? text_brief("%zu", judgement->found[FOUND_OPEN].n) : NULL);
  table_add_nothing(table);
  table_add_nothing(table);
}

static void add_row(struct table *table, const struct judged_file *file) {
  const struct blocks *schedule = file->judged->schedule;
  const struct judgement *judgement = &file->judged->judgement;
  table_add_text(table, file->path);
  if (file->judged->goal) {
    add_goal(table, file);
  } else if (!schedule) {
    add_words(table, "bad", 8);
  } else {
    table_add(table, "%s %s %u %zu", "msccl", blocks_traits[schedule->collective].word, schedule->nranks,
              schedule->nsteps);
    if (judgement->depth > 0) {
      table_add(table, "%u %s %zu", judgement->depth, result_word(judgement),
                judgement->found[FOUND_RACES].n);
    } else {
      add_words(table, "never", 2);
    }
    table_add(table, "%s %s",
              !has_order(file)     ? NULL
              : judgement->ndiffer ? "differs"
                                   : "same",
              judgement->found[FOUND_REFUSALS].n ? "refuses"
              : judgement->found[FOUND_HANGS].n  ? "hangs"
                                                 : "takes");
  }
  if (file->served) {
    table_add_text(table, text_brief("%zu/%zu", file->passed, file->served));
  } else {
    table_add_nothing(table);
  }
}

struct table *judged_files_table(const struct judged_files *files) {
  struct table *table =
    table_new("file,form,collective,ranks,steps,depth,result,races,order,rccl,machine,version");
  table_only_notes(table);
  for (size_t i = 0; i < files->n; i++) {
    add_row(table, &files->items[i]);
  }
  return table;
}

/* --- in words --- */

enum { TOPIC_COLUMNS = 15 };

/* Say TEXT about TOPIC; release TEXT. */
static void say(struct table *table, const char *topic, char *text) {
  SCOPED char *line = xasprintf("  %-*s%s", TOPIC_COLUMNS - 2, topic, text);
  table_note_filled(table, line, TOPIC_COLUMNS);
  free(text);
}

/* Say the findings in words, and the number of the rest. */
static void say_findings(struct table *table, const struct findings *findings) {
  size_t n = 0;
  for (; n < findings->n && n < JUDGE_SHOWN && findings->shown[n]; n++) {
    say(table, "",
        xasprintf("%s%s", findings->shown[n],
                  n + 1 == JUDGE_SHOWN && findings->n > JUDGE_SHOWN ? "; and more" : ""));
  }
}

static void say_ends(struct table *table, const struct judged_file *file) {
  const struct judgement *judgement = &file->judged->judgement;
  unsigned slots = file->judged->schedule->nslots, depth = judgement->depth;
  if (depth == 0) {
    say(table, "ends",
        xasprintf("never: %zu of %zu blocks wait", judgement->found[FOUND_STUCK].n,
                  file->judged->schedule->nblocks));
  } else if (depth == 1) {
    say(table, "ends", xasprintf("with 1 slot a connection"));
  } else {
    say(table, "ends",
        xasprintf("with %u slots a connection, not with %u; %s has %u%s", depth, depth - 1,
                  file->judged->schedule->protocol, slots, depth > slots ? ", too few" : ""));
  }
  say_findings(table, &judgement->found[FOUND_STUCK]);
  if (judgement->depth_narrow != depth) {
    say(table, "", xasprintf("with %u slots if a slot holds one chunk", judgement->depth_narrow));
  }
}

static void say_result(struct table *table, const struct judged_file *file) {
  static const char *const ways[] = {"in place", "out of place"};
  const struct judgement *judgement = &file->judged->judgement;
  if (!judgement->has_result) {
    say(
      table, "result",
      xasprintf("not defined for the collective %s", blocks_traits[file->judged->schedule->collective].word));
    return;
  }
  for (unsigned way = 0; way < BLOCKS_WAYS; way++) {
    const struct findings *wrong = &judgement->found[FOUND_WRONG + way];
    if (file->judged->schedule->claims[way]) {
      const char *open =
        judgement->found[FOUND_RACES].n ? ", in one of the orders that the races leave open" : "";
      say(table, "result",
          wrong->n
            ? xasprintf("wrong %s: %zu of %zu chunks%s", ways[way], wrong->n, judgement->nresults, open)
            : xasprintf("right %s%s%s", ways[way],
                        way == BLOCKS_OUT_OF_PLACE && file->judged->schedule->takes_input
                          ? ", but the input is overwritten"
                          : "",
                        open));
      say_findings(table, wrong);
      say_findings(table, &judgement->found[FOUND_UNWRITTEN + way]);
    }
  }
}

static void say_rccl(struct table *table, const struct judgement *judgement) {
  say(table, "rccl",
      xstrdup(judgement->found[FOUND_REFUSALS].n ? "refuses the file"
              : judgement->found[FOUND_HANGS].n  ? "hangs"
                                                 : "takes the file"));
  say_findings(table, &judgement->found[FOUND_REFUSALS]);
  say_findings(table, &judgement->found[FOUND_HANGS]);
  say_findings(table, &judgement->found[FOUND_NOTES]);
}

static void say_file(struct table *table, const struct judged_file *file) {
  const struct blocks *schedule = file->judged->schedule;
  const struct judgement *judgement = &file->judged->judgement;
  table_note(table, "%s: msccl %s, %u rank%s, %zu block%s, %zu step%s, %u chunk%s, %s%s%s", file->path,
             blocks_traits[schedule->collective].word, schedule->nranks, text_plural(schedule->nranks),
             schedule->nblocks, text_plural(schedule->nblocks), schedule->nsteps,
             text_plural(schedule->nsteps), schedule->nchunks, text_plural(schedule->nchunks),
             schedule->protocol, schedule->claims[BLOCKS_IN_PLACE] ? ", in place" : "",
             schedule->claims[BLOCKS_OUT_OF_PLACE] ? ", out of place" : "");
  say_ends(table, file);
  if (judgement->depth > 0) {
    say_result(table, file);
    say(table, "races",
        judgement->found[FOUND_RACES].n ? xasprintf("%zu", judgement->found[FOUND_RACES].n)
                                        : xstrdup("none"));
    say_findings(table, &judgement->found[FOUND_RACES]);
  }
  if (has_order(file)) {
    say(table, "floats",
        judgement->ndiffer ? xasprintf("ranks combine %zu of %u chunks in different orders: sums differ",
                                       judgement->ndiffer, schedule->nchunks)
                           : xstrdup("the same sum on all ranks"));
  }
  say_rccl(table, judgement);
}

static void say_goal(struct table *table, const struct judged_file *file) {
  const struct goal *goal = file->judged->goal;
  const struct judgement *judgement = &file->judged->judgement;
  table_note(table, "%s: goal, %u rank%s, %zu send%s, %zu receive%s, %zu calculation%s", file->path,
             goal->nranks, text_plural(goal->nranks), goal->counts[GOAL_SEND],
             text_plural(goal->counts[GOAL_SEND]), goal->counts[GOAL_RECV],
             text_plural(goal->counts[GOAL_RECV]), goal->counts[GOAL_CALC],
             text_plural(goal->counts[GOAL_CALC]));
  say(table, "ends",
      !judgement->ends       ? xasprintf("never: %zu operations are left", judgement->found[FOUND_STUCK].n)
      : judgement->depth > 0 ? xasprintf("only with %u slot%s a connection, for messages without a receiver",
                                         judgement->depth, text_plural(judgement->depth))
                             : xstrdup("also if every send waits for the receiver"));
  say_findings(table, &judgement->found[FOUND_STUCK]);
  say_findings(table, &judgement->found[FOUND_OPEN]);
  say_findings(table, &judgement->found[FOUND_UNEQUAL]);
  if (judgement->most > 0) {
    bool is_equal = judgement->least == judgement->most;
    say(table, "depends",
        xasprintf("%s on %s of %u%s", is_equal ? "each rank" : "ranks", tell_reach(file, " to "),
                  goal->nranks, judgement->least == goal->nranks ? ": a barrier" : ": no barrier"));
  }
}

void judged_files_say(const struct judged_files *files, const struct session *session) {
  bool tells_all = session->opts.format == TABLE_TEXT;
  VEC_EACH(file, files->items, files->n) {
    if (is_bad(file)) {
      session_say(session, file->why.text);
    } else if (tells_all) {
      (file->judged->goal ? say_goal : say_file)(session->table, file);
      if (file->served) {
        const char *depth = file->raised ? text_brief(" with depth=%u", file->raised) : "";
        say(session->table, "machine",
            xasprintf("%zu of %zu points pass%s", file->passed, file->served, depth));
      } else if (file->refused) {
        say(session->table, "machine", xasprintf("no point: %s", file->refused));
      }
    }
  }
  if (tells_all && files->n > 0) {
    table_note(session->table, "%zu right, %zu wrong, %zu bad", files->nright, files->nwrong, files->nbad);
  }
}

/* --- JUnit --- */

/* Return the first finding that makes a file with JUDGEMENT wrong, or "". */
static const char *first_defect(const struct judgement *judgement) {
  static const enum found kinds[] = {FOUND_STUCK, FOUND_RACES, FOUND_WRONG + BLOCKS_IN_PLACE,
                                     FOUND_WRONG + BLOCKS_OUT_OF_PLACE};
  for (size_t i = judgement->ends; i < sizeof kinds / sizeof *kinds; i++) {
    if (judgement->found[kinds[i]].n) {
      return judgement->found[kinds[i]].shown[0];
    }
  }
  return "";
}

void judged_files_junit(const struct judged_files *files, struct xml_writer *xml) {
  xml_write_begin(xml, "testsuite");
  xml_write_attribute(xml, "name", "schedules");
  check_report_counts(xml, files->n, files->nwrong, files->nbad);
  VEC_EACH(file, files->items, files->n) {
    const char *defect = is_bad(file) ? file->why.text : first_defect(&file->judged->judgement);
    check_report_case(xml, (const char *[]){"schedules", file->path},
                      is_bad(file) ? "error"
                      : *defect    ? "failure"
                                   : NULL,
                      defect);
  }
  xml_write_end(xml);
}
