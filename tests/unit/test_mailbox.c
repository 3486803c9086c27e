/* SPDX-License-Identifier: BSD-3-Clause
 * Mailboxes. */
#include "sim/hw/spe/spe.h"
#include "tests/suite.h"

TESTS(mailbox);

TEST(words_come_out_in_the_order_in_which_they_went_in) {
  struct mailbox mailbox;
  mailbox_init(&mailbox, MAILBOX_IN);
  for (uint32_t i = 0; i < 10; i++) {
    mailbox_write(&mailbox, i);
    mailbox_write(&mailbox, i + 100);
    ck_assert_uint_eq(mailbox.count, 2);
    ck_assert_uint_eq(mailbox_room(&mailbox), 2);
    ck_assert_uint_eq(mailbox_read(&mailbox), i);
    ck_assert_uint_eq(mailbox_read(&mailbox), i + 100);
  }
}

TEST(a_write_to_a_full_mailbox_replaces_the_last_word) {
  struct mailbox mailbox;
  mailbox_init(&mailbox, MAILBOX_IN);
  for (uint32_t i = 1; i <= 6; i++) {
    mailbox_write(&mailbox, i);
  }
  ck_assert_uint_eq(mailbox_room(&mailbox), 0);
  ck_assert_uint_eq(mailbox_read(&mailbox), 1);
  ck_assert_uint_eq(mailbox_read(&mailbox), 2);
  ck_assert_uint_eq(mailbox_read(&mailbox), 3);
  ck_assert_uint_eq(mailbox_read(&mailbox), 6);
  ck_assert_uint_eq(mailbox.count, 0);
}
