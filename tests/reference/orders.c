/* SPDX-License-Identifier: BSD-3-Clause
 * See orders.h. A state is how far each program is, which commands have read their source and which have
 * written their target, and all bytes. Each thing that can happen next leads to another state; each state
 * is visited once. */
#include "tests/reference/orders.h"

#include "tests/suite.h"

enum { STATES_MAX = 1 << 19, TABLE = 4 * STATES_MAX };
enum progress { WAITING, HAS_READ, HAS_WRITTEN };

struct state {
  uint8_t at[ORDERS_SPES], commands[ORDERS_COMMANDS], carried[ORDERS_COMMANDS];
  struct orders_outcome bytes;
};

/* A command, and the commands that must have written before it begins. */
struct command {
  unsigned spe, index; /* of its step */
  const struct orders_step *step;
  uint32_t after;
};

/* An access to a place. */
struct access {
  unsigned place;
  bool writes;
  unsigned spe, index; /* of the step of the program */
  int command;         /* negative: the program's own */
};

enum { ACCESSES_MAX = ORDERS_SPES * ORDERS_STEPS + ORDERS_COMMANDS };

struct search {
  const struct orders_program *program;
  struct command commands[ORDERS_COMMANDS];
  struct access accesses[ACCESSES_MAX];
  unsigned naccesses;
  uint64_t before[ACCESSES_MAX]; /* a bit for each access that came later in some order */
  struct state *states;
  uint32_t *table; /* 1 + number of a state; 0: none */
  struct orders_found found;
};

static bool is_command(const struct orders_step *step) {
  return step->kind == ORDERS_PUT || step->kind == ORDERS_GET || step->kind == ORDERS_FLAG;
}

/* --- what the architecture orders --- */

/* Tell whether LATER, a command of the same SPE, begins after EARLIER has written. */
static bool is_ordered(const struct search *search, const struct command *earlier,
                       const struct command *later) {
  const struct orders_step *steps = search->program->steps[earlier->spe];
  for (unsigned i = earlier->index; i < later->index; i++) {
    if (steps[i].kind == ORDERS_BARRIER) {
      return true;
    }
  }
  return earlier->step->tag == later->step->tag &&
         (later->step->order != ORDERS_FREE || earlier->step->order == ORDERS_OF_TAG);
}

static void add_access(struct search *search, struct access access) {
  search->accesses[search->naccesses++] = access;
}

static void prepare(struct search *search) {
  const struct orders_program *program = search->program;
  for (unsigned s = 0; s < program->nspes; s++) {
    for (unsigned i = 0; i < program->nsteps[s]; i++) {
      const struct orders_step *step = &program->steps[s][i];
      if (is_command(step)) {
        search->commands[step->command] = (struct command){s, i, step, 0};
      }
      if (step->kind <= ORDERS_LOAD) {
        add_access(search, (struct access){step->from, step->kind == ORDERS_STORE, s, i, -1});
      } else if (step->kind <= ORDERS_GET) {
        add_access(search, (struct access){step->to, true, s, i, (int)step->command});
      }
      if (is_command(step) && step->from < ORDERS_PLACES) {
        add_access(search, (struct access){step->from, false, s, i, (int)step->command});
      }
    }
  }
  for (unsigned i = 0; i < program->ncommands; i++) {
    for (unsigned k = 0; k < program->ncommands; k++) {
      struct command *later = &search->commands[i];
      const struct command *earlier = &search->commands[k];
      bool here = earlier->spe == later->spe && earlier->index < later->index;
      later->after |= here && is_ordered(search, earlier, later) ? UINT32_C(1) << k : 0;
    }
  }
}

/* --- states --- */

/* Note STATE, unless it is known. */
static void visit(struct search *search, const struct state *state) {
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof *state; i++) {
    hash = (hash ^ ((const uint8_t *)state)[i]) * UINT64_C(0x100000001b3);
  }
  uint32_t *entry = &search->table[random_mix(hash) % TABLE];
  while (*entry && memcmp(&search->states[*entry - 1], state, sizeof *state) != 0) {
    entry = entry == search->table + TABLE - 1 ? search->table : entry + 1;
  }
  if (!*entry) {
    ck_assert_uint_lt(search->found.nstates, STATES_MAX);
    search->states[search->found.nstates++] = *state;
    *entry = (uint32_t)search->found.nstates;
  }
}

static uint32_t written(const struct state *state) {
  uint32_t mask = 0;
  for (unsigned i = 0; i < ORDERS_COMMANDS; i++) {
    mask |= state->commands[i] == HAS_WRITTEN ? UINT32_C(1) << i : 0;
  }
  return mask;
}

/* Let SPE take its next step in STATE, if there is one and it can. */
static void take_step(struct search *search, struct state state, unsigned spe) {
  const struct orders_program *program = search->program;
  const struct orders_step *step = &program->steps[spe][state.at[spe]];
  if (state.at[spe] == program->nsteps[spe]) {
    return;
  }
  bool can = true;
  if (step->kind == ORDERS_STORE) {
    state.bytes.places[step->from] = (uint8_t)step->value;
  } else if (step->kind == ORDERS_LOAD) {
    state.bytes.loads[step->value] = state.bytes.places[step->from];
  } else if (step->kind == ORDERS_AWAIT) {
    can = state.commands[step->command] == HAS_WRITTEN;
  }
  for (unsigned i = 0; step->kind == ORDERS_FINISH && i < program->ncommands; i++) {
    const struct command *command = &search->commands[i];
    bool waited =
      command->spe == spe && command->index < state.at[spe] && step->tag & 1U << command->step->tag;
    can &= !waited || state.commands[i] == HAS_WRITTEN;
  }
  if (can) {
    state.at[spe]++;
    visit(search, &state);
  }
}

/* Let command NUMBER read, or write, in STATE, if it can. */
static void move_command(struct search *search, struct state state, unsigned number) {
  const struct command *command = &search->commands[number];
  const struct orders_step *step = command->step;
  bool begun = state.at[command->spe] > command->index && !(command->after & ~written(&state));
  if (!begun || state.commands[number] == HAS_WRITTEN) {
    return;
  }
  if (state.commands[number] == WAITING && step->from < ORDERS_PLACES) {
    state.commands[number] = HAS_READ;
    state.carried[number] = step->kind == ORDERS_FLAG ? 0 : state.bytes.places[step->from];
  } else {
    state.commands[number] = HAS_WRITTEN;
    if (step->kind != ORDERS_FLAG) {
      state.bytes.places[step->to] = state.carried[number];
    }
    state.carried[number] = 0;
  }
  visit(search, &state);
}

/* Note which accesses STATE has behind it and which not. */
static void note_orders(struct search *search, const struct state *state) {
  uint64_t over = 0;
  for (unsigned i = 0; i < search->naccesses; i++) {
    const struct access *access = &search->accesses[i];
    bool done = access->command < 0
                  ? state->at[access->spe] > access->index
                  : state->commands[access->command] >= (access->writes ? HAS_WRITTEN : HAS_READ);
    over |= done ? UINT64_C(1) << i : 0;
  }
  for (unsigned i = 0; i < search->naccesses; i++) {
    search->before[i] |= over >> i & 1 ? ~over : 0;
  }
}

/* Note the outcome of STATE if everything is over there. */
static void note_outcome(struct search *search, const struct state *state) {
  const struct orders_program *program = search->program;
  struct orders_found *found = &search->found;
  bool over = written(state) == (UINT32_C(1) << program->ncommands) - 1;
  for (unsigned s = 0; s < program->nspes; s++) {
    over &= state->at[s] == program->nsteps[s];
  }
  for (size_t i = 0; i < found->noutcomes; i++) {
    over &= memcmp(&found->outcomes[i], &state->bytes, sizeof state->bytes) != 0;
  }
  if (over) {
    found->outcomes = xrealloc(found->outcomes, found->noutcomes + 1, sizeof *found->outcomes);
    found->outcomes[found->noutcomes++] = state->bytes;
  }
}

struct orders_found orders_try(const struct orders_program *program) {
  struct search search = {.program = program};
  struct state first;
  memset(&first, 0, sizeof first);
  for (unsigned i = 0; i < ORDERS_PLACES; i++) {
    first.bytes.places[i] = (uint8_t)(i + 1);
  }
  search.states = xcalloc(STATES_MAX, sizeof *search.states);
  search.table = xcalloc(TABLE, sizeof *search.table);
  prepare(&search);
  visit(&search, &first);
  for (size_t i = 0; i < search.found.nstates; i++) {
    const struct state state = search.states[i];
    note_orders(&search, &state);
    note_outcome(&search, &state);
    for (unsigned s = 0; s < program->nspes; s++) {
      take_step(&search, state, s);
    }
    for (unsigned c = 0; c < program->ncommands; c++) {
      move_command(&search, state, c);
    }
  }
  for (unsigned i = 0; i < search.naccesses; i++) {
    for (unsigned k = 0; k < i; k++) {
      const struct access *a = &search.accesses[i], *b = &search.accesses[k];
      search.found.both_ways |= a->place == b->place && (a->writes || b->writes) &&
                                search.before[i] >> k & 1 && search.before[k] >> i & 1;
    }
  }
  free(search.states);
  free(search.table);
  return search.found;
}

/* --- random programs --- */

/* What has been drawn of a program so far. */
struct drawing {
  struct orders_program program;
  uint32_t flags; /* not yet awaited */
  unsigned targets[ORDERS_COMMANDS];
  unsigned last_spe, last_place; /* of the last command: who gave it, what it has written */
};

static void append(struct drawing *drawing, unsigned spe, struct orders_step step) {
  drawing->program.steps[spe][drawing->program.nsteps[spe]++] = step;
}

/* Draw a command; half of the flags follow the last command. */
static void draw_command(struct drawing *drawing, struct dice *dice, enum orders_kind kind) {
  struct orders_program *program = &drawing->program;
  unsigned n = program->nspes, spe = (unsigned)dice_below(dice, n);
  if (kind == ORDERS_FLAG && dice_below(dice, 2)) {
    spe = drawing->last_spe;
  }
  unsigned peer = (spe + 1 + (unsigned)dice_below(dice, n - 1)) % n;
  unsigned own = 2 * spe + (unsigned)dice_below(dice, 2), far = 2 * peer + (unsigned)dice_below(dice, 2);
  struct orders_step step = {.kind = kind,
                             .from = kind == ORDERS_GET ? far : own,
                             .to = kind == ORDERS_GET ? own : far,
                             .command = program->ncommands++,
                             .tag = (unsigned)dice_below(dice, 2),
                             .order = dice_below(dice, 3)};
  if (kind == ORDERS_FLAG) {
    step.to = peer;
    step.from = dice_below(dice, 2) ? own : ORDERS_PLACES;
    drawing->targets[step.command] = peer;
    drawing->flags |= UINT32_C(1) << step.command;
  } else {
    drawing->last_place = step.to;
  }
  drawing->last_spe = spe;
  append(drawing, spe, step);
}

/* Draw an access of a program; half of them are to what the last command has written. */
static void draw_access(struct drawing *drawing, struct dice *dice, enum orders_kind kind, unsigned number) {
  unsigned place =
    dice_below(dice, 2) ? drawing->last_place : (unsigned)dice_below(dice, 2 * drawing->program.nspes);
  struct orders_step step = {.kind = kind, .from = place, .value = ORDERS_PLACES + 1 + number};
  if (kind == ORDERS_LOAD) {
    step.value = drawing->program.nloads++;
  }
  append(drawing, place / 2, step);
}

struct orders_program orders_draw(struct dice *dice) {
  static const enum orders_kind kinds[] = {
    ORDERS_STORE, ORDERS_LOAD,  ORDERS_LOAD,  ORDERS_PUT,   ORDERS_PUT,   ORDERS_GET,    ORDERS_FLAG,
    ORDERS_FLAG,  ORDERS_AWAIT, ORDERS_AWAIT, ORDERS_AWAIT, ORDERS_AWAIT, ORDERS_FINISH, ORDERS_BARRIER};
  struct drawing drawing = {.program.nspes = 2 + (unsigned)dice_below(dice, ORDERS_SPES - 1)};
  unsigned most = 4 + (unsigned)dice_below(dice, ORDERS_STEPS - 3);
  for (unsigned i = 0; i < most; i++) {
    enum orders_kind kind = kinds[dice_below(dice, sizeof kinds / sizeof *kinds)];
    if (kind == ORDERS_AWAIT && drawing.flags) {
      unsigned flag = (unsigned)__builtin_ctz(drawing.flags);
      drawing.flags &= drawing.flags - 1;
      append(&drawing, drawing.targets[flag], (struct orders_step){.kind = kind, .command = flag});
    } else if (kind == ORDERS_FINISH) {
      append(&drawing, drawing.last_spe,
             (struct orders_step){.kind = kind, .tag = 1 + (unsigned)dice_below(dice, 3)});
    } else if (kind == ORDERS_BARRIER) {
      append(&drawing, drawing.last_spe, (struct orders_step){.kind = kind});
    } else if (kind >= ORDERS_PUT && kind <= ORDERS_FLAG && drawing.program.ncommands < ORDERS_COMMANDS) {
      draw_command(&drawing, dice, kind);
    } else if (kind == ORDERS_STORE || (kind == ORDERS_LOAD && drawing.program.nloads < ORDERS_LOADS)) {
      draw_access(&drawing, dice, kind, i);
    }
  }
  return drawing.program;
}
