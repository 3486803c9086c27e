/* SPDX-License-Identifier: BSD-3-Clause
 * The program: find the command, run it with its options, print the message of a failure. */
#include "cli/commands.h"
#include "cli/output/terminal.h"
#include "cli/session.h"
#include "config.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"

#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes of freed heap kept for the next call, and the size from which on a block gets a mapping of its own.
 * Calls one after the other need the same memory, and getting a page from the kernel takes longer than
 * filling the page. */
enum { HEAP_KEPT = 64 << 20, HEAP_MAPPED = 8 << 20 };

static int run_program(int argc, char **argv, struct err *err) {
  if (argc < 2) {
    command_explain(NULL, UINT_MAX, stderr);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    command_show(NULL);
    return CLI_DONE;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    puts(PACKAGE_STRING);
    return CLI_DONE;
  }
  const struct command *command = command_find(argv[1], err);
  return command ? session_run(command, argc - 1, argv + 1, err) : CLI_USAGE;
}

int main(int argc, char **argv) {
  struct err err = {0}, why = {0};
  struct outfile output = {.stream = stdout};
  /* Closed standard streams stay occupied, so that no file opened later gets the number of a standard stream.
   * Writing to such a stream fails. */
  for (int i = 0; i <= STDERR_FILENO; i++) {
    if (fcntl(i, F_GETFD) < 0) {
      (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
  uselocale(
    /* the format of numbers stays the same if a plugin calls setlocale */
    newlocale(LC_ALL_MASK, "C", (locale_t)0));
  mallopt(M_TRIM_THRESHOLD, HEAP_KEPT);
  mallopt(M_MMAP_THRESHOLD, HEAP_MAPPED);
  signal(SIGXFSZ, SIG_IGN); /* a too large file is a failed write; the unfinished file is removed */
  int code = run_program(argc, argv, &err);
  if (*err.text) {
    enum terminal_look look = terminal_has_colours(stderr) ? TERMINAL_BAD : TERMINAL_PLAIN;
    fprintf(stderr, "%scellcoll:%s %s\n", terminal_begin(look), terminal_end(look), err.text);
  }
  if (code == CLI_DONE && outfile_close(&output, &why) != 0) { /* a failed command has a message already */
    fprintf(stderr, "cellcoll: %s\n", why.text);
    code = CLI_INPUT;
  }
  return code;
}
