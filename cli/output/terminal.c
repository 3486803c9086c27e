/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/terminal.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_ROWS = 24, LEAST_COLUMNS = 20, NOT_FOUND = 127 /* as the shell says it */ };

/* Tell whether variable NAME of the environment is set and not empty. */
static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

/* Tell whether STREAM is a terminal with more abilities than lines. */
static bool is_terminal(FILE *stream) {
  const char *kind = getenv("TERM");
  return isatty(fileno(stream)) && kind && strcmp(kind, "dumb") != 0;
}

bool terminal_has_colours(FILE *stream) {
  bool forced = is_set("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0;
  return !is_set("NO_COLOR") && (forced || is_terminal(stream));
}

const char *terminal_begin(enum terminal_look look) {
  static const char *const begins[] = {[TERMINAL_PLAIN] = "",
                                       [TERMINAL_HEAD] = "\033[1m",
                                       [TERMINAL_GOOD] = "\033[32m",
                                       [TERMINAL_BAD] = "\033[1;31m",
                                       [TERMINAL_OPEN] = "\033[33m"};
  return begins[look];
}

const char *terminal_end(enum terminal_look look) {
  return look == TERMINAL_PLAIN ? "" : "\033[0m";
}

enum terminal_look terminal_look_of(const char *column, const char *text) {
  static const struct {
    const char *column, *text; /* NULL: any other one */
    enum terminal_look look;
  } looks[] = {
    {"verified", "yes", TERMINAL_GOOD}, {"verified", "no", TERMINAL_BAD},
    {"outcome", "ok", TERMINAL_GOOD},   {"outcome", "unpredicted", TERMINAL_OPEN},
    {"outcome", NULL, TERMINAL_BAD},    {"verdict", "holds", TERMINAL_GOOD},
    {"verdict", "fails", TERMINAL_BAD}, {"verdict", NULL, TERMINAL_OPEN},
    {"result", "pass", TERMINAL_GOOD},  {"result", "ok", TERMINAL_GOOD},
    {"result", NULL, TERMINAL_BAD},     {"cause", "unexplained", TERMINAL_BAD},
  };
  enum { LOOKS = VEC_LENGTH(looks) };
  size_t found = VEC_INDEX(
    looks, LOOKS, strcmp(item->column, column) == 0 && (!item->text || strcmp(item->text, text) == 0));
  return found < LOOKS ? looks[found].look : TERMINAL_PLAIN;
}

/* --- lines --- */

/* Return the size of the terminal of standard output; 0: unknown. */
static struct winsize screen(void) {
  struct winsize size = {.ws_col = 0};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  return size;
}

unsigned terminal_width(void) {
  struct winsize size = screen();
  return size.ws_col ? size.ws_col : UINT_MAX;
}

unsigned terminal_columns(void) {
  return is_terminal(stdout) ? terminal_width() : UINT_MAX;
}

void terminal_wrap(const char *text, unsigned indent, unsigned columns, FILE *stream) {
  unsigned column = indent;
  bool narrow = columns < indent + LEAST_COLUMNS;
  for (const char *word = text; *word;) {
    unsigned length = (unsigned)strcspn(word, " ");
    if (column > indent && !narrow && column + 1 + length > columns) {
      fprintf(stream, "\n%*s", (int)indent, "");
      column = indent;
    }
    if (column > indent) {
      putc(' ', stream);
      column++;
    }
    fwrite(word, 1, length, stream);
    column += length;
    word += length + strspn(word + length, " ");
  }
  putc('\n', stream);
}

char *terminal_wrapped(const char *text, unsigned indent, unsigned columns) {
  char *lines;
  FILE *stream = text_open(&lines);
  terminal_wrap(text, indent, columns, stream);
  fclose(stream);
  return lines;
}

/* --- the pager --- */

/* Tell whether TEXT has more lines than the terminal of standard output, but the one of the prompt. */
static bool is_longer_than_screen(const char *text) {
  struct winsize size = screen();
  unsigned rows = size.ws_row ? size.ws_row : USUAL_ROWS, lines = 1;
  for (const char *end = strchr(text, '\n'); end; end = strchr(end + 1, '\n')) {
    lines++;
  }
  return lines > rows;
}

/* Return the pager; NULL: none is wanted. */
static const char *find_pager(void) {
  const char *pager = getenv("PAGER");
  if (!pager) {
    setenv("LESS", "FRX", 0);
    return "less";
  }
  return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

/* Show TEXT in PAGER. A reader may quit the pager early, or interrupt the pager; this is no interruption of
 * this program.
 * returns: whether the pager could be started. */
static bool show(const char *pager, const char *text) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit, broken;
  fflush(stdout);
  FILE *stream = popen(pager, "w");
  if (!stream) {
    return false;
  }
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  sigaction(SIGPIPE, &ignore, &broken);
  fputs(text, stream);
  int status = pclose(stream);
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  sigaction(SIGPIPE, &broken, NULL);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND);
}

void terminal_page(const char *text) {
  const char *pager = is_terminal(stdout) && is_longer_than_screen(text) ? find_pager() : NULL;
  if (!pager || !show(pager, text)) {
    fputs(text, stdout);
  }
}
