/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard_shadow.h. A list shared by two blocks costs a comparison more and changes no result, since each
 * part knows where its span begins and ends. */
#include "traces/hazard_shadow.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>

enum { BLOCK = 4096 }; /* bytes */

void hazard_shadow_init(struct hazard_shadow *shadow, unsigned nlists) {
  *shadow = (struct hazard_shadow){.nlists = nlists, .lists = xcalloc(nlists, sizeof(struct hazard_part *))};
  pool_init(&shadow->parts, sizeof(struct hazard_part));
}

void hazard_shadow_fini(struct hazard_shadow *shadow) {
  pool_fini(&shadow->parts);
  free(shadow->lists);
}

/* Return the list of BLOCK, a number: local stores lie a power of two of blocks apart and must not share all
 * lists. */
static unsigned list_of(const struct hazard_shadow *shadow, uint64_t block) {
  return (unsigned)(block * UINT64_C(0x9e3779b97f4a7c15) >> 32) % shadow->nlists;
}

void hazard_shadow_add(struct hazard_shadow *shadow, struct hazard_part **parts, const void *command,
                       const struct hazard_span *span) {
  uint64_t start = span->ea, end = span->ea + span->nbytes;
  for (uint64_t block = start / BLOCK; start < end && block <= (end - 1) / BLOCK; block++) {
    struct hazard_part *part = pool_take(&shadow->parts);
    unsigned number = list_of(shadow, block);
    struct hazard_part **list = &shadow->lists[number];
    *part = (struct hazard_part){.next = *list,
                                 .link = list,
                                 .more = *parts,
                                 .command = command,
                                 .start = start,
                                 .end = end,
                                 .writes = span->writes,
                                 .list = number};
    if (*list) {
      (*list)->link = &part->next;
    }
    *list = *parts = part;
  }
}

void hazard_shadow_remove(struct hazard_shadow *shadow, struct hazard_part **parts) {
  while (*parts) {
    struct hazard_part *part = *parts;
    *parts = part->more;
    *part->link = part->next;
    if (part->next) {
      part->next->link = part->link;
    }
    pool_give(&shadow->parts, part);
  }
}

bool hazard_shadow_meets(const struct hazard_shadow *shadow, const struct hazard_part *parts) {
  for (const struct hazard_part *part = parts; part; part = part->more) {
    for (const struct hazard_part *other = shadow->lists[part->list]; other; other = other->next) {
      if (other->start < part->end && part->start < other->end && (part->writes || other->writes) &&
          other->command != part->command) {
        return true;
      }
    }
  }
  return false;
}
