/* SPDX-License-Identifier: BSD-3-Clause
 * Checksums that tell contents apart which differ by accident: FNV-1a with 64 bits. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct err;

/* The checksum of nothing. */
#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Return checksum SUM, continued by NBYTES of BYTES. */
uint64_t checksum_add(uint64_t sum, const void *bytes, size_t nbytes);

/* Make SUM the checksum of the contents of file PATH.
 * errors: an unreadable file. */
int checksum_file(const char *path, uint64_t *sum, struct err *err);
