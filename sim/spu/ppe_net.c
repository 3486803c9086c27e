/* SPDX-License-Identifier: BSD-3-Clause
 * See ppe_net.h. */
#include "sim/spu/ppe_net.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board.h"
#include "sim/hw/ppe.h"
#include "sim/hw/program.h"
#include "sim/node/machine.h"
#include "sim/node/message.h"
#include "sim/spu/ppe_memory.h"
#include "sim/spu/spu.h"
#include "sim/spu/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name_node(const struct machine *machine, unsigned node, char name[NODE_NAME_SIZE]) {
  struct node_names names = machine_nodes(machine).names;
  node_name(&names, node, name);
}

unsigned net_rank(void) {
  return ppu_self()->hw->board->number;
}

unsigned net_size(void) {
  const struct machine *machine = ppu_self()->hw->board->machine;
  return machine ? machine_nodes(machine).nblades : 1;
}

/* Tell the observers of KIND, for message NUMBER. */
static void see_message(struct board *board, enum probe_kind kind, uint64_t number) {
  board_see_order(board,
                  &(struct probe_event){.kind = kind, .seen = {.program = program_self(), .number = number}});
}

/* Return the board of the calling program; PEER must be a node that this board can exchange messages with. */
static struct board *reach(unsigned peer) {
  const struct ppu *ppu = ppu_self();
  struct board *board = ppu->hw->board;
  if (!board->machine || !message_can_be(board->machine, board->number, peer) || ppu->chip != 0) {
    char what[96];
    snprintf(what, sizeof what, "node %u from node %u of %u, expected another one and the PPE of chip 0",
             peer, net_rank(), net_size());
    ppe_fault(ppu->hw, what);
  }
  return board;
}

void net_put(unsigned to, uint64_t ea, uint32_t nbytes) {
  struct board *board = reach(to);
  struct message head = {.from = board->number, .to = to, .nbytes = nbytes};
  const uint8_t *bytes = nbytes ? ppe_bytes(ea, nbytes) : NULL;
  des_sync(des_self());
  if (nbytes) {
    ppe_note_load(ea, nbytes);
  }
  see_message(board, PROBE_SENT, message_send(board->machine, &head, bytes));
  program_compute(board, COMPUTE_SEND, message_send_cycles(board->machine, board->number, to));
  des_sync(des_self());
}

void net_wait(unsigned from, uint64_t ea, uint32_t nbytes) {
  struct board *board = reach(from);
  struct wait wait = {.machine = board->machine, .number = board->number, .from = (int)from};
  uint8_t *into = nbytes ? ppe_bytes(ea, nbytes) : NULL;
  wait_for(WAIT_MESSAGE, board, &wait, NULL);
  struct message *message = message_take(board->machine, board->number, from);
  if (message->nbytes != nbytes) {
    char what[64 + NODE_NAME_SIZE], name[NODE_NAME_SIZE];
    name_node(board->machine, from, name);
    snprintf(what, sizeof what, "message of %zu bytes from %s, expected %u", message->nbytes, name,
             (unsigned)nbytes);
    free(message);
    ppe_fault(ppu_self()->hw, what);
  }
  see_message(board, PROBE_SEEN_MESSAGE, message->way.number);
  if (nbytes) {
    ppe_note_store(ea, nbytes);
    memcpy(into, message->bytes, nbytes);
  }
  free(message);
}
