/* SPDX-License-Identifier: BSD-3-Clause
 * The events of an SPU: each event has its cause, is kept until the acknowledgement, and ends one wait.
 * source: Cell Broadband Engine Architecture, SPU event channels. */
#include "tests/bed.h"
#include "tests/semantics/auditor.h"
#include "traces/event_log.h"

enum { HERE = 0x10000, LIST = 0x18000, CELL = 0x1000c, LATE = 5000 };

static uint64_t ea;

static void start(void) {
  bed_begin_unwatched();
  ea = blade_allocate(bed.blade, 0, 4096);
}

/* --- one event at a time --- */

/* The cause of an event: on the SPE itself before the wait, on SPE 1, and on the PPE, both at cycle LATE or
 * later; and the reported waker of the program. */
struct cause {
  uint32_t event;
  enum probe_cause_kind kind;
  const char *woken_by; /* in the timeline */
  void (*before)(void);
  void (*on_spe)(void);
  void (*on_ppe)(void);
};

/* A function of a cause, with the statements WHAT. */
#define ACT(name, ...) \
  static void name(void) { \
    __VA_ARGS__; \
  }

ACT(get_long, mfc_get(spu_ls(HERE), ea, 4096, 0, 0, 0); mfc_write_tag_mask(1); mfc_write_tag_update_all())

static void get_list(void) {
  mfc_list_element_t *list = spu_ls(LIST);
  *list = (mfc_list_element_t){.notify = 1, .size = 128, .eal = (uint32_t)ea};
  mfc_getl(spu_ls(HERE), ea, list, sizeof *list, 0, 0, 0);
}

/* Sixteen commands fill the queue; their transfers end together, more than 1,000 cycles later. */
static void fill_queue(void) {
  while (mfc_stat_cmd_queue()) {
    mfc_get(spu_ls(HERE), ea, 1024, 0, 0, 0);
  }
}

ACT(write_decrementer, spu_write_decrementer(20))
ACT(load_line, mfc_getllar(spu_ls(HERE), ea, 0, 0); mfc_read_atomic_status())
ACT(fill_out_mailboxes, spu_write_out_mbox(1); spu_write_out_intr_mbox(1))

static void nothing(void) {
}

ACT(send_signal_1, mfc_sndsig(spu_ls(CELL), spu_signal_ea(0, 1), 0, 0, 0))
ACT(send_signal_2, mfc_sndsig(spu_ls(CELL), spu_signal_ea(0, 2), 0, 0, 0))
ACT(put_mail, mfc_put(spu_ls(CELL), spu_mailbox_ea(0), 4, 0, 0, 0))
ACT(store_line, mfc_putlluc(spu_ls(HERE), ea, 0, 0))
ACT(put_into_line, mfc_put(spu_ls(HERE), ea + 16, 16, 0, 0, 0))
ACT(write_mail, uint32_t word = 1; spe_in_mbox_write(0, &word, 1, SPE_MBOX_ALL_BLOCKING))
ACT(write_signal, spe_signal_write(0, SPE_SIG_NOTIFY_REG_1, 1))
ACT(read_mail, uint32_t word; spe_out_mbox_read(0, &word, 1))
ACT(read_interrupt_mail, uint32_t word; spe_out_intr_mbox_read(0, &word, 1, SPE_MBOX_ALL_BLOCKING))
ACT(copy_over_line, ppe_memcpy(ea, ea + 128, 16))

static const struct cause causes[] = {
  {MFC_TAG_STATUS_UPDATE_EVENT, PROBE_BY_COMPLETION, "its get #1", get_long, NULL, NULL},
  {MFC_LIST_STALL_NOTIFY_EVENT, PROBE_BY_STALL, "its getl #1", get_list, NULL, NULL},
  {MFC_COMMAND_QUEUE_AVAILABLE_EVENT, PROBE_BY_COMPLETION, "its get #1", fill_queue, NULL, NULL},
  {MFC_DECREMENTER_EVENT, PROBE_BY_DECREMENTER, "its decrementer", write_decrementer, NULL, NULL},
  {MFC_SIGNAL_NOTIFY_1_EVENT, PROBE_BY_DELIVERY, "put #1 of rank 1", nothing, send_signal_1, NULL},
  {MFC_SIGNAL_NOTIFY_2_EVENT, PROBE_BY_DELIVERY, "put #1 of rank 1", nothing, send_signal_2, NULL},
  {MFC_SIGNAL_NOTIFY_1_EVENT, PROBE_BY_PROGRAM, "PPE", nothing, NULL, write_signal},
  {MFC_IN_MBOX_AVAILABLE_EVENT, PROBE_BY_DELIVERY, "put #1 of rank 1", nothing, put_mail, NULL},
  {MFC_IN_MBOX_AVAILABLE_EVENT, PROBE_BY_PROGRAM, "PPE", nothing, NULL, write_mail},
  {MFC_OUT_MBOX_AVAILABLE_EVENT, PROBE_BY_PROGRAM, "PPE", fill_out_mailboxes, NULL, read_mail},
  {MFC_OUT_INTR_MBOX_AVAILABLE_EVENT, PROBE_BY_PROGRAM, "PPE", fill_out_mailboxes, NULL, read_interrupt_mail},
  {MFC_LLR_LOST_EVENT, PROBE_BY_ATOMIC, "atomic command #1 of rank 1", load_line, store_line, NULL},
  {MFC_LLR_LOST_EVENT, PROBE_BY_DELIVERY, "put #1 of rank 1", load_line, put_into_line, NULL},
  {MFC_LLR_LOST_EVENT, PROBE_BY_PROGRAM, "PPE", load_line, NULL, copy_over_line},
};

enum { CAUSES = sizeof causes / sizeof causes[0], EVERY_EVENT = 0x7fb };

static const struct cause *cause;
static uint64_t woken_at;

static void wait_for_it(void *argument) {
  spu_write_event_mask(EVERY_EVENT);
  cause->before();
  uint64_t before = spu_cycles();
  ck_assert_uint_eq(spu_stat_event_status(), 0);
  ck_assert_uint_eq(spu_read_event_status(), cause->event);
  woken_at = spu_cycles();
  ck_assert_uint_gt(woken_at, before);
  ck_assert_uint_eq(spu_stat_event_status(), 0);
  spu_write_event_ack(cause->event);
  if (cause->event == MFC_LIST_STALL_NOTIFY_EVENT) {
    mfc_write_list_stall_ack(mfc_read_list_stall_status() - 1); /* tag 0 is bit 0 */
  }
  spu_compute(2000);
  ck_assert_uint_eq(spu_stat_event_status(), 0);
}

PROGRAM(act_on_spe, spu_compute(LATE); cause->on_spe())
PROGRAM(act_on_ppe, ppe_compute(LATE); cause->on_ppe())

TESTS(spu_events, .start = start, .stop = bed_end);

/* Loop test: the index is the cause. All events are chosen, and only the cause's event happens, once, in its
 * cycle; the auditor finds the program's waker among the events reported in that cycle. */
TEST_EACH(each_event_has_its_cause, 0, CAUSES) {
  char *text = NULL, *wake;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  struct event_log event_log;
  struct spu spus[] = {ON_SPE(0, wait_for_it, NULL), ON_SPE(1, act_on_spe, NULL)};
  struct ppu ppu = {.main = act_on_ppe, .name = "PPE"};
  struct auditor auditor;
  cause = &causes[_i];
  auditor_init(&auditor);
  blade_attach(bed.blade, &auditor.probe);
  struct cycle_lines lines = {.stream = stream};
  event_log_init(&event_log, &lines, 0);
  blade_attach(bed.blade, &event_log.probe);
  bed_run_all(&(struct spu_programs){
    .spus = spus, .nspus = cause->on_spe ? 2 : 1, .ppus = &ppu, .nppus = cause->on_ppe ? 1 : 0});
  blade_detach(bed.blade, &event_log.probe);
  cycle_lines_fini(&lines);
  event_log_fini(&event_log);
  blade_detach(bed.blade, &auditor.probe);
  ck_assert_uint_eq(woken_at >= LATE, cause->on_spe || cause->on_ppe);
  ck_assert_uint_eq(auditor.wakes[PROBE_FOR_EVENT][cause->kind], 1);
  ck_assert_uint_eq(auditor.wakes[PROBE_FOR_EVENT][PROBE_BY_NOTHING], 0);
  auditor_fini(&auditor);
  fclose(stream);
  wake = xasprintf(", woken by %s\n", cause->woken_by);
  ck_assert_msg(strstr(text, wake) != NULL, "expected '%s' in %s", wake, text);
  free(wake);
  free(text);
}

/* 20 and one more ticks of 14.318 MHz at 3.2 GHz: 21 * 3200 / 14.318 = 4693.4 cycles. */
TEST(the_decrementer_raises_its_event_when_it_passes_zero) {
  cause = &causes[3];
  bed_run_alone(wait_for_it, NULL);
  ck_assert_uint_eq(woken_at, 4694);
}

/* --- mask and acknowledgement --- */

static void keep_and_choose(void *argument) {
  spu_write_decrementer(1);
  send_signal_1();
  spu_compute(2000);
  ck_assert_uint_eq(spu_read_event_mask(), 0);
  ck_assert_uint_eq(spu_stat_event_status(), 0);
  spu_write_event_mask(MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_read_event_mask(), MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_stat_event_status(), 1);
  ck_assert_uint_eq(spu_read_event_status(), MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_stat_event_status(), 0);
  spu_write_event_mask(MFC_SIGNAL_NOTIFY_1_EVENT | MFC_DECREMENTER_EVENT);
  ck_assert_uint_eq(spu_read_event_status(), MFC_SIGNAL_NOTIFY_1_EVENT | MFC_DECREMENTER_EVENT);
  spu_write_event_ack(MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_stat_event_status(), 1);
  ck_assert_uint_eq(spu_read_event_status(), MFC_DECREMENTER_EVENT);
  spu_write_event_ack(MFC_DECREMENTER_EVENT);
  ck_assert_uint_eq(spu_stat_event_status(), 0);
  spu_write_decrementer(1);
  spu_compute(2000);
  spu_write_event_ack(MFC_DECREMENTER_EVENT); /* before the read */
  ck_assert_uint_eq(spu_stat_event_status(), 1);
  ck_assert_uint_eq(spu_read_event_status(), 0);
  ck_assert_uint_eq(spu_stat_event_status(), 0);
}

TEST(events_are_kept_until_they_are_chosen_and_acknowledged) {
  bed_run_alone(keep_and_choose, NULL);
}

static void by_channel(void *argument) {
  send_signal_1();
  spu_writech(SPU_WrEventMask, MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_readch(SPU_RdEventMask), MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_readch(SPU_RdEventStat), MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_readchcnt(SPU_RdEventStat), 0);
  spu_writech(SPU_WrEventAck, MFC_SIGNAL_NOTIFY_1_EVENT);
  ck_assert_uint_eq(spu_readchcnt(SPU_WrEventMask), 1);
}

TEST(channels_lead_to_the_same_calls) {
  bed_run_alone(by_channel, NULL);
}

/* --- waits for ever --- */

PROGRAM(choose_nothing, spu_read_event_status())
PROGRAM(wait_for_mail, spu_write_event_mask(MFC_IN_MBOX_AVAILABLE_EVENT); spu_read_event_status())

TEST(a_deadlock_says_which_events_were_chosen) {
  bed_expect_end(&SPES(ON_SPE(0, choose_nothing, NULL), ON_SPE(1, wait_for_mail, NULL)), NULL,
                 "rank 0 waits for an event without having chosen one by SPU_WrEventMask since "
                 "cycle 0\nrank 1 waits for one of the events 0x10 since cycle 0\n");
}
