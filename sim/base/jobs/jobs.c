/* SPDX-License-Identifier: BSD-3-Clause
 * Independent items on all processors. A counter in memory that all processes share hands out items in
 * ascending order. Each worker has its own pipe and sends a header and the packed result of every item.
 * Workers never wait for each other. A worker ends when no items are left, when `stop` is set, or when the
 * parent is gone: the kernel then kills the worker. The parent sleeps between its looks at the pipes, so
 * that many results wake the parent once: a wake-up costs as much as a small item.
 *
 * When a worker crashes at an item, the item gets the result of `crashed`, and a new worker takes the
 * worker's place. When a worker dies otherwise, the parent kills workers at later items, since results after
 * a missing result are not delivered; workers at earlier items finish. So the first item without a result is
 * the item at which a worker died: always the same item, however many workers there are. */
#include "sim/base/jobs/jobs.h"

#include "sim/base/err.h"
#include "sim/base/jobs/worker_end.h"
#include "sim/base/minmax.h"
#include "sim/base/outfile.h"
#include "sim/base/seconds.h"
#include "sim/base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- items in this process, of a worker or without workers --- */

/* Tell whether a signal has asked for an end of JOBS. */
static bool is_interrupted(const struct jobs *jobs) {
  return jobs->interrupted && jobs->interrupted();
}

/* Show that so many items of JOBS are DONE. */
static void show_progress(const struct jobs *jobs, size_t done) {
  if (jobs->progress) {
    jobs->progress(jobs->context, done);
  }
}

/* What is being done: it has its name before, as who tells of a crash can allocate nothing. */
static struct {
  const struct jobs *jobs; /* NULL: nothing */
  size_t item;
  char name[256];
} now;

static pid_t named; /* the process whose death is told; 0: none */

/* Say that this process ends by the formatted text, and by which item; nothing half written is left. */
__attribute__((format(printf, 1, 2))) static void tell_end(const char *format, ...) {
  char how[512], line[900];
  va_list values;
  va_start(values, format);
  vsnprintf(how, sizeof how, format, values);
  va_end(values);
  outfile_remove_unfinished();
  int length =
    now.jobs ? snprintf(line, sizeof line, "cellcoll: item %zu of %zu, %s: crash: it ended this process %s\n",
                        now.item + 1, now.jobs->count, now.name, how)
             : snprintf(line, sizeof line,
                        "cellcoll: crash: a plugin, or a defect of cellcoll, ended this process %s\n", how);
  if (length > 0 && write(STDERR_FILENO, line, (size_t)length) != length) {
    return; /* nobody listens */
  }
}

/* This process ends with exit code STATUS: do not let that pass for success. */
static void tell_exit(int status, void *unused) {
  (void)unused;
  if (named == getpid()) {
    tell_end("with exit code %d", status);
    _exit(JOBS_ENDED_EXIT);
  }
}

static void tell_crash(int number, const char *where) {
  if (named == getpid()) {
    tell_end("by signal %d (%s)%s", number, sigdescr_np(number), where);
  }
}

void jobs_name_deaths(void) {
  named = getpid();
  on_exit(tell_exit, NULL);
  crash_watch(tell_crash);
}

void jobs_end_endless(int number) {
  if (named == getpid()) {
    tell_end("by not ending for long after signal %d (%s): does it loop for ever?", number,
             sigdescr_np(number));
    signal(number, SIG_DFL);
    raise(number);
  }
}

void jobs_forget_deaths(void) {
  named = 0;
}

/* Whether an item is being done. */
static bool at_work;

/* End a copy of the program, or of a worker, that a plugin has forked. A copy that went on would fork again
 * in each call. */
static void end_copy(void) {
  if (at_work) {
    _exit(0);
  }
}

/* Do item I of JOBS and pack its RESULT; a copy of this process that the item forks ends at once.
 * returns: as the work of JOBS. */
static int do_item(const struct jobs *jobs, size_t i, struct pack *result) {
  static bool prepared;
  static char line[512];
  if (!prepared) {
    pthread_atfork(NULL, NULL, end_copy);
    prepared = true;
  }
  bool told = jobs->seconds > 0 && jobs->told;
  if (named || told) {
    now.jobs = jobs;
    now.item = i;
    jobs->describe(jobs->context, i, now.name, sizeof now.name);
    snprintf(line, sizeof line, "cellcoll: item %zu of %zu, %s: %g s of processor time; ", i + 1, jobs->count,
             now.name, jobs->seconds);
  }
  if (jobs->seconds > 0) {
    worker_end_limit(jobs->seconds, told ? line : NULL, jobs->limit);
  }
  at_work = true;
  int status = jobs->work(jobs->context, i, result);
  at_work = false;
  now.jobs = NULL;
  return status;
}

/* Do everything that JOBS wants in this process. If this process is the program, output of the items goes to
 * standard error.
 * returns: as jobs_run. */
static int run_here(const struct jobs *jobs) {
  struct pack result = {0};
  int status = 0, kept = -1; /* kept: a copy of standard output */
  if (named) {
    fflush(stdout);
    kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  }
  if (kept >= 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  show_progress(jobs, 0);
  for (size_t i = 0; i < jobs->count && status == 0 && !is_interrupted(jobs); i++) {
    pack_clear(&result);
    if (do_item(jobs, i, &result) != 0) {
      break;
    }
    status = jobs->deliver(jobs->context, i, &result) ? -1 : 0;
    show_progress(jobs, i + 1);
  }
  if (jobs->seconds > 0) {
    worker_end_limit(0, NULL, 0);
  }
  if (kept >= 0) {
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
  }
  pack_fini(&result);
  return status;
}

/* --- workers --- */

/* Before the first item of a worker. */
#define NO_ITEM SIZE_MAX

/* How long an interruption or a progress display waits at most, and how long workers may go on after an
 * interruption. */
enum { TICK_MILLISECONDS = 100, GRACE_SECONDS = 3 };
/* Results wait in a pipe for a part of the time since the start, at most for so many nanoseconds. Bytes read
 * at a time. */
enum { NAP_PART = 16, NAP_MAX = 10000000, READ_SIZE = 65536 };
/* State that a worker leaves for its parent. */
struct post {
  atomic_size_t item;          /* the last item handed out to the worker */
  atomic_int word;             /* reason of the end, enum worker_word */
  char busy[WORKER_BUSY_SIZE]; /* text of worker_end_leave_word */
};

/* State shared by all processes. */
struct shared {
  atomic_size_t next;  /* item to be handed out */
  atomic_bool stop;    /* hand out no more */
  struct post posts[]; /* of each worker */
};

/* The header before a result on a pipe. */
struct header {
  size_t index, nbytes;
};

struct worker {
  pid_t pid;
  int from; /* pipe; -1: the worker has ended */
  struct worker_end end;
  bool died;            /* before the end of the work */
  struct pack received; /* not yet understood */
};

struct result {
  struct pack pack;
  bool finished;
};

/* One jobs_run. */
struct crew {
  const struct jobs *jobs;
  struct shared *shared;
  struct worker *workers;
  struct pollfd *polls;
  unsigned nworkers, nliving;
  struct result *results;
  size_t ndone, next; /* number of received results; the next item to be delivered */
  double start;       /* seconds of CLOCK_MONOTONIC */
  double told_at;     /* on the same clock */
  bool told;          /* workers have been interrupted */
  bool unwanted;      /* deliver() wants no more */
  bool full;          /* more may be waiting in a pipe than was read */
};

static enum jobs_loss latest_loss;

enum jobs_loss jobs_loss(void) {
  return latest_loss;
}

/* Return how many processes jobs_run starts for JOBS; 0: none, this process does the work. */
static unsigned count_workers(const struct jobs *jobs) {
  cpu_set_t set;
  size_t nprocessors = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
  size_t n = jobs->nworkers ? jobs->nworkers : nprocessors;
  LOWER(n, jobs->count);
  return n > 1 || jobs->apart ? (unsigned)n : 0;
}

/* --- in a worker --- */

/* Signals of an interruption. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { NENDS = sizeof ends / sizeof *ends };

/* Depend on PARENT, which looks at POST if this process dies, and accept several interrupting signals: a
 * terminal and the parent may both send one. */
static void become_worker(pid_t parent, struct post *post) {
  struct sigaction action;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(1);
  }
  for (size_t i = 0; i < NENDS; i++) {
    sigaction(ends[i], NULL, &action);
    action.sa_flags &= ~(int)SA_RESETHAND;
    sigaction(ends[i], &action, NULL);
  }
  dup2(STDERR_FILENO, STDOUT_FILENO); /* what a plugin prints stays out of the tables */
  worker_end_leave_word(&post->word, post->busy);
  jobs_forget_deaths(); /* the parent reports its own end */
}

static void send_bytes(int to, const void *bytes, size_t nbytes) {
  while (nbytes) {
    ssize_t sent = write(to, bytes, nbytes);
    if (sent < 0 && errno != EINTR) {
      _exit(1);
    }
    if (sent > 0) {
      bytes = (const char *)bytes + sent;
      nbytes -= (size_t)sent;
    }
  }
}

/* The life of worker NUMBER, which sends results to the pipe TO. */
static void __attribute__((noreturn)) serve_items(const struct crew *crew, unsigned number, int to) {
  const struct jobs *jobs = crew->jobs;
  struct pack result = {0}, message = {0};
  while (!atomic_load(&crew->shared->stop) && !is_interrupted(jobs)) {
    size_t index = atomic_fetch_add(&crew->shared->next, 1);
    if (index >= jobs->count) {
      break;
    }
    atomic_store(&crew->shared->posts[number].item, index);
    pack_clear(&result);
    if (do_item(jobs, index, &result) != 0) {
      _exit(1);
    }
    fflush(stdout);
    struct header header = {.index = index, .nbytes = result.nbytes};
    pack_clear(&message);
    pack_add_bytes(&message, &header, sizeof header);
    pack_add_bytes(&message, result.bytes, result.nbytes);
    send_bytes(to, message.bytes, message.nbytes);
  }
  _exit(0);
}

/* --- in the parent --- */

/* Start worker NUMBER; interrupting signals wait until the worker can accept a signal.
 * returns: -1 if the system has no room for a worker. */
static int start_worker(struct crew *crew, unsigned number) {
  int pipes[2];
  sigset_t asking, before;
  pid_t parent = getpid();
  if (pipe2(pipes, O_CLOEXEC) != 0) {
    return -1;
  }
  fflush(NULL); /* nothing is printed twice */
  sigemptyset(&asking);
  for (size_t i = 0; i < NENDS; i++) {
    sigaddset(&asking, ends[i]);
  }
  sigprocmask(SIG_BLOCK, &asking, &before);
  struct post *post = &crew->shared->posts[number];
  atomic_store(&post->item, NO_ITEM);
  atomic_store(&post->word, WORKER_SILENT);
  post->busy[0] = '\0';
  pid_t pid = _Fork(); /* without the handler of do_item: an item may have workers of its own */
  if (pid == 0) {
    become_worker(parent, post);
    sigprocmask(SIG_SETMASK, &before, NULL);
    serve_items(crew, number, pipes[1]);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(pipes[1]);
  if (pid < 0) {
    close(pipes[0]);
    return -1;
  }
  crew->workers[number].pid = pid;
  crew->workers[number].from = pipes[0];
  crew->polls[number] = (struct pollfd){.fd = pipes[0], .events = POLLIN};
  crew->nliving++;
  return 0;
}

static void signal_workers(const struct crew *crew, int number) {
  for (unsigned i = 0; i < crew->nworkers; i++) {
    if (crew->workers[i].from >= 0) {
      kill(crew->workers[i].pid, number);
    }
  }
}

/* WORKER has died: hand out no more items, and end workers whose results will not be delivered. */
static void give_up(const struct crew *crew, const struct worker *worker) {
  const struct shared *shared = crew->shared;
  size_t item = atomic_load(&shared->posts[worker - crew->workers].item);
  atomic_store(&crew->shared->stop, true);
  for (unsigned i = 0; i < crew->nworkers; i++) {
    if (crew->workers[i].from >= 0 && atomic_load(&shared->posts[i].item) > item) {
      kill(crew->workers[i].pid, SIGKILL);
    }
  }
}

/* Replace WORKER, which has crashed at ITEM; if the system has no room and no other workers exist, WORKER
 * counts as dead. */
static void replace_worker(struct crew *crew, struct worker *worker, size_t item) {
  crew->results[item].finished = true;
  crew->ndone++;
  pack_clear(&worker->received);
  bool more = atomic_load(&crew->shared->next) < crew->jobs->count && !atomic_load(&crew->shared->stop);
  bool is_lost = more && start_worker(crew, (unsigned)(worker - crew->workers)) != 0 && crew->nliving == 0;
  worker->end = (struct worker_end){.word = is_lost ? WORKER_NO_MEMORY : WORKER_SILENT};
  worker->died = is_lost;
}

/* WORKER has closed its pipe: wait for the worker's end. */
static void end_worker(struct crew *crew, struct worker *worker) {
  close(worker->from);
  worker->from = crew->polls[worker - crew->workers].fd = -1;
  crew->nliving--;
  while (waitpid(worker->pid, &worker->end.status, 0) < 0 && errno == EINTR) {
  }
  const struct post *post = &crew->shared->posts[worker - crew->workers];
  size_t item = atomic_load(&post->item);
  worker->end.word = (enum worker_word)atomic_load(&post->word);
  worker->end.busy = post->busy;
  worker->died = worker->end.status != 0 || (item != NO_ITEM && !crew->results[item].finished);
  if (!worker->died || is_interrupted(crew->jobs)) {
    return;
  }
  const struct jobs *jobs = crew->jobs;
  char how[WORKER_END_SIZE];
  worker_end_tell(worker->end, how);
  if (item != NO_ITEM && worker_end_is_crash(worker->end) && jobs->crashed &&
      jobs->crashed(jobs->context, item, how, &crew->results[item].pack)) {
    replace_worker(crew, worker, item);
  }
  if (worker->died) {
    give_up(crew, worker);
  }
}

/* Keep the complete results from WORKER. */
static void understand(struct crew *crew, struct worker *worker) {
  struct pack *received = &worker->received;
  struct header header;
  while (received->nbytes - received->taken >= sizeof header) {
    const unsigned char *bytes = received->bytes + received->taken;
    memcpy(&header, bytes, sizeof header);
    if (received->nbytes - received->taken - sizeof header < header.nbytes) {
      break;
    }
    struct result *result = &crew->results[header.index];
    pack_add_bytes(&result->pack, bytes + sizeof header, header.nbytes);
    result->finished = true;
    crew->ndone++;
    received->taken += sizeof header + header.nbytes;
  }
  if (received->taken) {
    received->nbytes -= received->taken;
    memmove(received->bytes, received->bytes + received->taken, received->nbytes);
    received->taken = 0;
  }
}

static void receive(struct crew *crew, struct worker *worker) {
  char bytes[READ_SIZE];
  ssize_t nbytes = read(worker->from, bytes, sizeof bytes);
  if (nbytes > 0) {
    crew->full |= nbytes == READ_SIZE;
    pack_add_bytes(&worker->received, bytes, (size_t)nbytes);
    understand(crew, worker);
  } else if (nbytes == 0 || errno != EINTR) {
    end_worker(crew, worker);
  }
}

/* Deliver the results that are next in order; OVER_GAPS: also results after items without a result. */
static void deliver(struct crew *crew, bool over_gaps) {
  const struct jobs *jobs = crew->jobs;
  for (; crew->next < jobs->count && !crew->unwanted; crew->next++) {
    struct result *result = &crew->results[crew->next];
    if (result->finished) {
      crew->unwanted = jobs->deliver(jobs->context, crew->next, &result->pack) != 0;
      pack_fini(&result->pack);
    } else if (!over_gaps) {
      break;
    }
  }
}

/* Let results gather in the pipes, unless one is full; a signal ends the nap. */
static void nap(const struct crew *crew) {
  double part = 1e9 * (seconds_of(CLOCK_MONOTONIC) - crew->start) / NAP_PART;
  if (!crew->full && crew->nliving && !crew->told) {
    nanosleep(&(struct timespec){.tv_nsec = part < NAP_MAX ? (long)part : NAP_MAX}, NULL);
  }
}

/* Receive and deliver until all workers have ended. */
static void attend(struct crew *crew) {
  crew->start = seconds_of(CLOCK_MONOTONIC);
  while (crew->nliving) {
    crew->full = false;
    int nready = poll(crew->polls, crew->nworkers, TICK_MILLISECONDS);
    if (is_interrupted(crew->jobs) && !crew->told) {
      signal_workers(crew, SIGINT);
      crew->told = true;
      crew->told_at = seconds_of(CLOCK_MONOTONIC);
    }
    if (crew->told && seconds_of(CLOCK_MONOTONIC) > crew->told_at + GRACE_SECONDS) {
      signal_workers(crew, SIGKILL); /* a program that never looks, such as an endless loop in a plugin */
    }
    for (unsigned i = 0; i < crew->nworkers && nready > 0; i++) {
      if (crew->polls[i].fd >= 0 && crew->polls[i].revents) {
        receive(crew, &crew->workers[i]);
      }
    }
    deliver(crew, false);
    show_progress(crew->jobs, crew->ndone);
    if (crew->unwanted) {
      signal_workers(crew, SIGKILL);
    }
    nap(crew);
  }
}

/* Report the worker that died at the first item without a result. */
static int blame(const struct crew *crew, struct err *err) {
  const struct jobs *jobs = crew->jobs;
  const struct worker *guilty = NULL;
  char name[256], how[WORKER_END_SIZE];
  for (unsigned i = 0; i < crew->nworkers; i++) {
    const struct worker *worker = &crew->workers[i];
    if (worker->died && (!guilty || atomic_load(&crew->shared->posts[i].item) == crew->next)) {
      guilty = worker;
    }
  }
  struct worker_end end = guilty ? guilty->end : (struct worker_end){0};
  worker_end_tell(end, how);
  jobs->describe(jobs->context, crew->next, name, sizeof name);
  latest_loss = worker_end_is_crash(end) ? JOBS_CRASHED : JOBS_LOST;
  return err_set(err, "item %zu of %zu, %s: %s", crew->next + 1, jobs->count, name, how);
}

/* Return the outcome of a crew whose workers have ended. */
static int conclude(struct crew *crew, struct err *err) {
  if (is_interrupted(crew->jobs)) {
    deliver(crew, true);
  }
  return crew->unwanted ? -1 : crew->next < crew->jobs->count ? blame(crew, err) : 0;
}

int jobs_run(const struct jobs *jobs, struct err *err) {
  unsigned nworkers = count_workers(jobs);
  struct crew crew = {.jobs = jobs};
  size_t shared_bytes = sizeof *crew.shared + nworkers * sizeof *crew.shared->posts;
  if (nworkers == 0) {
    return run_here(jobs);
  }
  crew.shared = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (crew.shared == MAP_FAILED) {
    return run_here(jobs);
  }
  crew.workers = xcalloc(nworkers, sizeof *crew.workers);
  crew.polls = xcalloc(nworkers, sizeof *crew.polls);
  crew.results = xcalloc(jobs->count, sizeof *crew.results);
  while (crew.nworkers < nworkers && start_worker(&crew, crew.nworkers) == 0) {
    crew.nworkers++; /* or as many as the system has room for */
  }
  attend(&crew);
  int status = crew.nworkers ? conclude(&crew, err) : run_here(jobs);
  for (unsigned i = 0; i < crew.nworkers; i++) {
    pack_fini(&crew.workers[i].received);
  }
  for (size_t i = 0; i < jobs->count; i++) {
    pack_fini(&crew.results[i].pack);
  }
  free(crew.workers);
  free(crew.polls);
  free(crew.results);
  munmap(crew.shared, shared_bytes);
  return status;
}
