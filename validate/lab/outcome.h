/* SPDX-License-Identifier: BSD-3-Clause
 * What comes of a call of an algorithm: its numbers are listed in outcome.def. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How a call ended. What stopped, from CALL_FAULT to CALL_CRASH, has measured nothing; CALL_UNPREDICTED: the
 * call was fine, but a run that a prediction of the call needs has stopped. */
enum call_end { CALL_OK, CALL_WRONG, CALL_FAULT, CALL_DEADLOCK, CALL_CRASH, CALL_UNPREDICTED };

/* In which way a call has failed. */
enum failure {
  FAILURE_NONE,
  FAILURE_TIMEOUT, /* did not end in time */
  FAILURE_CRASH,
  FAILURE_FAULT, /* for which others may wait */
  FAILURE_DEADLOCK,
  FAILURE_LEFT,  /* a rank has left a barrier too early */
  FAILURE_DATA,  /* is wrong */
  FAILURE_MOVED, /* the data is right, but too little of it has moved */
  FAILURE_FORBIDDEN,
  FAILURE_HAZARD,
  FAILURE_COUNT,
};

/* Return END as printed. */
const char *call_end_name(enum call_end end);

/* The types of numbers in a pack. */
typedef double outcome_REAL;
typedef uint64_t outcome_COUNT;

/* What one run yields. Cycles are per call: from the last rank's entry, with repeats its exit from call 1, to
 * the last rank's last exit; from_first: from the first rank's entry, with repeats into call 2. Traffic is
 * that of all calls, on all nodes and between nodes. */
struct outcome {
  double ghz; /* cycles in a nanosecond */
  enum call_end end;
#define RESULT(type, name, value) outcome_##type name;
#include "validate/lab/outcome.def"
  char *detail;         /* what is wrong; NULL: nothing */
  enum failure failure; /* as DETAIL says */
  bool interrupted;
  /* After the end of the last call; else NULL: */
  uint64_t *entered, *left; /* [rank]: cycles of the entry into the last call, and of the exit */
  char *parts;              /* of several nodes: see rig_tell_parts */
};

/* Release what OUTCOME holds. */
void outcome_fini(struct outcome *outcome);
