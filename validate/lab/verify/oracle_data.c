/* SPDX-License-Identifier: BSD-3-Clause
 * See oracle.h. A stream has one index in the store; each call replaces the stream of the call before
 * the last: ranks are rarely two calls apart, and a missing stream is computed again. */
#include "validate/lab/verify/oracle.h"

#include "sim/base/random.h"
#include "sim/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Streams, and bytes in all of them. */
enum { KEPT_STREAMS = 1024, KEPT_MAX = 16 << 20 };

struct oracle_kept {
  uint64_t seed;
  unsigned stream;
  uint8_t *bytes;
  size_t nbytes, room;
};

/* Return the seed of the words of STREAM. */
static uint64_t seed_of(uint64_t seed, unsigned stream) {
  return seed + ((uint64_t)stream << 40);
}

/* --- writing --- */

/* Number of basic random bytes. Every stream repeats the basic bytes, each time combined with another key of
 * KEY bytes, so that bytes of another stream or another position differ. Random numbers for all bytes would
 * cost four times as much. */
enum { BASE = 8192, KEY = sizeof(uint64_t) };

typedef uint8_t vector __attribute__((vector_size(16), aligned(1), may_alias));

/* The random bits, and the other bits that are set, in 8 bytes of a stream. Real numbers have either sign and
 * a magnitude from 1/2 up to 2, so that a product of many numbers neither vanishes nor grows: all bits of the
 * exponent except the lowest are the bits of 1/2. */
struct form {
  uint64_t random, set;
};

static const struct form form_of[TYPE_COUNT] = {
  [TYPE_INT32] = {.random = UINT64_MAX},
  [TYPE_FLOAT32] = {.random = UINT64_C(0x80ffffff80ffffff), .set = UINT64_C(0x3f0000003f000000)},
  [TYPE_PAIR] = {.random = UINT64_C(0xfffffffffffffffe), .set = 1}, /* products of odd numbers never vanish */
  [TYPE_FLOAT64] = {.random = UINT64_C(0x801fffffffffffff), .set = UINT64_C(0x3fe0000000000000)},
};

static const uint8_t *base(enum coll_type type) {
  static uint64_t words[TYPE_COUNT][BASE / sizeof(uint64_t)];
  uint64_t state = 0, *of = words[type];
  for (size_t i = 0; !of[0] && i < BASE / sizeof(uint64_t); i++) { /* the first one last */
    of[BASE / sizeof(uint64_t) - 1 - i] = (random_next(&state) & form_of[type].random) | form_of[type].set;
  }
  return (const uint8_t *)of;
}

/* Write N bytes of RANGE, which are of TYPE, from its byte I on to BYTES; they have one key. */
static void write_keyed(const struct oracle_range *range, size_t i, size_t n, uint8_t *bytes) {
  const uint8_t *from = base(range->type) + i % BASE;
  uint64_t word = random_at(seed_of(range->seed, range->stream), i / BASE) & form_of[range->type].random;
  uint64_t words[3] = {word, word, word};
  const uint8_t *keys = (const uint8_t *)words + i % KEY; /* those of the bytes from I on */
  vector key = *(const vector *)keys;
  for (; n >= sizeof key; n -= sizeof key, bytes += sizeof key, from += sizeof key) {
    *(vector *)bytes = *(const vector *)from ^ key;
  }
  for (size_t k = 0; k < n; k++) {
    bytes[k] = from[k] ^ keys[k];
  }
}

/* Put the rare numbers among the elements of RANGE at BYTES: in each group of elements at one random place,
 * the same place in all streams of the seed. All streams have a zero there, or some have an infinity, or some
 * have NaN. */
static void write_rare(const struct oracle_range *range, uint8_t *bytes) {
  enum { GROUP = 8, PLACES = 3 << 20, KINDS = 3 };
  size_t size = combine_size(range->type), end = (range->first + range->nbytes) / size;
  for (size_t group = range->first / size / GROUP; group * GROUP < end; group++) {
    uint64_t common = seed_of(range->seed, PLACES), place = random_at(common, group),
             chance = random_at(common + range->stream, group);
    size_t i = group * GROUP + place % GROUP;
    uint64_t kind = range->rare == ORACLE_ALL ? place / GROUP % KINDS : 0;
    if (i * size >= range->first && i < end && (kind == 0 || chance % 4 < 2)) {
      double value = kind == 0 ? 0 : kind == 1 ? HUGE_VAL : (double)NAN;
      value = chance % 2 ? -value : value;
      float single = (float)value;
      memcpy(bytes + i * size - range->first, size == sizeof single ? (void *)&single : &value, size);
    }
  }
}

void oracle_data_write(const struct oracle_range *range, uint8_t *bytes) {
  uint8_t *start = bytes;
  size_t i = range->first, end = range->first + range->nbytes;
  while (i < end) {
    size_t rest = BASE - i % BASE, n = MIN(end - i, rest);
    write_keyed(range, i, n, bytes);
    i += n;
    bytes += n;
  }
  if (range->rare != ORACLE_PLAIN) {
    write_rare(range, start);
  }
}

/* --- keeping --- */

/* Return the index of the stream of RANGE in `kept`: calls in a row have seeds in a row. */
static size_t index_of(const struct oracle_range *range) {
  size_t rank = range->stream % ORACLE_IN, kind = range->stream / ORACLE_IN;
  return (8 * rank + 2 * kind + range->seed % 2) % KEPT_STREAMS;
}

void oracle_data_keep(struct oracle_data *data, const struct oracle_range *range, const uint8_t *bytes) {
  size_t index = index_of(range);
  struct oracle_kept *kept = VEC_REACH(data->kept, data->nkept, index);
  kept->nbytes = 0;
  if (kept->room < range->nbytes) {
    if (data->nbytes - kept->room + range->nbytes > KEPT_MAX) {
      return;
    }
    data->nbytes += range->nbytes - kept->room;
    kept->bytes = xrealloc(kept->bytes, range->nbytes, 1);
    kept->room = range->nbytes;
  }
  if (range->nbytes) {
    memcpy(kept->bytes, bytes, range->nbytes);
  }
  kept->seed = range->seed;
  kept->stream = range->stream;
  kept->nbytes = range->nbytes;
}

const uint8_t *oracle_data_get(const struct oracle_data *data, const struct oracle_range *range,
                               uint8_t scratch[ORACLE_STRETCH]) {
  size_t index = index_of(range);
  const struct oracle_kept *kept = index < data->nkept ? &data->kept[index] : NULL;
  if (kept && kept->seed == range->seed && kept->stream == range->stream &&
      range->first + range->nbytes <= kept->nbytes) {
    return kept->bytes + range->first;
  }
  oracle_data_write(range, scratch);
  return scratch;
}

void oracle_data_fini(struct oracle_data *data) {
  VEC_EACH(kept, data->kept, data->nkept) {
    free(kept->bytes);
  }
  free(data->kept);
  *data = (struct oracle_data){.kept = NULL};
}
