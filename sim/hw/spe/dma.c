/* SPDX-License-Identifier: BSD-3-Clause
 * See dma.h.
 *
 * The data of a command cross a bus (bus.h) as one transfer; data in the memories of several chips cross as
 * one transfer for each memory.
 *
 * A list command is one queue entry whose elements are read late, one after the other; each element begins on
 * the next 16 bytes of local store. Behind an element with its notify bit the MFC reads no element before the
 * program has acknowledged that all bytes up to this element have been moved. Assumptions: the notification
 * means the same as a tag status; an acknowledgement takes as long as a command to reach the MFC, mfc.to-bus.
 *
 * An answer about tag groups counts for the cycle in which the condition is met; later commands of the SPU do
 * not change the answer. If the SPU changes the mask before, the new mask counts. An unread answer stays
 * until a read or a later answer: a question alone does not clear the answer.
 *
 * source: Ali, Midkiff, Pai 2010, sections 3.3 and 5.2; Velamati et al. 2007, section 2; Cell Broadband
 * Engine Architecture 1.02 (sizes, alignment, fences, lists; tags: 9.3); RPCS3 pull request 8543 (unread
 * answers: result of hardware). */
#include "sim/hw/spe/dma.h"

#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/board/memory.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/board/program.h"
#include "sim/hw/bus/bus.h"
#include "sim/hw/spe/spe.h"

#include <stdlib.h>
#include <string.h>

static void begin_first(struct event *event);

void dma_init(struct dma *dma, struct spe *spe) {
  const struct parameters *parameters = spe->board->parameters;
  *dma =
    (struct dma){.spe = spe, .board = spe->board, .parameters = spe->board->parameters, .issuer = spe->index};
  dma->queues[DMA_SPU].size = parameters->mfc_queue;
  dma->queues[DMA_PROXY].size = parameters->mfc_proxy_queue;
  dma_reset(dma);
}

/* Make the entries of QUEUE, which is to take the first command. */
static void __attribute__((noinline, cold)) make_entries(struct dma_queue *queue) {
  queue->commands = xcalloc(queue->size, sizeof *queue->commands);
  queue->transfers = xcalloc(queue->size, sizeof *queue->transfers);
}

void dma_fini(struct dma *dma) {
  for (unsigned i = 0; i < DMA_SIDES; i++) {
    free(dma->queues[i].commands);
    free(dma->queues[i].transfers);
  }
}

void dma_reset(struct dma *dma) {
  for (unsigned i = 0; i < DMA_SIDES; i++) {
    struct dma_queue *queue = &dma->queues[i];
    memset(queue->pending, 0, sizeof queue->pending);
    queue->used = queue->waiting = queue->held = 0;
  }
  dma->ncommands = 0;
  dma->tag_query = (struct dma_tag_query){0};
  dma->list_stalls = 0;
  dma->stopped = false;
  dma->begin = (struct event){.run = begin_first};
  dma->begins_from = 0;
}

/* --- checks --- */

static bool size_is_legal(uint32_t nbytes) {
  bool small = nbytes == 1 || nbytes == 2 || nbytes == 4 || nbytes == 8;
  return nbytes == 0 || small || (nbytes % 16 == 0 && nbytes <= DMA_BYTES_MAX);
}

/* As dma_check, for the TRANSFER of a command or of a list element; *FAR becomes the end at the effective
 * address. */
static const char *check_transfer(const struct dma *dma, const struct dma_transfer *transfer,
                                  struct bus_end *far, struct fault *fault) {
  uint32_t n = transfer->nbytes, alignment = MIN(n, 16);
  unsigned long long ls = transfer->ls, ea = transfer->ea;
  bool is_put = transfer->direction == DMA_PUT;
  struct board *board = dma->board;
  if (!size_is_legal(n)) {
    fault_set(fault, "size of %u bytes, expected 1, 2, 4, 8 or a multiple of 16 up to %d", n, DMA_BYTES_MAX);
  } else if (n && (ls % alignment || ea % alignment || ls % 16 != ea % 16)) {
    fault_set(fault,
              "local store address 0x%llx and effective address 0x%llx for %u bytes, "
              "expected both aligned to %u bytes and equal in their low 4 bits",
              ls, ea, n, alignment);
  } else if (ls + n > board->parameters->ls_size) {
    fault_set(fault, "local store bytes 0x%llx to 0x%llx, expected them below 0x%x", ls, ls + n,
              board->parameters->ls_size);
  } else if (board_resolve(board, transfer->ea, n, far) != 0) {
    fault_set(fault, "effective addresses 0x%llx to 0x%llx, expected a local store, register or memory", ea,
              ea + n);
  } else if ((far->kind == BUS_END_MAILBOX || far->kind == BUS_END_SIGNAL) && (n != 4 || !is_put)) {
    fault_set(fault, "%s accessed by a %s of %u bytes, expected a put of 4",
              far->kind == BUS_END_MAILBOX ? "inbound mailbox" : "signal notification register",
              is_put ? "put" : "get", n);
  } else {
    return NULL;
  }
  return fault->text;
}

const char *dma_check(const struct dma *dma, const struct dma_given *given, struct bus_end *far,
                      struct fault *fault) {
  if (given->tag >= DMA_TAGS) {
    return fault_set(fault, "tag %u, expected 0 to %d", given->tag, DMA_TAGS - 1);
  }
  if (given->kind == DMA_SYNC) {
    return NULL;
  }
  if (given->kind == DMA_DATA) {
    struct dma_transfer transfer = {given->direction, given->ls, given->nbytes, given->ea};
    return check_transfer(dma, &transfer, far, fault);
  }
  uint32_t element = sizeof(struct dma_list_element), list = given->list, n = given->nbytes;
  if (n % element != 0 || n > DMA_LIST_BYTES_MAX) {
    return fault_set(fault, "DMA list of %u bytes, expected a multiple of %u up to %d", n, element,
                     DMA_LIST_BYTES_MAX);
  }
  if (list % element != 0 || list + n > dma->parameters->ls_size) {
    return fault_set(fault, "DMA list at local store address 0x%x, expected a multiple of %u inside", list,
                     element);
  }
  return NULL;
}

/* --- queue --- */

/* Return the name of COMMAND for observers. */
static struct probe_dma name_of(const struct dma_command *command) {
  return (struct probe_dma){.spe = command->dma->issuer,
                            .command = command->number,
                            .tag = command->given.tag,
                            .nbytes = command->given.nbytes};
}

static struct dma_queue *queue_of(const struct dma_command *command) {
  return &command->dma->queues[command->given.side];
}

static uint32_t bit(const struct dma_command *command) {
  return UINT32_C(1) << command->entry;
}

/* Let COMMAND issue its transfer. */
static void issue(struct dma_command *command) {
  struct bus *bus = command->dma->board->bus;
  bus->begin(bus, queue_of(command)->transfers[command->entry]);
}

void dma_stop(struct dma *dma) {
  struct bus *bus = dma->board->bus;
  dma->stopped = true;
  bus->stop(bus, dma);
}

static void complete(struct event *event);
static void fetch_element(struct dma_command *command);
static void read_element(struct dma_command *command);

/* Let COMMAND, a command without data, complete: mfc_barrier at once, mfc_sync and mfc_eieio after the
 * command phase on the farthest chip (assumption). */
static void sync_bus(struct dma_command *command) {
  const struct spe *spe = command->dma->spe;
  const struct board *board = spe->board;
  unsigned farthest = 0;
  if (command->given.order == DMA_BARRIER_ALL) {
    complete(&command->event);
    return;
  }
  for (unsigned chip = 0; chip < board->parameters->nchips; chip++) {
    unsigned links = chip_ways_distance(board->ways, spe->chip, chip);
    RAISE(farthest, links);
  }
  command->event.run = complete;
  des_schedule(&command->event,
               des_now() + board->parameters->eib_command_phase + farthest * board->parameters->bif_command,
               DES_COMPLETE, spe->index);
}

/* Return the earlier lists of any tag that COMMAND must wait for: an mfc_eieio (assumption: mfc_sync too)
 * waits for the end of a list that has stopped.
 * source: elad335/myps3tests, "eieio command" (result of hardware). */
static uint32_t stopped_before(const struct dma_command *command) {
  uint32_t after = 0;
  for (uint32_t left = command->given.order == DMA_BARRIER ? queue_of(command)->used : 0; left;
       left &= left - 1) {
    const struct dma_command *earlier = &queue_of(command)->commands[__builtin_ctz(left)];
    after |= earlier->has_stopped && earlier->number < command->number ? bit(earlier) : 0;
  }
  return after;
}

/* Let COMMAND issue, if it has arrived and nothing must complete before it. */
static void start_if_free(struct dma_command *command) {
  if (!command->arrived || command->after) {
    return;
  }
  if (command->given.kind == DMA_SYNC) {
    command->after = stopped_before(command);
    if (!command->after) {
      sync_bus(command);
    }
  } else if (command->given.nbytes == 0) {
    complete(&command->event);
  } else if (command->given.kind == DMA_LIST) {
    fetch_element(command);
  } else {
    issue(command);
  }
}

/* Notify the program that waits for COMMAND of the completion. WAS_FULL: until now the queue was full.
 * returns: whether the program wakes. */
static bool tell_program(const struct dma_command *command, bool was_full) {
  struct dma *dma = command->dma;
  struct probe_cause cause = {.kind = PROBE_BY_COMPLETION, .who = dma->issuer, .number = command->number};
  if (command->given.side == DMA_PROXY) {
    return ppe_poke_all(dma->board, PPE_POKE_DMA, &cause);
  }
  if (was_full) {
    spe_note_event(dma->spe, SPE_EVENT_QUEUE, cause);
  }
  dma_tags_look(dma, cause);
  bool wakes = des_poke(dma->spe->actor, SPE_POKE_DMA | SPE_POKE_EVENT);
  if (wakes) {
    program_woken(dma->spe->actor, cause);
  }
  return wakes;
}

static void complete(struct event *event) {
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  struct dma_queue *queue = queue_of(command);
  uint32_t mine = bit(command);
  bool was_full = dma_is_full(command->dma, command->given.side);
  queue->used &= ~mine;
  queue->pending[command->given.tag]--;
  bool wakes = tell_program(command, was_full);
  board_see(
    command->dma->board,
    &(struct probe_event){.kind = PROBE_COMPLETE, .complete = {.dma = name_of(command), .wakes = wakes}});
  for (uint32_t left = queue->used; left; left &= left - 1) {
    struct dma_command *later = &queue->commands[__builtin_ctz(left)];
    if (later->after & mine) {
      later->after &= ~mine;
      start_if_free(later);
    }
  }
}

static void schedule_begin(struct dma *dma) {
  uint64_t now = des_now();
  if (!dma->begin.pending && (dma->queues[DMA_SPU].waiting || dma->queues[DMA_PROXY].waiting)) {
    des_schedule(&dma->begin, MAX(dma->begins_from, now), DES_ISSUE, dma->issuer);
  }
}

/* Let the MFC begin COMMAND or, if COMMAND has begun, the next element of its list. */
static void begin(struct dma_command *command) {
  if (command->arrived) {
    read_element(command);
    return;
  }
  command->arrived = true;
  command->dma->board->traffic.dma_commands++;
  board_see(command->dma->board,
            &(struct probe_event){.kind = PROBE_COMMAND, .command.dma = name_of(command)});
  start_if_free(command);
}

/* Of the commands that wait, at least one, the command that arrived first begins. */
static void begin_first(struct event *event) {
  struct dma *dma = EVENT_OWNER(event, struct dma, begin);
  struct dma_command *first = NULL;
  for (unsigned side = 0; side < DMA_SIDES; side++) {
    for (uint32_t left = dma->queues[side].waiting; left; left &= left - 1) {
      struct dma_command *command = &dma->queues[side].commands[__builtin_ctz(left)];
      first = first && first->event.at <= command->event.at ? first : command;
    }
  }
  queue_of(first)->waiting &= ~bit(first);
  dma->begins_from = des_now() + dma->parameters->mfc_command_interval;
  schedule_begin(dma);
  begin(first);
}

/* A command, or the next element of a list, has reached the MFC, and begins at once unless another one waits
 * or reaches the MFC in this cycle. Two begins are at least mfc.command-interval apart. The first command or
 * element to reach the MFC begins first; in one cycle, commands of the SPU begin before commands of the PPE,
 * and within a queue the lowest entry begins first. */
static void arrive(struct event *event) {
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  struct dma *dma = command->dma;
  bool others = dma->queues[DMA_SPU].waiting || dma->queues[DMA_PROXY].waiting || des_same_follows(event);
  if (!dma->parameters->mfc_command_interval || (dma->begins_from <= des_now() && !others)) {
    dma->begins_from = des_now() + dma->parameters->mfc_command_interval;
    begin(command);
  } else {
    queue_of(command)->waiting |= bit(command);
    schedule_begin(dma);
  }
}

/* Prepare a transfer for the rest of COMMAND, at least one byte, at effective address FAR. Bytes in the
 * memory of the next chip stay the rest, for the next transfer. */
static void begin_transfer(struct dma_command *command, const struct bus_end *far) {
  struct dma *dma = command->dma;
  struct dma_transfer *rest = &command->rest;
  struct bus_transfer *transfer = pool_take(&dma->board->transfers);
  bool is_put = command->given.direction == DMA_PUT;
  struct bus_end *near = is_put ? &transfer->source : &transfer->target;
  uint64_t room = far->kind == BUS_END_MEMORY ? memory_room(far->memory, far->bytes) : rest->nbytes;
  uint32_t nbytes = rest->nbytes < room ? rest->nbytes : (uint32_t)room;
  *(is_put ? &transfer->target : &transfer->source) = *far;
  *near = dma->board->local_stores[dma->issuer];
  near->bytes += rest->ls;
  transfer->dma = dma;
  transfer->command = command;
  transfer->first = command->begun;
  transfer->window = (uint8_t)dma_window_of(dma, command->given.direction);
  bus_transfer_begin(transfer, dma->board, is_put, rest->ea, nbytes);
  command->begun += nbytes;
  rest->nbytes -= nbytes;
  rest->ls += nbytes;
  rest->ea += nbytes;
  queue_of(command)->transfers[command->entry] = transfer;
  command->transfers++;
}

/* --- lists --- */

/* Tell the observers of TRANSFER, an element of the list of COMMAND. */
static void see_element(struct dma_command *command, const struct dma_transfer *transfer) {
  board_see_detail(command->dma->board,
                   &(struct probe_event){.kind = PROBE_ELEMENT,
                                         .element = {.dma = name_of(command),
                                                     .is_put = transfer->direction == DMA_PUT,
                                                     .arrives = &command->arrives,
                                                     .before = &command->before,
                                                     .ls = transfer->ls,
                                                     .ea = transfer->ea,
                                                     .offset = command->begun,
                                                     .nbytes = transfer->nbytes}});
}

/* The next element of the list of COMMAND is there: check and issue the element, or skip an empty element. A
 * fault stops the SPE. */
static void read_element(struct dma_command *command) {
  struct dma *dma = command->dma;
  struct dma_list_element element;
  struct fault fault, cause;
  struct bus_end far;
  uint32_t index = (command->given.nbytes - command->list_left) / (uint32_t)sizeof element;
  memcpy(&element, dma->spe->ls + command->given.list + index * sizeof element, sizeof element);
  command->given.ls = (command->given.ls & ~UINT32_C(15)) | (element.eal & 15);
  command->given.ea = (command->given.ea & ~UINT64_C(0xffffffff)) | element.eal;
  struct dma_transfer transfer = {command->given.direction, command->given.ls, element.size,
                                  command->given.ea};
  if (check_transfer(dma, &transfer, &far, &cause)) {
    spe_stop(dma->spe, fault_set(&fault, "DMA list element %u: %s", index, cause.text));
    return;
  }
  see_element(command, &transfer);
  command->list_left -= (uint32_t)sizeof element;
  command->stops = element.notify;
  if (element.size) {
    command->rest = transfer;
    begin_transfer(command, &far);
    issue(command);
  }
  command->given.ls = (command->given.ls + element.size + 15) & ~UINT32_C(15);
  if (!element.size) {
    dma_issued(command);
  }
}

static void fetch_element(struct dma_command *command) {
  const struct spe *spe = command->dma->spe;
  command->event.run = arrive;
  des_schedule(&command->event, des_now() + spe->board->parameters->mfc_list_element, DES_ISSUE, spe->index);
}

/* Tell the observers that the list of COMMAND stops, or goes on. */
static void tell_of_list(const struct dma_command *command, enum probe_kind kind) {
  uint32_t begin = command->given.list + command->given.nbytes - command->list_left;
  board_see_detail(
    command->dma->board,
    &(struct probe_event){.kind = kind,
                          .stall = {.dma = name_of(command), .ls = begin, .left = command->list_left}});
}

/* The list command of EVENT has moved all bytes up to an element with its notify bit: tell the program. */
static void stall(struct event *event) {
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  struct dma *dma = command->dma;
  struct probe_cause cause = {.kind = PROBE_BY_STALL, .who = dma->issuer, .number = command->number};
  command->stalled = command->has_stopped = true;
  if (dma->list_stalls == 0) {
    spe_note_event(dma->spe, SPE_EVENT_LIST_STALL, cause);
  }
  dma->list_stalls |= UINT32_C(1) << command->given.tag;
  tell_of_list(command, PROBE_STALL);
  if (des_poke(dma->spe->actor, SPE_POKE_DMA | SPE_POKE_EVENT)) {
    program_woken(dma->spe->actor, cause);
  }
}

/* The acknowledgement has come to the list of the command of EVENT. */
static void go_on(struct event *event) {
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  command->stops = false;
  if (command->list_left) {
    fetch_element(command);
  } else {
    complete(&command->event);
  }
}

void dma_list_resume(struct dma *dma, uint32_t tag) {
  const struct dma_queue *queue = &dma->queues[DMA_SPU];
  for (uint32_t left = queue->used; left; left &= left - 1) {
    struct dma_command *command = &queue->commands[__builtin_ctz(left)];
    if (command->stalled && command->given.tag == tag) {
      command->stalled = false;
      tell_of_list(command, PROBE_RESUME);
      command->event.run = go_on;
      des_schedule(&command->event, des_now() + dma->board->parameters->mfc_to_bus, DES_ISSUE, dma->issuer);
    }
  }
}

uint32_t dma_list_stopped(const struct dma *dma) {
  const struct dma_queue *queue = &dma->queues[DMA_SPU];
  uint32_t tags = 0;
  for (uint32_t left = queue->used; left; left &= left - 1) {
    const struct dma_command *command = &queue->commands[__builtin_ctz(left)];
    tags |= command->stalled ? UINT32_C(1) << command->given.tag : 0;
  }
  return tags;
}

/* --- the end of transfers --- */

/* All bytes of COMMAND, or all bytes up to the stop of its list, have been delivered: COMMAND completes, or
 * its list stops, at cycle `done_at`. */
static void drained(struct dma_command *command) {
  command->event.run = command->stops ? stall : complete;
  des_schedule(&command->event, command->done_at, DES_COMPLETE, command->dma->issuer);
}

/* A command without a rest and without a next list element is drained with the last delivery, or now if no
 * transfer is under way. */
void dma_issued(struct dma_command *command) {
  if (command->rest.nbytes) {
    struct bus_end far; /* the memory of the next chip */
    board_resolve(command->dma->board, command->rest.ea, command->rest.nbytes, &far);
    begin_transfer(command, &far);
    issue(command);
  } else if (command->list_left && !command->stops) {
    fetch_element(command);
  } else if (!command->transfers) {
    command->done_at = command->done_at > des_now() ? command->done_at : des_now();
    drained(command);
  }
}

void dma_transfer_delivered(struct bus_transfer *transfer) {
  struct dma_command *command = transfer->command;
  struct dma *dma = transfer->dma;
  const struct parameters *parameters = dma->parameters;
  pool_give(&dma->board->transfers, transfer);
  command->transfers--;
  uint64_t at = des_now() - parameters->mfc_visible + parameters->mfc_complete +
                (transfer->is_far_put ? parameters->bif_put_complete : 0);
  RAISE(command->done_at, at);
  if (!command->transfers && (!command->list_left || command->stops)) {
    drained(command);
  }
}

/* --- the entry into the queue --- */

/* Return the earlier commands that must complete before the command GIVEN may start, as bits of entries of
 * QUEUE. */
static uint32_t predecessors(const struct dma_queue *queue, const struct dma_given *given) {
  uint32_t after = 0;
  for (uint32_t left = queue->used; left; left &= left - 1) {
    const struct dma_command *earlier = &queue->commands[__builtin_ctz(left)];
    bool same_tag = earlier->given.tag == given->tag;
    if (earlier->given.order == DMA_BARRIER_ALL || given->order == DMA_BARRIER_ALL ||
        (same_tag && (given->order != DMA_FREE || earlier->given.order == DMA_BARRIER))) {
      after |= bit(earlier);
    }
  }
  return after;
}

/* Tell the observers of COMMAND, which its program issued at cycle AT. */
static void see_enqueued(struct dma_command *command, uint64_t at) {
  bool is_list = command->given.kind == DMA_LIST;
  board_see_detail(
    command->dma->board,
    &(struct probe_event){
      .kind = PROBE_ENQUEUE,
      .enqueue = {.dma = name_of(command),
                  .program = program_self()->number,
                  .at = at,
                  .is_put = command->given.direction == DMA_PUT,
                  .is_proxy = command->given.side == DMA_PROXY,
                  .is_list = is_list,
                  .store = command->dma->spe->ls,
                  .is_sync = command->given.kind == DMA_SYNC,
                  .fence = command->given.order != DMA_FREE,
                  .barrier = command->given.order == DMA_BARRIER || command->given.order == DMA_BARRIER_ALL,
                  .all_tags = command->given.order == DMA_BARRIER_ALL,
                  .arrives = &command->arrives,
                  .before = &command->before,
                  .ls = is_list ? command->given.list : command->given.ls,
                  .ea = is_list ? command->given.ea & ~UINT64_C(0xffffffff) : command->given.ea}});
}

/* Make the fingerprint of calls one of the command GIVEN to DMA at cycle AT. */
static void note_calls(struct dma *dma, const struct dma_given *given, uint64_t at) {
  uint64_t *calls = &dma->board->traffic.calls, kinds = given->kind << 8 | given->order << 4;
  kinds |= (unsigned)given->direction << 2 | (unsigned)given->side;
  des_note_change();
  uint64_t place = (uint64_t)given->nbytes << 40 ^ (uint64_t)given->tag << 32 ^ given->ls;
  random_absorb(calls, (at << 16 ^ dma->issuer ^ kinds << 48) + random_spread(place) +
                         random_spread(random_spread(given->ea ^ (uint64_t)given->list << 44)));
}

/* Let COMMAND begin, LATENESS after cycle AT, and the held predecessors of COMMAND before. */
static void let_go(struct dma_command *command, uint64_t at, uint64_t lateness) {
  struct dma_queue *queue = queue_of(command);
  queue->held &= ~bit(command);
  for (uint32_t left; (left = command->after & queue->held) != 0;) {
    let_go(&queue->commands[__builtin_ctz(left)], at, 0);
  }
  if (command->event.pending) {
    des_cancel(&command->event);
  }
  command->event.run = arrive;
  des_schedule(&command->event, at + command->dma->parameters->mfc_to_bus + lateness, DES_ISSUE,
               command->dma->issuer);
}

static void end_hold(struct event *event) {
  let_go(EVENT_OWNER(event, struct dma_command, event), des_now(), 0);
}

/* Let COMMAND, given at cycle AT of a shuffled run, set out at a drawn pace.
 * returns: as dma_enqueue. */
static uint64_t __attribute__((noinline, cold)) set_out_shuffled(struct dma_command *command, uint64_t at) {
  enum des_pace pace = des_draw_pace();
  if (pace == DES_LAZY) {
    queue_of(command)->held |= bit(command);
    command->event.run = end_hold;
    des_schedule(&command->event, at + DES_HOLD_MAX, DES_ISSUE, command->dma->issuer);
    return 0;
  }
  let_go(command, at, pace == DES_LATE ? des_lateness() : 0);
  return pace == DES_EAGER ? des_stall_after() : 0;
}

uint64_t dma_enqueue(struct dma *dma, const struct dma_given *given, const struct bus_end *far, uint64_t at) {
  struct dma_queue *queue = &dma->queues[given->side];
  unsigned place = (unsigned)__builtin_ctz(~queue->used);
  if (!queue->commands) {
    make_entries(queue);
  }
  struct dma_command *entry = &queue->commands[place];
  entry->given = *given;
  entry->entry = (uint8_t)place;
  entry->event = (struct event){.run = arrive};
  entry->dma = dma;
  entry->list_left = given->kind == DMA_LIST ? given->nbytes : 0;
  entry->transfers = 0;
  entry->begun = entry->rest.nbytes = 0;
  entry->stops = entry->stalled = entry->has_stopped = false;
  entry->done_at = 0;
  entry->arrived = entry->arrives = false;
  entry->before = NULL;
  entry->after = predecessors(queue, given);
  entry->number = ++dma->ncommands;
  note_calls(dma, given, at);
  if (given->kind == DMA_DATA && given->nbytes) {
    entry->rest = (struct dma_transfer){.ls = given->ls, .ea = given->ea, .nbytes = given->nbytes};
    begin_transfer(entry, far);
  }
  queue->used |= UINT32_C(1) << place;
  queue->pending[given->tag]++;
  see_enqueued(entry, at);
  if (des_is_shuffled()) {
    return set_out_shuffled(entry, at);
  }
  des_schedule(&entry->event, at + dma->parameters->mfc_to_bus, DES_ISSUE, dma->issuer);
  return 0;
}

/* --- tag groups --- */

void dma_let_held_go(struct dma *dma, enum dma_side side, uint32_t mask, bool any, uint64_t at) {
  struct dma_queue *queue = &dma->queues[side];
  if (any) {
    mask = dma_tags_done(dma, side, mask) ? 0 : des_draw_bit(mask);
  }
  for (unsigned number = 0; number < queue->size; number++) {
    if (queue->held >> number & 1 && mask >> queue->commands[number].given.tag & 1) {
      let_go(&queue->commands[number], at, 0);
    }
  }
}

uint32_t dma_tags_done(const struct dma *dma, enum dma_side side, uint32_t mask) {
  uint32_t done = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned tag = (unsigned)__builtin_ctz(left);
    done |= dma->queues[side].pending[tag] ? 0 : UINT32_C(1) << tag;
  }
  return done;
}

bool dma_tags_meet(const struct dma *dma, enum dma_tag_condition condition) {
  uint32_t mask = dma->tag_query.mask, done = dma_tags_done(dma, DMA_SPU, mask);
  return condition == DMA_TAGS_ALL ? done == mask : condition == DMA_TAGS_NOW || done != 0;
}

void dma_tags_ask(struct dma *dma, enum dma_tag_condition condition) {
  dma_let_go(dma, DMA_SPU, dma->tag_query.mask, condition == DMA_TAGS_ANY, des_now());
  dma->tag_query.condition = condition;
  dma->tag_query.asked = true;
  dma_tags_look(dma, (struct probe_cause){.kind = PROBE_BY_NOTHING});
}

void dma_tags_look(struct dma *dma, struct probe_cause cause) {
  struct dma_tag_query *query = &dma->tag_query;
  if (query->asked && dma_tags_meet(dma, query->condition)) {
    query->asked = false;
    query->answered = true;
    spe_note_event(dma->spe, SPE_EVENT_TAG_STATUS, cause);
    query->answer = dma_tags_done(dma, DMA_SPU, query->mask);
    board_see_order(dma->board, &(struct probe_event){.kind = PROBE_TAGS_DONE,
                                                      .seen = {.spe = dma->issuer, .mask = query->answer}});
  }
}
