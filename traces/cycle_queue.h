/* SPDX-License-Identifier: BSD-3-Clause
 * Items, and lines of text, in the order of their cycles, whatever the order in which the items are added. */
#pragma once

#include "sim/base/network/node_name.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cycle_item {
  uint64_t at, number; /* cycle; index among all items, so that items of one cycle stay in order */
  void *what;
};

/* A heap, the next item first. Starts as zero; the owner frees `heap`. */
struct cycle_queue {
  struct cycle_item *heap;
  size_t n;
  uint64_t nadded;
};

/* Add WHAT, which is due at cycle AT, to QUEUE. */
void cycle_queue_add(struct cycle_queue *queue, uint64_t at, void *what);

/* Take the next item that is due at CYCLE or before out of QUEUE.
 * returns: the item; NULL if there is none. */
void *cycle_queue_take(struct cycle_queue *queue, uint64_t cycle);

/* Lines of text on their way to a stream; the queue owns the texts. */
struct cycle_lines {
  FILE *stream;
  struct node_names names; /* of the nodes, if there are several */
  uint64_t margin;         /* no line comes so many cycles or more behind the cycle of cycle_lines_reach */
  struct cycle_queue queue;
};

/* Write all lines before which no other line can come, now that CYCLE has been reached; UINT64_MAX: all
 * lines. */
void cycle_lines_reach(struct cycle_lines *lines, uint64_t cycle);

/* Write all lines and release what LINES holds. */
void cycle_lines_fini(struct cycle_lines *lines);
