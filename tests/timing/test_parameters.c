/* SPDX-License-Identifier: BSD-3-Clause
 * Every row of platform.def has its effect, also where all shipped platforms have 0: of each parameter two
 * values, and the effect of the difference. A parameter ignored by the machine has no effect, and fails here.
 *
 * Derivations: in a lone get of a line every delay on the way counts once; the line makes 3 hops from SPE1 to
 * SPE0 and has 8 beats (test_exact.c). A second line follows after the longest of the intervals between two
 * lines: 18 cycles of the ramps, 25 of the link, rounded up. */
#include "tests/call_bed.h"

enum { HERE = 0x10000, THERE = 0x20000, LIST = 0x30000, FAR_SPE = 8, LINE = 128, LONG = 16384 };

/* --- programs --- */

static uint64_t seen, memory; /* a program's result; a line in main memory of chip 0 */

static void get(uint64_t ea, uint32_t nbytes) {
  mfc_get(spu_ls(HERE), ea, nbytes, 0, 0, 0);
}

static void put(uint64_t ea, uint32_t nbytes) {
  mfc_put(spu_ls(THERE), ea, nbytes, 0, 0, 0);
}

/* A program with the statements WHAT that then waits for the program's transfers. */
#define TRANSFER(name, what) \
  static void name(void *argument) { \
    (void)argument; \
    what; \
    bed_finish(1); \
  }

TRANSFER(get_line, get(spu_ls_ea(1, HERE), LINE))
TRANSFER(get_two, get(spu_ls_ea(1, HERE), 2 * LINE))
TRANSFER(get_long, get(spu_ls_ea(1, HERE), LONG))
TRANSFER(get_back, get(spu_ls_ea(0, HERE), LONG))
TRANSFER(get_other_line, get(spu_ls_ea(3, HERE), LINE))
TRANSFER(get_line_apart, get(spu_ls_ea(5, HERE), LINE))
TRANSFER(put_line, put(spu_ls_ea(1, HERE), LINE))
TRANSFER(put_other_line, put(spu_ls_ea(3, HERE), LINE))
TRANSFER(far_get_line, get(spu_ls_ea(FAR_SPE, HERE), LINE))
TRANSFER(far_get_two, get(spu_ls_ea(FAR_SPE, HERE), 2 * LINE))
TRANSFER(far_put_line, put(spu_ls_ea(FAR_SPE, HERE), LINE))
TRANSFER(far_put_two, put(spu_ls_ea(FAR_SPE, HERE), 2 * LINE))
TRANSFER(memory_get_line, get(memory, LINE))
TRANSFER(memory_get_two, get(memory, 2 * LINE))
TRANSFER(memory_put_two, put(memory, 2 * LINE))
TRANSFER(get_and_put, (get(spu_ls_ea(1, HERE), LONG), put(spu_ls_ea(2, THERE), LONG)))
TRANSFER(look, mfc_stat_cmd_queue())
TRANSFER(synchronize, mfc_sync(0))

static void get_list(void *argument) {
  mfc_list_element_t *list = spu_ls(LIST);
  *list = (mfc_list_element_t){.size = LINE, .eal = (uint32_t)spu_ls_ea(1, HERE)};
  mfc_getl(spu_ls(HERE), spu_ls_ea(1, 0), list, sizeof *list, 0, 0, 0);
  bed_finish(1);
}

static void issue_four(void *argument) {
  for (unsigned i = 0; i < 4; i++) {
    get(spu_ls_ea(1, HERE), LINE);
  }
  seen = spu_cycles();
  bed_finish(1);
}

PROGRAM(load_line, mfc_getllar(spu_ls(HERE), memory, 0, 0); mfc_read_atomic_status())
PROGRAM(load_line_twice, load_line(argument); load_line(argument))
PROGRAM(store_line, load_line(argument); mfc_putllc(spu_ls(HERE), memory, 0, 0); mfc_read_atomic_status())
PROGRAM(load_late, spu_compute(20000); load_line(argument); seen = spu_cycles())

static void wait_for_put(void *argument) {
  spu_note_flags(spu_ls(HERE), 4);
  spu_wait_flag(&(struct spu_flag){.word = spu_ls(HERE), .value = 1, .peer = 1, .what = "flag"});
  seen = spu_cycles();
}

PROGRAM(put_flag, *(uint32_t *)spu_ls(THERE) = 1; put(spu_ls_ea(0, HERE), 16); bed_finish(1))

/* 20 and one more ticks of the decrementer. */
static void count_down(void *argument) {
  spu_write_event_mask(MFC_DECREMENTER_EVENT);
  spu_write_decrementer(20);
  spu_read_event_status();
}

PROGRAM(write_mail, uint32_t word = 1; spe_in_mbox_write(0, &word, 1, SPE_MBOX_ALL_BLOCKING))
PROGRAM(copy_memory, ppe_memcpy(memory, memory + LONG, 9600))

static void give_four_proxy_commands(void *argument) {
  for (unsigned i = 0; i < 4; i++) {
    spe_mfcio_get(0, HERE, spu_ls_ea(1, HERE), LONG, 0, 0, 0);
  }
}

/* --- observations --- */

/* A program for SPE 0 and one for another one, or one for the PPE. */
static uint64_t run(void (*first)(void *), unsigned spe, void (*second)(void *), void (*ppe)(void *)) {
  struct spu spus[] = {{.spe = 0, .main = first, .name = "rank 0"},
                       {.spe = spe, .main = second, .name = "rank 1"}};
  struct ppu ppu = {.main = ppe, .name = "PPE"};
  seen = 0;
  memory = blade_allocate(bed.blade, 0, 2 * LONG);
  return bed_run_all(&(struct spu_programs){.spus = spus,
                                            .nspus = second  ? 2
                                                     : first ? 1
                                                             : 0,
                                            .ppus = &ppu,
                                            .nppus = ppe ? 1 : 0});
}

/* Run collective NAME, with its profile and an operator, on two ranks. */
static uint64_t time_call(const char *name, size_t nbytes, enum placement_kind placement,
                          const unsigned operands[2]) {
  struct call call = {.algorithm = call_bed_find(name),
                      .nranks = 2,
                      .nbytes = nbytes,
                      .op = operands[0],
                      .type = operands[1],
                      .repeat = 1,
                      .placement = {.kind = placement},
                      .profile = bed_profile()};
  return (uint64_t)call_bed_cycles(&call);
}

/* An observation: a number of the machine, EXPRESSION. */
typedef uint64_t observation(void);
#define OBSERVATION(name, expression) \
  static uint64_t name(void) { \
    return expression; \
  }
#define ALONE(program) OBSERVATION(time_##program, run(program, 0, NULL, NULL))

static const unsigned sum_of_integers[2] = {OP_SUM, TYPE_INT32};

ALONE(get_line)
ALONE(get_two)
ALONE(far_get_line)
ALONE(far_get_two)
ALONE(far_put_line)
ALONE(far_put_two)
ALONE(memory_get_line)
ALONE(memory_get_two)
ALONE(memory_put_two)
ALONE(get_and_put)
ALONE(look)
ALONE(synchronize)
ALONE(get_list)
ALONE(load_line_twice)
ALONE(count_down)
OBSERVATION(time_to_issue_four, (run(issue_four, 0, NULL, NULL), seen))
OBSERVATION(time_of_exchange, run(get_long, 1, get_back, NULL))
OBSERVATION(time_of_two_gets, run(get_line, 2, get_other_line, NULL))
OBSERVATION(time_of_two_puts, run(put_line, 2, put_other_line, NULL))
OBSERVATION(time_of_gets_apart, run(get_line, 3, get_line_apart, NULL))
OBSERVATION(time_of_two_loads, run(memory_get_line, 2, memory_get_line, NULL))
OBSERVATION(time_to_load_of_another, (run(load_late, 1, store_line, NULL), seen))
OBSERVATION(time_to_notice, (run(wait_for_put, 1, put_flag, NULL), seen))
OBSERVATION(time_write_mail, run(NULL, 0, NULL, write_mail))
OBSERVATION(time_copy_memory, run(NULL, 0, NULL, copy_memory))
OBSERVATION(time_to_give_four, run(NULL, 0, NULL, give_four_proxy_commands))
OBSERVATION(time_of_barrier, time_call("barrier:recursive-doubling", 0, PLACEMENT_PACKED, sum_of_integers))
OBSERVATION(time_of_bcast, time_call("bcast:binomial-simple", 64, PLACEMENT_PACKED, sum_of_integers))
OBSERVATION(time_of_reduce, time_call("reduce:binomial", 64, PLACEMENT_PACKED, sum_of_integers))
OBSERVATION(spes, blade_nspes(bed.blade))
OBSERVATION(room, rig_room(bed.platform, 2))
OBSERVATION(memory_of_chip_1, blade_allocate(bed.blade, 1, LINE))
OBSERVATION(chip_with_data_of_chip_1, blade_data_chip(bed.blade, blade_spes_per_chip(bed.blade)))
OBSERVATION(profile_of_a_program,
            (uint64_t)(rig_profile(bed.platform, NULL, "velamati2007", NULL) - bed.platform->profiles))
OBSERVATION(profile_of_comparisons,
            (uint64_t)(rig_profile(bed.platform, rig_comparison(bed.platform, NULL), NULL, NULL) -
                       bed.platform->profiles))

/* --- parameters --- */

/* The change of an observation: a number of cycles (or of other units), or an unknown number. */
enum { LONGER = 1000001, SHORTER };

/* Parameter KEY, from one value to another one, with other settings for both. */
struct row {
  const char *key, *from, *to, *with;
  observation *changed;
  int by;
  observation *same; /* does not change; NULL: none is tried */
};

/* In order, by group. `profile.` stands for the first profile of the platform. Two gets or puts at a time are
 * made by SPE0 and SPE2, with the data of SPE1 and SPE3, on the same way round the ring, gets against the
 * order of chip.units; "apart" are transfers without a common place. */
static const struct row rows[] = {
  {"clock.spu", "3.2", "1.6", "", time_count_down, 2347 - 4694, time_get_line},
  {"clock.bus-divider", "2", "4", "", time_get_line, 2 * (8 + 3), time_count_down},
  {"clock.timebase", "14.318", "28.636", "", time_count_down, 2347 - 4694, time_get_line},
  {"chip.units", "PPE SPE1 SPE3 SPE5 SPE7 IOIF1 IOIF0 SPE6 SPE4 SPE2 SPE0 MIC",
   "PPE SPE2 SPE3 SPE5 SPE7 IOIF1 IOIF0 SPE6 SPE4 SPE1 SPE0 MIC", "", time_get_line, -2 * 2, time_look},
  {"chip.usable-spes", "all", "SPE0 SPE1 SPE5", "", spes, -10, time_get_line},
  {"chip.bif", "IOIF0", "IOIF1", "", time_far_get_line, 2 * 2, time_get_line},
  {"chip.memory", "MIC", "IOIF1", "", time_memory_get_line, 2 * (5 - 1), time_get_line},
  {"blade.chips", "2", "3", "", spes, 8, time_get_line},
  {"blade.topology", "mesh", "0-1 1-2 2-3", "blade.chips=4;bif.command=100", time_synchronize, 2 * 100,
   time_far_get_line},
  {"eib.rings-clockwise", "1", "2", "eib.transfers-per-ring=1", time_of_two_puts, SHORTER, time_of_two_gets},
  {"eib.rings-counterclockwise", "1", "2", "eib.transfers-per-ring=1", time_of_two_gets, SHORTER,
   time_of_two_puts},
  {"eib.bound-neighbours", "0", "12", "eib.transfers-per-ring=1", time_of_two_gets, LONGER, time_get_line},
  {"eib.request-bytes", "128", "64", "", time_get_line, 17 - 8, time_look},
  {"eib.beat-bytes", "16", "8", "", time_get_line, 16, time_look},
  {"eib.transfers-per-ring", "1", "3", "eib.rings-counterclockwise=1", time_of_gets_apart, SHORTER,
   time_of_two_puts},
  {"eib.start-interval", "0", "40", "eib.rings-counterclockwise=1", time_of_gets_apart, LONGER,
   time_of_two_puts},
  {"eib.hop", "1", "6", "", time_get_line, 3 * 2 * 5, time_look},
  {"eib.command-interval", "0", "50", "", time_of_two_gets, LONGER, time_get_line},
  {"eib.coherent-interval", "0", "50", "", time_of_two_loads, LONGER, time_get_two},
  {"eib.command-phase", "0", "10", "", time_get_line, 10, time_look},
  {"eib.ramp-interval", "9", "19", "", time_get_two, 20, time_get_line},
  {"mfc.queue", "4", "2", "", time_to_issue_four, LONGER, time_get_line},
  {"mfc.window", "1", "2", "", time_get_two, SHORTER, time_get_line},
  {"mfc.windows", "1", "2", "mfc.window=1", time_get_and_put, SHORTER, time_get_two},
  {"mfc.issue", "0", "10", "", time_get_line, 10, time_look},
  {"mfc.to-bus", "1", "11", "", time_get_line, 10, time_look},
  {"mfc.visible", "0", "10", "", time_to_notice, 10, time_get_line},
  {"mfc.retire", "80", "90", "mfc.window=1", time_get_two, 10, time_get_line},
  {"mfc.complete", "90", "100", "", time_get_line, 10, time_to_notice},
  {"mfc.list-element", "0", "10", "mfc.command-interval=0", time_get_list, 10, time_get_line},
  {"mfc.command-interval", "20", "30", "", time_get_list, 10, time_get_line},
  {"mfc.channel-read", "1", "11", "", time_look, 10, time_get_line},
  {"mfc.proxy-queue", "4", "1", "", time_to_give_four, LONGER, time_to_issue_four},
  {"mfc.atomic-local", "0", "10", "", time_load_line_twice, 10, time_get_line},
  {"mfc.atomic-transfer", "300", "310", "", time_to_load_of_another, 10, time_load_line_twice},
  {"ls.size", "262144", "131072", "ls.reserve=0", room, -131072, NULL},
  {"ls.reserve", "0", "65536", "", room, -65536, time_get_line},
  {"ls.read", "0", "10", "", time_get_line, 10, time_memory_get_line},
  {"ls.port-interval", "0", "20", "", time_of_exchange, LONGER, time_get_line},
  {"memory.size", "512", "256", "", memory_of_chip_1, -(256 << 20), time_memory_get_line},
  {"memory.latency", "0", "10", "", time_memory_get_line, 10, time_get_line},
  {"memory.read-interval", "30", "40", "", time_memory_get_two, 10, time_memory_put_two},
  {"memory.write-interval", "30", "40", "", time_memory_put_two, 10, time_memory_get_two},
  {"memory.placement", "first", "own", "", chip_with_data_of_chip_1, 1, NULL},
  {"ppe.mmio", "1", "11", "", time_write_mail, 10, time_copy_memory},
  {"ppe.copy-bandwidth", "3.2", "6.4", "", time_copy_memory, 4800 - 9600, time_write_mail},
  {"bif.bandwidth", "20", "10", "", time_far_get_two, 79 - 40, time_get_two},
  {"bif.overhead", "22", "122", "", time_far_get_two, 40 - 24, time_get_two},
  {"bif.command", "0", "10", "", time_far_get_line, 10, time_get_line},
  {"bif.data", "0", "10", "", time_far_get_line, 10, time_get_line},
  {"bif.mfc-requests", "1", "2", "", time_far_get_two, SHORTER, time_get_two},
  {"bif.chip-requests", "1", "2", "bif.mfc-requests=0", time_far_put_two, SHORTER, time_get_two},
  {"bif.put-complete", "0", "10", "", time_far_put_line, 10, time_far_get_line},
  {"software.profile", "source", "gaona2009", "", profile_of_a_program, 1, time_get_line},
  {"software.comparison", "ali2010", "gaona2009", "", profile_of_comparisons, 2, time_get_line},
  {"profile.send", "0", "10", "", time_of_barrier, 10, NULL},
  {"profile.receive", "0", "10", "", time_of_barrier, 10, NULL},
  {"profile.dma", "0", "10", "", time_of_bcast, 10, time_of_barrier},
  {"profile.tag", "0", "10", "", time_of_bcast, LONGER, NULL},
  {"profile.step", "0", "10", "", time_of_barrier, 10, NULL},
  {"profile.combine", "0", "10", "", time_of_reduce, 10, time_of_bcast},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Write SETTING into TEXT for the machine of this file. */
static void append(char *text, size_t size, const char *key, const char *value) {
  static const char profile[] = "profile.";
  size_t used = strlen(text);
  bool of_profile = strncmp(key, profile, sizeof profile - 1) == 0;
  snprintf(text + used, size - used, "%s%s%s%s%s;", of_profile ? profile : "", of_profile ? "ali2010." : "",
           of_profile ? key + sizeof profile - 1 : key, value ? "=" : "", value ? value : "");
}

/* Return the result of OBSERVE where the parameter of ROW has VALUE. */
static uint64_t observe(const struct row *row, const char *value, observation *what) {
  char settings[512] = "";
  append(settings, sizeof settings, row->key, value);
  append(settings, sizeof settings, row->with, NULL);
  bed_use("qs20", settings);
  uint64_t result = what();
  return result;
}

TESTS(parameters, .start = bed_begin_unwatched, .stop = bed_end);

/* Loop test: the index is the row. */
TEST_EACH(a_parameter_does_what_it_says, 0, ROWS) {
  const struct row *row = &rows[_i];
  uint64_t from = observe(row, row->from, row->changed), to = observe(row, row->to, row->changed);
  long long by = (long long)(to - from);
  ck_assert_msg(row->by == LONGER    ? by > 0
                : row->by == SHORTER ? by < 0
                                     : by == row->by,
                "%s from %s to %s: from %llu to %llu", row->key, row->from, row->to, (unsigned long long)from,
                (unsigned long long)to);
  if (row->same) {
    ck_assert_msg(observe(row, row->from, row->same) == observe(row, row->to, row->same),
                  "%s from %s to %s changes what it does not concern", row->key, row->from, row->to);
  }
}

static const struct {
  const char *key;
  unsigned operands[2];
} combinations[] = {
#define COMBINATION(type_id, type, op_id, op, what) {"combine." #type "-" #op, {OP_##op_id, TYPE_##type_id}},
#include "platform/combine.def"
};

enum { COMBINATIONS = sizeof combinations / sizeof *combinations };

/* Find in TIMES how long a reduction of 1600 bytes takes with each combination where KEY has VALUE. */
static void time_combinations(const char *key, const char *value, uint64_t times[COMBINATIONS]) {
  char settings[64] = "";
  append(settings, sizeof settings, key, value);
  bed_use("qs20", settings);
  for (unsigned i = 0; i < COMBINATIONS; i++) {
    times[i] = time_call("reduce:binomial", 1600, PLACEMENT_PACKED, combinations[i].operands);
  }
}

/* Loop test: the index is the combination. 10 cycles more for 16 bytes are 1000 more for 1600, and none for
 * the others. */
TEST_EACH(a_combination_costs_what_it_says, 0, COMBINATIONS) {
  uint64_t from[COMBINATIONS], to[COMBINATIONS];
  time_combinations(combinations[_i].key, "0", from);
  time_combinations(combinations[_i].key, "10", to);
  for (int i = 0; i < COMBINATIONS; i++) {
    ck_assert_uint_eq(to[i], from[i] + (i == _i ? 1000 : 0));
  }
}

/* The longest ways follow from the units: no other value is accepted. */
TEST(the_longest_way_is_half_of_the_ring) {
  SUCCEEDS(platform_set(bed.platform, "eib.max-hops", "6", &failure));
  ck_assert_int_eq(platform_set(bed.platform, "eib.max-hops", "5", &failure), -1);
  ck_assert_int_eq(platform_set(bed.platform, "eib.max-hops", "7", &failure), -1);
}

/* Rows, combinations and the longest way are all there is in platform.def. */
TEST(no_parameter_is_left_out) {
  static const char *const keys[] = {
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) key,
#define PROFILE_FIELD(field, unit, min, max, doc, term) "profile." #field,
#include "platform/platform.def"
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    bool found = strncmp(keys[i], "combine.", 8) == 0 || strcmp(keys[i], "eib.max-hops") == 0;
    for (size_t k = 0; k < ROWS && !found; k++) {
      found = strcmp(keys[i], rows[k].key) == 0;
    }
    ck_assert_msg(found, "no row for %s", keys[i]);
  }
}
