/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_tag_status.h. To look at the status now takes mfc.channel-read cycles; all else only the time that is waited. */
#include "sim/spu/spu_tag_status.h"

#include "sim/base/des.h"
#include "sim/hw/machine.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_settle.h"
#include "sim/spu/spu_time.h"
#include "sim/spu/spu_channel.h"

#include <assert.h>
#include <stdio.h>

/* A wait for tag groups of one MFC. */
struct tag_wait {
  struct des_wait wait;
  const struct dma *dma;
  enum dma_tag_condition condition;
};

static const struct tag_wait *
of(const struct des_wait *wait)
{
  return (const struct tag_wait *)wait;
}

static bool
is_met(const struct des_wait *wait)
{
  return dma_tags_meet(of(wait)->dma, of(wait)->condition);
}

static bool
is_answered(const struct des_wait *wait)
{
  return of(wait)->dma->tag_query.answered;
}

static void
describe_groups(const struct des_wait *wait, char *text, size_t size)
{
  const struct dma *dma = of(wait)->dma;
  uint32_t stopped = dma_list_stopped(dma) & dma->tag_query.mask;
  int used = snprintf(text, size, "waits for tag groups 0x%x", (unsigned)dma->tag_query.mask);
  if (stopped && used > 0 && (size_t)used < size) {
    snprintf(text + used, size - (size_t)used,
             ", where lists of 0x%x have stopped and wait for MFC_WrListStallAck", (unsigned)stopped);
  }
}

static void
describe_answer(const struct des_wait *wait, char *text, size_t size)
{
  if (of(wait)->dma->tag_query.asked) {
    describe_groups(wait, text, size);
  } else {
    snprintf(text, size, "reads MFC_RdTagStat without a write of MFC_WrTagUpdate since the last read");
  }
}

void
mfc_write_tag_mask(uint32_t mask)
{
  spu_self()->hw->dma.tag_query.mask = mask;
}

uint32_t
mfc_read_tag_mask(void)
{
  return spu_self()->hw->dma.tag_query.mask;
}

void
mfc_write_tag_update(uint32_t condition)
{
  struct spe *spe = spu_self()->hw;
  if (condition >= DMA_TAG_CONDITIONS) {
    struct fault fault;
    spe_fault(spe, fault_set(&fault, "tag update condition %u, expected 0, 1 or 2", (unsigned)condition));
  }
  if (condition == DMA_TAGS_NOW) {
    program_compute(spe->machine, COMPUTE_CHANNEL, spe->machine->parameters->channel_read);
  }
  des_sync(spe->actor);
  dma_tags_ask(&spe->dma, (enum dma_tag_condition)condition);
}

void
mfc_write_tag_update_immediate(void)
{
  mfc_write_tag_update(MFC_TAG_UPDATE_IMMEDIATE);
}

void
mfc_write_tag_update_any(void)
{
  mfc_write_tag_update(MFC_TAG_UPDATE_ANY);
}

void
mfc_write_tag_update_all(void)
{
  mfc_write_tag_update(MFC_TAG_UPDATE_ALL);
}

uint32_t
mfc_stat_tag_update(void)
{
  spu_look();
  return 1;
}

/* Take the answer of DMA, which there is.
 * returns: it. */
static uint32_t
take_answer(struct dma *dma)
{
  dma->tag_query.answered = false;
  return dma->tag_query.answer;
}

uint32_t
mfc_read_tag_status(void)
{
  struct spe *spe = spu_self()->hw;
  struct tag_wait wait = {.wait = {.kinds = SPE_POKE_DMA, .ready = is_answered, .describe = describe_answer},
                          .dma = &spe->dma};
  program_wait(spe->machine, &wait.wait, PROBE_FOR_TAGS, NULL);
  return take_answer(&spe->dma);
}

uint32_t
mfc_stat_tag_status(void)
{
  return spu_look()->dma.tag_query.answered;
}

/* Return a wait until CONDITION is met for the chosen tag groups of SPE. */
static struct tag_wait
wait_for_tags(const struct spe *spe, enum dma_tag_condition condition)
{
  return (struct tag_wait){.wait = {.kinds = SPE_POKE_DMA, .ready = is_met, .describe = describe_groups},
                           .dma = &spe->dma,
                           .condition = condition};
}

/* Ask for the status of SPE under CONDITION and read it: as mfc_write_tag_update and mfc_read_tag_status, but the program, which may be
 * ahead of the machine, waits only once. */
static uint32_t
ask_and_read(struct spe *spe, enum dma_tag_condition condition)
{
  struct tag_wait wait = wait_for_tags(spe, condition);
  program_wait(spe->machine, &wait.wait, PROBE_FOR_TAGS, NULL);
  dma_tags_ask(&spe->dma, condition);
  return take_answer(&spe->dma);
}

uint32_t
mfc_read_tag_status_immediate(void)
{
  mfc_write_tag_update_immediate();
  return mfc_read_tag_status();
}

uint32_t
mfc_read_tag_status_any(void)
{
  return ask_and_read(spu_self()->hw, DMA_TAGS_ANY);
}

uint32_t
mfc_read_tag_status_all(void)
{
  return ask_and_read(spu_self()->hw, DMA_TAGS_ALL);
}

/* --- waits that the program need not see the end of --- */

void
spu_settle_tags(uint32_t mask, enum compute_reason reason, uint64_t cycles)
{
  assert(mask);
  spu_self()->unsettled = (struct spu_unsettled){.mask = mask, .reason = reason, .cycles = cycles};
}

/* Compute, as SPU, for what it computes after the wait that it had left. */
static void
compute_settled(struct spu *spu)
{
  program_compute(spu->hw->machine, spu->unsettled.reason, spu->unsettled.cycles);
  spu->unsettled.mask = 0;
}

void
spu_settle(struct spu *spu)
{
  spu->hw->dma.tag_query.mask = spu->unsettled.mask;
  ask_and_read(spu->hw, DMA_TAGS_ALL);
  compute_settled(spu);
}

/* A wait for the tag groups that SPU has left to wait for, and then for something else. */
struct settling_wait {
  struct tag_wait tags; /* first */
  struct spu *spu;
  struct des_wait *then;
};

static struct des_wait *
settled(struct des_wait *wait)
{
  const struct settling_wait *settling = (const struct settling_wait *)wait;
  struct dma *dma = &settling->spu->hw->dma;
  dma_tags_ask(dma, DMA_TAGS_ALL);
  take_answer(dma);
  compute_settled(settling->spu);
  return settling->then;
}

void
spu_settle_and_wait(struct spu *spu, struct des_wait *wait, enum probe_subject subject,
                    const struct probe_cause *by)
{
  struct machine *machine = spu->hw->machine;
  if (spu->unsettled.mask && machine->followed_in_detail) {
    spu_settle(spu); /* observers want to know how long each wait takes */
  }
  if (!spu->unsettled.mask) {
    program_wait(machine, wait, subject, by);
    return;
  }
  struct settling_wait settling = {.tags = wait_for_tags(spu->hw, DMA_TAGS_ALL), .spu = spu, .then = wait};
  settling.tags.wait.next = settled;
  spu->hw->dma.tag_query.mask = spu->unsettled.mask;
  des_wait(spu->hw->actor, &settling.tags.wait);
}
