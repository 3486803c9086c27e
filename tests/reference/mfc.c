/* SPDX-License-Identifier: BSD-3-Clause
 * The MFCs of the reference machine: queues, the order of commands, lists. */
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/board/ea.h"
#include "tests/reference/machine.h"

#include <assert.h>
#include <string.h>

enum { QUEUE = 32 };

struct mfc {
  struct reference_command *commands[REFERENCE_COMMANDS]; /* in the order of giving */
  unsigned ncommands;
  struct reference_command *entries[QUEUE]; /* of the queue; NULL: free */
  unsigned issued_last;                     /* queue entry */
  unsigned flying[2];   /* entries in use of the window of gets, or of all, and of the window of puts */
  unsigned crossing[2]; /* gets and puts under way to local stores of other chips */
  struct reference_command *waiting[QUEUE]; /* commands that have to begin, or have an element that has */
  unsigned nwaiting;
  bool begin_scheduled;
  uint64_t begins_from; /* cycle from which on a command or list element can begin */
};

static struct mfc mfcs[REFERENCE_SPES];

/* Tell whether COMMAND has to wait for an earlier command of its tag, or for a list that has stopped. */
static bool is_held_up(const struct mfc *mfc, const struct reference_command *command) {
  for (unsigned i = 0; mfc->commands[i] != command; i++) {
    const struct reference_command *earlier = mfc->commands[i];
    bool ordered = command->all_tags || earlier->all_tags ||
                   (earlier->tag == command->tag && (command->fence || earlier->barrier)) ||
                   (command->is_sync && command->barrier && earlier->has_stopped);
    if (!earlier->complete && ordered) {
      return true;
    }
  }
  return false;
}

/* Return the number of the window of COMMAND. */
static unsigned window_of(const struct reference_command *command) {
  return blade_parameters(reference_blade)->mfc_windows == 2 && command->is_put ? 1 : 0;
}

/* Tell whether COMMAND moves data to or from a local store of another chip. */
static bool is_crossing(const struct reference_command *command) {
  const struct blade *blade = reference_blade;
  uint64_t far = (command->ea - EA_SPE_BASE) / EA_SPE_STRIDE;
  return command->ea < EA_MEMORY_BASE &&
         blade_board(blade)->spes[(unsigned)far].chip != blade_board(blade)->spes[command->spe].chip;
}

/* Return how many requests in the direction of COMMAND cross from its chip. */
static unsigned crossing_of_chip(const struct reference_command *command) {
  const struct blade *blade = reference_blade;
  unsigned n = 0;
  for (unsigned i = 0; i < blade_nspes(blade); i++) {
    n += blade_board(blade)->spes[i].chip == blade_board(blade)->spes[command->spe].chip
           ? mfcs[i].crossing[command->is_put]
           : 0;
  }
  return n;
}

/* Tell whether there is a window entry for COMMAND of MFC, and no limit of requests to other chips keeps
 * it. */
static bool has_room(const struct mfc *mfc, const struct reference_command *command) {
  const struct parameters *figures = blade_parameters(reference_blade);
  unsigned own = figures->bif_mfc_requests, all = figures->bif_chip_requests;
  bool limited = is_crossing(command) && ((own && mfc->crossing[command->is_put] >= own) ||
                                          (all && crossing_of_chip(command) >= all));
  return mfc->flying[window_of(command)] < figures->mfc_window && !limited;
}

/* Return the command in queue entry ENTRY if the command has arrived and waits for no other command, or
 * NULL. */
static struct reference_command *free_in(const struct mfc *mfc, unsigned entry) {
  struct reference_command *command = mfc->entries[entry];
  return command && command->arrived && !is_held_up(mfc, command) ? command : NULL;
}

/* Return the command in queue entry ENTRY if the command can issue a bus request, or NULL. */
static struct reference_command *ready_in(const struct mfc *mfc, unsigned entry) {
  struct reference_command *command = free_in(mfc, entry);
  return command && command->left && has_room(mfc, command) ? command : NULL;
}

static void complete(void *thing);
static void stall(void *thing);

/* Return the cycles of COMMAND, a command without data: a command that orders a tag group goes to all
 * chips. */
static uint64_t sync_cycles(const struct reference_command *command) {
  const struct blade *blade = reference_blade;
  unsigned farthest = 0;
  for (unsigned chip = 0; chip < blade_nchips(blade); chip++) {
    unsigned links =
      chip_ways_distance(blade_board(blade)->ways, blade_board(blade)->spes[command->spe].chip, chip);
    farthest = links > farthest ? links : farthest;
  }
  return command->all_tags
           ? 0
           : blade_parameters(blade)->eib_command_phase + farthest * blade_parameters(blade)->bif_command;
}

/* Let RUN happen to COMMAND at cycle AT, in PHASE. */
static void later(struct reference_command *command, uint64_t at, enum reference_phase phase,
                  void (*run)(void *)) {
  reference_later((struct reference_event){
    .cycle = at, .phase = phase, .unit = command->spe, .run = run, .thing = command});
}

/* All bytes of COMMAND that may be moved have been moved, and are accounted for at cycle AT at the
 * earliest. */
static void drained(struct reference_command *command, uint64_t at) {
  at = at > command->done_at ? at : command->done_at;
  later(command, at, REFERENCE_COMPLETE, command->stops ? stall : complete);
}

static bool is_drained(const struct reference_command *command) {
  return !command->left && !command->outstanding && (command->stops || command->nread == command->nelements);
}

static void begin_first(void *thing);

static void schedule_begin(unsigned spe) {
  struct mfc *mfc = &mfcs[spe];
  if (mfc->nwaiting && !mfc->begin_scheduled) {
    uint64_t at = mfc->begins_from > reference_now ? mfc->begins_from : reference_now;
    mfc->begin_scheduled = true;
    reference_later((struct reference_event){
      .cycle = at, .phase = REFERENCE_ARRIVE, .unit = spe, .run = begin_first, .thing = mfc});
  }
}

static bool is_first(const struct reference_command *a, const struct reference_command *b) {
  return a->reached_at != b->reached_at ? a->reached_at < b->reached_at : a->entry < b->entry;
}

/* Let MFC THING begin the command or element that reached the MFC first; of those of one cycle, the one in
 * the lowest queue entry. */
static void begin_first(void *thing) {
  struct mfc *mfc = thing;
  unsigned first = 0;
  for (unsigned i = 1; i < mfc->nwaiting; i++) {
    first = is_first(mfc->waiting[i], mfc->waiting[first]) ? i : first;
  }
  struct reference_command *command = mfc->waiting[first];
  mfc->waiting[first] = mfc->waiting[--mfc->nwaiting];
  mfc->begin_scheduled = false;
  mfc->begins_from = reference_now + blade_parameters(reference_blade)->mfc_command_interval;
  schedule_begin(command->spe);
  command->begin(command);
}

/* COMMAND, or the next element of its list, has reached the MFC: let the MFC begin the command or the
 * element by RUN, no sooner than the interval after the last one. */
static void reach(struct reference_command *command, void (*run)(void *)) {
  struct mfc *mfc = &mfcs[command->spe];
  command->begin = run;
  command->reached_at = reference_now;
  mfc->waiting[mfc->nwaiting++] = command;
  schedule_begin(command->spe);
}

static void read_element(void *thing) {
  struct reference_command *command = thing;
  const struct reference_element *element = &command->elements[command->nread++];
  command->reading = false;
  command->ea = element->ea;
  command->left = element->nbytes;
  command->stops = element->stops;
  if (is_drained(command)) {
    drained(command, reference_now);
  }
  reference_pump(command->spe);
}

static void fetched(void *thing) {
  reach(thing, read_element);
}

/* Let COMMAND, arrived and without a command to wait for, go on if COMMAND has no data or has to read a list
 * element. */
static void go_on(struct reference_command *command) {
  if (command->is_sync && !command->syncing) {
    command->syncing = true;
    later(command, reference_now + sync_cycles(command), REFERENCE_COMPLETE, complete);
  }
  if (command->nread < command->nelements && !command->left && !command->reading && !command->stops) {
    command->reading = true;
    later(command, reference_now + blade_parameters(reference_blade)->mfc_list_element, REFERENCE_ARRIVE,
          fetched);
  }
}

void reference_pump(unsigned spe) {
  const struct mfc *mfc = &mfcs[spe];
  bool asks = false;
  for (unsigned entry = 0; entry < QUEUE; entry++) {
    struct reference_command *command = free_in(mfc, entry);
    if (command) {
      go_on(command);
      asks |= command->left > 0 && has_room(mfc, command);
    }
  }
  if (asks) {
    reference_ask(spe);
  }
}

static void begun(void *thing) {
  struct reference_command *command = thing;
  command->arrived = true;
  reference_pump(command->spe);
}

static void arrive(void *thing) {
  reach(thing, begun);
}

/* COMMAND takes the first free entry of the queue. */
static void give(struct reference_command *command) {
  struct mfc *mfc = &mfcs[command->spe];
  assert(mfc->ncommands < REFERENCE_COMMANDS);
  while (mfc->entries[command->entry]) {
    command->entry++;
  }
  mfc->entries[command->entry] = command;
  mfc->commands[mfc->ncommands++] = command;
  command->number = mfc->ncommands;
  later(command, command->local + blade_parameters(reference_blade)->mfc_to_bus, REFERENCE_ARRIVE, arrive);
}

/* The acknowledgement has come to the list of command THING. */
static void resume(void *thing) {
  struct reference_command *command = thing;
  command->stops = false;
  if (is_drained(command)) {
    complete(command);
  }
  reference_pump(command->spe);
}

/* Let the stopped list of the tag of ACK go on. */
static void acknowledge(const struct reference_command *ack) {
  const struct mfc *mfc = &mfcs[ack->spe];
  for (unsigned i = 0; i < mfc->ncommands; i++) {
    struct reference_command *command = mfc->commands[i];
    if (command->stalled && command->tag == ack->tag) {
      command->stalled = false;
      later(command, reference_now + blade_parameters(reference_blade)->mfc_to_bus, REFERENCE_ARRIVE, resume);
    }
  }
}

static void note(const struct reference_command *command, enum probe_kind kind) {
  reference_note(reference_log, (struct reference_entry){.cycle = reference_now,
                                                         .kind = kind,
                                                         .spe = command->spe,
                                                         .command = command->number,
                                                         .tag = command->tag});
}

static void complete(void *thing) {
  struct reference_command *command = thing;
  command->complete = true;
  mfcs[command->spe].entries[command->entry] = NULL;
  note(command, PROBE_COMPLETE);
  reference_pump(command->spe);
}

static void stall(void *thing) {
  struct reference_command *command = thing;
  command->stalled = command->has_stopped = true;
  note(command, PROBE_STALL);
}

void reference_give(struct reference_command *command) {
  if (command->is_ack) {
    acknowledge(command);
  } else {
    give(command);
  }
}

bool reference_has_request(unsigned spe) {
  bool has = false;
  for (unsigned entry = 0; entry < QUEUE; entry++) {
    has |= ready_in(&mfcs[spe], entry) != NULL;
  }
  return has;
}

struct reference_command *reference_next(unsigned spe) {
  struct mfc *mfc = &mfcs[spe];
  struct reference_command *command = NULL;
  while (!command) {
    mfc->issued_last = (mfc->issued_last + 1) % QUEUE;
    command = ready_in(mfc, mfc->issued_last);
  }
  mfc->flying[window_of(command)]++;
  mfc->crossing[command->is_put] += is_crossing(command);
  return command;
}

void reference_window_free(const struct reference_request *request) {
  const struct reference_command *command = request->command;
  const struct blade *blade = reference_blade;
  bool crossed =
    request->source_spe >= 0 && request->target_spe >= 0 && request->source_chip != request->target_chip;
  mfcs[command->spe].flying[window_of(command)]--;
  mfcs[command->spe].crossing[command->is_put] -= crossed;
  reference_pump(command->spe);
  for (unsigned i = 0; i < blade_nspes(blade) && blade_parameters(blade)->bif_chip_requests; i++) {
    if (blade_board(blade)->spes[i].chip == blade_board(blade)->spes[command->spe].chip) {
      reference_pump(i);
    }
  }
}

void reference_moved(struct reference_command *command, uint64_t done_at) {
  command->done_at = done_at > command->done_at ? done_at : command->done_at;
  if (is_drained(command)) {
    drained(command, command->done_at);
  }
}

void reference_mfc_reset(void) {
  memset(mfcs, 0, sizeof mfcs);
  for (unsigned i = 0; i < REFERENCE_SPES; i++) {
    mfcs[i].issued_last = blade_parameters(reference_blade)->mfc_queue - 1;
  }
}
