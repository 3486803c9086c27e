/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path of a call: from the last exit of a rank backwards to the first entry, what made it as
 * late as it was.
 *
 * It begins with the last rank to leave, of equal ones the lowest. What its program computed since its latest
 * wait is software. What ended the wait goes on: a DMA command from the moment when it was given, then the
 * program that gave it; an action of another program, then that program; an atomic command likewise. It ends
 * where a rank entered the call.
 *
 * A DMA command is followed by its bus requests, backwards from the one that ended the wait: until it was
 * told, until it was visible, on the rings, over links. On its first on-ramp every time between two grants of
 * its own is split in this way: for one ramp interval after a grant its own bytes, or others' bytes, pass the
 * ramp; while no bytes pass it, and until the next request was ready, the window was full, or the request
 * came late; from then on a ring or the receiver was taken. Before its first grant: the command phase, order,
 * and the way from the queue to the bus. Links and memory controllers that a request waits for are split by
 * who was served meanwhile.
 *
 * Between nodes it follows the message that ended a wait, from the moment when its receiver was told to that
 * at which it was sent: the work of processors (nic.send, nic.receive), the NIC (nic.gap), and for each
 * packet backwards from the last one, server by server, the delay of the link, its own bytes, and what it
 * waited for there, split by whose packets were served meanwhile: bytes of the same message are its own. A
 * packet of TCP follows from the acknowledgement, or the timeout, that let it leave: the flight of
 * acknowledgements, that of what was sent before, and timeouts go to causes of their own, so that what a
 * message would take alone can be told from them. */
#pragma once

#include "sim/base/node_name.h"
#include "traces/record.h"

#include <stddef.h>
#include <stdint.h>

/* What cycles go to, and groups of that. */
enum path_cause {
#define PATH_CAUSE(id, name, group, text) PATH_##id,
#include "traces/path_cause.def"
  PATH_CAUSES
};

enum path_group {
  PATH_GROUP_OWN,
  PATH_GROUP_OTHERS,
  PATH_GROUP_TAKEN,
  PATH_GROUP_WINDOW,
  PATH_GROUP_ORDER,
  PATH_GROUP_LATENCY,
  PATH_GROUP_SOFTWARE,
  PATH_GROUP_COMBINING,
  PATH_GROUP_NETWORK,
  PATH_GROUP_LATE,
  PATH_GROUPS
};

enum path_kind {
  PATH_PROGRAM,      /* a program computes */
  PATH_NOTIFICATION, /* a DMA command that tells another SPE something */
  PATH_GET,
  PATH_PUT,
  PATH_SYNC,    /* a DMA command that moves nothing */
  PATH_LINE,    /* an atomic command */
  PATH_ENTRY,   /* ranks have not entered */
  PATH_MESSAGE, /* a message between nodes */
  PATH_KINDS
};

/* A part of the path: what one program does, or one command. */
struct path_part {
  uint64_t from, to;
  uint32_t number; /* of a command: among those of its SPE; of a message: among all */
  uint32_t nbytes; /* that it moves */
  uint16_t spe;    /* of the command, or of the program; RECORD_NOBODY: a program on a PPE */
  uint16_t chip;   /* of the program */
  uint16_t peer;   /* as in struct record_dma; of a message the node to which it goes */
  uint16_t node;   /* on which that is; of a message the one that sends it */
  uint8_t kind;    /* enum path_kind */
  bool is_list;
  bool is_answered; /* of a message: its sender has waited, and goes on; results do not keep this */
};

/* A piece of a part, all of which goes to one cause. Those of a path lie side by side. */
struct path_segment {
  uint64_t from, to;
  uint32_t part;    /* which one */
  uint32_t command; /* who stood in the way: command of SPE `behind`, message of node `behind` */
  uint32_t server;  /* where; RECORD_NOBODY: nowhere */
  uint16_t behind;  /* RECORD_NOBODY: nobody */
  uint16_t node;    /* of the server; RECORD_NOBODY: it is one of the network */
  uint8_t cause;    /* enum path_cause */
};

struct net_record;

struct path {
  uint64_t begin, end; /* the first entry, and the last exit */
  uint64_t totals[PATH_CAUSES];
  struct path_part *parts;
  size_t nparts, parts_room;
  struct path_segment *segments;
  size_t nsegments, segments_room;
};

/* Find the critical path of the call that RECORD has kept. The totals sum to the cycles from its first entry
 * to its last exit.
 * owner: the caller, with path_fini. */
void path_find(struct path *path, const struct record *record);

/* What is recorded of a call: one record per node, and one of the network. */
struct path_records {
  const struct record *const *nodes;
  unsigned n;
  const struct net_record *net; /* NULL: there is one node */
  struct node_names names;      /* of the nodes */
};

/* The same for a call on several nodes. */
void path_find_nodes(struct path *path, const struct path_records *records);

/* Release what PATH holds. */
void path_fini(struct path *path);

/* Return the name of CAUSE in csv, words for it, and its group; words for GROUP; the name of KIND. */
const char *path_cause_name(enum path_cause cause);
const char *path_cause_text(enum path_cause cause);
enum path_group path_cause_group(enum path_cause cause);
const char *path_group_text(enum path_group group);
const char *path_kind_name(enum path_kind kind);
