/* SPDX-License-Identifier: BSD-3-Clause
 * See ppe.h. */
#include "sim/hw/ppe.h"

#include "sim/base/des.h"
#include "sim/hw/machine.h"
#include "sim/hw/program.h"

#include <assert.h>

void
ppe_start(struct ppe *ppe, const struct des_job *job, uint64_t start)
{
  struct des_job numbered = *job;
  assert(!ppe->actor);
  numbered.unit = ppe->machine->parameters->nspes + ppe->chip;
  ppe->actor = program_start(ppe->machine, &numbered, start);
}

bool
ppe_poke_all(const struct machine *machine, unsigned kinds, const struct probe_cause *cause)
{
  bool wakes = false;
  for (unsigned i = 0; i < machine->parameters->nchips; i++) {
    const struct des_actor *actor = machine->ppes[i].actor;
    if (des_poke(machine->ppes[i].actor, kinds)) {
      wakes = true;
      if (cause) {
        program_woken(actor, *cause);
      }
    }
  }
  return wakes;
}

void
ppe_fault(struct ppe *ppe, const char *what)
{
  des_sync(ppe->actor);
  machine_note_fault(ppe->machine, des_name(ppe->actor), des_local(ppe->actor), what);
  des_park(ppe->actor);
}
