/* SPDX-License-Identifier: BSD-3-Clause
 * The bus once more, written to be obviously right: a reference for the fast engine of sim/hw.
 *
 * The reference replays the DMA commands given by programs (PROBE_ENQUEUE) and notes each stage of the
 * commands. Every step of a bus request is an event in one sorted list; every value that can be computed
 * again is computed again. The reference has local stores and main memory only: no signals, mailboxes,
 * atomics, PPE, faults, and no data. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/hw/blade.h"
#include "sim/hw/board/board.h"
#include "sim/hw/spe/spe.h"

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
  bool stops; /* the list stops behind the element until an acknowledgement */
};

/* A DMA command as given by its program, and the command's progress. */
struct reference_command {
  unsigned spe, tag;
  uint64_t given_at;  /* cycle of the machine when the command was given */
  uint64_t local;     /* the program's own cycle then */
  bool is_put, fence; /* fence: after all earlier commands of the tag */
  bool barrier;       /* a fence, and also before all later commands of the tag */
  bool all_tags;      /* fence or barrier holds for all tags */
  bool is_sync;       /* without data */
  bool is_ack;        /* no command: stopped lists of the tag go on */
  unsigned nelements; /* of a list */
  struct reference_element elements[REFERENCE_ELEMENTS];
  uint64_t ea; /* of the next byte to issue */
  unsigned left, outstanding;
  unsigned number;       /* among the commands of the SPE, from 1 on */
  unsigned moved;        /* bytes issued */
  unsigned entry;        /* of the MFC's queue */
  uint64_t reached_at;   /* cycle when the command, or its next element, reached the MFC */
  void (*begin)(void *); /* how the MFC begins the command or the element */
  bool arrived, complete;
  bool syncing;              /* the completion is known */
  unsigned nread;            /* elements read */
  bool reading;              /* the next element */
  bool stops;                /* behind the last element read */
  bool stalled, has_stopped; /* the list stands still; it has stopped at least once */
  uint64_t done_at;          /* all deliveries so far are accounted for */
};

/* One line of data under way. */
struct reference_request {
  struct reference_command *command;
  unsigned offset, nbytes;      /* among the bytes of the command */
  unsigned chip;                /* the current one */
  unsigned from, to;            /* units on the ring there */
  unsigned source_chip, source; /* unit */
  unsigned target_chip, target; /* unit */
  int source_spe, target_spe;   /* of the local store; -1: main memory */
  uint64_t ready_at;            /* at the on-ramp of the current chip */
  uint64_t last_beat;
};

/* A line of the log: an event. Fields without a meaning for the event are 0. */
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

/* Return an entry about an event of REQUEST now. */
struct reference_entry reference_entry_of(const struct reference_request *request, unsigned kind);

/* Note ENTRY. */
void reference_note(struct reference_log *log, struct reference_entry entry);

/* Sort LOG by cycle, then by the other fields, so that two logs of the same run are equal. */
void reference_sort(struct reference_log *log);

/* Run COUNT commands, in the given order, on a machine like BLADE, and fill LOG. */
void reference_run(const struct blade *blade, struct reference_command *commands, size_t count,
                   struct reference_log *log);

/* --- between the files of the reference --- */

/* Kinds of events, in the order within a cycle. */
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

/* Add EVENT to the list. Events run in the order of cycles; in one cycle by phase, then unit, then first
 * come, first served. */
void reference_later(struct reference_event event);

/* Make all MFCs idle. */
void reference_mfc_reset(void);

/* The program of COMMAND gives COMMAND now. */
void reference_give(struct reference_command *command);

/* Tell whether a command of SPE can issue a bus request now. */
bool reference_has_request(unsigned spe);

/* Return the command of SPE, which has one, with the turn to issue a bus request; the request takes a window
 * entry. */
struct reference_command *reference_next(unsigned spe);

/* REQUEST returns its window entry, and no limit counts REQUEST any more. */
void reference_window_free(const struct reference_request *request);

/* A bus request of COMMAND has been delivered; the delivery is accounted for at cycle DONE_AT. */
void reference_moved(struct reference_command *command, uint64_t done_at);

/* Make the buses idle. */
void reference_bus_reset(void);

/* SPE asks for the command bus of its chip; reference_granted is called at the SPE's turn. */
void reference_ask(unsigned spe);

/* The command bus serves SPE, which issues a bus request.
 * returns: whether the request goes to or from main memory. */
bool reference_granted(unsigned spe);

/* Let the commands of SPE go on if possible: ask for the command bus if a command has bytes to issue. */
void reference_pump(unsigned spe);

/* The data of REQUEST is ready on its current chip; reference_arrived is called at the grant, for cycle
 * END. */
void reference_send(struct reference_request *request);
void reference_arrived(struct reference_request *request, uint64_t end);

/* REQUEST waits for the next link of its way; reference_crossed is called for the cycle at which REQUEST has
 * crossed the link. */
void reference_cross(struct reference_request *request);
void reference_crossed(struct reference_request *request, uint64_t at);
