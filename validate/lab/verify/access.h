/* SPDX-License-Identifier: BSD-3-Clause
 * An access to some bytes during a call, and the description of an access in messages. */
#pragma once

#include "validate/lab/verify/ownership.h"

#include <stdbool.h>
#include <stdint.h>

/* The author of an access. */
enum access_by {
  ACCESS_BY_DMA,     /* a DMA command of the program on an SPE */
  ACCESS_BY_PROXY,   /* a DMA that a PPE program gave to the MFC of an SPE */
  ACCESS_BY_ATOMIC,  /* an atomic command of the program on an SPE */
  ACCESS_BY_PROGRAM, /* the program on an SPE */
  ACCESS_BY_PPE,     /* a program on a PPE */
};

struct access {
  enum access_by by;
  unsigned spe;         /* the SPE of the MFC or of the program; unused for a PPE */
  const char *ppe;      /* the name of the program on a PPE */
  const char *what;     /* of a command: "put", "get", ... */
  unsigned tag;         /* of a DMA command */
  uint64_t command, at; /* number of a DMA command; cycle */
  uint64_t ea, nbytes;
  bool is_put, writes;
  struct owned owned;
};

/* Return a transfer of DMA command COMMAND of SPE, with TAG; the bytes are not known yet. */
struct access access_of_dma(unsigned spe, unsigned tag, uint64_t command, bool is_put);

/* Return an access to NBYTES at cycle AT by the program called PPE, on a PPE. */
struct access access_of_ppe(const char *ppe, uint64_t at, uint64_t nbytes);

enum { ACCESS_TEXT_SIZE = 400 };

/* Write author, kind and bytes of ACCESS: "a put of rank 1 on SPE 1 (tag 0; cycle 5) writes 16 bytes at ...".
 * returns: TEXT. */
const char *access_describe(char text[ACCESS_TEXT_SIZE], const struct ownership *ownership,
                            const struct access *access);
