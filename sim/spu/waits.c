/* SPDX-License-Identifier: BSD-3-Clause
 * The conditions and the texts of waits, from waits.def. */
#include "sim/spu/spu.h"

#include "sim/hw/board/board.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/spe/spe.h"
#include "sim/node/machine.h"
#include "sim/node/message.h"

#include <stdio.h>
#include <string.h>

#define SAY(...) snprintf(text, size, __VA_ARGS__)
#define FOR(...) SAY("waits for " __VA_ARGS__)

/* --- conditions --- */

static bool some_spe_has_word(const struct wait *own) {
  const struct board *board = own->board;
  for (unsigned i = 0; i < own->number; i++) {
    const struct mailbox *mailbox = &board->spes[own->spes[i]].out_mailbox;
    if (mailbox->count) {
      *own->found = mailbox->written;
      return true;
    }
  }
  return false;
}

static bool some_flag_is_up(const struct spu_any *any) {
  bool up = false;
  for (unsigned i = 0; i < any->nflags && !up; i++) {
    up = flag_is_up(&any->flags[i]);
  }
  return up;
}

static uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/* --- texts of several parts --- */

static int say_tags(const struct wait *own, char *text, size_t size) {
  const struct dma *dma = &own->spe->dma;
  uint32_t mask = dma->tag_query.mask, stopped = dma_list_stopped(dma) & mask;
  return stopped ? FOR("tag groups 0x%x, where lists of 0x%x have stopped and wait for MFC_WrListStallAck",
                       mask, stopped)
                 : FOR("tag groups 0x%x", mask);
}

static int say_out_words(const struct wait *own, char *text, size_t size) {
  int used = FOR("a word in an outbound mailbox of SPE");
  for (unsigned i = 0; i < own->number && used > 0 && (size_t)used < size; i++) {
    used += snprintf(text + used, size - (size_t)used, " %u", own->spes[i]);
  }
  return used;
}

static size_t say_any(const struct wait *own, char *text, size_t size) {
  const struct spu_any *any = own->any;
  size_t used = 0;
  SAY("waits for no flag and no transfer");
  for (unsigned i = 0; i < any->nflags && used < size; i++) {
    const struct spu_flag *flag = &any->flags[i];
    used += (size_t)snprintf(text + used, size - used, "%s%s %u from rank %d", i ? " or " : "waits for ",
                             flag->what, flag->value, flag->peer);
  }
  if (any->tags && used < size) {
    used += (size_t)snprintf(text + used, size - used, "%stransfers with tags 0x%x",
                             any->nflags ? " or " : "waits for ", any->tags);
  }
  return used;
}

static int say_message(const struct wait *own, char *text, size_t size) {
  struct node_names names = machine_nodes(own->machine).names;
  return FOR("a message from %s", node_name(&names, (unsigned)own->from));
}

/* --- the table --- */

#define WAIT(kind, pokes, subject, over, says) \
  static bool is_over_##kind(const struct des_wait *wait) { \
    const struct wait *own = (const struct wait *)wait; \
    const struct spe *spe = own->spe; \
    (void)spe; \
    return over; \
  } \
  static void describe_##kind(const struct des_wait *wait, char *text, size_t size) { \
    const struct wait *own = (const struct wait *)wait; \
    const struct spe *spe = own->spe; \
    (void)own, (void)spe, (void)(says); \
  }
#include "sim/spu/waits.def"

const struct wait_row wait_rows[] = {
#define WAIT(kind, pokes, subject, over, says) \
  {{.kinds = pokes, .ready = is_over_##kind, .describe = describe_##kind}, PROBE_FOR_##subject},
#include "sim/spu/waits.def"
};
