/* SPDX-License-Identifier: BSD-3-Clause
 * The lanes of a recorded call on several nodes: messages, and links of the network. */
#include "traces/timeline/record_timeline.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "traces/record/net_record.h"
#include "traces/path/path.h"

#include <stdio.h>
#include <string.h>

enum { BANDS_MAX = 4 }; /* of links: the busiest */

/* The lanes being made. */
struct making {
  const struct path_records *records;
  const struct path *path;
  const unsigned *first;
  struct timeline *timeline;
};

/* --- nodes --- */

/* Complete the name of LANE, of a process of a host, named by the rank so far: add the process number if
 * different from the rank, since bars and paths have process numbers, and the host if NAMES has a name for
 * the host. */
static void name_process(struct timeline_lane *lane, const struct node_names *names) {
  const char *host = node_host(names, lane->node);
  if (strcmp(lane->name, text_brief("rank %u", lane->node)) != 0) {
    size_t used = strlen(lane->name);
    snprintf(lane->name + used, sizeof lane->name - used, " (process %u)", lane->node);
  }
  if (host) {
    size_t used = strlen(lane->name);
    snprintf(lane->name + used, sizeof lane->name - used, " on %s", host);
  }
}

/* Append the lanes of NODE. */
static void add_node(struct making *making, unsigned node) {
  struct record view = *making->records->nodes[node]; /* a copy with the same contents and another time */
  view.begin = making->path->begin;
  view.end = making->path->end;
  size_t before = making->timeline->nlanes;
  timeline_append(making->timeline, record_timeline(&view, making->timeline->bin), node);
  for (size_t i = before; i < making->timeline->nlanes; i++) {
    struct timeline_lane *lane = &making->timeline->lanes[i];
    for (size_t j = 0; j < lane->nbars; j++) {
      lane->bars[j].ramp += node * view.nservers;
    }
    if (making->records->names.processes) {
      name_process(lane, &making->records->names);
    }
  }
}

/* Return the lane of the PPE of NODE that sends messages; TIMELINE_NOBODY: no lane. */
static unsigned lane_of_ppe(const struct making *making, unsigned node) {
  unsigned found = TIMELINE_NOBODY;
  for (size_t i = making->first[node]; i < making->timeline->nlanes && found == TIMELINE_NOBODY; i++) {
    const struct timeline_lane *lane = &making->timeline->lanes[i];
    found = lane->node == node && lane->nspes == 0 ? (unsigned)i : TIMELINE_NOBODY;
  }
  return found;
}

/* --- messages --- */

/* Add message NUMBER, from 1 on: a line and a bar. *PLACE becomes the bar's index plus 1; 0: no bar. */
static void add_message(struct making *making, size_t number, size_t *place) {
  const struct net_record_message *message = &making->records->net->messages[number - 1];
  const struct path *path = making->path;
  unsigned from = lane_of_ppe(making, message->from), to = lane_of_ppe(making, message->to);
  if (from == TIMELINE_NOBODY || to == TIMELINE_NOBODY || message->told == RECORD_NEVER ||
      message->sent < path->begin || message->sent >= path->end) {
    return;
  }
  timeline_add_note(making->timeline, (struct timeline_line){from, to, message->sent - path->begin,
                                                             message->told - path->begin});
  struct timeline_bar bar = {
    .from = message->sent - path->begin,
    .to = message->arrived - path->begin,
    .across = true,
    .nbytes = message->nbytes,
    .step = record_step(&making->records->nodes[message->from]->programs[0], message->sent)};
  struct node_names names = making->records->names;
  names.hosts = NULL; /* a bar is too short for names of hosts */
  snprintf(bar.peer, sizeof bar.peer, "%.24s", node_name(&names, message->to));
  bar.is_put = !message->asks;
  *place = timeline_add_bar(making->timeline, from, &bar) + 1;
}

/* Add the bytes served by STEP to BAR. */
static void add_step(struct making *making, struct timeline_bar *bar, const struct net_record_step *step) {
  double begin = (double)making->path->begin;
  bar->ramp = making->records->n * making->records->nodes[0]->nservers + step->server;
  timeline_curve_add(making->timeline, &bar->curve,
                     (struct timeline_span){(double)step->begin - begin, (double)step->end - begin, 1});
}

static void add_messages(struct making *making) {
  const struct net_record *net = making->records->net;
  SCOPED size_t *places = xcalloc(net->nmessages + 1, sizeof *places);
  for (size_t i = 0; i < net->nmessages; i++) {
    add_message(making, i + 1, &places[i]);
  }
  VEC_EACH(step, net->steps, net->nsteps) {
    size_t place = step->kind == PROBE_PACKET ? places[step->message - 1] : 0;
    if (place && step->flags & NET_RECORD_FIRST && !(step->flags & NET_RECORD_ANSWER)) {
      unsigned lane = lane_of_ppe(making, net->messages[step->message - 1].from);
      add_step(making, &making->timeline->lanes[lane].bars[place - 1], step);
    }
  }
}

/* --- links --- */

/* Return the busiest server of the network. */
static uint32_t busiest(const struct net_record *net, const uint64_t *busy) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < net->nservers; i++) {
    best = busy[i] > busy[best] ? i : best;
  }
  return best;
}

static void add_links(struct making *making) {
  const struct net_record *net = making->records->net;
  SCOPED uint64_t *busy = xcalloc(net->nservers + 1, sizeof *busy);
  VEC_EACH(step, net->steps, net->nsteps) {
    if (step->kind == PROBE_PACKET && step->end > making->path->begin && step->begin < making->path->end) {
      busy[step->server] += step->end - step->begin;
    }
  }
  for (unsigned n = 0; n < BANDS_MAX; n++) {
    uint32_t chosen = busiest(net, busy);
    if (busy[chosen] == 0) {
      break;
    }
    busy[chosen] = 0;
    struct timeline_band band = {.ink = TIMELINE_ACROSS, .of = "busy"};
    snprintf(band.name, sizeof band.name, "%.40s", net->servers[chosen].name);
    struct timeline_curve *curve = timeline_add_band(making->timeline, &band);
    VEC_EACH(step, net->steps, net->nsteps) {
      if (step->kind == PROBE_PACKET && step->server == chosen) {
        double from = (double)step->begin - (double)making->path->begin;
        timeline_curve_add(making->timeline, curve,
                           (struct timeline_span){from, from + (double)(step->end - step->begin), 1});
      }
    }
  }
}

struct timeline *record_timeline_nodes(const struct path_records *records, const struct path *path,
                                       uint64_t bin, unsigned first[]) {
  struct making making = {.records = records,
                          .path = path,
                          .first = first,
                          .timeline = timeline_new(0, path->end - path->begin, bin)};
  making.timeline->names = records->names;
  for (unsigned i = 0; i < records->n; i++) {
    first[i] = (unsigned)making.timeline->nlanes;
    add_node(&making, i);
  }
  add_messages(&making);
  add_links(&making);
  return making.timeline;
}
