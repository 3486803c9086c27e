/* SPDX-License-Identifier: BSD-3-Clause
 * Structures shared by the files of the recorder. */
#pragma once

#include "traces/record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bus request under way, or the record of a free window entry. */
struct record_flight {
  uint64_t free_at; /* the entry is free since then */
  uint32_t service; /* the latest one */
  uint16_t server;  /* RECORD_NOBODY: no service yet */
  uint16_t late;    /* see struct record_service */
  bool starts;
};

/* The command that has just woken a program. */
struct record_waker {
  uint64_t command;
  uint32_t service;
  uint16_t server, spe;
};

/* Polled bytes of a local store. */
struct record_polled {
  uint64_t ls;
  unsigned nbytes;
};

struct record_flags {
  struct record_polled *spans;
  size_t n, room;
};

/* A line was written by an atomic command. */
struct record_write {
  uint64_t ea, at;
  uint32_t number;
  uint16_t spe;
};

/* Add an element to the array of the pointer at ARRAY, with *N elements of SIZE bytes and room for *ROOM.
 * returns: the element, not initialised; NULL: RECORD would become too large and has forgotten all. */
void *record_add(struct record *record, void *array, size_t *n, size_t *room, size_t size);

/* Keep the event of one kind; EVENT is of that kind. */
typedef void record_handler(struct record *record, const struct probe_event *event);

/* DMA commands and bus requests */
record_handler record_see_enqueue, record_see_arrival, record_see_element, record_see_issue, record_see_grant,
  record_see_cross, record_see_memory, record_see_delivery, record_see_complete, record_see_resume;

/* atomic commands and polled bytes */
record_handler record_see_atomic_enqueue, record_see_effect, record_see_flags;
