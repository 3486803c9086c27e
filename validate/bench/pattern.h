/* SPDX-License-Identifier: BSD-3-Clause
 * Streams between ranks, in the form of --streams: "0<-1,2->3,4<-mem". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct err;

enum { PATTERN_MEMORY = 1 << 20, PATTERN_LABEL_SIZE = 24 };

/* One stream: RANK issues all DMAs. */
struct pattern_stream {
  unsigned rank;
  unsigned other; /* a rank, or PATTERN_MEMORY for the main memory of the issuer's own chip */
  bool put;
  char label[PATTERN_LABEL_SIZE]; /* in the form of --streams */
};

struct pattern {
  struct pattern_stream *streams;
  size_t n;
};

/* Parse TEXT: streams separated by commas; A<-B: rank A gets from rank B; A->B: rank A puts to rank B; B may
 * be `mem`.
 * errors: anything else, a stream from a rank to itself; PATTERN is then empty. */
int pattern_parse(const char *text, struct pattern *pattern, struct err *err);
void pattern_fini(struct pattern *pattern);

/* Add a stream to PATTERN. */
void pattern_add(struct pattern *pattern, struct pattern_stream stream);
