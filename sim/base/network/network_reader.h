/* SPDX-License-Identifier: BSD-3-Clause
 * Networks that SimGrid reads and routes.
 *
 * A process can load one SimGrid platform only, and SimGrid ends the process when a file is bad. So each
 * network has a reader, a process of its own, which answers which links there are and which of them join two
 * hosts. Readers are forked from a helper, which itself is forked before this process starts SimGrid. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct network_reader;
struct network_source;

/* A link, as SimGrid has it. */
struct network_link {
  char *name;
  double bandwidth; /* bytes per second */
  double latency;   /* seconds */
  bool shared;      /* false: what crosses it does not share it (FATPIPE) */
};

/* Start the helper, once: call before des_init, in a process in which networks may have to be read. */
void network_reader_prepare(void);

/* Read SOURCE with NHOSTS hosts.
 * errors: SimGrid cannot read it, or not in time; a host is missing; a link whose bandwidth or latency is
 *   absurd; all as `path:line: what, expected what` or `path: what, expected what`.
 * owner: the caller, with network_reader_free. */
struct network_reader *network_reader_new(const struct network_source *source, unsigned nhosts,
                                          struct err *err);

/* End READER; NULL is allowed. */
void network_reader_free(struct network_reader *reader);

/* Return the links that READER has found, N of them, in the order of their names. */
const struct network_link *network_reader_links(const struct network_reader *reader, size_t *n);

/* Return for each host the number of its zone, on the outermost level of several zones; 0 for hosts in none
 * of them.
 * owner: the reader. */
const unsigned *network_reader_zones(const struct network_reader *reader);

/* Find the way from host FROM to another host TO: LINKS becomes the numbers of its N links.
 * errors: there is none, as `path: what, expected what`; the reader is of no use any more then.
 * owner: the reader, until the next call. */
int network_reader_route(struct network_reader *reader, unsigned from, unsigned to, const unsigned **links,
                         unsigned *n, struct err *err);

/* Check for a way from each host to each other one, with the latency of the links.
 * errors: as network_reader_route. */
int network_reader_check_routes(struct network_reader *reader, struct err *err);

/* --- the messages between a reader and its process, for network_process.c --- */

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
