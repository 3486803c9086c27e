/* SPDX-License-Identifier: BSD-3-Clause
 * A plugin for events of traces that no algorithm of the catalogue has: a DMA list that stops and goes on;
 * and, on more than two ranks, a fault. */
#include "algos/plugin.h"
#include "algos/step/step.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

enum { TAG = 3, PART = 16 };

static void run_listed(struct coll *c) {
  unsigned other = 1 - c->rank;
  if (c->nranks > 2) {
    spu_fault("more than two ranks");
  }
  if (c->rank == c->root) {
    step_post(c, other, c->buffer);
    step_await_taken(c, other);
    return;
  }
  uint64_t ea = step_await_post(c, other);
  mfc_list_element_t *list = (void *)c->scratch;
  for (unsigned i = 0; i < 2; i++) {
    list[i] = (mfc_list_element_t){.notify = i == 0, .size = PART, .eal = (uint32_t)ea + PART * i};
  }
  mfc_getl(c->buffer, ea, list, 2 * sizeof *list, TAG, 0, 0);
  mfc_write_tag_mask(1u << TAG);
  mfc_read_list_stall_status();
  mfc_write_list_stall_ack(TAG);
  mfc_read_tag_status_all();
  step_acknowledge(c, other);
}

static size_t room(const struct coll_group *group) {
  (void)group;
  return 2 * sizeof(mfc_list_element_t);
}

static const struct algo listed = {.collective = COLL_BCAST,
                                   .name = "listed",
                                   .source = "ali2010",
                                   .idea = "the other rank gets 32 bytes by a list that stops",
                                   .scratch = room,
                                   .run = run_listed};
CELLCOLL_PLUGIN(&listed);
