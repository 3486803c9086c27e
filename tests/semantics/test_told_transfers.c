/* SPDX-License-Identifier: BSD-3-Clause
 * Events of DMA commands and of waiting programs, derived from small programs: each wait's program, subject
 * and first cycle, the cause of its end, and the ways of bus requests. */
#include "tests/asserts.h"
#include "tests/semantics/recorder.h"
#include "tests/suite.h"

enum { A = 0x10000, B = 0x20000, FLAG = 0x30000 };

static void finish(void) {
  mfc_write_tag_mask(UINT32_MAX);
  mfc_read_tag_status_all();
}

/* --- DMA commands --- */

PROGRAM(get_and_finish, mfc_get(spu_ls(A), spu_ls_ea(2, A), 16, 3, 0, 0); finish())

TESTS(told_transfers, .start = recorder_start, .stop = recorder_stop);

TEST(a_program_waits_for_its_own_command) {
  recorder_run(get_and_finish, NULL, NULL);
  const struct probe_event *complete = recorder_event(PROBE_COMPLETE, 0);
  const struct probe_event *wake = recorder_only_wait(0, PROBE_FOR_TAGS, ISSUE);
  recorder_check_cause(wake, PROBE_BY_COMPLETION, 0, 1);
  ck_assert(complete->complete.wakes && complete < wake);
  ck_assert_uint_eq(wake->cycle, complete->cycle);
  ck_assert_str_eq(told.text, "waits for tag groups 0xffffffff");
  const struct probe_compute *compute = &recorder_event(PROBE_COMPUTE, 0)->compute;
  ck_assert(compute->program == 0 && compute->reason == COMPUTE_ISSUE && compute->at == 0);
  ck_assert_uint_eq(compute->cycles, ISSUE);
  const struct probe_enqueue *enqueue = &recorder_event(PROBE_ENQUEUE, 0)->enqueue;
  ck_assert(enqueue->program == 0 && enqueue->dma.spe == 0 && enqueue->dma.command == 1);
  ck_assert(enqueue->at == ISSUE && enqueue->ea == spu_ls_ea(2, A) && enqueue->dma.tag == 3);
}

static void get_compute_and_finish(void *argument) {
  mfc_get(spu_ls(A), spu_ls_ea(2, A), 16, 3, 0, 0);
  spu_compute(5000);
  finish();
}

/* The command has completed long before the program's look; the program is ahead of the machine when the wait
 * begins. */
TEST(a_wait_that_takes_no_time_is_not_told) {
  recorder_run(get_compute_and_finish, NULL, NULL);
  ck_assert_uint_eq(recorder_count(PROBE_COMPLETE), 1);
  ck_assert_uint_eq(recorder_event(PROBE_COMPLETE, 0)->complete.wakes, false);
  ck_assert_uint_eq(recorder_count(PROBE_WAIT) + recorder_count(PROBE_WAKE), 0);
  ck_assert_uint_eq(recorder_event(PROBE_COMPUTE, 1)->compute.reason, COMPUTE_OTHER);
  ck_assert_uint_eq(recorder_event(PROBE_COMPUTE, 1)->compute.at, ISSUE);
  ck_assert_uint_eq(recorder_event(PROBE_EXIT, 0)->exit.at, 5000 + ISSUE);
}

static void fill_queue(void *argument) {
  for (uint32_t i = 0; i < 17; i++) {
    mfc_get(spu_ls(A), spu_ls_ea(2, A), 16, 3, 0, 0);
  }
}

/* The queue has 16 entries; commands of one size from one place complete in the order of issue. */
TEST(a_full_queue_makes_a_program_wait_for_the_oldest_command) {
  recorder_run(fill_queue, NULL, NULL);
  recorder_check_cause(recorder_only_wait(0, PROBE_FOR_QUEUE, 16 * ISSUE), PROBE_BY_COMPLETION, 0, 1);
  ck_assert_str_eq(told.text, "waits for room in its DMA queue");
}

static void put_list(void *argument) {
  mfc_list_element_t *list = spu_ls(B);
  list[0] = (mfc_list_element_t){.size = 48, .eal = (uint32_t)spu_ls_ea(8, A)};
  list[1] = (mfc_list_element_t){.size = 160, .eal = (uint32_t)spu_ls_ea(8, A + 1024)};
  mfc_putl(spu_ls(A), spu_ls_ea(8, 0), list, 2 * sizeof *list, 5, 0, 0);
  finish();
}

/* A list to the other chip: the list's bytes are counted through, element after element; the second element
 * has two requests. */
TEST(requests_of_a_list_that_crosses_are_named_by_their_bytes) {
  static const unsigned offsets[] = {0, 48, 176}, sizes[] = {48, 128, 32};
  recorder_run(put_list, NULL, NULL);
  ck_assert_uint_eq(recorder_count(PROBE_ELEMENT), 2);
  ck_assert_uint_eq(recorder_event(PROBE_ELEMENT, 1)->element.offset, 48);
  ck_assert_uint_eq(recorder_event(PROBE_ELEMENT, 1)->element.nbytes, 160);
  ck_assert_uint_eq(recorder_event(PROBE_ELEMENT, 1)->element.dma.nbytes, 16);
  for (unsigned i = 0; i < 3; i++) {
    const struct probe_grant *here = &recorder_event(PROBE_GRANT, 0)->grant;
    const struct probe_request *names[] = {&recorder_event(PROBE_ISSUE, i)->issue.request,
                                           &recorder_event(PROBE_CROSS, i)->cross.request,
                                           &recorder_event(PROBE_DELIVER, i)->deliver.request};
    for (unsigned j = 0; j < 3; j++) {
      ck_assert(names[j]->spe == 0 && names[j]->command == 1 && names[j]->tag == 5);
      ck_assert_uint_eq(names[j]->offset, offsets[i]);
      ck_assert_uint_eq(names[j]->nbytes, sizes[i]);
    }
    ck_assert(here->chip == 0 && recorder_event(PROBE_ISSUE, i)->issue.chip == 0);
    ck_assert(recorder_event(PROBE_CROSS, i)->cross.chip == 0 &&
              recorder_event(PROBE_CROSS, i)->cross.next_chip == 1);
    ck_assert_uint_eq(recorder_event(PROBE_DELIVER, i)->deliver.peer, 8);
  }
  unsigned on_chip[2] = {0, 0};
  for (unsigned i = 0; i < recorder_count(PROBE_GRANT); i++) {
    on_chip[recorder_event(PROBE_GRANT, i)->grant.chip]++;
  }
  ck_assert(on_chip[0] == 3 && on_chip[1] == 3);
}

static uint64_t memory;

PROGRAM(put_to_memory, mfc_put(spu_ls(A), memory, 128, 0, 0, 0); finish())

TEST(memory_says_whose_request_it_takes) {
  memory = blade_allocate(told.bed.blade, 0, 128);
  recorder_run(put_to_memory, NULL, NULL);
  const struct probe_memory *taken = &recorder_event(PROBE_MEMORY, 0)->memory;
  ck_assert(taken->request.spe == 0 && taken->request.command == 1 && taken->request.nbytes == 128);
  ck_assert(taken->is_write && taken->chip == 0);
  ck_assert_uint_eq(recorder_event(PROBE_DELIVER, 0)->deliver.peer, PROBE_NOBODY);
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
  recorder_run(raise_flag, await_flag, NULL);
  const struct probe_event *wake = recorder_only_wait(1, PROBE_FOR_FLAG, 100);
  const struct probe_event *deliver = recorder_event(PROBE_DELIVER, 1);
  recorder_check_cause(wake, PROBE_BY_DELIVERY, 0, 2);
  ck_assert(!recorder_event(PROBE_DELIVER, 0)->deliver.wakes && deliver->deliver.wakes);
  ck_assert(deliver->deliver.peer == 1 && deliver->cycle == wake->cycle);
  ck_assert_str_eq(told.text, "waits for flag 1 from rank 7");
}

static void copy_flag(void *argument) {
  *(uint32_t *)(void *)blade_memory(told.bed.blade, memory) = 1;
  ppe_compute(5000);
  ppe_memcpy(spu_ls_ea(1, FLAG), memory, 16);
}

TEST(a_flag_is_raised_by_the_copy_of_a_ppe) {
  memory = blade_allocate(told.bed.blade, 0, 128);
  recorder_run(NULL, await_flag, copy_flag);
  const struct probe_event *copy = recorder_event(PROBE_COPY, 0),
                           *wake = recorder_only_wait(1, PROBE_FOR_FLAG, 100);
  recorder_check_cause(wake, PROBE_BY_PROGRAM, PPE, copy->copy.by.number);
  ck_assert(copy->copy.to == spu_ls_ea(1, FLAG) && copy->copy.from == memory && copy->copy.nbytes == 16);
  ck_assert_uint_eq(copy->cycle, wake->cycle);
  ck_assert_uint_eq(recorder_event(PROBE_COMPUTE, 2)->compute.reason, COMPUTE_COPY);
}
