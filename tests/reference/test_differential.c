/* SPDX-License-Identifier: BSD-3-Clause
 * The fast engine and the reference agree on the cycle of every issue, grant, crossing, delivery and
 * completion of random DMA programs on many machines. A message names the machine, the round and the first
 * difference. */
#include "sim/base/xalloc.h"
#include "sim/hw/ea.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "tests/bed.h"
#include "tests/reference/machine.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *differential_suite(void);

enum {
  COMMANDS = 24,
  BASE = 0x10000,
  AREA = 0x20000,
  MOST_BYTES = 4096,
  LISTS = 0x34000, /* local store address of the lists */
  TAGS = 3,        /* shared by the commands of a program; a list that stops has one of its own */
};

/* A random command of a program: no two of them check each other's data. */
struct command {
  bool put;
  unsigned order; /* 0: fence, 1: barrier, else free */
  unsigned sync;  /* 0: mfc_barrier, 1: mfc_sync, 2: mfc_eieio, else it moves data */
  uint64_t ea;
  uint32_t ls, nbytes, tag, pause;
  unsigned nelements; /* of a list, which has a tag of its own */
  mfc_list_element_t elements[REFERENCE_ELEMENTS];
};

struct program {
  unsigned count;
  struct command commands[COMMANDS];
};

/* What the fast engine did. */
struct witness {
  struct probe probe;
  const struct blade *blade;
  struct reference_command commands[REFERENCE_SPES * COMMANDS];
  size_t ncommands;
  struct reference_log log;
};

/* Return room for the next command of the reference. */
static struct reference_command *next_command(struct witness *witness) {
  ck_assert(witness->ncommands < sizeof witness->commands / sizeof witness->commands[0]);
  return &witness->commands[witness->ncommands++];
}

/* Note the elements of the list of COMMAND, NBYTES of them at address LS. */
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

static void give_sync(const struct command *c) {
  if (c->sync == 0) {
    mfc_barrier(c->tag);
  } else if (c->sync == 1) {
    mfc_sync(c->tag);
  } else {
    mfc_eieio(c->tag, 0, 0);
  }
}

/* Give list command C with number INDEX.
 * returns: how often it will stop. */
static unsigned give_list(const struct command *c, unsigned index) {
  static void (*const puts[])(volatile void *, uint64_t, volatile mfc_list_element_t *, uint32_t, uint32_t,
                              uint32_t, uint32_t) = {mfc_putlf, mfc_putlb, mfc_putl};
  static void (*const gets[])(volatile void *, uint64_t, volatile mfc_list_element_t *, uint32_t, uint32_t,
                              uint32_t, uint32_t) = {mfc_getlf, mfc_getlb, mfc_getl};
  mfc_list_element_t *list = spu_ls(LISTS + (uint32_t)sizeof c->elements * index);
  unsigned stops = 0;
  memcpy(list, c->elements, sizeof c->elements);
  for (unsigned i = 0; i < c->nelements; i++) {
    stops += c->elements[i].notify;
  }
  (c->put ? puts : gets)[c->order < 2 ? c->order : 2](spu_ls(c->ls), c->ea, list,
                                                      c->nelements * (uint32_t)sizeof *list, c->tag, 0, 0);
  return stops;
}

static void give_data(const struct command *c) {
  static void (*const puts[])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                              uint32_t) = {mfc_putf, mfc_putb, mfc_put};
  static void (*const gets[])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                              uint32_t) = {mfc_getf, mfc_getb, mfc_get};
  (c->put ? puts : gets)[c->order < 2 ? c->order : 2](spu_ls(c->ls), c->ea, c->nbytes, c->tag, 0, 0);
}

/* Let lists go on until they have stopped STOPS times. */
static void acknowledge(unsigned stops) {
  while (stops > 0) {
    for (uint32_t left = mfc_read_list_stall_status(); left; left &= left - 1, stops--) {
      spu_compute(left % 7);
      mfc_write_list_stall_ack((uint32_t)__builtin_ctz(left));
    }
  }
}

/* A program that waits for room behind a list that has stopped would be stuck: so it lets all lists go on
 * before. */
static void play(void *argument) {
  const struct program *program = argument;
  unsigned stops = 0;
  for (unsigned i = 0; i < program->count; i++) {
    const struct command *c = &program->commands[i];
    spu_compute(c->pause);
    if (stops && mfc_stat_cmd_queue() == 0) {
      acknowledge(stops);
      stops = 0;
    }
    if (c->nelements) {
      stops += give_list(c, i);
    } else if (c->sync < 3) {
      give_sync(c);
    } else {
      give_data(c);
    }
  }
  acknowledge(stops);
  mfc_write_tag_mask(UINT32_MAX);
  mfc_read_tag_status_all();
}

/* Make a command for a round in which SPREAD says how many units are partners, and BYTES how much is moved at
 * most. */
static struct command random_command(struct dice *dice, const struct blade *blade, unsigned spread,
                                     uint32_t bytes) {
  static const uint32_t small[] = {1, 2, 4, 8};
  unsigned partner = (unsigned)dice_below(dice, spread);
  struct command c = {.put = dice_below(dice, 2),
                      .order = (unsigned)dice_below(dice, 10),
                      .sync = (unsigned)dice_below(dice, 30),
                      .tag = (uint32_t)dice_below(dice, TAGS),
                      .pause = (uint32_t)dice_below(dice, dice_below(dice, 6) ? 20 : 3000)};
  uint32_t low = 0;
  if (dice_below(dice, 6) == 0) {
    c.nbytes = small[dice_below(dice, 4)];
    low = (uint32_t)dice_below(dice, 16 / c.nbytes) * c.nbytes;
  } else {
    c.nbytes = 16 * (uint32_t)(1 + dice_below(dice, bytes / 16));
  }
  uint32_t far = BASE + 16 * (uint32_t)dice_below(dice, (AREA - MOST_BYTES) / 16) + low;
  c.ls = BASE + 16 * (uint32_t)dice_below(dice, (AREA - MOST_BYTES) / 16) + low;
  c.ea = partner < blade_nspes(blade)
           ? spu_ls_ea(partner, far)
           : EA_MEMORY_BASE + (partner - blade_nspes(blade)) * blade_parameters(blade)->memory_bytes + far;
  if (partner > blade_nspes(blade) && dice_below(dice, 4) == 0) { /* across the end of the memory before */
    c.ea = EA_MEMORY_BASE + (partner - blade_nspes(blade)) * blade_parameters(blade)->memory_bytes -
           (far & 0xff0) + low;
  }
  return c;
}

/* Make a list out of C, command INDEX of its program, with elements between C's address and those of many
 * others. */
static struct command random_list(struct dice *dice, const struct blade *blade, struct command c,
                                  unsigned index) {
  bool in_memory = c.ea >= EA_MEMORY_BASE;
  c.nelements = 1 + (unsigned)dice_below(dice, REFERENCE_ELEMENTS);
  for (unsigned i = 0; i < c.nelements; i++) {
    uint32_t place = BASE + 16 * (uint32_t)dice_below(dice, (AREA - MOST_BYTES) / 16);
    uint64_t ea = in_memory ? (c.ea & ~UINT64_C(0xfffff)) + place
                            : spu_ls_ea((unsigned)dice_below(dice, blade_nspes(blade)), place);
    uint32_t nbytes = dice_below(dice, 6) ? 16 * (uint32_t)(1 + dice_below(dice, 32)) : 0;
    c.elements[i] =
      (mfc_list_element_t){.notify = dice_below(dice, 5) == 0, .size = nbytes & 0x7fff, .eal = (uint32_t)ea};
    c.tag = c.elements[i].notify ? TAGS + index : c.tag;
  }
  return c;
}

static void compare(struct reference_log *fast, struct reference_log *plain, int machine, unsigned round) {
  size_t place = 0, count = fast->count < plain->count ? fast->count : plain->count;
  reference_sort(fast);
  reference_sort(plain);
  while (place < count && memcmp(&fast->entries[place], &plain->entries[place], sizeof *fast->entries) == 0) {
    place++;
  }
  struct reference_entry none = {0}, a = place < fast->count ? fast->entries[place] : none,
                         b = place < plain->count ? plain->entries[place] : none;
  ck_assert_msg(
    place == fast->count && place == plain->count,
    "machine %d, round %u: entry %zu of %zu and %zu: cycle %llu and %llu, kind %u and %u, SPE %u and %u",
    machine, round, place, fast->count, plain->count, (unsigned long long)a.cycle,
    (unsigned long long)b.cycle, a.kind, b.kind, a.spe, b.spe);
}

static void run_round(struct bed *bed, struct dice *dice, int machine, unsigned round) {
  static struct program programs[REFERENCE_SPES];
  static struct witness witness;
  struct spu spus[REFERENCE_SPES];
  struct reference_log plain = {0};
  const struct blade *blade = bed->blade;
  unsigned everybody = blade_nspes(blade) + blade_nchips(blade);
  unsigned spread = dice_below(dice, 2) ? everybody : 1 + (unsigned)dice_below(dice, everybody);
  uint32_t bytes = dice_below(dice, 5) ? 512 : MOST_BYTES;
  witness = (struct witness){.probe = {.see = see, .details = true}, .blade = blade};
  for (unsigned spe = 0; spe < blade_nspes(blade); spe++) {
    programs[spe].count = (unsigned)dice_below(dice, dice_below(dice, 3) ? 6 : COMMANDS + 1);
    for (unsigned i = 0; i < programs[spe].count; i++) {
      struct command c = random_command(dice, blade, spread, bytes);
      programs[spe].commands[i] = dice_below(dice, 8) ? c : random_list(dice, blade, c, i);
    }
    spus[spe] = (struct spu){.spe = spe, .main = play, .argument = &programs[spe], .name = "spe"};
  }
  blade_reset(bed->blade);
  blade_attach(bed->blade, &witness.probe);
  bed_run(bed, spus, blade_nspes(blade));
  blade_detach(bed->blade, &witness.probe);
  reference_run(blade, witness.commands, witness.ncommands, &plain);
  compare(&witness.log, &plain, machine, round);
  free(witness.log.entries);
  free(plain.entries);
}

/* Loop test: the index is the machine and the seed. */
START_TEST(both_engines_agree) {
  struct bed bed = bed_new_machine(_i);
  struct dice dice = {(uint64_t)_i};
  for (unsigned round = 0; round < (BED_SANITIZED ? 40 : 200); round++) {
    run_round(&bed, &dice, _i, round);
  }
  bed_fini(&bed);
}
END_TEST

Suite *differential_suite(void) {
  Suite *suite = suite_create("differential");
  TCase *tests = tcase_create("differential");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, bed_start_engine, NULL);
  tcase_add_loop_test(tests, both_engines_agree, 0, BED_MACHINES);
  suite_add_tcase(suite, tests);
  return suite;
}
