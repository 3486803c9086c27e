/* SPDX-License-Identifier: BSD-3-Clause
 * See record_pictures.h: lanes over time. The lanes of a node are made from the record of the node; messages,
 * links and the critical path lie over the lanes of all nodes. */
#include "traces/pictures/record_pictures.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "traces/path/path.h"
#include "traces/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BANDS_MAX = 4, /* of rings, links, memories, links of the network: the busiest */
  STEPS_MAX = 4096,
  STEPS_LEAST = 8, /* of the curves of DMA commands: of all, of each */
};

/* The lanes of a node being made. */
struct making {
  const struct record *record;
  struct timeline *timeline;
  unsigned *lane_of_spe; /* TIMELINE_NOBODY: no lane */
  size_t **bars;         /* [spe][DMA command since the first kept one]: index of the bar plus 1; 0: no bar */
};

/* Return AT as a cycle of the call. */
static uint64_t since_begin(const struct making *making, uint64_t at) {
  return at > making->record->begin ? at - making->record->begin : 0;
}

/* --- programs --- */

/* Tell whether PROGRAM took part in the last call. */
static bool takes_part(const struct record *record, const struct record_program *program) {
  bool latest = record->calls == 0 || program->calls == record->calls; /* 0: without ranks, on a host */
  return program->is_known && program->entered != RECORD_NEVER && latest;
}

/* Return the lane of program NUMBER in the lanes of RECORD; TIMELINE_NOBODY: no lane. */
static unsigned lane_of(const struct record *record, unsigned number) {
  const struct record_program *program = &record->programs[number];
  unsigned lane = 0;
  if (number >= record->nprograms || !takes_part(record, program)) {
    return TIMELINE_NOBODY;
  }
  for (unsigned i = 0; i < record->nprograms; i++) { /* by chip; programs on PPEs have the higher numbers */
    const struct record_program *other = &record->programs[i];
    lane += takes_part(record, other) &&
            (other->chip < program->chip || (other->chip == program->chip && i < number));
  }
  return lane;
}

static struct timeline_part part_of(const struct record_interval *interval) {
  static const char *const reasons[] = {
#define COMPUTE_REASON(id, cause, word, phrase) phrase,
#include "sim/hw/watch/compute_reason.def"
  };
  static const char *const subjects[] = {
#define PROBE_SUBJECT(id, word, phrase) phrase,
#include "sim/hw/watch/probe_subject.def"
  };
  struct timeline_part part = {.from = interval->from, .to = interval->to};
  if (interval->activity == RECORD_COMPUTES) {
    part.ink = interval->what == COMPUTE_COMBINE ? TIMELINE_COMBINES
               : interval->what == COMPUTE_WORK  ? TIMELINE_COMPUTES
                                                 : TIMELINE_SOFTWARE;
    part.what = reasons[interval->what];
  } else {
    bool own = interval->what == PROBE_FOR_TAGS || interval->what == PROBE_FOR_QUEUE ||
               interval->what == PROBE_FOR_ATOMIC;
    part.ink = own ? TIMELINE_OWN_DMA : TIMELINE_OTHERS;
    part.what = subjects[interval->what];
  }
  return part;
}

static void add_program(struct making *making, unsigned number) {
  const struct record_program *program = &making->record->programs[number];
  unsigned place = lane_of(making->record, number);
  struct timeline_lane *lane = &making->timeline->lanes[place];
  bool on_spe = program->spe != RECORD_NOBODY;
  lane->chip = program->chip;
  lane->nspes = on_spe;
  if (on_spe) {
    making->lane_of_spe[program->spe] = place;
  }
  snprintf(lane->name, sizeof lane->name, "%s", on_spe ? text_brief("SPE %u", program->spe) : program->name);
  if (program->rank != RECORD_NOBODY) {
    snprintf(lane->rank, sizeof lane->rank, "rank %u", program->rank);
    lane->left = since_begin(making, program->left);
  }
  VEC_EACH(interval, program->intervals, program->nintervals) {
    struct timeline_part part = part_of(interval);
    part.step = part.ink < TIMELINE_OWN_DMA ? record_step(program, part.from) : NULL;
    RAISE(part.from, program->entered);
    LOWER(part.to, program->left);
    if (part.from < part.to) {
      part.from = since_begin(making, part.from);
      part.to = since_begin(making, part.to);
      timeline_add_part(making->timeline, place, part);
    }
  }
}

/* --- DMA commands --- */

/* Tell whether a program gave DMA during the call. */
static bool belongs(const struct record *record, const struct record_dma *dma) {
  const struct record_program *program = &record->programs[dma->program];
  return takes_part(record, program) && dma->enqueued >= program->entered && dma->enqueued < program->left &&
         !(dma->flags & RECORD_SYNC);
}

/* Compare two pointers to DMA commands of one SPE by the first bytes leaving. */
static int by_start(const void *a, const void *b) {
  const struct record_dma *one = *(struct record_dma *const *)a, *other = *(struct record_dma *const *)b;
  return one->granted != other->granted ? (one->granted < other->granted ? -1 : 1)
                                        : (one > other) - (one < other);
}

/* Add the DMA commands of SPE: bars in the order of first bytes leaving. */
static void add_commands(struct making *making, unsigned spe) {
  const struct record_dmas *dmas = &making->record->spes[spe].dmas;
  unsigned lane = making->lane_of_spe[spe];
  size_t n = 0;
  SCOPED const struct record_dma **started = xcalloc(dmas->n + 1, sizeof *started);
  making->bars[spe] = xcalloc(dmas->n + 1, sizeof *making->bars[spe]);
  VEC_EACH(dma, dmas->dmas, dmas->n) {
    bool is_notice = dma->flags & RECORD_NOTICE;
    unsigned to = dma->peer == RECORD_NOBODY ? TIMELINE_NOBODY : making->lane_of_spe[dma->peer];
    if (!belongs(making->record, dma) || dma->delivered == RECORD_NEVER) {
      continue;
    }
    if (is_notice && to != TIMELINE_NOBODY) {
      timeline_add_line(making->timeline, &making->timeline->notes, &making->timeline->nnotes,
                        (struct timeline_line){lane, to, since_begin(making, dma->enqueued),
                                               since_begin(making, dma->delivered)});
    } else if (!is_notice && dma->granted != RECORD_NEVER) {
      started[n++] = dma;
    }
  }
  qsort(started, n, sizeof *started, by_start);
  VEC_EACH(start, started, n) {
    const struct record_dma *dma = *start;
    struct timeline_bar bar = {.from = since_begin(making, dma->granted),
                               .to = since_begin(making, dma->delivered),
                               .is_put = dma->flags & RECORD_PUT,
                               .nbytes = dma->nbytes,
                               .step = record_step(&making->record->programs[dma->program], dma->enqueued)};
    bool several = dma->flags & RECORD_SEVERAL, memory = dma->peer == RECORD_NOBODY;
    snprintf(bar.peer, sizeof bar.peer, several ? "several" : memory ? "memory" : "%u", dma->peer);
    making->bars[spe][dma - dmas->dmas] = timeline_add_bar(making->timeline, lane, &bar) + 1;
  }
}

/* --- rings, links, memories --- */

/* Return the bar of the DMA command of SERVICE; NULL: no bar. */
static struct timeline_bar *bar_of(const struct making *making, const struct record_service *service) {
  unsigned spe = service->spe;
  const struct record_dma *dma = record_dma(making->record, spe, service->command);
  size_t bar = dma && making->bars[spe] ? making->bars[spe][dma - making->record->spes[spe].dmas.dmas] : 0;
  return bar ? &making->timeline->lanes[making->lane_of_spe[spe]].bars[bar - 1] : NULL;
}

/* Add the services of server NUMBER to the bars of the DMAs served, and to BUSY. */
static void add_services(struct making *making, unsigned number, struct timeline_curve *busy) {
  const struct record *record = making->record;
  const struct parameters *parameters = &record->parameters;
  struct record_server server = record_server(record, number);
  bool is_ramp = server.kind == RECORD_RAMP;
  double places = parameters->nrings * parameters->ring.transfers_max;
  VEC_EACH(service, record->logs[number].services, record->logs[number].n) {
    double at = (double)service->at - (double)record->begin;
    double taken = (double)record_interval_mcyc(record, number, service) / 1000;
    double passing = is_ramp ? (double)record_ring_cycles(record, service) : taken;
    timeline_curve_add(making->timeline, busy,
                       (struct timeline_span){at, at + passing, is_ramp ? 1 / places : 1});
    struct timeline_bar *bar = bar_of(making, service);
    if (bar && is_ramp && server.other != parameters->bif_unit) {
      bar->ramp = number;
      timeline_curve_add(making->timeline, &bar->curve, (struct timeline_span){at, at + taken, 1});
    }
    if (bar && server.kind == RECORD_LINK) {
      bar->across = true;
    }
  }
}

/* Curves of all parts of the machine of one kind. */
struct group {
  enum record_server_kind kind;
  struct timeline_curve *curves;
  size_t n;
};

/* Name curve I of GROUP. */
static struct timeline_band name_band(const struct making *making, const struct group *group, size_t i) {
  const struct parameters *parameters = &making->record->parameters;
  struct timeline_band band = {.ink = group->kind == RECORD_LINK ? TIMELINE_ACROSS : TIMELINE_TAKEN,
                               .of = "busy"};
  if (group->kind == RECORD_RAMP) {
    snprintf(band.name, sizeof band.name, "rings %zu", i);
    snprintf(band.of, sizeof band.of, "of %u places", parameters->nrings * parameters->ring.transfers_max);
  } else if (group->kind == RECORD_MEMORY) {
    snprintf(band.name, sizeof band.name, "memory %zu", i);
  } else {
    snprintf(band.name, sizeof band.name, "link %zu\u2192%zu", i / parameters->nchips,
             i % parameters->nchips);
  }
  return band;
}

/* Add bands for the busiest curves of GROUP, in order, and release the others. */
static void add_bands(struct making *making, const struct group *group) {
  SCOPED double *means = xcalloc(group->n, sizeof *means);
  size_t nbusy = 0;
  for (size_t i = 0; i < group->n; i++) {
    means[i] = timeline_curve_mean(making->timeline, &group->curves[i]);
    nbusy += means[i] > 0;
  }
  for (size_t i = 0; i < group->n; i++) {
    size_t busier = 0;
    for (size_t j = 0; j < group->n; j++) {
      busier += means[j] > means[i] || (j < i && means[j] == means[i]);
    }
    if (means[i] > 0 && busier < BANDS_MAX) {
      struct timeline_band band = name_band(making, group, i);
      if (nbusy > BANDS_MAX) {
        size_t length = strlen(band.of);
        snprintf(band.of + length, sizeof band.of - length, ", of the busiest %d of %zu", BANDS_MAX, nbusy);
      }
      *timeline_add_band(making->timeline, &band) = group->curves[i];
    } else {
      free(group->curves[i].shares);
    }
  }
}

/* Add all services to the bars, and the bands of rings, links and memories. */
static void add_servers(struct making *making) {
  static const enum record_server_kind kinds[] = {RECORD_RAMP, RECORD_LINK, RECORD_MEMORY};
  const struct record *record = making->record;
  size_t nchips = record->parameters.nchips;
  VEC_EACH(kind, kinds, VEC_LENGTH(kinds)) {
    bool is_link = *kind == RECORD_LINK;
    struct group group = {.kind = *kind, .n = is_link ? nchips * nchips : nchips};
    group.curves = xcalloc(group.n, sizeof *group.curves);
    for (unsigned j = 0; j < record->nservers; j++) {
      struct record_server server = record_server(record, j);
      if (server.kind == group.kind) {
        add_services(making, j, &group.curves[is_link ? server.chip * nchips + server.other : server.chip]);
      }
    }
    add_bands(making, &group);
    free(group.curves);
  }
}

/* Smooth the curves of bars so that TIMELINE have about STEPS_MAX steps for any number of bars. */
static void smooth_bars(struct timeline *timeline) {
  size_t nbars = 0;
  VEC_EACH(lane, timeline->lanes, timeline->nlanes) {
    nbars += lane->nbars;
  }
  VEC_EACH(lane, timeline->lanes, timeline->nlanes) {
    VEC_EACH(bar, lane->bars, lane->nbars) {
      timeline_curve_smooth(&bar->curve, STEPS_MAX / nbars + STEPS_LEAST);
    }
  }
}

/* Return the lanes of the last call of RECORD; curves get bins of BIN cycles.
 * owner: the caller, with timeline_free. */
static struct timeline *make_lanes(const struct record *record, uint64_t bin) {
  unsigned nspes = record->parameters.nspes, nlanes = 0;
  VEC_EACH(program, record->programs, record->nprograms) {
    nlanes += takes_part(record, program);
  }
  struct making making = {.record = record,
                          .timeline = timeline_new(nlanes, record->end - record->begin, bin),
                          .lane_of_spe = xcalloc(nspes, sizeof *making.lane_of_spe),
                          .bars = xcalloc(nspes, sizeof *making.bars)};
  VEC_EACH(lane, making.lane_of_spe, nspes) {
    *lane = TIMELINE_NOBODY;
  }
  for (unsigned i = 0; i < record->nprograms; i++) {
    if (takes_part(record, &record->programs[i])) {
      add_program(&making, i);
    }
  }
  for (unsigned i = 0; i < nspes; i++) {
    if (making.lane_of_spe[i] != TIMELINE_NOBODY) {
      add_commands(&making, i);
    }
  }
  add_servers(&making);
  smooth_bars(making.timeline);
  xfree_all(making.bars, nspes);
  free(making.lane_of_spe);
  return making.timeline;
}

/* The lanes of all nodes. */
struct whole {
  const struct path_records *records;
  const struct path *path;
  unsigned *first; /* per node: the first lane */
  struct timeline *timeline;
};

/* --- nodes --- */

/* Complete the name of LANE, of a process of a host, named by the rank so far: add the process number if
 * different from the rank, since bars and paths have process numbers, and the host if NAMES has a name for
 * the host. */
static void name_process(struct timeline_lane *lane, const struct node_names *names) {
  const char *host = node_host(names, lane->node);
  bool is_same = strcmp(lane->name, text_brief("rank %u", lane->node)) == 0;
  size_t used = strlen(lane->name);
  snprintf(lane->name + used, sizeof lane->name - used, "%s%s%s",
           is_same ? "" : text_brief(" (process %u)", lane->node), host ? " on " : "", host ? host : "");
}

/* Append the lanes of NODE. */
static void add_node(struct whole *whole, unsigned node) {
  struct record view = *whole->records->nodes[node]; /* a copy with the same contents and another time */
  view.begin = whole->path->begin;
  view.end = whole->path->end;
  size_t before = whole->timeline->nlanes;
  timeline_append(whole->timeline, make_lanes(&view, whole->timeline->bin), node);
  VEC_EACH(lane, whole->timeline->lanes + before, whole->timeline->nlanes - before) {
    VEC_EACH(bar, lane->bars, lane->nbars) {
      bar->ramp += node * view.nservers;
    }
    if (whole->records->names.processes) {
      name_process(lane, &whole->records->names);
    }
  }
}

/* Return the lane of the PPE of NODE, the sender of messages; TIMELINE_NOBODY: no lane. */
static unsigned lane_of_ppe(const struct whole *whole, unsigned node) {
  const struct timeline *timeline = whole->timeline;
  size_t lane = VEC_INDEX(timeline->lanes, timeline->nlanes, item->node == node && item->nspes == 0);
  return lane < timeline->nlanes ? (unsigned)lane : TIMELINE_NOBODY;
}

/* --- messages --- */

/* Add message NUMBER, from 1 on: a line and a bar. *PLACE becomes the bar's index plus 1; 0: no bar. */
static void add_message(struct whole *whole, size_t number, size_t *place) {
  const struct net_record_message *message = &whole->records->net->messages[number - 1];
  const struct path *path = whole->path;
  unsigned from = lane_of_ppe(whole, message->from), to = lane_of_ppe(whole, message->to);
  if (from == TIMELINE_NOBODY || to == TIMELINE_NOBODY || message->told == RECORD_NEVER ||
      message->sent < path->begin || message->sent >= path->end) {
    return;
  }
  timeline_add_line(
    whole->timeline, &whole->timeline->notes, &whole->timeline->nnotes,
    (struct timeline_line){from, to, message->sent - path->begin, message->told - path->begin});
  struct timeline_bar bar = {
    .from = message->sent - path->begin,
    .to = message->arrived - path->begin,
    .across = true,
    .nbytes = message->nbytes,
    .step = record_step(&whole->records->nodes[message->from]->programs[0], message->sent)};
  struct node_names names = whole->records->names;
  names.hosts = NULL; /* a bar is too short for names of hosts */
  snprintf(bar.peer, sizeof bar.peer, "%.24s", node_name(&names, message->to));
  bar.is_put = !message->asks;
  *place = timeline_add_bar(whole->timeline, from, &bar) + 1;
}

static void add_messages(struct whole *whole) {
  const struct net_record *net = whole->records->net;
  SCOPED size_t *places = xcalloc(net->nmessages + 1, sizeof *places);
  for (size_t i = 0; i < net->nmessages; i++) {
    add_message(whole, i + 1, &places[i]);
  }
  VEC_EACH(step, net->steps, net->nsteps) {
    size_t place = step->kind == PROBE_PACKET ? places[step->message - 1] : 0;
    if (place && step->flags & NET_RECORD_FIRST && !(step->flags & NET_RECORD_ANSWER)) {
      unsigned lane = lane_of_ppe(whole, net->messages[step->message - 1].from);
      struct timeline_bar *bar = &whole->timeline->lanes[lane].bars[place - 1];
      double begin = (double)whole->path->begin;
      bar->ramp = whole->records->n * whole->records->nodes[0]->nservers + step->server;
      timeline_curve_add(whole->timeline, &bar->curve,
                         (struct timeline_span){(double)step->begin - begin, (double)step->end - begin, 1});
    }
  }
}

/* --- links --- */

static void add_links(struct whole *whole) {
  const struct net_record *net = whole->records->net;
  SCOPED uint64_t *busy = xcalloc(net->nservers + 1, sizeof *busy);
  VEC_EACH(step, net->steps, net->nsteps) {
    if (step->kind == PROBE_PACKET && step->end > whole->path->begin && step->begin < whole->path->end) {
      busy[step->server] += step->end - step->begin;
    }
  }
  for (unsigned n = 0; n < BANDS_MAX; n++) {
    uint32_t chosen = 0; /* the busiest server */
    for (uint32_t i = 1; i < net->nservers; i++) {
      chosen = busy[i] > busy[chosen] ? i : chosen;
    }
    if (busy[chosen] == 0) {
      break;
    }
    busy[chosen] = 0;
    struct timeline_band band = {.ink = TIMELINE_ACROSS, .of = "busy"};
    snprintf(band.name, sizeof band.name, "%.40s", net->servers[chosen].name);
    struct timeline_curve *curve = timeline_add_band(whole->timeline, &band);
    VEC_EACH(step, net->steps, net->nsteps) {
      if (step->kind == PROBE_PACKET && step->server == chosen) {
        double from = (double)step->begin - (double)whole->path->begin;
        timeline_curve_add(whole->timeline, curve,
                           (struct timeline_span){from, from + (double)(step->end - step->begin), 1});
      }
    }
  }
}

/* --- the critical path --- */

/* Return the lane of the program (and MFC) on SPE of NODE, or of the program on the PPE of CHIP;
 * TIMELINE_NOBODY: no lane. */
static unsigned lane_of_spe(const struct whole *whole, unsigned node, unsigned spe, unsigned chip) {
  const struct record *record = whole->records->nodes[node];
  size_t program =
    VEC_INDEX(record->programs, record->nprograms,
              item->is_known && item->spe == spe && (spe != RECORD_NOBODY || item->chip == chip));
  unsigned lane = lane_of(record, (unsigned)program);
  return lane == TIMELINE_NOBODY ? TIMELINE_NOBODY : whole->first[node] + lane;
}

/* Tell whether part NUMBER of the path, a notification, ends at the receiver: the next part is there. The
 * sender may have waited instead until the notification had left. */
static bool is_received(const struct whole *whole, size_t number) {
  const struct path *path = whole->path;
  const struct path_part *part = &path->parts[number];
  const struct record *record = whole->records->nodes[part->node];
  if (part->kind != PATH_NOTIFICATION || part->peer == RECORD_NOBODY) {
    return false;
  }
  if (number + 1 < path->nparts) {
    return path->parts[number + 1].spe == part->peer;
  }
  return !VEC_FIND(record->programs, record->nprograms,
                   item->is_known && item->spe == part->spe && item->left == path->end);
}

static void add_part(const struct whole *whole, size_t number) {
  const struct path *path = whole->path;
  const struct path_part *part = &path->parts[number];
  unsigned from = lane_of_spe(whole, part->node, part->spe, part->chip), to = from;
  if (part->kind == PATH_MESSAGE && !part->is_answered) {
    to = lane_of_spe(whole, part->peer, RECORD_NOBODY, 0);
  } else if (is_received(whole, number)) {
    to = lane_of_spe(whole, part->node, part->peer, 0);
  }
  from = from == TIMELINE_NOBODY ? to : from;
  to = to == TIMELINE_NOBODY ? from : to;
  if (from != TIMELINE_NOBODY) {
    timeline_add_line(whole->timeline, &whole->timeline->path, &whole->timeline->npath,
                      (struct timeline_line){from, to, part->from - path->begin, part->to - path->begin});
  }
}

/* Add the stays in the calls of an application. */
static void add_stays(const struct whole *whole) {
  for (unsigned node = 0; node < whole->records->n; node++) {
    const struct record *record = whole->records->nodes[node];
    for (unsigned i = 0; i < record->nprograms; i++) {
      const struct record_program *program = &record->programs[i];
      unsigned lane = program->nsteps ? lane_of(record, i) : TIMELINE_NOBODY;
      for (size_t j = 0; j < program->nsteps && lane != TIMELINE_NOBODY; j++) {
        uint64_t begin = whole->path->begin, to;
        if (record_stay(program, j, &to)) {
          timeline_add_stay(whole->timeline,
                            (struct timeline_stay){program->steps[j].name, whole->first[node] + lane,
                                                   program->steps[j].at - begin, to - begin});
        }
      }
    }
  }
}

static void add_causes(struct timeline *timeline, const struct path *path) {
  static const enum timeline_ink inks[] = {
#define PATH_WORD(id, text, meaning, helps, ink) TIMELINE_##ink,
#include "traces/path/path_cause.def"
  };
  uint64_t cycles[PATH_GROUPS];
  path_sum_groups(path->totals, cycles);
  for (enum path_group group = 0; group < PATH_GROUPS; group++) {
    if (cycles[group]) {
      VEC_ADD(timeline->causes, timeline->ncauses) =
        (struct timeline_cause){path_groups[group].text, inks[group], cycles[group]};
    }
  }
}

struct timeline *record_timeline(const struct path_records *records, const struct path *path) {
  uint64_t length = path->end - path->begin, bin = timeline_svg_bin(length);
  SCOPED unsigned *first = xcalloc(records->n, sizeof *first);
  struct timeline *timeline =
    records->net ? timeline_new(0, length, bin) : make_lanes(records->nodes[0], bin);
  struct whole whole = {records, path, first, timeline};
  if (records->net) {
    timeline->names = records->names;
    for (unsigned i = 0; i < records->n; i++) {
      first[i] = (unsigned)timeline->nlanes;
      add_node(&whole, i);
    }
    add_messages(&whole);
    add_links(&whole);
  }
  for (size_t i = 0; i < path->nparts; i++) {
    add_part(&whole, i);
  }
  add_stays(&whole);
  VEC_EACH(segment, path->segments, path->nsegments) {
    if (path_causes[segment->cause].group == PATH_GROUP_OTHERS || segment->cause == PATH_NET_TAKEN) {
      timeline_add_line(timeline, &timeline->behind, &timeline->nbehind,
                        (struct timeline_line){0, 0, segment->from - path->begin, segment->to - path->begin});
    }
  }
  add_causes(timeline, path);
  return timeline;
}

/* --- blockers --- */

enum { PLACES_NAMED = 3, WHO_NAMED = 3 }; /* places in a sentence; blockers at each place */

/* The least share of the path of a named place. */
#define NAMED_SHARE 0.01

char *path_timeline_say(const struct path_records *records, const struct path *path) {
  char *text = xstrdup("");
  size_t nplaces = 0, who = 0;
  struct path_blockers blockers = path_blockers(path, records);
  double least = NAMED_SHARE * (double)(path->end - path->begin);
  for (size_t i = 0; i < blockers.n && (double)blockers.rows[i].place_cycles >= least; i++) {
    const struct path_blockers_row *row = &blockers.rows[i];
    bool first = i == 0 || row[-1].server != row->server || row[-1].node != row->node;
    bool last = i + 1 == blockers.n || row[1].server != row->server || row[1].node != row->node;
    nplaces += first;
    who = first ? 1 : who + 1;
    if (nplaces > PLACES_NAMED) {
      xappend(&text, ", and elsewhere");
      break;
    }
    xappend(&text, first ? "%son %s for " : "", i > 0 ? ", " : "", row->where);
    if (who <= WHO_NAMED) {
      xappend(&text, "%s%s (%s)",
              first  ? ""
              : last ? " and "
                     : ", ",
              row->own                    ? "other commands of the same SPE"
              : row->spe == RECORD_NOBODY ? "others"
                                          : path_blockers_name(row, &records->names),
              timeline_number(row->cycles));
    } else if (who == WHO_NAMED + 1) {
      xappend(&text, " and others");
    }
  }
  free(blockers.rows);
  return text;
}
