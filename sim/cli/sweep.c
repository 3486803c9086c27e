/* SPDX-License-Identifier: BSD-3-Clause
 * See sweep.h. */
#include "sim/cli/sweep.h"

#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/cli/exit_codes.h"
#include "sim/cli/opts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;
static bool quiet, shown;

int
sweep_find_calls(const struct opts *opts, struct sweep_calls *calls, struct err *err)
{
  calls->n = opts->nrest;
  calls->items = xcalloc(opts->nrest, sizeof *calls->items);
  for (size_t i = 0; i < opts->nrest; i++) {
    if (catalogue_find(opts->rest[i], &calls->items[i], err) != 0) {
      free(calls->items);
      *calls = (struct sweep_calls){0};
      return CLI_USAGE;
    }
  }
  return CLI_DONE;
}

void
sweep_label(const struct platform *platform, char label[SWEEP_LABEL_SIZE])
{
  if (platform->overrides[0]) {
    snprintf(label, SWEEP_LABEL_SIZE, "%s[%s]", platform->name, platform->overrides);
  } else {
    snprintf(label, SWEEP_LABEL_SIZE, "%s", platform->name);
  }
}

static void
on_interrupt(int number)
{
  (void)number;
  interrupted = 1;
  des_interrupt();
}

void
sweep_start(const struct opts *opts)
{
  quiet = opts->quiet;
  des_init();
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
}

bool
sweep_interrupted(void)
{
  return interrupted;
}

int
sweep_end(int code)
{
  if (interrupted) {
    fputs("cellcoll: interrupted; what was finished is in the output\n", stderr);
    return CLI_INTERRUPTED;
  }
  return code;
}

void
sweep_progress(size_t done, size_t total)
{
  if (!quiet && isatty(STDERR_FILENO)) {
    fprintf(stderr, "\r%zu of %zu (%zu %%)", done, total, 100 * done / total);
    fflush(stderr);
    shown = true;
  }
}

void
sweep_skip(const char *why)
{
  if (!quiet) {
    sweep_clear_progress();
    fprintf(stderr, "cellcoll: skipped: %s\n", why);
  }
}

void
sweep_clear_progress(void)
{
  if (shown) {
    fputs("\r\033[K", stderr);
    shown = false;
  }
}
