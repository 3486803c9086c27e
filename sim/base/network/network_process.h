/* SPDX-License-Identifier: BSD-3-Clause
 * What a reader of networks and its process tell each other, for sim/base only; see network_reader.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The answer to the file, before the links, each with its name behind it, and the zones of the hosts. */
struct network_hello {
  uint32_t nfound; /* hosts before the first one that is missing */
  uint32_t nlinks;
};

struct network_link_said {
  double bandwidth, latency;
  uint32_t shared, name_length;
};

/* What is asked for. */
enum network_subject {
  NETWORK_ROUTE, /* from a host to another one; the answer is the number of its links, and the links */
  /* all routes are tried; the answer is a question for the first missing route, or with N of 1 for the
   * first route with another latency than the links; else an empty one */
  NETWORK_ROUTES,
};

/* Instead of the number of links of a route with another latency than the links. */
enum { NETWORK_OTHER_LATENCY = INT32_MAX };

struct network_question {
  uint32_t subject, from, to, n;
};

/* Read SIZE bytes from DESCRIPTOR to DATA.
 * returns: false if it ends before. */
bool network_receive(int descriptor, void *data, size_t size);

/* Write SIZE bytes of DATA to DESCRIPTOR.
 * returns: false if nobody reads them. */
bool network_say(int descriptor, const void *data, size_t size);

/* Be the process of a reader: load the SimGrid platform PATH, take the names of NHOSTS hosts (the number
 * of bytes, then each name with a final NUL) and answer on DESCRIPTOR until the other end is closed. Does
 * not return; ends earlier if SimGrid does, or if it takes too long. */
void network_process(const char *path, uint32_t nhosts, int descriptor) __attribute__((noreturn));
