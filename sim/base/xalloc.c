/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/xalloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*tell_of)(void); /* NULL: print */

void xalloc_tell_by(void (*tell)(void)) {
  tell_of = tell;
}

void xalloc_fail(const char *what) {
  if (tell_of) {
    tell_of();
  } else {
    fprintf(stderr, "cellcoll: no more memory%s%s\n", *what ? " for " : "", what);
  }
  _exit(XALLOC_EXIT);
}

static void *checked(void *block) {
  if (!block) {
    xalloc_fail("");
  }
  return block;
}

void *xcalloc(size_t count, size_t size) {
  return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xalloc_lines(size_t count, size_t size) {
  void *block = NULL;
  size_t nbytes = count * size;
  return checked(posix_memalign(&block, 64, nbytes ? nbytes : 1) == 0 ? block : NULL);
}

void *xcalloc_lines(size_t count, size_t size) {
  return memset(xalloc_lines(count, size), 0, count * size);
}

void *xrealloc(void *block, size_t count, size_t size) {
  return checked(count && size > SIZE_MAX / count ? NULL : realloc(block, count && size ? count * size : 1));
}

void xfree_all(void *blocks, size_t n) {
  void *block;
  for (size_t i = 0; i < n; i++) {
    memcpy(&block, (const char *)blocks + i * sizeof block, sizeof block);
    free(block);
  }
  free(blocks);
}

void xfree_scoped(void *pointer) {
  void *block;
  memcpy(&block, pointer, sizeof block);
  free(block);
}

char *xstrdup(const char *text) {
  return checked(strdup(text));
}

char *xvasprintf(const char *format, va_list arguments) {
  char *text = NULL;
  return checked(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

char *xasprintf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = xvasprintf(format, arguments);
  va_end(arguments);
  return text;
}

void xappend(char **text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *more = xvasprintf(format, arguments);
  va_end(arguments);
  size_t used = *text ? strlen(*text) : 0, n = strlen(more) + 1;
  *text = xrealloc(*text, used + n, 1);
  memcpy(*text + used, more, n);
  free(more);
}
