/* SPDX-License-Identifier: BSD-3-Clause
 * The MFCs of the reference machine: queues, the order of commands, lists. */
#include "sim/hw/bif.h"
#include "tests/reference/machine.h"

#include <assert.h>
#include <string.h>

enum { QUEUE = 32 };

struct mfc {
  struct reference_command *commands[REFERENCE_COMMANDS]; /* in the order of giving */
  unsigned ncommands;
  unsigned issued_last; /* queue entry */
  unsigned flying[2];   /* entries in use of the window of gets, or of all, and of the window of puts */
};

static struct mfc mfcs[REFERENCE_SPES];

/* Tell whether COMMAND has to wait for an earlier command of its tag. */
static bool is_held_up(const struct mfc *mfc, const struct reference_command *command) {
  for (unsigned i = 0; mfc->commands[i] != command; i++) {
    const struct reference_command *earlier = mfc->commands[i];
    bool ordered = command->all_tags || earlier->all_tags ||
                   (earlier->tag == command->tag && (command->fence || earlier->barrier));
    if (!earlier->complete && ordered) {
      return true;
    }
  }
  return false;
}

/* Return the number of the window of COMMAND. */
static unsigned window_of(const struct reference_command *command) {
  return blade_parameters(reference_blade)->nwindows == 2 && command->is_put ? 1 : 0;
}

/* Tell whether there is a window entry for COMMAND of MFC. */
static bool has_room(const struct mfc *mfc, const struct reference_command *command) {
  return mfc->flying[window_of(command)] < blade_parameters(reference_blade)->window;
}

/* Return the command in queue entry ENTRY if the command can issue a bus request, or NULL. */
static struct reference_command *ready_in(const struct mfc *mfc, unsigned entry) {
  for (unsigned i = 0; i < mfc->ncommands; i++) {
    struct reference_command *c = mfc->commands[i];
    if (c->entry == entry && c->arrived && c->left && has_room(mfc, c) && !is_held_up(mfc, c)) {
      return c;
    }
  }
  return NULL;
}

static void complete(void *thing);
static void stall(void *thing);

/* Return the cycles of COMMAND, a command without data: a command that orders a tag group goes to all
 * chips. */
static uint64_t sync_cycles(const struct reference_command *command) {
  const struct blade *blade = reference_blade;
  unsigned farthest = 0;
  for (unsigned chip = 0; chip < blade_nchips(blade); chip++) {
    unsigned links = bif_distance(blade_board(blade)->bif, blade_chip_of(blade, command->spe), chip);
    farthest = links > farthest ? links : farthest;
  }
  return command->all_tags
           ? 0
           : blade_parameters(blade)->command_phase + farthest * blade_parameters(blade)->bif_command;
}

static void complete_at(struct reference_command *command, uint64_t at) {
  reference_later((struct reference_event){
    .cycle = at, .phase = REFERENCE_COMPLETE, .unit = command->spe, .run = complete, .thing = command});
}

/* All bytes of COMMAND that may be moved have been moved, and are accounted for at cycle AT at the
 * earliest. */
static void drained(struct reference_command *command, uint64_t at) {
  at = at > command->done_at ? at : command->done_at;
  if (command->stops) {
    reference_later((struct reference_event){
      .cycle = at, .phase = REFERENCE_COMPLETE, .unit = command->spe, .run = stall, .thing = command});
  } else {
    complete_at(command, at);
  }
}

static bool is_drained(const struct reference_command *command) {
  return !command->left && !command->outstanding && (command->stops || command->nread == command->nelements);
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

/* Let COMMAND, arrived and without a command to wait for, go on if COMMAND has no data or has to read a list
 * element. */
static void go_on(struct reference_command *command) {
  if (command->is_sync && !command->syncing) {
    command->syncing = true;
    complete_at(command, reference_now + sync_cycles(command));
  }
  if (command->nread < command->nelements && !command->left && !command->reading && !command->stops) {
    command->reading = true;
    reference_later(
      (struct reference_event){.cycle = reference_now + blade_parameters(reference_blade)->list_element,
                               .phase = REFERENCE_ARRIVE,
                               .unit = command->spe,
                               .run = read_element,
                               .thing = command});
  }
}

void reference_pump(unsigned spe) {
  const struct mfc *mfc = &mfcs[spe];
  bool asks = false;
  for (unsigned i = 0; i < mfc->ncommands; i++) {
    struct reference_command *command = mfc->commands[i];
    if (command->arrived && !command->complete && !is_held_up(mfc, command)) {
      go_on(command);
      asks |= command->left > 0 && has_room(mfc, command);
    }
  }
  if (asks) {
    reference_ask(spe);
  }
}

static void arrive(void *thing) {
  struct reference_command *command = thing;
  command->arrived = true;
  reference_pump(command->spe);
}

/* COMMAND takes the first free entry of the queue. */
static void give(struct reference_command *command) {
  struct mfc *mfc = &mfcs[command->spe];
  bool used[QUEUE] = {false};
  for (unsigned i = 0; i < mfc->ncommands; i++) {
    used[mfc->commands[i]->entry] |= !mfc->commands[i]->complete;
  }
  assert(mfc->ncommands < REFERENCE_COMMANDS);
  while (used[command->entry]) {
    command->entry++;
  }
  mfc->commands[mfc->ncommands++] = command;
  command->number = mfc->ncommands;
  reference_later(
    (struct reference_event){.cycle = command->local + blade_parameters(reference_blade)->to_bus,
                             .phase = REFERENCE_ARRIVE,
                             .unit = command->spe,
                             .run = arrive,
                             .thing = command});
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
      reference_later(
        (struct reference_event){.cycle = reference_now + blade_parameters(reference_blade)->to_bus,
                                 .phase = REFERENCE_ARRIVE,
                                 .unit = command->spe,
                                 .run = resume,
                                 .thing = command});
    }
  }
}

static void complete(void *thing) {
  struct reference_command *command = thing;
  command->complete = true;
  reference_note(reference_log, (struct reference_entry){.cycle = reference_now,
                                                         .kind = PROBE_COMPLETE,
                                                         .spe = command->spe,
                                                         .command = command->number,
                                                         .tag = command->tag});
  reference_pump(command->spe);
}

static void stall(void *thing) {
  struct reference_command *command = thing;
  command->stalled = true;
  reference_note(reference_log, (struct reference_entry){.cycle = reference_now,
                                                         .kind = PROBE_STALL,
                                                         .spe = command->spe,
                                                         .command = command->number,
                                                         .tag = command->tag});
}

void reference_give(struct reference_command *command) {
  if (command->is_ack) {
    acknowledge(command);
  } else {
    give(command);
  }
}

struct reference_command *reference_next(unsigned spe) {
  struct mfc *mfc = &mfcs[spe];
  struct reference_command *command = NULL;
  while (!command) {
    mfc->issued_last = (mfc->issued_last + 1) % QUEUE;
    command = ready_in(mfc, mfc->issued_last);
  }
  mfc->flying[window_of(command)]++;
  return command;
}

void reference_window_free(const struct reference_command *command) {
  mfcs[command->spe].flying[window_of(command)]--;
  reference_pump(command->spe);
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
    mfcs[i].issued_last = blade_parameters(reference_blade)->queue - 1;
  }
}
