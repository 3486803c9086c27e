/* SPDX-License-Identifier: BSD-3-Clause
 * The result of a call of an algorithm; outcome.def lists the numbers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The end of a call. A stopped call, from CALL_FAULT to CALL_TIMEOUT, has no measurement; CALL_UNPREDICTED:
 * the call was fine, but a run under a prediction of the call has stopped. */
enum call_end { CALL_OK, CALL_WRONG, CALL_FAULT, CALL_DEADLOCK, CALL_CRASH, CALL_TIMEOUT, CALL_UNPREDICTED };

/* The kind of a failure. */
enum failure {
  FAILURE_NONE,
  FAILURE_TIMEOUT, /* did not end in time */
  FAILURE_CRASH,
  FAILURE_FAULT, /* for which others may wait */
  FAILURE_DEADLOCK,
  FAILURE_LEFT,  /* a rank has left a barrier too early */
  FAILURE_DATA,  /* is wrong */
  FAILURE_MOVED, /* the data is right, but too little data has moved */
  FAILURE_FORBIDDEN,
  FAILURE_HAZARD,
  FAILURE_MISTAKE, /* found by the proof of a text */
  FAILURE_COUNT,
};

/* Return END as printed. */
const char *call_end_name(enum call_end end);

/* The types of numbers in a pack. */
typedef double outcome_REAL;
typedef uint64_t outcome_COUNT;

/* The result of a run. Cycles are per call: from the last rank's entry (with repeats: exit from call 1) to
 * the last rank's last exit; from_first: from the first rank's entry (with repeats: into call 2). Traffic is
 * the traffic of all calls, on all nodes and between nodes. */
struct outcome {
  double ghz; /* cycles in a nanosecond */
  enum call_end end;
#define RESULT(type, name, value) outcome_##type name;
#include "validate/lab/call/outcome.def"
  char *detail;         /* the defect; NULL: none */
  enum failure failure; /* as DETAIL says */
  bool interrupted;
  /* After the end of the last call; else NULL: */
  uint64_t *entered, *left;     /* [rank]: cycles of the entry into the last call, and of the exit */
  char *parts;                  /* of several nodes: see rig_tell_parts */
  struct workload_spent *spent; /* of a program, see workload_run_spent */
};

/* Release the contents of OUTCOME. */
void outcome_fini(struct outcome *outcome);
