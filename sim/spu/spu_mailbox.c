/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_mailbox.h. As with signals, a call that need not wait costs nothing here: the cost is the
 * program's. */
#include "sim/spu/spu_mailbox.h"

#include "sim/base/des.h"
#include "sim/hw/machine.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"

#include <stdio.h>

/* A wait for a word, or for room, in a mailbox. */
struct mailbox_wait {
  struct des_wait wait;
  const struct mailbox *mailbox;
  const char *what;
};

static const struct mailbox_wait *of(const struct des_wait *wait) {
  return (const struct mailbox_wait *)wait;
}

static bool has_word(const struct des_wait *wait) {
  return of(wait)->mailbox->count > 0;
}

static bool has_room(const struct des_wait *wait) {
  return mailbox_room(of(wait)->mailbox) > 0;
}

static void describe(const struct des_wait *wait, char *text, size_t size) {
  snprintf(text, size, "waits for %s", of(wait)->what);
}

static void write_out(struct spe *spe, struct mailbox *mailbox, const char *what, uint32_t data) {
  struct mailbox_wait wait = {.wait = {.kinds = SPE_POKE_MAILBOX, .ready = has_room, .describe = describe},
                              .mailbox = mailbox,
                              .what = what};
  program_wait(spe->machine, &wait.wait, PROBE_FOR_MAILBOX, &mailbox->read);
  spe_write_mailbox(spe, mailbox, data);
}

uint32_t spu_read_in_mbox(void) {
  struct spe *spe = spu_self()->hw;
  struct mailbox_wait wait = {.wait = {.kinds = SPE_POKE_MAILBOX, .ready = has_word, .describe = describe},
                              .mailbox = &spe->in_mailbox,
                              .what = "a word in its inbound mailbox"};
  program_wait(spe->machine, &wait.wait, PROBE_FOR_MAILBOX, &spe->in_mailbox.written);
  return spe_read_mailbox(spe, &spe->in_mailbox);
}

uint32_t spu_stat_in_mbox(void) {
  return spu_look()->in_mailbox.count;
}

void spu_write_out_mbox(uint32_t data) {
  struct spe *spe = spu_self()->hw;
  write_out(spe, &spe->out_mailbox, "room in its outbound mailbox", data);
}

void spu_write_out_intr_mbox(uint32_t data) {
  struct spe *spe = spu_self()->hw;
  write_out(spe, &spe->out_interrupt_mailbox, "room in its outbound interrupt mailbox", data);
}

uint32_t spu_stat_out_mbox(void) {
  return mailbox_room(&spu_look()->out_mailbox);
}

uint32_t spu_stat_out_intr_mbox(void) {
  return mailbox_room(&spu_look()->out_interrupt_mailbox);
}
