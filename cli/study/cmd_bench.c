/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll bench: microbenchmarks of the machine. */
#include "cli/commands.h"
#include "cli/run/run_table.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/bench/bench.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/call/placement.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Benchmarks that fill a table. */
struct filling {
  struct session *session;
  struct table *counters; /* NULL: not wanted */
  struct item *items;
  size_t n;
};

/* One benchmark on one machine. */
struct item {
  struct bench_run run;
  const struct bench *bench;
  struct err why; /* the failure */
};

/* --- listing --- */

/* Append NAME and the numbers of LIST, if there are any, to TEXT. */
static void append_list(char **text, const char *name, const struct units_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    xappend(text, "%s%" PRIu64, i ? "," : name, list->values[i]);
  }
}

/* Return the name of BENCH and the options of benchmarks in OPTS, each after a blank; WITH_RANKS also the
 * numbers of ranks. The text is part of the key of an experiment, and lasts; NULL: there are no options. */
static const char *subject_of(const struct bench *bench, const struct opts *opts, bool with_ranks) {
  SCOPED char *text = xstrdup(bench->name);
  append_list(&text, " bytes=", &opts->bytes);
  if (with_ranks) {
    append_list(&text, " ranks=", &opts->ranks);
  }
  for (size_t i = 0; i < opts->streams.n; i++) {
    xappend(&text, "%s%s", i ? "," : " streams=", opts->streams.streams[i].label);
  }
  xappend(&text, opts->depth ? " depth=%u" : "", opts->depth);
  xappend(&text, opts->total ? " total=%" PRIu64 : "", opts->total);
  return strcmp(text, bench->name) != 0 ? text_keep(text) : NULL;
}

/* --- running --- */

static void ask_all(void *context) {
  const struct filling *filling = context;
  VEC_EACH(item, filling->items, filling->n) {
    int status;
    if (item->run.profile) {
      bench_ask(&filling->session->ledger, item->bench, &item->run, &status);
    }
  }
}

/* Add the rows of TASK of FILLING, if known, and if wanted the utilisation of the machine.
 * returns: 0; -1 with `why` set if there are no rows. */
static int take(const struct filling *filling, struct item *task) {
  struct session *session = filling->session;
  const struct units_list *wanted = &session->opts.ranks;
  const struct platform *platform = machine_platform(task->run.machine);
  int status;
  struct result_row row, last = {.ranks = 0}, counted = {.part = NULL};
  if (!task->run.profile) {
    return -1;
  }
  if (!bench_ask(&session->ledger, task->bench, &task->run, &status)) {
    return 0;
  }
  struct pack rows = task->run.rows;
  while (result_take(&task->run.rows, &row)) {
    bool is_wanted = wanted->n == 0 || !platform_has_spes(platform) || /* on hosts all rows are wanted */
                     VEC_FIND(wanted->values, wanted->n, placement_ranks(*item, platform) == row.ranks);
    if (!*row.part && is_wanted && !sweep_interrupted()) {
      table_add(session->table, "%s %p %s %u %zu %.*f %s", task->bench->name, platform, row.parameter,
                row.ranks, row.bytes, fabs(row.value) < 1 ? 4 : 2, row.value, row.unit);
      last = row;
    } else if (strcmp(row.part, CALL_COUNTED) == 0) {
      counted = row;
    }
  }
  if (status == 0 && filling->counters && !sweep_interrupted()) {
    bool network = task->bench->counts_network;
    struct run_counters_subject subject = {.name = task->bench->name,
                                           .platform = platform,
                                           .ranks = network ? counted.ranks : last.ranks,
                                           .bytes = network ? counted.bytes : last.bytes,
                                           .only_busiest = network && session->opts.format == TABLE_TEXT};
    run_counters_add(session->table, filling->counters, &subject, rows);
  }
  return status;
}

/* Run all items of FILLING.
 * returns: an exit code. */
static int run_all(struct filling *filling) {
  struct session *session = filling->session;
  struct ledger *ledger = &session->ledger;
  int status = ledger_settle(ledger, ask_all, filling, session->err);
  int code = status == 0 ? CLI_DONE : sweep_lost(ledger);
  VEC_EACH(item, filling->items, filling->n) {
    size_t nstopped = ledger->nstopped;
    if (take(filling, item) == 0) {
      continue;
    }
    bool stopped = ledger->nstopped > nstopped;
    if (stopped) {
      sweep_complain(item->why.text);
    } else if (filling->n == 1) {
      *session->err = item->why;
      return CLI_INPUT;
    } else { /* one of several: the others go on */
      sweep_skip(item->why.text);
    }
  }
  return code == CLI_DONE ? sweep_outcome(ledger) : code;
}

/* Find the benchmarks that SESSION names; `all` means all benchmarks, without network benchmarks on machines
 * without a network.
 * returns: the number; 0 with the message of SESSION set. */
static size_t find_benches(const struct session *session, const struct bench ***found) {
  const struct opts *opts = &session->opts;
  size_t n = 0;
  bool nodes = VEC_FIND(session->machines.platforms, session->machines.n, (*item)->has_nodes);
  *found = xcalloc(opts->nrest * nbenches, sizeof(const struct bench *));
  VEC_EACH(word, opts->rest, opts->nrest) {
    if (strcmp(*word, "all") == 0) {
      VEC_EACH(bench, benches, nbenches) {
        if (nodes || !(*bench)->of_nodes) {
          (*found)[n++] = *bench;
        }
      }
    } else if (!((*found)[n++] = bench_find(*word, session->err))) {
      return 0;
    }
  }
  return n;
}

static int run_benches(struct session *session, const struct bench *const *chosen, size_t nchosen) {
  const struct opts *opts = &session->opts;
  struct table *table =
    table_new("benchmark,platform,parameter,ranks,bytes,value,unit,version,platform_checksum");
  if (session_table(session, table) != CLI_DONE) {
    return CLI_USAGE;
  }
  struct filling filling = {.session = session};
  filling.counters = opts->counters ? run_counters_new(table, "benchmark") : NULL;
  size_t nmachines = session->machines.n;
  filling.items = xcalloc(nchosen * nmachines, sizeof *filling.items);
  for (size_t i = 0; i < nchosen * nmachines; i++) { /* each on each machine */
    struct item *item = &filling.items[filling.n++];
    struct machine *machine = machines_get(&session->machines, i % nmachines);
    const struct platform *platform = machine_platform(machine);
    const struct bench *bench = chosen[i / nmachines];
    *item = (struct item){.bench = bench};
    item->run = (struct bench_run){.machine = machine,
                                   .bytes = &opts->bytes,
                                   .ranks = &opts->ranks,
                                   .pattern = &opts->streams,
                                   .depth = opts->depth,
                                   .total = opts->total,
                                   .subject = subject_of(bench, opts, !platform_has_spes(platform)),
                                   .used = filling.counters != NULL,
                                   .profile = rig_profile(platform, NULL, bench->source, &item->why),
                                   .err = &item->why};
  }
  int code = run_all(&filling);
  VEC_EACH(item, filling.items, filling.n) {
    pack_fini(&item->run.rows);
  }
  free(filling.items);
  if (code == CLI_DONE && opts->ranks.n && table_nrows(table) == 0 && !session_is_partial(session)) {
    return session_refuse(session, CLI_INPUT, "nothing is measured with these numbers of ranks");
  }
  return code;
}

/* Check that the options of eib-pattern are given only with eib-pattern, and --counters only with a benchmark
 * that can count an exchange.
 * errors: an option without an effect. */
static int check_pattern_options(struct session *session, const struct bench *const *chosen, size_t nchosen) {
  const struct opts *opts = &session->opts;
  bool pattern = VEC_FIND(chosen, nchosen, strcmp((*item)->name, "eib-pattern") == 0);
  bool network = nchosen == 1 && chosen[0]->counts_network;
  if (!pattern && (opts->given & (OPT_STREAMS | OPT_DEPTH | OPT_TOTAL))) {
    return session_refuse(session, CLI_USAGE,
                          "--streams, --depth or --total without eib-pattern, expected them only with it");
  }
  if (opts->counters && !network && (!pattern || nchosen > 1 || opts->bytes.n > 1)) {
    return session_refuse(session, CLI_USAGE,
                          "--counters with several benchmarks or sizes, expected eib-pattern and one size, "
                          "network, or signature");
  }
  return CLI_DONE;
}

int cmd_bench(struct session *session) {
  SCOPED const struct bench **chosen = NULL;
  size_t nchosen = find_benches(session, &chosen);
  int code = nchosen ? check_pattern_options(session, chosen, nchosen) : CLI_USAGE;
  return code == CLI_DONE ? run_benches(session, chosen, nchosen) : code;
}
