/* SPDX-License-Identifier: BSD-3-Clause
 * Where a call lies in the local store of a rank, at the same addresses on every rank: what the platform reserves for code
 * and stack; the notification arrays; the buffer and a guard, the input and a guard (unless they are in main memory); the
 * scratch of the algorithm. Each begins on a 128-byte line. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct coll_group;

enum { CALL_MAP_GUARD = 64 /* bytes behind a data buffer that nobody may touch */ };

/* Return the bytes of local store that a call of GROUP takes from ls_base on. */
size_t call_map_bytes(const struct coll_group *group);

/* Return the local store addresses of buffer, in and scratch in such a call. */
uint32_t call_map_buffer(const struct coll_group *group);
size_t call_map_in(const struct coll_group *group);
size_t call_map_scratch(const struct coll_group *group);
