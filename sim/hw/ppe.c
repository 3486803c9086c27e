/* SPDX-License-Identifier: BSD-3-Clause
 * See ppe.h. */
#include "sim/hw/ppe.h"

#include "sim/base/des.h"
#include "sim/hw/blade.h"

bool
ppe_poke_all(const struct blade *blade, unsigned kinds)
{
  bool wakes = false;
  for (unsigned i = 0; i < blade->nchips; i++) {
    wakes |= des_poke(blade->ppes[i].actor, kinds);
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
