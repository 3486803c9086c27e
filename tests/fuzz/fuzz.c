/* SPDX-License-Identifier: BSD-3-Clause
 * See fuzz.h. */
#include "tests/fuzz/fuzz.h"

#include "cli/commands.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS_MAX = 64 };

int fuzz_file(const char *text, size_t nbytes, char path[FUZZ_PATH_SIZE]) {
  int fd = memfd_create("fuzz", 0);
  FUZZ_REQUIRE(fd >= 0 && write(fd, text, nbytes) == (ssize_t)nbytes);
  snprintf(path, FUZZ_PATH_SIZE, "/proc/self/fd/%d", fd);
  return fd;
}

int fuzz_program(const char *const *words) {
  struct err err = {""};
  char *argv[WORDS_MAX + 1] = {NULL};
  int argc = 0;
  const struct command *command = command_find(words[0], &err);
  FUZZ_REQUIRE(command != NULL);
  while (words[argc] && argc < WORDS_MAX) {
    argv[argc] = xstrdup(words[argc]);
    argc++;
  }
  char *copies[WORDS_MAX + 1];
  memcpy(copies, argv, sizeof copies);
  int code = session_run(command, argc, argv, &err);
  /* A refusal has its one message. */
  FUZZ_REQUIRE(code == 0 || err.text[0] != '\0');
  for (int i = 0; i < argc; i++) {
    free(copies[i]);
  }
  return code;
}

int fuzz_run(const char *name, const char *text, size_t nbytes) {
  static const struct {
    const char *name;
    void (*run)(const char *text, size_t nbytes);
  } targets[] = {
#define TARGET(name, folders) {#name, fuzz_##name},
#include "tests/fuzz/targets.def"
  };
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    if (strcmp(targets[i].name, name) == 0) {
      char *copy = xcalloc(nbytes + 1, 1); /* so that a sanitizer sees what is read behind it */
      memcpy(copy, text, nbytes);
      targets[i].run(copy, nbytes);
      free(copy);
      return 0;
    }
  }
  return -1;
}
