/* SPDX-License-Identifier: BSD-3-Clause
 * Loads to be measured from outside: `load PATTERN TIMES...` runs each TIMES times on a qs20, in a process of
 * its own, and prints how many bus requests that took. `load optimised` tells by its exit code whether the
 * compiler optimised.
 *
 *   stream     every SPE reads 16 DMAs of 16 KiB from the next SPE of its chip
 *   all-pairs  every SPE reads 16 KiB from each other SPE */
#include "platform/parameters.h"
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "sim/hw/board/board.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "tests/short_end.h"

#include <assert.h>
#include <string.h>
#include <sys/wait.h>

enum { BYTES = 16384, DEPTH = 4, STREAM_DMAS = 16 };

static struct blade *blade;
static bool all_pairs;

static unsigned dmas_of_one(void) {
  return all_pairs ? blade_nspes(blade) - 1 : STREAM_DMAS;
}

static void work(void *argument) {
  unsigned spe = *(const unsigned *)argument, chip = blade_spes_per_chip(blade), first = spe / chip * chip;
  uint32_t here = blade_parameters(blade)->ls_reserve;
  for (unsigned i = 0; i < dmas_of_one(); i++) {
    unsigned peer = all_pairs ? (spe + i + 1) % blade_nspes(blade) : first + (spe - first + 1) % chip;
    uint32_t tag = i % DEPTH;
    mfc_write_tag_mask(UINT32_C(1) << tag);
    mfc_read_tag_status_all();
    mfc_get(spu_ls(here + tag * BYTES), spu_ls_ea(peer, here), BYTES, tag, 0, 0);
  }
  mfc_write_tag_mask(UINT32_MAX);
  mfc_read_tag_status_all();
}

/* Run the load once.
 * returns: how many bus requests that took. */
static unsigned long long run_once(void) {
  struct spu *programs = xcalloc(blade_nspes(blade), sizeof *programs);
  unsigned *numbers = xcalloc(blade_nspes(blade), sizeof *numbers);
  blade_reset(blade);
  for (unsigned i = 0; i < blade_nspes(blade); i++) {
    numbers[i] = i;
    programs[i] = (struct spu){.spe = i, .main = work, .argument = &numbers[i], .name = "load"};
    spu_start(blade_board(blade), &programs[i]);
  }
  struct blade_result result = blade_run(blade);
  assert(!result.faults && !result.stuck);
  blade_result_fini(&result);
  free(numbers);
  free(programs);
  return (unsigned long long)blade_nspes(blade) * dmas_of_one() * BYTES /
         blade_parameters(blade)->eib_request_bytes;
}

/* Run the load called PATTERN several TIMES, print how many bus requests that took, and end this process. */
static _Noreturn void run_load(const char *pattern, int times) {
  struct err err = {""};
  struct platform *platform = platform_read("qs20", &err);
  unsigned long long requests = 0;
  des_init(&err);
  blade = blade_new(platform);
  all_pairs = strcmp(pattern, "all-pairs") == 0;
  for (int i = 0; i < times; i++) {
    requests += run_once();
  }
  printf("%llu\n", requests);
  blade_free(blade);
  platform_free(platform);
  exit(EXIT_SUCCESS);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "optimised") == 0) {
#ifdef __OPTIMIZE__
    return EXIT_SUCCESS;
#else
    return EXIT_FAILURE;
#endif
  }
  if (argc < 3 || argc % 2 == 0) {
    fputs("usage: load stream|all-pairs TIMES...\n", stderr);
    return EXIT_FAILURE;
  }
  short_end();
  for (int i = 1; i < argc; i += 2) {
    int status = 0;
    pid_t child = fork();
    assert(child >= 0);
    if (child == 0) {
      run_load(argv[i], atoi(argv[i + 1]));
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
