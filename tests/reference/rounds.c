/* SPDX-License-Identifier: BSD-3-Clause
 * See rounds.h. */
#include "tests/reference/rounds.h"

#include "tests/random_programs.h"

enum {
  BASE = 0x10000,
  AREA = 0x20000,
  MOST_BYTES = 4096,
  FEW = 5,
};

/* The log of the fast engine. */
struct witness {
  struct probe probe;
  const struct blade *blade;
  struct reference_command commands[REFERENCE_SPES * RANDOM_COMMANDS];
  size_t ncommands;
  struct reference_log log;
};

/* Return room for the next command of the reference. */
static struct reference_command *next_command(struct witness *witness) {
  ck_assert(witness->ncommands < sizeof witness->commands / sizeof witness->commands[0]);
  return &witness->commands[witness->ncommands++];
}

/* Note the elements of the list of COMMAND, NBYTES of list at address LS. */
static void see_list(struct reference_command *command, const struct blade *blade, uint64_t ls,
                     unsigned nbytes) {
  mfc_list_element_t list[REFERENCE_ELEMENTS];
  ck_assert(nbytes <= sizeof list);
  memcpy(list, blade_ls(blade, command->spe) + ls, nbytes);
  command->left = 0;
  command->nelements = nbytes / (unsigned)sizeof list[0];
  for (unsigned i = 0; i < command->nelements; i++) {
    command->elements[i] = (struct reference_element){
      .ea = command->ea | list[i].eal, .nbytes = list[i].size, .stops = list[i].notify};
  }
}

static void see_command(struct witness *witness, const struct probe_event *e) {
  struct reference_command *command = next_command(witness);
  const struct probe_enqueue *given = &e->enqueue;
  *command = (struct reference_command){.spe = given->dma.spe,
                                        .tag = given->dma.tag,
                                        .given_at = e->cycle,
                                        .local = given->at,
                                        .is_put = given->is_put,
                                        .fence = given->fence,
                                        .barrier = given->barrier,
                                        .all_tags = given->all_tags,
                                        .is_sync = given->is_sync,
                                        .ea = given->ea,
                                        .left = given->dma.nbytes};
  if (given->is_list) {
    see_list(command, witness->blade, given->ls, given->dma.nbytes);
  }
}

/* Let ENTRY be about REQUEST. */
static void name(struct reference_entry *entry, const struct probe_request *request) {
  entry->spe = request->spe;
  entry->tag = request->tag;
  entry->command = (unsigned)request->command;
  entry->offset = request->offset;
  entry->nbytes = request->nbytes;
}

static void see(struct probe *probe, const struct probe_event *e) {
  struct witness *witness = (struct witness *)probe;
  struct reference_entry entry = {.cycle = e->cycle, .kind = e->kind};
  switch (e->kind) {
  case PROBE_ENQUEUE:
    see_command(witness, e);
    return;
  case PROBE_RESUME:
    *next_command(witness) = (struct reference_command){
      .spe = e->stall.dma.spe, .tag = e->stall.dma.tag, .given_at = e->cycle, .is_ack = true};
    return;
  case PROBE_GRANT:
    name(&entry, &e->grant.request);
    entry.chip = e->grant.chip;
    entry.ring = e->grant.ring;
    entry.from = e->grant.from;
    entry.to = e->grant.to;
    break;
  case PROBE_CROSS:
    name(&entry, &e->cross.request);
    entry.chip = e->cross.chip;
    entry.to = e->cross.next_chip;
    break;
  case PROBE_ISSUE:
    name(&entry, &e->issue.request);
    break;
  case PROBE_DELIVER:
    name(&entry, &e->deliver.request);
    break;
  case PROBE_STALL:
    entry.spe = e->stall.dma.spe;
    entry.command = (unsigned)e->stall.dma.command;
    entry.tag = e->stall.dma.tag;
    break;
  case PROBE_COMPLETE:
    entry.spe = e->complete.dma.spe;
    entry.tag = e->complete.dma.tag;
    entry.command = (unsigned)e->complete.dma.command;
    break;
  default:
    return;
  }
  reference_note(&witness->log, entry);
}

/* Draw addresses for COMMAND anywhere in the areas of its SPE and of the peer, or across the end of a
 * memory. */
static void place(const struct random_rules *rules, struct random_command *command, unsigned spe,
                  unsigned index) {
  struct dice *dice = rules->dice;
  uint32_t far = BASE + 16 * (uint32_t)dice_below(dice, (AREA - MOST_BYTES) / 16) + command->low;
  (void)spe;
  (void)index;
  command->ls = BASE + 16 * (uint32_t)dice_below(dice, (AREA - MOST_BYTES) / 16) + command->low;
  command->ea = random_ea(rules->blade, command->peer, far);
  if (command->peer > blade_nspes(rules->blade) && dice_below(dice, 4) == 0) {
    command->ea = random_ea(rules->blade, command->peer, 0) - (far & 0xff0) + command->low;
  }
}

void reference_round(uint64_t seed, struct reference_log *fast, struct reference_log *plain) {
  static struct random_program programs[RANDOM_SPES];
  static struct witness witness;
  struct dice dice = {seed};
  unsigned everybody = blade_nspes(bed.blade) + blade_nchips(bed.blade);
  random_programs(&(struct random_rules){.commands = RANDOM_COMMANDS,
                                         .few = FEW,
                                         .peers = dice_below(&dice, 2)
                                                    ? everybody
                                                    : 1 + (unsigned)dice_below(&dice, everybody),
                                         .bytes = dice_below(&dice, 5) ? 512 : MOST_BYTES,
                                         .dice = &dice,
                                         .blade = bed.blade,
                                         .place = place},
                  programs);
  witness = (struct witness){.probe = {.see = see, .details = true}, .blade = bed.blade};
  blade_reset(bed.blade);
  blade_attach(bed.blade, &witness.probe);
  random_run(programs);
  blade_detach(bed.blade, &witness.probe);
  *fast = witness.log;
  *plain = (struct reference_log){0};
  reference_run(bed.blade, witness.commands, witness.ncommands, plain);
  reference_sort(fast);
  reference_sort(plain);
}

/* --- in words --- */

char *reference_words(const struct reference_entry *e) {
  char *command = xasprintf("command %u of SPE %u (tag %u)", e->command, e->spe, e->tag), *words;
  unsigned last = e->offset + e->nbytes - 1;
  switch (e->kind) {
  case PROBE_ISSUE:
    words = xasprintf("bytes %u to %u of %s are issued", e->offset, last, command);
    break;
  case PROBE_GRANT:
    words = xasprintf("bytes %u to %u of %s get ring %u of chip %u from unit %u to unit %u", e->offset, last,
                      command, e->ring, e->chip, e->from, e->to);
    break;
  case PROBE_CROSS:
    words = xasprintf("bytes %u to %u of %s cross from chip %u to chip %u", e->offset, last, command, e->chip,
                      e->to);
    break;
  case PROBE_DELIVER:
    words = xasprintf("bytes %u to %u of %s are visible", e->offset, last, command);
    break;
  case PROBE_STALL:
    words = xasprintf("list %s stops", command);
    break;
  default:
    words = xasprintf("%s is complete", command);
  }
  free(command);
  return words;
}

/* Return the first entry of LOG from PLACE on with the same event as ENTRY, at any cycle and on any ring;
 * NULL: there is none. */
static const struct reference_entry *find(const struct reference_log *log, size_t place,
                                          const struct reference_entry *entry) {
  for (; place < log->count; place++) {
    struct reference_entry like = log->entries[place];
    like.cycle = entry->cycle;
    like.ring = entry->ring;
    if (memcmp(&like, entry, sizeof like) == 0) {
      return &log->entries[place];
    }
  }
  return NULL;
}

/* Return ENTRY on ENGINE in words; NULL: nothing happens there. */
static char *tell(const char *engine, const struct reference_entry *entry) {
  char *words = entry ? reference_words(entry) : NULL;
  char *told = entry ? xasprintf("%s: %s in cycle %llu", engine, words, (unsigned long long)entry->cycle)
                     : xasprintf("%s: never", engine);
  free(words);
  return told;
}

char *reference_difference(const struct reference_log *fast, const struct reference_log *plain) {
  const struct reference_entry *a = NULL, *b = NULL;
  size_t place = 0, both = fast->count < plain->count ? fast->count : plain->count;
  while (place < both && memcmp(&fast->entries[place], &plain->entries[place], sizeof *fast->entries) == 0) {
    place++;
  }
  if (place < fast->count &&
      (place == plain->count || fast->entries[place].cycle <= plain->entries[place].cycle)) {
    a = &fast->entries[place];
    b = find(plain, place, a);
  } else if (place < plain->count) {
    b = &plain->entries[place];
    a = find(fast, place, b);
  }
  if (!a && !b) {
    return NULL;
  }
  char *engine = tell("engine", a), *reference = tell("reference", b);
  char *difference = xasprintf("%s; %s", engine, reference);
  free(engine);
  free(reference);
  return difference;
}
