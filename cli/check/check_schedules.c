/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/check/check_schedules.h"

#include "algos/schedule/blocks/blocks.h"
#include "algos/schedule/file.h"
#include "algos/schedule/goal/goal.h"
#include "cli/github.h"
#include "cli/session.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Tell whether a connection has fewer slots than FILE needs. */
static bool has_too_few(const struct judged_file *file) {
  return file->limit && file->loaded->judgement.depth > file->limit;
}

/* Return the first finding that makes FILE wrong; NULL: none. Different sums of floating-point numbers are a
 * mistake if points have such sums. */
static const char *first_defect(const struct judged_file *file) {
  static const enum found kinds[] = {FOUND_RACES + BLOCKS_IN_PLACE,
                                     FOUND_RACES + BLOCKS_OUT_OF_PLACE,
                                     FOUND_WRONG + BLOCKS_IN_PLACE,
                                     FOUND_WRONG + BLOCKS_OUT_OF_PLACE,
                                     FOUND_LONG,
                                     FOUND_ORDERS,
                                     FOUND_REFUSALS,
                                     FOUND_HANGS};
  const struct judgement *judgement = &file->loaded->judgement;
  const struct findings *found = judgement->found;
  if (!judgement->ends) {
    return found[FOUND_STUCK].shown[0];
  }
  if (has_too_few(file)) {
    return text_brief("%s has %u slot%s a connection, expected %u: %s",
                      file->is_asked ? "the call" : blocks_of(file->loaded)->protocol, file->limit,
                      text_plural(file->limit), judgement->depth, found[FOUND_STUCK].shown[0]);
  }
  VEC_EACH(kind, kinds, VEC_LENGTH(kinds)) {
    bool is_rccl = *kind == FOUND_REFUSALS || *kind == FOUND_HANGS;
    bool counts = *kind == FOUND_ORDERS ? file->has_rounding : !is_rccl || file->is_strict;
    if (counts && found[*kind].n) {
      return found[*kind].shown[0];
    }
  }
  return NULL;
}

struct judged_files judged_files_new(const struct session *session) {
  const struct opts_names *paths = &session->schedules;
  const struct sweep_calls *calls = &session->calls;
  struct judged_files files = {.n = paths->n};
  const struct opts *opts = &session->opts;
  bool rounds = !(opts->given & OPT_OP) || opts->call.op == OP_SUM || opts->call.op == OP_PROD;
  bool are_reals =
    !(opts->given & OPT_TYPE) || opts->call.type == TYPE_FLOAT32 || opts->call.type == TYPE_FLOAT64;
  size_t at = 0; /* of the calls, in the order of the files */
  files.items = xcalloc(paths->n + 1, sizeof *files.items);
  for (size_t i = 0; i < paths->n; i++) {
    struct judged_file *file = &files.items[i];
    file->path = paths->names[i];
    file->has_rounding = rounds && are_reals;
    file->is_strict = session->opts.strict;
    file->algo = file_load(file->path, &file->why);
    file->loaded = file_loaded(file->path);
    size_t next = at + VEC_INDEX(calls->items + at, calls->n - at, item->algo == file->algo);
    if (file->loaded && file->loaded->form == &blocks_form) { /* slots asked for, or else of the protocol */
      unsigned depth = next < calls->n ? calls->items[next].values[PARAM_DEPTH] : 0;
      file->is_asked = next < calls->n && depth != file->algo->params[PARAM_DEPTH].initial;
      file->limit = file->is_asked ? depth : blocks_of(file->loaded)->nslots;
    }
    at = next < calls->n ? next + 1 : at;
    file->verdict = !file->loaded                          ? FILE_BAD
                    : first_defect(file)                   ? FILE_WRONG
                    : file->loaded->judgement.is_undecided ? FILE_UNDECIDED
                                                           : FILE_RIGHT;
    files.counts[file->verdict]++;
  }
  return files;
}

void judged_files_fini(struct judged_files *files) {
  free(files->items);
  *files = (struct judged_files){0};
}

/* --- points --- */

struct judged_file *judged_files_find(const struct judged_files *files, const struct algo *algo) {
  return VEC_FIND(files->items, files->n, item->algo == algo);
}

/* Return the bytes of a slot of ALGORITHM of FILE: the usual ones, or more for an end. */
static unsigned find_bytes(const struct judged_file *file, struct algorithm algorithm) {
  const struct coll_param *params = file->algo->params;
  if (algorithm.values[PARAM_SLOT] == params[PARAM_SLOT].initial && !file->loaded->judgement.is_undecided) {
    loaded_depth(file->loaded, algorithm.values, params[PARAM_DEPTH].initial, 0);
  }
  return algorithm.values[PARAM_SLOT];
}

/* The search for slots that fit. */
struct fitting {
  const struct judged_file *file;
  const struct platform *platform;
  struct call call;
  bool is_asked; /* the number of slots is another than the usual one */
};

/* Let the call of FITTING have slots of SLOT bytes, as many as needed unless the number is asked for.
 * returns: whether there is room. */
static bool try_slot(struct fitting *fitting, unsigned slot) {
  const struct coll_param *param = &fitting->file->algo->params[PARAM_DEPTH];
  struct algorithm *algorithm = &fitting->call.algorithm;
  algorithm->values[PARAM_SLOT] = slot;
  if (!fitting->is_asked) {
    const struct loaded *loaded = fitting->file->loaded;
    unsigned needed =
      loaded->judgement.is_undecided ? 0 : loaded->form->depth(loaded, algorithm->values, param->initial, 0);
    algorithm->values[PARAM_DEPTH] =
      needed > param->initial && needed <= param->most ? needed : param->initial;
  }
  return rig_check(fitting->platform, &fitting->call, NULL) == 0;
}

/* Return the largest slot, at most the one of MOST bytes, for which the call of FITTING has room; 0: none. */
static unsigned find_slot(struct fitting *fitting, unsigned most) {
  const struct coll_param *param = &fitting->file->algo->params[PARAM_SLOT];
  unsigned low = param->least, high = most;
  if (try_slot(fitting, most) || !try_slot(fitting, low)) {
    return fitting->call.algorithm.values[PARAM_SLOT] == most ? most : 0;
  }
  while (high - low > param->multiple) {
    unsigned middle = (low + high) / 2 / param->multiple * param->multiple;
    *(try_slot(fitting, middle) ? &low : &high) = middle;
  }
  return low;
}

/* Let the call of GRID, of FILE, have as many slots as needed, of the bytes of find_bytes, or else the
 * largest with room on PLATFORM for the last size, or for the size before. A number other than the usual one
 * is asked for, and stays. */
static void fit_slots(const struct judged_file *file, struct check_grid *grid,
                      const struct platform *platform) {
  const struct coll_param *params = file->algo->params;
  unsigned usual = find_bytes(file, grid->given.algorithm), slot = 0;
  bool is_free = grid->given.algorithm.values[PARAM_SLOT] == params[PARAM_SLOT].initial &&
                 platform_has_spes(platform) && file->ranks <= platform->nspes;
  struct fitting fitting = {.file = file,
                            .platform = platform,
                            .call = {.algorithm = grid->given.algorithm,
                                     .nranks = (unsigned)file->ranks,
                                     .root = grid->given.root,
                                     .profile = grid->given.profile},
                            .is_asked =
                              grid->given.algorithm.values[PARAM_DEPTH] != params[PARAM_DEPTH].initial};
  for (size_t i = grid->bytes.n ? grid->bytes.n : 1; i-- > 0 && is_free && slot == 0;) {
    fitting.call.nbytes = grid->bytes.n ? grid->bytes.values[i] : 0;
    slot = find_slot(&fitting, usual);
  }
  try_slot(&fitting, slot ? slot : usual);
  grid->given.algorithm = fitting.call.algorithm;
}

void judged_file_ask(struct judged_file *file, struct check_grid *grid, const struct platform *platform) {
  enum { SMALL = 4, LARGE_BLOCK = 1024, LARGE = 16384 };
  const struct algo *algo = file->algo;
  const uint64_t sizes[2] = {SMALL, collective_has_blocks(algo->collective) ? LARGE_BLOCK : LARGE};
  for (size_t i = 0; i < 2 && algo->unit; i++) {
    file->sizes[i] = (sizes[i] + algo->unit - 1) / algo->unit * algo->unit;
  }
  if (grid->bytes.n == 0 && algo->unit) {
    grid->bytes = (struct units_list){.values = file->sizes, .n = 2};
  }
  file->ranks = algo->ranks;
  grid->ranks = grid->ranks.n ? grid->ranks : (struct units_list){.values = &file->ranks, .n = 1};
  grid->delays_all = true;
  grid->given.root = grid->fixed >> CHECK_ROOT & 1 ? grid->given.root : loaded_root(file->loaded);
  grid->fixed |=
    1u << CHECK_ROOT | 1u << FIELD_op; /* unless given a sum, which tells how often a contribution counts */
  bool rounds = file->has_rounding && file->loaded->judgement.found[FOUND_ORDERS].n;
  if (rounds && !(grid->fixed >> FIELD_type & 1)) {
    grid->given.type = TYPE_FLOAT64;
    grid->fixed |= 1u << FIELD_type;
  }
  fit_slots(file, grid, platform);
  for (unsigned i = PARAM_DEPTH; i <= PARAM_SLOT; i++) {
    file->slots[i] =
      grid->given.algorithm.values[i] == algo->params[i].initial ? 0 : grid->given.algorithm.values[i];
  }
}

/* Return the reason why no point of FILE was tried on the machine; NULL: some were, or the file is bad. */
static const char *find_reason(const struct judged_file *file) {
  if (!file->loaded || file->served) {
    return NULL;
  }
  size_t n = strlen(file->path);
  const char *why = file->refused ? file->refused : "no point was tried";
  if (!file->refused && *file->why.text) {
    why = strncmp(file->why.text, file->path, n) == 0 ? file->why.text + n + 2 : file->why.text;
  }
  return why;
}

void judged_files_count(struct judged_files *files, const struct check_report *report) {
  VEC_EACH(checked, report->items, report->n) {
    struct judged_file *file = judged_files_find(files, checked->call.algorithm.algo);
    enum check_verdict verdict = checked->result.verdict;
    if (file) {
      file->passed += verdict == CHECK_PASS;
      file->served += verdict == CHECK_PASS || verdict == CHECK_FAIL;
      file->refused = verdict == CHECK_NOT_APPLICABLE ? checked->result.detail : file->refused;
    }
  }
  VEC_EACH(file, files->items, files->n) {
    file->reason = find_reason(file);
  }
}

/* --- the cells of a row --- */

static const char *result_word(const struct judgement *judgement) {
  bool has_one = judgement->has_result && judgement->depth > 0;
  return !has_one ? NULL : judgement_is_wrong(judgement) ? "wrong" : "right";
}

/* Tell whether an order of combination is defined. */
static bool has_order(const struct loaded *loaded) {
  return blocks_of(loaded)->collective == BLOCKS_allreduce && result_word(&loaded->judgement);
}

/* Add NEMPTY empty cells. */
static void add_nothing(struct table *table, unsigned nempty) {
  for (unsigned i = 0; i < nempty; i++) {
    table_add_nothing(table);
  }
}

/* Return the number of ranks needed for the end of a rank, or a range, with the word TO; a text_brief. */
static const char *tell_reach(const struct judgement *judgement, const char *to) {
  return judgement->least == judgement->most ? text_brief("%u", judgement->most)
                                             : text_brief("%u%s%u", judgement->least, to, judgement->most);
}

static const char *goal_depth_word(const struct judgement *judgement) {
  if (judgement->is_undecided) {
    return "undecided";
  }
  if (judgement->ends) {
    return text_brief("%u", judgement->depth);
  }
  return judgement->found[FOUND_OPEN].n ? "open" : "never";
}

static void add_goal(struct table *table, const struct judged_file *file) {
  const struct goal *goal = goal_of(file->loaded);
  const struct judgement *judgement = &file->loaded->judgement;
  const char *reach = judgement->ends && judgement->most ? tell_reach(judgement, "-") : NULL;
  add_nothing(table, 1);
  table_add(table, "%u %zu %s %s %s", goal->nranks, goal->noperations, goal_depth_word(judgement),
            judgement->found[FOUND_LONG].n ? "wrong" : reach,
            judgement->found[FOUND_OPEN].n ? text_brief("%zu", judgement->found[FOUND_OPEN].n) : NULL);
  add_nothing(table, 2);
}

/* What RCCL does with a file. */
static const char *const rccl_words[][2] = {
  {"takes", "takes the file"}, {"refuses", "refuses the file"}, {"hangs", "hangs"}};

/* Return the words for JUDGEMENT. */
static const char *const *rccl_of(const struct judgement *judgement) {
  return rccl_words[judgement->found[FOUND_REFUSALS].n ? 1 : judgement->found[FOUND_HANGS].n ? 2 : 0];
}

static void add_blocks(struct table *table, const struct judged_file *file) {
  const struct blocks *schedule = blocks_of(file->loaded);
  const struct judgement *judgement = &file->loaded->judgement;
  const char *order = judgement->found[FOUND_ORDERS].n ? "differs" : "same";
  table_add(table, "%s %u %zu", blocks_traits[schedule->collective].word, schedule->nranks, schedule->nsteps);
  if (judgement->depth > 0) {
    table_add(table, "%u %s %zu", judgement->depth, result_word(judgement), judgement_races(judgement)->n);
  } else {
    table_add_text(table, "never");
    add_nothing(table, 2);
  }
  table_add(table, "%s %s", has_order(file->loaded) ? order : NULL, rccl_of(judgement)[0]);
}

/* --- the findings in words --- */

enum { TOPIC_COLUMNS = 13 };

/* Say TEXT about TOPIC; release TEXT. */
static void say(struct table *table, const char *topic, char *text) {
  table_note_filled(table, text_brief("  %-*s", TOPIC_COLUMNS, topic), text);
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
  const struct judgement *judgement = &file->loaded->judgement;
  const struct blocks *schedule = blocks_of(file->loaded);
  unsigned depth = judgement->depth;
  if (depth == 0) {
    say(table, "ends",
        xasprintf("never: %zu of %zu blocks wait", judgement->found[FOUND_STUCK].n, schedule->nblocks));
  } else if (depth == 1) {
    say(table, "ends", xasprintf("with 1 slot a connection"));
  } else {
    say(table, "ends",
        xasprintf("with %u slots a connection, not with %u; %s has %u%s%s", depth, depth - 1,
                  schedule->protocol, schedule->nslots,
                  file->is_asked ? text_brief(", depth=%u is asked for", file->limit) : "",
                  has_too_few(file) ? ", too few" : ""));
  }
  say_findings(table, &judgement->found[FOUND_STUCK]);
  if (judgement->depth_narrow != depth) {
    say(table, "", xasprintf("with %u slots if a slot holds one chunk", judgement->depth_narrow));
  }
}

static const char *const ways[] = {"in place", "out of place"};

static void say_result(struct table *table, const struct loaded *loaded) {
  const struct judgement *judgement = &loaded->judgement;
  const struct blocks *schedule = blocks_of(loaded);
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  if (!judgement->has_result) {
    say(table, "result", xasprintf("not defined for the collective %s", traits->word));
    return;
  }
  for (unsigned way = 0; way < BLOCKS_WAYS; way++) {
    const struct findings *wrong = &judgement->found[FOUND_WRONG + way];
    if (!schedule->claims[way]) {
      continue;
    }
    const char *open =
      judgement->found[FOUND_RACES + way].n ? ", in one of the orders that the races leave open" : "";
    const char *root = blocks_has_root(traits) ? text_brief(", root %u", judgement->roots[way]) : "";
    bool is_taken = way == BLOCKS_OUT_OF_PLACE && schedule->takes_input;
    say(table, "result",
        wrong->n
          ? xasprintf("wrong %s%s: %zu of %zu chunks%s", ways[way], root, wrong->n, judgement->nresults, open)
          : xasprintf("right %s%s%s%s", ways[way], root, is_taken ? ", but the input is overwritten" : "",
                      open));
    say_findings(table, wrong);
    say_findings(table, &judgement->found[FOUND_UNWRITTEN + way]);
  }
}

static void say_blocks(struct table *table, const struct judged_file *file) {
  const struct blocks *schedule = blocks_of(file->loaded);
  const struct judgement *judgement = &file->loaded->judgement;
  table_note(table, "%s: msccl %s, %u rank%s, %zu block%s, %zu step%s, %u chunk%s, %s%s%s", file->path,
             blocks_traits[schedule->collective].word, schedule->nranks, text_plural(schedule->nranks),
             schedule->nblocks, text_plural(schedule->nblocks), schedule->nsteps,
             text_plural(schedule->nsteps), schedule->nchunks, text_plural(schedule->nchunks),
             schedule->protocol, schedule->claims[BLOCKS_IN_PLACE] ? ", in place" : "",
             schedule->claims[BLOCKS_OUT_OF_PLACE] ? ", out of place" : "");
  say_ends(table, file);
  if (judgement->depth > 0) {
    say_result(table, file->loaded);
    const struct findings *races = judgement_races(judgement), *both = &judgement->found[FOUND_RACES];
    bool is_one = schedule->claims[BLOCKS_IN_PLACE] && schedule->claims[BLOCKS_OUT_OF_PLACE] &&
                  both[BLOCKS_IN_PLACE].n != both[BLOCKS_OUT_OF_PLACE].n;
    say(table, "races",
        races->n ? xasprintf("%zu%s%s", races->n, is_one ? " " : "", is_one ? ways[races - both] : "")
                 : xstrdup("none"));
    say_findings(table, races);
  }
  if (has_order(file->loaded)) {
    const struct findings *orders = &judgement->found[FOUND_ORDERS];
    say(table, "floats",
        orders->n ? xasprintf("%sranks combine %zu of %u chunks in different orders%s",
                              file->has_rounding ? "wrong: " : "", orders->n, schedule->nchunks,
                              file->has_rounding ? ", sums differ" : "; no sum of floats is asked for")
                  : xstrdup("the same sum on all ranks"));
    say_findings(table, orders);
  }
  bool is_refused = file->is_strict && rccl_of(judgement) != rccl_words[0];
  say(table, "rccl", xasprintf("%s%s", is_refused ? "wrong: " : "", rccl_of(judgement)[1]));
  say_findings(table, &judgement->found[FOUND_REFUSALS]);
  say_findings(table, &judgement->found[FOUND_HANGS]);
  say_findings(table, &judgement->found[FOUND_NOTES]);
}

static const char not_decided[] = "not decided: too many orders of messages";

static char *tell_goal_end(const struct judgement *judgement) {
  bool is_open = judgement->found[FOUND_OPEN].n > 0;
  unsigned depth = judgement->depth;
  if (!judgement->ends) {
    return xasprintf("%s: %zu operations are left", is_open ? "not in each order" : "never",
                     judgement->found[FOUND_STUCK].n);
  }
  if (judgement->is_undecided) {
    return xstrdup(not_decided);
  }
  return depth == 0 ? xstrdup("also if every send waits for the receiver")
                    : xasprintf(is_open ? "in each order with %u slot%s a connection"
                                        : "only with %u slot%s a connection, for messages without a receiver",
                                depth, text_plural(depth));
}

static void say_goal(struct table *table, const struct judged_file *file) {
  const struct goal *goal = goal_of(file->loaded);
  const struct judgement *judgement = &file->loaded->judgement;
  table_note(table, "%s: goal, %u rank%s, %zu send%s, %zu receive%s, %zu calculation%s", file->path,
             goal->nranks, text_plural(goal->nranks), goal->counts[GOAL_SEND],
             text_plural(goal->counts[GOAL_SEND]), goal->counts[GOAL_RECV],
             text_plural(goal->counts[GOAL_RECV]), goal->counts[GOAL_CALC],
             text_plural(goal->counts[GOAL_CALC]));
  say(table, "ends", tell_goal_end(judgement));
  say_findings(table, &judgement->found[FOUND_STUCK]);
  say_findings(table, &judgement->found[FOUND_LONG]);
  say_findings(table, &judgement->found[FOUND_OPEN]);
  say_findings(table, &judgement->found[FOUND_UNEQUAL]);
  if (judgement->ends && judgement->most > 0) {
    bool is_equal = judgement->least == judgement->most;
    const char *barrier = judgement->least == goal->nranks ? ": a barrier" : ": no barrier";
    say(table, "depends",
        xasprintf("%s on %s of %u%s", is_equal ? "each rank" : "ranks", tell_reach(judgement, " to "),
                  goal->nranks, judgement->found[FOUND_OPEN].n ? ", in one of the orders" : barrier));
  }
}

/* --- files of both forms --- */

/* What is told of files of a form: the cells of a row, and the findings in words. */
static const struct teller {
  const struct form *form;
  void (*add)(struct table *table, const struct judged_file *file);
  void (*say)(struct table *table, const struct judged_file *file);
} tellers[] = {{&blocks_form, add_blocks, say_blocks}, {&goal_form, add_goal, say_goal}};

static const struct teller *teller_of(const struct judged_file *file) {
  return VEC_FIND(tellers, VEC_LENGTH(tellers), item->form == file->loaded->form);
}

struct table *judged_files_table(const struct judged_files *files) {
  struct table *table = table_new(
    "file,form,collective,ranks,steps,depth,result,races,order,rccl,machine,version,protocol,slots");
  table_only_notes(table);
  VEC_EACH(file, files->items, files->n) {
    table_add(table, "%s %s", file->path, file->loaded ? file->loaded->form->name : "bad");
    if (file->loaded) {
      teller_of(file)->add(table, file);
    } else {
      add_nothing(table, 8);
    }
    table_add(table, "%s", file->served ? text_brief("%zu/%zu", file->passed, file->served) : NULL);
    table_add(table, "%s", file->limit ? blocks_of(file->loaded)->protocol : NULL);
    table_add_known(table, file->limit, file->limit);
  }
  return table;
}

void judged_files_say(const struct judged_files *files, const struct session *session) {
  bool tells_all = session->opts.format == TABLE_TEXT;
  VEC_EACH(file, files->items, files->n) {
    if (session->opts.github && (file->verdict == FILE_BAD || file->verdict == FILE_WRONG)) {
      github_error(file->path, 1, file->verdict == FILE_BAD ? file->why.text : first_defect(file));
    }
    if (file->verdict == FILE_BAD) {
      session_say(session, file->why.text);
    } else if (tells_all) {
      teller_of(file)->say(session->table, file);
      const char *depth = file->slots[PARAM_DEPTH] ? text_brief(":depth=%u", file->slots[PARAM_DEPTH]) : "",
                 *slot = file->slots[PARAM_SLOT] ? text_brief(":slot=%u", file->slots[PARAM_SLOT]) : "";
      const char *more = text_brief("%s%s", depth, slot);
      say(session->table, "machine",
          file->reason ? xasprintf("judged only: %s", file->reason)
                       : xasprintf("%zu of %zu points pass%s%s", file->passed, file->served,
                                   *more ? " with " : "", *more ? more + 1 : ""));
    } else if (file->reason) {
      SCOPED char *line = xasprintf("%s: judged only: %s", file->path, file->reason);
      session_say(session, line);
    }
  }
  if (tells_all && files->n > 0) {
    const size_t *counts = files->counts, nopen = counts[FILE_UNDECIDED];
    table_note(session->table, "%zu right, %zu wrong, %zu bad%s", counts[FILE_RIGHT], counts[FILE_WRONG],
               counts[FILE_BAD], nopen ? text_brief(", %zu not decided", nopen) : "");
  }
}

void judged_files_junit(const struct judged_files *files, struct check_junit *junit) {
  static const char *const states[FILE_VERDICTS] = {NULL, "failure", "error", "skipped"};
  const char *suite = "schedules";
  VEC_EACH(file, files->items, files->n) {
    const char *const defects[FILE_VERDICTS] = {"", file->verdict == FILE_WRONG ? first_defect(file) : "",
                                                file->why.text, not_decided};
    struct check_test test = {suite, "schedules", file->path, states[file->verdict],
                              .message = text_keep(defects[file->verdict])};
    if (file->limit) {
      test.protocol = blocks_of(file->loaded)->protocol;
      test.slots = file->limit;
      test.depth = file->loaded->judgement.depth; /* 0: no number is enough */
    }
    VEC_ADD(junit->tests, junit->n) = test;
    if (file->reason) {
      SCOPED char *name = xasprintf("%s on the machine", file->path);
      VEC_ADD(junit->tests, junit->n) =
        (struct check_test){NULL, "schedules", text_keep(name), "skipped", .message = file->reason};
    }
    suite = NULL;
  }
}
