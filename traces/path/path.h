/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path of a call: from the last exit of a rank backwards to the first entry, the causes of each
 * cycle.
 *
 * The path begins with the last rank to leave, of several such ranks the lowest. The computing of the rank's
 * program since the latest wait is software. Then the path goes on with the end of that wait: with a DMA
 * command, from the cycle of the command, and then the issuing program; with an action of another program,
 * and then that program; with an atomic command likewise. The path ends where a rank entered the call.
 *
 * A DMA command is followed by its bus requests, backwards from the request that ended the wait: until
 * notification, until visibility, on the rings, over links. On the command's first on-ramp, every time
 * between two grants of the command is split in this way: for one ramp interval after a grant the command's
 * own bytes, or others' bytes, pass the ramp. While no bytes pass the ramp, until the next request was ready,
 * the window was full, or the request came late. From then on a ring or the receiver was taken. Before the
 * command's first grant come the command phase, the command bus, and the way from the queue to the bus. A
 * command that a fence or a barrier held is followed by the earlier command instead, from its completion
 * backwards. Waits for links and memory controllers are split by the command served meanwhile.
 *
 * Between nodes the path follows the message that ended a wait, from the notification of the receiver back to
 * the sending: the work of processors (nic.send, nic.receive), the NIC (nic.gap), and the packets. Each
 * packet is followed backwards from the last one, server by server: the delay of the link, the packet's own
 * bytes, and the wait for the server, split by the packets served meanwhile. Bytes of the same message are
 * own bytes. A packet of TCP follows from the acknowledgement, or the timeout, that let the packet leave.
 * Acknowledgements under way, retransmissions and timeouts have separate causes, to be told from the cycles
 * of a message that is alone on the network. */
#pragma once

#include "sim/base/network/node_name.h"
#include "traces/record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Causes of cycles, and groups of causes. */
enum path_cause {
#define PATH_CAUSE(id, name, group, text) PATH_##id,
#include "traces/path/path_cause.def"
  PATH_CAUSES
};

enum path_group {
#define PATH_WORD(id, ...) PATH_GROUP_##id,
#include "traces/path/path_cause.def"
  PATH_GROUPS
};

enum path_kind {
  PATH_PROGRAM,      /* a program computes */
  PATH_NOTIFICATION, /* a DMA command that notifies another SPE */
  PATH_GET,
  PATH_PUT,
  PATH_SYNC,    /* a DMA command without data */
  PATH_LINE,    /* an atomic command */
  PATH_ENTRY,   /* ranks have not entered */
  PATH_MESSAGE, /* a message between nodes */
  PATH_KINDS
};

/* A part of the path: an activity of one program, or one command. */
struct path_part {
  uint64_t from, to;
  uint32_t number; /* of a command: among the commands of its SPE; of a message: among all messages */
  uint32_t nbytes; /* moved */
  uint16_t spe;    /* of the command, or of the program; RECORD_NOBODY: a program on a PPE */
  uint16_t chip;   /* of the program */
  uint16_t peer;   /* as in struct record_dma; of a message the receiving node */
  uint16_t node;   /* of the program or command; of a message the sending node */
  uint8_t kind;    /* enum path_kind */
  bool is_list;
  const char *step; /* of a schedule, in which the part began; NULL: none */
  bool is_answered; /* of a message: the sender waited, and goes on; results do not keep this flag */
};

/* A piece of a part, with one cause. Segments of a path follow each other without gaps. */
struct path_segment {
  uint64_t from, to;
  uint32_t part;    /* index of the part */
  uint32_t command; /* the blocker: command of SPE `behind`, message of node `behind` */
  uint32_t server;  /* where; RECORD_NOBODY: nowhere */
  uint16_t behind;  /* RECORD_NOBODY: nobody */
  uint16_t node;    /* of the server; RECORD_NOBODY: a server of the network */
  uint8_t cause;    /* enum path_cause */
};

struct path {
  uint64_t begin, end; /* the first entry, and the last exit */
  uint64_t totals[PATH_CAUSES];
  struct path_part *parts;
  size_t nparts;
  struct path_segment *segments;
  size_t nsegments;
};

/* What is recorded of a call: one record per node, and one of the network. */
struct path_records {
  const struct record *const *nodes;
  unsigned n;
  const struct net_record *net; /* NULL: there is one node */
  struct node_names names;      /* of the nodes */
};

/* Find the critical path of the call of RECORDS. The totals sum to the cycles from the first entry to the
 * last exit. */
void path_find(struct path *path, const struct path_records *records);
void path_fini(struct path *path);

/* --- blockers: what is served while the path waits, the servers, and the cycles --- */

struct path_blockers_row {
  /* "the ramp of SPE 0", "the memory of chip 0", "the link from chip 0 to chip 1"; of several nodes with the
   * node behind the name, or "link n0-up" */
  char where[200];
  uint64_t cycles;
  uint64_t place_cycles; /* of all blockers at the place; results do not keep the sum */
  uint32_t server;
  uint16_t node; /* of the server; RECORD_NOBODY: a server of the network, and `spe` is a node */
  uint16_t spe;  /* of the blocking commands; RECORD_NOBODY: unknown */
  bool own;      /* the waiting command belongs to the same SPE */
};

struct path_blockers {
  struct path_blockers_row *rows; /* ordered by place, the place with most cycles first */
  size_t n;
};

/* Find the blockers on PATH, the path of RECORDS.
 * owner: the caller, who frees the rows. */
struct path_blockers path_blockers(const struct path *path, const struct path_records *records);

/* Return the name of the blocker of ROW, an SPE or by NAMES a node; a text_brief. */
const char *path_blockers_name(const struct path_blockers_row *row, const struct node_names *names);

/* --- words --- */

/* The names of causes in csv, words for people, and groups; words for groups; names of kinds, and NULL. */
extern const struct path_cause_words {
  const char *name, *text;
  enum path_group group;
} path_causes[];
extern const struct path_group_words { const char *text, *meaning, *helps; } path_groups[];
extern const char *const path_kinds[];

/* Make CYCLES the sums of the causes of each group in TOTALS. */
void path_sum_groups(const uint64_t totals[PATH_CAUSES], uint64_t cycles[PATH_GROUPS]);

/* Write the word of each group to STREAM, with meaning, help and names of causes. */
void path_write_words(FILE *stream);
