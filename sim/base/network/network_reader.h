/* SPDX-License-Identifier: BSD-3-Clause
 * Networks that SimGrid reads and routes.
 *
 * A process can load one SimGrid platform only, and SimGrid ends the process when a file is bad. So each
 * network has a reader, a process of its own, which answers which links there are and which of them join two
 * hosts. Readers are forked from a helper, which itself is forked before this process starts SimGrid. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
