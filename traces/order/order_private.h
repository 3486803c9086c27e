/* SPDX-License-Identifier: BSD-3-Clause
 * The observer of orders: clocks, a shadow of memory, the state; for traces/order*.c only. */
#pragma once

#include "sim/base/hash.h"
#include "sim/base/pool.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/watch/probe.h"
#include "traces/order/order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  ORDER_TAGS = 32,
  ORDER_SIGNALS = 2,
  ORDER_MAILBOXES = 3,
  ORDER_ACCESSES_MAX = 1U << 16, /* kept for messages; a power of two */
  ORDER_QUAD = 16,               /* aligned bytes, arriving together */
};

/* --- order_clock.c: clocks of happens-before ---
 *
 * A lane is a program, or the commands of one tag of one queue of an MFC, on one node. A clock has a number
 * for each lane. The number of a program is an epoch: all work of the program up to the end of this epoch is
 * known to be over. The number of a tag counts commands: so many, from the first one on, are known to be
 * complete.
 *
 * Knowledge of other nodes consists of snapshots: each is the clock of a program at a message sent by the
 * program. A snapshot counts when a message brings the snapshot back to its own node. */

/* Snapshots of other nodes. Never changed once shared. */
struct order_abroad {
  uint32_t refs, n;
  struct order_clock *known[]; /* by number of the sender: the newest snapshot; NULL: none */
};

struct order_clock {
  uint32_t refs, n, room; /* lanes from n on are 0 */
  uint32_t sent;          /* of a snapshot: the number of the message among the messages of its sender */
  uint32_t *counts;
  struct order_abroad *abroad; /* NULL: nothing */
  /* possible knowledge: of words in the memory of a program, seen without a report or not; without such
   * knowledge of its own; NULL: nothing */
  struct order_clock *may;
  struct order_clock *next; /* among unused clocks */
};

/* Unused clocks. */
struct order_clocks {
  struct order_clock *unused;
};

/* Return a clock of nothing, or a copy of FROM.
 * owner: the caller, with order_clock_drop. */
struct order_clock *order_clock_new(struct order_clocks *clocks);
struct order_clock *order_clock_copy(struct order_clocks *clocks, const struct order_clock *from);

/* Return CLOCK for one more owner. */
static inline struct order_clock *order_clock_share(struct order_clock *clock) {
  clock->refs++;
  return clock;
}

/* Take CLOCK (NULL: nothing happens) from one owner. */
void order_clock_drop(struct order_clocks *clocks, struct order_clock *clock);

/* Release all unused CLOCKS. */
void order_clocks_fini(struct order_clocks *clocks);

static inline uint32_t order_clock_get(const struct order_clock *clock, uint32_t lane) {
  return lane < clock->n ? clock->counts[lane] : 0;
}

/* Let CLOCK, with one owner, know LANE up to COUNT. */
void order_clock_raise(struct order_clock *clock, uint32_t lane, uint32_t count);

/* Let INTO, with one owner, have the knowledge of FROM (NULL: none). */
void order_clock_join(struct order_clocks *clocks, struct order_clock *into, const struct order_clock *from);

/* Let INTO, with one owner, have the knowledge of FROM as possible knowledge. */
void order_clock_learn(struct order_clocks *clocks, struct order_clock *into, const struct order_clock *from);

/* Let CLOCK, with one owner, know nothing of its own node. */
void order_clock_leave(struct order_clocks *clocks, struct order_clock *clock);

/* Tell whether CLOCK knows, or may know, LANE up to COUNT. */
static inline bool order_clock_may_get(const struct order_clock *clock, uint32_t lane, uint32_t count) {
  return order_clock_get(clock, lane) >= count || (clock->may && order_clock_get(clock->may, lane) >= count);
}

/* Return the snapshot of SENDER, counted from 1, in CLOCK; NULL: none. */
static inline const struct order_clock *order_clock_abroad(const struct order_clock *clock, uint32_t sender) {
  const struct order_abroad *abroad = clock->abroad;
  return abroad && sender <= abroad->n ? abroad->known[sender - 1] : NULL;
}

/* Let CLOCK, with one owner, have itself as the snapshot of message number SENT of SENDER. */
void order_clock_send(struct order_clocks *clocks, struct order_clock *clock, uint32_t sender, uint32_t sent);

/* --- a shadow of memory: of each byte the last write and the reads since --- */

struct order_span {
  uint64_t ea, nbytes;
};

/* A program has seen the end of an access, in epoch COUNT of LANE: a clock with LANE up to COUNT knows the
 * end. No seer of an access has known of an earlier seer. A seer never changes: stamps share lists. */
struct order_seer {
  uint32_t lane, count;
  uint32_t next; /* number of the seer before; 0: none */
};

struct order_seers {
  struct order_seer *items; /* [number]; number 0 is nobody */
  uint32_t n, room;
};

/* When an access is over: as soon as a clock knows LANE up to COUNT, or a seer of the end. */
struct order_stamp {
  uint32_t lane, count; /* count 0: no access */
  uint32_t access;      /* number of the access, for messages */
  uint32_t seers;       /* number of the last seer; 0: nobody */
  /* of a put, or of a tell that follows puts, of a process: 1 + number of the pair of sender and receiver */
  uint32_t pair : 31, tells : 1;
};

struct order_read {
  struct order_read *next; /* of the same cell */
  struct order_stamp stamp;
};

/* Bytes with the same history. */
struct order_cell {
  uint64_t start, end;
  struct order_stamp writer;
  struct order_read *reads;
};

struct order_shadow {
  struct order_cell *cells; /* in ascending order of addresses */
  size_t n, room;
  size_t last;       /* the cell found last */
  struct pool reads; /* of cells */
};

/* A new access. KNOWS is the clock of the reader or writer. */
struct order_judge {
  const struct order_stamp *stamp;
  const struct order_clock *knows;
  struct order *order;
};

/* --- the state --- */

/* A loop over the 16 bytes with the bytes of SPAN; AT is an address in one after the other. */
#define ORDER_EACH_QUAD(at, span) \
  for (uint64_t at = (span).ea; at < (span).ea + (span).nbytes; at += ORDER_QUAD - at % ORDER_QUAD)

/* An access, for messages. */
struct order_access {
  uint32_t number, program, epoch; /* of the program, at the access */
  uint32_t spe, tag, nbytes;
  uint64_t at, ls, ea;
  bool is_dma, is_put, is_list, is_proxy;
};

/* The knowledge of the writers of 16 bytes of memory, or of the sender of a message. */
struct order_release {
  struct order_clock *clock;
  struct order_stamp stamp; /* of the last write */
  uint64_t from;            /* address read by the last write; 0: a program stored */
};

struct order_table {
  struct hash places; /* by key */
  struct order_release *items;
  size_t n;
};

/* Bytes moved by a command. */
struct order_move {
  uint64_t from, to;
  uint32_t offset, nbytes; /* the place among all bytes of the command */
};

/* A DMA command under way. */
struct order_command {
  struct order_command *next; /* of the same SPE, given before */
  uint64_t number;
  unsigned spe, tag, program;
  struct order_stamp stamp;
  struct order_clock *begin; /* known to be over when the command begins */
  struct order_move *moves;
  size_t nmoves;
  uint8_t *before; /* the bytes of the target when a get was given, of an element when the element was read */
  size_t nbefore;
  bool is_watched; /* arriving bytes must find `before` in the target */
  bool of_flags;   /* the bytes may be flags, or come from flags */
  bool stopped;    /* the list has stopped */
  uint64_t list;   /* address of the unread elements, and their bytes */
  uint32_t list_left;
};

/* The commands of one tag of one queue. */
struct order_lane {
  uint32_t latest;          /* commands */
  uint32_t held;            /* the latest command with a barrier for the tag */
  struct order_clock *told; /* further knowledge once all commands are complete; NULL: none */
};

/* A queue of an MFC; or, of a process of hosts, the puts and gets of 32 tags. */
struct order_queue {
  uint32_t lanes[ORDER_TAGS];
  uint32_t used; /* bits: there is a lane */
  /* commands told complete by the last answer to the SPU, for the tags in `answer` */
  uint32_t done[ORDER_TAGS];
  uint32_t answer;
  struct order_clock *held; /* clock of the last barrier for all tags; NULL: none */
};

struct order_source {
  uint64_t ea;
  struct order_stamp stamp;
};

struct order_signal {
  struct order_clock *clock;    /* of all writers since the last read; NULL: none */
  struct order_source *sources; /* source addresses of their commands */
  size_t nsources;
  unsigned program[32]; /* the last writer of each bit, and the cycle */
  uint64_t cycle[32];
};

struct order_mailbox {
  struct order_clock **words; /* clocks of the writers of the words */
  unsigned n;
};

/* A process knows, from epoch EPOCH on, that the puts and tells of a sender up to access UPTO are over. */
struct order_told {
  uint32_t upto, epoch;
};

/* The tells of one sender seen by a process. */
struct order_tells {
  struct order_told *seen; /* in ascending order */
  size_t n;
};

/* An SPE, or a process of hosts. */
struct order_spe {
  const uint8_t *store;       /* the local store; NULL: no command yet, or a process */
  struct order_queue *queues; /* of the SPU, of PPEs; of a process: tells, then puts and gets */
  size_t nqueues;
  struct order_tells *tells; /* [sender], of a process */
  size_t ntells;
  struct order_command *commands; /* under way, the newest first */
  struct order_signal signals[ORDER_SIGNALS];
  struct order_mailbox mailboxes[ORDER_MAILBOXES];
  struct order_span *flags;
  size_t nflags;
};

struct order_program {
  uint32_t lane;
  /* 1 + number among the programs that send to other nodes, 0: none; messages sent */
  uint32_t sender, messages;
  struct order_clock *clock;
};

/* The entries of a rank into barriers. */
struct order_entries {
  const struct order *order; /* of the node of the rank; NULL: no entry */
  uint32_t lane;             /* of the program */
  uint32_t *epochs;          /* [call]: of the program at the entry; 0: no entry */
  size_t n;
};

struct order_net {
  struct order_clocks clocks;
  struct order_entries *entries; /* [rank] */
  size_t nentries;
  bool has_barriers;           /* there are entries */
  struct order_table messages; /* under way, by number */
  uint32_t nsenders;
};

struct order {
  struct probe probe;
  bool on_hosts;
  uint64_t base; /* address of the memory of SPE, or process, 0; the next one is 1 << STRIDE further on */
  unsigned stride;
  unsigned nspes; /* or processes */
  struct order_net *net;
  struct order_clocks *clocks; /* of `net` */
  bool is_alone;               /* owns `net` */
  const char *const *names;    /* of programs, by number; NULL: not running */
  uint64_t at;                 /* cycle of the event, or of the clock of the program of the event */
  struct order_spe *spes;
  struct order_shadow *shadows; /* [spe], then main memory */
  struct order_lane *lanes;
  uint32_t nlanes, lanes_room;
  struct order_program *programs;
  unsigned nprograms;
  struct order_clock *in_memory; /* possible knowledge of programs of PPEs; NULL: none */
  uint32_t *senders;             /* of programs with messages to other nodes */
  size_t nsenders;
  struct order_access *accesses; /* the newest ones, in turn */
  uint32_t naccesses, accesses_room;
  uint32_t last_pair[2]; /* the last two accesses reported */
  struct order_table releases;
  struct order_seers seers;
  struct order_command *unused;
  struct hazard_list hazards;
};

/* --- order.c --- */

/* The `see` of the observer. */
void order_see(struct probe *probe, const struct probe_event *event);

/* --- order_state.c --- */

/* Forget all events, but not the hazards. */
void order_forget(struct order *order);

/* Return the effective address of byte OFFSET of the memory of SPE. */
static inline uint64_t order_ea(const struct order *order, unsigned spe, uint64_t offset) {
  return order->base + ((uint64_t)spe << order->stride) + offset;
}

/* Return the number of the local store, or process, with EA; nspes: no local store. */
static inline unsigned order_area(const struct order *order, uint64_t ea) {
  uint64_t area = (ea - order->base) >> order->stride;
  return area < order->nspes ? (unsigned)area : order->nspes;
}

/* Tell whether EA is of a register of an SPE. */
static inline bool order_is_register(const struct order *order, uint64_t ea) {
  return !order->on_hosts && order_area(order, ea) < order->nspes &&
         (ea - EA_SPE_BASE) % EA_SPE_STRIDE >= EA_PROBLEM_STATE;
}

/* Tell whether SPAN is within flags; with ANY whether some bytes of SPAN are flags. */
bool order_is_flags(const struct order *order, struct order_span span, bool any);

/* Return a new lane. */
uint32_t order_lane_new(struct order *order);

/* Give program NUMBER a clock and a lane. */
struct order_program *order_program_new(struct order *order, unsigned number);

/* Return program NUMBER, with a clock and a lane. */
static inline struct order_program *order_program(struct order *order, unsigned number) {
  return number < order->nprograms && order->programs[number].clock ? &order->programs[number]
                                                                    : order_program_new(order, number);
}

/* Return the epoch of PROGRAM; or begin the next one, because PROGRAM has told something. */
static inline uint32_t order_epoch(const struct order_program *program) {
  return program->clock->counts[program->lane];
}

static inline void order_next_epoch(struct order_program *program) {
  program->clock->counts[program->lane]++;
}

/* Keep ACCESS, of a program now; number, epoch and cycle do not count.
 * returns: the number. */
uint32_t order_access_add(struct order *order, struct order_access access);

/* Judge and keep an access to SPAN by JUDGE, a read or a write. No bytes: nothing happens. */
void order_touch(struct order_judge judge, struct order_span span, bool writes);

/* --- order_shadow.c --- */

/* Judge a read, or a write, of the bytes of SPAN, at least one, and keep the access. Each cell with an
 * earlier access not known to be over is reported, unless both accesses read. */
void order_shadow_read(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge);
void order_shadow_write(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge);

/* The program in LANE, with the clock of JUDGE, has seen the end of the accesses to SPAN with the lane and
 * count of the stamp of JUDGE. */
void order_shadow_mark(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge,
                       uint32_t lane);

/* Forget all accesses. */
void order_shadow_clear(struct order_shadow *shadow);

/* --- order_release.c --- */

/* Return the entry of KEY in TABLE, made if MAKE; NULL: none. */
struct order_release *order_table_find(struct order_table *table, uint64_t key, bool make);

/* Forget all entries of TABLE. */
void order_table_clear(struct order_clocks *clocks, struct order_table *table);

/* SPAN has been written as BY says; the key of BY does not count. */
void order_release(struct order *order, struct order_span span, const struct order_release *by);

/* Let INTO have the knowledge of the writers of SPAN. */
void order_acquire(struct order *order, struct order_clock *into, struct order_span span);

/* PROGRAM has seen the word at EA. */
void order_see_word(struct order *order, unsigned program, uint64_t ea);

/* PROGRAM has seen that the access with STAMP to SPAN is over. */
void order_see_access(struct order *order, unsigned program, struct order_span span,
                      struct order_stamp stamp);

/* Tell whether CLOCK knows one of the seers of ORDER from number LAST on. */
bool order_knows_seer(const struct order *order, const struct order_clock *clock, uint32_t last);

/* Return the number of SEER, now one of ORDER. */
uint32_t order_seer_new(struct order *order, struct order_seer seer);

/* Tell whether CLOCK knows by a tell that the put or tell with STAMP is over. */
bool order_knows_by_tell(const struct order *order, const struct order_clock *clock,
                         const struct order_stamp *stamp);

/* Take note of EVENT, of one of the kinds of the handler. */
typedef void order_handler(struct order *order, const struct probe_event *event);

/* --- order_commands.c --- */

/* Return a command under way; NULL: none has this number. */
struct order_command *order_find(const struct order *order, unsigned spe, uint64_t number);

order_handler order_see_enqueue, order_see_element, order_see_stall, order_see_arrive, order_see_complete,
  order_see_tags_done, order_see_tags, order_see_stalls;

/* Forget the command at LINK. */
void order_drop_command(struct order *order, struct order_command **link);

/* --- order_barrier.c --- */

/* A program enters or leaves a barrier. */
order_handler order_see_barrier;

/* If there are barriers: a word with the knowledge CLOCK (NULL: none), read from FROM, has come to EA. */
void order_see_come(struct order *order, uint64_t ea, const struct order_clock *clock,
                    struct order_span from);

/* --- order_text.c --- */

/* Report that nothing orders the access EARLIER to CELL and the new access of JUDGE, a write if WRITES, else
 * a read. */
void order_report(const struct order_judge *judge, const struct order_stamp *earlier,
                  const struct order_cell *cell, bool writes);

/* Report a change of the byte at EA, in the target of the get COMMAND, before the arrival of its bytes. */
void order_report_store(struct order *order, const struct order_command *command, uint64_t ea);

/* Report that the program of SEEN, a rank, leaves a barrier without knowledge of the entry of rank OTHER. */
void order_report_barrier(struct order *order, const struct probe_seen *seen, unsigned other);

/* Report a lost signal. */
void order_report_signal(struct order *order, const struct probe_signal *event);
