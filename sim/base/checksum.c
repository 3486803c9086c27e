/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/checksum.h"

#include "sim/base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

uint64_t checksum_add(uint64_t sum, const void *bytes, size_t nbytes) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < nbytes; i++) {
    sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
  }
  return sum;
}

int checksum_file(const char *path, uint64_t *sum, struct err *err) {
  char bytes[65536];
  size_t nbytes;
  FILE *file = fopen(path, "rb");
  if (!file) {
    return err_set(err, "%s: cannot be read: %s", path, strerror(errno));
  }
  *sum = CHECKSUM_START;
  while ((nbytes = fread(bytes, 1, sizeof bytes, file)) > 0) {
    *sum = checksum_add(*sum, bytes, nbytes);
  }
  int status = ferror(file) ? err_set(err, "%s: cannot be read: %s", path, strerror(errno)) : 0;
  fclose(file);
  return status;
}
