/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that looks for what a call touches although it is not its own.
 *
 * A call may write the buffers, the notification arrays and the scratch of the ranks that take part, and the
 * main memory that the algorithm shares; into an entry of the arrays only the rank writes that it is for. It
 * may read these and the input. A buffer belongs to the call from the cycle at which its rank enters to the
 * one at which it leaves. All else is forbidden:
 *
 *  - DMAs are judged by their addresses, whatever they carry, and once more when they complete: a buffer at
 *    either end must belong to the call then;
 *  - so are the loads and stores that a program tells of (spu_note_load, spu_note_store), atomic commands,
 *    and what programs of PPEs copy, send, take out of messages, combine and write into registers;
 *  - other stores show in the local stores of the ranks: there all that is forbidden holds a pattern, and
 *    must still hold it afterwards;
 *  - the scratch holds a pattern drawn from the seed: who reads it reads what nobody has written. Flags
 *    (spu_note_flags) are zero until somebody writes them, as the static data of a program is. */
#pragma once

#include "sim/base/node_name.h"
#include "sim/hw/probe.h"
#include "validate/lab/ownership.h"
#include "validate/lab/poison.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access;

struct monitor {
  struct probe probe;
  struct blade *blade;
  const struct rig_part *part; /* NULL: no run is under way */
  struct ownership ownership;
  struct poison poison, scratch_poison; /* of all local stores; of the scratch in this run */
  unsigned verdicts;                    /* since the local stores were renewed */
  bool *inside;                         /* per rank: it is in a call */
  uint64_t *left;                       /* per rank: the cycle at which it left the last one */
  struct access *accesses;              /* of DMA commands under way */
  size_t naccesses, room;
  uint64_t count;        /* forbidden accesses */
  char *first;           /* the first one, on one line; NULL: there is none */
  struct monitor *nodes; /* [node] of a machine of several nodes; NULL: it watches its own blade */
  unsigned nnodes;
  struct node_names names; /* of these */
  bool *written;           /* per page of all local stores, at the last verdict: it may have been written */
};

/* Make MONITOR ready for BLADE, whose local stores hold the pattern and are left alone by blade_reset until
 * monitor_fini.
 * owner: the caller, with monitor_fini. */
void monitor_init(struct monitor *monitor, struct blade *blade);

/* Release what MONITOR holds. */
void monitor_fini(struct monitor *monitor);

/* Let MONITOR, NULL: nobody, watch all blades of MACHINE, unless that is its blade alone; and no more: what
 * was forbidden there counts in MONITOR, before MACHINE is released. */
void monitor_spread(struct monitor *monitor, const struct machine *machine);
void monitor_gather(struct monitor *monitor);

/* Return what watches PART for MONITOR; NULL: nobody does. */
struct monitor *monitor_at(struct monitor *monitor, const struct rig_part *part);

/* Let MONITOR, NULL: nobody, watch a run of RIG, which has been prepared; SEED chooses the pattern of the
 * scratch. The run has ended. */
void monitor_begin(struct monitor *monitor, const struct rig *rig, uint64_t seed);
void monitor_end(struct monitor *monitor, const struct rig *rig);

/* Say which rank of RIG, whose calls have ended as they should, has got or given fewer bytes than its calls
 * need; MONITOR NULL: nobody has counted.
 * returns: NULL: no rank; or a text, which the caller frees. */
char *monitor_missing(struct monitor *monitor, const struct rig *rig);

/* Rank C enters a call, its data in place, or has left it. */
void monitor_enter(struct monitor *monitor, const struct coll *c);
void monitor_leave(struct monitor *monitor, const struct coll *c);

/* Say what was forbidden in all runs since the last verdict, which were on the same ranks with the same
 * sizes.
 * returns: NULL: nothing; or a text, which the caller frees. */
char *monitor_verdict(struct monitor *monitor);
