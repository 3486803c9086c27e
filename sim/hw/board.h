/* SPDX-License-Identifier: BSD-3-Clause
 * What the units of a blade know besides themselves: the parameters, who watches, and where the other units
 * are. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/pool.h"
#include "sim/hw/bus_traffic.h"
#include "sim/hw/probe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bif;
struct blade;
struct bus;
struct bus_end;
struct des_actor;
struct des_node;
struct eib;
struct machine;
struct memory;
struct ppe;
struct reservation_units;
struct ring_plan;
struct route;
struct spe;

/* A unit sees another one only if it includes its header. */
struct board {
  struct des_node *node;   /* its clock, its events and its programs */
  unsigned number;         /* of the blade, among those that run together */
  struct machine *machine; /* whose node it is (sim/node); NULL: of none */
  const struct parameters *parameters;
  const struct rate_interval *link_intervals; /* by bytes: for which a bus request takes a link */
  const struct ring_plan *ring_plan;          /* of all rings */
  const struct route *routes;                 /* on the rings of each chip */
  struct probes probes;                       /* who watches */
  struct bus_traffic traffic;                 /* since the reset */
  struct bus *bus;                            /* of all transfers */
  bool times_only;                            /* transfers of data take their time and move no bytes */
  struct eib *eibs;                           /* one per chip; NULL: the bus is not the exact one */
  struct bif *bif;
  struct spe *spes;             /* chip by chip */
  struct bus_end *local_stores; /* one per SPE: from its first byte on */
  const char **programs;        /* by number, of which there is room for `programs_room`: their names */
  unsigned programs_room;       /* at least one per SPE */
  struct ppe *ppes;             /* one per chip */
  struct memory *memories;      /* one per chip */
  struct pool transfers;        /* of all MFCs: struct bus_transfer */
  struct reservation_units *reservations;
  uint64_t nactions; /* of programs, since the reset */
  char *faults;      /* one line per program that stopped in this run; NULL: none */
};

/* Return the units of BLADE, for the library of programs and for tests. */
const struct board *blade_board(const struct blade *blade);

/* Find what lies behind NBYTES from effective address EA: of the memories of all chips, which follow each
 * other, that of the first byte.
 * returns: 0, or -1 if no single local store or register, nor the memories together, cover them. */
int board_resolve(const struct board *board, uint64_t ea, uint32_t nbytes, struct bus_end *end);

/* Return the bytes of main memory from effective address EA on. */
uint8_t *board_memory(const struct board *board, uint64_t ea);

/* Let program NUMBER be called NAME; NULL: there is none of that number any more. */
void board_name_program(struct board *board, unsigned number, const char *name);

/* Note for the result of the run that WHO stops at CYCLE because of WHAT. */
void board_note_fault(struct board *board, const char *who, uint64_t cycle, const char *what);

/* Tell the observers, of whom there is at least one, of EVENT, whose cycle, node and programs are set here;
 * called by board_see. */
void board_tell(const struct board *board, struct probe_event *event);

/* The same for an event of orders, of which only observers of orders are told. */
void board_tell_order(const struct board *board, struct probe_event *event);

/* Tell whether anybody watches. */
static inline bool board_is_seen(const struct board *board) {
  return __builtin_expect(board->probes.n != 0, 0);
}

/* Tell whether anybody looks at bus requests. */
static inline bool board_is_followed(const struct board *board) {
  return __builtin_expect(board->probes.followed != 0, 0);
}

/* Tell the observers by TELL of an event: a pointer to its struct probe_event, which is not even filled in if
 * nobody of the COUNTED observers (a member of struct probes) watches. */
#define board_see_if(counted, tell, board_, ...) \
  do { \
    if (__builtin_expect((board_)->probes.counted != 0, 0)) { \
      tell((board_), __VA_ARGS__); \
    } \
  } while (0)

/* Tell all observers. */
#define board_see(board_, ...) board_see_if(n, board_tell, board_, __VA_ARGS__)

/* Tell of an event that only observers of details look at. */
#define board_see_detail(board_, ...) board_see_if(detailed, board_tell, board_, __VA_ARGS__)

/* The same, unless all observers of details look only at accesses. */
#define board_see_course(board_, ...) board_see_if(followed_in_detail, board_tell, board_, __VA_ARGS__)

/* Tell observers of orders of an event of orders. */
#define board_see_order(board_, ...) board_see_if(ordering, board_tell_order, board_, __VA_ARGS__)
