/* SPDX-License-Identifier: BSD-3-Clause
 * The tag manager of an SPE program, by which parts of it share the 32 tags; part of spu_mfcio.h.
 * source: as spu_mfcio.h. */
#pragma once

#include <stdint.h>

#define MFC_TAG_INVALID UINT32_MAX
#define MFC_TAG_VALID UINT32_C(0)

/* Reserve a tag that is free, or COUNT consecutive ones.
 * returns: the tag, or the first one; MFC_TAG_INVALID if there are none. */
uint32_t mfc_tag_reserve(void);
uint32_t mfc_multi_tag_reserve(uint32_t count);

/* Give a reserved TAG back, or COUNT of them from FIRST on.
 * returns: MFC_TAG_VALID; MFC_TAG_INVALID, and nothing changes, if one of them was not reserved. */
uint32_t mfc_tag_release(uint32_t tag);
uint32_t mfc_multi_tag_release(uint32_t first, uint32_t count);
