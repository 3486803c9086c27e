/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the model machine share; for model_*.c only. */
#pragma once

#include "algos/cost/model_cluster.h"
#include "algos/cost/model_values.h"
#include "algos/step/port.h"
#include "sim/base/des.h"
#include "sim/base/pages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coll;

enum { MODEL_QUEUE_MAX = 32, MODEL_TAGS = 32, MODEL_MAILBOX_WORDS = 4 };

/* Effective addresses: local stores, all in the first 4 GiB since elements of DMA lists have 32 bits; a
 * memory each. */
enum { MODEL_MEMORY_BITS = 44 };

/* What can end a wait. */
enum model_poke {
  MODEL_POKE_FLAG = 1,
  MODEL_POKE_SIGNAL = 2,
  MODEL_POKE_DMA = 4,
  MODEL_POKE_MAILBOX = 8,
  MODEL_POKE_LINE = 16,
  MODEL_POKE_WORD = 32,
  MODEL_POKE_MESSAGE = 64,
};

enum model_direction { MODEL_GET, MODEL_PUT, MODEL_DIRECTIONS };

/* A DMA command: a notification, a signal, a word for the PPE in main memory, or a transfer of data. */
enum model_kind { MODEL_NOTIFICATION, MODEL_SIGNALLING, MODEL_TELLING, MODEL_TRANSFER };

struct model_command {
  struct model_spe *spe; /* the issuer */
  enum model_kind kind;
  enum model_direction direction;
  bool fenced;           /* it begins when the earlier ones of its tag group are complete */
  bool barrier;          /* and holds up the later ones */
  struct model_spe *far; /* whose local store or signal register the far end is; NULL: it is in memory */
  unsigned far_chip;
  void *into;       /* of a notification */
  const void *from; /* of it */
  uint32_t bits;    /* of a signal */
  uint64_t ea;
  uint32_t nbytes, tag;
  unsigned place; /* in the queue */
  struct model_window *window;
  struct event event, done;
  unsigned expected;          /* events that are still to come */
  unsigned requests;          /* not yet issued */
  unsigned left;              /* that have not yet begun to pass */
  double latency;             /* of a bus request that waits for nothing: until it has come back */
  double hold;                /* of it: until its window entry is free */
  double seen;                /* of a notification: until the receiver sees it */
  double crossing;            /* for which a bus request keeps each link busy */
  double way;                 /* between the ramps */
  double delay;               /* it gets to memory later than one of the same chip */
  double done_at;             /* when all that were issued have come back */
  struct model_command *next; /* in a queue, or unused */
};

/* Commands that wait, in the order in which they have come. */
struct model_queue {
  struct model_command *first, *last;
};

/* The bus requests that an MFC has under way. */
struct model_window {
  double *free_at; /* by entry: when it is free; a ring in this order */
  unsigned mask;   /* of places in the ring */
  unsigned first;  /* place in it */
  unsigned end;    /* the place behind the last one; other entries belong to requests that wait */
  uint32_t ready;  /* places in the queue of commands that have requests to issue */
  double from;     /* when it has a request to issue, and an entry for it; INFINITY: it has none */
};

/* A bus request that has been issued and has not yet begun to pass. */
struct model_request {
  struct model_command *command;
  struct model_ramps *to, *end; /* where it goes on the chip of its sender, and in the end */
  double way;                   /* from there to TO */
  struct event event;           /* it gets to memory */
  struct model_request *next;   /* of the same sender, or unused */
};

/* Ramps of a unit. */
struct model_ramps {
  struct model_machine *machine;
  unsigned chip, unit;                /* of which unit */
  double out, in;                     /* when they are free */
  struct model_request *first, *last; /* that wait for the ramp out */
  uint32_t waiting;             /* units of the chip whose first request waits for its turn at the ramp in */
  unsigned heard;               /* the unit that has had it last */
  struct event sends, receives; /* it is time to look again */
};

/* A tag group. */
struct model_tag {
  unsigned given;   /* commands that are not complete */
  unsigned running; /* of these */
  bool barrier;     /* one is running */
  struct model_queue waiting;
};

/* Words between an SPE and the PPE. */
struct model_mailbox {
  uint32_t words[MODEL_MAILBOX_WORDS];
  unsigned count;
};

struct model_spe {
  struct model_machine *machine;
  struct des_actor *actor; /* NULL: it runs no program */
  struct coll *c;          /* its view of the call */
  unsigned index, chip;
  uint8_t *ls;
  uint32_t signals;
  struct model_tag tags[MODEL_TAGS];
  struct model_command *queue[MODEL_QUEUE_MAX]; /* of the MFC */
  uint32_t used;                                /* places in it */
  unsigned issued_last;                         /* place of the command that has issued last */
  struct model_window windows[MODEL_DIRECTIONS];
  double issues_from; /* it has a bus request to issue, and an entry for it; INFINITY: it has none */
  struct event turn;  /* a window entry becomes free */
  struct model_command_bus *bus;
  bool asks;              /* it waits for that */
  bool issues;            /* its request is on the way */
  struct model_spe *next; /* that waits for it */
  struct model_ramps *ramps;
  struct model_mailbox inbox, outbox;
  bool keeps, reserved; /* the line of atomic commands */
  uint64_t line_used;   /* cycle in which it has used that last, but for loads that poll */
  uint64_t polls_from;  /* cycle of the first load that polls */
  uint64_t poll_period; /* cycles between two of these; 0: it does not poll the line */
};

/* Accepts one bus request of a chip after the other. */
struct model_command_bus {
  struct event event;
  uint64_t free;                  /* when it is */
  struct model_spe *first, *last; /* that wait for it */
};

struct model_machine {
  const struct model_values *values;
  const struct model_shape *shape;
  struct des_node *node;
  struct model_spe *spes;
  struct pages stores;       /* local stores of the ranks of a call */
  unsigned ls_bits;          /* of an address in a local store */
  struct model_ramps *units; /* by chip, see model_unit */
  double *controllers;       /* by chip: when that of its memory is free */
  double mean_way;           /* from the first SPE of a chip to the others */
  struct model_command_bus *command_buses;
  double *links;   /* [from * nchips + neighbour]: when it is free */
  double *entries; /* of all windows */
  struct model_command *unused;
  struct model_command *commands;
  struct model_request *unused_requests;
  struct model_request *requests;
  struct des_actor *ppe;          /* NULL: it runs no program */
  uint8_t line[MODEL_LINE_BYTES]; /* of memory, for atomic commands */
  unsigned tickets, serving;      /* of those that have come to the line */
  uint64_t line_free;             /* when no command has it */
  unsigned writer;                /* SPE that has written it last */
  uint8_t *words;                 /* of the memory of chip 0, for the PPE; NULL: there are none */
  struct model_net *net;          /* to other machines; NULL: there are none */
  unsigned number;                /* of this one among them */
  const struct coll_group *group;
  void (*program)(void *);     /* of its ranks: its argument is the struct coll */
  void (*ppe_program)(void *); /* of its PPE: its argument is the group */
  double host_combines; /* it stands for a host, which combines a byte in so many cycles; 0: it is a blade */
  struct model_stop stop; /* of its programs */
};

/* Return VALUE for a way over LINKS links. */
static inline double model_value(const struct model_machine *machine, enum model_value value,
                                 unsigned links) {
  return machine->values->of[value][links];
}

/* Return CYCLE as a number; this and the next take 63 bits for a cycle, which are one instruction to
 * convert. */
static inline double model_real(uint64_t cycle) {
  return (double)(int64_t)cycle;
}

/* Return the present cycle. */
static inline double model_now(void) {
  return model_real(des_now());
}

/* Return CYCLE, which is not negative, without its fraction. */
static inline uint64_t model_whole(double cycle) {
  return (uint64_t)(int64_t)cycle;
}

/* Return CYCLES as whole ones, at least 0. */
static inline uint64_t model_cycles(double cycles) {
  return cycles > 0 ? model_whole(cycles + 0.5) : 0;
}

/* Return the later one of two cycles. */
static inline double model_later(double a, double b) {
  return a > b ? a : b;
}

static inline unsigned model_links(const struct model_machine *machine, unsigned from, unsigned to) {
  return machine->shape->links[from * machine->shape->nchips + to];
}

/* Give a command like WANTED to the MFC of its SPE, whose program has the time of this call. */
void model_dma_enqueue(const struct model_command *wanted);

/* Units of a chip besides its SPEs, which have the numbers from MODEL_OTHERS on: what leads to other chips,
 * and memory. */
enum { MODEL_BIF, MODEL_MEMORY, MODEL_OTHERS };

/* Return the ramps of UNIT of CHIP. */
static inline struct model_ramps *model_unit(const struct model_machine *machine, unsigned chip,
                                             unsigned unit) {
  return &machine->units[chip * (machine->shape->spes_per_chip + MODEL_OTHERS) + unit];
}

/* Make the ramps of UNIT of CHIP idle. */
void model_ramps_init(struct model_machine *machine, unsigned chip, unsigned unit);

/* Return how much longer a request takes from SPE FROM to SPE TO than within a local store; the mean if they
 * are on two chips. */
double model_way(const struct model_ramps *from, const struct model_ramps *to);

/* Let a bus request of COMMAND pass as soon as it can. */
void model_bus_send(struct model_command *command);

/* A bus request of COMMAND begins to pass in WAIT cycles, or began then if they are negative. */
void model_dma_passed(struct model_command *command, double wait);

/* Prepare the MFC of SPE, and BUS, which are idle. */
void model_dma_init(struct model_spe *spe);
void model_command_bus_init(struct model_command_bus *bus);

/* A wait of the program of SPE, or of the PPE. */
struct model_wait {
  struct des_wait wait;
  struct model_spe *spe;
  const void *what;
};

static inline const struct model_wait *model_wait_of(const struct des_wait *wait) {
  return (const struct model_wait *)wait;
}

/* Let the calling program wait until READY, which a poke of KIND may bring about, with SPE and WHAT to look
 * at. */
void model_wait_until(struct model_spe *spe, enum model_poke kind, bool (*ready)(const struct des_wait *),
                      const void *what);

/* Note in STOP how a run with RESULT was kept from its end, unless a program has said so; release what RESULT
 * holds.
 * returns: whether all programs have ended. */
bool model_note_end(struct model_stop *stop, struct des_result *result);

/* Return the SPE whose program calls. */
static inline struct model_spe *model_self(void) {
  return des_argument(des_self());
}

/* Make MACHINE, which is idle, ready to run one call of GROUP, whose port it becomes and whose addresses are
 * set; its programs are started on the node of MACHINE. */
void model_machine_begin(struct model_machine *machine, struct coll_group *group);

/* The same for a machine that stands for a host: it runs PROGRAM, whose argument is GROUP. It has no ranks
 * that model_machine_end could ask. */
void model_machine_begin_host(struct model_machine *machine, struct coll_group *group,
                              void (*program)(void *argument));

/* When the first rank of a call entered, and the last one left. */
struct model_span {
  uint64_t first, last;
};

/* Make MACHINE idle after the programs of its call have run; they have been CUT_SHORT.
 * returns: when its ranks entered and left. */
struct model_span model_machine_end(struct model_machine *machine, bool cut_short);

/* Return the machine whose PPE program calls. */
static inline struct model_machine *model_of_ppe(void) {
  return des_argument(des_self());
}

/* Messages, see step_port. */
void model_net_put(unsigned to, uint64_t ea, uint32_t nbytes);
void model_net_wait(unsigned from, uint64_t ea, uint32_t nbytes);

/* The operations on a line of memory. */
void model_load_line(void *line, uint64_t ea);
bool model_store_line(void *line, uint64_t ea);
void model_wait_line(const struct spu_line_wait *wait);
