/* SPDX-License-Identifier: BSD-3-Clause
 * Shapes of networks. Names of links and the choice of a cable are as in a cluster or a zone of SimGrid: a
 * shape and the same network as a file are one network. */
#include "platform/network_shape.h"

#include "platform/platform_slot.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <limits.h>
#include <string.h>

enum { MOST_PLACES = 65536, MOST_CLOS_NODES = 256, MOST_CABLES = 1 << 20 };

/* Complain about network.topology; always -1. */
static int complain(const struct platform *platform, struct err *err, const char *expected) {
  return platform_refuse(platform, "network.topology", err, ", expected %s", expected);
}

/* Take a number from the front of TEXT; the number ends with END, a blank or the text.
 * returns: the number; 0: no valid number. */
static unsigned take_number(const char **text, char end) {
  const char *after = *text;
  unsigned number;
  if (*after == '0' || !text_take_number(&after, 9, &number) || number > MOST_PLACES ||
      (*after != end && *after != '\0' && *after != ' ')) {
    return 0;
  }
  *text = after + (*after == end);
  return number;
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

static unsigned up_link(unsigned cable) {
  return 2 * cable;
}

static unsigned down_link(unsigned cable) {
  return 2 * cable + 1;
}

/* --- all nodes on one switch --- */

static void name_switch(const struct network_shape *shape, char **names) {
  for (unsigned node = 0; node < shape->nnodes; node++) {
    names[node] = xasprintf("n%u", node);
  }
}

static unsigned route_by_switch(const struct network_shape *shape, const struct network_pair *pair,
                                unsigned *links) {
  (void)shape;
  links[0] = up_link(pair->from);
  links[1] = down_link(pair->to);
  return 2;
}

/* --- a fat tree; network_joins explains the numbers of the switches --- */

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

/* Cables are numbered by level, by the lower end, by the upper end, and then beside each other. In names,
 * switches have the numbers from 2 nnodes - 1 downwards, level by level. */
static void name_fat_tree(const struct network_shape *shape, char **names) {
  long top = 2 * (long)shape->nnodes - 1;
  unsigned cable = 0, beside = 1, nbefore = 0; /* nbefore: switches of the levels below LEVEL */
  for (unsigned level = 0; level < shape->nlevels; level++) {
    unsigned nbelow = network_nswitches(shape, level), up = shape->up[level];
    unsigned nabove_first = nbefore + (level > 0 ? nbelow : 0);
    for (unsigned i = 0; i < nbelow * up * shape->cables[level]; i++, cable++) {
      unsigned below = i / shape->cables[level] / up, digit = i / shape->cables[level] % up;
      unsigned above = below % beside + beside * (digit + up * (below / beside / shape->down[level]));
      long lower = level > 0 ? top - nbefore - below : (long)below, upper = top - nabove_first - above;
      names[cable] = xasprintf("link_from_%ld_%ld_%u", lower, upper, cable);
    }
    nbefore = nabove_first;
    beside *= up;
  }
}

/* A route climbs to the lowest level on which the subtree of FROM is the subtree of TO. On each level the
 * route passes the switch with the digits beside of TO (D-mod-k). Upwards the remaining quotient
 * chooses the cable. Downwards the ports of a switch are numbered cable by cable. On the highest level FROM
 * chooses the first port to try; on each other level the port after the port of the level above is
 * tried first. A number beyond the last port starts again as on the highest level. */
static unsigned route_by_fat_tree(const struct network_shape *shape, const struct network_pair *pair,
                                  unsigned *links) {
  unsigned from = pair->from, to = pair->to, height = 0;
  unsigned below[NETWORK_LEVELS_MAX + 1] = {1}, beside[NETWORK_LEVELS_MAX + 1] = {1};
  unsigned first[NETWORK_LEVELS_MAX + 1] = {0}; /* cable of a level */
  while (from / below[height] != to / below[height]) {
    unsigned ports = shape->up[height] * shape->cables[height], port = to / beside[height] % ports;
    unsigned child = to % beside[height] + beside[height] * (from / below[height]);
    links[height] = up_link(first[height] + child * ports + port % shape->up[height] * shape->cables[height] +
                            port / shape->up[height]);
    first[height + 1] = first[height] + network_nswitches(shape, height) * ports;
    below[height + 1] = below[height] * shape->down[height];
    beside[height + 1] = beside[height] * shape->up[height];
    height++;
  }
  unsigned next = UINT_MAX; /* port */
  for (unsigned level = height; level-- > 0;) {
    unsigned down = shape->down[level], up = shape->up[level], cables = shape->cables[level];
    unsigned digit = to / below[level] % down;
    unsigned child = to % beside[level] + beside[level] * (to / below[level]);
    unsigned port = next - next % down + digit + (digit < next % down ? down : 0);
    port = next == UINT_MAX || port >= down * cables ? from % cables * down + digit : port;
    links[2 * height - 1 - level] =
      down_link(first[level] + (child * up + to / beside[level] % up) * cables + port / down);
    next = port + 1;
  }
  return 2 * height;
}

/* --- a Clos network --- */

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

/* The cables of the nodes come first, then the cables of each leaf to each spine. */
static void name_clos(const struct network_shape *shape, char **names) {
  for (unsigned host = 0; host < shape->nnodes; host++) {
    names[host] = xasprintf("n%u-leaf", host);
  }
  unsigned leaves = shape->down[1], spines = shape->up[1];
  for (unsigned i = 0; i < leaves * spines; i++) {
    names[shape->nnodes + i] = xasprintf("leaf%u-spine%u", i / spines, i % spines);
  }
}

static unsigned route_by_clos(const struct network_shape *shape, const struct network_pair *pair,
                              unsigned *links) {
  unsigned from = pair->from, to = pair->to, n = 0;
  unsigned spines = shape->up[1], leaf = from / shape->down[0], other = to / shape->down[0];
  links[n++] = up_link(from);
  if (leaf != other) {
    uint64_t drawn = random_at(pair->seed, (uint64_t)from * shape->nnodes + to);
    unsigned spine = shape->nnodes + (unsigned)(drawn % spines);
    links[n++] = up_link(spine + leaf * spines);
    links[n++] = down_link(spine + other * spines);
  }
  links[n++] = down_link(to);
  return n;
}

/* --- all kinds --- */

static const struct network_kind kinds[] = {
  {"switch", {"switch"}, true, NULL, name_switch, route_by_switch},
  {"fat-tree", {"switch", "switch"}, false, read_fat_tree, name_fat_tree, route_by_fat_tree},
  {"clos", {"leaf switch", "spine switch"}, false, read_clos, name_clos, route_by_clos},
  {.word = "file", .levels = {"network of a file"}},
};

enum { KINDS = VEC_LENGTH(kinds) };

/* Complain about a topology of PLATFORM without the word of a kind; always -1. */
static int refuse_word(const struct platform *platform, struct err *err) {
  struct platform_names words = {.n = 0};
  for (size_t i = 0; i < KINDS; i++) {
    platform_names_add(&words, kinds[i].word);
  }
  SCOPED char *expected = platform_names_expected(platform->network.topology, &words);
  return complain(platform, err, expected);
}

int network_shape(const struct platform *platform, struct network_shape *shape, struct err *err) {
  const char *text = platform->network.topology;
  size_t length = strcspn(text, " ");
  const struct network_kind *kind =
    VEC_FIND(kinds, KINDS, strlen(item->word) == length && strncmp(item->word, text, length) == 0);
  if (!kind || (!kind->read && text[length] != '\0')) {
    return refuse_word(platform, err);
  }
  bool file = strcmp(platform->network.file, "none") != 0;
  if (file == (kind->route != NULL)) {
    return platform_err_set(platform, "network.file", err,
                            file ? "network.file is given, expected none: network.topology is not file"
                                 : "network.file is none, expected a SimGrid platform file");
  }
  if (!file && strcmp(platform->network.hosts, "all") != 0) {
    return platform_err_set(platform, "network.hosts", err,
                            "network.hosts is given, expected all: network.topology is not file");
  }
  *shape = (struct network_shape){.kind = kind,
                                  .nnodes = platform->node.count,
                                  .nlevels = 1,
                                  .down = {platform->node.count},
                                  .up = {1, 1},
                                  .cables = {1, 1}};
  if (kind->read && kind->read(platform, text + length, shape, err) != 0) {
    return -1;
  }
  return network_ncables(shape) <= MOST_CABLES ? 0 : complain(platform, err, "at most 1048576 cables");
}

/* --- switches, cables, and the joined pairs --- */

unsigned network_nswitches(const struct network_shape *shape, unsigned level) {
  uint64_t n = 1;
  for (unsigned i = 0; i < shape->nlevels; i++) {
    n *= shape->down[i];
  }
  for (unsigned i = 0; i < level; i++) {
    n = n / shape->down[i] * shape->up[i];
    LOWER(n, UINT_MAX);
  }
  return level ? (unsigned)n : shape->nnodes;
}

uint64_t network_ncables(const struct network_shape *shape) {
  uint64_t n = 0;
  for (unsigned level = 0; level < shape->nlevels; level++) {
    n += (uint64_t)network_nswitches(shape, level) * shape->up[level] * shape->cables[level];
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

unsigned network_nbelow(const struct network_shape *shape, unsigned level, unsigned above) {
  uint64_t before = (uint64_t)(above / shape->up[0]) * shape->down[0];
  uint64_t left = before < shape->nnodes ? shape->nnodes - before : 0;
  return level == 1 && left < shape->down[0] ? (unsigned)left : shape->down[level - 1];
}
