/* SPDX-License-Identifier: BSD-3-Clause
 * The value blade.topology: the links between the chips of a blade, from a word such as torus 4x2. */
#include "platform/platform_slot.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void add(struct platform *platform, unsigned a, unsigned b) {
  unsigned *pair = VEC_ADD(platform->links, platform->nlinks);
  pair[0] = a;
  pair[1] = b;
}

static bool has(const struct platform *platform, unsigned a, unsigned b) {
  for (size_t i = 0; i < platform->nlinks; i++) {
    const unsigned *pair = platform->links[i];
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) {
      return true;
    }
  }
  return false;
}

/* Join neighbours in rows of platform->columns chips. AROUND: also the last chip of more than two to the
 * first one, in each row and in each column. */
static void link_rows(struct platform *platform, unsigned rows, bool around) {
  unsigned columns = platform->columns;
  for (unsigned chip = 0; chip < rows * columns; chip++) {
    unsigned x = chip % columns, y = chip / columns;
    if (x + 1 < columns) {
      add(platform, chip, chip + 1);
    } else if (around && columns > 2) {
      add(platform, chip, chip - x);
    }
    if (y + 1 < rows) {
      add(platform, chip, chip + columns);
    } else if (around && rows > 2) {
      add(platform, chip, x);
    }
  }
}

/* Join the chips by a text such as "grid 4x2", with its sizes at SIZES. */
static int link_by_sizes(struct platform *platform, const char *sizes, bool around, struct err *err) {
  unsigned rows = 0, chips = platform->blade.chips;
  const char *topology = platform->blade.topology;
  if (!text_take_number(&sizes, 4, &platform->columns) || *sizes++ != 'x' ||
      !text_take_number(&sizes, 4, &rows) || *sizes != '\0') {
    return platform_err_set(platform, "blade.topology", err,
                            "'%.60s' in blade.topology, expected columns x rows, such as %s", topology,
                            around ? "torus 4x2" : "grid 4x2");
  }
  if (platform->columns * rows != chips) {
    return platform_err_set(platform, "blade.topology", err,
                            "%.60s in blade.topology has %u chips, expected the %u of blade.chips", topology,
                            platform->columns * rows, chips);
  }
  link_rows(platform, rows, around);
  return 0;
}

/* Join the chips by the rule blade.topology; returns false without such a rule. */
static bool link_by_word(struct platform *platform) {
  unsigned chips = platform->blade.chips;
  const char *word = platform->blade.topology;
  if (strcmp(word, "all") == 0 || strcmp(word, "mesh") == 0) {
    for (unsigned a = 0; a < chips; a++) {
      for (unsigned b = a + 1; b < chips; b++) {
        add(platform, a, b);
      }
    }
  } else if (strcmp(word, "ring") == 0) {
    for (unsigned a = 0; a < chips; a++) {
      unsigned b = (a + 1) % chips;
      if (a != b && !has(platform, a, b)) {
        add(platform, a, b);
      }
    }
  } else if (strcmp(word, "star") == 0) {
    for (unsigned b = 1; b < chips; b++) {
      add(platform, 0, b);
    }
  } else {
    return false;
  }
  return true;
}

/* Add the link LINK, of the form 0-1. */
static int add_listed(struct platform *platform, const char *link, struct err *err) {
  const char *rest = link;
  unsigned a = 0, b = 0, chips = platform->blade.chips;
  if (!text_take_number(&rest, 4, &a) || *rest++ != '-' || !text_take_number(&rest, 4, &b) || *rest != '\0') {
    static const char *const words[] = {"all", "mesh", "ring", "star", "grid", "torus"};
    const char *nearest = suggest_nearest(link, words, VEC_LENGTH(words));
    bool has_sizes = nearest && (strcmp(nearest, "grid") == 0 || strcmp(nearest, "torus") == 0);
    return platform_err_set(platform, "blade.topology", err, "'%.60s' in blade.topology, expected %s%s", link,
                            nearest ? nearest
                                    : "all, ring, star, grid WxH, torus WxH or links such as 0-1 1-2",
                            has_sizes ? " WxH, columns x rows" : "");
  }
  if (a >= chips || b >= chips) {
    return platform_err_set(platform, "blade.topology", err,
                            "link %.60s in blade.topology, expected chips from 0 to %u", link, chips - 1);
  }
  if (a == b) {
    return platform_err_set(
      platform, "blade.topology", err,
      "link %.60s in blade.topology leads back to its chip, expected two different chips", link);
  }
  if (has(platform, a, b)) {
    return platform_err_set(platform, "blade.topology", err,
                            "link %.60s in blade.topology given again, expected each link once", link);
  }
  add(platform, a, b);
  return 0;
}

/* Check that every chip can be reached from chip 0. */
static int check_connected(const struct platform *platform, struct err *err) {
  unsigned chips = platform->blade.chips;
  bool *reached = xcalloc(chips, sizeof *reached), more = true;
  reached[0] = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < platform->nlinks; i++) {
      unsigned a = platform->links[i][0], b = platform->links[i][1];
      if (reached[a] != reached[b]) {
        reached[a] = reached[b] = more = true;
      }
    }
  }
  unsigned chip = (unsigned)VEC_INDEX(reached, chips, !*item);
  free(reached);
  if (chip == chips) {
    return 0;
  }
  return platform_err_set(
    platform, "blade.topology", err,
    "no way from chip 0 to chip %u in blade.topology, expected links that connect all chips", chip);
}

int topology_read(struct platform *platform, struct err *err) {
  const char *word = platform->blade.topology;
  bool grid = strncmp(word, "grid ", 5) == 0, torus = strncmp(word, "torus ", 6) == 0;
  free(platform->links);
  platform->links = NULL;
  platform->nlinks = platform->columns = 0;
  int status = 0;
  if (grid || torus) {
    status = link_by_sizes(platform, strchr(word, ' ') + 1, torus, err);
  } else if (!link_by_word(platform)) {
    struct platform_names listed = platform_names_split(word);
    for (size_t i = 0; i < listed.n && status == 0; i++) {
      status = add_listed(platform, listed.names[i], err);
    }
  }
  return status ? -1 : check_connected(platform, err);
}
