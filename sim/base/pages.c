/* SPDX-License-Identifier: BSD-3-Clause
 * See pages.h.
 *
 * The kernel gives a page when it is touched first, which takes many times as long as filling it with zeros.
 * So a run that is as large as those before it finds its pages in place, and only those that have been
 * written are filled with zeros. From time to time all are given back: those that only an earlier run has
 * needed would be filled in vain.
 *
 * The kernel's map of pages tells which have been written: those that are there or swapped out, and are not a
 * file's; what is written to a page of a private mapping of a file goes to a copy of the page (Linux,
 * Documentation/admin-guide/mm/pagemap.rst). To write to a page for the first time is a fault of the process,
 * and the kernel counts its faults: while there are no more of them the map stays the same, and is not read
 * again. */
#include "sim/base/pages.h"

#include "sim/base/xalloc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* How many pages are asked about at a time; how many are kept, 64 MiB on most machines, which is all local
 * stores of 256 SPEs or what 1,024 touch in a barrier; at every how many clears none are: to get a page again
 * takes as long as to fill it with zeros 6 to 32 times, so that runs that need the same pages lose at most
 * half as much again; and how many are filled in the cache: those of the local stores of 16 SPEs. A run of a
 * large machine touches few lines of each page, and needs the cache for others. */
enum { CHUNK_PAGES = 1024, KEPT_PAGES = 16384, KEPT_CLEARS = 64, CACHED_PAGES = 1024 };

/* Let the pages of the NBYTES at BYTES come one by one: the kernel could merge them to a large one, whose
 * first writes are no faults. */
static void keep_small(void *bytes, size_t nbytes) {
  madvise(bytes, nbytes, MADV_NOHUGEPAGE);
}

/* Return NBYTES of zeros that take room only where they are touched; NAME is for the message if there is no
 * room. */
static void *reserve(size_t nbytes, const char *name) {
  void *bytes =
    mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) {
    xalloc_fail(name);
  }
  keep_small(bytes, nbytes);
  return bytes;
}

void pages_init(struct pages *pages, size_t nbytes, const char *name) {
  *pages = (struct pages){.bytes = reserve(nbytes, name), .nbytes = nbytes};
}

/* Return the number of pages of PAGES, of SIZE bytes. */
static size_t count_all(const struct pages *pages, size_t size) {
  return (pages->nbytes + size - 1) / size;
}

void pages_fini(struct pages *pages) {
  munmap(pages->bytes, pages->nbytes);
  if (pages->written) {
    munmap(pages->written, count_all(pages, (size_t)sysconf(_SC_PAGESIZE)) * sizeof *pages->written);
  }
}

/* Tell whether ENTRY of the kernel's map of pages is of one that has been written. */
static bool is_written(uint64_t entry) {
  const uint64_t present = UINT64_C(1) << 63, swapped = UINT64_C(1) << 62, of_file = UINT64_C(1) << 61;
  return (entry & (present | swapped)) && !(entry & of_file);
}

/* Return how many faults this process has had. */
static uint64_t faults_of_process(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

/* Tell whether the kernel counts the first write to a page as a fault; some that run in place of Linux count
 * none. */
static bool faults_are_counted(void) {
  static enum { UNKNOWN, COUNTED, NOT_COUNTED } answer;
  if (answer == UNKNOWN) {
    struct pages trial;
    pages_init(&trial, 1, "one page");
    uint64_t before = faults_of_process();
    *(volatile uint8_t *)trial.bytes = 1;
    answer = faults_of_process() > before ? COUNTED : NOT_COUNTED;
    pages_fini(&trial);
  }
  return answer == COUNTED;
}

/* Return the kernel's map of the pages of PROCESS, which calls; it is opened once. -1: there is none. */
static int map_of_process(pid_t process) {
  static int map = -1;
  static pid_t owner;
  if (owner != process) { /* a map that was opened before fork is of the parent */
    if (map >= 0) {
      close(map);
    }
    owner = process;
    map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  }
  return map;
}

/* Ask the kernel's MAP, -1: there is none, which of the first NPAGES pages of PAGES, of SIZE bytes, have been
 * written.
 * returns: whether it has told. */
static bool read_map(struct pages *pages, int map, size_t npages, size_t size) {
  uint64_t entries[CHUNK_PAGES];
  if (!pages->written) {
    pages->written = reserve(count_all(pages, size) * sizeof *pages->written, "which pages were written");
  }
  for (size_t i = 0, n; i < npages; i += n) {
    n = npages - i < CHUNK_PAGES ? npages - i : CHUNK_PAGES;
    ssize_t nbytes = (ssize_t)(n * sizeof *entries);
    off_t at = (off_t)(((uintptr_t)pages->bytes / size + i) * sizeof *entries);
    if (map < 0 || pread(map, entries, (size_t)nbytes, at) != nbytes) {
      return false;
    }
    for (size_t k = 0; k < n; k++) {
      pages->written[i + k] = is_written(entries[k]);
    }
  }
  return true;
}

/* Find out which of the first NPAGES pages of PAGES, of SIZE bytes, have been written.
 * returns: whether that is known. */
static bool look(struct pages *pages, size_t npages, size_t size) {
  struct pages_look now = {getpid(), faults_of_process(), npages};
  if (faults_are_counted() && now.process == pages->look.process && now.faults == pages->look.faults &&
      npages <= pages->look.npages) {
    return true;
  }
  bool known = read_map(pages, map_of_process(now.process), npages, size);
  pages->look = known ? now : (struct pages_look){0};
  return known;
}

/* Fill PAGE of SIZE bytes with zeros; if not CACHED, past the cache where the processor can. */
static void fill(uint8_t *page, size_t size, bool cached) {
#ifdef __SSE2__
  if (!cached) {
    for (__m128i *at = (void *)page, *end = (void *)(page + size); at < end; at++) {
      _mm_stream_si128(at, _mm_setzero_si128());
    }
    return;
  }
#else
  (void)cached;
#endif
  memset(page, 0, size);
}

/* Make the first NPAGES pages of PAGES, of SIZE bytes, zero, or as many of them as may be kept.
 * returns: how many. */
static size_t zero_and_keep(const struct pages *pages, size_t npages, size_t size) {
  const bool *written = pages->written, *end = written + npages, *next;
  for (size_t kept = 0; (next = memchr(written, true, (size_t)(end - written))); kept++, written = next + 1) {
    if (kept == KEPT_PAGES) {
      return (size_t)(next - pages->written);
    }
    fill(pages->bytes + (size_t)(next - pages->written) * size, size, kept < CACHED_PAGES);
  }
  return npages;
}

/* Give back the room of PAGES, of SIZE bytes, from page FIRST on. */
static void give_back(struct pages *pages, size_t first, size_t size) {
  if (first * size < pages->nbytes) {
    madvise(pages->bytes + first * size, pages->nbytes - first * size, MADV_DONTNEED);
  }
  if (first < pages->look.npages) {
    memset(pages->written + first, 0, (pages->look.npages - first) * sizeof *pages->written);
  }
}

void pages_clear(struct pages *pages, size_t used) {
  size_t size = (size_t)sysconf(_SC_PAGESIZE), npages = (used + size - 1) / size, kept = 0;
  if (++pages->clears == KEPT_CLEARS) {
    pages->clears = 0;
  } else if (look(pages, npages, size)) {
    kept = zero_and_keep(pages, npages, size);
  }
  give_back(pages, kept, size);
}

void pages_show(struct pages *pages, int file, size_t period) {
  int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
  for (size_t at = 0, n; at < pages->nbytes; at += n) {
    n = file < 0 || pages->nbytes - at < period ? pages->nbytes - at : period;
    if (mmap(pages->bytes + at, n, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) {
      xalloc_fail("pages of a file");
    }
  }
  keep_small(pages->bytes, pages->nbytes);
  pages->clears = 0;
  pages->look = (struct pages_look){0};
}

void pages_renew(struct pages *pages) {
  pages->look = (struct pages_look){0};
  madvise(pages->bytes, pages->nbytes, MADV_DONTNEED);
}

const bool *pages_written(struct pages *pages) {
  size_t size = (size_t)sysconf(_SC_PAGESIZE), npages = count_all(pages, size);
  if (!look(pages, npages, size)) {
    memset(pages->written, true, npages * sizeof *pages->written);
  }
  return pages->written;
}
