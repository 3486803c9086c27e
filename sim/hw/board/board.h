/* SPDX-License-Identifier: BSD-3-Clause
 * The shared knowledge of the units of a blade: the parameters, the observers, and the other units. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/pool.h"
#include "sim/hw/board/bus_traffic.h"
#include "sim/hw/watch/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct bif;
struct blade;
struct bus;
struct bus_end;
struct chip_ways;
struct des_node;
struct eib;
struct blade_plan;
struct machine;
struct memory;
struct ppe;
struct reservation_units;
struct spe;

/* A unit sees another unit only by including the header of that unit. */
struct board {
  struct des_node *node;   /* the clock, the events and the programs of the blade */
  unsigned number;         /* of the blade, among blades that run together */
  struct machine *machine; /* the machine with this blade as a node (sim/node); NULL: none */
  struct blade_plan *plan; /* the parameters, and tables */
  const struct parameters *parameters;
  struct probes probes;
  struct bus_traffic traffic; /* since the reset */
  struct bus *bus;            /* of all transfers */
  bool times_only;            /* transfers of data take the usual time and move no bytes */
  struct eib **eibs;          /* one per chip; NULL: the bus is not the exact one */
  const struct chip_ways *ways;
  struct bif *bif;
  struct spe *spes;             /* chip by chip */
  struct bus_end *local_stores; /* one per SPE: from byte 0 of the local store */
  const char **programs;        /* [number of a program]: the name; `programs_room` elements */
  unsigned programs_room;       /* at least one per SPE */
  struct ppe *ppes;             /* one per chip */
  struct memory *memories;      /* one per chip */
  struct pool transfers;        /* of all MFCs: struct bus_transfer */
  struct reservation_units *reservations;
  uint64_t nactions; /* of programs, since the reset */
  char *faults;      /* one line per program stopped in this run; NULL: none */
};

/* Return the units of BLADE, for the library of programs and for tests. */
const struct board *blade_board(const struct blade *blade);

/* Find the target END of NBYTES from effective address EA: a local store, a register, or main memory. The
 * memories of all chips follow each other; END is the memory of the first byte.
 * returns: 0; -1: the bytes are not within one local store or register, nor within the memories. */
int board_resolve(const struct board *board, uint64_t ea, uint32_t nbytes, struct bus_end *end);

/* Return the bytes of main memory from effective address EA on. */
uint8_t *board_memory(const struct board *board, uint64_t ea);

/* Give program NUMBER the name NAME; NULL: the program does not exist any more. */
void board_name_program(struct board *board, unsigned number, const char *name);

/* The text of a simulated fault: the mistake of an SPE program, and the machine's expectation. */
struct fault {
  char text[320];
};

/* Format the text of FAULT.
 * returns: the text. */
const char *fault_set(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Note for the result of the run that WHO stops at CYCLE because of WHAT. */
void board_note_fault(struct board *board, const char *who, uint64_t cycle, const char *what);

/* Tell the observers (at least one) of EVENT; cycle, node and programs of EVENT are set here. Called by
 * board_see. */
void board_tell(const struct board *board, struct probe_event *event);

/* As board_tell for an event of orders: only observers of orders are told. */
void board_tell_order(const struct board *board, struct probe_event *event);

/* Tell whether anybody looks at bus requests. */
static inline bool board_is_followed(const struct board *board) {
  return __builtin_expect(board->probes.followed != 0, 0);
}

/* Tell the observers of an event by TELL. The argument, a pointer to a struct probe_event, is evaluated only
 * if there are observers of the kind COUNTED (a member of struct probes). */
#define board_see_if(counted, tell, board_, ...) \
  do { \
    if (__builtin_expect((board_)->probes.counted != 0, 0)) { \
      tell((board_), __VA_ARGS__); \
    } \
  } while (0)

/* Tell all observers. */
#define board_see(board_, ...) board_see_if(n, board_tell, board_, __VA_ARGS__)

/* Tell the observers of details. */
#define board_see_detail(board_, ...) board_see_if(detailed, board_tell, board_, __VA_ARGS__)

/* The same, unless all observers of details look only at accesses. */
#define board_see_course(board_, ...) board_see_if(followed_in_detail, board_tell, board_, __VA_ARGS__)

/* Tell observers of orders of an event of orders. */
#define board_see_order(board_, ...) board_see_if(ordering, board_tell_order, board_, __VA_ARGS__)
