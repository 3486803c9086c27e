/* SPDX-License-Identifier: BSD-3-Clause
 * The hazard detector on hosts: each hazard has its message, and the ordered program beside the hazard has
 * none. Platform gdx without losses, so that a message takes the time of its links; hosts of two processes
 * each. */
#include "sim/node/machine.h"
#include "sim/node/host_api.h"
#include "sim/spu/spu_time.h"
#include "traces/order/order.h"
#include "tests/net_bed.h"

enum {
  A = 0x1000,
  B = 0x2000,
  FLAG = 0x3000,
  SECOND = FLAG + 0x40,
  BYTES = 1024,
  MEMORY = 0x1010000,
  PROCESSES = 4
};

static struct platform *platform;
static struct machine *machine;
static struct order *order;
static struct observer observer;
static const struct machine_memory memory = {PROCESSES, MEMORY, true};

static void set_up(void) {
  net_bed_start();
  platform = bed_platform("gdx", "network.transport=lossless network.buffer=0 node.processes=2");
  machine = machine_of_nodes(platform, 0, 1, &failure);
  ck_assert_msg(machine != NULL, "%s", failure.text);
  order = order_new_on_hosts(machine_nodes(machine).n);
  observer.probe = order_probe(order);
  machine_attach(machine, &observer);
}

static void tear_down(void) {
  machine_detach(machine, &observer);
  order_free(order);
  machine_free(machine);
  bed_end();
}

/* Run PROGRAMS, one for each process; NULL: none. */
static void run(void (*const programs[PROCESSES])(void *)) {
  static const char *const names[PROCESSES] = {"zero", "one", "two", "three"};
  machine_reset(machine, &memory);
  for (unsigned i = 0; i < PROCESSES; i++) {
    if (programs[i]) {
      machine_start(machine, (struct place){.kind = PLACE_PROCESS, .node = i},
                    &(struct machine_program){.main = programs[i], .name = names[i]});
    }
  }
  struct blade_result result = machine_run(machine);
  ck_assert_msg(!result.faults && !result.stuck, "%s", result.faults ? result.faults : result.stuck);
  blade_result_fini(&result);
}

#define RUN(...) run((void (*const[PROCESSES])(void *)){__VA_ARGS__})

/* Run programs likewise, and check that there were no hazards. */
#define RUN_SOUND(...) (RUN(__VA_ARGS__), expect(0, NULL))

/* The put of process 0 in messages, and puts of other processes or cycles. */
#define PUT(who, at, from, to) \
  "put of 1024 bytes (" who ", tag 3, cycle " at ", from 0x1000 of process " from " to " to " of process 2)"
#define PUT_OF_0 PUT("zero on process 0", "0", "0", "0x2000")

/* Check that there were COUNT hazards, and that the message of the first begins with MESSAGE and ends with
 * ADVICE. */
static void expect_advice(unsigned count, const char *message, const char *advice) {
  struct hazard_list *hazards = order_hazards(order);
  const char *first = hazards->lines[0] ? hazards->lines[0] : "none";
  ck_assert_msg(hazards->count == count, "%u hazards: %s", (unsigned)hazards->count, first);
  ck_assert_msg(count == 0 || strncmp(first, message, strlen(message)) == 0, "%s", first);
  ck_assert_str_eq(first + strlen(first) - strlen(advice), advice);
  hazard_list_clear(hazards);
}

static void expect(unsigned count, const char *message) {
  expect_advice(count, message, "");
}

/* Return the cycles of a process for sending a message. */
static unsigned send_cycles(void) {
  return (unsigned)llround(1e3 * platform->nic.send * platform->clock.spu);
}

static void put(unsigned process, uint32_t from, uint32_t to, size_t nbytes) {
  host_put(
    &(struct host_transfer){.here = spu_ls(from), .ea = host_ea(process, to), .nbytes = nbytes, .tag = 3});
}

static void get(unsigned process, uint32_t from, uint32_t to, size_t nbytes) {
  host_get(
    &(struct host_transfer){.here = spu_ls(to), .ea = host_ea(process, from), .nbytes = nbytes, .tag = 3});
}

/* Raise the flag of PROCESS. */
static void tell(unsigned process) {
  uint32_t one = 1;
  host_tell(
    &(struct host_transfer){.here = &one, .ea = host_ea(process, FLAG), .nbytes = sizeof one, .tag = 4});
}

static void await_flag(void) {
  spu_note_flags(spu_ls(FLAG), sizeof(uint32_t));
  spu_wait_flag(&(struct spu_flag){.word = spu_ls(FLAG), .value = 1, .what = "flag"});
}

/* --- the source of a put --- */

PROGRAM(put_and_overwrite, put(2, A, B, BYTES); spu_note_store(spu_ls(A + 1000), 100); host_wait_tag(3))

static void put_and_read(void *argument) {
  put(2, A, B, BYTES);
  spu_note_load(spu_ls(A), BYTES);
  spu_note_store(spu_ls(A + BYTES), 100);
  host_wait_tag(3);
}

PROGRAM(put_and_wait, put(2, A, B, BYTES); host_wait_tag(3); spu_note_store(spu_ls(A), BYTES))
PROGRAM(write_and_put, spu_note_store(spu_ls(A), BYTES); put(2, A, B, BYTES); host_wait_tag(3))

TESTS(host_hazards, .start = set_up, .stop = tear_down);

TEST(what_a_put_reads_must_not_be_written_before_it_is_over) {
  char text[256];
  snprintf(text, sizeof text,
           PUT_OF_0 " reads and zero on process 0 (cycle %u) writes 24 bytes at 0x13e8 of process 0, in no "
                    "order: a wait for tag 3 between the two would order the two",
           send_cycles());
  RUN(put_and_overwrite);
  expect(1, text);
  RUN_SOUND(put_and_read);
  RUN_SOUND(put_and_wait);
  RUN_SOUND(write_and_put); /* both in cycle 0 */
}

/* --- two transfers --- */

PROGRAM(put_after_one_byte, put(2, A, B + BYTES - 1, BYTES); host_wait_tag(3))
PROGRAM(put_after_all_bytes, put(2, A, B + BYTES, BYTES); host_wait_tag(3))
PROGRAM(put_twice, put(2, A, B, BYTES); put(2, A, B, BYTES); host_wait_tag(3))
PROGRAM(put_one_by_one, put(2, A, B, BYTES); host_wait_tag(3); put(2, A, B, BYTES); host_wait_tag(3))
PROGRAM(get_what_is_put, get(2, B, A, BYTES); host_wait_tag(3))

TEST(two_puts_under_way_to_the_same_bytes_of_a_process_are_in_no_order) {
  RUN(put_and_wait, put_after_one_byte);
  expect(1, PUT_OF_0 " writes and " PUT(
              "one on process 1", "0", "1",
              "0x23ff") " writes 1 bytes at 0x23ff of process 2, in no order: before the second its program "
                        "must learn from a flag or a signal that the first is over");
  RUN_SOUND(put_and_wait, put_after_all_bytes);
  char text[384];
  snprintf(text, sizeof text,
           PUT_OF_0 " writes and " PUT(
             "zero on process 0", "%u", "0",
             "0x2000") " writes 1024 bytes at 0x2000 of process 2, in no order: a wait for tag 3 "
                       "between the two would order the two",
           send_cycles());
  RUN(put_twice);
  expect(1, text);
}

TEST(puts_that_are_waited_for_one_by_one_are_in_order) {
  RUN_SOUND(put_one_by_one);
}

TEST(a_get_reads_what_a_put_writes) {
  RUN(put_and_wait, get_what_is_put);
  expect(
    1, PUT_OF_0
    " writes and get of 1024 bytes (one on process 1, tag 3, cycle 0, from 0x2000 of process 2 to 0x1000 of "
    "process 1) reads 1024 bytes at 0x2000 of process 2, in no order");
}

/* --- arrival --- */

PROGRAM(put_and_tell, put(2, A, B, BYTES); tell(2); host_wait_tag(3))
PROGRAM(read_at_once, spu_note_load(spu_ls(B + 8), 8))
PROGRAM(write_at_once, spu_note_store(spu_ls(B + 8), 8))
PROGRAM(read_late, spu_compute_for(COMPUTE_COPY, 100000000); spu_note_load(spu_ls(B + 8), 8))

static void use_what_has_come(void *argument) {
  await_flag();
  spu_note_load(spu_ls(B), BYTES);
  spu_note_store(spu_ls(B), BYTES);
}

TEST(what_a_put_writes_is_not_touched_before_its_arrival_is_known) {
  RUN(put_and_wait, NULL, read_at_once);
  expect(1,
         PUT_OF_0 " writes and two on process 2 (cycle 0) reads 8 bytes at 0x2008 of process 2, in no order");
  RUN(put_and_wait, NULL, write_at_once);
  expect(1, PUT_OF_0
         " writes and two on process 2 (cycle 0) writes 8 bytes at 0x2008 of process 2, in no order");
  RUN(put_and_wait, NULL, read_late);
  expect(1, PUT_OF_0 " writes and two on process 2 (cycle 100000000) reads ");
}

/* The receiver goes on before the acknowledgement is back: the put then only reads its source, and writes no
 * more. */
TEST(what_is_told_comes_after_what_was_put) {
  RUN_SOUND(put_and_tell, NULL, use_what_has_come);
}

static void look_and_use(void *argument) {
  struct spu_flag flags[] = {{.word = spu_ls(SECOND), .value = 1, .what = "second flag"},
                             {.word = spu_ls(FLAG), .value = 1, .what = "flag"}};
  spu_note_flags(spu_ls(FLAG), sizeof(uint32_t));
  spu_wait_any(&(struct spu_any){.flags = flags, .nflags = 2});
  ck_assert(!spu_poll_flag(&flags[0]));
  ck_assert(argument || spu_poll_flag(&flags[1]));
  spu_note_load(spu_ls(B), BYTES);
}

PROGRAM(use_without_a_look, look_and_use(platform))

/* The wait is also for a flag that nobody raises: only the tag can end the wait. */
static void put_look_and_overwrite(void *argument) {
  struct spu_flag flag = {.word = spu_ls(SECOND), .value = 1, .what = "second flag"};
  put(2, A, B, BYTES);
  ck_assert_uint_eq(host_poll_tags(1 << 3 | 1 << 5), 1 << 5);
  spu_wait_any(&(struct spu_any){.flags = &flag, .nflags = 1, .tags = 1 << 3});
  ck_assert(argument || host_poll_tags(1 << 3 | 1 << 5) == (1 << 3 | 1 << 5));
  spu_note_store(spu_ls(A), BYTES);
}

PROGRAM(overwrite_without_a_look, put_look_and_overwrite(platform))

TEST(a_look_orders_and_a_wait_for_one_of_several_does_not) {
  RUN_SOUND(put_and_tell, NULL, look_and_use);
  RUN_SOUND(put_look_and_overwrite);
  RUN(put_and_tell, NULL, use_without_a_look);
  expect(1, PUT_OF_0 " writes and two on process 2 (cycle ");
  RUN(overwrite_without_a_look);
  expect(1, PUT_OF_0 " reads and zero on process 0 (cycle ");
}

/* --- other processes --- */

PROGRAM(put_and_tell_1, put(2, A, B, BYTES); tell(1); host_wait_tag(3))
PROGRAM(put_wait_and_tell_1, put(2, A, B, BYTES); host_wait_tag(3); tell(1))
PROGRAM(pass_on_to_2, await_flag(); tell(2))
PROGRAM(pass_on_to_3, await_flag(); tell(3))
PROGRAM(put_when_told, await_flag(); put(2, A, B, BYTES); host_wait_tag(3))

/* The receiver of the bytes has seen a tell behind the put; who hears of that knows the end of the put. */
TEST(a_tell_orders_puts_into_the_memory_of_its_receiver_only) {
  RUN(put_and_tell_1, pass_on_to_2, use_what_has_come);
  expect_advice(2, PUT_OF_0 " writes and two on process 2 (cycle ",
                ": a wait for tag 3 before the message that followed the first would order the two");
  RUN_SOUND(put_wait_and_tell_1, pass_on_to_2, use_what_has_come);
  RUN_SOUND(put_and_tell, NULL, pass_on_to_3, put_when_told);
}

static void put_and_overwrite_when_told(void *argument) {
  put(2, A, B, BYTES);
  tell(2);
  await_flag();
  spu_note_store(spu_ls(A), BYTES);
}

PROGRAM(answer_0, await_flag(); tell(0))
PROGRAM(answer_0_at_once, tell(0); await_flag())

TEST(what_has_come_has_left_its_source) {
  RUN_SOUND(put_and_overwrite_when_told, NULL, answer_0);
  RUN(put_and_overwrite_when_told, NULL, answer_0_at_once);
  expect(1, PUT_OF_0 " reads and zero on process 0 (cycle ");
}

static void put_with_many_tags(void *argument) {
  host_put(&(struct host_transfer){spu_ls(A), host_ea(2, B), BYTES, .tag = 35});
  host_wait_tag(argument ? 35 : 3);
  spu_note_store(spu_ls(A), BYTES);
}

PROGRAM(wait_for_tag_3, put_with_many_tags(NULL))
PROGRAM(wait_for_tag_35, put_with_many_tags(platform))

TEST(a_wait_orders_transfers_of_its_tag_only) {
  RUN(wait_for_tag_3);
  expect(1, "put of 1024 bytes (zero on process 0, tag 35, cycle 0, ");
  RUN_SOUND(wait_for_tag_35);
}

/* --- tells within a host --- */

/* Raise the flag of PROCESS, on the same host, to VALUE. */
static void tell_near(unsigned process, uint32_t value) {
  host_tell_near(
    &(struct host_transfer){.here = &value, .ea = host_ea(process, FLAG), .nbytes = sizeof value});
}

PROGRAM(put_and_tell_near, put(2, A, B, BYTES); tell_near(2, 1); host_wait_tag(3))
PROGRAM(put_wait_and_tell_near, put(2, A, B, BYTES); host_wait_tag(3); tell_near(2, 1))
PROGRAM(tell_near_twice, tell_near(2, 0); tell_near(2, 1))

TEST(a_tell_through_shared_memory_does_not_wait_for_puts) {
  RUN(NULL, NULL, use_what_has_come, put_and_tell_near);
  expect(2, "put of 1024 bytes (three on process 3, tag 3, cycle 0, ");
  RUN_SOUND(NULL, NULL, use_what_has_come, put_wait_and_tell_near);
  RUN_SOUND(NULL, NULL, use_what_has_come, tell_near_twice);
}

/* --- several tells of one process --- */

enum { LATE = 100000000 };

/* The begins of messages about the put of process 0 after a tell, and of the put of process 1. */
#define PUT_OF_1 "put of 1024 bytes (one on process 1, tag 3, cycle "
#define PUT_AFTER_TELL "put of 1024 bytes (zero on process 0, tag 3, cycle "

static void tell_second(unsigned process) {
  uint32_t one = 1;
  host_tell(&(struct host_transfer){.here = &one, .ea = host_ea(process, SECOND), .nbytes = sizeof one});
}

static void await_second(void) {
  spu_note_flags(spu_ls(SECOND), sizeof(uint32_t));
  spu_wait_flag(&(struct spu_flag){.word = spu_ls(SECOND), .value = 1, .what = "second flag"});
}

PROGRAM(tell_put_and_tell, tell(2); put(2, A, B, BYTES); tell_second(2); host_wait_tag(3))
PROGRAM(use_after_both, await_flag(); await_second(); spu_note_load(spu_ls(B), BYTES))
PROGRAM(use_after_both_the_later_first, await_second(); await_flag(); spu_note_load(spu_ls(B), BYTES))

TEST(the_last_tell_of_all_that_are_seen_counts) {
  RUN_SOUND(tell_put_and_tell, NULL, use_after_both);
  RUN_SOUND(tell_put_and_tell, NULL, use_after_both_the_later_first);
  RUN(tell_put_and_tell, NULL, use_what_has_come);
  expect(2, PUT_AFTER_TELL);
}

static void use_late(void *argument) {
  spu_compute_for(COMPUTE_COPY, LATE);
  use_what_has_come(argument);
}

PROGRAM(tell_put_and_wait, tell(2); put(2, A, B, BYTES); host_wait_tag(3))
PROGRAM(only_wait, await_flag())
PROGRAM(copy_late, spu_compute_for(COMPUTE_COPY, LATE); host_copy(spu_ls(A), host_ea(2, B), BYTES))

/* The receiver, and who hears of the receiver, learns the state of the sender at the tell. */
TEST(a_tell_brings_no_later_knowledge_and_reaches_nobody_else) {
  RUN(tell_put_and_wait, NULL, use_late);
  expect(2, PUT_AFTER_TELL);
  RUN(put_and_tell, NULL, only_wait, copy_late);
  expect(1, PUT_OF_0 " writes and three on process 3 (cycle ");
}

static void get_and_tell(void *argument) {
  get(2, B, A, BYTES);
  tell(2);
  host_wait_tag(3);
}

TEST(a_tell_does_not_wait_for_gets) {
  RUN(get_and_tell, NULL, use_what_has_come);
  expect(1, "get of 1024 bytes (zero on process 0, tag 3, cycle 0, ");
}

static void tell_from_memory_and_overwrite(void *argument) {
  host_tell(&(struct host_transfer){.here = spu_ls(A), .ea = host_ea(2, SECOND), .nbytes = 4});
  spu_note_store(spu_ls(A), BYTES);
}

PROGRAM(only_tell, tell(2))
PROGRAM(lower_the_flag, await_flag(); spu_note_store(spu_ls(FLAG), sizeof(uint32_t)))

TEST(what_is_told_has_left_its_source_and_is_over_when_seen) {
  RUN_SOUND(tell_from_memory_and_overwrite);
  RUN_SOUND(only_tell, NULL, lower_the_flag);
}

/* The number of the tell in the place of a tag is the tag of the put plus 32. */
static void tell_wait_and_pass_on(void *argument) {
  uint32_t one = 1;
  host_tell(&(struct host_transfer){.here = &one, .ea = host_ea(2, B), .nbytes = 4, .tag = 35});
  put(2, A, B + BYTES, BYTES);
  host_wait_tag(3);
  tell(1);
}

TEST(no_wait_for_a_tag_is_a_wait_for_a_tell) {
  RUN(tell_wait_and_pass_on, put_when_told);
  expect(1, "zero on process 0 (cycle 0) writes and " PUT_OF_1);
}

/* --- flags that puts and gets bring --- */

static void put_flag(void) {
  *(uint32_t *)spu_ls(A) = 1;
  put(2, A, FLAG, sizeof(uint32_t));
}

PROGRAM(put_wait_and_put_flag, put(2, A, B, BYTES); host_wait_tag(3); put_flag(); host_wait_tag(3))
PROGRAM(put_and_put_flag, put(2, A, B, BYTES); put_flag(); host_wait_tag(3))

TEST(a_flag_that_a_put_brings_tells_what_the_sender_knew) {
  RUN_SOUND(put_wait_and_put_flag, NULL, use_late);
  RUN(put_and_put_flag, NULL, use_late);
  expect(2, PUT_OF_0);
}

static void get_flag_and_data(void *argument) {
  await_flag(); /* process 2 has announced the flag */
  spu_compute_for(COMPUTE_COPY, LATE);
  get(2, FLAG, A, sizeof(uint32_t));
  host_wait_tag(3);
  get(2, B, A, BYTES);
  host_wait_tag(3);
}

PROGRAM(announce_and_wait, spu_note_flags(spu_ls(FLAG), sizeof(uint32_t)); tell(1); await_flag())
PROGRAM(put_wait_and_tell, put(2, A, B, BYTES); host_wait_tag(3); tell(2))

TEST(a_flag_that_a_get_brings_tells_what_its_writer_knew) {
  RUN_SOUND(put_wait_and_tell, get_flag_and_data, announce_and_wait);
  RUN(tell_put_and_wait, get_flag_and_data, announce_and_wait);
  expect(1, PUT_AFTER_TELL);
}

/* --- gets, copies, and flags in the place of data --- */

static void get_and_use(void *argument) {
  get(2, B, A, BYTES);
  spu_note_load(spu_ls(A), 4);
  host_wait_tag(3);
  spu_note_load(spu_ls(A), 4);
}

PROGRAM(copy_from_neighbour, host_copy(spu_ls(A), host_ea(2, B), BYTES))
PROGRAM(write_around_the_flag, put(2, A, FLAG, BYTES); host_wait_tag(3))
PROGRAM(put_and_tell_there, put(2, A, FLAG, BYTES); tell(2); host_wait_tag(3))

TEST(what_a_get_brings_is_not_used_before_it_is_over) {
  RUN(NULL, get_and_use);
  expect(
    1,
    "get of 1024 bytes (one on process 1, tag 3, cycle 0, from 0x2000 of process 2 to 0x1000 of process 1) "
    "writes and one on process 1 (cycle ");
}

TEST(a_copy_reads_the_memory_of_another_process) {
  RUN(put_and_wait, NULL, NULL, copy_from_neighbour);
  expect(1, PUT_OF_0
         " writes and three on process 3 (cycle 0) reads 1024 bytes at 0x2000 of process 2, in no order");
  RUN_SOUND(NULL, NULL, NULL, copy_from_neighbour);
}

TEST(what_is_told_is_data_where_nobody_polls) {
  RUN(write_around_the_flag, only_tell);
  expect(1, PUT("zero on process 0", "0", "0",
                "0x3000") " writes and one on process 1 (cycle 0) writes 4 bytes at 0x3000 of process 2, in "
                          "no order: before the second its program must learn from a flag or a signal that "
                          "the first is over");
  RUN_SOUND(put_and_tell_there);
}

/* An address at this place of the area of an SPE is a register. */
enum { FAR_BEHIND = 0x1000000 };

PROGRAM(put_far_behind, put(2, A, FAR_BEHIND, BYTES); host_wait_tag(3))
PROGRAM(read_far_behind, spu_note_load(spu_ls(FAR_BEHIND), 8))

TEST(all_addresses_of_a_process_are_memory) {
  RUN(put_far_behind, NULL, read_far_behind);
  expect(1, PUT("zero on process 0", "0", "0", "0x1000000") " writes and two on process 2 (cycle 0) reads ");
}

/* --- wrong programs --- */

static void put_a_variable(void *argument) {
  uint64_t variable = 0;
  host_put(&(struct host_transfer){.here = &variable, .ea = host_ea(2, B), .nbytes = sizeof variable});
}

TEST(a_transfer_begins_and_ends_in_the_memory_of_a_process) {
  machine_reset(machine, &memory);
  machine_start(machine, (struct place){.kind = PLACE_PROCESS},
                &(struct machine_program){.main = put_a_variable, .name = "zero"});
  struct blade_result result = machine_run(machine);
  ck_assert_str_eq(result.faults, "zero: 8 bytes that are not in the own memory, expected those of spu_ls\n");
  blade_result_fini(&result);
}
