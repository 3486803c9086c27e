/* SPDX-License-Identifier: BSD-3-Clause
 * Random DMA programs for all SPEs of a blade, with transfers, lists, fences, barriers and synchronizing
 * commands. */
#pragma once

#include "tests/bed.h"

enum {
  RANDOM_SPES = 64,
  RANDOM_COMMANDS = 24,   /* most of a program */
  RANDOM_ELEMENTS = 8,    /* most of a list */
  RANDOM_TAGS = 3,        /* shared by the commands of a program; a list with stops has a tag of its own */
  RANDOM_LISTS = 0x34000, /* local store address of the lists */
};

/* A command of a program. */
struct random_command {
  bool put;
  unsigned peer;       /* SPE; from the number of SPEs on: main memory of a chip */
  unsigned order;      /* 0: fence, 1: barrier, else free */
  unsigned sync;       /* 0: mfc_barrier, 1: mfc_sync, 2: mfc_eieio, else the command moves data */
  uint32_t low;        /* bytes by which both addresses miss a multiple of 16 */
  uint32_t ls, nbytes; /* nbytes: 1, 2, 4, 8 or a multiple of 16 */
  uint64_t ea;
  uint32_t tag, pause; /* pause: cycles before the command is given */
  unsigned nelements;  /* of a list; 0: the command is no list */
  mfc_list_element_t elements[RANDOM_ELEMENTS];
};

struct random_program {
  unsigned ncommands;
  struct random_command commands[RANDOM_COMMANDS];
};

/* How programs are drawn. */
struct random_rules {
  unsigned commands;   /* most of a program, at most RANDOM_COMMANDS; */
  unsigned few;        /* most of two programs of three */
  unsigned peers;      /* the command's peer is below this number */
  uint32_t bytes;      /* most of a command that is no list */
  bool only_transfers; /* no lists, no synchronizing commands */
  struct dice *dice;
  const struct blade *blade;
  /* Draw the addresses of COMMAND, number INDEX of the program of SPE; all else is drawn. */
  void (*place)(const struct random_rules *rules, struct random_command *command, unsigned spe,
                unsigned index);
};

/* Return the effective address of byte ADDRESS of PEER. */
uint64_t random_ea(const struct blade *blade, unsigned peer, uint32_t address);

/* Draw programs for all SPEs of the blade of RULES. */
void random_programs(const struct random_rules *rules, struct random_program programs[RANDOM_SPES]);

/* Run PROGRAMS and check that all end, without a fault. */
void random_run(struct random_program programs[RANDOM_SPES]);
