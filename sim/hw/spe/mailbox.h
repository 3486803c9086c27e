/* SPDX-License-Identifier: BSD-3-Clause
 * A mailbox between an SPE and the rest of the machine: a short queue of 32-bit words.
 * source: Cell Broadband Engine Architecture; Gaona, Fernandez, Acacio 2009, section 2. */
#pragma once

#include "sim/hw/watch/probe.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Maximum number of words in the mailboxes of an SPE. */
enum {
  MAILBOX_IN = 4,
  MAILBOX_OUT = 1,
  MAILBOX_OUT_INTERRUPT = 1,
};

struct mailbox {
  unsigned depth; /* at most MAILBOX_IN */
  unsigned count;
  uint32_t words[MAILBOX_IN];       /* the oldest first */
  struct probe_cause written, read; /* the last program that wrote or read; for observers */
};

/* Empty MAILBOX, whose depth is DEPTH words. */
static inline void mailbox_init(struct mailbox *mailbox, unsigned depth) {
  assert(depth <= MAILBOX_IN);
  *mailbox = (struct mailbox){.depth = depth};
}

/* Return how many words MAILBOX can still take. */
static inline unsigned mailbox_room(const struct mailbox *mailbox) {
  return mailbox->depth - mailbox->count;
}

/* Put VALUE behind the words of MAILBOX; into a full one, in place of the last word. */
static inline void mailbox_write(struct mailbox *mailbox, uint32_t value) {
  unsigned place = mailbox_room(mailbox) ? mailbox->count++ : mailbox->depth - 1;
  mailbox->words[place] = value;
}

/* Take the oldest word out of MAILBOX, which must not be empty: a reader stalls on an empty mailbox. */
static inline uint32_t mailbox_read(struct mailbox *mailbox) {
  assert(mailbox->count);
  uint32_t value = mailbox->words[0];
  mailbox->count--;
  memmove(mailbox->words, mailbox->words + 1, mailbox->count * sizeof *mailbox->words);
  return value;
}
