/* SPDX-License-Identifier: BSD-3-Clause
 * See topology.h. */
#include "platform/platform_slot.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct links {
  unsigned (*pairs)[2];
  size_t n;
};

static void add(struct links *links, unsigned a, unsigned b) {
  unsigned *pair = VEC_ADD(links->pairs, links->n);
  pair[0] = a;
  pair[1] = b;
}

static bool has(const struct links *links, unsigned a, unsigned b) {
  for (size_t i = 0; i < links->n; i++) {
    const unsigned *pair = links->pairs[i];
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) {
      return true;
    }
  }
  return false;
}

/* Join the chips by the rule called WORD; returns false if WORD is unknown. */
static bool link_by_word(struct links *links, const char *word, unsigned chips) {
  if (strcmp(word, "mesh") == 0) {
    for (unsigned a = 0; a < chips; a++) {
      for (unsigned b = a + 1; b < chips; b++) {
        add(links, a, b);
      }
    }
  } else if (strcmp(word, "ring") == 0) {
    for (unsigned a = 0; a < chips; a++) {
      unsigned b = (a + 1) % chips;
      if (a != b && !has(links, a, b)) {
        add(links, a, b);
      }
    }
  } else if (strcmp(word, "star") == 0) {
    for (unsigned b = 1; b < chips; b++) {
      add(links, 0, b);
    }
  } else {
    return false;
  }
  return true;
}

/* Add the link LINK, of the form 0-1. */
static int add_listed(struct links *links, const struct platform *platform, const char *link,
                      struct err *err) {
  const char *rest = link;
  unsigned a = 0, b = 0, chips = platform->blade.chips;
  if (!text_take_number(&rest, 4, &a) || *rest++ != '-' || !text_take_number(&rest, 4, &b) || *rest != '\0') {
    static const char *const words[] = {"mesh", "ring", "star"};
    const char *nearest = suggest_nearest(link, words, sizeof words / sizeof *words);
    return platform_err_set(platform, "blade.topology", err, "'%.60s' in blade.topology, expected %s", link,
                            nearest ? nearest : "mesh, ring, star or links such as 0-1 1-2");
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
  if (has(links, a, b)) {
    return platform_err_set(platform, "blade.topology", err,
                            "link %.60s in blade.topology given again, expected each link once", link);
  }
  add(links, a, b);
  return 0;
}

static int link_by_list(struct links *links, const struct platform *platform, struct err *err) {
  struct platform_names listed = platform_names_split(platform->blade.topology);
  int status = 0;
  for (size_t i = 0; i < listed.n && status == 0; i++) {
    status = add_listed(links, platform, listed.names[i], err);
  }
  return status;
}

/* Check that every chip can be reached from chip 0. */
static int check_connected(const struct links *links, const struct platform *platform, struct err *err) {
  unsigned chips = platform->blade.chips, chip = 0;
  bool *reached = xcalloc(chips, sizeof *reached), more = true;
  reached[0] = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < links->n; i++) {
      unsigned a = links->pairs[i][0], b = links->pairs[i][1];
      if (reached[a] != reached[b]) {
        reached[a] = reached[b] = more = true;
      }
    }
  }
  while (chip < chips && reached[chip]) {
    chip++;
  }
  free(reached);
  if (chip == chips) {
    return 0;
  }
  return platform_err_set(
    platform, "blade.topology", err,
    "no way from chip 0 to chip %u in blade.topology, expected links that connect all chips", chip);
}

int topology_links(const struct platform *platform, unsigned (**pairs)[2], size_t *n, struct err *err) {
  struct links links = {.pairs = NULL, .n = 0};
  if (!link_by_word(&links, platform->blade.topology, platform->blade.chips) &&
      link_by_list(&links, platform, err)) {
    free(links.pairs);
    return -1;
  }
  if (check_connected(&links, platform, err)) {
    free(links.pairs);
    return -1;
  }
  *pairs = links.pairs;
  *n = links.n;
  return 0;
}
