/* SPDX-License-Identifier: BSD-3-Clause
 * Networks of SimGrid files: the side of the asking process, and the helper.
 *
 * The helper forks a process for each request, a message with two descriptors: the socket of the reader, and
 * a file for what SimGrid complains about. It ends when the last process that could ask has ended, and a
 * process of a reader when its socket is closed: none of them is ever waited for. */
#include "sim/base/network/network_reader.h"

#include "sim/base/engine/simgrid_calls.h"
#include "sim/base/err.h"
#include "sim/base/minmax.h"
#include "sim/base/network/network_file.h"
#include "sim/base/pack.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SOCKET, COMPLAINTS, DESCRIPTORS };
enum { COMPLAINT_SIZE = 1024 };

/* What is absurd, in bytes per second and seconds. A larger bandwidth, such as 1000EBps inside a host, means
 * no limit: the link gets the largest bandwidth. */
static const double least_bandwidth = 1, most_bandwidth = 1e13, most_latency = 1e3;

static bool prepared;
static int helper = -1; /* its socket */

/* --- the helper --- */

/* Send DESCRIPTORS over SOCKET, or receive them.
 * returns: false if there is nobody at the other end. */
static bool pass(int socket, int descriptors[DESCRIPTORS], bool sends) {
  enum { NBYTES = DESCRIPTORS * sizeof(int) };
  union {
    char bytes[CMSG_SPACE(NBYTES)];
    struct cmsghdr align;
  } control = {.bytes = {0}};
  struct iovec data = {.iov_base = &(char){0}, .iov_len = 1};
  struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (sends) {
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(NBYTES);
    memcpy(CMSG_DATA(header), descriptors, NBYTES);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
  }
  if (recvmsg(socket, &message, 0) != 1 || header->cmsg_len != CMSG_LEN(NBYTES)) {
    return false;
  }
  memcpy(descriptors, CMSG_DATA(header), NBYTES);
  return true;
}

/* Serve requests on SOCKET, each by a process of its own, until nobody can make one any more. */
static void __attribute__((noreturn)) help(int socket) {
  int descriptors[DESCRIPTORS], nowhere = open("/dev/null", O_RDWR);
  for (int standard = 0; standard < 3; standard++) {
    dup2(nowhere, standard);
  }
  signal(SIGCHLD, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  while (pass(socket, descriptors, false)) {
    if (_Fork() == 0) {
      close(socket);
      dup2(descriptors[COMPLAINTS], STDERR_FILENO);
      network_process(descriptors[SOCKET]);
    }
    for (int i = 0; i < DESCRIPTORS; i++) {
      close(descriptors[i]);
    }
  }
  _exit(0);
}

void network_reader_prepare(void) {
  prepared = true;
}

int network_reader_begin(struct err *err) {
  int pair[2];
  if (helper >= 0 || !prepared) {
    return 0;
  }
  if (simgrid_load(err) != 0) {
    return -1;
  }
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    perror("cellcoll: socketpair");
    abort();
  }
  fflush(NULL);
  pid_t pid = _Fork(); /* without the handler of jobs.c */
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
  return 0;
}

/* --- what is wrong in a file --- */

/* Return the first line of the file of READER in which WORD stands in quotes; 0: there is none. */
static int line_of(const struct network_reader *reader, const char *word) {
  FILE *file = fopen(reader->path, "r");
  SCOPED char *line = NULL, *quoted = xasprintf("\"%s\"", word);
  size_t room = 0;
  int number = 0, found = 0;
  while (file && !found && getline(&line, &room, file) >= 0) {
    number++;
    found = strstr(line, quoted) ? number : 0;
  }
  if (file) {
    fclose(file);
  }
  return found;
}

/* Return the path of READER with LINE; 0: without a line.
 * owner: the caller. */
static char *file_and_line(const struct network_reader *reader, int line) {
  return line ? xasprintf("%s:%d", reader->path, line) : xstrdup(reader->path);
}

/* Make WHAT, a line of SimGrid, say what is meant: "does name a node" at the end lacks a word, and the list
 * of "Existing netpoints" is in other lines.
 * owner: the caller. */
static char *correct(char *what) {
  static const char wrong[] = " does name a node", list[] = ". Existing netpoints";
  what[strcspn(what, "\n")] = '\0';
  char *end = strstr(what, list);
  end = end ? end : what + strlen(what);
  while (end > what && strchr(".: ", end[-1])) {
    end--;
  }
  *end = '\0';
  size_t length = strlen(what), lack = sizeof wrong - 1;
  bool lacks = length > lack && strcmp(what + length - lack, wrong) == 0;
  return lacks ? xasprintf("%.*s does not name a node", (int)(length - lack), what) : xstrdup(what);
}

/* Set ERR to what SimGrid has complained about before it gave READER up; always -1. */
static int complain(const struct network_reader *reader, const char *otherwise, struct err *err) {
  char text[COMPLAINT_SIZE] = "", *what;
  SCOPED char *place = NULL;
  ssize_t n = pread(reader->complaints, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = '\0';
  if ((what = strstr(text, "Parse error at ")) && (what = strchr(what + strlen("Parse error at "), ':'))) {
    place = xasprintf("%s:%.*s", reader->path, (int)strcspn(what + 1, ":\n"), what + 1);
    what += 1 + strcspn(what + 1, ":\n");
  } else if ((what = strstr(text, "Uncaught exception ")) && (what = strstr(what, ": "))) {
    what[strcspn(what, "\n")] = '\0';
    int line = 0;
    for (const char *name = what; !line && (name = strchr(name, ' '));) { /* an unknown name at the end */
      line = line_of(reader, ++name);
    }
    place = file_and_line(reader, line);
  } else if ((what = strstr(text, "/CRITICAL] "))) {
    what += strlen("/CRITICAL]");
    place = xstrdup(reader->path);
  } else {
    return err_set(err, "%s: %s", reader->path, otherwise);
  }
  SCOPED char *corrected = correct(what + strspn(what, ": "));
  return err_set(err, "%s: %.200s, expected a SimGrid platform file", place, corrected);
}

static int check_link(const struct network_reader *reader, const struct network_link *link, struct err *err) {
  bool slow = !(link->bandwidth >= least_bandwidth);
  if (!slow && link->latency >= 0 && link->latency <= most_latency) {
    return 0;
  }
  SCOPED char *place = file_and_line(reader, line_of(reader, link->name));
  return slow ? err_set(err, "%s: bandwidth of link %.60s is %g bytes per second, expected at least %g",
                        place, link->name, link->bandwidth, least_bandwidth)
              : err_set(err, "%s: latency of link %.60s is %g s, expected 0 to %g", place, link->name,
                        link->latency, most_latency);
}

/* --- a reader --- */

/* Take what the process of READER has found in the file from ANSWER. */
static int take_network(struct network_reader *reader, struct pack *answer, struct err *err) {
  size_t nfound = pack_take_count(answer);
  if (nfound < reader->nhosts) {
    return err_set(err, "%s: no host %s, expected one for each node", reader->path, reader->hosts[nfound]);
  }
  reader->nlinks = pack_take_count(answer);
  reader->links = xcalloc(reader->nlinks + 1, sizeof *reader->links);
  for (size_t i = 0; i < reader->nlinks; i++) {
    struct network_link *link = &reader->links[i];
    link->bandwidth = pack_take_real(answer);
    link->latency = pack_take_real(answer);
    link->shared = pack_take_count(answer);
    link->name = xstrdup(pack_take_text(answer));
    LOWER(link->bandwidth, most_bandwidth);
    if (check_link(reader, link, err)) {
      return -1;
    }
    link->bandwidth *= 1e-6;
    link->latency *= 1e6;
  }
  pack_take_bytes(answer, reader->zones, reader->nhosts * sizeof *reader->zones);
  return 0;
}

/* Have a process read the network of READER; ANSWER becomes what the process has found. */
static int start_process(struct network_reader *reader, struct pack *answer, struct err *err) {
  int sockets[2], complaints = memfd_create("complaints", MFD_CLOEXEC);
  struct pack request = {0};
  if (complaints < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    perror("cellcoll: memfd_create");
    abort();
  }
  reader->owner = getpid();
  reader->socket = sockets[0];
  reader->complaints = complaints;
  bool asked = pass(helper, (int[]){[SOCKET] = sockets[1], [COMPLAINTS] = complaints}, true);
  close(sockets[1]);
  if (!asked) {
    return err_set(err, "%s: the process that reads networks has ended", reader->path);
  }
  pack_add_text(&request, reader->text);
  pack_add_count(&request, reader->nhosts);
  for (unsigned i = 0; i < reader->nhosts; i++) {
    pack_add_text(&request, reader->hosts[i]);
  }
  network_send(reader->socket, request.bytes,
               request.nbytes); /* a process at its end gives no answer later */
  pack_fini(&request);
  if (network_receive(reader->socket, answer)) {
    return 0;
  }
  return complain(reader, "SimGrid cannot read it, expected a SimGrid platform file", err);
}

/* End the process of READER. */
static void stop(const struct network_reader *reader) {
  close(reader->socket);
  close(reader->complaints);
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
  assert(prepared);
  reader->path = xstrdup(source->path);
  reader->nhosts = nhosts;
  reader->hosts = xcalloc(nhosts, sizeof *reader->hosts);
  reader->zones = xcalloc(nhosts, sizeof *reader->zones);
  for (unsigned i = 0; i < nhosts; i++) {
    reader->hosts[i] = source->hosts ? xstrdup(source->hosts[i]) : xasprintf("n%u", i);
  }
  struct pack answer = {0};
  if (network_reader_begin(err) || take_text(reader, source, err) || start_process(reader, &answer, err) ||
      take_network(reader, &answer, err)) {
    network_reader_free(reader);
    reader = NULL;
  }
  pack_fini(&answer);
  return reader;
}

void network_reader_free(struct network_reader *reader) {
  if (reader) {
    stop(reader);
    for (size_t i = 0; i < reader->nlinks; i++) {
      free(reader->links[i].name);
    }
    free(reader->links);
    free(reader->zones);
    xfree_all(reader->hosts, reader->nhosts);
    free(reader->route);
    free(reader->text);
    free(reader->path);
    free(reader);
  }
}

/* Ask the process of READER the QUESTION, a message.
 * returns: false if there is no ANSWER. */
static bool ask(struct network_reader *reader, const struct pack *question, struct pack *answer) {
  if (reader->owner != getpid()) {
    stop(reader);
    if (start_process(reader, answer, NULL)) {
      return false;
    }
    pack_clear(answer);
  }
  return network_send(reader->socket, question->bytes, question->nbytes) &&
         network_receive(reader->socket, answer);
}

/* Complain about the way in QUESTION; always -1. */
static int bad_route(const struct network_reader *reader, const struct network_question *question,
                     struct err *err) {
  const char *from = reader->hosts[question->from], *to = reader->hosts[question->to];
  struct network_source source = {.path = reader->path, .text = reader->text};
  struct network_file file;
  char *place = file_and_line(
    reader, network_file_read(&file, &source, NULL) ? 0 : network_file_zone_line(&file, from, to));
  err_set(err,
          question->other_latency
            ? "%s: latency from %s to %s is not that of links, expected a zone without coordinates"
            : "%s: no route from %s to %s, expected one between any two nodes (network.hosts chooses hosts)",
          place, from, to);
  network_file_fini(&file);
  free(place);
  return -1;
}

int network_reader_route(struct network_reader *reader, unsigned from, unsigned to, const unsigned **links,
                         unsigned *n, struct err *err) {
  struct network_question question = {.from = from, .to = to};
  struct pack message = {0}, answer = {0};
  assert(from != to && from < reader->nhosts && to < reader->nhosts);
  pack_add_bytes(&message, &question, sizeof question);
  unsigned found = ask(reader, &message, &answer) ? (unsigned)pack_take_count(&answer) : 0;
  pack_fini(&message);
  question.other_latency = found == NETWORK_OTHER_LATENCY;
  if (found == 0 || question.other_latency) {
    pack_fini(&answer);
    return bad_route(reader, &question, err);
  }
  if (found > reader->route_room) {
    reader->route_room = found;
    reader->route = xrealloc(reader->route, found, sizeof *reader->route);
  }
  for (unsigned i = 0; i < found; i++) {
    reader->route[i] = (unsigned)pack_take_count(&answer);
  }
  pack_fini(&answer);
  *links = reader->route;
  *n = found;
  return 0;
}

int network_reader_check_routes(struct network_reader *reader, const uint32_t hosts[], size_t n,
                                struct err *err) {
  struct network_question question = {.from = 0};
  struct pack message = {0}, answer = {0};
  pack_add_bytes(&message, &question, sizeof question);
  pack_add_count(&message, n);
  pack_add_bytes(&message, hosts, n * sizeof *hosts);
  bool answered = ask(reader, &message, &answer);
  if (answered) {
    pack_take_bytes(&answer, &question, sizeof question);
  }
  pack_fini(&message);
  pack_fini(&answer);
  if (!answered) {
    return complain(reader, "SimGrid has ended while it looked for routes", err);
  }
  return question.from == question.to ? 0 : bad_route(reader, &question, err);
}
