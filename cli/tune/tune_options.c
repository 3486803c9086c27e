/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune/tune_options.h"

#include "algos/schedule/links/loaded.h"
#include "algos/schedule/file.h"
#include "cli/session.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "validate/evidence/evidence.h"
#include "validate/papers/findings.h"

struct tune_grid tune_options_grid(struct session *session, const struct tune_problem *problems, size_t n) {
  const struct opts *opts = &session->opts;
  return (struct tune_grid){.ledger = &session->ledger,
                            .problems = problems,
                            .nproblems = n,
                            .ranks = opts->ranks,
                            .bytes = opts->bytes,
                            .root = opts->root,
                            .seed = opts->seed,
                            .profile = opts->profile,
                            .all_profiles = true,
                            .unpredicted = true,
                            .wrong = sweep_complain};
}

/* --- machines sampled from what the fit of the platform leaves open --- */

/* Decisions, and how they are made. */
struct sampling {
  struct tuning *tuning;
  struct tune_grid grid;
};

static int decide(void *context, struct machine *machine, struct err *err) {
  struct sampling *sampling = context;
  struct tuning sample = {0};
  int status = tune_run(&sample, machine, &sampling->grid, err);
  if (status == 0) {
    tune_count_sample(sampling->tuning, &sample);
  }
  tuning_fini(&sample);
  return status;
}

int sample_machines(struct session *session, struct tuning *tuning, const struct tune_grid *grid) {
  struct evidence evidence = session_evidence(session);
  SCOPED char *nothing = findings_nothing(session->machines.platforms[0]);
  if (nothing) {
    return err_set(session->err, "--samples: %s", nothing);
  }
  struct sampling sampling = {tuning, *grid};
  sampling.grid.all_profiles = false;
  sampling.grid.unpredicted = true;
  sampling.grid.skipped = NULL;
  return samples_visit(&evidence, decide, &sampling, session->err);
}

/* --- files of --with --- */

enum { PLACES = 8 /* calls told for a file */ };

static const struct algo *load(const char *path) {
  return file_is_algorithm(path) ? file_load(path, NULL) : NULL;
}

const char *with_files_path(const struct session *session, const struct algo *algo) {
  const struct opts_names *files = &session->opts.with;
  char *const *found = VEC_FIND(files->names, files->n, load(*item) == algo);
  return found ? *found : NULL;
}

/* Say where ALGO, the fastest variant of the file PATH, stands in DECISION, unless it wins, which the table
 * shows. */
static void tell_place(const struct session *session, const char *path, const struct algo *algo,
                       const struct tune_decision *decision) {
  const struct tune_candidate *own = NULL, *fastest = tune_fastest(decision);
  size_t place = 1;
  VEC_EACH(c, decision->candidates, decision->n) {
    own = c->algorithm.algo == algo && (!own || c->simulated < own->simulated) ? c : own;
  }
  VEC_EACH(c, decision->candidates, decision->n) {
    place += own && c->algorithm.algo != algo && c->simulated < own->simulated;
  }
  if (own && own->simulated > fastest->simulated) {
    char problem[TUNE_NAME_SIZE];
    tune_problem_format(decision->problem, problem);
    session_say(session,
                text_brief("--with %.500s: %s on %u ranks with %zu bytes on %s: %.1f ns, %.1f %% behind the "
                           "fastest, place %zu of %zu variants",
                           path, problem, decision->ranks, decision->bytes, decision->platform->name,
                           own->simulated, 100 * (own->simulated / fastest->simulated - 1), place,
                           decision->n));
  }
}

/* With PLACED say where the file PATH with ALGO stands in each call of TUNING.
 * returns: whether ALGO competes in any. */
static bool tell_places(const struct session *session, const char *path, const struct algo *algo,
                        const struct tuning *tuning, bool placed) {
  size_t n = 0;
  VEC_EACH(decision, tuning->decisions, tuning->n) {
    if (VEC_FIND(decision->candidates, decision->n, item->algorithm.algo == algo) && ++n <= PLACES &&
        placed) {
      tell_place(session, path, algo, decision);
    }
  }
  if (n > PLACES && placed) {
    session_say(session,
                text_brief("--with %.500s: %zu more calls; name them by -n and -s", path, n - PLACES));
  }
  return n > 0;
}

void with_files_tell(const struct session *session, const struct tuning *tuning, bool placed) {
  const struct opts_names *files = &session->opts.with;
  VEC_EACH(name, files->names, files->n) {
    const struct algo *algo = load(*name);
    if (algo && !tell_places(session, *name, algo, tuning, placed)) {
      const char *ranks = algo->ranks ? text_brief(" on %u ranks", algo->ranks) : "";
      const struct loaded *loaded = collective_has_root(algo->collective) ? loaded_of(algo) : NULL;
      session_say(session, text_brief("--with %.500s competes in no call here: %s %s%s%s", *name,
                                      algo->is_open ? "the ends are no" : "the algorithm serves",
                                      collective_name(algo->collective), ranks,
                                      loaded ? text_brief(", root %u", loaded_root(loaded)) : ""));
    }
  }
}
