/* SPDX-License-Identifier: BSD-3-Clause
 * See pages.h.
 *
 * The kernel gives a page when it is touched first, which takes many times as long as filling it with zeros. So a run that
 * is as large as those before it finds its pages in place. From time to time all are given back: those that only an earlier
 * run has needed would be filled with zeros in vain.
 *
 * What is written to a page of a private mapping of a file goes to a copy of the page. So the kernel's map of pages tells which have
 * been written: those that are there and are not the file's (Linux, Documentation/admin-guide/mm/pagemap.rst). To write to a page for
 * the first time is a fault of the process, and the kernel counts its faults: while there are no more of them the map stays the same,
 * and is not read again. */
#include "sim/base/pages.h"

#include "sim/base/xalloc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* How many pages are asked about at a time; how many are kept, 64 MiB on most machines, which is all local stores of 256 SPEs
 * or what 1,024 touch in a barrier; and at every how many clears none are. */
enum { CHUNK_PAGES = 1024, KEPT_PAGES = 16384, KEPT_CLEARS = 16 };

void
pages_init(struct pages *pages, size_t nbytes, const char *name)
{
  void *bytes =
    mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) {
    xalloc_fail(name);
  }
  *pages = (struct pages){.bytes = bytes, .nbytes = nbytes};
}

void
pages_fini(struct pages *pages)
{
  munmap(pages->bytes, pages->nbytes);
  free(pages->written);
}

/* Make the pages among the NPAGES of SIZE bytes at BYTES zero that have been touched.
 * returns: how many there were; or -1 if that is not known and nothing was done. */
static int
zero_touched(uint8_t *bytes, size_t npages, size_t size)
{
  unsigned char touched[CHUNK_PAGES];
  int count = 0;
  if (mincore(bytes, npages * size, touched) != 0) {
    return -1;
  }
  for (size_t i = 0; i < npages; i++) {
    if (touched[i] & 1) {
      memset(bytes + i * size, 0, size);
      count++;
    }
  }
  return count;
}

/* Make the first NPAGES of SIZE bytes at BYTES zero, or as many of them as may be kept.
 * returns: how many. */
static size_t
zero_and_keep(uint8_t *bytes, size_t npages, size_t size)
{
  size_t done = 0;
  for (int kept = 0, count = 0; done < npages && kept < KEPT_PAGES && count >= 0; kept += count) {
    size_t chunk = npages - done < CHUNK_PAGES ? npages - done : CHUNK_PAGES;
    count = zero_touched(bytes + done * size, chunk, size);
    done += count >= 0 ? chunk : 0;
  }
  return done;
}

void
pages_clear(struct pages *pages, size_t used)
{
  size_t size = (size_t)sysconf(_SC_PAGESIZE), done = 0;
  if (++pages->clears < KEPT_CLEARS) {
    done = size * zero_and_keep(pages->bytes, (used + size - 1) / size, size);
  } else {
    pages->clears = 0;
  }
  if (done < pages->nbytes) {
    madvise(pages->bytes + done, pages->nbytes - done, MADV_DONTNEED);
  }
}

void
pages_show(struct pages *pages, int file, size_t period)
{
  int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
  for (size_t at = 0, n; at < pages->nbytes; at += n) {
    n = file < 0 || pages->nbytes - at < period ? pages->nbytes - at : period;
    if (mmap(pages->bytes + at, n, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) {
      xalloc_fail("pages of a file");
    }
  }
  pages->clears = 0;
  pages->look.process = 0;
}

void
pages_renew(struct pages *pages)
{
  pages->look.process = 0;
  madvise(pages->bytes, pages->nbytes, MADV_DONTNEED);
}

/* Tell whether ENTRY of the kernel's map of pages is of one that has been written. */
static bool
is_written(uint64_t entry)
{
  const uint64_t present = UINT64_C(1) << 63, swapped = UINT64_C(1) << 62, of_file = UINT64_C(1) << 61;
  return (entry & (present | swapped)) && !(entry & of_file);
}

/* Return how many faults this process has had. */
static uint64_t
faults_of_process(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

/* Tell whether the kernel counts the first write to a page as a fault; some that run in place of Linux count none. */
static bool
faults_are_counted(void)
{
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
static int
map_of_process(pid_t process)
{
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

/* Ask the kernel's MAP, -1: there is none, which pages of PAGES have been written. */
static void
read_map(struct pages *pages, int map)
{
  uint64_t entries[CHUNK_PAGES];
  size_t size = (size_t)sysconf(_SC_PAGESIZE), npages = (pages->nbytes + size - 1) / size;
  if (!pages->written) {
    pages->written = xcalloc(npages, sizeof *pages->written);
  }
  for (size_t i = 0, n; i < npages; i += n) {
    n = npages - i < CHUNK_PAGES ? npages - i : CHUNK_PAGES;
    ssize_t nbytes = (ssize_t)(n * sizeof *entries);
    off_t at = (off_t)(((uintptr_t)pages->bytes / size + i) * sizeof *entries);
    bool known = map >= 0 && pread(map, entries, (size_t)nbytes, at) == nbytes;
    for (size_t k = 0; k < n; k++) {
      pages->written[i + k] = !known || is_written(entries[k]);
    }
  }
}

const bool *
pages_written(struct pages *pages)
{
  struct pages_look look = {getpid(), faults_of_process()};
  if (!faults_are_counted() || look.process != pages->look.process || look.faults != pages->look.faults) {
    read_map(pages, map_of_process(look.process));
    pages->look = look;
  }
  return pages->written;
}
