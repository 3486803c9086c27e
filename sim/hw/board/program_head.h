/* SPDX-License-Identifier: BSD-3-Clause
 * The beginning of each struct of a program: of an SPE, of a PPE or of a process on a host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct board;
struct probe_cause;
struct program;

/* The differences between programs of SPEs, PPEs and processes. */
struct program_kind {
  /* stops PROGRAM, the calling one, because of WHAT */
  void (*fault)(struct program *program, const char *what) __attribute__((noreturn));
  /* PROGRAM waits for all transfers with tags in TAGS, or (ANY) for one: lazy ones begin; NULL on a PPE */
  void (*let_go)(struct program *program, uint32_t tags, bool any);
  /* returns the tags in TAGS without a transfer of PROGRAM under way; NULL on a PPE */
  uint32_t (*done)(const struct program *program, uint32_t tags);
  bool is_on_host;   /* of a cluster: calls for SPEs and PPEs are faults */
  unsigned slowness; /* how many times longer than on an SPE programs of a shuffled run stand still */
};

/* The beginning of each struct of a program, the argument of the program's job. */
struct program {
  const struct program_kind *kind;
  const char *name;     /* for observers */
  struct board *board;  /* with the observers of the program's course */
  unsigned number;      /* unique on `board` */
  struct board *memory; /* with the observers of accesses and orders: `board`, or one of all processes */
  unsigned unit;        /* unique on `memory`: of an SPE, of a process, or `number` */
  uint8_t *bytes;       /* the local store, or the memory of the process; NULL on a PPE */
  size_t nbytes;
  uint64_t ea;                      /* effective address of `bytes` */
  const struct probe_cause *stored; /* of the last write by a PPE program into `bytes`; NULL: none can be */
};
