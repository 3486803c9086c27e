/* SPDX-License-Identifier: BSD-3-Clause
 * See spu.h. */
#include "sim/spu/spu.h"

#include "sim/base/xalloc.h"
#include "sim/hw/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Tell the observers that the program that calls ends.
 * returns: its name as that of an action. */
static struct probe_cause
see_exit(struct blade *blade)
{
  struct probe_cause by = program_action(blade, program_self());
  blade_see_detail(
    blade, &(struct probe_event){.kind = PROBE_EXIT, .exit = {.by = by, .at = des_local(des_self())}});
  return by;
}

static void
enter(void *argument)
{
  struct spu *spu = argument;
  spu->main(spu->argument);
  struct spe *spe = spu->hw;
  if (spu->started) {
    des_sync(spe->actor);
  }
  spe->ended = see_exit(spe->blade);
  if (spu->started) {
    spu->ended = true;
    spe->actor = NULL;
    spe_tell(spe);
  }
}

static void
enter_ppe(void *argument)
{
  struct ppu *ppu = argument;
  ppu->main(ppu->argument);
  see_exit(ppu->hw->blade);
}

static struct blade_program
prepare(struct blade *blade, struct spu *spu)
{
  assert(spu->spe < blade->nspes);
  spu->hw = &blade->spes[spu->spe];
  spu->hw->dma.tag_query = (struct dma_tag_query){0};
  spu->hw->dma.list_stalls = 0;
  spu->tags_taken = 0;
  memset(spu->registers, 0, sizeof spu->registers);
  spu->expected = -1;
  spu->started = spu->ended = false;
  return (struct blade_program){
    .processor = spu->spe, .run = enter, .argument = spu, .name = spu->name, .start = spu->start};
}

void
spu_start(struct blade *blade, struct spu *spu)
{
  struct blade_program program = prepare(blade, spu);
  spu->started = true;
  blade_start(blade, &program);
}

struct blade_result
spu_run_all(struct blade *blade, const struct spu_programs *programs)
{
  size_t count = programs->nspus + programs->nppus;
  struct blade_program *starts = xcalloc(count, sizeof *starts), *next = starts;
  for (size_t i = 0; i < programs->nspus; i++) {
    *next++ = prepare(blade, &programs->spus[i]);
  }
  for (size_t i = 0; i < programs->nppus; i++) {
    struct ppu *ppu = &programs->ppus[i];
    assert(ppu->chip < blade->nchips);
    ppu->hw = &blade->ppes[ppu->chip];
    *next++ = (struct blade_program){.on_ppe = true,
                                     .processor = ppu->chip,
                                     .run = enter_ppe,
                                     .argument = ppu,
                                     .name = ppu->name,
                                     .start = ppu->start};
  }
  struct blade_result result = blade_run(blade, starts, count);
  free(starts);
  return result;
}

struct blade_result
spu_run(struct blade *blade, struct spu *programs, size_t count)
{
  return spu_run_all(blade, &(struct spu_programs){.spus = programs, .nspus = count});
}

void
spu_config_signal_or(struct blade *blade, unsigned spe, unsigned which)
{
  blade->spes[spe].signals[which - 1].or_mode = true;
}

struct spu *
spu_self(void)
{
  return des_argument(des_self());
}

struct ppu *
ppu_self(void)
{
  return des_argument(des_self());
}

uint32_t
spu_ls_address(const struct spu *spu, volatile const void *pointer)
{
  ptrdiff_t offset = (volatile const uint8_t *)pointer - spu->hw->ls;
  uint32_t end = spu->hw->blade->parameters.ls_bytes;
  return offset >= 0 && offset < (ptrdiff_t)end ? (uint32_t)offset : end;
}

struct spe *
spu_look(void)
{
  struct spe *spe = spu_self()->hw;
  program_compute(spe->blade, COMPUTE_CHANNEL, spe->blade->parameters.channel_read);
  des_sync(spe->actor);
  return spe;
}
