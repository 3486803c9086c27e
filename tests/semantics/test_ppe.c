/* SPDX-License-Identifier: BSD-3-Clause
 * PPE programs: signals, proxy DMA, copying, starting and joining SPE programs. Mailboxes have a suite of
 * their own. */
#include "tests/bed.h"

enum { HERE = 0x10000 };

static uint64_t ea;

static void start(void) {
  bed_begin_unwatched();
  ea = blade_allocate(bed.blade, 0, 1 << 20);
}

static void run_ppe(void (*program)(void *), void *argument) {
  bed_run_all(&PPES(ON_PPE(0, program, argument)));
}

/* Run PROGRAM with ARGUMENT on a PPE of a fresh machine. A fault must stop the program, with each of PARTS in
 * the message. */
static void expect_fault(void (*program)(void *), void *argument, const char *const parts[2]) {
  blade_reset(bed.blade);
  struct blade_result result = spu_run_all(bed.blade, &PPES(ON_PPE(0, program, argument)));
  ck_assert_ptr_nonnull(result.faults);
  ck_assert_ptr_null(result.stuck);
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_msg(strstr(result.faults, parts[i]) != NULL, "%s: expected '%s'", result.faults, parts[i]);
  }
  blade_result_fini(&result);
}

PROGRAM(await_signal, ck_assert_uint_eq(spu_read_signal2(), 6); *(uint64_t *)argument = spu_cycles())
PROGRAM(send_signal, ppe_compute(1000); spe_signal_write(9, SPE_SIG_NOTIFY_REG_2, 6))

TESTS(ppe, .start = start, .stop = bed_end);

TEST(a_signal_of_the_ppe_takes_one_access) {
  uint64_t at;
  bed_run_beside(ON_SPE(9, await_signal, &at), send_signal, NULL);
  ck_assert_uint_eq(at, 1000 + (uint64_t)bed.platform->ppe.mmio);
}

/* Twelve commands for a queue of 8: four wait for room; room comes while the PPE gives the next. */
static void move_by_proxy(void *argument) {
  uint32_t done;
  uint8_t *memory = blade_memory(bed.blade, ea), *ls = blade_ls(bed.blade, 2);
  for (unsigned i = 0; i < 12 * 16384; i++) {
    memory[i] = (uint8_t)(i * 7 + i / 16384);
  }
  for (uint32_t i = 0; i < 12; i++) {
    spe_mfcio_get(2, HERE + 16384 * i, ea + 16384 * i, 16384, i % 3, 0, 0);
  }
  spe_mfcio_tag_status_read(2, 7, SPE_TAG_ALL, &done);
  ck_assert_uint_eq(done, 7);
  ck_assert_mem_eq(ls + HERE, memory, 12 * 16384);
  spe_mfcio_put(2, HERE, ea + 300000, 16384, 4, 0, 0);
  spe_mfcio_putf(2, HERE + 16384, ea + 300000, 16, 4, 0, 0);
  spe_mfcio_tag_status_read(2, 1U << 4 | 1, SPE_TAG_ANY, &done);
  ck_assert_uint_eq(done & 1, 1);
  spe_mfcio_tag_status_read(2, 1U << 4, SPE_TAG_ALL, &done);
  ck_assert_mem_eq(memory + 300000, ls + HERE + 16384, 16);
  ck_assert_mem_eq(memory + 300016, ls + HERE + 16, 16384 - 16);
}

TEST(proxy_commands_move_data_both_ways) {
  run_ppe(move_by_proxy, NULL);
}

/* The SPU's tag 5 is done at once, although the PPE has a long command with tag 5 in the same MFC. */
static void ask_own_tag(void *argument) {
  bool *told = argument;
  spu_compute((uint64_t)bed.platform->ppe.mmio + 100);
  mfc_write_tag_mask(1U << 5);
  *told = mfc_read_tag_status_immediate() == 1U << 5 && mfc_stat_cmd_queue() == bed.platform->mfc.queue;
}

static void get_long(void *argument) {
  uint32_t done;
  spe_mfcio_get(0, HERE, ea, 16384, 5, 0, 0);
  spe_mfcio_tag_status_read(0, 1U << 5, SPE_TAG_IMMEDIATE, &done);
  ck_assert_uint_eq(done, 0);
}

TEST(each_side_of_an_mfc_has_its_own_tags_and_queue) {
  bool told = false;
  bed_run_beside(ON_SPE(0, ask_own_tag, &told), get_long, NULL);
  ck_assert(told);
}

enum { DEEP = 0x18000, BOTH = 24, EACH = 1024, PARTS = 64 };

static void fill_own_queue(void *argument) {
  for (uint32_t i = 0; i < (uint32_t)bed.platform->mfc.queue; i++) {
    mfc_list_element_t *list = spu_ls(HERE + PARTS * (uint32_t)sizeof *list * i);
    for (uint32_t j = 0; j < PARTS; j++) {
      list[j] =
        (mfc_list_element_t){.size = EACH / PARTS, .eal = (uint32_t)(ea + EACH * i + EACH / PARTS * j)};
    }
    mfc_getl(spu_ls(DEEP + EACH * i), ea, list, PARTS * sizeof *list, i, 0, 0);
  }
  ck_assert_uint_eq(mfc_stat_cmd_queue(), 0);
  bed_finish(UINT32_MAX);
}

static void fill_proxy_queue(void *argument) {
  uint32_t done;
  ppe_compute(3000);
  for (uint32_t i = (uint32_t)bed.platform->mfc.queue; i < BOTH; i++) {
    spe_mfcio_get(0, DEEP + EACH * i, ea + EACH * i, EACH, i, 0, 0);
  }
  spe_mfcio_tag_status_read(0, UINT32_MAX, SPE_TAG_ALL, &done);
}

/* Memory reads a line in 1000 cycles, and the PPE gives a command in one. At the PPE's beginning 16 elements
 * of lists fill the window, one of them leaves in 1000 cycles, and each of the 16 lists has read the next
 * element; then come 8 commands. There are never more transfers at a time than these. */
TEST(both_queues_of_an_mfc_may_be_full_at_once) {
  bed_use("qs20", "memory.read-interval=1000 ppe.mmio=1");
  ck_assert_uint_eq(bed.platform->mfc.queue + bed.platform->mfc.proxy_queue, BOTH);
  ea = blade_allocate(bed.blade, 0, BOTH * EACH);
  for (uint32_t i = 0; i < BOTH * EACH; i++) {
    blade_memory(bed.blade, ea)[i] = (uint8_t)(i / 256 + i);
  }
  bed_run_beside(ON_SPE(0, fill_own_queue, NULL), fill_proxy_queue, NULL);
  ck_assert_mem_eq(blade_ls(bed.blade, 0) + DEEP, blade_memory(bed.blade, ea), BOTH * EACH);
}

/* The bus requests of both sides of an MFC in the order of issue, and the cycles at which the commands came
 * to the bus. */
struct turns {
  struct probe probe;
  unsigned tags[256], count;
  uint64_t came[2]; /* by tag - 1 */
};

static void see_turn(struct probe *probe, const struct probe_event *event) {
  struct turns *turns = (struct turns *)probe;
  if (event->kind == PROBE_COMMAND) {
    turns->came[event->command.dma.tag - 1] = event->cycle;
  } else if (event->kind == PROBE_ISSUE) {
    turns->tags[turns->count++] = event->issue.request.tag;
  }
}

static void get_with_tag_1(void *argument) {
  spu_compute(*(const uint64_t *)argument);
  mfc_get(spu_ls(HERE), spu_ls_ea(1, HERE), 16384, 1, 0, 0);
  bed_finish(1U << 1);
}

static void get_with_tag_2(void *argument) {
  uint32_t done;
  spe_mfcio_get(0, HERE + 16384, ea, 16384, 2, 0, 0);
  spe_mfcio_tag_status_read(0, 1U << 2, SPE_TAG_ALL, &done);
}

/* Let the SPU give its command at cycle WHEN. Once both commands have come, the two sides take turns until
 * one has issued all of its 128 requests. If both come together, the SPU begins.
 * returns: by how many cycles the SPU's command comes later. */
static int64_t take_turns(uint64_t when) {
  struct turns turns = {.probe = {.see = see_turn}};
  blade_reset(bed.blade);
  ea = blade_allocate(bed.blade, 0, 1 << 20);
  blade_attach(bed.blade, &turns.probe);
  bed_run_beside(ON_SPE(0, get_with_tag_1, &when), get_with_tag_2, NULL);
  blade_detach(bed.blade, &turns.probe);
  ck_assert_uint_eq(turns.count, 256);
  unsigned first = 0, issued[2] = {0};
  while (turns.tags[first] == turns.tags[0]) {
    issued[turns.tags[first++] - 1]++;
  }
  for (unsigned i = first; issued[0] < 128 && issued[1] < 128; i++) {
    ck_assert_uint_ne(turns.tags[i], turns.tags[i - 1]);
    issued[turns.tags[i] - 1]++;
  }
  ck_assert(turns.came[0] != turns.came[1] || turns.tags[0] == 1);
  return (int64_t)(turns.came[0] - turns.came[1]);
}

/* Assumption: nothing has been published about turns of the two sides. Without mfc.command-interval, as two
 * commands that reach an MFC in one cycle would not begin in one cycle. */
TEST(both_sides_of_an_mfc_take_turns) {
  bed_use("qs20", "mfc.command-interval=0");
  uint64_t about = (uint64_t)bed.platform->ppe.mmio;
  int64_t later = take_turns(about);
  ck_assert_int_eq(take_turns((uint64_t)((int64_t)about - later)), 0);
  ck_assert_int_eq(take_turns((uint64_t)((int64_t)about - later + 70)), 70);
  ck_assert_int_eq(take_turns((uint64_t)((int64_t)about - later - 70)), -70);
}

/* 1.5 GB/s at 3.2 GHz: 49152 bytes take 49152 / 1.5 * 3.2 = 104857.6 cycles. */
static void copy(void *argument) {
  uint64_t *cycles = argument, before = ppe_cycles();
  memset(blade_memory(bed.blade, ea), 3, 49152);
  ppe_memcpy(spu_ls_ea(3, HERE), ea, 49152);
  *cycles = ppe_cycles() - before;
}

TEST(the_ppe_copies_at_its_own_rate) {
  uint64_t cycles;
  const struct platform *p = bed.platform;
  run_ppe(copy, &cycles);
  ck_assert_uint_eq(cycles, (uint64_t)(49152 / p->ppe.copy_bandwidth * p->clock.spu + 0.5));
  ck_assert_mem_eq(blade_ls(bed.blade, 3) + HERE, blade_memory(bed.blade, ea), 49152);
}

PROGRAM(compute_1000, unsigned *runs = argument; spu_compute(1000); ++*runs)

PROGRAM(fault_at_once, mfc_get(spu_ls(HERE), ea, 24, 0, 0, 0))

/* Start each of 16 SPEs twice, and join the program. */
static void start_all(void *argument) {
  unsigned *runs = argument;
  struct spu spus[16];
  uint64_t mmio = (uint64_t)bed.platform->ppe.mmio;
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned i = 0; i < 16; i++) {
      spus[i] = (struct spu){.spe = i, .main = compute_1000, .argument = runs, .name = "started"};
      ppe_start_spu(&spus[i]);
    }
    for (unsigned i = 0; i < 16; i++) {
      ck_assert_int_eq(ppe_join_spu(&spus[i]), 0);
    }
  }
  ck_assert_uint_eq(*runs, 32);
  /* Each start and each join is one access; no join waits, as each program ends before the next access
   * does. */
  ck_assert_uint_eq(ppe_cycles(), 64 * mmio);
}

TEST(spe_programs_are_started_and_joined) {
  unsigned runs = 0;
  run_ppe(start_all, &runs);
}

static void start_failing(void *argument) {
  struct spu spu = {.spe = 4, .main = fault_at_once, .name = "failing"};
  ppe_start_spu(&spu);
  *(int *)argument = ppe_join_spu(&spu);
}

static void leave_bad_list(void *argument) {
  mfc_list_element_t *list = spu_ls(HERE);
  *list = (mfc_list_element_t){.size = 24, .eal = (uint32_t)spu_ls_ea(1, HERE)};
  mfc_getl(spu_ls(DEEP), spu_ls_ea(1, 0), list, sizeof *list, 0, 0, 0);
}

static void start_hasty(void *argument) {
  struct spu spu = {.spe = 4, .main = leave_bad_list, .name = "hasty"};
  ppe_start_spu(&spu);
  ppe_join_spu(&spu);
}

/* The PPE starts the program at 3200. The command reaches the MFC at 3200 + 10 (issue) + 30 (to the bus)
 * and begins; its element reaches the MFC 10 cycles later and begins 84 (mfc.command-interval) after the
 * command. */
TEST(a_bad_list_of_a_program_that_has_ended_is_a_fault_of_its_spe) {
  expect_fault(start_hasty, NULL,
               (const char *const[2]){"SPE 4 stopped at cycle 3324 by a fault: ", "DMA list element 0"});
}

TEST(joining_tells_of_a_fault) {
  int status = 0;
  expect_fault(start_failing, &status,
               (const char *const[2]){"failing stopped at cycle 3200 by a fault: ", "size of 24 bytes"});
  ck_assert_int_eq(status, -1);
}

#define FAULTY(name, call) \
  static void name(void *argument) { \
    ppe_compute(50); \
    call; \
  }

FAULTY(no_such_spe, spe_out_mbox_status(16))
FAULTY(no_such_register, spe_signal_write(0, 3, 1))
FAULTY(bad_proxy_size, spe_mfcio_put(0, HERE, ea, 24, 0, 0, 0))
FAULTY(copy_nowhere, ppe_memcpy(0x1000, ea, 16))
FAULTY(join_nobody, ppe_join_spu(&(struct spu){.spe = 3}))
FAULTY(no_rate, ppe_work(64))

TEST(wrong_calls_stop_the_ppe) {
  static const struct {
    void (*program)(void *);
    const char *message;
  } calls[] = {
    {no_such_spe, "SPE 16, expected 0 to 15"},
    {no_such_register, "signal notification register 3, expected 1 or 2"},
    {bad_proxy_size, "size of 24 bytes, expected 1, 2, 4, 8 or a multiple of 16 up to 16384"},
    {copy_nowhere, "effective addresses 0x1000 to 0x1010, expected a local store or memory"},
    {join_nobody, "joins a program that no program of a PPE has started"},
    {no_rate, "64 bytes to combine on a platform without a rate for it, expected a value of ppe.combine"}};
  for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
    expect_fault(calls[i].program, NULL,
                 (const char *const[2]){"PPE 0 stopped at cycle 50 by a fault: ", calls[i].message});
  }
}

PROGRAM(wait_for_interrupt, uint32_t word; spe_out_intr_mbox_read(11, &word, 1, SPE_MBOX_ALL_BLOCKING))

static void fill_mailbox(void *argument) {
  const uint32_t words[5] = {0};
  spe_in_mbox_write(12, words, 5, SPE_MBOX_ALL_BLOCKING);
}

TEST(a_deadlock_says_what_the_ppe_waits_for) {
  bed_expect_end(&PPES(ON_PPE(0, wait_for_interrupt, NULL), ON_PPE(1, fill_mailbox, NULL)), NULL,
                 "PPE 0 waits for a word in the outbound interrupt mailbox of SPE 11 since cycle 0\n"
                 "PPE 1 waits for room in the inbound mailbox of SPE 12 since cycle 12800\n");
}
