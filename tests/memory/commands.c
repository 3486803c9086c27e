/* SPDX-License-Identifier: BSD-3-Clause
 * Many calls of the program in one process that valgrind has started: each line of standard input, an exit
 * code and arguments, is called in a child and reported in TAP. Under valgrind the start of the program takes
 * longer than most calls: tests/speed counts the instructions of many calls so as well. What valgrind has
 * translated in the parent it does not translate again in every child: the parent reads a platform first, as
 * nearly all of them do. After each report `# process N` names the child. */
#include "platform/platform.h"
#include "tests/short_end.h"

#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

int cellcoll_main(int argc, char **argv);

#define main cellcoll_main
#include "cli/main.c"
#undef main

enum { LINE_SIZE = 512, WORDS_MAX = 32 };

/* Become the program, called with the words of LINE. */
static _Noreturn void call(char *line) {
  static char name[] = "cellcoll";
  char *words[WORDS_MAX + 1] = {name}, *rest = NULL;
  int n = 1, nothing = open("/dev/null", O_RDWR);
  for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    assert(n < WORDS_MAX);
    words[n++] = word;
  }
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  exit(cellcoll_main(n, words));
}

/* Call the program with the words of LINE in process *CHILD.
 * returns: its exit code; -1 if it was killed. */
static int code_of(char *line, pid_t *child) {
  int status = 0;
  *child = fork();
  assert(*child >= 0);
  if (*child == 0) {
    call(line);
  }
  waitpid(*child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
  char line[LINE_SIZE];
  unsigned number = 0;
  struct err err = {""};
  short_end();
  setvbuf(stdout, NULL, _IOLBF, 0); /* a child must not print what its parent has written */
  platform_free(platform_read("qs20", &err));
  while (fgets(line, sizeof line, stdin)) {
    int length = 0, expected = 0;
    line[strcspn(line, "\n")] = '\0';
    bool readable = sscanf(line, "%d %n", &expected, &length) == 1;
    assert(readable);
    (void)readable;
    char *arguments = strdup(line + length);
    pid_t child;
    int code = code_of(arguments, &child);
    printf("%s %u - %s\n# process %d\n", code == expected ? "ok" : "not ok", ++number, line + length,
           (int)child);
    if (code != expected) {
      printf("# exit code %d, expected %d\n", code, expected);
    }
    free(arguments);
  }
  printf("1..%u\n", number);
  return EXIT_SUCCESS;
}
