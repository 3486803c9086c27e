/* SPDX-License-Identifier: BSD-3-Clause
 * The simulated blade as the machine under the vocabulary: sim/spu. */
#include "algos/step/combine.h"
#include "algos/step/port.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/spu_mfcio.h"

static void tell(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag) {
  mfc_putf((void *)entries, ea, nbytes, tag, 0, 0);
}

static void tell_list(const void *entries, uint64_t ea, mfc_list_element_t *list, uint32_t list_bytes,
                      uint32_t tag) {
  mfc_putlf((void *)entries, ea, list, list_bytes, tag, 0, 0);
}

static void send_signal(uint32_t *bits, unsigned spe, uint32_t tag) {
  mfc_sndsig(bits, spu_signal_ea(spe, 1), tag, 0, 0);
}

static uint32_t read_signal(unsigned from) {
  spu_expect_signal_from(from);
  return spu_read_signal1();
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

static void load_line(void *line, uint64_t ea) {
  mfc_getllar(line, ea, 0, 0);
  mfc_read_atomic_status();
}

static bool store_line(void *line, uint64_t ea) {
  mfc_putllc(line, ea, 0, 0);
  return !(mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

static uint32_t ppe_read_mailbox(unsigned spe) {
  uint32_t word;
  ppe_wait_out_mbox(&spe, 1);
  spe_out_mbox_read(spe, &word, 1);
  return word;
}

static void ppe_write_mailbox(unsigned spe, uint32_t word) {
  spe_in_mbox_write(spe, &word, 1, SPE_MBOX_ALL_BLOCKING);
}

static void ppe_combine(const struct combine *combine, uint64_t into, uint64_t from) {
  struct combine operands = *combine;
  operands.into = ppe_bytes(into, (uint32_t)combine->nbytes);
  operands.from = ppe_bytes(from, (uint32_t)combine->nbytes);
  ppe_work((uint32_t)combine->nbytes);
  ppe_note_load(from, (uint32_t)combine->nbytes);
  ppe_note_load(into, (uint32_t)combine->nbytes);
  ppe_note_store(into, (uint32_t)combine->nbytes);
  combine_run(&operands);
}

const struct step_port spu_port = {
  .local = spu_ls,
  .local_ea = spu_ls_ea,
  .note_store = spu_note_store,
  .note_load = spu_note_load,
  .note_flags = spu_note_flags,
  .note_memory_store = spu_note_memory_store,
  .note_memory_load = spu_note_memory_load,
  .note_enter = spu_note_enter,
  .note_leave = spu_note_leave,
  .note_step = spu_note_step,
  .note_barrier = spu_note_barrier,
  .fault = spu_fault,
  .compute = spu_compute_for,
  .sync = spu_catch_up,
  .cycles = spu_cycles,
  .tell = tell,
  .tell_list = tell_list,
  .signal = send_signal,
  .wait_flag = spu_wait_flag,
  .wait_any = spu_wait_any,
  .poll_flag = spu_poll_flag,
  .read_signal = read_signal,
  .move = move,
  .wait_tags = wait_tags,
  .poll_tags = poll_tags,
  .load_line = load_line,
  .store_line = store_line,
  .wait_line = spu_wait_line,
  .write_mailbox = spu_write_out_mbox,
  .read_mailbox = spu_read_in_mbox,
  .ppe_read_mailbox = ppe_read_mailbox,
  .ppe_write_mailbox = ppe_write_mailbox,
  .ppe_copy = ppe_memcpy,
  .ppe_wait_word = ppe_wait_word,
  .ppe_combine = ppe_combine,
  .net_put = net_put,
  .net_wait = net_wait,
  .ppe_note_enter = ppe_note_enter,
  .ppe_note_leave = ppe_note_leave,
};
