/* SPDX-License-Identifier: BSD-3-Clause
 * Parameters in the units of the machine: delays are rounded once, to the nearest whole SPU cycle. */
#include "platform/parameters.h"
#include "tests/bed.h"

TESTS(parameters_of_platforms, .stop = bed_end);

static struct parameters with(const char *settings) {
  struct parameters parameters;
  parameters_init(&parameters, bed_platform("qs20", settings));
  return parameters;
}

/* Two SPU cycles are a bus cycle. */
TEST(delays_are_rounded_as_spu_cycles) {
  struct parameters p = with("clock.bus-divider=2 eib.command-interval=1.6 eib.hop=0.7 mfc.issue=10.6 "
                             "mfc.to-bus=10.4 eib.coherent-interval=0.3");
  ck_assert_uint_eq(p.eib_command_interval, 3); /* 3.2; rounded first, 2 bus cycles would be 4 */
  ck_assert_uint_eq(p.eib_hop, 1);              /* 1.4 */
  ck_assert_uint_eq(p.ring.hop, 1);
  ck_assert_uint_eq(p.mfc_issue, 11);
  ck_assert_uint_eq(p.mfc_to_bus, 10);
  ck_assert_uint_eq(p.memory_interval, 3); /* at least the interval of all commands */
  ck_assert_uint_eq(with("eib.command-interval=1 eib.coherent-interval=1.6").memory_interval, 3);
}

TEST(usable_spes_are_numbered_without_gaps) {
  struct parameters p =
    with("chip.units=PPE SPE1 SPE2 SPE0 MIC IOIF0;chip.usable-spes=SPE0 SPE2;eib.max-hops=3");
  ck_assert_uint_eq(p.spes_per_chip, 2);
  ck_assert_uint_eq(p.nspes, 2 * p.nchips);
  ck_assert_uint_eq(p.spe_units[0], 3);
  ck_assert_uint_eq(p.spe_units[1], 2);
  ck_assert_uint_eq(p.memory_unit, 4);
  ck_assert_uint_eq(p.bif_unit, 5);
}

TEST(data_in_local_store_begins_on_a_line) {
  static const unsigned reserved[][2] = {{0, 0}, {1, 128}, {128, 128}, {129, 256}};
  for (unsigned i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    char settings[32];
    snprintf(settings, sizeof settings, "ls.reserve=%u", reserved[i][0]);
    ck_assert_uint_eq(bed_platform("qs20", settings)->ls_base, reserved[i][1]);
  }
}
