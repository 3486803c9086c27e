/* SPDX-License-Identifier: BSD-3-Clause
 * Static variables of programs. The parts of an image follow each other in the order of image_add. */
#include "sim/base/engine/image.h"

#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <string.h>

struct part {
  uint8_t *place;
  size_t n;
};

size_t image_bytes;
static struct part *parts;
static size_t nparts;
static uint8_t *at_load;  /* the image of the values at load */
static uint8_t *in_place; /* the image of the program that ran last; NULL: the values at load are in place */

/* Copy N bytes. The address sanitizer forbids memcpy to copy the bytes between the variables of a plugin. */
#ifdef __SANITIZE_ADDRESS__
static void __attribute__((no_sanitize_address)) copy(volatile uint8_t *to, const uint8_t *from, size_t n) {
  while (n--) {
    *to++ = *from++;
  }
}
#else
static inline void copy(uint8_t *to, const uint8_t *from, size_t n) {
  memcpy(to, from, n);
}
#endif

void image_add(void *place, size_t n) {
  if (!n || VEC_FIND(parts, nparts, item->place == place)) {
    return;
  }
  VEC_ADD(parts, nparts) = (struct part){place, n};
  at_load = xrealloc(at_load, image_bytes + n, 1);
  copy(at_load + image_bytes, place, n);
  image_bytes += n;
}

uint8_t *image_renew(uint8_t *image) {
  return memcpy(xrealloc(image, image_bytes, 1), at_load, image_bytes);
}

void image_enter(uint8_t *image) {
  const uint8_t *in = image ? image : at_load;
  uint8_t *out = in_place;
  if (image == in_place) {
    return;
  }
  for (const struct part *part = parts; part < parts + nparts; part++) {
    if (out) {
      copy(out, part->place, part->n);
      out += part->n;
    }
    copy(part->place, in, part->n);
    in += part->n;
  }
  in_place = image;
}
