/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of text, kept and written in the order of cycles, in whatever order the lines come. */
#pragma once

#include "sim/base/node_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the name of a node before a line, with the blanks behind the name. */
enum { TIMELINE_NODE_SIZE = NODE_NAME_SIZE + 2 };

struct timeline_line {
  uint64_t at, number; /* the line's cycle; running number, to keep lines of one cycle in order */
  char *text;
};

/* A heap, the next line first. */
struct timeline_lines {
  FILE *stream;
  struct node_names names; /* of the nodes, if there are several */
  uint64_t margin; /* every new line is less than MARGIN cycles before the cycle of timeline_lines_reach */
  struct timeline_line *heap;
  size_t n, room;
  uint64_t nkept;
};

/* Keep TEXT, a line of cycle AT.
 * owner: LINES. */
void timeline_lines_keep(struct timeline_lines *lines, uint64_t at, char *text);

/* Write, at CYCLE, all lines before which no new line can come; UINT64_MAX: all lines. */
void timeline_lines_reach(struct timeline_lines *lines, uint64_t cycle);

/* Write all lines and release the contents of LINES. */
void timeline_lines_fini(struct timeline_lines *lines);
