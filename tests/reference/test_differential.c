/* SPDX-License-Identifier: BSD-3-Clause
 * The fast engine and the reference agree on the cycle of every issue, grant, crossing, delivery, stop and
 * completion of random DMA programs on many machines. A message names the first difference, and the two
 * commands to show the logs. */
#include "tests/reference/rounds.h"
#include "tests/suite.h"

TESTS(differential, .start = bed_start, .stop = bed_end);

/* Loop test: the index is the machine. */
TEST_EACH(both_engines_agree, 0, BED_MACHINES) {
  bed_use_machine(_i);
  for (unsigned round = 0; round < (BED_SANITIZED ? 40 : 200); round++) {
    struct reference_log fast, plain;
    reference_round(reference_seed((unsigned)_i, round), &fast, &plain);
    char *difference = reference_difference(&fast, &plain);
    ck_assert_msg(!difference,
                  "machine %d, round %u: %s; both logs: tests/reference/show engine %d %u, "
                  "tests/reference/show reference %d %u",
                  _i, round, difference, _i, round, _i, round);
    free(fast.entries);
    free(plain.entries);
  }
}

/* Check that MESSAGE describes the difference of FAST and PLAIN, logs of one entry each. */
static void check_told(struct reference_entry *fast, struct reference_entry *plain, const char *message) {
  struct reference_log logs[] = {{.entries = fast, .count = fast != NULL},
                                 {.entries = plain, .count = plain != NULL}};
  char *difference = reference_difference(&logs[0], &logs[1]);
  ck_assert_pstr_eq(difference, message);
  free(difference);
}

TEST(differences_are_told_in_words) {
  struct reference_entry grant = {.cycle = 1500,
                                  .kind = PROBE_GRANT,
                                  .spe = 2,
                                  .command = 4,
                                  .tag = 1,
                                  .offset = 128,
                                  .nbytes = 64,
                                  .chip = 1,
                                  .ring = 3,
                                  .from = 5,
                                  .to = 9},
                         later = grant, other_ring = grant,
                         complete = {.cycle = 70, .kind = PROBE_COMPLETE, .spe = 1, .command = 2};
  later.cycle = 1502;
  other_ring.ring = 2;
  check_told(&grant, &grant, NULL);
  check_told(
    &grant, &later,
    "engine: bytes 128 to 191 of command 4 of SPE 2 (tag 1) get ring 3 of chip 1 from unit 5 to unit 9 in "
    "cycle 1500; reference: bytes 128 to 191 of command 4 of SPE 2 (tag 1) get ring 3 of chip 1 from unit 5 "
    "to unit 9 in cycle 1502");
  check_told(
    &later, &other_ring,
    "engine: bytes 128 to 191 of command 4 of SPE 2 (tag 1) get ring 3 of chip 1 from unit 5 to unit 9 in "
    "cycle 1502; reference: bytes 128 to 191 of command 4 of SPE 2 (tag 1) get ring 2 of chip 1 from unit 5 "
    "to unit 9 in cycle 1500");
  check_told(NULL, &complete, "engine: never; reference: command 2 of SPE 1 (tag 0) is complete in cycle 70");
}
