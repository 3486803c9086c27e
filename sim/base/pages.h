/* SPDX-License-Identifier: BSD-3-Clause
 * A large block of bytes that takes room only where it has been touched. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Return NBYTES of zeros; NAME is for the message if there is no room.
 * owner: the caller, with pages_free. */
uint8_t *pages_new(size_t nbytes, const char *name);

/* Release the NBYTES at BYTES. */
void pages_free(uint8_t *bytes, size_t nbytes);

/* Make the NBYTES at BYTES, which pages_new gave, zero again. Of the room that the first USED of them take a part is kept. */
void pages_clear(uint8_t *bytes, size_t nbytes, size_t used);
