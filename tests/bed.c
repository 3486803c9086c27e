/* SPDX-License-Identifier: BSD-3-Clause
 * See bed.h. */
#include "tests/bed.h"

#include "platform/parameters.h"

struct err failure;

struct bed bed_new(const char *name) {
  return bed_new_with(name, "");
}

static struct platform *platforms[64]; /* of bed_platform */
static size_t nplatforms;

static struct platform *read_platform(const char *name, const char *settings) {
  struct platform *platform = platform_read(name, &failure);
  ck_assert_msg(platform != NULL, "%s", failure.text);
  bed_apply(platform, settings);
  return platform;
}

struct platform *bed_platform(const char *name, const char *settings) {
  ck_assert_uint_lt(nplatforms, sizeof platforms / sizeof *platforms);
  return platforms[nplatforms++] = read_platform(name, settings);
}

void bed_apply(struct platform *platform, const char *settings) {
  struct platform_setting list[16];
  char *copy = xstrdup(settings), *state = NULL;
  const char *between = strchr(settings, ';') ? ";" : " ";
  size_t count = 0;
  for (char *word = strtok_r(copy, between, &state); word; word = strtok_r(NULL, between, &state)) {
    char *value = strchr(word, '=');
    ck_assert(value && count < sizeof list / sizeof *list);
    *value = '\0';
    list[count++] = (struct platform_setting){.key = word, .value = value + 1};
  }
  SUCCEEDS(platform_set_all(platform, list, count, &failure));
  free(copy);
}

struct bed bed_new_with(const char *name, const char *settings) {
  const char *srcdir = getenv("CELLCOLL_SRCDIR");
  char *path = strchr(name, '/') ? xasprintf("%s/%s", srcdir ? srcdir : ".", name) : xstrdup(name);
  struct bed made = {.platform = read_platform(path, settings)};
  if (getenv("BED_BUS") && strcmp(getenv("BED_BUS"), "rates") == 0) {
    platform_choose_bus(made.platform, PLATFORM_BUS_RATES);
  }
  made.machine = machine_new(made.platform);
  made.blade = machine_blade(made.machine, 0);
  blade_reset(made.blade);
  free(path);
  return made;
}

struct bed bed;

void bed_use(const char *name, const char *settings) {
  bed_fini(&bed);
  bed = bed_new_with(name, settings);
}

void bed_use_machine(int index) {
  static const struct {
    const char *platform, *settings;
  } machines[BED_MACHINES] = {
    {"qs20", ""},
    {"ps3", ""},
    {"qs20", "blade.chips=1"},
    {"qs20", "ls.port-interval=11 eib.bound-neighbours=2"},
    {"qs20", "blade.chips=1 eib.ramp-interval=4"},
    {"qs20", "eib.ramp-interval=1 eib.start-interval=1 eib.transfers-per-ring=2"},
    {"qs20",
     "eib.rings-clockwise=1 eib.rings-counterclockwise=1 eib.transfers-per-ring=1 eib.ramp-interval=0"},
    {"qs20", "blade.chips=4 blade.topology=star eib.bound-neighbours=3 bif.bandwidth=8 bif.put-complete=200 "
             "bif.chip-requests=5"},
    {"qs20", "mfc.window=3 mfc.windows=1 mfc.queue=2 bif.mfc-requests=2 eib.command-interval=7"},
    {"ps3", "mfc.window=5 memory.latency=2000 mfc.command-interval=0"},
    {"qs20", "mfc.window=64 bif.mfc-requests=0 eib.hop=3 eib.transfers-per-ring=16 ls.port-interval=3"},
    {"tests/platforms/valid/quad_ring.xml", "eib.ramp-interval=2.3"},
    {"tests/platforms/valid/three_in_line.xml", ""},
    {"qs20", "bif.data=0 bif.command=0 eib.command-phase=0 ls.read=0 memory.latency=0"},
    {"qs20", "blade.chips=4 blade.topology=mesh bif.data=0 bif.bandwidth=2000 bif.mfc-requests=40 "
             "bif.chip-requests=7 mfc.command-interval=7"},
    {"qs20",
     "clock.bus-divider=1 mfc.queue=2 mfc.issue=0 mfc.to-bus=1 mfc.visible=0 mfc.retire=0 mfc.complete=0 "
     "eib.command-interval=0 eib.command-phase=0 ls.read=0 bif.command=0 bif.data=0"},
  };
  ck_assert(index < BED_MACHINES);
  bed_use(machines[index].platform, machines[index].settings);
}

void bed_watch(void) {
  bed.order = order_new(blade_nspes(bed.blade), NULL);
  bed.hazards = order_hazards(bed.order);
  blade_attach(bed.blade, order_probe(bed.order));
}

uint64_t bed_take_hazards(void) {
  uint64_t count = bed.hazards->count;
  hazard_list_clear(bed.hazards);
  return count;
}

void bed_fini(struct bed *old) {
  if (old->order) {
    ck_assert_msg(old->hazards->count == 0, "%llu hazards: %s", (unsigned long long)old->hazards->count,
                  old->hazards->lines[0]);
    blade_detach(old->blade, order_probe(old->order));
    order_free(old->order);
  }
  machine_free(old->machine);
  platform_free(old->platform);
  *old = (struct bed){.platform = NULL};
}

void bed_start(void) {
  SUCCEEDS(des_init(&failure));
}

void bed_begin_unwatched(void) {
  bed_start();
  bed_use("qs20", "");
}

void bed_begin(void) {
  bed_begin_unwatched();
  bed_watch();
}

void bed_end(void) {
  bed_fini(&bed);
  while (nplatforms > 0) {
    platform_free(platforms[--nplatforms]);
  }
}

struct blade_result spu_run_all(struct blade *blade, const struct spu_programs *programs) {
  for (size_t i = 0; i < programs->nspus; i++) {
    spu_start(blade_board(blade), &programs->spus[i]);
  }
  for (size_t i = 0; i < programs->nppus; i++) {
    ppu_start(blade_board(blade), &programs->ppus[i]);
  }
  return blade_run(blade);
}

uint64_t bed_run(struct spu *programs, size_t count) {
  return bed_run_all(&(struct spu_programs){.spus = programs, .nspus = count});
}

uint64_t bed_run_alone(void (*program)(void *), void *argument) {
  return bed_run_all(&SPES(ON_SPE(0, program, argument)));
}

void bed_expect_end(const struct spu_programs *programs, const char *faults, const char *stuck) {
  blade_reset(bed.blade);
  struct blade_result result = spu_run_all(bed.blade, programs);
  ck_assert_pstr_eq(result.faults, faults);
  ck_assert_pstr_eq(result.stuck, stuck);
  blade_result_fini(&result);
}

void bed_expect_fault(void (*program)(void *), const char *message) {
  bed_expect_end(&SPES(ON_SPE(0, program, NULL)), message, NULL);
}

void bed_expect_stuck(void (*program)(void *), const char *message) {
  bed_expect_end(&SPES(ON_SPE(0, program, NULL)), NULL, message);
}

void bed_expect_fault_about(void (*program)(void *), const char *part) {
  blade_reset(bed.blade);
  struct blade_result result = spu_run_all(bed.blade, &SPES(ON_SPE(0, program, NULL)));
  ck_assert_msg(result.faults && strstr(result.faults, part), "%s: expected '%s' in it", result.faults, part);
  blade_result_fini(&result);
}

uint64_t bed_run_all(const struct spu_programs *programs) {
  struct blade_result result = spu_run_all(bed.blade, programs);
  uint64_t cycles = result.cycles;
  ck_assert_msg(!result.faults && !result.stuck, "%s%s", result.faults ? result.faults : "",
                result.stuck ? result.stuck : "");
  blade_result_fini(&result);
  return cycles;
}

uint64_t bed_run_beside(struct spu spu, void (*ppe_program)(void *), void *argument) {
  struct ppu ppu = {.main = ppe_program, .argument = argument, .name = "PPE"};
  spu.name = "SPE";
  return bed_run_all(&(struct spu_programs){.spus = &spu, .nspus = 1, .ppus = &ppu, .nppus = 1});
}

unsigned bed_hops(const struct platform *platform, const char *from, const char *to) {
  unsigned n = platform->nunits, a = 0, b = 0;
  for (unsigned i = 0; i < n; i++) {
    a = strcmp(platform->units[i], from) == 0 ? i : a;
    b = strcmp(platform->units[i], to) == 0 ? i : b;
  }
  unsigned way = a > b ? a - b : b - a;
  return way < n - way ? way : n - way;
}

const struct profile *bed_profile(void) {
  return &bed.platform->profiles[0];
}
