/* SPDX-License-Identifier: BSD-3-Clause
 * Texts of algorithms: a text is refused with its line, or becomes a program for each place, with a command
 * for each transfer. The length of the text chooses the ranks. */
#include "algos/schedule/sched/sched.h"
#include "sim/base/err.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* Check that ERR has the line or the file of a mistake. */
static void require_place(const struct err *err) {
  FUZZ_REQUIRE(strncmp(err->text, "f:", 2) == 0 || strstr(err->text, " of f"));
}

void fuzz_sched(const char *text, size_t nbytes) {
  static const struct sched_shape shapes[] = {{1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {8, 2, 4}, {11, 2, 0}};
  const struct sched_shape *shape = &shapes[nbytes % (sizeof shapes / sizeof *shapes)];
  struct err err = {""};
  struct algo head;
  bool is_read = sched_head(text, nbytes, "f", &head, &err) == 0;
  if (!is_read) {
    require_place(&err);
  }
  struct sched_proof proof = {.is_wrong = false};
  struct sched *sched = sched_expand(text, nbytes, "f", shape, &proof);
  if (!sched) {
    require_place(&proof.why);
    return;
  }
  FUZZ_REQUIRE(is_read && sched->nplaces == shape->nranks && sched->collective == head.collective);
  sched_derive(sched);
  size_t nstarts = 0, ntransfers = 0;
  for (unsigned place = 0; place < sched->nplaces; place++) {
    for (size_t i = 0; i < sched->programs[place].ncommands; i++) {
      nstarts += sched->programs[place].commands[i].kind == COMMAND_START;
    }
  }
  for (size_t i = 0; i < sched->noperations; i++) {
    ntransfers += sched->operations[i].kind <= OPERATION_PUTADD;
  }
  FUZZ_REQUIRE(nstarts == ntransfers);
  sched_free(sched);
}
