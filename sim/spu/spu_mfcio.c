/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_mfcio.h. A call costs the SPU mfc.issue cycles per command; surrounding code charges the code's own
 * cost (spu_time.h). */
#include "sim/spu/spu_mfcio.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_time.h"
#include "sim/spu/waits.h"

#include <assert.h>
#include <stdio.h>

/* --- commands --- */

static void enqueue(struct spu *spu, const struct dma_command *command) {
  struct spe *spe = spu->hw;
  struct fault fault;
  if (dma_check(&spe->dma, command, &fault)) {
    spe_fault(spe, fault.text);
  }
  if (!dma_room(&spe->dma, DMA_SPU)) {
    wait_for(WAIT_QUEUE, spe->board, &(struct wait){.spe = spe}, NULL);
  }
  program_compute(spe->board, COMPUTE_ISSUE, spe->board->parameters->issue);
  dma_enqueue(&spe->dma, command, des_local(spe->actor));
}

#define DMA_CALL(name, way, kind) \
  void name(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid) { \
    struct spu *spu = spu_self(); \
    (void)tid, (void)rid; \
    struct dma_command command = { \
      .direction = way, .order = kind, .ls = spu_ls_address(spu, ls), .ea = ea, .nbytes = size, .tag = tag}; \
    enqueue(spu, &command); \
  }

DMA_CALL(mfc_put, DMA_PUT, DMA_FREE)
DMA_CALL(mfc_putf, DMA_PUT, DMA_FENCE)
DMA_CALL(mfc_putb, DMA_PUT, DMA_BARRIER)
DMA_CALL(mfc_get, DMA_GET, DMA_FREE)
DMA_CALL(mfc_getf, DMA_GET, DMA_FENCE)
DMA_CALL(mfc_getb, DMA_GET, DMA_BARRIER)

void spu_move_data(const struct spu_data *data) {
  struct spu *spu = spu_self();
  struct dma_command command = {.direction = data->put ? DMA_PUT : DMA_GET,
                                .order = data->held ? DMA_BARRIER : DMA_FREE,
                                .ls = spu_ls_address(spu, data->ls),
                                .ea = data->ea,
                                .nbytes = data->nbytes,
                                .tag = data->tag,
                                .is_data = true};
  enqueue(spu, &command);
}

void mfc_putqlluc(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid) {
  struct spu *spu = spu_self();
  struct fault fault;
  if (atomic_check(&spu->hw->atomic, spu_ls_address(spu, ls), ea, &fault)) {
    spe_fault(spu->hw, fault.text);
  }
  mfc_putf(ls, ea, RESERVATION_BYTES, tag, tid, rid);
}

#define LIST_CALL(name, way, rule) \
  void name(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size, \
            uint32_t tag, uint32_t tid, uint32_t rid) { \
    struct spu *spu = spu_self(); \
    (void)tid, (void)rid; \
    struct dma_command command = {.direction = way, \
                                  .order = rule, \
                                  .kind = DMA_LIST, \
                                  .ls = spu_ls_address(spu, ls), \
                                  .ea = ea, \
                                  .nbytes = list_size, \
                                  .list = spu_ls_address(spu, list), \
                                  .tag = tag}; \
    enqueue(spu, &command); \
  }

LIST_CALL(mfc_putl, DMA_PUT, DMA_FREE)
LIST_CALL(mfc_putlf, DMA_PUT, DMA_FENCE)
LIST_CALL(mfc_putlb, DMA_PUT, DMA_BARRIER)
LIST_CALL(mfc_getl, DMA_GET, DMA_FREE)
LIST_CALL(mfc_getlf, DMA_GET, DMA_FENCE)
LIST_CALL(mfc_getlb, DMA_GET, DMA_BARRIER)

static void order(uint32_t tag, enum dma_order kind) {
  enqueue(spu_self(), &(struct dma_command){.kind = DMA_SYNC, .order = kind, .tag = tag});
}

void mfc_sync(uint32_t tag) {
  order(tag, DMA_BARRIER);
}

void mfc_eieio(uint32_t tag, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  order(tag, DMA_BARRIER);
}

void mfc_barrier(uint32_t tag) {
  order(tag, DMA_BARRIER_ALL);
}

static void hint(uint64_t ea, uint32_t size, uint32_t tag) {
  const struct spe *spe = spu_self()->hw;
  struct bus_end far;
  struct fault fault;
  if (size > MFC_MAX_DMA_SIZE || board_resolve(spe->board, ea, size, &far) != 0 ||
      (far.kind != BUS_END_LS && far.kind != BUS_END_MEMORY)) {
    fault_set(&fault, "cache command on %u bytes at 0x%llx, expected up to %d of a local store or memory",
              size, (unsigned long long)ea, MFC_MAX_DMA_SIZE);
    spu_fault(fault.text);
  }
  order(tag, DMA_FREE);
}

#define HINT_CALL(name) \
  void name(uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid) { \
    (void)tid, (void)rid; \
    hint(ea, size, tag); \
  }

HINT_CALL(mfc_sdcrt)
HINT_CALL(mfc_sdcrtst)
HINT_CALL(mfc_sdcrst)
HINT_CALL(mfc_sdcrf)

void mfc_sdcrz(uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid) {
  (void)ea, (void)size, (void)tag, (void)tid, (void)rid;
  spu_fault("sdcrz is not simulated, expected a put of zeros");
}

void mfc_sndsig(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid) {
  mfc_put(ls, ea, 4, tag, tid, rid);
}

void mfc_sndsigf(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid) {
  mfc_putf(ls, ea, 4, tag, tid, rid);
}

void mfc_sndsigb(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid) {
  mfc_putb(ls, ea, 4, tag, tid, rid);
}

uint32_t mfc_stat_cmd_queue(void) {
  return dma_room(&spu_look()->dma, DMA_SPU);
}

/* --- signals --- */

static uint32_t read_signal(unsigned which) {
  struct spu *spu = spu_self();
  struct spe *spe = spu->hw;
  wait_for(WAIT_SIGNAL, spe->board, &(struct wait){.spe = spe, .number = which, .from = spu->expected},
           &spe->signals[which].written);
  spu->expected = -1;
  board_see_order(spe->board, &(struct probe_event){
                                .kind = PROBE_SEEN_SIGNAL,
                                .seen = {.program = spe->index, .spe = spe->index, .number = which + 1}});
  return snr_read(&spe->signals[which]);
}

static uint32_t stat_signal(unsigned which) {
  return spu_look()->signals[which].full;
}

uint32_t spu_read_signal1(void) {
  return read_signal(0);
}

uint32_t spu_read_signal2(void) {
  return read_signal(1);
}

uint32_t spu_stat_signal1(void) {
  return stat_signal(0);
}

uint32_t spu_stat_signal2(void) {
  return stat_signal(1);
}

/* --- the state of the SPU --- */

void mfc_write_multi_src_sync_request(void) {
  spu_fault("multi-source synchronization is not simulated, expected flags, signals or mailboxes");
}

uint32_t mfc_stat_multi_src_sync_request(void) {
  spu_look();
  return 1;
}

uint32_t spu_read_machine_status(void) {
  spu_look();
  return spu_self()->interrupts;
}

uint32_t spu_read_srr0(void) {
  spu_look();
  return spu_self()->srr0;
}

void spu_write_srr0(uint32_t srr0) {
  spu_self()->srr0 = srr0;
}

/* --- decrementer --- */

void spu_write_decrementer(uint32_t count) {
  struct spe *spe = spu_self()->hw;
  spe_write_decrementer(spe, count, des_local(spe->actor));
}

uint32_t spu_read_decrementer(void) {
  struct spe *spe = spu_self()->hw;
  program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->channel_read);
  return spe_read_decrementer(spe, des_local(spe->actor));
}
