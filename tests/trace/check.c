/* SPDX-License-Identifier: BSD-3-Clause
 * usage: check FILE.json. Says what is wrong with a trace for viewers: slices of one track that do not nest,
 * flows without a beginning, an end or a slice around one, tracks without a name, lines that are not in the
 * order of their time (of a slice that is its end, of a flow its end). Exits with 1 if something is. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An event; times are cycles. */
struct event {
  char phase; /* as in the file */
  int64_t track;
  int64_t from, to;
  int64_t id; /* of a flow */
};

static struct event *events;
static size_t nevents;
static unsigned nwrong;

static void __attribute__((format(printf, 1, 2))) complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (nwrong++ < 10) {
    vprintf(format, arguments);
    putchar('\n');
  }
  va_end(arguments);
}

/* Return the cycle that OBJECT has under KEY. */
static int64_t cycle(const json_t *object, const char *key) {
  return llround(1000 * json_number_value(json_object_get(object, key)));
}

static int64_t whole(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

static struct event read_event(const json_t *object) {
  struct event event = {.phase = json_string_value(json_object_get(object, "ph"))[0],
                        .track = whole(object, "pid") * 10000000 + whole(object, "tid"),
                        .from = cycle(object, "ts"),
                        .id = whole(object, "id")};
  event.to = event.from + cycle(object, "dur");
  return event;
}

/* Compare by track; on one slices come before others, outer ones before inner ones. */
static int compare(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  int64_t keys[][2] = {
    {x->track, y->track}, {x->phase == 'M', y->phase == 'M'}, {x->from, y->from}, {y->to, x->to}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (keys[i][0] != keys[i][1]) {
      return keys[i][0] < keys[i][1] ? -1 : 1;
    }
  }
  return 0;
}

/* Compare the numbers of flows. */
static int compare_numbers(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Check that no two of N flows, whose NUMBERS become sorted, have the same one. */
static void check_numbers(int64_t numbers[], size_t n) {
  qsort(numbers, n, sizeof *numbers, compare_numbers);
  for (size_t i = 1; i < n; i++) {
    if (numbers[i] == numbers[i - 1]) {
      complain("two flows are number %lld", (long long)numbers[i]);
    }
  }
}

/* Check that times ascend and that flows are complete: the beginning of each comes right before its end. */
static void check_order(void) {
  int64_t latest = 0, *numbers = calloc(nevents + 1, sizeof *numbers);
  size_t nflows = 0;
  for (size_t i = 0; i < nevents; i++) {
    const struct event *e = &events[i];
    bool begins = e->phase == 's';
    if (e->phase != 'M' && !begins && e->to < latest) {
      complain("event %zu ends at %lld, the one before it at %lld", i, (long long)e->to, (long long)latest);
    }
    latest = e->phase == 'M' || begins ? latest : e->to;
    if (begins && (i + 1 == nevents || events[i + 1].phase != 'f' || events[i + 1].id != e->id ||
                   events[i + 1].from < e->from)) {
      complain("flow %lld has no end", (long long)e->id);
    }
    if (begins) {
      numbers[nflows++] = e->id;
    }
    if (e->phase == 'f' && (i == 0 || events[i - 1].phase != 's')) {
      complain("flow %lld has no beginning", (long long)e->id);
    }
  }
  check_numbers(numbers, nflows);
  free(numbers);
}

/* Check that slices nest, and that each end of a flow is in a slice of its track. EVENTS are sorted. */
static void check_tracks(void) {
  struct event open[64];
  size_t depth = 0, nslices = 0;
  for (size_t i = 0; i < nevents; i++) {
    const struct event *e = &events[i];
    bool is_slice = e->phase == 'X', is_flow = e->phase == 's' || e->phase == 'f';
    while (depth > 0 && (open[depth - 1].track != e->track || open[depth - 1].to < e->from ||
                         (is_slice && open[depth - 1].to == e->from && e->to > e->from))) {
      depth--;
    }
    if (is_slice && depth > 0 && e->to > open[depth - 1].to) {
      complain("slices of track %lld overlap: %lld to %lld, %lld to %lld", (long long)e->track,
               (long long)open[depth - 1].from, (long long)open[depth - 1].to, (long long)e->from,
               (long long)e->to);
    } else if (is_slice && depth < sizeof open / sizeof *open) {
      open[depth++] = *e;
    }
    if (is_flow && depth == 0) {
      complain("flow %lld touches no slice at %lld", (long long)e->id, (long long)e->from);
    }
    nslices += is_slice;
  }
  if (nslices == 0) {
    complain("no slices");
  }
}

/* Check that each track with slices has a name. EVENTS are sorted. */
static void check_names(void) {
  for (size_t i = 0; i < nevents; i++) {
    bool named = false;
    size_t first = i;
    for (; i + 1 < nevents && events[i + 1].track == events[first].track; i++) {
      named |= events[i].phase == 'M';
    }
    named |= events[i].phase == 'M';
    if (!named && events[first].phase == 'X') {
      complain("track %lld has no name", (long long)events[first].track);
    }
  }
}

int main(int argc, char **argv) {
  json_error_t error;
  json_t *root = argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
  json_t *list = json_object_get(root, "traceEvents"), *object;
  size_t i;
  if (!json_is_array(list) || !json_is_object(json_object_get(root, "otherData"))) {
    printf("no trace: %s\n", root ? "no events" : error.text);
    return 1;
  }
  events = calloc(json_array_size(list), sizeof *events);
  json_array_foreach(list, i, object) {
    events[nevents++] = read_event(object);
  }
  check_order();
  qsort(events, nevents, sizeof *events, compare);
  check_tracks();
  check_names();
  free(events);
  json_decref(root);
  return nwrong > 0;
}
