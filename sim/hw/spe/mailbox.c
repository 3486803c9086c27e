/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/spe/mailbox.h"

#include <assert.h>
#include <string.h>

void mailbox_init(struct mailbox *mailbox, unsigned depth) {
  assert(depth <= MAILBOX_IN);
  *mailbox = (struct mailbox){.depth = depth};
}

void mailbox_write(struct mailbox *mailbox, uint32_t value) {
  unsigned place = mailbox_room(mailbox) ? mailbox->count++ : mailbox->depth - 1;
  mailbox->words[place] = value;
}

uint32_t mailbox_read(struct mailbox *mailbox) {
  assert(mailbox->count);
  uint32_t value = mailbox->words[0];
  mailbox->count--;
  memmove(mailbox->words, mailbox->words + 1, mailbox->count * sizeof *mailbox->words);
  return value;
}
