/* SPDX-License-Identifier: BSD-3-Clause
 * Large blocks: zero again after any writes, and the memory used afterwards. */
#include "sim/base/pages.h"
#include "tests/suite.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static struct pages pages;
static size_t page; /* bytes of a page */

/* Return how many bytes of `pages` take room. */
static size_t resident(void) {
  static unsigned char touched[65536];
  size_t npages = (pages.nbytes + page - 1) / page, count = 0;
  ck_assert_uint_le(npages, sizeof touched);
  ck_assert_int_eq(mincore(pages.bytes, pages.nbytes, touched), 0);
  for (size_t i = 0; i < npages; i++) {
    count += (touched[i] & 1) * page;
  }
  return count;
}

static void check_zero(void) {
  ck_assert_uint_eq(pages.bytes[0], 0);
  ck_assert_mem_eq(pages.bytes, pages.bytes + 1, pages.nbytes - 1);
}

static void start(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
}

static void stop(void) {
  pages_fini(&pages, pages.nbytes);
}

TESTS(pages, .start = start, .stop = stop);

/* The last page is not a whole page. */
TEST(all_is_zero_again) {
  pages_init(&pages, 3 * MIB + 100, "a test");
  check_zero();
  for (size_t round = 0; round < 140; round++) {
    size_t used = round % 4 == 3 ? pages.nbytes : round % 4 * (MIB + 33);
    for (size_t i = 0; i < used; i += 5000) {
      pages.bytes[i] = 1;
    }
    pages.bytes[used ? used - 1 : 0] = 1;
    pages_clear(&pages, used ? used : 1);
    check_zero();
  }
}

/* Tell whether all is zero after a clear, with written page NUMBER. */
static bool is_cleared(size_t number) {
  pages_clear(&pages, pages.nbytes);
  return pages.bytes[number * page] == 0;
}

/* A page touched between two clears is zero after the second clear, written by the process, by the kernel for
 * the process, or by a child. */
TEST(what_is_touched_later_is_zero_again) {
  int file = memfd_create("a test", MFD_CLOEXEC), status;
  ck_assert_int_eq(pwrite(file, "x", 1, 0), 1);
  pages_init(&pages, MIB, "a test");
  for (size_t number = 0; number < 100; number += 2) {
    ck_assert(is_cleared(number));
    pages.bytes[number * page] = 1;
    ck_assert(is_cleared(number) && is_cleared(number));
    ck_assert_int_eq(pread(file, pages.bytes + (number + 1) * page, 1, 0), 1);
    ck_assert(is_cleared(number + 1));
  }
  pid_t child = fork();
  if (child == 0) {
    bool right = is_cleared(100);
    pages.bytes[200 * page] = 1;
    _exit(right && is_cleared(200) ? 0 : 1);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  close(file);
}

/* Touch further pages until this process has had N page faults. */
static void fault_until(long n) {
  struct rusage usage;
  char *room = mmap(NULL, 4096 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t touched = 0;
  for (getrusage(RUSAGE_SELF, &usage); usage.ru_minflt + usage.ru_majflt < n && touched < 4096; touched++) {
    room[touched * page] = 1;
    getrusage(RUSAGE_SELF, &usage);
  }
  munmap(room, 4096 * page);
}

/* A child that has had as many page faults as its parent had does not take over what the parent knew. A few
 * faults come from the test itself: one of the children is right at the number. */
TEST(a_child_counts_faults_of_its_own) {
  int status;
  pages_init(&pages, MIB, "a test");
  fault_until(600);
  ck_assert(is_cleared(0) && is_cleared(0));
  for (long early = 0; early < 32; early++) {
    pid_t child = fork();
    if (child == 0) {
      pages.bytes[200 * page] = 1;
      fault_until(pages.faults - early);
      _exit(is_cleared(200) ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
  }
}

TEST(what_was_not_touched_takes_no_room) {
  pages_init(&pages, 200 * MIB, "a test");
  pages.bytes[0] = pages.bytes[150 * MIB] = 1;
  pages_clear(&pages, pages.nbytes);
  ck_assert_uint_le(resident(), 2 * page);
}

/* 68 of 200 MiB at most stay: the limit, and the addition of the last chunk before the limit. No page at all
 * stays for ever: 64 clears fill more than 65,536 pages. */
TEST(only_a_part_of_the_room_is_kept) {
  pages_init(&pages, 200 * MIB, "a test");
  memset(pages.bytes, 1, pages.nbytes);
  pages_clear(&pages, pages.nbytes);
  ck_assert_uint_le(resident(), 68 * MIB);
  size_t least = pages.nbytes;
  for (unsigned i = 0; i < 70; i++) {
    pages_clear(&pages, pages.nbytes);
    least = resident() < least ? resident() : least;
  }
  ck_assert_uint_eq(least, 0);
}

/* The room of a larger run stays while smaller runs follow. */
TEST(room_of_a_larger_run_is_kept) {
  pages_init(&pages, 3 * MIB, "a test");
  for (unsigned round = 0; round < 200; round++) {
    size_t used = round % 2 ? 100 : 2 * MIB;
    memset(pages.bytes, 1, used);
    pages_clear(&pages, used);
    ck_assert_uint_eq(resident(), 2 * MIB);
  }
  check_zero();
}

/* The next block of the same size takes the room of a released block; the block is zero, also if the released
 * block showed a file. A block of another size takes other room. */
TEST(released_room_is_taken_again) {
  int file = memfd_create("a test", MFD_CLOEXEC);
  ck_assert_int_eq(ftruncate(file, MIB), 0);
  ck_assert_int_eq(pwrite(file, "x", 1, MIB / 2 + 1), 1);
  for (unsigned round = 0; round < 10; round++) {
    pages_init(&pages, MIB, "a test");
    check_zero();
    pages_show(&pages, round % 3 == 2 ? file : -1, MIB);
    memset(pages.bytes, 1, MIB / 2);
    uint8_t *place = pages.bytes;
    pages_fini(&pages, MIB / 2);
    pages_init(&pages, 2 * MIB, "a test");
    ck_assert_ptr_ne(pages.bytes, place);
    pages_fini(&pages, 0);
    pages_init(&pages, MIB, "a test");
    ck_assert_ptr_eq(pages.bytes, place);
    ck_assert_uint_le(resident(), MIB / 2);
    check_zero();
    pages_fini(&pages, 0);
  }
  close(file);
  pages_init(&pages, MIB, "a test");
}

/* Three periods of a file of two pages, the last one cut short: each written page is told, and no other;
 * renewed, all is the file's. */
TEST(written_pages_of_a_file_are_told) {
  char *bytes = malloc(2 * page);
  int file = memfd_create("a test", MFD_CLOEXEC);
  for (size_t i = 0; i < 2 * page; i++) {
    bytes[i] = (char)(i / page * 31 + i % 251);
  }
  ck_assert_int_eq(write(file, bytes, 2 * page), (ssize_t)(2 * page));
  pages_init(&pages, 4 * page + 100, "a test");
  for (unsigned mask = 0; mask < 32; mask++) {
    pages_show(&pages, file, 2 * page);
    pages.bytes[4 * page + 50]++; /* an earlier run's write is forgotten */
    pages_renew(&pages);
    ck_assert_mem_eq(pages.bytes, bytes, 2 * page); /* pages already read */
    for (size_t i = 0; i < 5; i++) {
      if (mask >> i & 1) {
        pages.bytes[i * page + 2 * mask]++;
      }
    }
    bool written[5];
    pages_written(&pages, 0, 5, written);
    for (size_t i = 0; i < 5; i++) {
      ck_assert_msg(written[i] == (mask >> i & 1), "page %zu of mask %u", i, mask);
    }
    pages_renew(&pages);
    ck_assert_mem_eq(pages.bytes, bytes, 2 * page);
    ck_assert_mem_eq(pages.bytes + 2 * page, bytes, 2 * page);
    ck_assert_mem_eq(pages.bytes + 4 * page, bytes, 100);
    pages_show(&pages, -1, 0);
    check_zero();
  }
  close(file);
  free(bytes);
}

/* Tell whether, of two pages, the pages of MASK, and no others, are reported as written. */
static bool written_are(unsigned mask) {
  bool written[2];
  pages_written(&pages, 0, 2, written);
  return written[0] == (mask & 1) && written[1] == mask >> 1;
}

/* Show a file of zeros in two pages.
 * returns: the file. */
static int show_two_pages(void) {
  int file = memfd_create("a test", MFD_CLOEXEC);
  ck_assert_int_eq(ftruncate(file, (off_t)(2 * page)), 0);
  pages_init(&pages, 2 * page, "a test");
  pages_show(&pages, file, 2 * page);
  return file;
}

/* A second question is answered with the pages written in between, by the process or by the kernel for the
 * process, and with the renewed pages. */
TEST(pages_that_are_written_later_are_told) {
  int file = show_two_pages();
  for (unsigned i = 0; i < 3; i++) {
    ck_assert(written_are(0) && written_are(0));
    pages.bytes[page]++;
    ck_assert(written_are(2) && written_are(2));
    ck_assert_int_eq(pread(file, pages.bytes, 1, 0), 1);
    ck_assert(written_are(3));
    pages_renew(&pages);
    ck_assert(written_are(0));
    pages.bytes[0]++;
    ck_assert(written_are(1));
    pages_show(&pages, file, 2 * page);
  }
  close(file);
}

/* A child gets its own pages as answer, also if the parent has asked before. */
TEST(a_child_is_told_of_its_own_pages) {
  int file = show_two_pages(), status;
  ck_assert(written_are(0));
  pid_t child = fork();
  if (child == 0) {
    bool right = written_are(0);
    pages.bytes[page]++;
    _exit(right && written_are(2) ? 0 : 1);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  ck_assert(written_are(0));
  close(file);
}
