/* SPDX-License-Identifier: BSD-3-Clause
 * Is an algorithm correct at one point? The verdict of `cellcoll check`. */
#pragma once

#include "sim/base/pack.h"
#include "validate/lab/call_watch.h"
#include "validate/lab/monitor.h"
#include "validate/lab/outcome.h"
#include "validate/lab/rig.h"

#include <stdbool.h>

enum check_verdict {
  CHECK_NOT_FINISHED,   /* interrupted */
  CHECK_NOT_APPLICABLE, /* refused by the needs of the algorithm */
  CHECK_PASS,
  CHECK_FAIL,
};

struct check_result {
  enum check_verdict verdict;
  enum failure failure; /* of CHECK_FAIL */
  /* why it failed or does not apply, on one line without commas and quotes; NULL: there is nothing to say */
  char *detail;
};

/* A machine on which points are checked. */
struct check {
  struct blade *blade;
  struct monitor monitor;
  struct call_hazards hazards;
};

/* Make CHECK ready for points on BLADE, which serves nothing else until check_close.
 * owner: the caller, with check_close. */
void check_open(struct check *check, struct blade *blade);

/* Release what CHECK holds. */
void check_close(struct check *check);

/* Run SPEC under the eyes of the hazard detector and of the monitor (monitor.h). The point passes if every
 * call has delivered what the oracle expects (of a barrier: no rank has left before the last one entered,
 * whichever rank is late), nothing else was touched, all ranks have ended without a fault, and there was no
 * hazard.
 * owner: the caller, with check_result_fini. */
struct check_result check_run(struct check *check, const struct rig_spec *spec);

/* The same in a process of its own, which may take SECONDS of processor time: whatever ends that process is a
 * failure of the point. */
struct check_result check_run_apart(struct check *check, const struct rig_spec *spec, unsigned seconds);

/* Return the failure of a point that stopped its process; HOW says how. */
struct check_result check_crashed(const char *how);

/* Append RESULT to PACK; or take one from there.
 * owner: the caller, with check_result_fini. */
void check_pack(const struct check_result *result, struct pack *pack);
struct check_result check_unpack(struct pack *pack);

/* Return the name of FAILURE. */
const char *check_failure_name(unsigned failure);

/* Release the text of RESULT. */
void check_result_fini(struct check_result *result);
