/* SPDX-License-Identifier: BSD-3-Clause
 * Allocation that cannot fail: where there is no more memory, the program ends with a message. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* The exit code of a process that finds no more memory. */
enum { XALLOC_EXIT = 5 };

/* Print that there is no more memory for WHAT, which may be empty, and end this process with XALLOC_EXIT. */
void xalloc_fail(const char *what) __attribute__((noreturn));

/* From now on xalloc_fail calls TELL instead of printing. */
void xalloc_tell_by(void (*tell)(void));

/* Allocate COUNT elements of SIZE bytes, zeroed.
 * owner: the caller, who frees it with free(). */
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* The same, beginning on a cache line of 64 bytes.
 * owner: the caller. */
void *xcalloc_lines(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* The same, not initialised: pages without an access take no memory.
 * owner: the caller. */
void *xalloc_lines(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* Resize BLOCK to COUNT elements of SIZE bytes; new bytes are not initialised.
 * owner: the caller. */
void *xrealloc(void *block, size_t count, size_t size) __attribute__((returns_nonnull));

/* Release BLOCKS, an array of N pointers, and what the pointers point to. */
void xfree_all(void *blocks, size_t n);

/* A local pointer declared SCOPED owns its block, if not NULL, until the end of the scope. */
#define SCOPED __attribute__((cleanup(xfree_scoped)))
void xfree_scoped(void *pointer);

/* Copy TEXT.
 * owner: the caller. */
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));

/* Format a new string.
 * owner: the caller. */
char *xasprintf(const char *format, ...) __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list arguments)
  __attribute__((malloc, returns_nonnull, format(printf, 1, 0)));

/* Append formatted text to *TEXT, which moves; NULL is an empty text.
 * owner: the caller, of *TEXT. */
void xappend(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
