/* SPDX-License-Identifier: BSD-3-Clause
 * See oracle_data.h. A stream has one place where it is kept, so that each call takes that of the call before the last one: ranks
 * are rarely two calls apart, and what is not there is written again. */
#include "validate/lab/oracle_data.h"

#include "sim/base/random.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* Places, and bytes in all of them. */
enum { PLACES = 1024, KEPT_MAX = 16 << 20 };

struct oracle_kept {
  uint64_t seed;
  unsigned stream;
  uint8_t *bytes;
  size_t nbytes, room;
};

/* Return what random_next makes word I of STREAM of. */
static uint64_t
state_before(uint64_t seed, unsigned stream, size_t i)
{
  return seed + ((uint64_t)stream << 40) + i * UINT64_C(0x9e3779b97f4a7c15);
}

/* --- writing --- */

static void
write_bytes(const struct oracle_part *part, uint8_t *bytes)
{
  enum { WORD = sizeof(uint64_t) };
  uint64_t state = state_before(part->seed, part->stream, part->first / WORD), word;
  size_t left = part->nbytes, skipped = part->first % WORD;
  if (skipped && left) {
    size_t n = left < WORD - skipped ? left : WORD - skipped;
    word = random_next(&state);
    memcpy(bytes, (const uint8_t *)&word + skipped, n);
    bytes += n;
    left -= n;
  }
  for (; left >= WORD; left -= WORD, bytes += WORD) {
    word = random_next(&state);
    memcpy(bytes, &word, WORD);
  }
  if (left) {
    word = random_next(&state);
    memcpy(bytes, &word, left);
  }
}

/* Return a number of either sign whose magnitude is from 1/2 up to 2, so that products of many neither vanish nor grow. */
static double
real_element(uint64_t bits)
{
  double magnitude = 0.5 + 1.5 * (double)(bits >> 24) * 0x1p-40;
  return bits & 1 ? -magnitude : magnitude;
}

static void
write_elements(const struct oracle_part *part, uint8_t *bytes)
{
  size_t size = combine_size(part->type), n = part->nbytes / size;
  uint64_t state = state_before(part->seed, part->stream, part->first / size);
  for (size_t i = 0; i < n && part->type == TYPE_INT32; i++, bytes += sizeof(int32_t)) {
    int32_t value = (int32_t)(random_next(&state) >> 32);
    memcpy(bytes, &value, sizeof value);
  }
  for (size_t i = 0; i < n && part->type == TYPE_FLOAT32; i++, bytes += sizeof(float)) {
    float value = (float)real_element(random_next(&state));
    memcpy(bytes, &value, sizeof value);
  }
  for (size_t i = 0; i < n && part->type == TYPE_FLOAT64; i++, bytes += sizeof(double)) {
    double value = real_element(random_next(&state));
    memcpy(bytes, &value, sizeof value);
  }
}

void
oracle_data_write(const struct oracle_part *part, uint8_t *bytes)
{
  if (part->stream < ORACLE_ELEMENTS) {
    write_bytes(part, bytes);
  } else {
    write_elements(part, bytes);
  }
}

/* --- keeping --- */

/* Return the number of the place where the stream of PART is kept: calls in a row have seeds in a row. */
static size_t
place_of(const struct oracle_part *part)
{
  size_t rank = part->stream % ORACLE_IN, kind = part->stream / ORACLE_IN;
  return (8 * rank + 2 * kind + part->seed % 2) % PLACES;
}

void
oracle_data_keep(struct oracle_data *data, const struct oracle_part *part, const uint8_t *bytes)
{
  if (!data->kept) {
    data->kept = xcalloc(PLACES, sizeof *data->kept);
  }
  struct oracle_kept *kept = &data->kept[place_of(part)];
  kept->nbytes = 0;
  if (kept->room < part->nbytes) {
    if (data->nbytes - kept->room + part->nbytes > KEPT_MAX) {
      return;
    }
    data->nbytes += part->nbytes - kept->room;
    kept->bytes = xrealloc(kept->bytes, part->nbytes, 1);
    kept->room = part->nbytes;
  }
  if (part->nbytes) {
    memcpy(kept->bytes, bytes, part->nbytes);
  }
  kept->seed = part->seed;
  kept->stream = part->stream;
  kept->nbytes = part->nbytes;
}

const uint8_t *
oracle_data_get(const struct oracle_data *data, const struct oracle_part *part,
                uint8_t scratch[ORACLE_STRETCH])
{
  const struct oracle_kept *kept = data->kept ? &data->kept[place_of(part)] : NULL;
  if (kept && kept->seed == part->seed && kept->stream == part->stream &&
      part->first + part->nbytes <= kept->nbytes) {
    return kept->bytes + part->first;
  }
  oracle_data_write(part, scratch);
  return scratch;
}

void
oracle_data_fini(struct oracle_data *data)
{
  for (size_t i = 0; data->kept && i < PLACES; i++) {
    free(data->kept[i].bytes);
  }
  free(data->kept);
  *data = (struct oracle_data){.kept = NULL};
}
