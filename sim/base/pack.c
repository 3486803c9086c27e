/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/pack.h"

#include "sim/base/xalloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void pack_fini(struct pack *pack) {
  free(pack->bytes);
  *pack = (struct pack){0};
}

void pack_clear(struct pack *pack) {
  pack->nbytes = pack->taken = 0;
}

void pack_fit(struct pack *pack) {
  pack->bytes = xrealloc(pack->bytes, pack->nbytes, 1);
  pack->capacity = pack->nbytes;
}

void pack_add_bytes(struct pack *pack, const void *bytes, size_t nbytes) {
  if (nbytes > pack->capacity - pack->nbytes) {
    pack->capacity = pack->nbytes ? 2 * pack->capacity + nbytes + 64 : nbytes;
    pack->bytes = xrealloc(pack->bytes, pack->capacity, 1);
  }
  if (nbytes) {
    memcpy(pack->bytes + pack->nbytes, bytes, nbytes);
  }
  pack->nbytes += nbytes;
}

void pack_add_count(struct pack *pack, uint64_t count) {
  pack_add_bytes(pack, &count, sizeof count);
}

void pack_add_real(struct pack *pack, double number) {
  pack_add_bytes(pack, &number, sizeof number);
}

void pack_add_text(struct pack *pack, const char *text) {
  size_t nbytes = strlen(text) + 1;
  pack_add_count(pack, nbytes);
  pack_add_bytes(pack, text, nbytes);
}

/* Return the next NBYTES. */
static const unsigned char *take_bytes(struct pack *pack, size_t nbytes) {
  assert(nbytes <= pack->nbytes - pack->taken);
  pack->taken += nbytes;
  return pack->bytes + pack->taken - nbytes;
}

void pack_take_bytes(struct pack *pack, void *bytes, size_t nbytes) {
  memcpy(bytes, take_bytes(pack, nbytes), nbytes);
}

uint64_t pack_take_count(struct pack *pack) {
  uint64_t count;
  pack_take_bytes(pack, &count, sizeof count);
  return count;
}

double pack_take_real(struct pack *pack) {
  double number;
  pack_take_bytes(pack, &number, sizeof number);
  return number;
}

const char *pack_take_text(struct pack *pack) {
  size_t nbytes = pack_take_count(pack);
  const char *text = (const char *)take_bytes(pack, nbytes);
  assert(nbytes && text[nbytes - 1] == '\0');
  return text;
}
