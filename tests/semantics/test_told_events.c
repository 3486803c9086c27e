/* SPDX-License-Identifier: BSD-3-Clause
 * Events of DMA commands and of programs that wait for one another, by flags, signals, mailboxes, atomic
 * commands and on a PPE, derived from small programs: each wait's program, subject and first cycle, the cause
 * of its end, and the ways of bus requests. */
#include "sim/hw/watch/probe.h"
#include "tests/asserts.h"
#include "tests/bed.h"

enum { A = 0x10000, B = 0x20000, FLAG = 0x30000 };

/* --- the recorder ---
 *
 * A qs20 with an observer that records the events of small programs. To give a command takes 10 cycles there
 * (mfc.issue), a PPE reaches a register after 3200 (ppe.mmio). SPE 0 to 7 are on chip 0, and the program of
 * the PPE of chip 0 is number 16, behind the programs of the SPEs. */

enum { EVENTS_MAX = 8192, ISSUE = 10, MMIO = 3200, PPE = 16 };

/* The events of the latest run. */
static struct recorder {
  struct probe probe;
  struct probe_event events[EVENTS_MAX];
  unsigned count;
  char text[128]; /* of the latest WAIT */
} told;

static void record(struct probe *probe, const struct probe_event *event) {
  struct recorder *recorder = (struct recorder *)probe;
  ck_assert_uint_lt(recorder->count, EVENTS_MAX);
  recorder->events[recorder->count++] = *event;
  if (event->kind == PROBE_WAIT) {
    event->wait.wait->describe(event->wait.wait, recorder->text, sizeof recorder->text);
  }
}

/* The fixture: an idle machine, nothing told. */
static void start(void) {
  bed_begin_unwatched();
  told.probe = (struct probe){.see = record, .details = true, .each_load = true};
  blade_attach(bed.blade, &told.probe);
}

static void stop(void) {
  blade_detach(bed.blade, &told.probe);
  bed_end();
}

/* Return event NUMBER of KIND, counted from 0. */
static const struct probe_event *event_of(enum probe_kind kind, unsigned number) {
  unsigned found = 0;
  for (unsigned i = 0; i < told.count; i++) {
    if (told.events[i].kind == kind && found++ == number) {
      return &told.events[i];
    }
  }
  ck_abort_msg("only %u events of kind %d", found, kind);
}

/* Return how many events of KIND there are. */
static unsigned count_of(enum probe_kind kind) {
  unsigned n = 0;
  for (unsigned i = 0; i < told.count; i++) {
    n += told.events[i].kind == kind;
  }
  return n;
}

/* Check that PROGRAM's only wait is for SUBJECT, since cycle SINCE.
 * returns: the event at the end of the wait. */
static const struct probe_event *only_wait(unsigned program, enum probe_subject subject, uint64_t since) {
  const struct probe_event *wait = NULL, *wake = NULL;
  for (unsigned i = 0; i < told.count; i++) {
    const struct probe_event *e = &told.events[i];
    if (e->kind == PROBE_WAIT && e->wait.program == program) {
      ck_assert_ptr_null(wait);
      wait = e;
    } else if (e->kind == PROBE_WAKE && e->wake.program == program) {
      ck_assert_ptr_null(wake);
      wake = e;
    }
  }
  ck_assert(wait && wake && wait < wake);
  ck_assert_uint_eq(wait->wait.subject, subject);
  ck_assert_uint_eq(wake->wake.subject, subject);
  ck_assert_uint_eq(wait->cycle, since);
  ck_assert_uint_eq(wake->wake.since, since);
  return wake;
}

/* Check the cause of WAKE. */
static void check_cause(const struct probe_event *wake, enum probe_cause_kind kind, unsigned who,
                        uint64_t number) {
  ck_assert_uint_eq(wake->wake.cause.kind, kind);
  ck_assert_uint_eq(wake->wake.cause.who, who);
  ck_assert_uint_eq(wake->wake.cause.number, number);
}

/* Forget all events, run FIRST on SPE 0, SECOND on SPE 1 and PPE_PROGRAM on PPE 0, each unless NULL, and
 * record. */
static void run(void (*first)(void *), void (*second)(void *), void (*ppe_program)(void *)) {
  struct spu spus[2];
  struct ppu ppu = {.main = ppe_program, .name = "PPE"};
  size_t n = 0;
  told.count = 0;
  if (first) {
    spus[n++] = ON_SPE(0, first, NULL);
  }
  if (second) {
    spus[n++] = ON_SPE(1, second, NULL);
  }
  bed_run_all(&(struct spu_programs){.spus = spus, .nspus = n, .ppus = &ppu, .nppus = ppe_program != NULL});
}

/* --- DMA commands --- */

PROGRAM(get_and_finish, mfc_get(spu_ls(A), spu_ls_ea(2, A), 16, 3, 0, 0); bed_finish(UINT32_MAX))

TESTS(told_events, .start = start, .stop = stop);

TEST(a_program_waits_for_its_own_command) {
  run(get_and_finish, NULL, NULL);
  const struct probe_event *complete = event_of(PROBE_COMPLETE, 0);
  const struct probe_event *wake = only_wait(0, PROBE_FOR_TAGS, ISSUE);
  check_cause(wake, PROBE_BY_COMPLETION, 0, 1);
  ck_assert(complete->complete.wakes && complete < wake);
  ck_assert_uint_eq(wake->cycle, complete->cycle);
  ck_assert_str_eq(told.text, "waits for tag groups 0xffffffff");
  const struct probe_compute *compute = &event_of(PROBE_COMPUTE, 0)->compute;
  ck_assert(compute->program == 0 && compute->reason == COMPUTE_ISSUE && compute->at == 0);
  ck_assert_uint_eq(compute->cycles, ISSUE);
  const struct probe_enqueue *enqueue = &event_of(PROBE_ENQUEUE, 0)->enqueue;
  ck_assert(enqueue->program == 0 && enqueue->dma.spe == 0 && enqueue->dma.command == 1);
  ck_assert(enqueue->at == ISSUE && enqueue->ea == spu_ls_ea(2, A) && enqueue->dma.tag == 3);
}

static void get_compute_and_finish(void *argument) {
  mfc_get(spu_ls(A), spu_ls_ea(2, A), 16, 3, 0, 0);
  spu_compute(5000);
  bed_finish(UINT32_MAX);
}

/* The command has completed long before the program's look; the program is ahead of the machine when the wait
 * begins. */
TEST(a_wait_that_takes_no_time_is_not_told) {
  run(get_compute_and_finish, NULL, NULL);
  ck_assert_uint_eq(count_of(PROBE_COMPLETE), 1);
  ck_assert_uint_eq(event_of(PROBE_COMPLETE, 0)->complete.wakes, false);
  ck_assert_uint_eq(count_of(PROBE_WAIT) + count_of(PROBE_WAKE), 0);
  ck_assert_uint_eq(event_of(PROBE_COMPUTE, 1)->compute.reason, COMPUTE_OTHER);
  ck_assert_uint_eq(event_of(PROBE_COMPUTE, 1)->compute.at, ISSUE);
  ck_assert_uint_eq(event_of(PROBE_EXIT, 0)->exit.at, 5000 + ISSUE);
}

static void fill_queue(void *argument) {
  for (uint32_t i = 0; i < 17; i++) {
    mfc_get(spu_ls(A), spu_ls_ea(2, A), 16, 3, 0, 0);
  }
}

/* The queue has 16 entries; commands of one size from one place complete in the order of issue. */
TEST(a_full_queue_makes_a_program_wait_for_the_oldest_command) {
  run(fill_queue, NULL, NULL);
  check_cause(only_wait(0, PROBE_FOR_QUEUE, 16 * ISSUE), PROBE_BY_COMPLETION, 0, 1);
  ck_assert_str_eq(told.text, "waits for room in its DMA queue");
}

static void put_list(void *argument) {
  mfc_list_element_t *list = spu_ls(B);
  list[0] = (mfc_list_element_t){.size = 48, .eal = (uint32_t)spu_ls_ea(8, A)};
  list[1] = (mfc_list_element_t){.size = 160, .eal = (uint32_t)spu_ls_ea(8, A + 1024)};
  mfc_putl(spu_ls(A), spu_ls_ea(8, 0), list, 2 * sizeof *list, 5, 0, 0);
  bed_finish(UINT32_MAX);
}

/* A list to the other chip: the list's bytes are counted through, element after element; the second element
 * has two requests. */
TEST(requests_of_a_list_that_crosses_are_named_by_their_bytes) {
  static const unsigned offsets[] = {0, 48, 176}, sizes[] = {48, 128, 32};
  run(put_list, NULL, NULL);
  ck_assert_uint_eq(count_of(PROBE_ELEMENT), 2);
  ck_assert_uint_eq(event_of(PROBE_ELEMENT, 1)->element.offset, 48);
  ck_assert_uint_eq(event_of(PROBE_ELEMENT, 1)->element.nbytes, 160);
  ck_assert_uint_eq(event_of(PROBE_ELEMENT, 1)->element.dma.nbytes, 16);
  for (unsigned i = 0; i < 3; i++) {
    const struct probe_grant *here = &event_of(PROBE_GRANT, 0)->grant;
    const struct probe_request *names[] = {&event_of(PROBE_ISSUE, i)->issue.request,
                                           &event_of(PROBE_CROSS, i)->cross.request,
                                           &event_of(PROBE_DELIVER, i)->deliver.request};
    for (unsigned j = 0; j < 3; j++) {
      ck_assert(names[j]->spe == 0 && names[j]->command == 1 && names[j]->tag == 5);
      ck_assert_uint_eq(names[j]->offset, offsets[i]);
      ck_assert_uint_eq(names[j]->nbytes, sizes[i]);
    }
    ck_assert(here->chip == 0 && event_of(PROBE_ISSUE, i)->issue.chip == 0);
    ck_assert(event_of(PROBE_CROSS, i)->cross.chip == 0 && event_of(PROBE_CROSS, i)->cross.next_chip == 1);
    ck_assert_uint_eq(event_of(PROBE_DELIVER, i)->deliver.peer, 8);
  }
  unsigned on_chip[2] = {0, 0};
  for (unsigned i = 0; i < count_of(PROBE_GRANT); i++) {
    on_chip[event_of(PROBE_GRANT, i)->grant.chip]++;
  }
  ck_assert(on_chip[0] == 3 && on_chip[1] == 3);
}

static uint64_t memory;

PROGRAM(put_to_memory, mfc_put(spu_ls(A), memory, 128, 0, 0, 0); bed_finish(UINT32_MAX))

TEST(memory_says_whose_request_it_takes) {
  memory = blade_allocate(bed.blade, 0, 128);
  run(put_to_memory, NULL, NULL);
  const struct probe_memory *taken = &event_of(PROBE_MEMORY, 0)->memory;
  ck_assert(taken->request.spe == 0 && taken->request.command == 1 && taken->request.nbytes == 128);
  ck_assert(taken->is_write && taken->chip == 0);
  ck_assert_uint_eq(event_of(PROBE_DELIVER, 0)->deliver.peer, PROBE_NOBODY);
}

/* --- flags --- */

static void raise_flag(void *argument) {
  uint32_t *word = spu_ls(FLAG);
  spu_compute(1000);
  mfc_put(spu_ls(A), spu_ls_ea(1, A), 16, 0, 0, 0); /* no flag */
  word[0] = 1;
  mfc_putf(word, spu_ls_ea(1, FLAG), 16, 0, 0, 0);
}

static void await_flag(void *argument) {
  spu_compute(100);
  spu_wait_flag(&(struct spu_flag){.word = spu_ls(FLAG), .value = 1, .peer = 7, .what = "flag"});
}

TEST(a_flag_is_raised_by_the_delivery_that_brings_it) {
  run(raise_flag, await_flag, NULL);
  const struct probe_event *wake = only_wait(1, PROBE_FOR_FLAG, 100);
  const struct probe_event *deliver = event_of(PROBE_DELIVER, 1);
  check_cause(wake, PROBE_BY_DELIVERY, 0, 2);
  ck_assert(!event_of(PROBE_DELIVER, 0)->deliver.wakes && deliver->deliver.wakes);
  ck_assert(deliver->deliver.peer == 1 && deliver->cycle == wake->cycle);
  ck_assert_str_eq(told.text, "waits for flag 1 from rank 7");
}

static void copy_flag(void *argument) {
  *(uint32_t *)(void *)blade_memory(bed.blade, memory) = 1;
  ppe_compute(5000);
  ppe_memcpy(spu_ls_ea(1, FLAG), memory, 16);
}

TEST(a_flag_is_raised_by_the_copy_of_a_ppe) {
  memory = blade_allocate(bed.blade, 0, 128);
  run(NULL, await_flag, copy_flag);
  const struct probe_event *copy = event_of(PROBE_COPY, 0), *wake = only_wait(1, PROBE_FOR_FLAG, 100);
  check_cause(wake, PROBE_BY_PROGRAM, PPE, copy->copy.by.number);
  ck_assert(copy->copy.to == spu_ls_ea(1, FLAG) && copy->copy.from == memory && copy->copy.nbytes == 16);
  ck_assert_uint_eq(copy->cycle, wake->cycle);
  ck_assert_uint_eq(event_of(PROBE_COMPUTE, 2)->compute.reason, COMPUTE_COPY);
}

/* --- signals --- */

static void send_signal(void *argument) {
  uint32_t *word = spu_ls(A + 12);
  *word = 5;
  mfc_sndsig(word, spu_signal_ea(1, 1), 0, 0, 0);
}

PROGRAM(send_signal_from_ppe, spe_signal_write(1, SPE_SIG_NOTIFY_REG_1, 5))
PROGRAM(await_signal, spu_expect_signal_from(4); spu_read_signal1())

TEST(a_signal_comes_from_a_command_or_from_a_ppe) {
  run(send_signal, await_signal, NULL);
  check_cause(only_wait(1, PROBE_FOR_SIGNAL, 0), PROBE_BY_DELIVERY, 0, 1);
  ck_assert_str_eq(told.text, "waits for a signal in register 1 from rank 4");
  ck_assert_uint_eq(event_of(PROBE_DELIVER, 0)->deliver.peer, 1);
  const struct probe_signal *signal = &event_of(PROBE_SIGNAL, 0)->signal;
  ck_assert(signal->by.kind == PROBE_BY_DELIVERY && signal->by.who == 0 && signal->by.number == 1);
  run(NULL, await_signal, send_signal_from_ppe);
  signal = &event_of(PROBE_SIGNAL, 0)->signal;
  ck_assert(signal->peer == 1 && signal->number == 1 && signal->value == 5 && !signal->full);
  check_cause(only_wait(1, PROBE_FOR_SIGNAL, 0), PROBE_BY_PROGRAM, PPE, signal->by.number);
  ck_assert_uint_eq(event_of(PROBE_SIGNAL, 0)->cycle, MMIO);
}

/* --- mailboxes --- */

PROGRAM(read_mailbox, spu_read_in_mbox())
PROGRAM(write_mailbox, const uint32_t word = 9; spe_in_mbox_write(1, &word, 1, SPE_MBOX_ALL_BLOCKING))
PROGRAM(put_into_mailbox, mfc_put(spu_ls(A + 12), spu_mailbox_ea(1), 4, 0, 0, 0))

TEST(a_word_comes_from_a_ppe_or_from_a_command) {
  run(NULL, read_mailbox, write_mailbox);
  const struct probe_event *written = event_of(PROBE_MAILBOX, 0), *read = event_of(PROBE_MAILBOX, 1);
  const struct probe_mailbox *mailbox = &written->mailbox;
  ck_assert(mailbox->spe == 1 && mailbox->which == PROBE_MAILBOX_IN && mailbox->is_write);
  ck_assert(mailbox->value == 9 && mailbox->words == 1 && written->cycle == MMIO);
  ck_assert(!read->mailbox.is_write && read->mailbox.words == 0 && read->mailbox.by.who == 1);
  check_cause(only_wait(1, PROBE_FOR_MAILBOX, 0), PROBE_BY_PROGRAM, PPE, mailbox->by.number);
  run(put_into_mailbox, read_mailbox, NULL);
  check_cause(only_wait(1, PROBE_FOR_MAILBOX, 0), PROBE_BY_DELIVERY, 0, 1);
}

PROGRAM(write_two_words, spu_write_out_mbox(1); spu_write_out_mbox(2))

static void read_two_words(void *argument) {
  const unsigned spe = 0;
  uint32_t word;
  ppe_compute(1000);
  for (unsigned i = 0; i < 2; i++) {
    ppe_wait_out_mbox(&spe, 1);
    spe_out_mbox_read(spe, &word, 1);
  }
}

/* The outbound mailbox holds one word. The SPE waits for room until the PPE has found the word (one access)
 * and read the word (another). The PPE does not wait for the first word, and waits for the second only until
 * the SPE has gone on, in the same cycle. */
TEST(room_is_made_by_who_reads) {
  run(write_two_words, NULL, read_two_words);
  const struct probe_event *read = event_of(PROBE_MAILBOX, 1), *second = event_of(PROBE_MAILBOX, 2);
  const struct probe_event *wake = only_wait(0, PROBE_FOR_MAILBOX, 0);
  ck_assert(!read->mailbox.is_write && read->mailbox.by.who == PPE && second->mailbox.is_write);
  check_cause(wake, PROBE_BY_PROGRAM, PPE, read->mailbox.by.number);
  ck_assert_uint_eq(wake->cycle, 1000 + 2 * MMIO);
  check_cause(only_wait(PPE, PROBE_FOR_MAILBOX, 1000 + 2 * MMIO), PROBE_BY_PROGRAM, 0,
              second->mailbox.by.number);
}

/* --- atomic commands --- */

PROGRAM(load_line, mfc_getllar(spu_ls(A), memory, 0, 0); mfc_read_atomic_status())
PROGRAM(load_line_late, spu_compute(20); load_line(argument))

/* The second load reaches the line 20 cycles after the first load and waits until the line has come to the
 * first SPE, which then gives the line on. */
TEST(an_atomic_command_says_when_it_takes_effect_and_who_kept_the_line) {
  memory = blade_allocate(bed.blade, 0, 128);
  run(load_line, load_line_late, NULL);
  check_cause(only_wait(0, PROBE_FOR_ATOMIC, ISSUE), PROBE_BY_ATOMIC, 0, 1);
  check_cause(only_wait(1, PROBE_FOR_ATOMIC, 20 + ISSUE), PROBE_BY_ATOMIC, 1, 1);
  const struct probe_event *first = event_of(PROBE_ATOMIC_EFFECT, 0),
                           *second = event_of(PROBE_ATOMIC_EFFECT, 1);
  ck_assert(first->atomic_effect.atomic.spe == 0 && first->atomic_effect.keeper == PROBE_NOBODY);
  ck_assert(second->atomic_effect.atomic.spe == 1 && second->atomic_effect.keeper == 0);
  ck_assert_uint_eq(first->atomic_effect.came, first->cycle);
  ck_assert_uint_eq(second->atomic_effect.came, first->cycle + 20);
  ck_assert_uint_eq(second->cycle, event_of(PROBE_ATOMIC_COMPLETE, 0)->cycle);
  ck_assert_str_eq(second->atomic_effect.atomic.what, "getllar");
  ck_assert_uint_eq(second->atomic_effect.atomic.ea, memory);
  ck_assert_uint_eq(event_of(PROBE_ATOMIC_ENQUEUE, 1)->atomic_enqueue.at, 20 + ISSUE);
}

/* --- programs of a PPE --- */

static void get_by_proxy(void *argument) {
  uint32_t done;
  spe_mfcio_get(3, A, spu_ls_ea(2, A), 16, 1, 0, 0);
  spe_mfcio_tag_status_read(3, 2, SPE_TAG_ALL, &done);
}

TEST(a_ppe_waits_for_a_command_of_an_spe) {
  run(NULL, NULL, get_by_proxy);
  const struct probe_enqueue *enqueue = &event_of(PROBE_ENQUEUE, 0)->enqueue;
  ck_assert(enqueue->program == PPE && enqueue->dma.spe == 3 && enqueue->is_proxy && enqueue->at == MMIO);
  check_cause(only_wait(PPE, PROBE_FOR_TAGS, MMIO), PROBE_BY_COMPLETION, 3, 1);
  ck_assert_uint_eq(event_of(PROBE_COMPUTE, 0)->compute.reason, COMPUTE_MMIO);
}

PROGRAM(compute_1000, spu_compute(1000))

PROGRAM(start_and_join, struct spu *spu = argument; ppe_start_spu(spu); ppe_join_spu(spu))

TEST(a_program_that_a_ppe_starts_and_joins_says_so) {
  struct spu spu = ON_SPE(5, compute_1000, NULL);
  told.count = 0;
  bed_run_all(&PPES(ON_PPE(0, start_and_join, &spu)));
  const struct probe_start *outer = &event_of(PROBE_START, 0)->start,
                           *inner = &event_of(PROBE_START, 1)->start;
  ck_assert(outer->by.kind == PROBE_BY_NOTHING && outer->program == PPE && outer->spe == PROBE_NOBODY);
  ck_assert(inner->by.kind == PROBE_BY_PROGRAM && inner->by.who == PPE && inner->program == 5);
  ck_assert(inner->spe == 5 && inner->at == MMIO && strcmp(inner->name, "rank 5") == 0);
  const struct probe_event *exit = event_of(PROBE_EXIT, 0);
  ck_assert(exit->exit.by.who == 5 && exit->exit.at == MMIO + 1000);
  check_cause(only_wait(PPE, PROBE_FOR_PROGRAM, MMIO), PROBE_BY_PROGRAM, 5, exit->exit.by.number);
}

PROGRAM(wait_for_ever, spu_compute(7); spu_read_in_mbox())

TEST(a_wait_without_an_end_is_told_as_well) {
  told.count = 0;
  bed_expect_stuck(wait_for_ever, "rank 0 waits for a word in its inbound mailbox since cycle 7\n");
  ck_assert_uint_eq(event_of(PROBE_WAIT, 0)->cycle, 7);
  ck_assert_str_eq(told.text, "waits for a word in its inbound mailbox");
  ck_assert_uint_eq(count_of(PROBE_WAKE) + count_of(PROBE_EXIT), 0);
}
