/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/run_points.h"

#include "algos/schedule/links/loaded.h"
#include "algos/schedule/workload/workload_run.h"
#include "cli/session.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/call/usual_ranks.h"
#include "validate/model/tune.h"

#include <string.h>

/* The sizes of a command line without sizes. */
static const struct units_list default_bytes = UNITS_OF(1024);

int run_points_map(struct session *session, struct point *point) {
  const char *rows;
  bool asks = workload_map_word(point->call.map, &rows) != WORKLOAD_MAP_ROWS;
  if (opts_maps(point->call.map) > 1) {
    return session_refuse(session, CLI_USAGE, "--map: several maps, expected one");
  }
  if (asks && session->opts.shard.parts) {
    return session_refuse(session, CLI_USAGE, "--map fastest with --shard, expected one of them");
  }
  int status = tune_map(&session->ledger, point, session->opts.quiet ? NULL : sweep_complain, session->err);
  return status == 0 ? CLI_DONE : sweep_lost(&session->ledger);
}

int run_points_add(struct session *session, struct points *points, struct machine *machine,
                   const struct algorithm *algorithm, unsigned most) {
  const struct opts *opts = &session->opts;
  const struct algo *algo = algorithm->algo;
  const struct platform *platform = machine_platform(machine);
  const struct units_list *bytes = usual_sizes(algo->collective, &opts->bytes, &default_bytes);
  const struct units_list all = UNITS_OF(algo->ranks ? algo->ranks
                                         : most      ? most
                                                     : placement_most(algorithm, platform));
  const struct units_list *ranks = opts->ranks.n ? &opts->ranks : &all;
  const struct loaded *loaded = algo->kind && !(opts->given & OPT_ROOT) ? loaded_of(algo) : NULL;
  struct point point = {
    .machine = machine,
    .call = {.algorithm = *algorithm,
             .root = usual_root(algo->collective, loaded ? loaded_root(loaded) : opts->root),
             .placement = opts->placement,
             .seed = opts->seed,
             .profile = sweep_profile(platform, algorithm, session->err)}};
  struct call *call = &point.call;
  opts_call_fields(opts, call);
  if (!call->profile) {
    return *session->err->text ? CLI_INPUT : CLI_DONE;
  }
  SCOPED char *maps = call->map ? xstrdup(call->map) : NULL;
  char *rest = maps;
  int code;
  do {
    const char *map = strsep(&rest, "|");
    call->map = map && *map ? text_keep(map) : NULL;
    code = call->map ? run_points_map(session, &point) : CLI_DONE;
    for (size_t i = 0; i < ranks->n && code == CLI_DONE; i++) {
      const struct units_list one = {.values = &ranks->values[i], .n = 1};
      call->skew_seed = opts->skew.has_seed ? opts->skew.seed : call->seed;
      for (size_t seed = 0; seed < opts_skew_seeds(&opts->skew); seed++, call->skew_seed++) {
        points_add_grid(points, &point, &one, bytes);
      }
    }
  } while (rest && code == CLI_DONE);
  return code;
}

int run_points_list(struct session *session, struct points *points) {
  int code = CLI_DONE;
  VEC_EACH(algorithm, session->calls.items, session->calls.n) {
    for (size_t i = 0; i < session->machines.n && code == CLI_DONE; i++) {
      code = run_points_add(session, points, machines_get(&session->machines, i), algorithm, 0);
    }
  }
  return code;
}

int run_single(struct session *session, const char *limit, size_t n) {
  const struct {
    size_t n;
    const char *what;
  } lists[] = {{session->calls.n, "algorithms"},
               {session->machines.n, "machines (--platform, --set)"},
               {session->opts.ranks.n, "numbers of ranks (--ranks)"},
               {session->opts.bytes.n, "sizes (--bytes)"},
               {opts_maps(session->opts.call.map), "maps (--map)"},
               {opts_skew_seeds(&session->opts.skew), "seeds (--skew)"}};
  SCOPED char *text = NULL;
  if (n <= 1) {
    return CLI_DONE;
  }
  VEC_EACH(list, lists, VEC_LENGTH(lists)) {
    if (list->n > 1) {
      xappend(&text, "%s%zu %s", text ? ", " : "", list->n, list->what);
    }
  }
  return session_refuse(session, CLI_USAGE, "%s; leave out all but one of the %s", limit, text);
}

int run_pair(struct session *session, const char *limit, size_t n) {
  const struct sweep_calls *calls = &session->calls;
  if (n != 2 || calls->n != 2) {
    return run_single(session, limit, n);
  }
  return calls->items[0].algo->collective == calls->items[1].algo->collective
           ? CLI_DONE
           : session_refuse(session, CLI_USAGE, "%s; leave out one of the two collectives", limit);
}
