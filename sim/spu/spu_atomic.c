/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_atomic.h. A command costs the SPU mfc.issue cycles, as any other. */
#include "sim/spu/spu_atomic.h"

#include "sim/base/des.h"
#include "sim/hw/machine.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"

#include <stdio.h>

/* A wait for the atomic unit of one SPE. */
struct atomic_wait {
  struct des_wait wait;
  const struct atomic *atomic;
};

static const struct atomic *
of(const struct des_wait *wait)
{
  return ((const struct atomic_wait *)wait)->atomic;
}

static bool
is_idle(const struct des_wait *wait)
{
  return !of(wait)->busy;
}

static bool
is_told(const struct des_wait *wait)
{
  return of(wait)->told;
}

static void
describe(const struct des_wait *wait, char *text, size_t size)
{
  snprintf(text, size,
           of(wait)->busy ? "waits for its atomic command"
                          : "waits for the status of an atomic command that it has not given");
}

static void
begin(volatile void *ls, uint64_t ea, enum atomic_kind kind)
{
  struct spu *spu = spu_self();
  struct spe *spe = spu->hw;
  struct fault fault;
  uint32_t address = spu_ls_address(spu, ls);
  if (atomic_check(&spe->atomic, address, ea, &fault)) {
    spe_fault(spe, fault.text);
  }
  struct atomic_wait wait = {.wait = {.kinds = SPE_POKE_ATOMIC, .ready = is_idle, .describe = describe},
                             .atomic = &spe->atomic};
  program_wait(spe->machine, &wait.wait, PROBE_FOR_ATOMIC, NULL);
  program_compute(spe->machine, COMPUTE_ISSUE, spe->machine->parameters->issue);
  spe->atomic.ls = address;
  spe->atomic.ea = ea;
  atomic_begin(&spe->atomic, kind, des_local(spe->actor));
}

void
mfc_getllar(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid)
{
  (void)tid, (void)rid;
  begin(ls, ea, ATOMIC_GETLLAR);
}

void
mfc_putllc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid)
{
  (void)tid, (void)rid;
  begin(ls, ea, ATOMIC_PUTLLC);
}

void
mfc_putlluc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid)
{
  (void)tid, (void)rid;
  begin(ls, ea, ATOMIC_PUTLLUC);
}

uint32_t
mfc_read_atomic_status(void)
{
  struct spe *spe = spu_self()->hw;
  struct atomic_wait wait = {.wait = {.kinds = SPE_POKE_ATOMIC, .ready = is_told, .describe = describe},
                             .atomic = &spe->atomic};
  program_wait(spe->machine, &wait.wait, PROBE_FOR_ATOMIC, NULL);
  program_compute(spe->machine, COMPUTE_CHANNEL, spe->machine->parameters->channel_read);
  spe->atomic.told = false;
  return spe->atomic.status;
}

uint32_t
mfc_stat_atomic_status(void)
{
  return spu_look()->atomic.told;
}
