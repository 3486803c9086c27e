/* SPDX-License-Identifier: BSD-3-Clause
 * See network_shape.h. */
#include "platform/network_shape.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 65536, MOST_CLOS_NODES = 256, MOST_CABLES = 1 << 20 };

/* Complain about network.topology; always -1. */
static int complain(const struct platform *platform, struct err *err, const char *expected) {
  return platform_refuse(platform, "network.topology", err, ", expected %s", expected);
}

/* Take a number from the front of TEXT; the number ends with END, a blank or the text.
 * returns: the number; 0: no valid number. */
static unsigned take_number(const char **text, char end) {
  char *after;
  if (**text < '1' || **text > '9') {
    return 0;
  }
  unsigned long number = strtoul(*text, &after, 10);
  if (number > MOST_PLACES || (*after != end && *after != '\0' && *after != ' ')) {
    return 0;
  }
  *text = after + (*after == end);
  return (unsigned)number;
}

/* Take a list such as 180x17 from the front of TEXT into NUMBERS.
 * returns: how many there are; 0 if the list is malformed. */
static unsigned take_list(const char **text, unsigned numbers[NETWORK_LEVELS_MAX]) {
  unsigned n = 0;
  *text += strspn(*text, " ");
  while (**text != '\0' && **text != ' ') {
    unsigned number = take_number(text, 'x');
    if (number == 0 || n == NETWORK_LEVELS_MAX || ((*text)[-1] == 'x' && (**text == ' ' || !**text))) {
      return 0;
    }
    numbers[n++] = number;
  }
  return n;
}

static int read_fat_tree(const struct platform *platform, const char *text, struct network_shape *shape,
                         struct err *err) {
  unsigned places = 1, n = take_list(&text, shape->down);
  shape->nlevels = n;
  if (n == 0 || take_list(&text, shape->up) != n || take_list(&text, shape->cables) != n || *text != '\0') {
    return complain(platform, err,
                    "three lists of one length after fat-tree, such as 180x17 1x8 1x12 (down, up, cables)");
  }
  for (unsigned i = 0; i < n; i++) {
    places = shape->down[i] > MOST_PLACES / places ? MOST_PLACES + 1 : places * shape->down[i];
    if (places > MOST_PLACES) {
      return complain(platform, err, "at most 65536 places");
    }
  }
  if (places != platform->node.count) {
    return platform_refuse(platform, "network.topology", err, " with %u places, expected node.count, %u",
                           places, platform->node.count);
  }
  return 0;
}

static int read_clos(const struct platform *platform, const char *text, struct network_shape *shape,
                     struct err *err) {
  unsigned *numbers[] = {&shape->down[1], &shape->down[0], &shape->up[1]};
  bool good = true;
  shape->nlevels = 2;
  for (unsigned i = 0; i < 3; i++) {
    text += strspn(text, " ");
    *numbers[i] = take_number(&text, ' ');
    good &= *numbers[i] > 0;
  }
  if (!good || *text != '\0') {
    return complain(platform, err,
                    "three numbers after clos, such as 16 8 8 (leaves, hosts of each, spines)");
  }
  unsigned long places = (unsigned long)shape->down[0] * shape->down[1];
  if (platform->node.count > MOST_CLOS_NODES) {
    return complain(platform, err, "another topology for more than 256 nodes: each route is drawn");
  }
  if (places < platform->node.count) {
    return platform_refuse(platform, "network.topology", err,
                           " with %lu places, expected at least node.count, %u", places,
                           platform->node.count);
  }
  return 0;
}

/* The first words of network.topology, and the names of the switches on the first level and above. */
enum { KINDS = NETWORK_FILE + 1 };
static const char *const words[KINDS] = {"switch", "fat-tree", "clos", "file"};
static const char *const levels[KINDS][2] = {[NETWORK_SWITCH] = {"switch"},
                                             [NETWORK_FAT_TREE] = {"switch", "switch"},
                                             [NETWORK_CLOS] = {"leaf switch", "spine switch"},
                                             [NETWORK_FILE] = {"network of a file"}};

int network_shape(const struct platform *platform, struct network_shape *shape, struct err *err) {
  const char *text = platform->network.topology;
  size_t length = strcspn(text, " "), word = 0;
  while (word < KINDS && !(strlen(words[word]) == length && strncmp(words[word], text, length) == 0)) {
    word++;
  }
  if (word == KINDS || (word != NETWORK_FAT_TREE && word != NETWORK_CLOS && text[length] != '\0')) {
    const char *nearest = suggest_nearest(text, words, KINDS);
    return complain(platform, err, nearest ? nearest : "switch, fat-tree, clos or file");
  }
  bool file = strcmp(platform->network.file, "none") != 0;
  if (file != (word == NETWORK_FILE)) {
    return platform_err_set(platform, "network.file", err,
                            file ? "network.file is given, expected none: network.topology is not file"
                                 : "network.file is none, expected a SimGrid platform file");
  }
  if (!file && strcmp(platform->network.hosts, "all") != 0) {
    return platform_err_set(platform, "network.hosts", err,
                            "network.hosts is given, expected all: network.topology is not file");
  }
  *shape = (struct network_shape){.kind = (enum network_kind)word,
                                  .nlevels = 1,
                                  .down = {platform->node.count},
                                  .up = {1, 1},
                                  .cables = {1, 1}};
  text += length;
  int status = word == NETWORK_FAT_TREE ? read_fat_tree(platform, text, shape, err)
               : word == NETWORK_CLOS   ? read_clos(platform, text, shape, err)
                                        : 0;
  if (status == 0 && network_ncables(shape, platform->node.count) > MOST_CABLES) {
    return complain(platform, err, "at most 1048576 cables");
  }
  return status;
}

/* --- switches, cables, and the joined pairs --- */

const char *network_level_name(const struct network_shape *shape, unsigned level) {
  return levels[shape->kind][level > 1];
}

unsigned network_nswitches(const struct network_shape *shape, unsigned level, unsigned nnodes) {
  uint64_t n = 1;
  for (unsigned i = 0; i < shape->nlevels; i++) {
    n *= shape->down[i];
  }
  for (unsigned i = 0; i < level; i++) {
    n = n / shape->down[i] * shape->up[i];
    n = n < UINT_MAX ? n : UINT_MAX;
  }
  return level ? (unsigned)n : nnodes;
}

uint64_t network_ncables(const struct network_shape *shape, unsigned nnodes) {
  uint64_t n = 0;
  for (unsigned level = 0; level < shape->nlevels; level++) {
    n += (uint64_t)network_nswitches(shape, level, nnodes) * shape->up[level] * shape->cables[level];
  }
  return n;
}

/* The number of a switch has one digit for each level, the lowest level first. The digits up to the switch's
 * own level number the switches side by side; the digits of higher levels number the subtree. Switches of
 * adjacent levels are joined if all digits are equal except the digit of the upper level. */
bool network_joins(const struct network_shape *shape, unsigned level, unsigned below, unsigned above) {
  uint64_t beside = 1;
  for (unsigned i = 0; i + 1 < level; i++) {
    beside *= shape->up[i];
  }
  return below % beside == above % beside &&
         below / beside / shape->down[level - 1] == above / beside / shape->up[level - 1];
}

unsigned network_nbelow(const struct network_shape *shape, unsigned level, unsigned above, unsigned nnodes) {
  uint64_t before = (uint64_t)(above / shape->up[0]) * shape->down[0];
  uint64_t left = before < nnodes ? nnodes - before : 0;
  return level == 1 && left < shape->down[0] ? (unsigned)left : shape->down[level - 1];
}
