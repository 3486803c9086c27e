/* SPDX-License-Identifier: BSD-3-Clause
 * The tag manager of an SPE program: parts of the program share the 32 tags; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

#define MFC_TAG_INVALID UINT32_MAX
#define MFC_TAG_VALID UINT32_C(0)

/* Reserve a free tag, or COUNT consecutive free tags.
 * returns: the tag, or the first tag; MFC_TAG_INVALID: not enough free tags. */
uint32_t mfc_tag_reserve(void);
uint32_t mfc_multi_tag_reserve(uint32_t count);

/* Release the reserved TAG, or COUNT reserved tags from FIRST on.
 * returns: MFC_TAG_VALID; MFC_TAG_INVALID, and no change, if a tag was not reserved. */
uint32_t mfc_tag_release(uint32_t tag);
uint32_t mfc_multi_tag_release(uint32_t first, uint32_t count);
