/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/file.h"

#include "algos/catalogue.h"
#include "algos/schedule/blocks/blocks.h"
#include "algos/schedule/goal/goal.h"
#include "algos/schedule/workload/workload.h"
#include "algos/schedule/sched/sched.h"
#include "algos/step/algo.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The first bytes of a file. */
struct head {
  char bytes[65536];
  size_t n;
};

/* A format, told from the head of a file by the first WORD outside white space and comments, by the
 * expression LIKE, or by IS. Formats without a form are known by name only. */
struct format {
  const char *name, *word, *like;
  bool (*is)(const struct head *head);
  const struct form *form;
  struct workload *(*read_workload)(const char *path, const char *text, struct err *err);
};

static const struct text_kind schedules = {32 << 20, "33554432 bytes", "a schedule"},
                              texts = {1 << 20, "1048576 bytes", "a text of an algorithm"};

/* Return the first byte of HEAD outside white space and comments. */
static const char *first_word(const struct head *head) {
  const char *at = head->bytes;
  for (;;) {
    at += strspn(at, " \t\r\n");
    bool is_long = strncmp(at, "/*", 2) == 0, is_comment = is_long || strncmp(at, "//", 2) == 0;
    const char *end = is_comment ? strstr(at + 2, is_long ? "*/" : "\n") : NULL;
    if (!end) {
      return at;
    }
    at = end + (is_long ? 2 : 1);
  }
}

static bool is_empty(const struct head *head) {
  return head->n == 0;
}

static bool is_binary_goal(const struct head *head) {
  static const char start[8] = "\x7f\x10"; /* 4223 */
  return head->n >= sizeof start && memcmp(head->bytes, start, sizeof start) == 0;
}

/* Bytes 0, and no shared object. */
static bool is_binary(const struct head *head) {
  return memchr(head->bytes, 0, head->n) && strncmp(head->bytes, "\177ELF", 4) != 0;
}

static bool is_text(const struct head *head) {
  return sched_begins(head->bytes, head->n);
}

/* Only white space and comments. */
static bool is_blank(const struct head *head) {
  return *first_word(head) == '\0' && head->n < sizeof head->bytes - 1;
}

/* What stands before the first word: blanks, and comments with a #. */
#define OUTSIDE "^([ \t\r\n]|#[^\n]*\n)*"

/* The name of a file: with a dot or a slash, and no number. */
#define NO_BLANK "[^ \t\r\n:=#]"
#define NAME \
  "([0-9]" NO_BLANK "*[./]" NO_BLANK "*[A-Za-z]|" \
  "([./]|[^0-9 \t\r\n:=#]" NO_BLANK "*[./])" NO_BLANK "*[A-Za-z0-9])"

static const struct format formats[] = {
  {"an empty file", .is = is_empty},
  {"binary GOAL", .is = is_binary_goal},
  {"MSCCL XML", .word = "<", .form = &blocks_form},
  {"an execution plan of MSCCL++", .like = "^[{].*\"gpus\""},
  {"JSON", .word = "{"},
  {"JSON", .word = "["},
  {"GOAL", .word = "num_ranks", .form = &goal_form},
  {"GOAL", .word = "rank ", .form = &goal_form},
  {"GOAL", .word = "/*", .form = &goal_form},
  /* the metadata begin with a version in field 1 */
  {"an execution trace of Chakra", .like = "^.\n[\x01-\x7f][0-9][.]"},
  {"a byte order mark", .like = "^\xef\xbb\xbf"},
  {"bytes 0", .is = is_binary},
  {"only comments", .is = is_blank},
  /* lines of a rank and an action; of old versions behind a p */
  {"a time-independent trace", .like = OUTSIDE "[0-9]+[ \t]+[A-Za-z]", .read_workload = workload_read_ti},
  {"a time-independent trace of an old SimGrid", .like = OUTSIDE "p[0-9]+[ \t]+[A-Za-z]"},
  /* lines of a call of MPI and numbers, behind comments */
  {"a trace of liballprof", .like = "^(#[^\n]*(\n|$)|\n)*MPI_[^: \n]*:[0-9-]"},
  {"a program", .like = OUTSIDE "program([ \t\r\n]|$)", .read_workload = workload_read_text},
  {"a text of an algorithm", .is = is_text},
  {"a list of traces", .like = "^[ \t\r\n]*(" NAME "[ \t\r]*(\n[ \t\r\n]*|$))*$",
   .read_workload = workload_read_ti_list}};

static bool has_format(const struct head *head, const struct format *format) {
  if (format->is) {
    return format->is(head);
  }
  if (format->word) {
    return strncmp(first_word(head), format->word, strlen(format->word)) == 0;
  }
  regex_t like;
  bool is_like = regcomp(&like, format->like, REG_EXTENDED | REG_NOSUB) == 0 &&
                 regexec(&like, head->bytes, 0, NULL, 0) == 0;
  regfree(&like);
  return is_like;
}

static bool is_regular(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Find the format of file PATH; NULL: no format of schedules. */
static const struct format *find_format(const char *path) {
  struct head head = {.n = 0};
  FILE *stream = is_regular(path) ? fopen(path, "rb") : NULL;
  if (!stream) {
    return NULL;
  }
  head.n = fread(head.bytes, 1, sizeof head.bytes - 1, stream);
  fclose(stream);
  return VEC_FIND(formats, VEC_LENGTH(formats), has_format(&head, item));
}

/* Tell whether FORMAT is one of schedules, or a foreign one. */
static bool has_schedule(const struct format *format) {
  return format && format->is != is_text && !format->read_workload;
}

bool file_is_judged(const char *path) {
  return has_schedule(find_format(path));
}

bool file_is_algorithm(const char *path) {
  return find_format(path) != NULL;
}

/* Tell whether an algorithm of KIND in the catalogue is called NAME. */
static bool is_taken(const char *algo_kind, const char *name) {
  return VEC_FIND(catalogue, catalogue_size,
                  (*item)->kind && strcmp((*item)->kind, algo_kind) == 0 && strcmp((*item)->name, name) == 0);
}

/* Tell whether BYTE of UTF-8 begins no character. */
static bool is_inside_character(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Return NAME with a '~' for the middle if NAME has more than NBYTES bytes.
 * owner: the caller. */
static char *shorten(const char *name, size_t nbytes) {
  size_t n = strlen(name), front = nbytes / 2, back = n - (nbytes - front - 1);
  if (n <= nbytes) {
    return xstrdup(name);
  }
  while (front > 0 && is_inside_character(name[front])) {
    front--;
  }
  while (is_inside_character(name[back])) {
    back++;
  }
  return xasprintf("%.*s~%s", (int)front, name, name + back);
}

/* Return the name of the algorithm of KIND in file PATH: of the file, without the ending, with '_' for bytes
 * that no name has, short enough, and with '~2' and so on behind a name that is taken. */
static const char *name_of(const char *path, const char *algo_kind) {
  const char *slash = strrchr(path, '/');
  SCOPED char *name = xstrdup(slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot && dot != name) {
    *dot = '\0';
  }
  for (char *at = name; *at; at++) {
    *at = strchr(CATALOGUE_NO_WORD "*?[\\'", *at) || iscntrl((unsigned char)*at) ? '_' : *at;
  }
  SCOPED char *unique = shorten(name, CATALOGUE_WORD_MAX);
  for (unsigned i = 2; is_taken(algo_kind, unique); i++) {
    char number[16];
    int n = snprintf(number, sizeof number, "~%u", i);
    free(unique);
    unique = shorten(name, CATALOGUE_WORD_MAX - (size_t)n);
    xappend(&unique, "%s", number);
  }
  return text_keep(unique);
}

/* A file read before, and the file's size and last change: an algorithm of the catalogue, or only a schedule.
 */
static struct known {
  const char *path;
  const struct algo *algo;     /* NULL: none, and WHY is the reason */
  const struct loaded *loaded; /* NULL: a text */
  const char *why;
  struct stat was;
} * known;
static size_t nknown;

/* Return the last reading of file PATH; NULL: none. */
static struct known *find_known(const char *path) {
  return VEC_FIND(known, nknown, strcmp(item->path, path) == 0);
}

const struct loaded *file_loaded(const char *path) {
  const struct known *k = find_known(path);
  return k ? k->loaded : NULL;
}

/* Add the algorithm in the file of NEW, of FORMAT (NULL: a text of an algorithm), to the catalogue. */
static void load(struct known *new, const struct format *format, struct err *err) {
  const struct form *form = format ? format->form : NULL;
  bool is_program = format && format->read_workload, is_sched = !form && !is_program;
  size_t nbytes = 0;
  SCOPED char *text = text_read_file(new->path, is_sched ? &texts : &schedules, &nbytes, err);
  if (!text) {
    return;
  }
  const char *name = name_of(new->path, form ? form->name : is_program ? "program" : "sched");
  uint64_t sum = checksum_add(CHECKSUM_START, text, nbytes);
  struct err why = {""};
  if (form) {
    struct loaded *loaded = form->read(new->path, text, nbytes, err);
    new->loaded = loaded;
    if (loaded && loaded_add(loaded, name, sum, &why) == 0) {
      new->algo = &loaded->algo;
    }
  } else if (is_program) {
    struct workload *workload = format->read_workload(new->path, text, err);
    new->algo = workload ? workload_add(workload, name, sum, err) : NULL;
    if (!new->algo) {
      workload_free(workload);
    }
  } else {
    new->algo = sched_add(text, nbytes, new->path, name, err);
    text = NULL;
  }
  new->why = text_keep(why.text);
}

/* Return the algorithm of K.
 * errors: there is none. */
static const struct algo *algo_of(const struct known *k, struct err *err) {
  if (!k->algo) {
    err_set(err, "%.200s: %s", k->path, k->why);
  }
  return k->algo;
}

const struct algo *file_load(const char *path, struct err *err) {
  struct stat is = {0};
  stat(path, &is);
  struct known *before = find_known(path);
  bool is_same = before && before->was.st_size == is.st_size &&
                 before->was.st_mtim.tv_sec == is.st_mtim.tv_sec &&
                 before->was.st_mtim.tv_nsec == is.st_mtim.tv_nsec;
  if (before && before->algo && !is_same) {
    err_set(err, "%.200s: changed since this process has read the file, expected another name", path);
    return NULL;
  }
  if (is_same) {
    return algo_of(before, err);
  }
  struct known new = {.path = text_keep(path), .was = is};
  const struct format *format = find_format(path);
  if (has_schedule(format) && !format->form) {
    err_set(err, "%.200s:1: %s, expected MSCCL XML, GOAL, a text of an algorithm, a program or a trace", path,
            format->name);
    return NULL;
  }
  load(&new, format, err);
  if (!new.algo && !new.loaded) {
    return NULL;
  }
  *(before ? before : &VEC_ADD(known, nknown)) = new;
  return algo_of(&new, err);
}

/* Tell whether PATH is a file and no collective. */
static bool is_file(const char *path) {
  return collective_find(path, strlen(path)) == COLL_COUNT && is_regular(path);
}

/* Return the file at the front of WORD, the longest one up to a colon or the end; NULL: there is none. */
static const char *file_in_word(const char *word) {
  SCOPED char *file = xstrdup(word);
  char *end = file + strlen(file);
  while (end > file && ((word[end - file] && word[end - file] != ':') || !is_file(file))) {
    *--end = '\0';
  }
  return end > file ? text_keep(file) : NULL;
}

/* Tell whether WORD is meant as a file: no name of an algorithm has a slash or such an ending. */
static bool is_meant_as_file(const char *word) {
  static const char *const endings[] = {".xml", ".goal", ".sched", ".prog"};
  size_t length = strcspn(word, ":");
  bool is_meant = memchr(word, '/', length);
  VEC_EACH(ending, endings, VEC_LENGTH(endings)) {
    size_t n = strlen(*ending);
    is_meant |= length > n && strncmp(word + length - n, *ending, n) == 0;
  }
  return is_meant;
}

const char *file_name(const char *word, const char **path, struct err *err) {
  *path = file_in_word(word);
  if (!*path && is_meant_as_file(word)) {
    struct stat status;
    err_set(err, "%.200s: %s", word, stat(word, &status) == 0 ? "no regular file" : strerror(errno));
    return NULL;
  }
  if (!*path) {
    return word;
  }
  const struct algo *algo = file_load(*path, err);
  SCOPED char *full = algo ? xasprintf("%s:%s%s", algo->kind, algo->name, word + strlen(*path)) : NULL;
  return text_keep(full);
}
