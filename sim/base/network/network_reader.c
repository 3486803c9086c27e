/* SPDX-License-Identifier: BSD-3-Clause
 * See network_reader.h: the side of those who ask, and the helper.
 *
 * The helper forks a process for each request, a message with three descriptors: the socket of the reader,
 * a file for what SimGrid complains about, and the text to be read. It ends when the last process that
 * could ask has ended, and a process of a reader when its socket is closed: none of them is ever waited
 * for. */
#include "sim/base/network/network_reader.h"

#include "sim/base/err.h"
#include "sim/base/network/network_file.h"
#include "sim/base/xalloc.h"

#include <assert.h>
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

enum { DESCRIPTORS = 3, COMPLAINT_SIZE = 1024 };

/* What is absurd: bytes per second and seconds. */
static const double least_bandwidth = 1, most_bandwidth = 1e13, most_latency = 1e3;

struct request {
  uint32_t nhosts;
};

struct network_reader {
  char *path;   /* for messages */
  char *text;   /* for SimGrid */
  char **hosts; /* names */
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
 * returns: false if there will be no more requests. */
static bool take_request(int socket, struct request *request, int descriptors[DESCRIPTORS]) {
  union {
    char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec data = {.iov_base = request, .iov_len = sizeof *request};
  struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  if (recvmsg(socket, &message, 0) != (ssize_t)sizeof *request) {
    return false;
  }
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_len != CMSG_LEN(DESCRIPTORS * sizeof(int))) {
    return false;
  }
  memcpy(descriptors, CMSG_DATA(header), DESCRIPTORS * sizeof(int));
  return true;
}

/* Serve requests on SOCKET, each by a process of its own, until nobody can make one any more. */
static void __attribute__((noreturn)) help(int socket) {
  struct request request;
  int descriptors[DESCRIPTORS], nowhere = open("/dev/null", O_RDWR);
  for (int standard = 0; standard < 3; standard++) {
    dup2(nowhere, standard);
  }
  signal(SIGCHLD, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  while (take_request(socket, &request, descriptors)) {
    if (_Fork() == 0) {
      char text[64];
      close(socket);
      dup2(descriptors[1], 2);
      snprintf(text, sizeof text, "/proc/self/fd/%d", descriptors[2]);
      network_process(text, request.nhosts, descriptors[0]);
    }
    for (int i = 0; i < DESCRIPTORS; i++) {
      close(descriptors[i]);
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
  pid_t pid = _Fork(); /* without the handler of jobs_do */
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

/* Ask the helper for a reader with REQUEST and DESCRIPTORS. */
static bool ask_helper(const struct request *request, const int descriptors[DESCRIPTORS]) {
  union {
    char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
    struct cmsghdr align;
  } control = {.bytes = {0}};
  struct iovec data = {.iov_base = (void *)(uintptr_t)request, .iov_len = sizeof *request};
  struct msghdr message = {.msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = CMSG_SPACE(DESCRIPTORS * sizeof(int))};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(DESCRIPTORS * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors, DESCRIPTORS * sizeof(int));
  return sendmsg(helper, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
}

/* --- what is wrong in a file --- */

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

/* Return the path of READER with LINE; 0: without a line.
 * owner: the caller. */
static char *file_and_line(const struct network_reader *reader, int line) {
  return line ? xasprintf("%s:%d", reader->path, line) : xstrdup(reader->path);
}

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
    char *place = file_and_line(reader, line_of(reader, strrchr(what, ' ') + 1)); /* an unknown name */
    err_set(err, "%s%.200s, expected a SimGrid platform file", place, what);
    free(place);
    return -1;
  }
  if ((what = strstr(text, "/CRITICAL] "))) {
    what += strlen("/CRITICAL] ");
    what[strcspn(what, "\n")] = '\0';
    return err_set(err, "%s: %.200s, expected a SimGrid platform file", reader->path, what);
  }
  return err_set(err, "%s: %s", reader->path, otherwise);
}

static int check_link(const struct network_reader *reader, const struct network_link *link, struct err *err) {
  bool slow = !(link->bandwidth >= least_bandwidth && link->bandwidth <= most_bandwidth);
  if (!slow && link->latency >= 0 && link->latency <= most_latency) {
    return 0;
  }
  char *place = file_and_line(reader, line_of(reader, link->name));
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
    return err_set(err, "%s: no host %s, expected one for each node", reader->path,
                   reader->hosts[hello.nfound]);
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
 * text. */
static void open_descriptors(const struct network_reader *reader, int sockets[2],
                             int descriptors[DESCRIPTORS]) {
  bool good = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0;
  descriptors[0] = sockets[1];
  descriptors[1] = memfd_create("complaints", MFD_CLOEXEC);
  good &= descriptors[1] >= 0;
  descriptors[2] = memfd_create("network", MFD_CLOEXEC);
  ssize_t nbytes = (ssize_t)strlen(reader->text);
  good &= descriptors[2] >= 0 && write(descriptors[2], reader->text, (size_t)nbytes) == nbytes;
  if (!good) {
    perror("cellcoll: memfd_create");
    abort();
  }
}

/* Tell the process of READER the names of the hosts; a process at its end gives no answer later. */
static void say_hosts(const struct network_reader *reader) {
  size_t nbytes = sizeof(uint32_t);
  for (unsigned i = 0; i < reader->nhosts; i++) {
    nbytes += strlen(reader->hosts[i]) + 1;
  }
  char *bytes = xcalloc(nbytes, 1), *end = bytes + sizeof(uint32_t);
  memcpy(bytes, &(uint32_t){(uint32_t)(nbytes - sizeof(uint32_t))}, sizeof(uint32_t));
  for (unsigned i = 0; i < reader->nhosts; i++) {
    end = stpcpy(end, reader->hosts[i]) + 1;
  }
  network_say(reader->socket, bytes, nbytes);
  free(bytes);
}

/* Have a process read the network of READER. */
static int start_process(struct network_reader *reader, struct err *err) {
  struct request request = {.nhosts = reader->nhosts};
  int sockets[2], descriptors[DESCRIPTORS];
  open_descriptors(reader, sockets, descriptors);
  reader->owner = getpid();
  reader->socket = sockets[0];
  reader->complaints = descriptors[1];
  bool asked = ask_helper(&request, descriptors);
  close(descriptors[0]);
  close(descriptors[2]);
  if (!asked) {
    return err_set(err, "%s: the process that reads networks has ended", reader->path);
  }
  say_hosts(reader);
  return take_network(reader, err);
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

/* Let READER have the text of SOURCE for SimGrid. */
static int take_text(struct network_reader *reader, const struct network_source *source, struct err *err) {
  struct network_file file;
  if (source->text) {
    reader->text = xstrdup(source->text);
  } else if (network_file_read(&file, source, err) == 0) {
    reader->text = network_file_text(&file);
    network_file_fini(&file);
  }
  return reader->text ? 0 : -1;
}

struct network_reader *network_reader_new(const struct network_source *source, unsigned nhosts,
                                          struct err *err) {
  struct network_reader *reader = xcalloc(1, sizeof *reader);
  reader->socket = reader->complaints = -1;
  assert(helper >= 0);
  reader->path = xstrdup(source->path);
  reader->nhosts = nhosts;
  reader->hosts = xcalloc(nhosts, sizeof *reader->hosts);
  for (unsigned i = 0; i < nhosts; i++) {
    reader->hosts[i] = source->hosts ? xstrdup(source->hosts[i]) : xasprintf("n%u", i);
  }
  if (take_text(reader, source, err) || start_process(reader, err)) {
    network_reader_free(reader);
    return NULL;
  }
  return reader;
}

void network_reader_free(struct network_reader *reader) {
  if (reader) {
    stop(reader);
    for (unsigned i = 0; i < reader->nhosts; i++) {
      free(reader->hosts[i]);
    }
    free(reader->hosts);
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
static bool ask_process(struct network_reader *reader, const struct network_question *question) {
  struct err lost = {.text = ""};
  if (reader->owner != getpid()) {
    stop(reader);
    if (start_process(reader, &lost)) {
      return false;
    }
  }
  return network_say(reader->socket, question, sizeof *question);
}

/* Complain about the way in QUESTION; always -1. */
static int bad_route(const struct network_reader *reader, const struct network_question *question,
                     struct err *err) {
  const char *from = reader->hosts[question->from], *to = reader->hosts[question->to];
  struct network_source source = {.path = reader->path, .text = reader->text};
  struct network_file file;
  char *place = file_and_line(
    reader, network_file_read(&file, &source, NULL) ? 0 : network_file_zone_line(&file, from, to));
  if (question->n) {
    err_set(err, "%s: latency from %s to %s is not that of links, expected a zone without coordinates", place,
            from, to);
  } else {
    err_set(err, "%s: no route from %s to %s, expected one between any two nodes", place, from, to);
  }
  network_file_fini(&file);
  free(place);
  return -1;
}

int network_reader_route(struct network_reader *reader, unsigned from, unsigned to, const unsigned **links,
                         unsigned *n, struct err *err) {
  uint32_t found = 0;
  assert(from != to && from < reader->nhosts && to < reader->nhosts);
  struct network_question question = {.subject = NETWORK_ROUTE, .from = from, .to = to};
  if (!ask_process(reader, &question) || !network_receive(reader->socket, &found, sizeof found)) {
    return bad_route(reader, &question, err);
  }
  if (found == NETWORK_OTHER_LATENCY) {
    question.n = 1;
    return bad_route(reader, &question, err);
  }
  if (found > reader->route_room) {
    reader->route_room = found;
    reader->route = xrealloc(reader->route, found, sizeof *reader->route);
  }
  if (found == 0 || !network_receive(reader->socket, reader->route, found * sizeof *reader->route)) {
    return bad_route(reader, &question, err);
  }
  *links = reader->route;
  *n = found;
  return 0;
}

int network_reader_check_routes(struct network_reader *reader, struct err *err) {
  struct network_question question = {.subject = NETWORK_ROUTES}, answer;
  if (!ask_process(reader, &question) || !network_receive(reader->socket, &answer, sizeof answer)) {
    return err_set(err, "%s: SimGrid does not find its routes in time, expected fewer", reader->path);
  }
  return answer.from == answer.to ? 0 : bad_route(reader, &answer, err);
}
