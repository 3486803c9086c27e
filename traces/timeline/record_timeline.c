/* SPDX-License-Identifier: BSD-3-Clause */
#include "traces/timeline/record_timeline.h"

#include "sim/base/vec.h"
#include "traces/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BANDS_MAX = 4, /* of each kind: the busiest */
  STEPS_MAX = 4096,
  STEPS_LEAST = 8, /* of the curves of DMA commands: of all, of each */
};

/* The lanes being made. */
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

unsigned record_lane(const struct record *record, unsigned number) {
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
  static const char *const reasons[COMPUTE_REASONS] = {[COMPUTE_SEND] = "prepares a notification",
                                                       [COMPUTE_RECEIVE] = "notices a notification",
                                                       [COMPUTE_DMA] = "prepares a DMA",
                                                       [COMPUTE_TAG] = "notices the end of its DMA",
                                                       [COMPUTE_STEP] = "keeps the books",
                                                       [COMPUTE_ISSUE] = "gives a command to its MFC",
                                                       [COMPUTE_CHANNEL] = "reads a channel",
                                                       [COMPUTE_MMIO] = "reaches a register of an SPE",
                                                       [COMPUTE_COPY] = "copies bytes"};
  static const char *const subjects[] = {
    [PROBE_FOR_FLAG] = "waits for a notification",   [PROBE_FOR_TAGS] = "waits for its DMA",
    [PROBE_FOR_QUEUE] = "waits for room in a queue", [PROBE_FOR_SIGNAL] = "waits for a signal",
    [PROBE_FOR_MAILBOX] = "waits for a mailbox",     [PROBE_FOR_ATOMIC] = "waits for an atomic command",
    [PROBE_FOR_PROGRAM] = "waits for a program",     [PROBE_FOR_EVENT] = "waits for an event",
    [PROBE_FOR_MEMORY] = "waits for main memory",    [PROBE_FOR_MESSAGE] = "waits for a message"};
  struct timeline_part part = {.from = interval->from, .to = interval->to};
  if (interval->activity == RECORD_COMPUTES) {
    part.ink = interval->what == COMPUTE_COMBINE ? TIMELINE_COMBINES : TIMELINE_SOFTWARE;
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
  unsigned place = record_lane(making->record, number);
  struct timeline_lane *lane = &making->timeline->lanes[place];
  bool on_spe = program->spe != RECORD_NOBODY;
  lane->chip = program->chip;
  lane->nspes = on_spe;
  if (on_spe) {
    making->lane_of_spe[program->spe] = place;
    snprintf(lane->name, sizeof lane->name, "SPE %u", program->spe);
  } else {
    snprintf(lane->name, sizeof lane->name, "%s", program->name);
  }
  if (program->rank != RECORD_NOBODY) {
    snprintf(lane->rank, sizeof lane->rank, "rank %u", program->rank);
    lane->left = since_begin(making, program->left);
  }
  for (size_t i = 0; i < program->nintervals; i++) {
    struct timeline_part part = part_of(&program->intervals[i]);
    part.step = part.ink < TIMELINE_OWN_DMA ? record_step(program, part.from) : NULL;
    part.from = part.from > program->entered ? part.from : program->entered;
    part.to = part.to < program->left ? part.to : program->left;
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

/* Add the bar of DMA, command INDEX of the kept commands of SPE. */
static void add_bar(struct making *making, unsigned spe, size_t index) {
  const struct record_dma *dma = &making->record->dmas[spe].dmas[index];
  struct timeline_bar bar = {.from = since_begin(making, dma->granted),
                             .to = since_begin(making, dma->delivered),
                             .is_put = dma->flags & RECORD_PUT,
                             .nbytes = dma->nbytes,
                             .step = record_step(&making->record->programs[dma->program], dma->enqueued)};
  snprintf(bar.peer, sizeof bar.peer,
           dma->flags & RECORD_SEVERAL  ? "several"
           : dma->peer == RECORD_NOBODY ? "memory"
                                        : "%u",
           dma->peer);
  making->bars[spe][index] = timeline_add_bar(making->timeline, making->lane_of_spe[spe], &bar) + 1;
}

static void add_note(struct making *making, unsigned spe, const struct record_dma *dma) {
  unsigned to = dma->peer == RECORD_NOBODY ? TIMELINE_NOBODY : making->lane_of_spe[dma->peer];
  if (to != TIMELINE_NOBODY && dma->delivered != RECORD_NEVER) {
    timeline_add_note(making->timeline,
                      (struct timeline_line){making->lane_of_spe[spe], to, since_begin(making, dma->enqueued),
                                             since_begin(making, dma->delivered)});
  }
}

/* Compare two indices of the DMA commands CONTEXT by the first bytes leaving. */
static int by_start(const void *a, const void *b, void *context) {
  const struct record_dma *dmas = context;
  size_t one = *(const size_t *)a, two = *(const size_t *)b;
  return dmas[one].granted != dmas[two].granted ? (dmas[one].granted < dmas[two].granted ? -1 : 1)
                                                : (one > two) - (one < two);
}

/* Add the DMA commands of SPE: bars in the order of first bytes leaving. */
static void add_commands(struct making *making, unsigned spe) {
  const struct record_dmas *dmas = &making->record->dmas[spe];
  size_t n = 0;
  SCOPED size_t *started = xcalloc(dmas->n + 1, sizeof *started); /* indices */
  making->bars[spe] = xcalloc(dmas->n + 1, sizeof *making->bars[spe]);
  for (size_t i = 0; i < dmas->n; i++) {
    const struct record_dma *dma = &dmas->dmas[i];
    if (!belongs(making->record, dma)) {
      continue;
    }
    if (dma->flags & RECORD_NOTICE) {
      add_note(making, spe, dma);
    } else if (dma->granted != RECORD_NEVER && dma->delivered != RECORD_NEVER) {
      started[n++] = i;
    }
  }
  qsort_r(started, n, sizeof *started, by_start, dmas->dmas);
  for (size_t i = 0; i < n; i++) {
    add_bar(making, spe, started[i]);
  }
}

/* --- rings, links, memories --- */

/* Return the bar of the DMA command of SERVICE; NULL: no bar. */
static struct timeline_bar *bar_of(const struct making *making, const struct record_service *service) {
  const struct record_dmas *dmas = &making->record->dmas[service->spe];
  size_t index = service->command - dmas->first;
  if (service->command < dmas->first || index >= dmas->n || !making->bars[service->spe] ||
      !making->bars[service->spe][index]) {
    return NULL;
  }
  struct timeline_lane *lane = &making->timeline->lanes[making->lane_of_spe[service->spe]];
  return &lane->bars[making->bars[service->spe][index] - 1];
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
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    bool is_link = kinds[i] == RECORD_LINK;
    struct group group = {.kind = kinds[i], .n = is_link ? nchips * nchips : nchips};
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
  for (size_t i = 0; i < timeline->nlanes; i++) {
    nbars += timeline->lanes[i].nbars;
  }
  for (size_t i = 0; i < timeline->nlanes; i++) {
    for (size_t j = 0; j < timeline->lanes[i].nbars; j++) {
      timeline_curve_smooth(&timeline->lanes[i].bars[j].curve, STEPS_MAX / nbars + STEPS_LEAST);
    }
  }
}

struct timeline *record_timeline(const struct record *record, uint64_t bin) {
  unsigned nspes = record->parameters.nspes, nlanes = 0;
  for (unsigned i = 0; i < record->nprograms; i++) {
    nlanes += takes_part(record, &record->programs[i]);
  }
  struct making making = {.record = record,
                          .timeline = timeline_new(nlanes, record->end - record->begin, bin),
                          .lane_of_spe = xcalloc(nspes, sizeof *making.lane_of_spe),
                          .bars = xcalloc(nspes, sizeof *making.bars)};
  for (unsigned i = 0; i < nspes; i++) {
    making.lane_of_spe[i] = TIMELINE_NOBODY;
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
