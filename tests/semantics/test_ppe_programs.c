/* SPDX-License-Identifier: BSD-3-Clause
 * Several programs on one PPE, like the threads of a process there: each program has its own time and waits,
 * and observers tell the programs apart. A PPE reaches a register after 3200 cycles (ppe.mmio). */
#include "tests/bed.h"
#include "tests/semantics/auditor.h"
#include "traces/event_log.h"

enum { HERE = 0x10000, MMIO = 3200, ON_CHIP_0 = 16 /* the number of the first program there */ };

static struct auditor auditor;
static uint64_t ea;

static void start(void) {
  bed_begin_unwatched();
  ea = blade_allocate(bed.blade, 0, 1 << 20);
  auditor_init(&auditor);
  blade_attach(bed.blade, &auditor.probe);
}

static void stop(void) {
  blade_detach(bed.blade, &auditor.probe);
  auditor_fini(&auditor);
  bed_end();
}

/* --- mailboxes --- */

/* An SPE that asks, and the serving program. */
struct pair {
  unsigned spe;
  uint64_t answered; /* when */
};

static void ask(void *argument) {
  struct pair *pair = argument;
  spu_write_out_mbox(pair->spe);
  ck_assert_uint_eq(spu_read_in_mbox(), pair->spe + 100);
  pair->answered = spu_cycles();
}

static void serve(void *argument) {
  const struct pair *pair = argument;
  uint32_t word;
  ppe_wait_out_mbox(&pair->spe, 1);
  ck_assert_int_eq(spe_out_mbox_read(pair->spe, &word, 1), 1);
  word += 100;
  spe_in_mbox_write(pair->spe, &word, 1, SPE_MBOX_ALL_BLOCKING);
}

PROGRAM(compute_long, ppe_compute(*(uint64_t *)argument))

/* Let N pairs ask and serve on PPE 0. */
static void serve_pairs(struct pair *pairs, unsigned n) {
  struct spu spus[8];
  struct ppu ppus[8];
  for (unsigned i = 0; i < n; i++) {
    spus[i] = (struct spu){.spe = pairs[i].spe, .main = ask, .argument = &pairs[i], .name = "asks"};
    ppus[i] = (struct ppu){.main = serve, .argument = &pairs[i], .name = "serves"};
  }
  blade_reset(bed.blade);
  bed_run_all(&(struct spu_programs){.spus = spus, .nspus = n, .ppus = ppus, .nppus = n});
}

TESTS(ppe_programs, .start = start, .stop = stop);

/* An answer takes three accesses: one to see the word, one to read the word, one to write the answer. */
TEST(programs_of_one_ppe_serve_spes_of_their_own) {
  struct pair alone = {.spe = 2}, pairs[] = {{.spe = 2}, {.spe = 0}, {.spe = 11}};
  serve_pairs(&alone, 1);
  serve_pairs(pairs, 3);
  ck_assert_uint_eq(alone.answered, 3 * MMIO);
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_uint_eq(pairs[i].answered, 3 * MMIO);
  }
}

TEST(a_program_that_computes_keeps_no_other_one_waiting) {
  uint64_t cycles = 50000;
  struct pair pair = {.spe = 3};
  struct spu_programs programs = PPES(ON_PPE(0, compute_long, &cycles), ON_PPE(0, serve, &pair));
  programs.spus = &ON_SPE(3, ask, &pair);
  programs.nspus = 1;
  ck_assert_uint_eq(bed_run_all(&programs), cycles);
  ck_assert_uint_eq(pair.answered, 3 * MMIO);
}

PROGRAM(write_two_words, spu_write_out_intr_mbox(1); spu_write_out_intr_mbox(2))
PROGRAM(read_one_word, ck_assert_int_eq(spe_out_intr_mbox_read(5, argument, 1, SPE_MBOX_ALL_BLOCKING), 1))

/* Both programs see the first word, and one finds no word any more: that program goes on waiting for the
 * second word. */
TEST(a_word_goes_to_one_of_the_programs_that_wait_for_it) {
  uint32_t words[2] = {0};
  struct spu_programs programs =
    PPES(ON_PPE(0, read_one_word, &words[0]), ON_PPE(0, read_one_word, &words[1]));
  programs.spus = &ON_SPE(5, write_two_words, NULL);
  programs.nspus = 1;
  uint64_t end = bed_run_all(&programs);
  ck_assert(words[0] == 1 && words[1] == 2);
  ck_assert_uint_eq(end, 2 * MMIO);
}

/* --- proxy DMA --- */

/* The transfers of a program by proxy. */
struct move {
  uint32_t ls, nbytes, tag;
  unsigned count;
  uint64_t done; /* the cycle at which the program knows that all transfers are over */
};

static void move(void *argument) {
  struct move *move = argument;
  uint32_t status;
  for (uint32_t i = 0; i < move->count; i++) {
    uint32_t ls = move->ls + i * move->nbytes;
    spe_mfcio_get(4, ls, ea + ls, move->nbytes, move->tag, 0, 0);
  }
  spe_mfcio_tag_status_read(4, 1U << move->tag, SPE_TAG_ALL, &status);
  ck_assert_uint_eq(status, 1U << move->tag);
  move->done = ppe_cycles();
}

/* Let both MOVES be made at the same time, by two programs of PPE 0, through the MFC of SPE 4. */
static void move_both(struct move moves[2]) {
  blade_reset(bed.blade);
  ea = blade_allocate(bed.blade, 0, 1 << 20);
  for (unsigned i = 0; i < 1 << 18; i++) {
    blade_memory(bed.blade, ea)[i] = (uint8_t)(i * 7 + i / 16384);
  }
  bed_run_all(&PPES(ON_PPE(0, move, &moves[0]), ON_PPE(0, move, &moves[1])));
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_mem_eq(blade_ls(bed.blade, 4) + moves[i].ls, blade_memory(bed.blade, ea) + moves[i].ls,
                     (size_t)moves[i].count * moves[i].nbytes);
  }
}

/* With a line in 100 cycles memory takes longer for 16 KiB than an access: the two programs together fill the
 * queue of 8. */
TEST(programs_share_a_proxy_queue) {
  blade_detach(bed.blade, &auditor.probe);
  bed_use("qs20", "memory.read-interval=100");
  blade_attach(bed.blade, &auditor.probe);
  struct move moves[2] = {{.ls = 0x8000, .nbytes = 4096, .tag = 1, .count = 20},
                          {.ls = 0x20000, .nbytes = 4096, .tag = 2, .count = 20}};
  move_both(moves);
  ck_assert_uint_gt(auditor.wakes[PROBE_FOR_QUEUE][PROBE_BY_COMPLETION], 0);
}

/* The tag groups belong to the MFC: a wait for a tag group includes commands of other programs with the same
 * tag. */
TEST(programs_share_the_proxy_tag_groups_of_an_mfc) {
  struct move own[2] = {{.ls = HERE, .nbytes = 16, .tag = 3, .count = 1},
                        {.ls = 0x20000, .nbytes = 16384, .tag = 4, .count = 1}};
  struct move shared[2] = {own[0], own[1]};
  shared[1].tag = 3;
  move_both(own);
  move_both(shared);
  ck_assert_uint_lt(own[0].done, own[1].done);
  ck_assert_uint_eq(shared[0].done, shared[1].done);
  ck_assert_uint_eq(shared[1].done, own[1].done);
}

/* --- programs --- */

static struct spu worker;

PROGRAM(compute_1000, spu_compute(1000))

static void start_worker(void *argument) {
  worker = (struct spu){.spe = 6, .main = compute_1000, .name = "worker"};
  ppe_start_spu(&worker);
}

PROGRAM(join_worker, ppe_compute(MMIO + 1); ck_assert_int_eq(ppe_join_spu(&worker), 0))

TEST(a_program_may_join_what_another_one_has_started) {
  ck_assert_uint_eq(bed_run_all(&PPES(ON_PPE(0, start_worker, NULL), ON_PPE(0, join_worker, NULL))),
                    2 * MMIO + 1000);
}

/* The reported starts of programs. */
struct starts {
  struct probe probe;
  unsigned n, numbers[64], chips[64];
  bool named; /* each by the program's number */
};

static void see_starts(struct probe *probe, const struct probe_event *event) {
  struct starts *starts = (struct starts *)probe;
  if (event->kind == PROBE_START) {
    starts->numbers[starts->n] = event->start.program;
    starts->chips[starts->n++] = event->start.chip;
    starts->named &= strcmp(event->programs[event->start.program], event->start.name) == 0;
  }
}

/* 16 SPEs and two chips: number 16 + chip for the first program of a PPE, and 2 more for each further one. */
TEST(each_program_has_a_number_and_a_name) {
  enum { N = 40 };
  struct starts starts = {.probe = {.see = see_starts, .details = true}, .named = true};
  uint64_t cycles = 70;
  struct ppu ppus[N];
  char names[N][8];
  for (unsigned i = 0; i < N; i++) {
    snprintf(names[i], sizeof names[i], "p%u", i);
    ppus[i] = (struct ppu){.chip = i >= 30, .main = compute_long, .argument = &cycles, .name = names[i]};
  }
  blade_attach(bed.blade, &starts.probe);
  ck_assert_uint_eq(bed_run_all(&(struct spu_programs){.ppus = ppus, .nppus = N}), cycles);
  blade_detach(bed.blade, &starts.probe);
  ck_assert_uint_eq(starts.n, N);
  ck_assert(starts.named);
  for (unsigned i = 0; i < N; i++) {
    unsigned chip = i >= 30, index = chip ? i - 30 : i;
    ck_assert_uint_eq(starts.chips[i], chip);
    ck_assert_uint_eq(starts.numbers[i], ON_CHIP_0 + chip + 2 * index);
  }
}

/* --- mistakes --- */

static void wait_for_word(void *argument) {
  uint32_t word;
  ppe_compute(*(unsigned *)argument);
  spe_out_intr_mbox_read(*(unsigned *)argument, &word, 1, SPE_MBOX_ALL_BLOCKING);
}

TESTS(ppe_programs, .start = bed_begin_unwatched, .stop = bed_end);

TEST(a_deadlock_names_each_program_of_a_ppe) {
  unsigned spes[] = {11, 12};
  uint64_t cycles = 500;
  struct ppu ppus[] = {{.main = wait_for_word, .argument = &spes[0], .name = "thread 0"},
                       {.main = compute_long, .argument = &cycles, .name = "thread 1"},
                       {.main = wait_for_word, .argument = &spes[1], .name = "thread 2"}};
  bed_expect_end(&(struct spu_programs){.ppus = ppus, .nppus = 3}, NULL,
                 "thread 0 waits for a word in the outbound interrupt mailbox of SPE 11 since cycle 11\n"
                 "thread 2 waits for a word in the outbound interrupt mailbox of SPE 12 since cycle 12\n");
}

/* The fault reported to an observer. */
struct witness {
  struct probe probe;
  struct probe_event event;
  unsigned n;
  char text[64];
};

static void see_fault(struct probe *probe, const struct probe_event *event) {
  struct witness *witness = (struct witness *)probe;
  if (event->kind == PROBE_FAULT) {
    witness->event = *event;
    witness->n++;
    snprintf(witness->text, sizeof witness->text, "%s", event->fault.text);
  }
}

PROGRAM(fail_at_50, ppe_compute(50); spe_out_mbox_status(16))

TESTS(ppe_programs, .start = start, .stop = stop);

TEST(a_fault_stops_one_program_of_a_ppe) {
  struct witness witness = {.probe = {.see = see_fault}};
  uint64_t cycles = 500;
  struct ppu ppus[] = {{.chip = 1, .main = compute_long, .argument = &cycles, .name = "thread 0"},
                       {.chip = 1, .main = fail_at_50, .name = "thread 1"}};
  blade_attach(bed.blade, &witness.probe);
  struct blade_result result = spu_run_all(bed.blade, &(struct spu_programs){.ppus = ppus, .nppus = 2});
  blade_detach(bed.blade, &witness.probe);
  ck_assert_str_eq(result.faults, "thread 1 stopped at cycle 50 by a fault: SPE 16, expected 0 to 15\n");
  ck_assert(!result.stuck && result.cycles == cycles);
  ck_assert_uint_eq(witness.n, 1);
  ck_assert_uint_eq(witness.event.cycle, 50);
  ck_assert_str_eq(witness.text, "SPE 16, expected 0 to 15");
  ck_assert_uint_eq(witness.event.fault.spe, PROBE_NOBODY);
  ck_assert_uint_eq(witness.event.fault.by.kind, PROBE_BY_PROGRAM);
  ck_assert_uint_eq(witness.event.fault.by.who, ON_CHIP_0 + 1 + 2);
  blade_result_fini(&result);
}

/* A run with an event log to read. */
TEST(the_timeline_tells_programs_of_a_ppe_apart) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  struct event_log event_log;
  uint64_t cycles = 500;
  struct ppu ppus[] = {{.chip = 1, .main = compute_long, .argument = &cycles, .name = "thread 0"},
                       {.chip = 1, .main = fail_at_50, .name = "thread 1"}};
  struct cycle_lines lines = {.stream = stream};
  event_log_init(&event_log, &lines, 0);
  blade_attach(bed.blade, &event_log.probe);
  struct blade_result result = spu_run_all(bed.blade, &(struct spu_programs){.ppus = ppus, .nppus = 2});
  blade_detach(bed.blade, &event_log.probe);
  cycle_lines_fini(&lines);
  event_log_fini(&event_log);
  fclose(stream);
  ck_assert_str_eq(text, "           0  thread 0   begins on the PPE of chip 1\n"
                         "           0  thread 1   begins on the PPE of chip 1\n"
                         "           0  thread 0   computes 500 cycles: other\n"
                         "           0  thread 1   computes 50 cycles: other\n"
                         "          50  thread 1   fault: SPE 16, expected 0 to 15\n"
                         "         500  thread 0   ends\n");
  free(text);
  blade_result_fini(&result);
}

PROGRAM(send_value, spe_signal_write(7, SPE_SIG_NOTIFY_REG_1, *(uint32_t *)argument))

TEST(a_hazard_names_the_programs_of_a_ppe) {
  uint32_t values[] = {1, 2};
  struct ppu ppus[] = {{.main = send_value, .argument = &values[0], .name = "thread 0"},
                       {.main = send_value, .argument = &values[1], .name = "thread 1"}};
  bed_watch();
  bed_run_all(&(struct spu_programs){.ppus = ppus, .nppus = 2});
  ck_assert_str_eq(bed.hazards->lines[0],
                   "thread 1 on a PPE sends signal 0x2 to register 1 of SPE 7 at cycle 3200, which "
                   "overwrites the unread 0x1 of thread 0 on a PPE (cycle 3200)");
  ck_assert_uint_eq(bed_take_hazards(), 1);
}
