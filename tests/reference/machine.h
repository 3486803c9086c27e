/* SPDX-License-Identifier: BSD-3-Clause
 * The bus once more, written to be obviously right: a reference for the fast engine of sim/hw.
 *
 * It replays the DMA commands that programs have given (PROBE_ENQUEUE) and notes what happens to them. Every
 * step of a bus request is an event in one sorted list; nothing is remembered that can be computed again.
 * Local stores and main memory
 * only: no signals, mailboxes, atomics, PPE, faults, and no data. */
#pragma once

#include "sim/base/des.h"
#include "sim/hw/blade.h"
#include "sim/hw/board.h"
#include "sim/hw/spe.h"

#include <stddef.h>
#include <stdint.h>

enum {
  REFERENCE_CHIPS = 8,
  REFERENCE_SPES = 64,
  REFERENCE_COMMANDS = 64,
  REFERENCE_REQUESTS = 65536,
  REFERENCE_ELEMENTS = 8,
};

/* An element of a DMA list. */
struct reference_element {
  uint64_t ea;
  unsigned nbytes;
  bool stops; /* the list stops behind it until that is acknowledged */
};

/* A DMA command as its program gave it, and how far it has come. */
struct reference_command {
  unsigned spe, tag;
  uint64_t given_at;  /* cycle of the machine when the program gave it */
  uint64_t local;     /* the program's own cycle then */
  bool is_put, fence; /* fence: after all earlier ones of its tag */
  bool barrier;       /* that, and before all later ones of its tag */
  bool all_tags;      /* the same whatever the tags */
  bool is_sync;       /* it moves nothing */
  bool is_ack;        /* no command: lists of its tag that have stopped go on */
  unsigned nelements; /* of a list */
  struct reference_element elements[REFERENCE_ELEMENTS];
  uint64_t ea; /* of the next byte to issue */
  unsigned left, outstanding;
  unsigned number; /* among those of its SPE, from 1 on */
  unsigned moved;  /* bytes issued */
  unsigned entry;  /* of the queue of its MFC */
  bool arrived, complete;
  bool syncing;     /* its completion is known */
  unsigned nread;   /* elements that have been read */
  bool reading;     /* the next element */
  bool stops;       /* behind the last element that was read */
  bool stalled;     /* it has stopped */
  uint64_t done_at; /* all that was delivered so far is accounted for */
};

/* One line of data under way. */
struct reference_request {
  struct reference_command *command;
  unsigned offset, nbytes;      /* among the bytes of the command */
  unsigned chip;                /* where it is now */
  unsigned from, to;            /* units on the ring there */
  unsigned source_chip, source; /* unit */
  unsigned target_chip, target; /* unit */
  int source_spe, target_spe;   /* whose local store; -1: main memory */
  uint64_t last_beat;
};

/* What happened to whom: a line of the log. Fields that do not apply are 0. */
struct reference_entry {
  uint64_t cycle;
  unsigned kind; /* enum probe_kind: ISSUE, GRANT, CROSS, DELIVER, STALL, COMPLETE */
  unsigned spe, command, tag, offset, nbytes, chip, ring, from, to;
};

/* The log of a run. */
struct reference_log {
  struct reference_entry *entries;
  size_t count, room;
};

/* Return an entry about what happens to REQUEST now. */
struct reference_entry reference_entry_of(const struct reference_request *request, unsigned kind);

/* Note ENTRY. */
void reference_note(struct reference_log *log, struct reference_entry entry);

/* Sort LOG by cycle, then by all else, so that two logs of the same run are equal. */
void reference_sort(struct reference_log *log);

/* Run COUNT commands, in the order in which they were given, on the machine that BLADE is built after, and
 * fill LOG. */
void reference_run(const struct blade *blade, struct reference_command *commands, size_t count,
                   struct reference_log *log);

/* --- between the files of the reference --- */

/* What can happen next; in one cycle in this order. */
enum reference_phase {
  REFERENCE_DELIVER,
  REFERENCE_COMPLETE, /* a command is complete, or a window entry is free */
  REFERENCE_ARRIVE,
  REFERENCE_COMMAND,
  REFERENCE_READY,
  REFERENCE_ARBITRATE,
  REFERENCE_LINK,
  REFERENCE_GIVE, /* programs give commands */
};

struct reference_event {
  uint64_t cycle;
  enum reference_phase phase;
  unsigned unit;
  void (*run)(void *thing);
  void *thing;
};

/* The current cycle, the figures, and the log of the run under way. */
extern uint64_t reference_now;
extern const struct blade *reference_blade;
extern struct reference_log *reference_log;

/* Let EVENT happen: after all earlier ones, those of the same cycle by phase, then unit, then first come,
 * first served. */
void reference_later(struct reference_event event);

/* Make all MFCs idle. */
void reference_mfc_reset(void);

/* The program of COMMAND gives it now. */
void reference_give(struct reference_command *command);

/* Return the command of SPE, which has one, whose turn it is to issue a bus request; that takes a window
 * entry. */
struct reference_command *reference_next(unsigned spe);

/* A bus request of COMMAND no longer needs its window entry. */
void reference_window_free(const struct reference_command *command);

/* A bus request of COMMAND has been delivered, which is accounted for at cycle DONE_AT. */
void reference_moved(struct reference_command *command, uint64_t done_at);

/* Make the buses idle. */
void reference_bus_reset(void);

/* SPE asks for the command bus of its chip; reference_granted is called when it is its turn. */
void reference_ask(unsigned spe);

/* The command bus serves SPE, which issues a bus request.
 * returns: whether it goes to or from main memory. */
bool reference_granted(unsigned spe);

/* Let the commands of SPE go on that may: ask for the command bus if there is anything to issue. */
void reference_pump(unsigned spe);

/* The data of REQUEST is ready on its current chip; reference_arrived is called when it is granted, for cycle
 * END. */
void reference_send(struct reference_request *request);
void reference_arrived(struct reference_request *request, uint64_t end);

/* REQUEST waits for the next link of its way; reference_crossed is called for the cycle at which it has
 * crossed. */
void reference_cross(struct reference_request *request);
void reference_crossed(struct reference_request *request, uint64_t at);
