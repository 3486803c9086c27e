/* SPDX-License-Identifier: BSD-3-Clause
 * A large block of bytes that takes room only where it has been touched. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct pages {
  uint8_t *bytes;
  size_t nbytes;
  unsigned clears; /* since all room was given back */
};

/* Make PAGES NBYTES of zeros; NAME is for the message if there is no room.
 * owner: the caller, with pages_fini. */
void pages_init(struct pages *pages, size_t nbytes, const char *name);

/* Release the bytes of PAGES. */
void pages_fini(struct pages *pages);

/* Make PAGES zero again. Of the room that the first USED bytes take a part is kept. */
void pages_clear(struct pages *pages, size_t used);
