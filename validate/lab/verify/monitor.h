/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that finds accesses of a call to bytes that do not belong to the call.
 *
 * A call may write the buffers, the notification arrays and the scratch of the participating ranks, and the
 * main memory shared by the algorithm. Only the rank that owns an entry of the arrays may write the entry. A
 * call may read all of these and the input. A buffer belongs to the call from the cycle in which its rank
 * enters to the cycle in which its rank leaves. All other bytes are forbidden:
 *
 * - DMAs are judged by address, independent of the data, and once more on completion: a buffer at either end
 *    must still belong to the call;
 * - so are the loads and stores that a program announces (spu_note_load, spu_note_store), atomic commands,
 *    and all accesses of PPE programs: copies, messages, combining and writes into registers;
 * - other stores are found in the local stores of the ranks: all forbidden bytes hold a pattern, and must
 *    still hold the pattern afterwards;
 * - the scratch holds a pattern made from the seed: a rank that reads the pattern reads bytes never written.
 *    Flags (spu_note_flags) are zero until the first write, as the static data of a program is. */
#pragma once

#include "sim/base/network/node_name.h"
#include "sim/hw/watch/probe.h"
#include "validate/lab/verify/ownership.h"
#include "validate/lab/verify/poison.h"

#include <stddef.h>
#include <stdint.h>

struct monitor {
  struct probe probe;       /* of a blade */
  struct observer observer; /* of processes, with `counting` */
  struct probe counting;
  struct blade *blade;
  const struct rig_part *part; /* NULL: no run is under way */
  struct ownership ownership;
  struct poison poison, scratch_poison; /* of all local stores; of the scratch in this run */
  unsigned takes;                       /* since the local stores were renewed */
  struct access *accesses;              /* of DMA commands under way */
  size_t naccesses, room;
  uint64_t count;         /* forbidden accesses */
  uint64_t moved, needed; /* bytes moved in all runs, and the minimum */
  char *first;            /* the first one, on one line; NULL: there is none */
  struct monitor *nodes;  /* [node] of a machine of several nodes; NULL: the monitor watches `blade` */
  unsigned nnodes;
  struct node_names names; /* of `nodes` */
};

/* Make MONITOR ready for BLADE: the local stores get the pattern, and blade_reset leaves the local stores
 * alone until monitor_fini. */
void monitor_init(struct monitor *monitor, struct blade *blade);
void monitor_fini(struct monitor *monitor);

/* Let MONITOR (NULL: no effect) watch all blades of MACHINE, unless MACHINE is the monitor's blade alone.
 * Gather: end that and add the forbidden accesses to MONITOR; call before MACHINE is released. */
void monitor_spread(struct monitor *monitor, const struct machine *machine);
void monitor_gather(struct monitor *monitor);

/* Return the monitor of PART under MONITOR; NULL: none. */
struct monitor *monitor_at(struct monitor *monitor, const struct rig_part *part);

/* Let MONITOR (NULL: no effect) watch a run of RIG after its preparation; SEED chooses the pattern of the
 * scratch. Or end the observation after the run. On processes the monitor only counts bytes. */
void monitor_begin(struct monitor *monitor, const struct rig *rig, uint64_t seed);
void monitor_end(struct monitor *monitor, const struct rig *rig);

/* Name a rank of RIG, whose calls have ended normally, that has received or given fewer bytes than the calls
 * need; MONITOR NULL: bytes were not counted.
 * returns: NULL: no such rank; or a text, which the caller frees. */
char *monitor_missing(struct monitor *monitor, const struct rig *rig);

/* Note that rank C enters a call, with the data in place, or has left the call. */
void monitor_enter(struct monitor *monitor, const struct coll *c);
void monitor_leave(struct monitor *monitor, const struct coll *c);

/* Describe the forbidden accesses in all runs since the last such description; these runs had the same ranks
 * and sizes.
 * returns: NULL: none; or a text, which the caller frees. */
char *monitor_take(struct monitor *monitor);
