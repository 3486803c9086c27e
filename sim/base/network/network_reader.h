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
#include <sys/types.h>

struct err;
struct network_source;
struct pack;

/* A link, in one direction. */
struct network_link {
  char *name;
  double bandwidth; /* MB/s */
  double latency;   /* us */
  bool shared;      /* false: the link delays packets, but no packet waits for another one (FATPIPE) */
};

/* A network, as SimGrid has it. */
struct network_reader {
  struct network_link *links; /* in the order of their names */
  size_t nlinks;
  unsigned *zones; /* [host]: the zone, on the outermost level of several zones; 0: in none of them */

  /* for network_reader.c only: */
  char *path;   /* for messages */
  char *text;   /* for SimGrid */
  char **hosts; /* names */
  unsigned nhosts;
  /* the process that asks on this socket; a child of it has a process of its own read the network again */
  pid_t owner;
  int socket, complaints;
  unsigned *route, route_room;
};

/* Let networks be read in this process: call before des_init. */
void network_reader_prepare(void);

/* Load SimGrid and start the helper, once and before des_init, if networks may have to be read. Readers need
 * not load SimGrid again then.
 * errors: as simgrid_load. */
int network_reader_begin(struct err *err);

/* Read SOURCE with NHOSTS hosts.
 * errors: SimGrid cannot read it; a host is missing; a link whose bandwidth or latency is
 *   absurd; all as `path:line: what, expected what` or `path: what, expected what`. */
struct network_reader *network_reader_new(const struct network_source *source, unsigned nhosts,
                                          struct err *err);
void network_reader_free(struct network_reader *reader);

/* Find the way from host FROM to another host TO: LINKS becomes the numbers of its N links.
 * errors: there is none, as `path: what, expected what`; the reader is of no use any more then.
 * owner: the reader, until the next call. */
int network_reader_route(struct network_reader *reader, unsigned from, unsigned to, const unsigned **links,
                         unsigned *n, struct err *err);

/* Of more hosts not all ways are tried: only from and to the first one, and between neighbours. */
enum { NETWORK_MOST_TRIED = 512 };

/* Check for a way from each of N HOSTS to each other one, with the latency of the links.
 * errors: as network_reader_route. */
int network_reader_check_routes(struct network_reader *reader, const uint32_t hosts[], size_t n,
                                struct err *err);

/* --- the messages between a reader and its process, for network_process.c ---
 *
 * The reader first sends the text of the network, the number of hosts and their names. The process answers
 * with the number of hosts before the first one that is missing. If none is, the number of links follows,
 * each link (bandwidth in bytes per second, latency in seconds, shared, name), and the zone of each host. */

/* The question for the way between two hosts; the answer is the number of its links, and the links. With FROM
 * equal to TO a list of hosts follows, and the process tries the ways between these hosts; the answer is a
 * question for the first missing way, or for the first way with another latency than the links; otherwise the
 * same question. */
struct network_question {
  uint32_t from, to;
  bool other_latency;
};

/* Instead of the number of links of a route with another latency than the links. */
enum { NETWORK_OTHER_LATENCY = INT32_MAX };

/* Send a message of NBYTES; safe in a signal handler.
 * returns: false if nobody reads it. */
bool network_send(int descriptor, const void *bytes, size_t nbytes);

/* Let MESSAGE, empty, be the next one.
 * returns: false if the other end is closed before its end. */
bool network_receive(int descriptor, struct pack *message);

/* Be the process of a reader and answer on DESCRIPTOR until the other end is closed. Does not return; ends
 * earlier if SimGrid does, or if the helper ends. */
void network_process(int descriptor) __attribute__((noreturn));
