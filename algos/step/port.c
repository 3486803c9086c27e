/* SPDX-License-Identifier: BSD-3-Clause
 * The simulated blade (sim/spu) and hosts with NICs (sim/node/host_api.h) below the vocabulary. On hosts the
 * memory of a process takes the place of a local store, a DMA command is a put or a get of any size, and a
 * slot is the rail of messages without striping. */
#include "algos/step/port.h"

#include "algos/step/combine.h"
#include "sim/node/host_api.h"

/* --- SPEs --- */

static void tell(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag) {
  mfc_putf((void *)entries, ea, nbytes, tag, 0, 0);
}

static void move(const struct step_dma *dma) {
  spu_move_data(&(struct spu_data){.ls = dma->ls,
                                   .ea = dma->ea,
                                   .nbytes = dma->nbytes,
                                   .tag = dma->tag,
                                   .put = dma->put,
                                   .held = dma->held});
}

static void wait_tags(uint32_t mask) {
  mfc_write_tag_mask(mask);
  mfc_read_tag_status_all();
}

static uint32_t poll_tags(uint32_t mask) {
  mfc_write_tag_mask(mask);
  return mfc_read_tag_status_immediate();
}

const struct step_port spu_port = {
  .local_ea = spu_ls_ea, .tell = tell, .move = move, .wait_tags = wait_tags, .poll_tags = poll_tags};

/* --- processes on hosts --- */

static void tell_process(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag) {
  host_tell(&(struct host_transfer){.here = (void *)entries, .ea = ea, .nbytes = nbytes, .rail = tag});
}

static void move_on_host(const struct step_dma *dma) {
  (dma->put ? host_put : host_get)(&(struct host_transfer){
    .here = dma->ls, .ea = dma->ea, .nbytes = dma->nbytes, .tag = dma->tag, .rail = dma->slot});
}

const struct step_port host_port = {.any_size = true,
                                    .local_ea = host_ea,
                                    .tell = tell_process,
                                    .move = move_on_host,
                                    .wait_tags = host_wait_tags,
                                    .poll_tags = host_poll_tags,
                                    .wait_tag = host_wait_tag};

/* --- PPEs --- */

uint32_t step_ppe_read_mailbox(unsigned spe) {
  uint32_t word;
  ppe_wait_out_mbox(&spe, 1);
  spe_out_mbox_read(spe, &word, 1);
  return word;
}

void step_ppe_write_mailbox(unsigned spe, uint32_t word) {
  spe_in_mbox_write(spe, &word, 1, SPE_MBOX_ALL_BLOCKING);
}

void step_ppe_combine(const struct combine *combine, uint64_t into, uint64_t from) {
  struct combine operands = *combine;
  operands.into = ppe_bytes(into, (uint32_t)combine->nbytes);
  operands.from = ppe_bytes(from, (uint32_t)combine->nbytes);
  ppe_work((uint32_t)combine->nbytes);
  ppe_note_load(from, (uint32_t)combine->nbytes);
  ppe_note_load(into, (uint32_t)combine->nbytes);
  ppe_note_store(into, (uint32_t)combine->nbytes);
  combine_run(&operands);
}
