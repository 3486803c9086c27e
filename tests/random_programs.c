/* SPDX-License-Identifier: BSD-3-Clause
 * See random_programs.h. */
#include "tests/random_programs.h"

#include "sim/hw/board/ea.h"

uint64_t random_ea(const struct blade *blade, unsigned peer, uint32_t address) {
  unsigned nspes = blade_nspes(blade);
  return peer < nspes ? spu_ls_ea(peer, address)
                      : EA_MEMORY_BASE + (peer - nspes) * blade_parameters(blade)->memory_bytes + address;
}

/* --- drawing --- */

static void draw_size(struct dice *dice, struct random_command *command, uint32_t most) {
  if (dice_below(dice, 6) == 0) {
    command->nbytes = 1U << dice_below(dice, 4);
    command->low = (uint32_t)dice_below(dice, 16 / command->nbytes) * command->nbytes;
  } else {
    command->nbytes = 16 * (uint32_t)(1 + dice_below(dice, most / 16));
  }
}

/* Make a list of COMMAND, number INDEX of its program. Its elements are spread over the memory of its peer,
 * or over all local stores. */
static void draw_list(const struct random_rules *rules, struct random_command *command, unsigned index) {
  struct dice *dice = rules->dice;
  unsigned nspes = blade_nspes(rules->blade);
  struct random_command other = *command;
  command->nelements = 1 + (unsigned)dice_below(dice, RANDOM_ELEMENTS);
  for (unsigned i = 0; i < command->nelements; i++) {
    other.peer = command->peer < nspes ? (unsigned)dice_below(dice, nspes) : command->peer;
    other.low = 0;
    rules->place(rules, &other, 0, 0);
    uint32_t nbytes = dice_below(dice, 6) ? 16 * (uint32_t)(1 + dice_below(dice, 32)) : 0;
    command->elements[i] = (mfc_list_element_t){
      .notify = dice_below(dice, 5) == 0, .size = nbytes & 0x7fff, .eal = (uint32_t)other.ea};
    command->tag = command->elements[i].notify ? RANDOM_TAGS + index : command->tag;
  }
}

static struct random_command draw(const struct random_rules *rules, unsigned spe, unsigned index) {
  struct dice *dice = rules->dice;
  struct random_command command = {.put = dice_below(dice, 2),
                                   .peer = (unsigned)dice_below(dice, rules->peers),
                                   .order = (unsigned)dice_below(dice, 8),
                                   .sync = rules->only_transfers ? 3 : (unsigned)dice_below(dice, 30),
                                   .tag = (uint32_t)dice_below(dice, RANDOM_TAGS),
                                   .pause = (uint32_t)dice_below(dice, dice_below(dice, 5) ? 20 : 3000)};
  draw_size(dice, &command, rules->bytes);
  rules->place(rules, &command, spe, index);
  if (!rules->only_transfers && dice_below(dice, 8) == 0) {
    draw_list(rules, &command, index);
  }
  return command;
}

void random_programs(const struct random_rules *rules, struct random_program programs[RANDOM_SPES]) {
  ck_assert_uint_le(blade_nspes(rules->blade), RANDOM_SPES);
  for (unsigned spe = 0; spe < blade_nspes(rules->blade); spe++) {
    unsigned most = dice_below(rules->dice, 3) ? rules->few : rules->commands;
    programs[spe].ncommands = (unsigned)dice_below(rules->dice, most + 1);
    for (unsigned i = 0; i < programs[spe].ncommands; i++) {
      programs[spe].commands[i] = draw(rules, spe, i);
    }
  }
}

/* --- running --- */

static void give_sync(const struct random_command *command) {
  if (command->sync == 0) {
    mfc_barrier(command->tag);
  } else if (command->sync == 1) {
    mfc_sync(command->tag);
  } else {
    mfc_eieio(command->tag, 0, 0);
  }
}

/* Give list COMMAND with number INDEX.
 * returns: how often it will stop. */
static unsigned give_list(const struct random_command *command, unsigned index) {
  static void (*const calls[2][3])(volatile void *, uint64_t, volatile mfc_list_element_t *, uint32_t,
                                   uint32_t, uint32_t, uint32_t) = {{mfc_getlf, mfc_getlb, mfc_getl},
                                                                    {mfc_putlf, mfc_putlb, mfc_putl}};
  mfc_list_element_t *list = spu_ls(RANDOM_LISTS + (uint32_t)sizeof command->elements * index);
  unsigned stops = 0;
  memcpy(list, command->elements, sizeof command->elements);
  for (unsigned i = 0; i < command->nelements; i++) {
    stops += command->elements[i].notify;
  }
  calls[command->put][command->order < 2 ? command->order : 2](
    spu_ls(command->ls), command->ea, list, command->nelements * (uint32_t)sizeof *list, command->tag, 0, 0);
  return stops;
}

static void give_transfer(const struct random_command *command) {
  static void (*const calls[2][3])(volatile void *, uint64_t, uint32_t, uint32_t, uint32_t,
                                   uint32_t) = {{mfc_getf, mfc_getb, mfc_get}, {mfc_putf, mfc_putb, mfc_put}};
  calls[command->put][command->order < 2 ? command->order : 2](spu_ls(command->ls), command->ea,
                                                               command->nbytes, command->tag, 0, 0);
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

/* A program that waits for room behind a list that has stopped would be stuck. So the program lets all lists
 * go on before. */
static void play(void *argument) {
  const struct random_program *program = argument;
  unsigned stops = 0;
  for (unsigned i = 0; i < program->ncommands; i++) {
    const struct random_command *command = &program->commands[i];
    spu_compute(command->pause);
    if (stops && mfc_stat_cmd_queue() == 0) {
      acknowledge(stops);
      stops = 0;
    }
    if (command->nelements) {
      stops += give_list(command, i);
    } else if (command->sync < 3) {
      give_sync(command);
    } else {
      give_transfer(command);
    }
  }
  acknowledge(stops);
  mfc_write_tag_mask(UINT32_MAX);
  mfc_read_tag_status_all();
}

void random_run(struct random_program programs[RANDOM_SPES]) {
  struct spu spus[RANDOM_SPES];
  unsigned nspes = blade_nspes(bed.blade);
  for (unsigned spe = 0; spe < nspes; spe++) {
    spus[spe] = (struct spu){.spe = spe, .main = play, .argument = &programs[spe], .name = "spe"};
  }
  bed_run(spus, nspes);
}
