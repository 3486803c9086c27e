/* SPDX-License-Identifier: BSD-3-Clause
 * Where a call lies in the local store of a rank, at the same addresses on every rank: what the platform
 * reserves for code and stack; the notification arrays; the buffer and the input (unless they are in main
 * memory); the scratch of the algorithm. Each begins on a 128-byte line, and behind each is a guard. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct coll_group;

enum { CALL_MAP_GUARD = 64 /* bytes behind each of them, at least, that nobody may touch */ };

/* Return the bytes of local store that a call of GROUP takes from ls_base on. */
size_t call_map_bytes(const struct coll_group *group);

/* Return the local store addresses of buffer, in and scratch in such a call. */
uint32_t call_map_buffer(const struct coll_group *group);
size_t call_map_in(const struct coll_group *group);
size_t call_map_scratch(const struct coll_group *group);

/* Return ADDRESS, or the next one that is on a 128-byte line. */
size_t call_map_line(size_t address);
