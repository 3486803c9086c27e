/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of text that are written in the order of their cycles, whatever the order in which they become
 * known. */
#pragma once

#include "sim/base/node_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the name of a node before a line, with what follows it. */
enum { TIMELINE_NODE_SIZE = NODE_NAME_SIZE + 2 };

struct timeline_line {
  uint64_t at, number; /* its cycle; among all, so that those of a cycle stay in order */
  char *text;
};

/* A heap, the next line first. */
struct timeline_lines {
  FILE *stream;
  struct node_names names; /* of the nodes, if there are several */
  uint64_t margin; /* no line comes that is so many cycles or more before the cycle of timeline_lines_reach */
  struct timeline_line *heap;
  size_t n, room;
  uint64_t nkept;
};

/* Keep TEXT, a line of cycle AT, which becomes that of LINES. */
void timeline_lines_keep(struct timeline_lines *lines, uint64_t at, char *text);

/* Write all lines that no other one can come before, now that CYCLE has been reached; UINT64_MAX: all. */
void timeline_lines_reach(struct timeline_lines *lines, uint64_t cycle);

/* Write all and release what LINES holds. */
void timeline_lines_fini(struct timeline_lines *lines);
