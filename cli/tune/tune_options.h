/* SPDX-License-Identifier: BSD-3-Clause
 * The options --samples and --with of `tune` and `explain`. */
#pragma once

#include <stdbool.h>

#include "validate/model/tune.h"

struct session;

/* Return the request of SESSION for the N PROBLEMS, with all profiles and without predictions. */
struct tune_grid tune_options_grid(struct session *session, const struct tune_problem *problems, size_t n);

/* Sample as many machines as --samples of SESSION says, make the decisions of GRID on each machine, and count
 * for each candidate of TUNING the machines on which the candidate wins.
 * errors: nothing was measured on the machine; as samples_visit and tune_run. */
int sample_machines(struct session *session, struct tuning *tuning, const struct tune_grid *grid);

/* Return the file among --with of SESSION with ALGO; NULL: there is none. */
const char *with_files_path(const struct session *session, const struct algo *algo);

/* Say of each file with an algorithm among --with of SESSION that is in no decision of TUNING which calls the
 * algorithm serves, and with PLACED where the others stand. Plugins are left out. */
void with_files_tell(const struct session *session, const struct tuning *tuning, bool placed);
