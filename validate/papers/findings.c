/* SPDX-License-Identifier: BSD-3-Clause
 * The deciders of findings, the table of findings, and the verdict on each. Most deciders are races in rows
 * of findings.def: algorithms timed on the same ranks and sizes, and an inequality of the times. Deciders
 * about other figures are functions here. A decider is called in every round of the ledger; an unknown figure
 * counts as 1 until the last round, whose inequalities decide. */
#include "validate/papers/findings.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/predict.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Words of the papers as factors, the same for all findings.
 * CLOSE: close to, nearly as good as, almost no difference, flat; a larger difference is clear. EQUAL: no
 * better than; a smaller difference cannot be read from a figure.
 * NEARLY_TWICE: nearly twice, about half, much: nearer to twice than to the same. */
#define CLOSE 1.15
#define EQUAL 1.01
#define NEARLY_TWICE 1.5

/* Return a figure under the profile of the finding: FIGURE, or the members of a struct figure. */
static double finding_figure(struct decision *d, struct figure figure) {
  figure.profile = d->profile;
  return d->value(d, &figure);
}
#define finding_value(d, ...) finding_figure(d, (struct figure){__VA_ARGS__})

/* Return the ns of a call of ALGORITHM on RANKS ranks with BYTES bytes, timed as the source did. */
static double finding_time(struct decision *d, const char *algorithm, unsigned ranks, size_t bytes) {
  return finding_value(d, d->is_loop ? FIGURE_LOOP : FIGURE_CALL, .subject = algorithm, .type = d->type,
                       .ranks = ranks, .bytes = bytes);
}

/* Require an inequality: HOLDS. */
static void finding_require(struct decision *d, bool holds) {
  d->refuted |= !holds;
}

void finding_say(struct decision *d, const char *format, ...) {
  size_t used = strlen(d->evidence);
  va_list arguments;
  if (used > 0 && used + 3 < sizeof d->evidence) {
    strcpy(d->evidence + used, "; ");
    used += 2;
  }
  va_start(arguments, format);
  vsnprintf(d->evidence + used, sizeof d->evidence - used, format, arguments);
  va_end(arguments);
}

/* Both: require HOLDS, and add the numbers behind to the evidence. */
#define finding_point(d, holds, ...) (finding_require(d, holds), finding_say(d, __VA_ARGS__))

/* --- races --- */

enum { RACE_MOST = 10 };

/* Algorithms timed on each of some numbers of ranks with each of some sizes. */
struct race {
  struct decision *d;
  const char *const *names; /* up to NULL */
  const unsigned *ranks;    /* from the point on, up to 0 */
  const size_t *sizes;      /* up to SIZE_MAX */
  const size_t *bytes;      /* of the point; NULL: before the first point */
  unsigned n;
  double t[RACE_MOST]; /* times at the point */
  double before;       /* the largest over the least time of the point before */
  char text[16 * RACE_MOST];
};

/* Return the least, or the largest, time from number FIRST on. */
static double least(const struct race *race, unsigned first) {
  double found = INFINITY;
  for (unsigned i = first; i < race->n; i++) {
    found = fmin(found, race->t[i]);
  }
  return found;
}

static double most(const struct race *race, unsigned first) {
  double found = 0;
  for (unsigned i = first; i < race->n; i++) {
    found = fmax(found, race->t[i]);
  }
  return found;
}

/* Return the name, without the collective, of the first of the fastest algorithms but number 0. */
static const char *fastest(const struct race *race) {
  unsigned i = 1;
  while (i + 1 < race->n && race->t[i] > least(race, 1)) {
    i++;
  }
  return strchr(race->names[i], ':') + 1;
}

/* Time all algorithms at the next point of RACE.
 * returns: whether there is a next point. */
static bool race_next(struct race *race) {
  race->before = race->bytes ? most(race, 0) / least(race, 0) : INFINITY;
  if (!race->bytes || *++race->bytes == SIZE_MAX) {
    race->ranks += race->bytes != NULL;
    race->bytes = race->sizes;
  }
  size_t used = 0;
  for (race->n = 0; *race->ranks && race->names[race->n]; race->n++) {
    double time = finding_time(race->d, race->names[race->n], *race->ranks, *race->bytes);
    used += (size_t)snprintf(race->text + used, sizeof race->text - used, "%s%.0f", used ? "/" : "", time);
    race->t[race->n] = time;
  }
  return *race->ranks != 0;
}

/* RACE(names, ranks, bytes, holds, said...): time the algorithms NAMES on each of RANKS with each of BYTES,
 * require HOLDS, and say SAID. There are `race`, the times `t`, the ranks `p` and the bytes `m`. A list of
 * several items is LIST. */
#define LIST(...) __VA_ARGS__
#define RACE(names_, ranks_, bytes_, holds, ...) \
  for (struct race at = {.d = d, \
                        .names = (const char *const[]){names_, NULL}, \
                        .ranks = (const unsigned[]){ranks_, 0}, \
                        .sizes = (const size_t[]){bytes_, SIZE_MAX}}, \
                   *race = &at; \
       race_next(race);) { \
    const double *t = race->t; \
    const unsigned p = *race->ranks; \
    const size_t m = *race->bytes; \
    (void)t, (void)p, (void)m; \
    finding_point(d, holds, __VA_ARGS__); \
  }

/* Formats for the evidence of a race. */
#define BY_RANKS "%u: %s", p, race->text
#define BY_BOTH "%u x %zu B: %s", p, m, race->text
#define FIRST_AND_LEAST "%u: %.0f/%.0f", p, t[0], least(race, 1)
#define IN_US "%zu B: %.1f/%.1f us", m, t[0] * 1e-3, t[1] * 1e-3
#define AS_BEST \
  "%u x %zu B: %s %.0f; fastest %.0f %s", p, m, strchr(race->names[0], ':') + 1, t[0], least(race, 1), \
    fastest(race)

/* Lists of ranks and sizes. */
#define EVEN LIST(2, 4, 6, 8, 10, 12, 14, 16)
#define FOURS LIST(4, 8, 12, 16)
#define SMALL LIST(128, 1024)
#define LARGE LIST(8192, 32768, 131072)

/* Barriers of Velamati et al., of Gaona et al. */
#define PE "barrier:recursive-doubling"
#define DIS "barrier:bruck"
#define OTA "barrier:one-to-all"
#define SIG "barrier:all-to-one:release=put"
#define KNOMIAL(degree) "barrier:knomial:degree=" #degree
#define PE_SIGNAL "barrier:recursive-doubling:sync=signal"
#define ATO "barrier:all-to-one"
#define ATO_BLADE "barrier:all-to-one-blade"
#define TT(degree) "barrier:tree:degree=" #degree
#define TT_BLADE(degree) "barrier:tree-blade:degree=" #degree

/* Collectives in local stores, Gaona et al. */
#define STARS_AND_TREES \
  LIST("bcast:tree-opt-blade:degree=2", "bcast:tree-opt-blade:degree=3", "bcast:all-to-one", \
       "bcast:all-to-one-opt-blade")
#define STAR "reduce:all-to-one-opt-blade"
#define TTOPT(degree) "reduce:tree-opt-blade:degree=" #degree
#define FLOATS d->type = TYPE_FLOAT32;

/* Collectives in main memory, Velamati et al. The first shift is none, the first local tree a chain. */
#define PUBLISHED_RATE (16 * 32768 / 33700.0) /* GB/s, table 2 */
#define G "bcast:mm-root-copies"
#define AG "bcast:mm-allgather"
#define SHIFT(bytes) "bcast:mm-one-to-all:shift=" #bytes
#define SHIFTS LIST(SHIFT(0), SHIFT(128), SHIFT(1024), SHIFT(2048), SHIFT(4096))
#define PIECE(bytes) "bcast:mm-allgather:min=" #bytes
#define TREEMM(degree) "bcast:mm-tree:degree=" #degree
#define COPYING_TREES LIST(TREEMM(2), TREEMM(3), TREEMM(4))
#define TREE(degree) "bcast:mm-ls-tree:degree=" #degree
#define BROADCASTS_IN_MEMORY LIST(G, TREE(3), AG, "bcast:mm-one-to-all", TREEMM(3), TREE(1), TREE(2), TREE(4))
#define AGR "reduce:mm-allgather"
#define REDUCE(degree) "reduce:mm-ls-tree:degree=" #degree
#define REDUCTIONS_IN_MEMORY LIST(REDUCE(1), REDUCE(2), REDUCE(3), REDUCE(4), AGR)

#define CLOSE_DEGREES(bytes) \
  RACE(LIST(TREEMM(2), TREEMM(4)), 12, bytes, most(race, 0) <= CLOSE * least(race, 0), BY_BOTH) \
  RACE(LIST(TREE(2), TREE(4)), 16, bytes, most(race, 0) <= CLOSE * least(race, 0), BY_BOTH)
#define BEST_REDUCTIONS(ranks) \
  RACE(LIST(REDUCE(3), REDUCTIONS_IN_MEMORY), ranks, 128, t[0] <= CLOSE * least(race, 1), AS_BEST) \
  RACE(LIST(AGR, REDUCTIONS_IN_MEMORY), ranks, 16384, t[0] <= EQUAL * least(race, 1), AS_BEST) \
  RACE(LIST(REDUCE(1), REDUCTIONS_IN_MEMORY), ranks, 1 << 20, t[0] <= EQUAL * least(race, 1), AS_BEST)

/* --- other deciders --- */

/* Require of the barrier ALGORITHM that the step from 8 to 10 ranks is the largest. */
static void decide_jump(struct decision *d, const char *algorithm) {
  double jump = 0, largest = 0;
  for (unsigned p = 4; p <= 16; p += 2) {
    double step = finding_time(d, algorithm, p, 0) - finding_time(d, algorithm, p - 2, 0);
    jump = p == 10 ? step : jump;
    largest = p == 10 ? largest : fmax(largest, step);
  }
  finding_point(d, jump > 0 && jump >= NEARLY_TWICE * largest, "%s: +%.0f against at most +%.0f",
                strchr(algorithm, ':') + 1, jump, largest);
}

static double crossing(struct decision *d, enum figure_kind kind, unsigned messages, size_t bytes) {
  return finding_value(d, kind, .count = messages, .bytes = bytes);
}

/* Tell whether 16 crossing messages of KIND with BYTES bytes take at most FACTOR times as long as two up to
 * 256 B, and longer above. */
static bool contention_begins_above_256(struct decision *d, enum figure_kind kind, size_t bytes,
                                        double factor) {
  double two = crossing(d, kind, 2, bytes), all = crossing(d, kind, 16, bytes);
  return bytes <= 256 ? all <= factor * two : all > factor * two;
}

static void decide_link(struct decision *d) {
  bool bursts = true; /* the reading before: one burst, contention from CLOSE on */
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    double one = crossing(d, FIGURE_CROSSING, 1, bytes), two = crossing(d, FIGURE_CROSSING, 2, bytes);
    finding_require(d, two <= CLOSE * one);
    finding_point(d, contention_begins_above_256(d, FIGURE_CROSSING, bytes, EQUAL), "%zu B: %.0f/%.0f/%.0f",
                  bytes, one, two, crossing(d, FIGURE_CROSSING, 16, bytes));
    bursts &= crossing(d, FIGURE_BURST, 2, bytes) <= CLOSE * crossing(d, FIGURE_BURST, 1, bytes);
    bursts &= contention_begins_above_256(d, FIGURE_BURST, bytes, CLOSE);
  }
  finding_say(d, "in one burst and with 15 percent for 1: %s", bursts ? "holds" : "fails");
}

/* Return the largest increase in percent of 16 messages over 2. */
static double largest_increase(struct decision *d, enum figure_kind kind) {
  double largest = 0;
  for (size_t bytes = 64; bytes <= 32768; bytes *= 2) {
    largest = fmax(largest, 100 * (crossing(d, kind, 16, bytes) / crossing(d, kind, 2, bytes) - 1));
  }
  return largest;
}

static void decide_congestion(struct decision *d) {
  double largest = largest_increase(d, FIGURE_CROSSING);
  finding_point(d, largest <= CLOSE * 218 && CLOSE * largest >= 218,
                "largest increase %.1f percent; in one burst %.1f", largest,
                largest_increase(d, FIGURE_BURST));
}

static void decide_priorities(struct decision *d) {
  static const char *const names[] = {"bcast:binomial-simple", "bcast:binomial-opt"};
  for (size_t bytes = 256; bytes <= 16384; bytes *= 4) {
    double t[2];
    for (unsigned i = 0; i < 2; i++) {
      t[i] = finding_value(d, FIGURE_ARRIVAL, .subject = names[i], .ranks = 8, .bytes = bytes);
    }
    finding_point(d, bytes < 4096 ? t[0] >= t[1] : t[0] > CLOSE * t[1],
                  "%zu B: %.0f/%.0f (in total %.0f/%.0f)", bytes, t[0], t[1],
                  finding_time(d, names[0], 8, bytes), finding_time(d, names[1], 8, bytes));
  }
}

static void decide_crossings(struct decision *d) {
  static const char *const names[] = {"bcast:segmented-binomial", "bcast:hybrid-segmented-binomial"};
  for (size_t bytes = 2048; bytes <= 32768; bytes *= 4) {
    double t[2], crossed[2];
    for (unsigned i = 0; i < 2; i++) {
      t[i] = finding_time(d, names[i], 16, bytes);
      crossed[i] = finding_value(d, FIGURE_CROSSED, .subject = names[i], .ranks = 16, .bytes = bytes);
    }
    finding_require(d, crossed[1] < 2 * (double)bytes && crossed[0] >= 7 * (double)bytes);
    finding_point(d, t[0] > CLOSE * t[1], "%zu B: %.0f/%.0f B cross; %.0f/%.0f ns", bytes, crossed[0],
                  crossed[1], t[0], t[1]);
  }
}

static void decide_small(struct decision *d, const char *algorithm) {
  for (unsigned p = 8; p <= 16; p += 8) {
    double little = finding_time(d, algorithm, p, 16), full = finding_time(d, algorithm, p, 64);
    finding_point(d, little <= full && full <= CLOSE * little, "%s on %u: %.0f/%.0f",
                  strchr(algorithm, ':') + 1, p, little, full);
  }
}

static double copy(struct decision *d, unsigned buffers, size_t size) {
  return finding_value(d, FIGURE_COPY, .bytes = 1 << 20, .count = buffers, .buffer = size);
}

static void decide_buffers(struct decision *d) {
  double ppe = finding_time(d, "bcast:mm-ppe", 2, 1 << 20), spe = copy(d, 2, 16384);
  finding_point(d, CLOSE * spe <= ppe, "PPE %.0f; SPE buffers in B: one/two", ppe);
  for (size_t size = 1024; size <= 16384; size *= 4) {
    double one = copy(d, 1, size), two = copy(d, 2, size);
    finding_point(d, one >= NEARLY_TWICE * two, "%zu: %.0f/%.0f", size, one, two);
  }
}

/* Sizes of small transfers in bytes: below the least size with the peak of a stream, 1024 (row peak-from);
 * and the reading before, as of small messages in main memory. */
enum { SMALL_PIECE = 512, SMALL_PIECE_BEFORE = 1024 };

static void decide_pieces(struct decision *d) {
  bool before = true;
  for (size_t bytes = 1024; bytes <= 16384; bytes *= 4) {
    double one = finding_value(d, FIGURE_PIECES, .bytes = bytes, .count = 1);
    finding_say(d, "%zu B: %.0f", bytes, one);
    for (unsigned count = 2; count <= 16 && bytes / count >= 128; count *= 2) {
      double several = finding_value(d, FIGURE_PIECES, .bytes = bytes, .count = count);
      finding_require(d, bytes / count <= SMALL_PIECE ? several > EQUAL * one : several >= one);
      before &= bytes / count <= SMALL_PIECE_BEFORE ? several > EQUAL * one : several >= one;
      finding_say(d, "in %u %.0f", count, several);
    }
  }
  finding_say(d, "with pieces of 1 KiB taken for small: %s", before ? "holds" : "fails");
}

/* --- the deciders of the rows --- */

#define ROW(id, ...) \
  static void decide_##id(struct decision *d) { \
    __VA_ARGS__ \
  }
#define FINDING(id, name, profile, timing, fairness, source, statement, inequality, note, ...) \
  ROW(id, __VA_ARGS__)
#define FINDING_HOSTS(id, name, source, statement, inequality, elsewhere, note, ...) ROW(id, __VA_ARGS__)
#include "validate/papers/findings.def"
#undef ROW

/* --- the table --- */

/* The built-in platforms of all findings. */
#define MADE_ON_SPES "qs20"
#define MADE_ON_HOSTS "qsnet2"

enum timing { SINGLE, LOOP, BENCHMARK };
#define MEASURED_SINGLE "single calls"
#define MEASURED_LOOP "mean of calls back to back"
#define MEASURED_BENCHMARK "benchmark"

const struct finding findings_table[] = {
#define ROW(id, name, profile, is_loop, fairness, source, statement, inequality, measured, note, on, where) \
  [id - 1] = {id,       name, profile,     is_loop, FINDING_##fairness, source, statement, inequality, \
              measured, note, decide_##id, on,      .elsewhere = where},
#define FINDING(id, name, profile, timing, fairness, source, statement, inequality, note, ...) \
  ROW(id, name, #profile, timing == LOOP, fairness, source, statement, inequality, \
      #profile "; " MEASURED_##timing, note, MADE_ON_SPES, NULL)
#define FINDING_HOSTS(id, name, source, statement, inequality, where, note, ...) \
  ROW(id, name, "ali2010", false, FAIR, source, statement, inequality, MEASURED_SINGLE, note, MADE_ON_HOSTS, \
      where)
#define UNCERTAIN(id, setting) [id - 1].turned_by = setting,
#define READ_AGAIN(id) [id - 1].read_again = true,
#include "validate/papers/findings.def"
};

enum { COUNT = VEC_LENGTH(findings_table) };

size_t findings_count(void) {
  return COUNT;
}

const char *findings_verdict_name(enum finding_verdict verdict) {
  static const char *const names[] = {[FINDING_HOLDS] = "holds",
                                      [FINDING_FAILS] = "fails",
                                      [FINDING_UNDECIDED] = "undecided",
                                      [FINDING_ELSEWHERE] = "elsewhere"};
  return names[verdict];
}

const char *findings_fairness_name(enum finding_fairness fairness) {
  static const char *const names[] = {[FINDING_FAIR] = "yes",
                                      [FINDING_BY_CONSTRUCTION] = "by-construction",
                                      [FINDING_WITHIN_NOISE] = "within-noise"};
  return names[fairness];
}

void findings_judge(struct finding_row *row, double share) {
  const double few = 5; /* maximum percent of disagreeing sampled machines */
  row->share = share;
  if (row->verdict != FINDING_ELSEWHERE) {
    row->verdict = share >= 100 - few ? FINDING_HOLDS : share <= few ? FINDING_FAILS : FINDING_UNDECIDED;
  }
}

void findings_settle(struct finding_row *row) {
  if (row->finding->turned_by && row->verdict != FINDING_ELSEWHERE) {
    row->verdict = FINDING_UNDECIDED;
  }
}

/* --- all findings --- */

char *findings_nothing(const struct platform *platform) {
  const char *machine = platform_has_spes(platform) ? MADE_ON_SPES : MADE_ON_HOSTS;
  if (measured_on(platform, machine)) {
    return NULL;
  }
  const char *nothing = published_machine(platform) ? "no finding was made" : "nothing was measured";
  return measured_elsewhere(nothing, platform, &machine, 1);
}

void findings_headline(const struct finding_row *rows, size_t n, unsigned samples,
                       char line[FINDINGS_HEADLINE_SIZE]) {
  unsigned counts[FINDING_ELSEWHERE + 1] = {0}, nfair = 0, nagain = 0;
  VEC_EACH(row, rows, n) {
    counts[row->verdict]++;
    nfair +=
      row->verdict == FINDING_HOLDS && row->finding->fairness == FINDING_FAIR && !row->finding->read_again;
    nagain += row->finding->read_again;
  }
  const char *again = nagain ? text_brief("; %u were read again after they had failed", nagain) : "",
             *judged = samples ? text_brief(" judged on %u drawn machines", samples) : "";
  snprintf(line, FINDINGS_HEADLINE_SIZE,
           "%zu findings%s: %u hold (%u of them could have failed), %u fail, %u undecided, %u elsewhere%s", n,
           judged, counts[FINDING_HOLDS], nfair, counts[FINDING_FAILS], counts[FINDING_UNDECIDED],
           counts[FINDING_ELSEWHERE], again);
}

/* The machine under test, the ledger with results, and the findings being decided. */
struct walk {
  struct machine *machine;
  struct ledger *ledger;
  struct finding_row *rows;
};

/* Ask for a figure; a figure not yet in the ledger counts as 1. */
static double look_up(struct decision *decision, const struct figure *figure) {
  const struct walk *walk = decision->context;
  struct figure_asked asked;
  if (!figure_ask(&asked, figure, walk->ledger, walk->machine)) {
    decision->incomplete = true;
    return 1;
  }
  if (isnan(asked.value) && !*decision->missing) {
    snprintf(decision->missing, sizeof decision->missing, "%.255s", asked.why.text);
    for (char *c = decision->missing; *c; c++) { /* the text becomes a field of csv */
      *c = *c == ',' || *c == '\n' ? ';' : *c == '"' ? '\'' : *c;
    }
  }
  return asked.value;
}

static void decide(const struct finding *entry, struct walk *walk, struct finding_row *row) {
  struct decision d = {
    .value = look_up, .context = walk, .profile = entry->profile, .is_loop = entry->is_loop};
  *row = (struct finding_row){.finding = entry, .verdict = FINDING_ELSEWHERE, .share = NAN};
  bool on_hosts = !platform_has_spes(machine_platform(walk->machine)), here = on_hosts == !!entry->elsewhere;
  if (here) {
    entry->decide(&d);
    row->verdict = *d.missing ? FINDING_ELSEWHERE : d.refuted ? FINDING_FAILS : FINDING_HOLDS;
  }
  row->complete = !d.incomplete;
  snprintf(row->evidence, sizeof row->evidence, "%s",
           *d.missing ? d.missing
           : here     ? d.evidence
           : on_hosts ? "it is about SPEs and the platform has none"
                      : entry->elsewhere);
}

void findings_ask(struct machine *machine, struct ledger *ledger, size_t i, struct finding_row *row) {
  decide(&findings_table[i], &(struct walk){machine, ledger, NULL}, row);
}

static void decide_all(void *context) {
  struct walk *walk = context;
  for (size_t i = 0; i < COUNT; i++) {
    decide(&findings_table[i], walk, &walk->rows[i]);
  }
}

int findings_decide_all(struct machine *machine, struct ledger *ledger, struct finding_row *rows,
                        struct err *err) {
  struct walk walk = {machine, ledger, rows};
  int status = ledger_settle(ledger, decide_all, &walk, err);
  if (status == 0 && des_interrupted()) {
    decide_all(&walk); /* with the results available so far */
  }
  return status;
}
