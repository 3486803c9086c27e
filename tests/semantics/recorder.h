/* SPDX-License-Identifier: BSD-3-Clause
 * A qs20 with an observer that records the events of small programs. To give a command takes 10 cycles there
 * (mfc.issue), a PPE reaches a register after 3200 (ppe.mmio). SPE 0 to 7 are on chip 0, and the program of
 * the PPE of chip 0 is number 16, behind the programs of the SPEs. */
#pragma once

#include "sim/hw/probe.h"
#include "tests/bed.h"

enum { RECORDER_EVENTS = 8192, ISSUE = 10, MMIO = 3200, PPE = 16 };

/* The events of the latest run. */
struct recorder {
  struct probe probe;
  struct bed bed;
  struct probe_event events[RECORDER_EVENTS];
  unsigned count;
  char text[128]; /* of the latest WAIT */
};

extern struct recorder told;

/* The fixture: an idle machine, nothing told. */
void recorder_start(void);
void recorder_stop(void);

/* Forget all events, run FIRST on SPE 0, SECOND on SPE 1 and PPE_PROGRAM on PPE 0, each unless NULL, and
 * record. */
void recorder_run(void (*first)(void *), void (*second)(void *), void (*ppe_program)(void *));

/* Return event NUMBER of KIND, counted from 0. */
const struct probe_event *recorder_event(enum probe_kind kind, unsigned number);

/* Return how many events of KIND there are. */
unsigned recorder_count(enum probe_kind kind);

/* Check that PROGRAM's only wait is for SUBJECT, since cycle SINCE.
 * returns: the event at the end of the wait. */
const struct probe_event *recorder_only_wait(unsigned program, enum probe_subject subject, uint64_t since);

/* Check the cause of WAKE. */
void recorder_check_cause(const struct probe_event *wake, enum probe_cause_kind kind, unsigned who,
                          uint64_t number);
