/* SPDX-License-Identifier: BSD-3-Clause
 * See record_pictures.h: the tables of a view, from the record of a blade and from an observer of deliveries
 * and atomic commands. */
#include "traces/pictures/record_pictures.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "traces/path/path.h"
#include "traces/record/record.h"

#include <stdlib.h>
#include <string.h>

/* --- the observer --- */

static int64_t spe_or_nobody(unsigned spe) {
  return spe == PROBE_NOBODY || spe == RECORD_NOBODY ? -1 : (int64_t)spe;
}

/* Return the row of the atomic command NAME under way; its third number is minus the number of the
 * command. */
static int64_t *find_atomic(const struct view_watch *watch, const struct probe_atomic *name) {
  const struct view_rows *rows = &watch->seen.rows[VIEW_ATOMICS];
  unsigned columns = view_columns(&watch->seen, VIEW_ATOMICS);
  int64_t *row = &rows->cells[columns * (rows->n - 1)];
  while (row[1] != name->spe || row[2] != -(int64_t)name->number) {
    row -= columns;
  }
  return row;
}

static void see_traffic(struct probe *probe, const struct probe_event *event) {
  struct view_watch *watch = (struct view_watch *)probe;
  if (event->kind == PROBE_DELIVER) {
    const struct probe_request *request = &event->deliver.request;
    view_add(&watch->seen, VIEW_DELIVERIES,
             (int64_t[]){(int64_t)event->cycle, spe_or_nobody(event->deliver.peer), request->spe,
                         (int64_t)request->command, request->nbytes});
  } else if (event->kind == PROBE_ATOMIC_ENQUEUE) {
    const struct probe_atomic *atomic = &event->atomic_enqueue.atomic;
    view_add(&watch->seen, VIEW_ATOMICS,
             (int64_t[]){(int64_t)event->atomic_enqueue.at, atomic->spe, -(int64_t)atomic->number,
                         strcmp(atomic->what, "getllar") == 0, -1});
  } else if (event->kind == PROBE_ATOMIC_EFFECT) {
    const struct probe_atomic_effect *effect = &event->atomic_effect;
    find_atomic(watch, &effect->atomic)[4] =
      spe_or_nobody(effect->is_local ? effect->atomic.spe : effect->keeper);
  } else if (event->kind == PROBE_ATOMIC_COMPLETE) {
    int64_t *row = find_atomic(watch, &event->atomic_complete.atomic);
    row[2] = (int64_t)event->cycle - row[0];
  }
}

void view_watch_init(struct view_watch *watch) {
  *watch = (struct view_watch){.probe = {.see = see_traffic, .details = true}};
}

void view_watch_fini(struct view_watch *watch) {
  free(watch->seen.rows[VIEW_DELIVERIES].cells);
  free(watch->seen.rows[VIEW_ATOMICS].cells);
}

/* --- tables --- */

/* Return AT as a cycle of the call of RECORD. */
static int64_t since_begin(const struct record *record, uint64_t at) {
  return (int64_t)at - (int64_t)record->begin;
}

/* Return the number in views of the program on SPE, or on the PPE of CHIP. */
static int64_t number_of(unsigned spe, unsigned chip) {
  return spe != RECORD_NOBODY ? spe : -1 - (int64_t)chip;
}

static void add_watched(struct view_call *call, const struct record *record, const struct view_watch *watch) {
  static const enum view_table tables[] = {VIEW_DELIVERIES, VIEW_ATOMICS};
  VEC_EACH(table, tables, 2) {
    const struct view_rows *rows = &watch->seen.rows[*table];
    for (size_t j = 0; j < rows->n; j++) {
      int64_t *row = &rows->cells[j * view_columns(call, *table)];
      bool is_over = *table != VIEW_ATOMICS || row[2] > 0;
      row[0] -= (int64_t)record->begin;
      if (row[0] >= 0 && is_over) {
        view_add(call, *table, row);
      }
    }
  }
}

static void add_service(struct view_call *call, const struct record *record, unsigned server,
                        const struct record_service *service) {
  struct record_server place = record_server(record, server);
  int64_t at = since_begin(record, service->at), chip = place.chip, other = place.other;
  switch (place.kind) {
  case RECORD_RAMP:
    view_add(call, VIEW_GRANTS, (int64_t[]){at, chip, service->ring, other, service->to});
    break;
  case RECORD_LINK:
    view_add(call, VIEW_CROSSINGS, (int64_t[]){at, chip, other});
    break;
  case RECORD_MEMORY:
    view_add(call, VIEW_MEMORY, (int64_t[]){at, chip, service->to});
    break;
  }
}

static void add_services(struct view_call *call, const struct record *record) {
  for (unsigned server = 0; server < record->nservers; server++) {
    VEC_EACH(service, record->logs[server].services, record->logs[server].n) {
      if (service->at >= record->begin) {
        add_service(call, record, server, service);
      }
    }
  }
}

/* --- names of steps --- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Keep the names of the steps of RECORD in CALL, each once, and NULL behind them. */
static void add_steps(struct view_call *call, const struct record *record) {
  size_t n = 0;
  VEC_EACH(program, record->programs, record->nprograms) {
    VEC_EACH(step, program->steps, program->nsteps) {
      VEC_ADD(call->steps, n) = step->name;
    }
  }
  if (n) {
    qsort(call->steps, n, sizeof *call->steps, by_name);
  }
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || strcmp(call->steps[i], call->steps[call->nsteps - 1]) != 0) {
      call->steps[call->nsteps++] = call->steps[i];
    }
  }
  VEC_ADD(call->steps, n) = NULL;
  call->steps[call->nsteps] = NULL;
}

/* Return the number of the name STEP in CALL. */
static int64_t number_step(const struct view_call *call, const char *step) {
  const char **found = step ? bsearch(&step, call->steps, call->nsteps, sizeof *call->steps, by_name) : NULL;
  return found ? found - call->steps : -1;
}

static void add_commands(struct view_call *call, const struct record *record) {
  for (unsigned spe = 0; spe < record->parameters.nspes; spe++) {
    const struct record_dmas *dmas = &record->spes[spe].dmas;
    VEC_EACH(dma, dmas->dmas, dmas->n) {
      if (dma->enqueued < record->begin || dma->completed == RECORD_NEVER || dma->flags & RECORD_SYNC) {
        continue;
      }
      enum view_way way = dma->flags & RECORD_PUT ? VIEW_PUTS : VIEW_GETS;
      way = dma->flags & RECORD_NOTICE ? VIEW_NOTIFIES : way;
      view_add(call, VIEW_COMMANDS,
               (int64_t[]){since_begin(record, dma->enqueued), spe, (int64_t)dmas->first + (dma - dmas->dmas),
                           (int64_t)(dma->completed - dma->enqueued), dma->nbytes, way,
                           spe_or_nobody(dma->peer),
                           number_step(call, record_step(&record->programs[dma->program], dma->enqueued))});
    }
  }
}

static enum view_state state_of(const struct record_interval *interval) {
  if (interval->activity == RECORD_COMPUTES) {
    return interval->what == COMPUTE_WORK ? VIEW_COMPUTES : VIEW_WORKS;
  }
  bool own = interval->what == PROBE_FOR_TAGS || interval->what == PROBE_FOR_QUEUE;
  return own ? VIEW_DMA : interval->what == PROBE_FOR_ATOMIC ? VIEW_ATOMIC : VIEW_WAITS;
}

static void add_programs(struct view_call *call, const struct record *record) {
  VEC_EACH(program, record->programs, record->nprograms) {
    if (!program->is_known || program->entered == RECORD_NEVER || program->calls != record->calls) {
      continue;
    }
    int64_t who = number_of(program->spe, program->chip);
    VEC_EACH(interval, program->intervals, program->nintervals) {
      uint64_t from = MAX(interval->from, program->entered);
      uint64_t to = MIN(interval->to, program->left);
      if (from < to) {
        view_add(call, VIEW_PROGRAMS,
                 (int64_t[]){since_begin(record, from), who, (int64_t)(to - from), state_of(interval)});
      }
    }
    for (size_t i = 0; i < program->nsteps; i++) {
      uint64_t from = program->steps[i].at, to;
      if (record_stay(program, i, &to)) {
        view_add(call, VIEW_STAYS,
                 (int64_t[]){since_begin(record, from), who, (int64_t)(to - from),
                             number_step(call, program->steps[i].name)});
      }
    }
    if (program->left != RECORD_NEVER) {
      int64_t left = since_begin(record, program->left);
      view_add(call, VIEW_PROGRAMS, (int64_t[]){left, who, (int64_t)call->cycles - left, VIEW_DONE});
    }
  }
}

/* Add PATH; neighbouring pieces with the same contents are one row. */
static void add_path(struct view_call *call, const struct path *path) {
  enum { SAME = 2 /* the first column to compare */ };
  struct view_rows *rows = &call->rows[VIEW_PATH];
  unsigned columns = view_columns(call, VIEW_PATH);
  VEC_EACH(segment, path->segments, path->nsegments) {
    const struct path_part *part = &path->parts[segment->part];
    int64_t length = (int64_t)(segment->to - segment->from);
    const int64_t row[VIEW_COLUMNS_MAX] = {(int64_t)(segment->from - path->begin),
                                           length,
                                           number_of(part->spe, part->chip),
                                           part->kind,
                                           part->number,
                                           segment->cause,
                                           spe_or_nobody(part->peer),
                                           part->nbytes,
                                           number_step(call, part->step)};
    int64_t *last = rows->n ? &rows->cells[columns * (rows->n - 1)] : NULL;
    if (last && memcmp(last + SAME, row + SAME, (columns - SAME) * sizeof *row) == 0) {
      last[1] += length;
    } else if (length > 0) {
      view_add(call, VIEW_PATH, row);
    }
  }
}

struct view_call *record_view(const struct record *record, const struct view_watch *watch,
                              const struct path *path) {
  struct view_call *call = xcalloc(1, sizeof *call);
  call->cycles = path->end - path->begin;
  add_steps(call, record);
  add_watched(call, record, watch);
  add_services(call, record);
  add_commands(call, record);
  add_programs(call, record);
  add_path(call, path);
  return call;
}

/* --- words --- */

const char *const *record_view_causes(void) {
  static const char *words[PATH_CAUSES + 1];
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    enum path_group group = path_causes[i].group;
    const char *text = path_causes[i].text;
    bool repeats = group != PATH_GROUP_OWN && group != PATH_GROUP_OTHERS && group != PATH_GROUP_TAKEN;
    words[i] = repeats ? text : text_keep(text_brief("%s, %s", path_groups[group].text, text));
  }
  return words;
}

const char *const *record_view_meanings(void) {
  static const char *words[PATH_CAUSES + 1];
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    words[i] = path_groups[path_causes[i].group].meaning;
  }
  return words;
}
