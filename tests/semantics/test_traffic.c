/* SPDX-License-Identifier: BSD-3-Clause
 * The traffic of a machine is the traffic of all its blades. */
#include "sim/node/machine.h"
#include "tests/bed.h"

enum { NODES = 3, FIRST_OF_CHIP_1 = 8, PLACE = 0x1000, NBYTES = 384 };

/* Put NBYTES to the other chip as often as ARGUMENT says. */
static void put_across(void *argument) {
  for (unsigned i = 0; i < *(const unsigned *)argument; i++) {
    mfc_put(spu_ls(PLACE), spu_ls_ea(FIRST_OF_CHIP_1, PLACE), NBYTES, 0, 0, 0);
  }
  bed_finish(1);
}

TESTS(traffic, .start = bed_start);

/* The nodes make 1, 2 and 3 puts of 3 bus requests each, over the rings of both chips and the link between
 * the chips. */
TEST(traffic_is_the_sum_over_all_blades) {
  static unsigned counts[NODES] = {1, 2, 3};
  struct machine_program programs[NODES];
  struct platform *platform = platform_read("blades", &failure);
  struct machine *machine = machine_of_nodes(platform, NODES, 0, &failure);
  ck_assert_msg(machine, "%s", failure.text);
  machine_reset(machine, NULL);
  for (unsigned i = 0; i < NODES; i++) {
    programs[i] = (struct machine_program){.main = put_across, .argument = &counts[i], .name = "sender"};
    machine_start(machine, (struct place){.kind = PLACE_SPE, .node = i}, &programs[i]);
  }
  struct blade_result result = machine_run(machine);
  ck_assert(!result.faults && !result.stuck);
  struct machine_traffic traffic = machine_traffic(machine);
  ck_assert_uint_eq(traffic.bus.dma_commands, 1 + 2 + 3);
  ck_assert_uint_eq(traffic.bus.bus_requests, 3 * (1 + 2 + 3));
  ck_assert_uint_eq(traffic.bus.eib_bytes, 2 * NBYTES * (1 + 2 + 3));
  ck_assert_uint_eq(traffic.bus.bif_bytes, NBYTES * (1 + 2 + 3));
  blade_result_fini(&result);
  machine_free(machine);
  platform_free(platform);
}
