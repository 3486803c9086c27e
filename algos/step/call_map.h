/* SPDX-License-Identifier: BSD-3-Clause
 * The regions of a call in the local store of a rank, at the same addresses on every rank: code and stack, as
 * reserved by the platform; the notification arrays; the buffer and the input (unless in main memory); the
 * scratch of the algorithm. Each region begins on a 128-byte line and is followed by a guard. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct coll_group;

enum { CALL_MAP_GUARD = 64 /* least number of bytes behind each region; no program may touch the guard */ };

/* Return the bytes of local store of a call of GROUP, from ls_base on. */
size_t call_map_bytes(const struct coll_group *group);

/* Return the local store addresses of buffer, in and scratch in such a call. */
uint32_t call_map_buffer(const struct coll_group *group);
size_t call_map_in(const struct coll_group *group);
size_t call_map_scratch(const struct coll_group *group);

/* Return ADDRESS, rounded up to a 128-byte line. */
size_t call_map_line(size_t address);
