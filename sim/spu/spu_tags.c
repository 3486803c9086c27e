/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_tags.h. */
#include "sim/spu/spu_tags.h"

#include "sim/hw/dma.h"
#include "sim/spu/spu.h"

/* Return the set of COUNT tags from FIRST on; 0 if there is no such set. */
static uint32_t tags(uint32_t first, uint32_t count) {
  if (count == 0 || count > DMA_TAGS || first > DMA_TAGS - count) {
    return 0;
  }
  return (UINT32_MAX >> (DMA_TAGS - count)) << first;
}

uint32_t mfc_multi_tag_reserve(uint32_t count) {
  struct spu *spu = spu_self();
  for (uint32_t first = 0, wanted; (wanted = tags(first, count)); first++) {
    if (!(spu->tags_taken & wanted)) {
      spu->tags_taken |= wanted;
      return first;
    }
  }
  return MFC_TAG_INVALID;
}

uint32_t mfc_tag_reserve(void) {
  return mfc_multi_tag_reserve(1);
}

uint32_t mfc_multi_tag_release(uint32_t first, uint32_t count) {
  struct spu *spu = spu_self();
  uint32_t given = tags(first, count);
  if (!given || (spu->tags_taken & given) != given) {
    return MFC_TAG_INVALID;
  }
  spu->tags_taken &= ~given;
  return MFC_TAG_VALID;
}

uint32_t mfc_tag_release(uint32_t tag) {
  return mfc_multi_tag_release(tag, 1);
}
