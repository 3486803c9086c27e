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

int sample_machines(struct session *session, struct tuning *tuning, const struct tune_grid *grid,
                    struct err *err) {
  struct evidence evidence = session_evidence(session);
  SCOPED char *nothing = findings_nothing(session->machines.platforms[0]);
  if (nothing) {
    return err_set(err, "--samples: %s", nothing);
  }
  struct sampling sampling = {tuning, *grid};
  sampling.grid.all_profiles = false;
  sampling.grid.unpredicted = true;
  sampling.grid.skipped = NULL;
  return samples_visit(&evidence, decide, &sampling, err);
}

/* --- files of --with --- */

static const struct algo *load(const char *path) {
  return file_is_algorithm(path) ? file_load(path, NULL) : NULL;
}

const char *with_files_path(const struct session *session, const struct algo *algo) {
  const struct opts_names *files = &session->opts.with;
  char *const *found = VEC_FIND(files->names, files->n, load(*item) == algo);
  return found ? *found : NULL;
}

static bool competes(const struct tuning *tuning, const struct algo *algo) {
  bool found = false;
  for (size_t i = 0; i < tuning->n && !found; i++) {
    const struct tune_decision *decision = &tuning->decisions[i];
    found = VEC_FIND(decision->candidates, decision->n, item->algorithm.algo == algo);
  }
  return found;
}

void with_files_tell(const struct session *session, const struct tuning *tuning) {
  const struct opts_names *files = &session->opts.with;
  for (size_t i = 0; i < files->n; i++) {
    const struct algo *algo = load(files->names[i]);
    if (algo && !competes(tuning, algo)) {
      const char *ranks = algo->ranks ? text_brief(" on %u ranks", algo->ranks) : "";
      const struct loaded *loaded = collective_has_root(algo->collective) ? loaded_of(algo) : NULL;
      SCOPED char *line = xasprintf("--with %s competes in no call here: %s %s%s%s", files->names[i],
                                    algo->is_open ? "the ends are no" : "the algorithm serves",
                                    collective_name(algo->collective), ranks,
                                    loaded ? text_brief(", root %u", loaded_root(loaded)) : "");
      session_say(session, line);
    }
  }
}
