/* SPDX-License-Identifier: BSD-3-Clause
 * The value network.hosts: the hosts of a network file that are nodes, by name or pattern, in order. */
#include "platform/platform_slot.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/network/network_file.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

enum { MOST_NODES = 65536 };

/* A choice under way. */
struct choice {
  const struct platform *platform;
  const struct network_file *file;
  const char **names; /* chosen so far, room for all hosts of the file */
  size_t n;
  const char **words; /* [host of the file]: the word in the choice; NULL: none */
};

/* --- patterns --- */

/* Read the range {FIRST-LAST} at PATTERN.
 * returns: the length of the range; 0: there is none. */
static int read_range(const char *pattern, unsigned *first, unsigned *last) {
  const char *at = pattern + 1;
  bool good = text_take_number(&at, 9, first) && *at++ == '-' && text_take_number(&at, 9, last) &&
              *at++ == '}' && *first <= *last;
  return good ? (int)(at - pattern) : 0;
}

static bool is_pattern(const char *word) {
  return strpbrk(word, "{}*") != NULL;
}

/* Tell whether all braces of WORD are braces of ranges. */
static bool is_sound(const char *word) {
  unsigned first, last;
  for (const char *at = word; *at; at++) {
    int length = *at == '{' ? read_range(at, &first, &last) : 0;
    if (*at == '}' || (*at == '{' && !length)) {
      return false;
    }
    at += length ? length - 1 : 0;
  }
  return true;
}

/* Take the first part of PATTERN, no star, from *AT on in NAME.
 * returns: the length of the part in PATTERN; 0: the part does not fit. */
static int take_part(const char *pattern, const char *name, const char **at) {
  unsigned first, last;
  int length = *pattern == '{' ? read_range(pattern, &first, &last) : 0;
  if (!length) {
    bool same = *pattern == **at && **at;
    *at += same;
    return same;
  }
  unsigned number;
  bool whole = (*at == name || !isdigit((unsigned char)(*at)[-1])) && text_take_number(at, 9, &number);
  return whole && number >= first && number <= last ? length : 0;
}

/* Tell whether NAME fits PATTERN, a sound pattern: '*' is for any characters, {0-7} for a whole number
 * from 0 to 7. */
static bool fits(const char *pattern, const char *name) {
  const char *at = name, *star = NULL, *again = NULL;
  while (*at || *pattern) {
    if (*pattern == '*') {
      star = ++pattern;
      again = at;
      continue;
    }
    int length = take_part(pattern, name, &at);
    if (!length && (!star || !*again)) {
      return false;
    }
    pattern = length ? pattern + length : star;
    at = length ? at : ++again;
  }
  return true;
}

/* --- the choice --- */

/* Return WORD without stars and with the first number of each range.
 * owner: the caller. */
static char *plain(const char *word) {
  char *text = xstrdup(word), *end = text;
  for (const char *at = word; *at; at++) {
    if (*at == '{') {
      while (*++at != '-') {
        *end++ = *at;
      }
      at += strcspn(at, "}");
    } else if (*at != '*') {
      *end++ = *at;
    }
  }
  *end = '\0';
  return text;
}

/* Complain about WORD, without a host; always -1. A pattern is compared with the beginnings of names. */
static int no_host(const struct choice *choice, const char *word, struct err *err) {
  const struct network_file *file = choice->file;
  char **beginnings = xcalloc(file->nhosts, sizeof *beginnings);
  SCOPED char *text = plain(word);
  size_t length = is_pattern(word) ? strlen(text) + 1 : NETWORK_NAME_MAX;
  for (size_t k = 0; k < file->nhosts; k++) {
    beginnings[k] = xasprintf("%.*s", (int)length, file->hosts[k].name);
  }
  const char *nearest = suggest_nearest(text, (const char *const *)beginnings, file->nhosts);
  size_t i = nearest ? VEC_INDEX(beginnings, file->nhosts, *item == nearest) : 0;
  const char *apostrophe = strchr(file->hosts[i].name, ' ') ? "'" : "";
  platform_err_set(choice->platform, "network.hosts", err,
                   "%s '%.80s' in network.hosts fits no host of %.120s, expected %s%s%s%s",
                   is_pattern(word) ? "pattern" : "name", word, choice->platform->network.file,
                   nearest ? "" : "some such as ", apostrophe, file->hosts[i].name, apostrophe);
  xfree_all(beginnings, file->nhosts);
  return -1;
}

/* Choose the hosts for WORD. */
static int choose(struct choice *choice, const char *word, struct err *err) {
  bool found = false, all = strcmp(choice->platform->network.hosts, "all") == 0;
  if (!is_sound(word)) {
    return platform_err_set(
      choice->platform, "network.hosts", err,
      "pattern '%.80s' in network.hosts, expected braces only around two numbers such as {0-7}", word);
  }
  for (size_t i = 0; i < choice->file->nhosts; i++) {
    const char *name = choice->file->hosts[i].name;
    if (!all && !fits(word, name)) {
      continue;
    }
    if (choice->words[i]) {
      return platform_err_set(
        choice->platform, "network.hosts", err,
        "host %.80s in network.hosts by %.80s and again by %.80s, expected each host once", name,
        choice->words[i], word);
    }
    choice->words[i] = word;
    choice->names[choice->n++] = name;
    found = true;
  }
  return found ? 0 : no_host(choice, word, err);
}

/* Put the hosts called n0, n1 and so on first, and leave the order of all others. */
static void put_plain_first(struct choice *choice) {
  SCOPED const char **ordered = xcalloc(choice->n, sizeof *ordered);
  size_t n = 0;
  for (int plain_ones = 1; plain_ones >= 0; plain_ones--) {
    for (size_t i = 0; i < choice->n; i++) {
      const char *name = choice->names[i];
      bool is_plain = *name == 'n' && name[1] && !name[1 + strspn(name + 1, DIGITS)];
      if (is_plain == plain_ones) {
        ordered[n++] = name;
      }
    }
  }
  memcpy(choice->names, ordered, n * sizeof *ordered);
}

/* Return a rank for the place of a value's ORIGIN: 2 an override, 1 the file, 0 a base or a default. The
 * higher rank was given later. */
static int age(const struct platform_origin *origin) {
  return !origin->own ? 0 : origin->line ? 1 : 2;
}

/* Let PLATFORM have as many nodes as CHOICE has hosts, unless node.count was given with the file or the
 * choice, or later. */
static void count(struct platform *platform, const struct choice *choice) {
  const struct platform_origin *file = platform_origin(platform, "network.file"),
                               *hosts = platform_origin(platform, "network.hosts");
  const struct platform_origin *latest = age(hosts) > age(file) ? hosts : file;
  struct platform_origin *origin = platform_origin(platform, "node.count");
  if (age(latest) <= age(origin)) {
    return;
  }
  *origin = (struct platform_origin){.source = latest->line ? "network.file: all hosts" : PLATFORM_OVERRIDE,
                                     .line = latest->line};
  platform->node.count = (unsigned)choice->n;
}

/* Check the number of nodes of PLATFORM against the hosts of CHOICE and the most nodes. */
static int check_count(const struct platform *platform, const struct choice *choice, struct err *err) {
  bool all = strcmp(platform->network.hosts, "all") == 0;
  if (platform->node.count > MOST_NODES) {
    return platform_err_set(platform, "network.file", err,
                            "network.file %.120s has %u hosts, expected at most %d, or node.count",
                            platform->network.file, platform->node.count, (int)MOST_NODES);
  }
  if (choice->n < platform->node.count) {
    return platform_refuse(platform, "node.count", err, ", expected at most the %zu host%s of %s%.120s",
                           choice->n, text_plural(choice->n), all ? "" : "network.hosts in ",
                           platform->network.file);
  }
  return 0;
}

/* Give the nodes of PLATFORM the names of CHOICE, unless the names are n0, n1 and so on. */
static void take_names(struct platform *platform, const struct choice *choice) {
  unsigned n = platform->node.count, nplain = 0;
  const char **names = xcalloc(n + 1, sizeof *names);
  for (unsigned i = 0; i < n; i++) {
    char name[16];
    snprintf(name, sizeof name, "n%u", i);
    nplain += strcmp(name, choice->names[i]) == 0;
    names[i] = text_keep(choice->names[i]);
  }
  platform->host_names = names;
  if (nplain == n) {
    platform_drop_names(platform);
  }
  platform->ignored_parts = text_keep(choice->file->ignored);
}

/* Check that each apostrophe of network.hosts has a counterpart. */
static int check_apostrophes(const struct platform *platform, struct err *err) {
  unsigned n = 0;
  for (const char *at = platform->network.hosts; *at; at++) {
    n += *at == '\'';
  }
  return n % 2 == 0 ? 0
                    : platform_refuse(platform, "network.hosts", err,
                                      ", expected apostrophes in pairs, around a name with blanks");
}

/* Choose the nodes of PLATFORM among the hosts of FILE, at least one. */
static int find_in(struct platform *platform, const struct network_file *file, struct err *err) {
  struct choice choice = {.platform = platform,
                          .file = file,
                          .names = xcalloc(file->nhosts, sizeof *choice.names),
                          .words = xcalloc(file->nhosts, sizeof *choice.words)};
  struct platform_names words = platform_names_split(platform->network.hosts);
  int status = check_apostrophes(platform, err);
  for (size_t i = 0; i < words.n && status == 0; i++) {
    status = choose(&choice, words.names[i], err);
  }
  if (status == 0 && strcmp(platform->network.hosts, "all") == 0) {
    put_plain_first(&choice);
  }
  if (status == 0) {
    count(platform, &choice);
    status = check_count(platform, &choice, err);
  }
  if (status == 0) {
    take_names(platform, &choice);
  }
  free(choice.names);
  free(choice.words);
  return status;
}

int network_hosts_find(struct platform *platform, struct err *err) {
  platform_drop_names(platform);
  if (!platform_has_network_file(platform) || strcmp(platform->network.file, "none") == 0) {
    return 0; /* platform_check looks for contradictions */
  }
  struct network_source source;
  struct network_file file;
  SCOPED char *path = platform_network_source(platform, &source);
  int status = network_file_read(&file, &source, err) ? PLATFORM_BAD_NETWORK : 0;
  if (status == 0 && file.nhosts == 0) {
    err_set(err, "%s: no host, expected some", path);
    status = PLATFORM_BAD_NETWORK;
  }
  status = status == 0 ? find_in(platform, &file, err) : status;
  network_file_fini(&file);
  return status;
}
