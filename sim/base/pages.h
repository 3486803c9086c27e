/* SPDX-License-Identifier: BSD-3-Clause
 * A large block of bytes that takes room only where it has been touched. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pages {
  uint8_t *bytes;
  size_t nbytes;
  bool shows_file; /* see pages_show */
  /* known of the first ASKED pages since PROCESS had FAULTS page faults: */
  struct pages_run *there; /* the pages in memory, ascending */
  size_t nthere, asked;
  long faults;
  pid_t process;
  /* since all room was given back: */
  unsigned clears;
  size_t filled; /* number of pages filled with zeros, a page as often as the page was filled */
};

/* Make PAGES NBYTES of zeros; NAME is for the message if there is no room.
 * owner: the caller, with pages_fini. */
void pages_init(struct pages *pages, size_t nbytes, const char *name);

/* Release PAGES, of which at most the first USED bytes have been written since the last clear. */
void pages_fini(struct pages *pages, size_t used);

/* Make PAGES zero again, of which at most the first USED bytes have been written since the last clear. Of the
 * room a part is kept. */
void pages_clear(struct pages *pages, size_t used);

/* Let PAGES hold the first PERIOD bytes of FILE, whole pages, again and again; FILE -1: zeros, as at
 * first. */
void pages_show(struct pages *pages, int file, size_t period);

/* Forget what has been written to PAGES since pages_show. */
void pages_renew(struct pages *pages);

/* Tell for each of NPAGES pages of PAGES, from page FIRST on, whether the page may have been written since
 * pages_show or pages_renew: a page whose entry of WRITTEN is false has not been.
 * units: pages of sysconf(_SC_PAGESIZE) bytes. */
void pages_written(const struct pages *pages, size_t first, size_t npages, bool written[]);
