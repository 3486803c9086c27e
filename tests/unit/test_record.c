/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder keeps the whole last call and nothing of earlier calls, up to the maximum of bytes. */
#include "tests/asserts.h"
#include "tests/call_bed.h"
#include "traces/record/record.h"

static struct record record;
static struct record_share share;

/* Let RECORD see NREPEATS calls of algorithm NAME on 16 ranks with 2 KiB; RECORD may keep NBYTES_MAX bytes.
 * returns: the outcome, without texts. */
static struct outcome run(const char *name, unsigned repeat, uint64_t nbytes_max) {
  struct call call = {.nranks = 16,
                      .nbytes = 2048,
                      .repeat = repeat,
                      .profile = bed_profile(),
                      .observers = &(struct observer){.probe = &record.probe}};
  call.algorithm = call_bed_find(name);
  call.nbytes = collective_has_data(call.algorithm.algo->collective) ? call.nbytes : 0;
  blade_reset(bed.blade);
  share = (struct record_share){.nbytes_max = nbytes_max};
  record_init(&record, bed.platform, &share);
  return call_bed_run(&call);
}

/* Check that the time of every rank from entry to exit is covered by intervals side by side. */
static void check_programs(void) {
  for (unsigned i = 0; i < 16; i++) {
    const struct record_program *program = &record.programs[i];
    uint64_t clock = program->entered;
    ck_assert_uint_eq(program->rank, i);
    for (size_t j = 0; j < program->nintervals; j++) {
      const struct record_interval *interval = &program->intervals[j];
      ck_assert(interval->from < interval->to);
      if (interval->from >= program->entered && interval->to <= program->left) {
        ck_assert_uint_eq(interval->from, clock);
        clock = interval->to;
      }
    }
    ck_assert_uint_eq(clock, program->left);
  }
}

/* Check that the stages of each command are in this order, and that the bytes moved by services of the
 * command are the command's bytes. */
static void check_commands(void) {
  for (unsigned spe = 0; spe < 16; spe++) {
    const struct record_dmas *dmas = &record.spes[spe].dmas;
    for (size_t i = 0; i < dmas->n; i++) {
      const struct record_dma *dma = &dmas->dmas[i];
      ck_assert(dma->enqueued < dma->arrived && dma->arrived <= dma->issued && dma->issued < dma->granted);
      ck_assert(dma->granted < dma->delivered && dma->delivered <= dma->completed);
      ck_assert(dma == record_dma(&record, spe, dmas->first + i));
      const struct record_service *last = record_service(&record, dma->server, dma->service);
      ck_assert(last->spe == spe && last->command == dmas->first + i);
    }
  }
}

/* Return the bytes moved by services of KIND. */
static uint64_t bytes_over(enum record_server_kind kind) {
  uint64_t nbytes = 0;
  for (unsigned i = 0; i < record.nservers; i++) {
    for (size_t j = 0; j < record.logs[i].n && record_server(&record, i).kind == kind; j++) {
      nbytes += record.logs[i].services[j].nbytes;
    }
  }
  return nbytes;
}

/* Return how many commands are kept. */
static size_t commands(void) {
  size_t n = 0;
  for (unsigned spe = 0; spe < 16; spe++) {
    n += record.spes[spe].dmas.n;
  }
  return n;
}

TESTS(record, .start = bed_begin_unwatched, .stop = bed_end);

TEST(a_call_is_kept_as_a_whole) {
  static const char *const names[] = {"alltoall:direct", "bcast:mm-tree", "allreduce:hybrid-a"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    struct outcome outcome = run(names[i], 1, RECORD_BYTES_MAX);
    ck_assert(!share.full && record.calls == 1);
    ck_assert_double_eq((double)(record.end - record.begin), outcome.from_first);
    ck_assert_uint_eq(bytes_over(RECORD_RAMP), outcome.eib_bytes);
    ck_assert_uint_eq(bytes_over(RECORD_LINK), outcome.bif_bytes);
    ck_assert_uint_eq(commands(), blade_bus_traffic(bed.blade).dma_commands);
    check_programs();
    check_commands();
    record_fini(&record);
  }
}

TEST(of_several_calls_the_last_one_is_kept) {
  run("alltoall:direct", 1, RECORD_BYTES_MAX);
  size_t n = commands();
  uint64_t nbytes = bytes_over(RECORD_RAMP);
  record_fini(&record);
  run("alltoall:direct", 4, RECORD_BYTES_MAX);
  ck_assert_uint_eq(record.calls, 4);
  ck_assert_uint_ge(commands(), n);
  ck_assert_uint_lt(commands(), 2 * n);                   /* some of the call before were under way */
  ck_assert_uint_lt(bytes_over(RECORD_RAMP), 2 * nbytes); /* likewise */
  ck_assert_uint_lt(record.nbytes, 8 << 20);
  check_programs();
  record_fini(&record);
}

/* Every atomic command that is kept has taken effect, in the order of the commands of its SPE. */
TEST(atomic_commands_of_the_last_call_are_known_by_number) {
  run("barrier:atomic", 4, RECORD_BYTES_MAX);
  for (unsigned spe = 0; spe < 16; spe++) {
    const struct record_atomics *atomics = &record.spes[spe].atomics;
    uint64_t clock = 0;
    ck_assert_uint_gt(atomics->n, 1);
    for (size_t i = 0; i < atomics->n; i++) {
      const struct record_atomic *atomic = record_atomic(&record, spe, atomics->first + i);
      ck_assert_ptr_eq(atomic, &atomics->atomics[i]);
      ck_assert(clock <= atomic->enqueued && atomic->enqueued <= atomic->came &&
                atomic->came <= atomic->effected);
      ck_assert_uint_ne(atomic->effected, RECORD_NEVER);
      clock = atomic->effected;
    }
  }
  record_fini(&record);
}

TEST(commands_that_tell_others_something_are_known) {
  run("bcast:binomial-opt", 1, RECORD_BYTES_MAX);
  unsigned notices = 0, data = 0;
  for (unsigned spe = 0; spe < 16; spe++) {
    for (size_t i = 0; i < record.spes[spe].dmas.n; i++) {
      const struct record_dma *dma = &record.spes[spe].dmas.dmas[i];
      bool notice = dma->flags & RECORD_NOTICE;
      ck_assert_uint_eq(dma->nbytes, notice ? 16 : 2048);
      notices += notice;
      data += !notice;
    }
  }
  ck_assert_uint_eq(data, 15);
  ck_assert_uint_eq(notices, 30); /* each rank gets an address, and notifies when it has its data */
  record_fini(&record);
}

/* The root lets all ranks go by one fenced list. */
TEST(a_list_that_tells_others_something_is_still_a_list) {
  run("barrier:one-to-all:fanout=putl", 1, RECORD_BYTES_MAX);
  unsigned lists = 0, others = 0;
  for (unsigned spe = 0; spe < 16; spe++) {
    for (size_t i = 0; i < record.spes[spe].dmas.n; i++) {
      unsigned flags = record.spes[spe].dmas.dmas[i].flags,
               told = RECORD_PUT | RECORD_ORDERED | RECORD_NOTICE;
      lists += flags & RECORD_LIST ? 1 : 0;
      others += flags & RECORD_LIST ? 0 : 1;
      ck_assert_uint_eq(flags & told, told);
    }
  }
  ck_assert_uint_eq(lists, 1);
  ck_assert_uint_eq(others, 15);
  record_fini(&record);
}

TEST(there_is_a_limit) {
  run("alltoall:direct", 1, RECORD_BYTES_MAX);
  uint64_t needs = record.nbytes;
  ck_assert(!share.full);
  record_fini(&record);
  run("alltoall:direct", 1, needs);
  ck_assert(!share.full && record.nbytes == needs);
  record_fini(&record);
  run("alltoall:direct", 1, needs - 1);
  ck_assert(share.full && record.nbytes == 0);
  record_fini(&record);
}
