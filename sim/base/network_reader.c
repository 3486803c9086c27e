/* SPDX-License-Identifier: BSD-3-Clause
 * See network_reader.h: the side of those who ask, and the helper.
 *
 * The helper forks a process for each request, a message with the path and two or three descriptors: the
 * socket of the reader, a file for what SimGrid complains about, and perhaps the text to be read. It ends
 * when the last process that could ask has ended, and a process of a reader when its socket is closed: none
 * of them is ever waited for. */
#include "sim/base/network_reader.h"

#include "sim/base/err.h"
#include "sim/base/network_flow.h"
#include "sim/base/network_process.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, MOST_DESCRIPTORS = 3, COMPLAINT_SIZE = 1024 };

/* What is absurd: bytes per second and seconds. */
static const double least_bandwidth = 1, most_bandwidth = 1e13, most_latency = 1e3;

struct request {
  uint32_t nhosts;
  char path[PATH_SIZE]; /* empty: the third descriptor */
};

struct network_reader {
  char *path; /* for messages */
  char *text; /* NULL: that of the file */
  /* the process that asks on this socket; a child of it has a process of its own read the network again */
  pid_t owner;
  int socket, complaints;
  struct network_link *links;
  size_t nlinks;
  unsigned *zones, *route;
  unsigned nhosts, route_room;
};

static int helper = -1; /* its socket */

/* --- the helper --- */

/* Take a request with its descriptors from SOCKET.
 * returns: the number of these; 0: there will be no more requests. */
static size_t take_request(int socket, struct request *request, int descriptors[MOST_DESCRIPTORS]) {
  union {
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec data = {.iov_base = request, .iov_len = sizeof *request};
  struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  if (recvmsg(socket, &message, 0) != (ssize_t)sizeof *request) {
    return 0;
  }
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  size_t n = header ? (header->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
  if (n) {
    memcpy(descriptors, CMSG_DATA(header), n * sizeof(int));
  }
  return n;
}

/* Serve requests on SOCKET, each by a process of its own, until nobody can make one any more. */
static void __attribute__((noreturn)) help(int socket) {
  struct request request;
  int descriptors[MOST_DESCRIPTORS], nowhere = open("/dev/null", O_RDWR);
  for (int standard = 0; standard < 3; standard++) {
    dup2(nowhere, standard);
  }
  signal(SIGCHLD, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  for (size_t n; (n = take_request(socket, &request, descriptors)) > 0;) {
    if (fork() == 0) {
      char text[64];
      close(socket);
      dup2(descriptors[1], 2);
      snprintf(text, sizeof text, "/proc/self/fd/%d", descriptors[n - 1]);
      network_process(*request.path ? request.path : text, request.nhosts, descriptors[0]);
    }
    while (n) {
      close(descriptors[--n]);
    }
  }
  _exit(0);
}

void network_reader_prepare(void) {
  int pair[2];
  if (helper >= 0) {
    return;
  }
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    perror("cellcoll: socketpair");
    abort();
  }
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) {
    perror("cellcoll: fork");
    abort();
  }
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(pair[0]);
    help(pair[1]);
  }
  close(pair[1]);
  helper = pair[0];
}

/* Ask the helper for a reader with REQUEST and N DESCRIPTORS. */
static bool ask_helper(const struct request *request, const int *descriptors, size_t n) {
  union {
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    struct cmsghdr align;
  } control = {.bytes = {0}};
  struct iovec data = {.iov_base = (void *)(uintptr_t)request, .iov_len = sizeof *request};
  struct msghdr message = {.msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = CMSG_SPACE(n * sizeof(int))};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(n * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors, n * sizeof(int));
  return sendmsg(helper, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
}

/* --- what is wrong in a file --- */

/* Set ERR to what SimGrid has complained about before it gave READER up; always -1. */
static int complain(const struct network_reader *reader, const char *otherwise, struct err *err) {
  char text[COMPLAINT_SIZE] = "", *what;
  ssize_t n = pread(reader->complaints, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = '\0';
  if ((what = strstr(text, "Parse error at ")) && (what = strchr(what + strlen("Parse error at "), ':'))) {
    what[strcspn(what, "\n")] = '\0';
    return err_set(err, "%s%.200s, expected a SimGrid platform file", reader->path, what);
  }
  if ((what = strstr(text, "Uncaught exception ")) && (what = strstr(what, ": "))) {
    what[strcspn(what, "\n")] = '\0';
    return err_set(err, "%s%.200s, expected a SimGrid platform file", reader->path, what);
  }
  return err_set(err, "%s: %s", reader->path, otherwise);
}

/* Return the first line of the file of READER in which WORD stands in quotes; 0: there is none. */
static int line_of(const struct network_reader *reader, const char *word) {
  FILE *file = fopen(reader->path, "r");
  char *line = NULL, *quoted = xasprintf("\"%s\"", word);
  size_t room = 0;
  int number = 0, found = 0;
  while (file && !found && getline(&line, &room, file) >= 0) {
    number++;
    found = strstr(line, quoted) ? number : 0;
  }
  if (file) {
    fclose(file);
  }
  free(line);
  free(quoted);
  return found;
}

static int check_link(const struct network_reader *reader, const struct network_link *link, struct err *err) {
  bool slow = !(link->bandwidth >= least_bandwidth && link->bandwidth <= most_bandwidth);
  if (!slow && link->latency >= 0 && link->latency <= most_latency) {
    return 0;
  }
  int line = line_of(reader, link->name);
  char *place = line ? xasprintf("%s:%d", reader->path, line) : xstrdup(reader->path);
  if (slow) {
    err_set(err, "%s: bandwidth of link %.60s is %g bytes per second, expected %g to %g", place, link->name,
            link->bandwidth, least_bandwidth, most_bandwidth);
  } else {
    err_set(err, "%s: latency of link %.60s is %g s, expected 0 to %g", place, link->name, link->latency,
            most_latency);
  }
  free(place);
  return -1;
}

/* --- a reader --- */

/* Take the links and the zones of READER from its process. */
static bool take_links(struct network_reader *reader) {
  reader->links = xcalloc(reader->nlinks + 1, sizeof *reader->links);
  for (size_t i = 0; i < reader->nlinks; i++) {
    struct network_link_said said;
    if (!network_receive(reader->socket, &said, sizeof said)) {
      return false;
    }
    struct network_link *link = &reader->links[i];
    *link =
      (struct network_link){.bandwidth = said.bandwidth, .latency = said.latency, .shared = said.shared != 0};
    link->name = xcalloc(said.name_length + 1, 1);
    if (!network_receive(reader->socket, link->name, said.name_length)) {
      return false;
    }
  }
  reader->zones = xcalloc(reader->nhosts, sizeof *reader->zones);
  return network_receive(reader->socket, reader->zones, reader->nhosts * sizeof *reader->zones);
}

/* Take what the process of READER has found in the file. */
static int take_network(struct network_reader *reader, struct err *err) {
  struct network_hello hello;
  if (!network_receive(reader->socket, &hello, sizeof hello)) {
    return complain(reader, "SimGrid cannot read it, expected a SimGrid platform file", err);
  }
  if (hello.nfound < reader->nhosts) {
    return err_set(err, "%s: no host n%u, expected n0 to n%u, one for each node", reader->path, hello.nfound,
                   reader->nhosts - 1);
  }
  reader->nlinks = hello.nlinks;
  if (!take_links(reader)) {
    return complain(reader, "SimGrid cannot read it, expected a SimGrid platform file", err);
  }
  for (size_t i = 0; i < reader->nlinks; i++) {
    if (check_link(reader, &reader->links[i], err)) {
      return -1;
    }
  }
  return 0;
}

/* Open what the process of READER needs: the end of SOCKETS that is its own, a file for complaints, and the
 * text, if there is one.
 * returns: how many DESCRIPTORS these are. */
static size_t open_descriptors(const struct network_reader *reader, int sockets[2],
                               int descriptors[MOST_DESCRIPTORS]) {
  bool good = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0;
  descriptors[0] = sockets[1];
  descriptors[1] = memfd_create("complaints", MFD_CLOEXEC);
  good &= descriptors[1] >= 0;
  if (reader->text) {
    descriptors[2] = memfd_create("network", MFD_CLOEXEC);
    ssize_t nbytes = (ssize_t)strlen(reader->text);
    good &= descriptors[2] >= 0 && write(descriptors[2], reader->text, (size_t)nbytes) == nbytes;
  }
  if (!good) {
    perror("cellcoll: memfd_create");
    abort();
  }
  return reader->text ? 3 : 2;
}

/* Have a process read the network of READER. */
static int start(struct network_reader *reader, struct err *err) {
  struct request request = {.nhosts = reader->nhosts};
  int sockets[2], descriptors[MOST_DESCRIPTORS];
  snprintf(request.path, sizeof request.path, "%s", reader->text ? "" : reader->path);
  size_t n = open_descriptors(reader, sockets, descriptors);
  reader->owner = getpid();
  reader->socket = sockets[0];
  reader->complaints = descriptors[1];
  bool asked = ask_helper(&request, descriptors, n);
  close(descriptors[0]);
  if (n == 3) {
    close(descriptors[2]);
  }
  return asked ? take_network(reader, err)
               : err_set(err, "%s: the process that reads networks has ended", reader->path);
}

/* End the process of READER. */
static void stop(struct network_reader *reader) {
  close(reader->socket);
  close(reader->complaints);
  for (size_t i = 0; reader->links && i < reader->nlinks; i++) {
    free(reader->links[i].name);
  }
  free(reader->links);
  free(reader->zones);
  reader->links = NULL;
  reader->zones = NULL;
}

struct network_reader *network_reader_new(const struct network_source *source, unsigned nhosts,
                                          struct err *err) {
  struct network_reader *reader = xcalloc(1, sizeof *reader);
  reader->socket = reader->complaints = -1;
  assert(helper >= 0 && strlen(source->path) < PATH_SIZE);
  reader->path = xstrdup(source->path);
  reader->text = source->text ? xstrdup(source->text) : NULL;
  reader->nhosts = nhosts;
  if (!source->text && access(source->path, R_OK) != 0) {
    err_set(err, "%s: %s, expected a SimGrid platform file", source->path, strerror(errno));
    network_reader_free(reader);
    return NULL;
  }
  if (start(reader, err)) {
    network_reader_free(reader);
    return NULL;
  }
  return reader;
}

void network_reader_free(struct network_reader *reader) {
  if (reader) {
    stop(reader);
    free(reader->route);
    free(reader->text);
    free(reader->path);
    free(reader);
  }
}

const struct network_link *network_reader_links(const struct network_reader *reader, size_t *n) {
  *n = reader->nlinks;
  return reader->links;
}

const unsigned *network_reader_zones(const struct network_reader *reader) {
  return reader->zones;
}

/* Ask the process of READER a QUESTION. */
static bool ask(struct network_reader *reader, const struct network_question *question) {
  struct err lost = {.text = ""};
  if (reader->owner != getpid()) {
    stop(reader);
    if (start(reader, &lost)) {
      return false;
    }
  }
  return network_say(reader->socket, question, sizeof *question);
}

/* Complain that there is no way from host FROM to host TO; always -1. */
static int no_route(const struct network_reader *reader, unsigned from, unsigned to, struct err *err) {
  return err_set(err, "%s: no route from n%u to n%u, expected one between any two nodes", reader->path, from,
                 to);
}

int network_reader_route(struct network_reader *reader, unsigned from, unsigned to, const unsigned **links,
                         unsigned *n, struct err *err) {
  uint32_t found = 0;
  assert(from != to && from < reader->nhosts && to < reader->nhosts);
  struct network_question question = {.subject = NETWORK_ROUTE, .from = from, .to = to};
  if (!ask(reader, &question) || !network_receive(reader->socket, &found, sizeof found)) {
    return no_route(reader, from, to, err);
  }
  if (found > reader->route_room) {
    reader->route_room = found;
    reader->route = xrealloc(reader->route, found, sizeof *reader->route);
  }
  if (found == 0 || !network_receive(reader->socket, reader->route, found * sizeof *reader->route)) {
    return no_route(reader, from, to, err);
  }
  *links = reader->route;
  *n = found;
  return 0;
}

int network_reader_check_routes(struct network_reader *reader, struct err *err) {
  struct network_question question = {.subject = NETWORK_ROUTES}, answer;
  if (!ask(reader, &question) || !network_receive(reader->socket, &answer, sizeof answer)) {
    return err_set(err, "%s: SimGrid does not find its routes in time, expected fewer", reader->path);
  }
  return answer.from == answer.to ? 0 : no_route(reader, answer.from, answer.to, err);
}

int network_reader_flows(struct network_reader *reader, const struct network_flow *flows, size_t n,
                         double *seconds, struct err *err) {
  struct network_question question = {.subject = NETWORK_FLOWS, .n = (uint32_t)n};
  if (!ask(reader, &question) || !network_say(reader->socket, flows, n * sizeof *flows) ||
      !network_receive(reader->socket, seconds, n * sizeof *seconds)) {
    return complain(reader, "SimGrid does not end its simulation of flows in time, expected fewer", err);
  }
  return 0;
}
