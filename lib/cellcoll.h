/* SPDX-License-Identifier: BSD-3-Clause
 * The public interface of libcellcoll: read a platform, run collective operations on the machine, look at the
 * results.
 *
 *   struct cellcoll_machine *machine = cellcoll_machine_new("qs20", NULL);
 *   struct cellcoll_call call = {
 *     .size = sizeof call, .algorithm = "bcast:binomial-opt", .ranks = 16, .bytes = 4096};
 *   struct cellcoll_result *result = machine ? cellcoll_run(machine, &call) : NULL;
 *   if (result) printf("%.0f cycles\n", result->cycles); else puts(cellcoll_error());
 *
 * Bad input never ends the process: a function refuses a request by returning NULL or -1, and
 * cellcoll_error() returns the reason. Only a lack of memory, or a plugin that crashes, ends the process.
 *
 * There is one engine in a process. Any number of machines is possible, but all calls come from one thread,
 * the thread of the first machine. No call comes from an observer while another call runs. No other part of
 * the process may have started SimGrid, the runner of the simulated programs. Each breach of these rules is
 * refused with a message. A forked process has its own engine. The engine keeps a second process; this
 * process reads networks and ends with the first.
 *
 * Interface: symbols have the version CELLCOLL_1. Structures made by the library may grow at the end. The
 * caller makes struct cellcoll_call, and the field `size` tells the library the size of the caller's
 * structure. The functions for plugins have the version CELLCOLL_PLUGINS; the version is compared when a
 * plugin is loaded (algos/plugin.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return the version of the library, such as "0.3.0". */
const char *cellcoll_version(void);

/* Return the message of the last refusal; "": there was none. The text changes with the next refusal. */
const char *cellcoll_error(void);

/* --- machines --- */

struct cellcoll_machine;

/* Build the machine of PLATFORM: the name of a built-in platform, or the path of a file (with a slash, or
 * ending in .xml). SETTINGS are texts "KEY=VALUE", as after --set, ended by NULL; NULL: no settings.
 * errors: as a message, with the file and the line.
 * owner: the caller, with cellcoll_machine_free. */
struct cellcoll_machine *cellcoll_machine_new(const char *platform, const char *const *settings);

/* Release MACHINE; NULL is allowed. */
void cellcoll_machine_free(struct cellcoll_machine *machine);

/* Return the value of parameter KEY of MACHINE as a text, "" if KEY is unknown; the text lives until the next
 * call of this function. */
const char *cellcoll_machine_value(const struct cellcoll_machine *machine, const char *key);

/* Return the key of parameter INDEX of MACHINE; NULL: there are no more. The text lives until the next call
 * of this function. */
const char *cellcoll_machine_key(const struct cellcoll_machine *machine, size_t index);

/* Return how many ranks ALGORITHM can have on MACHINE, 0 if there is no such algorithm. */
unsigned cellcoll_machine_ranks(const struct cellcoll_machine *machine, const char *algorithm);

/* --- algorithms --- */

/* Return the name of algorithm INDEX, algorithms of plugins last; NULL: there are no more. */
const char *cellcoll_algorithm(size_t index);

/* Add the algorithms of the plugin in file PATH, for the rest of the life of the process.
 * errors: -1: the plugin cannot be loaded, or was made for another version of the interface. */
int cellcoll_load_plugin(const char *path);

/* Let the algorithm sched:NAME be TEXT, lines as in a file (docs/how-to/text-algorithms.md), in place of an
 * earlier TEXT with this NAME.
 * errors: -1: a mistake in the head of TEXT, as `<NAME>:line: ...`; the algorithm then stays. A mistake in
 *   an operation refuses the first call. */
int cellcoll_load_text(const char *name, const char *text);

/* --- calls --- */

/* Read TEXT as the command line reads a size, such as 64, 4KiB or 1M, into *BYTES.
 * errors: -1: as a message. */
int cellcoll_read_bytes(const char *text, uint64_t *bytes);

/* Optional results of a call; bits. */
enum {
  CELLCOLL_PATH = 1 /* the critical path */,
  CELLCOLL_CALLS = 2 /* of a program: the times of the calls */
};

/* Gets the lines of a trace one after the other, without ends of lines: the first line names the columns. The
 * lines are the same as in the file of `cellcoll run --trace FILE.csv`. */
typedef void cellcoll_observer(void *context, const char *line);

/* A call; a field of 0 or NULL has the usual value. */
struct cellcoll_call {
  size_t size;           /* sizeof (struct cellcoll_call) */
  const char *algorithm; /* collective:algorithm[:parameter=value]... */
  unsigned ranks;        /* usual: the maximum of the machine */
  unsigned root;
  size_t bytes;
  unsigned repeat;             /* calls back to back; usual: 1 */
  const char *op, *type;       /* of a reduction; usual: sum of int32 */
  const char *placement;       /* packed, round-robin, or SPEs such as 0,8,1,9; usual: packed */
  const char *profile;         /* software costs; usual: the platform's */
  uint64_t seed;               /* of the data; usual: 1 */
  uint64_t skew, skew_seed;    /* ranks enter up to so many cycles late; usual: seed */
  unsigned wanted;             /* CELLCOLL_PATH, CELLCOLL_CALLS */
  cellcoll_observer *observer; /* usual: no observer */
  void *context;               /* of the observer */
  int every_request;           /* the observer sees every bus request, not only DMA commands */
  uint64_t shuffle;            /* seed of another legal order, as of `run --shuffle`; usual: not shuffled */
  const char *delay;           /* late ranks, as of `run --delay`; usual: none */
  const char *map;             /* algorithms of the calls of a program, as of `run --map`; usual: none */
};

/* How a call ended. */
enum cellcoll_end { CELLCOLL_OK, CELLCOLL_WRONG, CELLCOLL_FAULT, CELLCOLL_DEADLOCK };

/* A cause of the critical path, and the cycles of this cause. */
struct cellcoll_share {
  const char *cause, *group, *text;
  uint64_t cycles;
};

/* The cycles of a call in a program, or of a rank, as of `run --calls`; NaN: of no meaning. Names are such as
 * "call 3, line 8", "mean rank" and "rank 15". */
struct cellcoll_times {
  const char *name;
  double first_entry, last_entry, end, cycles, waiting, collective, computing, messages;
};

/* The result of a call. */
struct cellcoll_result {
  const char *algorithm; /* with all parameters different from the defaults */
  enum cellcoll_end end;
  const char *outcome; /* `end` as a word: ok, wrong, fault, deadlock */
  const char *detail;  /* description of the failure; "": no failure */
  unsigned ranks;
  size_t bytes;
  double cycles,
    ns; /* from the last rank's entry to the last rank's exit; with repeats the mean of calls 2.. */
  double from_first;     /* cycles from the first rank's entry */
  uint64_t bus_requests; /* of all calls, on all nodes */
  uint64_t eib_bytes, bif_bytes;
  unsigned nodes; /* used by the call, and the messages and bytes between these nodes */
  uint64_t net_messages, net_bytes, net_retransmissions;
  /* Per rank the cycle of entering and of leaving the last call; NULL after a fault or a deadlock. */
  const uint64_t *entered, *left;
  /* With CELLCOLL_PATH: the causes with cycles; the sum is from_first, with repeats from_first of the last
   * call. */
  size_t nshares;
  const struct cellcoll_share *shares;
  const char *profile;        /* software costs of the call */
  const char *op, *type;      /* "" of a collective that combines nothing */
  char platform_checksum[17]; /* over all values of the machine, hexadecimal */
  const char *collective;     /* also of an algorithm in a file */
  /* With CELLCOLL_CALLS: of the calls, then of a mean rank, then of the last rank to leave. */
  size_t ntimes;
  const struct cellcoll_times *times;
  const char *map; /* of a program: the rows of the map, in place of a word the chosen algorithms; "": none */
};

/* Make CALL on MACHINE, as on a new machine, and check the data after the call.
 * errors: NULL: there is no such algorithm, or the machine cannot serve the call. A call with a bad end is no
 * error.
 * owner: the caller, with cellcoll_result_free. */
struct cellcoll_result *cellcoll_run(struct cellcoll_machine *machine, const struct cellcoll_call *call);

/* Release RESULT; NULL is allowed. */
void cellcoll_result_free(struct cellcoll_result *result);

/* --- published measurements --- */

/* A published measurement, with its simulation. */
struct cellcoll_published {
  const char *id, *quantity, *unit;
  double published, simulated; /* simulated NaN: the simulation failed */
  double error_percent;        /* 100 (simulated - published) / published */
  const char *role;            /* test: no parameter was chosen by this value; fit, derived */
  const char *source;
  int at_most; /* the published value is a bound: a kept bound has no error, and medians leave the row out */
};

/* Simulate all measurements of MACHINE, and call TAKE with each; a machine with any other value than the
 * measured machines has none.
 * errors: -1: as a message. */
int cellcoll_published(struct cellcoll_machine *machine,
                       void (*take)(void *context, const struct cellcoll_published *row), void *context);

#ifdef __cplusplus
}
#endif
