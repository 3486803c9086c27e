/* SPDX-License-Identifier: BSD-3-Clause
 * A machine for tests: a platform and the machine it describes. */
#pragma once

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/random.h"
#include "sim/hw/blade.h"
#include "sim/hw/board/board.h"
#include "sim/hw/spe/spe.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "tests/suite.h"
#include "traces/order/order.h"
#include "validate/lab/rig/rig.h"

/* With the sanitizers everything takes many times as long. They look for what is wrong in memory: tests that
 * try very much try a part of it then, since the same tests without sanitizers try all of it. */
#ifdef __SANITIZE_ADDRESS__
enum { BED_SANITIZED = 1 };
#else
enum { BED_SANITIZED = 0 };
#endif

struct bed {
  struct platform *platform;
  struct machine *machine;
  struct blade *blade;         /* the first one of the machine */
  struct order *order;         /* the detector of hazards; NULL: nobody watches */
  struct hazard_list *hazards; /* that it has found */
};

/* Build the platform NAME; with '/' in it: a file below the source folder. SimGrid is not needed. With
 * BED_BUS=rates in the environment the machine is on the bus of rates.
 * owner: the caller, with bed_fini. */
struct bed bed_new(const char *name);

/* The same with SETTINGS, "key=value ..." or, where values have blanks, "key=value;...", in place of what the
 * platform says; "" for none. */
struct bed bed_new_with(const char *name, const char *settings);

/* Read platform NAME, with SETTINGS likewise; the test fails where that cannot be.
 * owner: this module, up to bed_end. */
struct platform *bed_platform(const char *name, const char *settings);

/* Change PLATFORM by SETTINGS. */
void bed_apply(struct platform *platform, const char *settings);

/* The machines for random programs, which differ in what the engine has to look at: units, rings, ramps,
 * links, queues. */
enum { BED_MACHINES = 16 };

/* Release what OLD holds, after checking that no hazards are left; an empty one holds nothing. */
void bed_fini(struct bed *old);

/* The machine under test: all below runs on this machine. */
extern struct bed bed;

/* Let `bed` be such a machine, or machine INDEX < BED_MACHINES, in place of the machine before. */
void bed_use(const char *name, const char *settings);
void bed_use_machine(int index);

/* Let the hazard detector watch all that runs; a test that causes hazards must take them. */
void bed_watch(void);

/* Return how many hazards were seen since the last call, and forget them. */
uint64_t bed_take_hazards(void);

/* Fixtures: SimGrid started; also a qs20 in use, under the eyes of the hazard detector; the same without the
 * detector; and the end of all. */
void bed_start(void);
void bed_begin(void);
void bed_begin_unwatched(void);
void bed_end(void);

/* Programs of one run: at most one per SPE, and any number per PPE. */
struct spu_programs {
  struct spu *spus;
  size_t nspus;
  struct ppu *ppus;
  size_t nppus;
};

/* Run PROGRAMS on BLADE, after a reset of BLADE.
 * owner: the caller, with blade_result_fini. */
struct blade_result spu_run_all(struct blade *blade, const struct spu_programs *programs);

/* A program with the statements WHAT. */
#define PROGRAM(name, ...) \
  static void name(void *argument) { \
    __VA_ARGS__; \
  }

/* PROGRAM with the argument POINTER on SPE NUMBER, called "rank NUMBER", or on the PPE of chip NUMBER, called
 * "PPE NUMBER"; and several such programs. */
#define ON_SPE(number, program, pointer) \
  ((struct spu){.spe = number, .main = program, .argument = pointer, .name = "rank " #number})
#define ON_PPE(number, program, pointer) \
  ((struct ppu){.chip = number, .main = program, .argument = pointer, .name = "PPE " #number})
#define LIST_OF(kind, ...) \
  .kind##s = (struct kind[]){__VA_ARGS__}, \
  .n##kind##s = sizeof((struct kind[]){__VA_ARGS__}) / sizeof(struct kind)
#define SPES(...) ((struct spu_programs){LIST_OF(spu, __VA_ARGS__)})
#define PPES(...) ((struct spu_programs){LIST_OF(ppu, __VA_ARGS__)})

/* Wait, in an SPE program, until nothing of the tag groups of MASK is outstanding. */
static inline void bed_finish(uint32_t mask) {
  mfc_write_tag_mask(mask);
  mfc_read_tag_status_all();
}

/* Run COUNT programs and check that all end, without a fault.
 * returns: the cycle at which the last one ended. */
uint64_t bed_run(struct spu *programs, size_t count);

/* Run PROGRAM with ARGUMENT alone, as rank 0 on SPE 0, and check that it ends, without a fault.
 * returns: the cycle at which it ended. */
uint64_t bed_run_alone(void (*program)(void *), void *argument);

/* Run PROGRAM alone on a fresh machine, and check that it is stopped by a fault, or that it waits for ever,
 * with this MESSAGE. */
void bed_expect_fault(void (*program)(void *), const char *message);
void bed_expect_stuck(void (*program)(void *), const char *message);

/* Run PROGRAMS on a fresh machine, and check for the messages FAULTS and STUCK; NULL: there is none. */
void bed_expect_end(const struct spu_programs *programs, const char *faults, const char *stuck);

/* Run PROGRAM alone on a fresh machine, and check that it is stopped by a fault with PART in the message. */
void bed_expect_fault_about(void (*program)(void *), const char *part);

/* The same as bed_run for programs on SPEs and PPEs. */
uint64_t bed_run_all(const struct spu_programs *programs);

/* The same for the program of SPU, called "SPE", and PPE_PROGRAM, called "PPE", with ARGUMENT on chip 0. */
uint64_t bed_run_beside(struct spu spu, void (*ppe_program)(void *), void *argument);

/* Return the hops between SPE (of its chip) and UNIT along the shorter way, counted in the platform's list of
 * units. */
unsigned bed_hops(const struct platform *platform, const char *from, const char *to);

/* Return the software-cost profile for tests that do not care: the platform's first. */
const struct profile *bed_profile(void);

/* A fixed stream of pseudo-random numbers. Tests print their seed in messages. */
struct dice {
  uint64_t state;
};

/* Return a number below N > 0. */
static inline uint64_t dice_below(struct dice *dice, uint64_t n) {
  return random_next(&dice->state) % n;
}
