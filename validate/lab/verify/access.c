/* SPDX-License-Identifier: BSD-3-Clause
 * See access.h. */
#include "validate/lab/verify/access.h"

#include "sim/hw/ea.h"

#include <stdio.h>

/* Room for parts of the text. */
enum { PLACE_SIZE = 128, PARTY_SIZE = 160 };

typedef unsigned long long ull;

struct access access_of_dma(unsigned spe, unsigned tag, uint64_t command, bool is_put) {
  return (struct access){.by = ACCESS_BY_DMA,
                         .spe = spe,
                         .tag = tag,
                         .command = command,
                         .is_put = is_put,
                         .what = is_put ? "put" : "get"};
}

struct access access_of_ppe(const char *ppe, uint64_t at, uint64_t nbytes) {
  return (struct access){.by = ACCESS_BY_PPE, .ppe = ppe, .at = at, .nbytes = nbytes};
}

/* Describe where ACCESS is. */
static const char *place(char text[PLACE_SIZE], const struct ownership *ownership,
                         const struct access *access) {
  uint64_t offset = access->ea - EA_SPE_BASE;
  const struct owned *owned = &access->owned;
  char whose[24] = "";
  if (owned->rank < ownership->nranks) {
    snprintf(whose, sizeof whose, " of rank %u", ownership->name_of[owned->rank]);
  }
  if (access->ea >= EA_MEMORY_BASE) {
    snprintf(text, PLACE_SIZE, "main memory 0x%llx (%s%s)", (ull)access->ea, owned->what, whose);
  } else {
    snprintf(text, PLACE_SIZE, "0x%llx of SPE %llu (%s%s)", (ull)(offset % EA_SPE_STRIDE),
             (ull)(offset / EA_SPE_STRIDE), owned->what, whose);
  }
  return text;
}

/* Describe the author of ACCESS. */
static const char *party(char text[PARTY_SIZE], const struct ownership *ownership,
                         const struct access *access) {
  char who[40] = "";
  ull at = (ull)access->at;
  if (access->by != ACCESS_BY_PPE && ownership->rank_of[access->spe] < ownership->nranks) {
    snprintf(who, sizeof who, "rank %u on SPE %u", ownership->name_of[ownership->rank_of[access->spe]],
             access->spe);
  } else if (access->by != ACCESS_BY_PPE) {
    snprintf(who, sizeof who, "SPE %u", access->spe);
  }
  switch (access->by) {
  case ACCESS_BY_DMA:
    snprintf(text, PARTY_SIZE, "a %s of %s (tag %u; cycle %llu)", access->what, who, access->tag, at);
    break;
  case ACCESS_BY_PROXY:
    snprintf(text, PARTY_SIZE, "a %s of %.40s by the MFC of %s (tag %u; cycle %llu)", access->what,
             access->ppe, who, access->tag, at);
    break;
  case ACCESS_BY_ATOMIC:
    snprintf(text, PARTY_SIZE, "a %s of %s (cycle %llu)", access->what, who, at);
    break;
  case ACCESS_BY_PROGRAM:
    snprintf(text, PARTY_SIZE, "the program of %s (cycle %llu)", who, at);
    break;
  case ACCESS_BY_PPE:
    snprintf(text, PARTY_SIZE, "the program %.40s (cycle %llu)", access->ppe, at);
    break;
  }
  return text;
}

const char *access_describe(char text[ACCESS_TEXT_SIZE], const struct ownership *ownership,
                            const struct access *access) {
  char who[PARTY_SIZE], where[PLACE_SIZE];
  snprintf(text, ACCESS_TEXT_SIZE, "%s %s %llu bytes at %s", party(who, ownership, access),
           access->writes ? "writes" : "reads", (ull)access->nbytes, place(where, ownership, access));
  return text;
}
