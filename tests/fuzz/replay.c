/* SPDX-License-Identifier: BSD-3-Clause
 * Run every input of the corpus, and variants of it that a few random changes make, through its target. No
 * libFuzzer is needed. Speaks TAP; usage: run [TARGET FILE]. */
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

#include <dirent.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VARIANTS = 16, CHANGES = 4, SECONDS = 600, BYTES_MAX = 1 << 20 };

/* Read the file PATH.
 * owner: the caller. */
static char *read_file(const char *path, size_t *nbytes) {
  FILE *file = fopen(path, "rb");
  char *text = xcalloc(BYTES_MAX, 1);
  FUZZ_REQUIRE(file != NULL);
  *nbytes = fread(text, 1, BYTES_MAX, file);
  fclose(file);
  return text;
}

/* Change some bytes of TEXT: another one, one away, one more, or a copy of a piece. */
static void change(char *text, size_t *nbytes, uint64_t *state) {
  for (uint64_t left = 1 + random_next(state) % CHANGES; left && *nbytes; left--) {
    uint64_t number = random_next(state);
    size_t at = number % *nbytes, length = 1 + (number >> 32) % 16;
    length = length < *nbytes - at ? length : *nbytes - at;
    switch (number >> 60) {
    case 0 ... 5:
      text[at] = (char)(number >> 40);
      break;
    case 6 ... 9:
      memmove(text + at, text + at + length, *nbytes - at - length);
      *nbytes -= length;
      break;
    case 10 ... 12:
      text[at] = "0123456789-.,:=<>\"'&\n"[(number >> 40) % 21];
      break;
    default:
      if (*nbytes + length < BYTES_MAX) {
        memmove(text + at + length, text + at, *nbytes - at);
        *nbytes += length;
      }
    }
  }
}

/* Run TARGET on the file PATH and on its variants; ends the process if anything is wrong. */
static void run(const char *target, const char *path) {
  size_t nbytes;
  char *text = read_file(path, &nbytes), *variant = xcalloc(BYTES_MAX, 1);
  FUZZ_REQUIRE(fuzz_run(target, text, nbytes) == 0);
  for (uint64_t seed = 0; seed < VARIANTS; seed++) {
    uint64_t state = seed;
    size_t size = nbytes;
    memcpy(variant, text, nbytes);
    change(variant, &size, &state);
    fuzz_run(target, variant, size);
  }
  free(variant);
  free(text);
}

/* Report whether TARGET stands the file PATH and its variants, in a process of its own. */
static void report(const char *target, const char *path, unsigned number) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  FUZZ_REQUIRE(child >= 0);
  if (child == 0) {
    alarm(SECONDS);
    run(target, path);
    _exit(0);
  }
  waitpid(child, &status, 0);
  printf("%s %u - %s: %s\n", status == 0 ? "ok" : "not ok", number, target, path);
}

static int is_input(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

/* Report the inputs of TARGET in the folder PATH, in alphabetical order.
 * returns: how many there are. */
static unsigned report_folder(const char *target, const char *path, unsigned number) {
  struct dirent **entries;
  int n = scandir(path, &entries, is_input, alphasort);
  FUZZ_REQUIRE(n > 0);
  for (int i = 0; i < n; i++) {
    char *file = xasprintf("%s/%s", path, entries[i]->d_name);
    report(target, file, number + (unsigned)i);
    free(file);
    free(entries[i]);
  }
  free(entries);
  return (unsigned)n;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name, *folders;
  } targets[] = {
#define TARGET(name, folders) {#name, folders},
#include "tests/fuzz/targets.def"
  };
  unsigned number = 1;
  if (argc == 3) {
    run(argv[1], argv[2]);
    return 0;
  }
  char *defects = samples_of_defects();
  FUZZ_REQUIRE(defects != NULL);
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    char *folders = xstrdup(targets[i].folders), *rest = folders;
    while (rest) {
      const char *folder = strsep(&rest, " ");
      char *path = strcmp(folder, "defects") == 0 ? xstrdup(defects) : sample_path(folder);
      number += report_folder(targets[i].name, path, number);
      free(path);
    }
    free(folders);
  }
  samples_remove(defects);
  printf("1..%u\n", number - 1);
  return 0;
}
