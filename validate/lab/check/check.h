/* SPDX-License-Identifier: BSD-3-Clause
 * Is an algorithm correct at one point? The verdict of `cellcoll check`. */
#pragma once

#include "validate/lab/call/call_watch.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/verify/monitor.h"
#include "validate/lab/call/outcome.h"

enum check_verdict {
  CHECK_NOT_FINISHED,   /* interrupted */
  CHECK_NOT_APPLICABLE, /* refused by the needs of the algorithm */
  CHECK_PASS,
  CHECK_FAIL,
  CHECK_NOT_TRIED, /* earlier points of the algorithm have not ended */
  CHECK_VERDICTS,
};

struct check_result {
  enum check_verdict verdict;
  enum failure failure; /* of CHECK_FAIL */
  /* reason of the failure or the refusal, or a note, on one line without commas and quotes; NULL: none */
  char *detail;
  uint64_t moved, needed; /* bytes between ranks, and the minimum of the calls; 0: unknown */
};

/* A machine for checks of points. */
struct check {
  struct machine *machine;
  unsigned seconds; /* limit of processor time of a point; 0: the usual limits */
  bool at_once;     /* without the limit, and without a look at earlier points */
  struct monitor monitor;
  struct call_hazards hazards;
};

/* Make CHECK ready for points on MACHINE. MACHINE must not be used otherwise until check_close. */
void check_open(struct check *check, struct machine *machine);
void check_close(struct check *check);

/* Run CALL, observed by the hazard detector and the monitor (monitor.h). The point passes if every call has
 * delivered the data of the oracle (a barrier: no rank has left before the last rank entered, for each late
 * rank), no other bytes were touched, all ranks have ended without a fault, and there was no hazard. A
 * mistake found by the proof of a text is a failure.
 * owner: the caller, with check_result_fini. */
struct check_result check_run(struct check *check, const struct call *call);

/* As check_run, in a separate process with a limit of SECONDS of processor time (0: none): every end of the
 * process other than a result is a failure of the point. */
struct check_result check_run_apart(struct check *check, const struct call *call, unsigned seconds);

/* Limits of processor time of a point, in seconds: of many ranks or much data; of the other points, of which
 * each takes less than a second; of other points after a point of the same algorithm without an end. */
enum { CHECK_LONGEST = 60, CHECK_USUAL = 5, CHECK_AGAIN = 2 };

/* Tell whether the limit of CALL is CHECK_LONGEST. */
bool check_is_large(const struct call *call);

/* Tell whether the point with RESULT has not ended: a rank polls for ever, or the time was over. */
bool check_is_endless(const struct check_result *result);

/* Ask LEDGER for CALL on the machine of *CHECK; CHECK must live until the end of the round. After
 * CHECK_ENDLESS_MAX points of an algorithm without an end the algorithm's other points are not tried.
 * returns: as ledger_ask.
 * owner: the caller, with check_result_fini. */
enum { CHECK_ENDLESS_MAX = 3 };
bool check_ask(struct ledger *ledger, struct check *const *check, const struct call *call,
               struct check_result *found);

/* Append FOUND to PACK, as a result with one row: the name of the failure or of the verdict, bytes moved,
 * bytes needed; or take the row of RESULT.
 * owner: the caller, with check_result_fini. */
void check_pack(const struct check_result *found, struct pack *pack);
struct check_result check_unpack(struct result *result);

/* Return the name of FAILURE; the numbers from FAILURE_COUNT on are the verdicts. */
const char *check_failure_name(unsigned failure);

/* Release the text of RESULT. */
void check_result_fini(struct check_result *result);

/* --- the smallest point at which an algorithm still fails, in check_shrink.c --- */

struct check_shrink {
  struct check *check;
  const struct check_grid *asked; /* limits of the points tried */
  /* a failing point; becomes the smallest failing point, and keeps using the list in `placement` */
  struct call call;
  struct check_result result; /* of `call`; a failure of another kind does not count */
  unsigned runs;              /* becomes how many points were tried */

  /* internal: processor time for a point; when to stop */
  unsigned seconds;
  double end;
};

/* Make the point of SHRINK as small and plain as possible with the same kind of failure: packed, without
 * delays, fewer calls, fewer ranks, fewer bytes, root 0, sums of integers. An interruption ends the
 * search. */
void check_shrink(struct check_shrink *shrink);
