/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/hash.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

/* Return the first place with CODE, or a free place, from place INDEX on. */
static struct hash_place *find_from(const struct hash *hash, size_t index, uint64_t code) {
  struct hash_place *place = &hash->places[index & (hash->room - 1)];
  while (place->number && place->code != code) {
    place = &hash->places[++index & (hash->room - 1)];
  }
  return place;
}

struct hash_place *hash_find(struct hash *hash, uint64_t code) {
  if (2 * (hash->n + 1) > hash->room) {
    struct hash old = *hash;
    *hash = (struct hash){.n = old.n, .room = old.room ? 2 * old.room : FIRST_ROOM};
    hash->places = xcalloc(hash->room, sizeof *hash->places);
    for (size_t i = 0; i < old.room; i++) {
      if (old.places[i].number) {
        struct hash_place *place = find_from(hash, old.places[i].code, old.places[i].code);
        while (place->number) {
          place = hash_next(hash, place, old.places[i].code);
        }
        *place = old.places[i];
      }
    }
    free(old.places);
  }
  return find_from(hash, code, code);
}

struct hash_place *hash_next(const struct hash *hash, const struct hash_place *place, uint64_t code) {
  return find_from(hash, (size_t)(place - hash->places) + 1, code);
}

void hash_add(struct hash *hash, struct hash_place *place, uint64_t code, size_t number) {
  *place = (struct hash_place){code, number};
  hash->n++;
}

void hash_fini(struct hash *hash) {
  free(hash->places);
  *hash = (struct hash){0};
}
