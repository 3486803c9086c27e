/* SPDX-License-Identifier: BSD-3-Clause
 * Hosts with NICs as the machine under the vocabulary: sim/node/host_api.h. A process takes the place of an
 * SPE, the memory of the process the place of the local store. A DMA command is a put or a get of any size. A
 * slot is the rail of messages without striping. A feature that only a blade has stops the program with a
 * fault; algorithms with such a feature declare NEED_SPES. */
#include "algos/step/port.h"
#include "sim/node/host_api.h"

static void *local(uint32_t address) {
  return host_memory(address);
}

static uint64_t local_ea(unsigned process, uint32_t address) {
  return host_ea(process, address);
}

static void tell(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag) {
  host_tell(&(struct host_transfer){.here = (void *)entries, .ea = ea, .nbytes = nbytes, .rail = tag});
}

static void tell_near(const void *entries, uint64_t ea, uint32_t nbytes) {
  host_tell_near(&(struct host_transfer){.here = (void *)entries, .ea = ea, .nbytes = nbytes});
}

static void move(const struct step_dma *dma) {
  (dma->put ? host_put : host_get)(&(struct host_transfer){
    .here = dma->ls, .ea = dma->ea, .nbytes = dma->nbytes, .tag = dma->tag, .rail = dma->slot});
}

const struct step_port host_port = {
  .any_size = true,
  .local = local,
  .local_ea = local_ea,
  .note_store = host_note_store,
  .note_load = host_note_load,
  .note_flags = host_note_flags,
  .note_enter = host_note_enter,
  .note_leave = host_note_leave,
  .note_step = host_note_step,
  .note_barrier = host_note_barrier,
  .fault = host_fault,
  .compute = host_compute_for,
  .sync = host_sync,
  .cycles = host_cycles,
  .tell = tell,
  .wait_flag = host_wait_flag,
  .wait_any = host_wait_any,
  .poll_flag = host_poll_flag,
  .move = move,
  .wait_tags = host_wait_tags,
  .wait_tag = host_wait_tag,
  .poll_tags = host_poll_tags,
  .is_near = host_is_near,
  .tell_near = tell_near,
  .copy = host_copy,
  .use_one_rail = host_use_one_rail,
};
