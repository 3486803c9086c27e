/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that checks the consistency of a machine's events. Each event of a command or of a bus request
 * is about an existing one, in the order of the stages of its life. The time of every program is the sum of
 * its computing and waits. Every wait is ended by an event of the same cycle. */
#pragma once

#include "sim/hw/watch/probe.h"

#include <stddef.h>
#include <stdint.h>

enum { AUDITOR_PROGRAMS = 128, AUDITOR_ACTS = 256 };

/* The auditor's record of a program. */
struct auditor_program {
  bool running, waiting, in_call;
  enum probe_subject subject; /* of the wait */
  uint64_t clock;             /* cycle up to which the program's time is accounted for */
  uint64_t entered, spent;    /* cycle of entry; cycles accounted for since */
  unsigned step, calls;
};

/* A DMA command under way. */
struct auditor_command {
  struct probe_dma name;
  unsigned moves; /* bytes of the elements read so far */
  unsigned issued, delivered;
  bool is_list, came;
};

/* A bus request under way. */
struct auditor_request {
  struct probe_request name;
  unsigned chip; /* the current one */
  bool granted;  /* on the rings of `chip` */
};

/* A possible cause of the end of a wait: an action of a program, or an event reported as a waker. */
struct auditor_act {
  enum probe_kind event;
  struct probe_cause cause;
  unsigned wakes; /* the woken program, if reported; PROBE_NOBODY: not reported */
  bool owes;      /* reported as the waker of a program that has not gone on yet */
};

struct auditor {
  struct probe probe;
  struct auditor_program programs[AUDITOR_PROGRAMS];
  struct auditor_command *commands;
  size_t ncommands, commands_room;
  struct auditor_request *requests;
  size_t nrequests, requests_room;
  uint64_t ncommands_of[AUDITOR_PROGRAMS], natomics_of[AUDITOR_PROGRAMS]; /* by SPE: numbers given so far */
  uint64_t nactions;
  uint64_t cycle;                        /* of the latest event */
  struct auditor_act acts[AUDITOR_ACTS]; /* of this cycle */
  unsigned nacts;
  /* totals for tests: */
  uint64_t computed[COMPUTE_REASONS];
  uint64_t wakes[PROBE_FOR_MESSAGE + 1][PROBE_BY_MESSAGE + 1]; /* by subject and cause */
  unsigned calls, steps, crossings, ncompleted;
};

/* Make AUDITOR ready to be attached to a blade. An inconsistent event fails the test.
 * owner: the caller, with auditor_fini. */
void auditor_init(struct auditor *auditor);

/* Check that nothing is left under way, and release the contents of AUDITOR. */
void auditor_fini(struct auditor *auditor);
