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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- the pattern of the bytes that were never written: poison.c --- */

/* A pattern for all bytes of local stores. The pattern comes from a seed and differs from address to
 * address. */
struct poison {
  uint64_t seed;
  uint8_t *bytes;
};

/* NBYTES of the local store of an SPE. */
struct poison_range {
  unsigned spe;
  size_t address, nbytes;
};

/* Make POISON from SEED. */
void poison_init(struct poison *poison, uint64_t seed);
void poison_fini(struct poison *poison);

/* The local stores of SPEs 0, 1, ..., of LS_BYTES each. */
struct poison_stores {
  struct pages *pages;
  size_t ls_bytes;
};

/* Let STORES hold POISON. */
void poison_show(const struct poison *poison, struct poison_stores stores);

/* Fill RANGE, whose first byte is at BYTES. */
void poison_fill(const struct poison *poison, struct poison_range range, uint8_t *bytes);

/* Return how many bytes of RANGE, whose first byte is at BYTES, hold the pattern before the first other
 * byte. */
size_t poison_match(const struct poison *poison, struct poison_range range, const uint8_t *bytes);

/* Return how many bytes of the local store of SPE, one of STORES with POISON mapped, hold the pattern before
 * the first other byte; WRITTEN tells of each page of STORES whether the page may have been written. */
size_t poison_match_shown(const struct poison *poison, struct poison_stores stores, unsigned spe,
                          const bool written[]);

/* --- the observer --- */

struct monitor {
  struct probe probe;       /* of a blade or of processes */
  struct observer observer; /* of processes, with `probe` */
  struct blade *blade;
  struct ownership ownership;
  struct poison poison, scratch_poison; /* of all local stores; of the scratch in this run */
  unsigned takes;                       /* since the local stores were renewed */
  struct access *accesses;              /* of DMA commands under way */
  size_t naccesses;
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

/* Let MONITOR watch all blades of MACHINE, unless MACHINE is the monitor's blade alone.
 * Gather: end that and add the forbidden accesses to MONITOR; call before MACHINE is released. */
void monitor_spread(struct monitor *monitor, const struct machine *machine);
void monitor_gather(struct monitor *monitor);

/* Return the monitor of PART under MONITOR. */
struct monitor *monitor_at(struct monitor *monitor, const struct rig_part *part);

/* Let MONITOR watch a run of RIG after its preparation; SEED chooses the pattern of the scratch. Or end the
 * observation after the run. On processes the monitor only counts bytes. */
void monitor_begin(struct monitor *monitor, const struct rig *rig, uint64_t seed);
void monitor_end(struct monitor *monitor, const struct rig *rig);

/* Name a rank of RIG, whose calls have ended normally, that has received or given fewer bytes than the calls
 * need.
 * returns: NULL: no such rank; or a text, which the caller frees. */
char *monitor_missing(struct monitor *monitor, const struct rig *rig);

/* Describe the forbidden accesses in all runs since the last such description; these runs had the same ranks
 * and sizes.
 * returns: NULL: none; or a text, which the caller frees. */
char *monitor_take(struct monitor *monitor);
