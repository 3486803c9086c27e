/* SPDX-License-Identifier: BSD-3-Clause
 * See spu.h. */
#include "sim/spu/spu.h"

#include "sim/base/xalloc.h"

#include <assert.h>
#include <stdlib.h>

static void
enter(void *argument)
{
  struct spu *spu = argument;
  spu->main(spu->argument);
}

struct blade_result
spu_run(struct blade *blade, struct spu *programs, size_t count)
{
  struct blade_program *starts = xcalloc(count, sizeof *starts);
  for (size_t i = 0; i < count; i++) {
    struct spu *spu = &programs[i];
    assert(spu->spe < blade->nspes);
    spu->hw = &blade->spes[spu->spe];
    spu->tag_mask = 0;
    spu->expected = -1;
    starts[i] = (struct blade_program){
      .spe = spu->spe, .run = enter, .argument = spu, .name = spu->name, .start = spu->start};
  }
  struct blade_result result = blade_run(blade, starts, count);
  free(starts);
  return result;
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
