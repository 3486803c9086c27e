/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of PPE programs. The effect of an access to a register comes at the end of the access. */
#include "sim/spu/ppe_api.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/bus_end.h"
#include "sim/hw/board/memory.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/reservation.h"
#include "sim/hw/spe/spe.h"
#include "sim/node/machine.h"
#include "sim/node/message.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_time.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Return SPE number SPE of the blade of the calling program, for CALL. */
static struct spe *find_for(const char *call, unsigned spe) {
  const struct ppu *self = program_self_for(call);
  struct board *board = self->hw->board;
  if (spe >= board->parameters->nspes) {
    program_fault("SPE %u, expected 0 to %u", spe, board->parameters->nspes - 1);
  }
  return &board->spes[spe];
}

#define find(spe) find_for(__func__, spe)

/* Reach a register of an SPE. */
static void reach_register(void) {
  struct board *board = program_self()->board;
  program_compute(board, COMPUTE_MMIO, board->parameters->ppe_mmio + des_lateness());
  des_sync(des_self());
}

/* --- mailboxes and signals --- */

/* Write up to COUNT words of DATA into MAILBOX of SPE, if inbound, or read up to COUNT words into DATA, as
 * far as BEHAVIOR wants to wait.
 * returns: the number of words moved. */
static int move_words(struct spe *spe, struct mailbox *mailbox, uint32_t *data, int count,
                      unsigned behavior) {
  bool writes = mailbox == &spe->in_mailbox;
  int done = 0;
  while (done < count) {
    bool waits = behavior == SPE_MBOX_ALL_BLOCKING || (behavior == SPE_MBOX_ANY_BLOCKING && done == 0);
    if (waits) {
      wait_for(writes ? WAIT_SPE_IN_ROOM : WAIT_SPE_OUT_INTERRUPT_WORD, &(struct wait){.spe = spe},
               writes ? &mailbox->read : &mailbox->written);
    }
    reach_register();
    if (writes ? mailbox_room(mailbox) == 0 : mailbox->count == 0) {
      if (!waits) {
        break;
      }
    } else if (writes) {
      spe_write_mailbox(spe, mailbox, data[done++]);
    } else {
      data[done++] = spe_read_mailbox(spe, mailbox);
    }
  }
  return done;
}

int spe_in_mbox_write(unsigned spe, const uint32_t *data, int count, unsigned behavior) {
  struct spe *target = find(spe);
  return move_words(target, &target->in_mailbox, (uint32_t *)data, count, behavior);
}

int spe_in_mbox_status(unsigned spe) {
  const struct spe *target = find(spe);
  reach_register();
  return (int)mailbox_room(&target->in_mailbox);
}

int spe_out_mbox_read(unsigned spe, uint32_t *data, int count) {
  struct spe *target = find(spe);
  return move_words(target, &target->out_mailbox, data, count, SPE_MBOX_ANY_NONBLOCKING);
}

int spe_out_mbox_status(unsigned spe) {
  const struct spe *target = find(spe);
  reach_register();
  return (int)target->out_mailbox.count;
}

int spe_out_intr_mbox_read(unsigned spe, uint32_t *data, int count, unsigned behavior) {
  struct spe *target = find(spe);
  return move_words(target, &target->out_interrupt_mailbox, data, count, behavior);
}

int spe_out_intr_mbox_status(unsigned spe) {
  const struct spe *target = find(spe);
  reach_register();
  return (int)target->out_interrupt_mailbox.count;
}

unsigned ppe_wait_out_mbox(const unsigned *spes, unsigned count) {
  struct probe_cause found;
  struct board *board = ppu_self()->hw->board;
  struct wait wait = {.board = board, .spes = spes, .number = count, .found = &found};
  for (unsigned i = 0; i < count; i++) {
    find(spes[i]);
  }
  for (;;) {
    wait_for(WAIT_SPE_OUT_WORDS, &wait, &found);
    reach_register();
    for (unsigned i = 0; i < count; i++) {
      if (find(spes[i])->out_mailbox.count) {
        return i;
      }
    }
  }
}

int spe_signal_write(unsigned spe, unsigned signal_reg, uint32_t data) {
  struct spe *target = find(spe);
  if (signal_reg != SPE_SIG_NOTIFY_REG_1 && signal_reg != SPE_SIG_NOTIFY_REG_2) {
    program_fault("signal notification register %u, expected 1 or 2", signal_reg);
  }
  reach_register();
  spe_write_signal(target, signal_reg - 1, data);
  return 0;
}

/* --- proxy DMA --- */

static int enqueue(unsigned spe, const struct dma_given *command) {
  struct spe *target = find(spe);
  struct bus_end far;
  struct fault fault;
  if (dma_check(&target->dma, command, &far, &fault)) {
    program_fault("%s", fault.text);
  }
  do {
    if (dma_is_full(&target->dma, DMA_PROXY)) {
      dma_let_go(&target->dma, DMA_PROXY, UINT32_MAX, false, des_local(des_self()));
    }
    wait_for(WAIT_SPE_QUEUE, &(struct wait){.spe = target}, NULL);
    reach_register();
  } while (dma_is_full(&target->dma, DMA_PROXY));
  program_stall_for(target->board, dma_enqueue(&target->dma, command, &far, des_now()));
  return 0;
}

#define PROXY_CALL(name, way, kind) \
  int name(unsigned spe, uint32_t lsa, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, \
           uint32_t rid) { \
    (void)tid, (void)rid; \
    struct dma_given command = { \
      .direction = way, .order = kind, .ls = lsa, .ea = ea, .nbytes = size, .tag = tag, .side = DMA_PROXY}; \
    return enqueue(spe, &command); \
  }

PROXY_CALL(spe_mfcio_put, DMA_PUT, DMA_FREE)
PROXY_CALL(spe_mfcio_putf, DMA_PUT, DMA_FENCE)
PROXY_CALL(spe_mfcio_putb, DMA_PUT, DMA_BARRIER)
PROXY_CALL(spe_mfcio_get, DMA_GET, DMA_FREE)
PROXY_CALL(spe_mfcio_getf, DMA_GET, DMA_FENCE)
PROXY_CALL(spe_mfcio_getb, DMA_GET, DMA_BARRIER)

int spe_mfcio_tag_status_read(unsigned spe, uint32_t mask, unsigned behavior, uint32_t *tag_status) {
  struct spe *target = find(spe);
  dma_let_go(&target->dma, DMA_PROXY, mask, behavior == SPE_TAG_ANY, des_local(des_self()));
  if (behavior != SPE_TAG_IMMEDIATE) {
    wait_for(behavior == SPE_TAG_ANY ? WAIT_SPE_ANY_TAG : WAIT_SPE_ALL_TAGS,
             &(struct wait){.spe = target, .number = mask}, NULL);
  }
  reach_register();
  *tag_status = dma_tags_done(&target->dma, DMA_PROXY, mask);
  program_see(PROBE_SEEN_TAGS, .spe = spe, .is_proxy = true, .mask = *tag_status);
  return 0;
}

/* --- programs --- */

void ppe_start_spu(struct spu *spu) {
  const struct spe *spe = find(spu->spe);
  reach_register();
  if (spe->actor) {
    program_fault("program started on SPE %u, expected an idle one", spu->spe);
  }
  spu_start_now(spe->board, spu);
}

int ppe_join_spu(struct spu *spu) {
  ppu_self();
  des_sync(des_self()); /* up to the current cycle another PPE program may start the SPE program */
  if (!spu->started) {
    program_fault("joins a program that no program of a PPE has started");
  }
  wait_for(WAIT_PROGRAM, &(struct wait){.spe = spu->hw, .spu = spu}, &spu->hw->ended);
  reach_register();
  program_see(PROBE_SEEN_END, .number = spu->spe);
  return spu->ended ? 0 : -1;
}

void ppe_compute(uint64_t cycles) {
  spu_compute(cycles);
}

uint64_t ppe_cycles(void) {
  return spu_cycles();
}

void ppe_note_enter(unsigned call) {
  spu_note_enter(PROBE_NOBODY, call);
}

void ppe_note_leave(unsigned call) {
  spu_note_leave(PROBE_NOBODY, call);
}

/* Find the bytes behind NBYTES from effective address EA: of a local store or memory, or only of memory if
 * IN_MEMORY. */
static struct bus_end resolve(uint64_t ea, uint32_t nbytes, bool in_memory) {
  struct bus_end end;
  if (board_resolve(program_self()->board, ea, nbytes, &end) != 0 || !end.bytes ||
      (in_memory && end.kind != BUS_END_MEMORY) ||
      (end.kind == BUS_END_MEMORY && nbytes > memory_room(end.memory, end.bytes))) {
    program_fault("effective addresses 0x%llx to 0x%llx, expected %s", (unsigned long long)ea,
                  (unsigned long long)ea + nbytes,
                  in_memory ? "the main memory of a chip" : "a local store or memory");
  }
  return end;
}

void ppe_memcpy(uint64_t to, uint64_t from, uint32_t nbytes) {
  struct board *board = ppu_self()->hw->board;
  struct bus_end target = resolve(to, nbytes, false), source = resolve(from, nbytes, false);
  program_compute(board, COMPUTE_COPY, (uint64_t)llround(nbytes / board->parameters->copy_bytes_per_cycle));
  des_sync(des_self());
  memmove(target.bytes, source.bytes, nbytes);
  struct probe_cause by = program_action(board, program_self()->number);
  board_see_detail(
    board,
    &(struct probe_event){.kind = PROBE_COPY, .copy = {.by = by, .to = to, .from = from, .nbytes = nbytes}});
  if (target.kind == BUS_END_LS) {
    target.spe->stored = by;
    spe_tell(target.spe);
    return;
  }
  struct reservation_units *units = board->reservations;
  struct reservation_moment after_all_loads = {des_now(), UINT_MAX};
  struct reservation_write write = {units->n, after_all_loads, &by};
  for (uint64_t ea = to - to % RESERVATION_BYTES; ea < to + nbytes; ea += RESERVATION_BYTES) {
    reservation_written(units, ea, &write);
  }
}

/* --- main memory --- */

uint8_t *ppe_bytes(uint64_t ea, uint32_t nbytes) {
  ppu_self();
  return resolve(ea, nbytes, true).bytes;
}

void ppe_wait_word(uint64_t ea, uint32_t value, unsigned from) {
  struct board *board = ppu_self()->hw->board;
  struct wait wait = {.bytes = ppe_bytes(ea, sizeof value), .ea = ea, .number = value, .from = (int)from};
  board->reservations->in_use = true;
  wait_for(WAIT_WORD, &wait, NULL);
  program_see(PROBE_SEEN_WORD, .ea = ea);
  program_compute(board, COMPUTE_RECEIVE, board->parameters->ppe_poll);
  des_sync(des_self());
}

/* Tell observers of KIND. */
static void note_touch(enum probe_kind kind, uint64_t ea, uint32_t nbytes) {
  struct board *board = ppu_self()->hw->board;
  board_see_detail(
    board, &(struct probe_event){
             .kind = kind, .ppe_touch = {.program = program_self()->number, .ea = ea, .nbytes = nbytes}});
}

void ppe_note_load(uint64_t ea, uint32_t nbytes) {
  note_touch(PROBE_PPE_LOAD, ea, nbytes);
}

void ppe_note_store(uint64_t ea, uint32_t nbytes) {
  note_touch(PROBE_PPE_STORE, ea, nbytes);
}

void ppe_work(uint32_t nbytes) {
  struct board *board = ppu_self()->hw->board;
  double rate = board->parameters->combine_bytes_per_cycle;
  if (rate <= 0) {
    program_fault("%u bytes to combine on a platform without a rate for it, expected a value of ppe.combine",
                  nbytes);
  }
  program_compute(board, COMPUTE_COMBINE, (uint64_t)llround(nbytes / rate));
  des_sync(des_self());
}

/* --- other nodes --- */

unsigned net_rank(void) {
  return ppu_self()->hw->board->number;
}

unsigned net_size(void) {
  const struct machine *machine = ppu_self()->hw->board->machine;
  return machine ? machine_nodes(machine).nblades : 1;
}

/* Return the board of the calling program; PEER must be a node that this board can exchange messages with. */
static struct board *board_to(unsigned peer) {
  const struct ppu *ppu = ppu_self();
  struct board *board = ppu->hw->board;
  if (!board->machine || !message_can_be(board->machine, board->number, peer) || ppu->chip != 0) {
    program_fault("node %u from node %u of %u, expected another one and the PPE of chip 0", peer, net_rank(),
                  net_size());
  }
  return board;
}

void net_put(unsigned to, uint64_t ea, uint32_t nbytes) {
  struct board *board = board_to(to);
  struct message head = {.from = board->number, .to = to, .nbytes = nbytes};
  const uint8_t *bytes = nbytes ? ppe_bytes(ea, nbytes) : NULL;
  des_sync(des_self());
  if (nbytes) {
    ppe_note_load(ea, nbytes);
  }
  uint64_t number = message_send(board->machine, &head, bytes);
  program_see(PROBE_SENT, .number = number);
  program_compute(board, COMPUTE_SEND, message_send_cycles(board->machine, board->number, to));
  des_sync(des_self());
}

void net_wait(unsigned from, uint64_t ea, uint32_t nbytes) {
  struct board *board = board_to(from);
  struct wait wait = {.machine = board->machine, .number = board->number, .from = (int)from};
  uint8_t *into = nbytes ? ppe_bytes(ea, nbytes) : NULL;
  wait_for(WAIT_MESSAGE, &wait, NULL);
  struct message *message = message_take(board->machine, board->number, from);
  if (message->nbytes != nbytes) {
    size_t sent = message->nbytes;
    struct node_names names = machine_nodes(board->machine).names;
    free(message);
    program_fault("message of %zu bytes from %s, expected %u", sent, node_name(&names, from),
                  (unsigned)nbytes);
  }
  program_see(PROBE_SEEN_MESSAGE, .number = message->way.number);
  if (nbytes) {
    ppe_note_store(ea, nbytes);
    memcpy(into, message->bytes, nbytes);
  }
  free(message);
}
