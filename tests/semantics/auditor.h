/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that checks that the events of a machine fit together: whatever happens to a command or a bus
 * request happens to one that there is, in the order of its life; the time of every program is the sum of
 * what it computes and waits; and every wait is ended by something that happened in that cycle. */
#pragma once

#include "sim/hw/probe.h"

#include <stddef.h>
#include <stdint.h>

enum { AUDITOR_PROGRAMS = 128, AUDITOR_ACTS = 256 };

/* What is known of a program. */
struct auditor_program {
  bool running, waiting, in_call;
  enum probe_subject subject; /* of its wait */
  uint64_t clock;             /* cycle up to which its time is accounted for */
  uint64_t entered, spent;    /* cycle of entry; cycles accounted for since */
  unsigned step, calls;
};

/* A DMA command under way. */
struct auditor_command {
  struct probe_dma name;
  unsigned moves; /* bytes, as far as its elements have been read */
  unsigned issued, delivered;
  bool is_list, came;
};

/* A bus request under way. */
struct auditor_request {
  struct probe_request name;
  unsigned chip; /* where it is */
  bool granted;  /* on the rings of that chip */
};

/* What may have ended a wait: an action of a program, or what the machine says that it has woken somebody
 * by. */
struct auditor_act {
  enum probe_kind event;
  struct probe_cause cause;
  unsigned wakes; /* who it has woken, if the machine says so; PROBE_NOBODY: it does not say */
  bool owes;      /* it has been said to wake somebody, who has not gone on yet */
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
  /* for those who ask what has been seen: */
  uint64_t computed[COMPUTE_REASONS];
  uint64_t wakes[PROBE_FOR_MESSAGE + 1][PROBE_BY_MESSAGE + 1]; /* by subject and cause */
  unsigned calls, steps, crossings, ncompleted;
};

/* Make AUDITOR ready to be attached to a blade. An event that does not fit fails the test.
 * owner: the caller, with auditor_fini. */
void auditor_init(struct auditor *auditor);

/* Check that nothing is left under way, and release what AUDITOR holds. */
void auditor_fini(struct auditor *auditor);
