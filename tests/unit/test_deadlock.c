/* SPDX-License-Identifier: BSD-3-Clause
 * The lines of a deadlock that are told. */
#include "validate/lab/verify/call_run.h"
#include "tests/suite.h"

static const struct {
  const char *stuck, *told;
} deadlocks[] = {
  {"rank 0 waits for flag 1 from rank 2 since cycle 5 in step 1\n"
   "rank 1 waits for flag 1 from rank 0 since cycle 6\n"
   "rank 2 waits for address 3 from rank 0 since cycle 7\n",
   "rank 0 waits for flag 1 from rank 2 since cycle 5 in step 1\n"
   "rank 2 waits for address 3 from rank 0 since cycle 7\n"
   "a cycle of 2; 1 other waits"},
  /* the way into a cycle is no part of the cycle; one of several awaited ranks is enough */
  {"rank 0 waits for flag 1 from rank 3 since cycle 5\n"
   "rank 3 on griffon-1 waits for block 2 step 1 3 from rank 3 or flag 1 from rank 9 since cycle 8\n",
   "rank 3 on griffon-1 waits for block 2 step 1 3 from rank 3 or flag 1 from rank 9 since cycle 8\n"
   "a cycle of 1; 1 other waits"},
  /* no cycle: rank 7 has ended; nobody knows who sends a signal; a line of memory has no rank */
  {"node 1: rank 4 waits for 1 from rank 5 in main memory at 0x10, which holds 0 since cycle 1\n"
   "node 1: rank 5 waits for flag 1 from rank 7 since cycle 2\n",
   "node 1: rank 4 waits for 1 from rank 5 in main memory at 0x10, which holds 0 since cycle 1\n"
   "node 1: rank 5 waits for flag 1 from rank 7 since cycle 2\n"
   "rank 7 runs no more"},
  {"rank 0 waits for flag 1 from rank -1 since cycle 1\nrank 1 waits for a signal in register 2 since cycle "
   "2\n",
   "rank 0 waits for flag 1 from rank -1 since cycle 1\n1 other waits"},
  {"rank 0 waits for flag 1 from rank 1 since cycle 1\n"
   "rank 1 loads the line at 0x80 again and again, which nobody writes since cycle 2\n",
   "rank 0 waits for flag 1 from rank 1 since cycle 1\n"
   "rank 1 loads the line at 0x80 again and again, which nobody writes since cycle 2\n"},
  /* a program that polls comes first, also if no walk leads there; a cycle beside it is told */
  {"rank 0 waits for flag 1 from rank 1 since cycle 1\n"
   "rank 1 waits for flag 1 from rank 7 since cycle 1\n"
   "rank 2 polls for ever: nothing has changed since cycle 5 in step 1\n",
   "rank 2 polls for ever: nothing has changed since cycle 5 in step 1\n2 others wait"},
  {"rank 0 waits for flag 1 from rank 1 since cycle 1\n"
   "rank 1 waits for flag 1 from rank 0 since cycle 2\n"
   "rank 2 polls for ever: nothing has changed since cycle 5\n"
   "rank 3 waits for flag 1 from rank 2 since cycle 2\n",
   "rank 2 polls for ever: nothing has changed since cycle 5\n"
   "rank 0 waits for flag 1 from rank 1 since cycle 1\n"
   "rank 1 waits for flag 1 from rank 0 since cycle 2\n"
   "a cycle of 2; 1 other waits"},
  {"rank 2 polls for ever: nothing has changed since cycle 5\n",
   "rank 2 polls for ever: nothing has changed since cycle 5\n"},
  /* PPEs that wait for messages */
  {"node 0: rank 3 waits for flag 1 from rank 0 since cycle 1\n"
   "node 0: PPE 0 waits for a message from node 1 since cycle 2\n"
   "node 1: PPE 0 waits for a message from node 0 (griffon-2) since cycle 3\n",
   "node 0: PPE 0 waits for a message from node 1 since cycle 2\n"
   "node 1: PPE 0 waits for a message from node 0 (griffon-2) since cycle 3\n"
   "a cycle of 2; 1 other waits"},
};

TESTS(deadlock);

TEST_EACH(a_deadlock_is_told_by_its_cycle, 0, sizeof deadlocks / sizeof *deadlocks) {
  char *told = deadlock_tell(deadlocks[_i].stuck, NULL);
  ck_assert_str_eq(told, deadlocks[_i].told);
  free(told);
}

/* Of a ring of 100 ranks eight are told. */
TEST(a_long_cycle_is_cut) {
  char stuck[100 * 64] = "", *told;
  for (unsigned i = 0, n = 0; i < 100; i++) {
    n += (unsigned)sprintf(stuck + n, "rank %u waits for flag 1 from rank %u since cycle 1\n", i,
                           (i + 37) % 100);
  }
  told = deadlock_tell(stuck, NULL);
  ck_assert_str_eq(strstr(told, "rank 59 waits"), "rank 59 waits for flag 1 from rank 96 since cycle 1\n"
                                                  "a cycle of 100, cut here");
  free(told);
}
