/* SPDX-License-Identifier: BSD-3-Clause
 * The reference machine: the list of events, and the life of a bus request. */
#include "tests/reference/machine.h"

#include "sim/base/xalloc.h"
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/board/ea.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 65536 };

uint64_t reference_now;
const struct blade *reference_blade;
struct reference_log *reference_log;

static uint64_t
  port_mcyc[REFERENCE_SPES]; /* when the port of a local store is free again, in thousandths of a cycle */
static uint64_t memory_mcyc[REFERENCE_CHIPS]; /* when a memory controller is free again */
static struct reference_request requests[REFERENCE_REQUESTS];
static unsigned nrequests;
static struct reference_command *last_command; /* of all given commands */

/* --- the log --- */

void reference_note(struct reference_log *log, struct reference_entry entry) {
  if (log->count == log->room) {
    log->room = log->room ? 2 * log->room : 1024;
    log->entries = xrealloc(log->entries, log->room, sizeof *log->entries);
  }
  log->entries[log->count++] = entry;
}

static int compare(const void *a, const void *b) {
  const struct reference_entry *x = a, *y = b;
  if (x->cycle != y->cycle) {
    return x->cycle < y->cycle ? -1 : 1;
  }
  return memcmp(&x->kind, &y->kind, sizeof *x - offsetof(struct reference_entry, kind));
}

void reference_sort(struct reference_log *log) {
  qsort(log->entries, log->count, sizeof *log->entries, compare);
}

struct reference_entry reference_entry_of(const struct reference_request *request, unsigned kind) {
  return (struct reference_entry){.cycle = reference_now,
                                  .kind = kind,
                                  .spe = request->command->spe,
                                  .command = request->command->number,
                                  .tag = request->command->tag,
                                  .offset = request->offset,
                                  .nbytes = request->nbytes};
}

static void note(const struct reference_request *request, unsigned kind) {
  reference_note(reference_log, reference_entry_of(request, kind));
}

/* --- events: the next one last --- */

static struct reference_event events[EVENTS];
static unsigned nevents;

static bool is_before(const struct reference_event *a, const struct reference_event *b) {
  if (a->cycle != b->cycle) {
    return a->cycle < b->cycle;
  }
  return a->phase != b->phase ? a->phase < b->phase : a->unit < b->unit;
}

void reference_later(struct reference_event event) {
  unsigned place = nevents++;
  assert(nevents < EVENTS && event.cycle >= reference_now);
  while (place > 0 && !is_before(&event, &events[place - 1])) {
    events[place] = events[place - 1];
    place--;
  }
  events[place] = event;
}

/* Let RUN happen to REQUEST at cycle AT. */
static void then(struct reference_request *request, void (*run)(void *), uint64_t at,
                 enum reference_phase phase) {
  reference_later((struct reference_event){
    .cycle = at, .phase = phase, .unit = request->command->spe, .run = run, .thing = request});
}

/* --- servers --- */

/* Let a server, free again at *FREE_MCYC, serve for INTERVAL_MCYC as soon as possible.
 * returns: the first cycle of the service. */
static uint64_t serve(uint64_t *free_mcyc, uint64_t interval_mcyc) {
  uint64_t now = reference_now, free_at = (*free_mcyc + 999) / 1000;
  uint64_t start = free_at > now ? free_at : now;
  *free_mcyc = (*free_mcyc + 1000 > 1000 * start ? *free_mcyc : 1000 * start) + interval_mcyc;
  return start;
}

static uint64_t use_port(int spe) {
  return serve(&port_mcyc[spe], blade_parameters(reference_blade)->ls_port_mcyc);
}

static uint64_t use_memory(unsigned chip, uint64_t interval_mcyc) {
  return serve(&memory_mcyc[chip], interval_mcyc) + blade_parameters(reference_blade)->memory_latency;
}

/* --- the life of a bus request, from the issue on --- */

static void read_memory(void *thing);
static void read_ls(void *thing);
static void enter_rings(void *thing);

/* Note where the data of REQUEST, of COMMAND, comes from and goes to. */
static void set_ends(struct reference_request *request, const struct reference_command *command) {
  const struct blade *blade = reference_blade;
  const struct spe *near = &blade_board(blade)->spes[command->spe], *far = NULL;
  unsigned far_chip, far_unit = blade_parameters(blade)->memory_unit;
  if (command->ea >= EA_MEMORY_BASE) {
    far_chip = (unsigned)((command->ea - EA_MEMORY_BASE) / blade_parameters(blade)->memory_bytes);
  } else {
    far = &blade_board(blade)->spes[(command->ea - EA_SPE_BASE) / EA_SPE_STRIDE];
    far_chip = far->chip;
    far_unit = far->unit;
  }
  int far_spe = far ? (int)far->index : -1;
  request->source_chip = command->is_put ? near->chip : far_chip;
  request->source = command->is_put ? near->unit : far_unit;
  request->source_spe = command->is_put ? (int)near->index : far_spe;
  request->target_chip = command->is_put ? far_chip : near->chip;
  request->target = command->is_put ? far_unit : near->unit;
  request->target_spe = command->is_put ? far_spe : (int)near->index;
}

bool reference_granted(unsigned spe) {
  const struct blade *blade = reference_blade;
  const struct parameters *figures = blade_parameters(blade);
  struct reference_command *command = reference_next(spe);
  assert(nrequests < REFERENCE_REQUESTS);
  struct reference_request *request = &requests[nrequests++];
  unsigned line = figures->eib_request_bytes, room = line - (unsigned)(command->ea % line);
  *request = (struct reference_request){
    .command = command, .offset = command->moved, .nbytes = command->left < room ? command->left : room};
  set_ends(request, command);
  request->chip = request->source_chip;
  command->ea += request->nbytes;
  command->left -= request->nbytes;
  command->moved += request->nbytes;
  command->outstanding += request->nbytes;
  note(request, PROBE_ISSUE);
  uint64_t accepted =
    reference_now + figures->eib_command_phase +
    chip_ways_distance(blade_board(blade)->ways, request->source_chip, request->target_chip) *
      figures->bif_command;
  if (request->source_spe < 0) {
    then(request, read_memory, accepted, REFERENCE_READY);
  } else if (figures->ls_port_mcyc) {
    then(request, read_ls, accepted, REFERENCE_READY);
  } else {
    then(request, enter_rings, accepted + figures->ls_read, REFERENCE_READY);
  }
  return request->source_spe < 0 || request->target_spe < 0;
}

static void read_memory(void *thing) {
  struct reference_request *request = thing;
  uint64_t interval = blade_parameters(reference_blade)->memory_read_mcyc;
  then(request, enter_rings, use_memory(request->source_chip, interval), REFERENCE_READY);
}

static void read_ls(void *thing) {
  struct reference_request *request = thing;
  then(request, enter_rings, use_port(request->source_spe) + blade_parameters(reference_blade)->ls_read,
       REFERENCE_READY);
}

static void enter_rings(void *thing) {
  struct reference_request *request = thing;
  unsigned bif = blade_parameters(reference_blade)->bif_unit;
  request->from = request->chip == request->source_chip ? request->source : bif;
  request->to = request->chip == request->target_chip ? request->target : bif;
  reference_send(request);
}

static void retire(void *thing) {
  struct reference_request *request = thing;
  reference_window_free(request);
}

static void deliver(void *thing) {
  const struct parameters *figures = blade_parameters(reference_blade);
  struct reference_request *request = thing;
  struct reference_command *command = request->command;
  bool crossing_put = command->is_put && request->source_chip != request->target_chip;
  note(request, PROBE_DELIVER);
  command->outstanding -= request->nbytes;
  uint64_t done_at =
    request->last_beat + figures->mfc_complete + (crossing_put ? figures->bif_put_complete : 0);
  reference_moved(command, done_at);
  then(request, retire, request->last_beat + figures->mfc_retire, REFERENCE_COMPLETE);
}

static void last_beat(struct reference_request *request, uint64_t at) {
  request->last_beat = at;
  then(request, deliver, at + blade_parameters(reference_blade)->mfc_visible, REFERENCE_DELIVER);
}

static void write_memory(void *thing) {
  struct reference_request *request = thing;
  last_beat(request, use_memory(request->target_chip, blade_parameters(reference_blade)->memory_write_mcyc));
}

static void write_ls(void *thing) {
  struct reference_request *request = thing;
  last_beat(request, use_port(request->target_spe));
}

static void reach_link(void *thing) {
  reference_cross(thing);
}

void reference_arrived(struct reference_request *request, uint64_t end) {
  if (request->chip != request->target_chip) {
    then(request, reach_link, end, REFERENCE_READY);
  } else if (request->target_spe < 0) {
    then(request, write_memory, end, REFERENCE_READY);
  } else if (blade_parameters(reference_blade)->ls_port_mcyc) {
    then(request, write_ls, end, REFERENCE_READY);
  } else {
    last_beat(request, end);
  }
}

void reference_crossed(struct reference_request *request, uint64_t at) {
  bool is_there = request->chip == request->target_chip;
  then(request, is_there ? enter_rings : reach_link, at, REFERENCE_READY);
}

/* --- a run --- */

/* Programs give the command THING and all others of this cycle; only then the machine goes on with any of
 * these commands. */
static void give_all(void *thing) {
  struct reference_command *command = thing;
  for (; command <= last_command && command->given_at == reference_now; command++) {
    reference_give(command);
  }
}

void reference_run(const struct blade *blade, struct reference_command *commands, size_t count,
                   struct reference_log *log) {
  reference_blade = blade;
  reference_log = log;
  reference_now = nevents = nrequests = 0;
  memset(port_mcyc, 0, sizeof port_mcyc);
  memset(memory_mcyc, 0, sizeof memory_mcyc);
  reference_mfc_reset();
  reference_bus_reset();
  last_command = commands + count - 1;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || commands[i].given_at != commands[i - 1].given_at) {
      reference_later((struct reference_event){
        .cycle = commands[i].given_at, .phase = REFERENCE_GIVE, .run = give_all, .thing = &commands[i]});
    }
  }
  while (nevents) {
    struct reference_event event = events[--nevents];
    reference_now = event.cycle;
    event.run(event.thing);
  }
}
