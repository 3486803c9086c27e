/* SPDX-License-Identifier: BSD-3-Clause
 * Which algorithm is the best? By simulation, by the models, and what is lost by trusting the models.
 *
 * What competes is all algorithms of a collective that can serve the call, with the values of
 * evaluation_variants for their parameters. Data in local store and data in main memory are different
 * problems and never compete.
 *
 * All candidates have the software costs of one profile: with the costs of several papers a choice of an
 * algorithm is also a choice of a paper. A robust choice is the same under every profile. */
#pragma once

#include "sim/base/units.h"
#include "validate/lab/call/outcome.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A collective, with its data in local store or in main memory. */
struct tune_problem {
  enum collective collective;
  bool in_memory;
};

/* Room for the name of a problem: that of the collective, followed by `-mm` if data lies in main memory. */
enum { TUNE_NAME_SIZE = 32 };

/* Format the name of PROBLEM. */
void tune_problem_format(struct tune_problem problem, char name[TUNE_NAME_SIZE]);

/* Find the problem called NAME.
 * errors: there is none; the nearest is suggested. */
int tune_problem_find(const char *name, struct tune_problem *problem, struct err *err);

/* An algorithm that competes. */
struct tune_candidate {
  struct algorithm algorithm;
  double simulated;              /* ns; INFINITY: cut, longer than the runner-up */
  uint64_t calls;                /* see struct machine_traffic */
  double predicted[MODEL_COUNT]; /* ns; NaN: not predicted; INFINITY: cut, longer than the least */
  /* simulated, ns, per profile of the platform; NaN: stopped or refused under the profile; INFINITY: cut or
   * not run, longer than the fastest, or of the only candidate */
  double *under;
  unsigned wins;      /* sampled machines on which a variant of the algorithm wins, see tune_count_sample */
  double least, most; /* simulated, ns, over the sampled machines; NaN: none */
};

/* The choice of one model. Model and simulation choose among the same candidates: all that the model
 * predicts. */
struct tune_choice {
  size_t n;                             /* candidates */
  const struct tune_candidate *fastest; /* in the simulation; NULL: no candidates */
  const struct tune_candidate *chosen;  /* by the model */
  double loss;                          /* percent by which the chosen one is slower; NaN: no candidates */
  double spread;                        /* percent by which the slowest one is slower; NaN: no candidates */
};

/* An algorithm that did not do its work and so does not compete; or, with CALL_UNPREDICTED, one that no model
 * may choose. */
struct tune_failure {
  struct algorithm algorithm;
  enum call_end end;
};

/* The candidates for one call. */
struct tune_decision {
  const struct platform *platform;
  struct tune_problem problem;
  unsigned ranks;
  size_t bytes;
  struct tune_candidate *candidates;
  size_t n;
  struct tune_failure *failures;
  size_t nfailures, nstopped; /* of these, that do not compete: with the candidates there is at least one */
  /* software costs of all candidates; "source": of each algorithm the costs of its paper; "": on hosts */
  const char *profile;
  size_t nprofiles;  /* number of profiles in `under` of the candidates; 0: none */
  double bound;      /* ns, see bound_cycles; NaN: none is known */
  char *refused;     /* the first reason why an algorithm does not apply; NULL: none */
  unsigned nsamples; /* sampled machines that `wins` of the candidates counts; 0: none */
};

/* Let MODEL choose among the candidates of DECISION; the first one wins among equals. */
struct tune_choice tune_choose(const struct tune_decision *decision, enum model model);

/* Return the fastest candidate of DECISION in the simulation, the first one among equals; NULL:
 * there are none. */
const struct tune_candidate *tune_fastest(const struct tune_decision *decision);

/* Tell whether candidate INDEX of DECISION takes the least time in the simulation; several candidates may. */
bool tune_wins(const struct tune_decision *decision, size_t index);

/* Return the runner-up of DECISION: the fastest candidate of another algorithm than the winner. IS_TIE tells
 * whether both take the same time. NULL: no other algorithm. */
const struct tune_candidate *tune_runner_up(const struct tune_decision *decision, bool *is_tie);

/* Tell whether candidate INDEX of DECISION takes the least time under PROFILE of the platform; several
 * candidates may. */
bool tune_wins_under(const struct tune_decision *decision, size_t index, size_t profile);

/* Tell whether the algorithm of a winner of DECISION, with any parameters, wins or ties under all profiles
 * and on all sampled machines. */
bool tune_is_robust(const struct tune_decision *decision);

/* A lead below this many percent is within the error of the simulator: docs/trust.md. */
enum { TUNE_ERROR_PERCENT = 15 };

/* How sure the choice of a decision is. */
enum tune_certainty {
#define CERTAINTY(id, word, meaning) TUNE_##id,
#include "validate/model/certainty.def"
  TUNE_CERTAINTIES
};

enum tune_certainty tune_certainty(const struct tune_decision *decision);

/* Return CERTAINTY as printed. */
const char *tune_certainty_name(enum tune_certainty certainty);

/* Write the words of all certainties to STREAM, with meanings. */
void tune_write_words(FILE *stream);

/* Return the percentage of sampled machines on which the algorithm of a winner of DECISION wins or ties, the
 * largest of all such algorithms; NaN: no machine was sampled. */
double tune_samples_kept(const struct tune_decision *decision);

/* Tell whether A and B differ in numbers of ranks (coll_param) at most, or not at all. */
bool tune_differ_in_ranks(const struct algorithm *a, const struct algorithm *b);

/* Return the number of algorithms among the candidates of DECISION. */
unsigned tune_algorithms(const struct tune_decision *decision);

/* Return the parameters with values not among the candidates of DECISION, `collective:algorithm:parameter`;
 * NULL: none.
 * owner: the caller. */
char *tune_untried(const struct tune_decision *decision);

/* Return the candidate of DECISION with ALGORITHM; NULL: there is none. */
const struct tune_candidate *tune_same(const struct tune_decision *decision,
                                       const struct algorithm *algorithm);

/* What to decide. */
struct tune_grid {
  struct ledger *ledger;
  const struct tune_problem *problems; /* NULL: all */
  size_t nproblems;
  struct units_list ranks; /* empty: powers of two, and all SPEs */
  struct units_list bytes; /* empty: 64 bytes to 32 KiB, doubling */
  unsigned root;
  enum coll_op op; /* and type, of reductions; 0: sums of int32 */
  enum coll_type type;
  struct placement placement; /* 0: packed */
  uint64_t seed;
  /* software costs; "source": of each algorithm the costs of its paper; NULL: see rig_comparison */
  const char *profile;
  bool of_papers;                    /* only algorithms with a paper */
  bool in_map;                       /* only algorithms that a row of a map can name: none of a file */
  bool all_profiles;                 /* simulate under all profiles, for tune_is_robust */
  bool margins;                      /* all simulated times, and the runner-up under each profile */
  bool unpredicted;                  /* without predictions of models */
  bool lengths_only;                 /* no call is verified, see rig.h */
  const struct tune_decision *alike; /* leave out what tune_alike finds in this decision; NULL: nothing */
  const bool *left_out;              /* per candidate of `alike`: does not compete; NULL: all compete */
  uint64_t limit;                    /* of all calls but those of `unlimited`, see rig.h; 0: none */
  const struct algorithm *unlimited; /* NULL: none */
  /* what competes makes the calls that ROW of a map names in this call of a program; NULL: is called alone */
  const struct call *program;
  const char *row;
  void (*skipped)(const char *why); /* called where no algorithm applies; may be NULL */
  void (*wrong)(const char *what);  /* called for each call that did not do its work; may be NULL */
};

/* Decisions on one or several machines. */
struct tuning {
  struct tune_decision *decisions;
  size_t n;
  bool interrupted;  /* decisions are complete, but some may be missing */
  size_t unserved;   /* calls that no algorithm serves */
  char refused[160]; /* why no algorithm serves the first such call; empty: there is none */
};

/* Decide on MACHINE and add the decisions to TUNING, which starts as zero, problem by problem in the order of
 * ranks and sizes.
 * errors: a process that died; the store. */
int tune_run(struct tuning *tuning, struct machine *machine, const struct tune_grid *grid, struct err *err);
void tuning_fini(struct tuning *tuning);

/* Return the first candidate of DECISION with the algorithm, the calls and the cycles of candidate INDEX: a
 * variant whose limit lies beyond the size of the call is the same program as the default. */
const struct tune_candidate *tune_alike(const struct tune_decision *decision, size_t index);

/* Return the call of DECISION, which GRID has made, with the algorithm ALGORITHM. */
struct call tune_call(const struct tune_grid *grid, const struct tune_decision *decision,
                      const struct algorithm *algorithm);

/* Replace a word at the beginning of the map of POINT's call by rows, if the call is one of a program: the
 * fastest algorithms for the calls without an algorithm or a row, each alone on the places of the ranks of
 * the group, with operator and type; of data in main memory, if no algorithm on data in local stores serves
 * the call. If the program refuses an algorithm, the next one takes the place, which TOLD is told (NULL: not
 * wanted). After an interruption the word may stay. The map lasts as long as the process.
 * If there is none, the program stays refused (workload_run.h).
 * errors: no algorithm serves a call; as tune_run. */
int tune_map(struct ledger *ledger, struct point *point, void (*told)(const char *what), struct err *err);

/* Count who wins the decisions SAMPLE, made on a sampled machine, for the same decisions of TUNING. Widen the
 * range of times of each candidate. */
void tune_count_sample(struct tuning *tuning, const struct tuning *sample);

/* How good the choices of a model are, where there is something to choose from. */
struct tune_summary {
  size_t n, best;                    /* choices; those without a loss */
  double median, mean, most, spread; /* percent: of the losses; the median of the spreads */
  const struct tune_decision *worst; /* NULL: no choices */
};

/* Sum up the choices of MODEL. */
struct tune_summary tune_summarize(const struct tuning *tuning, enum model model);

/* Return the least cycles of a call of PROBLEM with 32-bit integer sums on the first RANKS SPEs of MACHINE.
 * NBYTES is the size as on the command line. *OF becomes the resource that sets the bound: latency, ramp,
 * link, combining or memory. NaN: no bound is known for several nodes, hosts, collectives with blocks of
 * several sizes, and more ranks than SPEs. */
double bound_cycles(const struct machine *machine, struct tune_problem problem, unsigned ranks, unsigned root,
                    size_t nbytes, const char **of);
