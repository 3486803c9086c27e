/* SPDX-License-Identifier: BSD-3-Clause
 * See ppe.h. */
#include "sim/hw/ppe.h"

#include "sim/base/des.h"
#include "sim/hw/blade.h"
#include "sim/hw/program.h"

bool
ppe_poke_all(const struct blade *blade, unsigned kinds, const struct probe_cause *cause)
{
  bool wakes = false;
  for (unsigned i = 0; i < blade->nchips; i++) {
    const struct des_actor *actor = blade->ppes[i].actor;
    if (des_poke(blade->ppes[i].actor, kinds)) {
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
  blade_note_fault(ppe->blade, ppe->actor, des_local(ppe->actor), what);
  des_park(ppe->actor);
}
