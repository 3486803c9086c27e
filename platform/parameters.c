/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of the units of sim/hw. Whole delays are rounded to whole cycles, service intervals to
 * thousandths of a cycle. */
#include "platform/parameters.h"

#include <math.h>
#include <string.h>

static uint64_t whole(double cycles) {
  return (uint64_t)llround(cycles);
}

static uint64_t thousandths(double cycles) {
  return (uint64_t)llround(1000 * cycles);
}

#define TAKE_COUNT(value) (value)
#define TAKE_REAL(value) (value)
#define TAKE_TEXT(value) (value)
#define TAKE_CYCLES(value) whole(value)
#define TAKE_BUS_CYCLES(value) whole((value)*bus)

void parameters_init(struct parameters *parameters, const struct platform *p) {
  double bus = p->clock.bus_divider; /* SPU cycles */
  *parameters = (struct parameters){
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) \
  .group##_##field = TAKE_##kind(p->group.field),
#include "platform/platform.def"
    .spu_khz = (uint64_t)llround(p->clock.spu * 1e6),
    .timebase_khz = (uint64_t)llround(p->clock.timebase * 1e3),
    .nchips = p->blade.chips,
    .nspes = p->nspes,
    .spes_per_chip = p->spes_per_chip,
    .bif_unit = p->bif_unit,
    .memory_unit = p->memory_unit,
    .ring = {.nunits = p->nunits,
             .hops_max = p->eib.max_hops,
             .transfers_max = p->eib.transfers_per_ring,
             .start_interval = whole(p->eib.start_interval * bus),
             .hop = whole(p->eib.hop * bus),
             .beats = whole((p->eib.request_bytes / (double)p->eib.beat_bytes) * bus)},
    .nrings = p->eib.rings_clockwise + p->eib.rings_counterclockwise,
    .memory_interval = whole(fmax(p->eib.coherent_interval, p->eib.command_interval) * bus),
    .ramp_interval = rate_interval(thousandths(p->eib.ramp_interval * bus)),
    .memory_bytes = (uint64_t)p->memory.size << 20,
    .memory_read_mcyc = thousandths(p->memory.read_interval),
    .memory_write_mcyc = thousandths(p->memory.write_interval),
    .ls_port_mcyc = thousandths(p->ls.port_interval * bus),
    .copy_bytes_per_cycle = p->ppe.copy_bandwidth / p->clock.spu,
    .ppe_poll = whole(p->ppe.poll),
    .combine_bytes_per_cycle = p->ppe.combine * 1e-3 / p->clock.spu,
    .bif_byte_mcyc = 1000 / (p->bif.bandwidth / p->clock.spu),
  };
  memcpy(parameters->spe_units, p->spe_units, sizeof parameters->spe_units);
}

uint64_t parameters_link_mcyc(const struct parameters *parameters, unsigned nbytes) {
  return (uint64_t)llround((nbytes + parameters->bif_overhead) * parameters->bif_byte_mcyc);
}
