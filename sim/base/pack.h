/* SPDX-License-Identifier: BSD-3-Clause
 * Values one after the other in plain bytes, for another process of the same program.
 *
 * The reader takes the values in the order and with the kinds of the writer; anything else is a bug of
 * ours. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Starts as zero. */
struct pack {
  unsigned char *bytes;
  size_t nbytes, capacity;
  size_t taken; /* number of bytes read */
};

/* Release the memory of PACK; PACK is then empty and can be used again. */
void pack_fini(struct pack *pack);

/* Make PACK empty but keep its memory. */
void pack_clear(struct pack *pack);

/* Give the unused room of PACK back. */
void pack_fit(struct pack *pack);

/* Append the NBYTES of BYTES unchanged. */
void pack_add_bytes(struct pack *pack, const void *bytes, size_t nbytes);

/* Append a number. */
void pack_add_count(struct pack *pack, uint64_t count);

/* Append a number; every double comes back bit by bit. */
void pack_add_real(struct pack *pack, double number);

/* Append TEXT. */
void pack_add_text(struct pack *pack, const char *text);

/* Read the next value, a number. */
uint64_t pack_take_count(struct pack *pack);

/* Read the next value, a number. */
double pack_take_real(struct pack *pack);

/* Read the next NBYTES, appended unchanged, into BYTES. */
void pack_take_bytes(struct pack *pack, void *bytes, size_t nbytes);

/* Read the next value, a text.
 * owner: PACK, until PACK changes. */
const char *pack_take_text(struct pack *pack);
