/* SPDX-License-Identifier: BSD-3-Clause
 * The events of every algorithm of the catalogue are consistent, on machines of one, two and several chips:
 * the auditor checks each event, and every wait of more than 0 cycles has a cause. */
#include "algos/catalogue.h"
#include "tests/bed.h"
#include "tests/semantics/auditor.h"
#include "validate/lab/verify/call_run.h"

/* Machines: several chips, a link passed on the way, shared ports. */
static const struct {
  const char *platform, *settings;
} machines[] = {{"qs20", ""},
                {"qs20", "ls.port-interval=11"},
                {"quad-mesh", ""},
                {"octo-star", ""},
                {"tests/platforms/valid/three_in_line.xml", ""}};

enum { MACHINES = sizeof machines / sizeof machines[0], RANKS_MAX = 32 };

/* Run algorithm ALGORITHM with NBYTES under an auditor: two calls, entered late, so that waits overlap. */
static void audit(const struct algorithm *algorithm, size_t nbytes) {
  struct auditor auditor;
  struct outcome outcome;
  unsigned most = blade_nspes(bed.blade);
  struct call call = {.algorithm = *algorithm,
                      .nranks = most < RANKS_MAX ? most : RANKS_MAX,
                      .nbytes = collective_has_data(algorithm->algo->collective) ? nbytes : 0,
                      .repeat = 2,
                      .skew = 3000,
                      .skew_seed = 1,
                      .profile = bed_profile(),
                      .observers = &(struct observer){.probe = &auditor.probe}};
  auditor_init(&auditor);
  blade_reset(bed.blade);
  if (call_run(bed.machine, &call, &outcome, &failure) == 0) {
    char name[128];
    catalogue_format(algorithm, name, sizeof name);
    ck_assert_msg(outcome.end == CALL_OK, "%s: %s", name, outcome.detail);
    ck_assert_msg(auditor.calls == call.nranks * 2 + (algorithm->algo->ppe ? 2 : 0), "%s: %u calls", name,
                  auditor.calls);
    outcome_fini(&outcome);
  }
  auditor_fini(&auditor);
}

TESTS(events, .start = bed_start, .stop = bed_end);

/* Loop test: the index is the machine. */
TEST_EACH(the_events_of_every_algorithm_fit_together, 0, BED_SANITIZED ? 2 : MACHINES) {
  bed_use(machines[_i].platform, machines[_i].settings);
  for (size_t i = 0; i < catalogue_size; i++) {
    struct algorithm algorithm = catalogue_call(catalogue[i]);
    audit(&algorithm, 1024);
    if (_i == 0 && !BED_SANITIZED) {
      audit(&algorithm, 48);
      audit(&algorithm, 16384);
    }
  }
}
