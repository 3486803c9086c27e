/* SPDX-License-Identifier: BSD-3-Clause
 * See atomic.h.
 *
 * A command whose line is in its own atomic unit, and for a store in no other unit, takes atomic-local. Any
 * other command goes over the command bus (to-bus and command-phase, plus bif.command for each link on the
 * way) to the place where the line is ordered; commands for one line wait there for one another. A load then
 * gets the line from the unit that keeps the line (atomic-transfer, which includes the way over the command
 * bus) or from memory; a store makes the other units drop the line. A command takes effect in one instant;
 * the bytes of the line are then in memory at once, whichever unit keeps the line. Lines on their way between
 * atomic units take no time on the rings (assumption: such lines are few).
 * source: Cell Broadband Engine Architecture; atomic-transfer: cellmark (public measurements on a PS3,
 * 2026). */
#include "sim/hw/spe/atomic.h"

#include "sim/base/engine/des.h"
#include "sim/base/random.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/bus_end.h"
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/board/memory.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"

#include <string.h>

const char *atomic_check(const struct atomic *atomic, uint32_t ls, uint64_t ea, struct fault *fault) {
  struct board *board = atomic->spe->board;
  struct bus_end far;
  if (ls % RESERVATION_BYTES || ea % RESERVATION_BYTES) {
    return fault_set(fault,
                     "atomic command at local store address 0x%x and effective address 0x%llx, expected both "
                     "aligned to %d bytes",
                     ls, (unsigned long long)ea, RESERVATION_BYTES);
  }
  if (ls + RESERVATION_BYTES > board->parameters->ls_size) {
    return fault_set(fault, "atomic command at local store address 0x%x, expected one below 0x%x", ls,
                     board->parameters->ls_size);
  }
  if (board_resolve(board, ea, RESERVATION_BYTES, &far) != 0 || far.kind != BUS_END_MEMORY) {
    return fault_set(fault, "atomic command at effective address 0x%llx, expected one in main memory",
                     (unsigned long long)ea);
  }
  return NULL;
}

/* Return the name of ATOMIC for observers. */
static struct probe_atomic name_of(const struct atomic *atomic) {
  static const char *const names[] = {
    [ATOMIC_GETLLAR] = "getllar", [ATOMIC_PUTLLC] = "putllc", [ATOMIC_PUTLLUC] = "putlluc"};
  return (struct probe_atomic){.spe = atomic->spe->index,
                               .number = atomic->number,
                               .what = names[atomic->kind],
                               .ls = atomic->ls,
                               .ea = atomic->ea};
}

/* Tell the observers about the effect of ATOMIC, with a line that KEEPER kept. */
static void see_effect(const struct atomic *atomic, unsigned keeper, bool is_local) {
  const struct board *board = atomic->spe->board;
  board_see_detail(atomic->spe->board,
                   &(struct probe_event){
                     .kind = PROBE_ATOMIC_EFFECT,
                     .atomic_effect = {.atomic = name_of(atomic),
                                       .came = atomic->came,
                                       .keeper = keeper < board->parameters->nspes ? keeper : PROBE_NOBODY,
                                       .is_local = is_local,
                                       .status = atomic->status}});
}

static void complete(struct event *event);
static void turn(struct event *event);

static void next_stage(struct atomic *atomic, void (*run)(struct event *), uint64_t at) {
  atomic->event.run = run;
  des_schedule(&atomic->event, at, run == complete ? DES_COMPLETE : DES_READY, atomic->spe->index);
}

/* Tell whether ATOMIC polls and its line does not yet have the wanted value; the next load then follows. */
static bool polls_on(struct atomic *atomic) {
  const struct atomic_poll *poll = atomic->poll;
  if (poll) {
    des_show_statics(atomic->spe->actor);
  }
  atomic->looked = poll && !poll->found(atomic->spe->ls + atomic->ls, poll->context);
  if (atomic->looked) {
    atomic_resume(atomic, des_now() + poll->pause);
  }
  return atomic->looked;
}

static void complete(struct event *event) {
  struct atomic *atomic = EVENT_OWNER(event, struct atomic, event);
  struct spe *spe = atomic->spe;
  if (atomic->kind == ATOMIC_GETLLAR) {
    memcpy(spe->ls + atomic->ls, atomic->data, sizeof atomic->data);
  }
  if (polls_on(atomic)) {
    return;
  }
  atomic->busy = false;
  atomic->told = true;
  bool wakes = des_poke(spe->actor, SPE_POKE_ATOMIC);
  if (wakes) {
    program_woken(spe->actor,
                  (struct probe_cause){.kind = PROBE_BY_ATOMIC, .who = spe->index, .number = atomic->number});
  }
  board_see_detail(spe->board,
                   &(struct probe_event){.kind = PROBE_ATOMIC_COMPLETE,
                                         .atomic_complete = {.atomic = name_of(atomic), .wakes = wakes}});
}

/* Return the current moment for the atomic unit of ATOMIC, which takes effect. */
static struct reservation_moment moment_of(const struct atomic *atomic) {
  return (struct reservation_moment){des_now(), atomic->spe->index};
}

/* Apply the effect of ATOMIC to memory and to reservations. */
static void take_effect(struct atomic *atomic) {
  struct spe *spe = atomic->spe;
  struct reservation_units *units = spe->board->reservations;
  struct reservation *own = &units->of[spe->index];
  uint8_t *bytes = board_memory(spe->board, atomic->ea);
  if (atomic->kind == ATOMIC_GETLLAR) {
    memcpy(atomic->data, bytes, sizeof atomic->data);
    reservation_take(own, atomic->ea);
    atomic->status = ATOMIC_GETLLAR_DONE;
    return;
  }
  if (atomic->kind == ATOMIC_PUTLLC && !(own->held && own->ea == atomic->ea)) {
    atomic->status = ATOMIC_LOST;
    reservation_lose(own);
    return;
  }
  memcpy(bytes, spe->ls + atomic->ls, sizeof atomic->data);
  struct probe_cause cause = {.kind = PROBE_BY_ATOMIC, .who = spe->index, .number = atomic->number};
  reservation_written(units, atomic->ea, &(struct reservation_write){spe->index, moment_of(atomic), &cause});
  atomic->status = atomic->kind == ATOMIC_PUTLLC ? ATOMIC_STORED : ATOMIC_PUTLLUC_DONE;
}

/* Tell whether ATOMIC can take effect without the bus: the line is here, and a store has no other unit to
 * tell. A store whose reservation is lost also ends here. */
static bool is_local(const struct atomic *atomic) {
  struct reservation_units *units = atomic->spe->board->reservations;
  unsigned self = atomic->spe->index;
  const struct reservation *own = &units->of[self];
  if (atomic->kind == ATOMIC_PUTLLC && !(own->held && own->ea == atomic->ea)) {
    return true;
  }
  return reservation_keeps(own, atomic->ea) &&
         (atomic->kind == ATOMIC_GETLLAR || !reservation_is_shared(units, atomic->ea, self));
}

/* Return the cycle at which the line of ATOMIC is here. ATOMIC is ordered now; FROM, a unit or memory, gives
 * the line. */
static uint64_t fetch(const struct atomic *atomic, unsigned from) {
  const struct spe *spe = atomic->spe;
  struct board *board = spe->board;
  const struct parameters *parameters = board->parameters;
  struct bus_end far;
  board_resolve(board, atomic->ea, RESERVATION_BYTES, &far);
  unsigned chip = from < board->parameters->nspes ? board->spes[from].chip : far.chip;
  uint64_t crossing = chip_ways_distance(board->ways, chip, spe->chip) * parameters->bif_data;
  uint64_t spent = parameters->mfc_to_bus + parameters->eib_command_phase;
  uint64_t transfer = parameters->mfc_atomic_transfer > spent ? parameters->mfc_atomic_transfer - spent : 0;
  if (from < board->parameters->nspes) {
    return des_now() + transfer + crossing;
  }
  return memory_read(far.memory) + parameters->ring.beats + parameters->mfc_visible + crossing;
}

/* Apply the effect of ATOMIC, whose turn at LINE has come, and let ATOMIC complete. */
static void have_line(struct atomic *atomic, struct reservation_line *line) {
  struct spe *spe = atomic->spe;
  struct reservation_units *units = spe->board->reservations;
  uint64_t now = des_now(), here = now;
  unsigned keeper = reservation_keeper(units, line->ea, moment_of(atomic));
  take_effect(atomic);
  see_effect(atomic, keeper, false);
  if (atomic->status != ATOMIC_LOST) {
    here =
      atomic->kind == ATOMIC_GETLLAR ? fetch(atomic, keeper) : now + spe->board->parameters->mfc_atomic_local;
    reservation_keep(&units->of[spe->index], line->ea, here);
  }
  next_stage(atomic, complete, here);
}

/* ATOMIC, the first command that waits for LINE, may have LINE as soon as LINE is on its way to no unit. Then
 * the next command has its turn: still in this cycle if its SPE comes after the SPE of ATOMIC. */
static void take_turn(struct atomic *atomic, struct reservation_line *line) {
  uint64_t now = des_now(), settled = reservation_settled(line);
  if (settled > now) {
    next_stage(atomic, turn, settled);
    return;
  }
  struct atomic *next = atomic->behind;
  if (next) {
    next_stage(next, turn, next->spe->index > atomic->spe->index ? now : now + 1);
  } else {
    line->waiting_last = NULL;
  }
  have_line(atomic, line);
}

static void turn(struct event *event) {
  struct atomic *atomic = EVENT_OWNER(event, struct atomic, event);
  take_turn(atomic, reservation_line(atomic->spe->board->reservations, atomic->ea));
}

/* The command has come to where the line is ordered. */
static void order(struct event *event) {
  struct atomic *atomic = EVENT_OWNER(event, struct atomic, event);
  struct reservation_line *line = reservation_line(atomic->spe->board->reservations, atomic->ea);
  atomic->came = des_now();
  atomic->behind = NULL;
  if (line->waiting_last) {
    line->waiting_last = line->waiting_last->behind = atomic;
  } else {
    line->waiting_last = atomic;
    take_turn(atomic, line);
  }
}

/* Do ATOMIC without the bus. */
static void do_here(struct atomic *atomic) {
  struct spe *spe = atomic->spe;
  struct reservation *own = &spe->board->reservations->of[spe->index];
  uint64_t now = des_now(), took = spe->board->parameters->mfc_atomic_local;
  bool keeps = reservation_keeps(own, atomic->ea);
  if (atomic->looked) { /* the load finds the old value, now and later, until the line is written */
    reservation_poll(own, atomic->ea, now, took + atomic->poll->pause);
    return;
  }
  take_effect(atomic);
  atomic->came = now;
  see_effect(atomic, keeps ? spe->index : PROBE_NOBODY, true);
  if (keeps && atomic->status != ATOMIC_LOST) {
    reservation_keep(own, atomic->ea, now);
  }
  next_stage(atomic, complete, now + took);
}

/* The command has come out of the SPU. */
static void start_command(struct event *event) {
  struct atomic *atomic = EVENT_OWNER(event, struct atomic, event);
  struct spe *spe = atomic->spe;
  struct board *board = spe->board;
  struct reservation_units *units = board->reservations;
  const struct parameters *parameters = board->parameters;
  units->in_use = true;
  if (is_local(atomic)) {
    do_here(atomic);
    return;
  }
  unsigned keeper = reservation_keeper(units, atomic->ea, moment_of(atomic));
  struct bus_end far;
  board_resolve(board, atomic->ea, RESERVATION_BYTES, &far);
  unsigned chip = keeper < units->n ? board->spes[keeper].chip : far.chip;
  uint64_t crossing = chip_ways_distance(board->ways, chip, spe->chip) * parameters->bif_command;
  next_stage(atomic, order, des_now() + parameters->mfc_to_bus + parameters->eib_command_phase + crossing);
}

void atomic_resume(struct atomic *atomic, uint64_t at) {
  if (!atomic->spe->dma.stopped) {
    next_stage(atomic, start_command, at);
  }
}

void atomic_begin(struct atomic *atomic, enum atomic_kind kind, uint64_t at) {
  atomic->kind = kind;
  atomic->number++;
  des_note_change();
  random_absorb(&atomic->spe->board->traffic.calls, at << 16 ^ atomic->spe->index ^ (uint64_t)kind << 60);
  random_absorb(&atomic->spe->board->traffic.calls, atomic->ea);
  board_see_detail(atomic->spe->board,
                   &(struct probe_event){.kind = PROBE_ATOMIC_ENQUEUE,
                                         .atomic_enqueue = {.atomic = name_of(atomic), .at = at}});
  atomic->busy = true;
  atomic->told = atomic->looked = false;
  atomic->poll = NULL;
  next_stage(atomic, start_command, at + des_lateness());
}

void atomic_begin_poll(struct atomic *atomic, const struct atomic_poll *poll, uint64_t at) {
  atomic_begin(atomic, ATOMIC_GETLLAR, at);
  atomic->poll = poll;
}
