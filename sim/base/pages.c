/* SPDX-License-Identifier: BSD-3-Clause
 * Memory in pages, zero at first.
 *
 * The kernel gives a page when the page is touched first, which takes many times as long as filling a page
 * with zeros. So a run that is as large as the runs before finds its pages in place: pages that are in memory
 * are filled with zeros. From time to time all pages are given back, since pages that only an earlier run has
 * needed would be filled in vain.
 *
 * mincore(2) tells which pages are in memory. A page comes into memory by a page fault, so the answer holds
 * until the process has another fault. The kernel's map of pages tells which pages of a private
 * mapping of a file have been written: the kernel copies such a page, and the copy is not of a file any more
 * (Linux, Documentation/admin-guide/mm/pagemap.rst). */
#include "sim/base/pages.h"

#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* CHUNK_PAGES: the number of pages in one question to the kernel. KEPT_PAGES: the number of pages that are
 * kept, 64 MiB on most machines: all local stores of 256 SPEs, or the pages that 1,024 SPEs touch in a
 * barrier. KEPT_CLEARS, FILLED_PAGES: after so many clears that have filled so many pages with zeros no page
 * is kept; to get a page takes as long as to fill 6 to 100 pages, so that runs that need the same pages lose
 * at most as much again, and pages that no run needs are filled in vain for 10 ms. CACHED_PAGES: the number
 * of pages that are filled in the cache, the local stores of 16 SPEs; a run of a large machine touches few
 * lines of each page, and needs the cache for others. SPARES: the number of released blocks kept, each
 * with at most SPARE_BYTES in use. */
enum { CHUNK_PAGES = 1024, KEPT_PAGES = 16384, CACHED_PAGES = 1024 };
enum { KEPT_CLEARS = 64, FILLED_PAGES = 65536, SPARES = 4, SPARE_BYTES = 16 << 20 };

/* Pages from number FIRST up to, but not including, number END. */
struct pages_run {
  size_t first, end;
};

/* Released blocks, of zeros, for the next block of the same size: a machine that differs from the machine
 * before in one parameter needs the same memory. A spare without bytes is none. */
static struct pages spares[SPARES];

void pages_init(struct pages *pages, size_t nbytes, const char *name) {
  struct pages *spare = VEC_FIND(spares, SPARES, item->bytes && item->nbytes == nbytes);
  if (spare) {
    *pages = *spare;
    spare->bytes = NULL;
    return;
  }
  void *bytes =
    mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) {
    xalloc_fail(name);
  }
  madvise(bytes, nbytes, MADV_NOHUGEPAGE); /* a large page would take room that nobody touches */
  *pages = (struct pages){.bytes = bytes, .nbytes = nbytes};
}

/* Fill NBYTES of whole pages at BYTES with zeros; if not CACHED, past the cache where the processor can. */
static void fill(uint8_t *bytes, size_t nbytes, bool cached) {
#ifdef __SSE2__
  if (!cached) {
    for (__m128i *at = (void *)bytes, *end = (void *)(bytes + nbytes); at < end; at++) {
      _mm_stream_si128(at, _mm_setzero_si128());
    }
    return;
  }
#else
  (void)cached;
#endif
  memset(bytes, 0, nbytes);
}

/* Give back the room of PAGES from byte START to byte END. */
static void give_back(const struct pages *pages, size_t start, size_t end) {
  if (start < end) {
    madvise(pages->bytes + start, end - start, MADV_DONTNEED);
  }
}

/* Return the number of page faults of this process so far. */
static long count_faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

/* Tell whether the system counts the page faults of a process: some sandboxes do not. */
static bool faults_are_counted(void) {
  static int known = -1;
  if (known < 0) {
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    long before = count_faults();
    volatile char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
      return false;
    }
    *page = 1;
    munmap((void *)(uintptr_t)page, size);
    known = count_faults() > before;
  }
  return known;
}

/* Ask which of the first NPAGES pages of PAGES, of SIZE bytes, are in memory, up to the number of pages that
 * may be kept. */
static void ask(struct pages *pages, size_t npages, size_t size) {
  unsigned char there[CHUNK_PAGES];
  struct sysinfo info;
  bool may_be_swapped = sysinfo(&info) != 0 || info.freeswap < info.totalswap;
  size_t kept = 0;
  pages->nthere = 0;
  for (pages->asked = 0; pages->asked < npages && kept < KEPT_PAGES;) {
    size_t at = pages->asked, n = MIN(npages - at, CHUNK_PAGES);
    if (mincore(pages->bytes + at * size, n * size, there) != 0) {
      return;
    }
    for (size_t k = 0, end; k < n; k = end) {
      for (end = k + 1; end < n && (there[end] & 1) == (there[k] & 1); end++) {
      }
      if (there[k] & 1) {
        VEC_ADD(pages->there, pages->nthere) = (struct pages_run){at + k, at + end};
        kept += end - k;
      } else if (may_be_swapped) {
        give_back(pages, (at + k) * size, (at + end) * size);
      }
    }
    pages->asked += n;
  }
}

/* Make the first NPAGES pages of PAGES, of SIZE bytes, zero, or as many of them as may be kept.
 * returns: the number of pages that are zero. */
static size_t zero_and_keep(struct pages *pages, size_t npages, size_t size) {
  long faults = count_faults();
  bool is_known = npages <= pages->asked && faults == pages->faults &&
                  getpid() == pages->process && /* a child counts own faults */
                  faults_are_counted();
  if (!is_known) {
    ask(pages, npages, size);
    pages->faults = faults;
    pages->process = getpid();
  }
  LOWER(npages, pages->asked);
  size_t kept = 0;
  for (size_t i = 0; i < pages->nthere && pages->there[i].first < npages; i++) {
    struct pages_run run = pages->there[i];
    size_t n = MIN(run.end, npages) - run.first;
    fill(pages->bytes + run.first * size, n * size, kept < CACHED_PAGES);
    kept += n;
  }
  pages->filled += kept;
  return npages;
}

void pages_clear(struct pages *pages, size_t used) {
  size_t size = (size_t)sysconf(_SC_PAGESIZE), npages = (used + size - 1) / size, kept = 0;
  if (++pages->clears >= KEPT_CLEARS && pages->filled >= FILLED_PAGES) {
    pages->clears = 0;
    pages->filled = pages->asked = 0;
  } else {
    kept = zero_and_keep(pages, npages, size);
  }
  if (kept < npages) {
    give_back(pages, kept * size, pages->nbytes);
  }
}

void pages_fini(struct pages *pages, size_t used) {
  static unsigned oldest;
  struct pages released = *pages;
  if (used <= SPARE_BYTES) {
    struct pages *spare = &spares[oldest++ % SPARES];
    if (pages->shows_file) {
      pages_show(pages, -1, 0);
    }
    pages_clear(pages, used);
    released = *spare;
    *spare = *pages;
  }
  if (released.bytes) {
    munmap(released.bytes, released.nbytes);
    free(released.there);
  }
}

void pages_show(struct pages *pages, int file, size_t period) {
  int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
  for (size_t at = 0, n; at < pages->nbytes; at += n) {
    n = file < 0 || pages->nbytes - at < period ? pages->nbytes - at : period;
    if (mmap(pages->bytes + at, n, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) {
      xalloc_fail("pages of a file");
    }
  }
  madvise(pages->bytes, pages->nbytes, MADV_NOHUGEPAGE);
  pages->shows_file = file >= 0;
  pages->asked = 0;
}

void pages_renew(struct pages *pages) {
  give_back(pages, 0, pages->nbytes);
}

/* Return the kernel's map of the pages of this process. -1: there is none. */
static int map_of_process(void) {
  static int map = -1;
  static pid_t owner;
  pid_t process = getpid();
  if (owner != process) { /* a map that was opened before fork is of the parent */
    if (map >= 0) {
      close(map);
    }
    owner = process;
    map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  }
  return map;
}

/* Tell whether ENTRY of the kernel's map of pages is of a page that has been written: the page is in memory
 * or in swap space, and not of a file. */
static bool is_written(uint64_t entry) {
  const uint64_t present = UINT64_C(1) << 63, swapped = UINT64_C(1) << 62, of_file = UINT64_C(1) << 61;
  return (entry & (present | swapped)) && !(entry & of_file);
}

void pages_written(const struct pages *pages, size_t first, size_t npages, bool written[]) {
  uint64_t entries[CHUNK_PAGES];
  first += (uintptr_t)pages->bytes / (size_t)sysconf(_SC_PAGESIZE);
  int map = map_of_process();
  for (size_t i = 0, n; i < npages; i += n) {
    n = MIN(npages - i, CHUNK_PAGES);
    ssize_t nbytes = (ssize_t)(n * sizeof *entries);
    bool known =
      map >= 0 && pread(map, entries, (size_t)nbytes, (off_t)((first + i) * sizeof *entries)) == nbytes;
    for (size_t k = 0; k < n; k++) {
      written[i + k] = !known || is_written(entries[k]);
    }
  }
}
