/* SPDX-License-Identifier: BSD-3-Clause
 * See host_port.h. */
#include "algos/step/host_port.h"

#include "algos/step/combine.h"
#include "algos/step/port.h"
#include "sim/spu/host_api.h"

static void *
local(uint32_t address)
{
  return host_memory(address);
}

static uint64_t
local_ea(unsigned process, uint32_t address)
{
  return host_ea(process, address);
}

static void
combine(const struct combine *operands)
{
  if (host_moves_data()) {
    combine_run(operands);
  }
}

static void
tell(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag)
{
  host_tell(&(struct host_transfer){.here = (void *)entries, .ea = ea, .nbytes = nbytes, .rail = tag});
}

static void
tell_near(const void *entries, uint64_t ea, uint32_t nbytes)
{
  host_tell_near(&(struct host_transfer){.here = (void *)entries, .ea = ea, .nbytes = nbytes});
}

static void
move(const struct step_dma *dma)
{
  (dma->put ? host_put : host_get)(&(struct host_transfer){
    .here = dma->ls, .ea = dma->ea, .nbytes = dma->nbytes, .tag = dma->tag, .rail = dma->slot});
}

/* --- what a host does not have --- */

static void
tell_list(const void *entries, uint64_t ea, mfc_list_element_t *list, uint32_t list_bytes, uint32_t tag)
{
  (void)entries, (void)ea, (void)list, (void)list_bytes, (void)tag;
  host_fault("a DMA list on a host, expected SPEs");
}

static void
send_signal(uint32_t *bits, unsigned spe, uint32_t tag)
{
  (void)bits, (void)spe, (void)tag;
  host_fault("a signal on a host, expected SPEs");
}

static uint32_t
read_signal(unsigned from)
{
  (void)from;
  host_fault("a signal on a host, expected SPEs");
}

static void
load_line(void *line, uint64_t ea)
{
  (void)line, (void)ea;
  host_fault("a reservation on a host, expected SPEs");
}

static bool
store_line(void *line, uint64_t ea)
{
  (void)line, (void)ea;
  host_fault("a reservation on a host, expected SPEs");
}

static void
write_mailbox(uint32_t word)
{
  (void)word;
  host_fault("a mailbox on a host, expected SPEs");
}

static uint32_t
read_mailbox(void)
{
  host_fault("a mailbox on a host, expected SPEs");
}

const struct step_port host_port = {
  .any_size = true,
  .local = local,
  .local_ea = local_ea,
  .combine = combine,
  .note_store = host_note_store,
  .note_load = host_note_load,
  .note_flags = host_note_flags,
  .note_enter = host_note_enter,
  .note_leave = host_note_leave,
  .note_step = host_note_step,
  .fault = host_fault,
  .compute = host_compute_for,
  .sync = host_sync,
  .cycles = host_cycles,
  .tell = tell,
  .tell_list = tell_list,
  .signal = send_signal,
  .wait_flag = host_wait_flag,
  .read_signal = read_signal,
  .move = move,
  .wait_tags = host_wait_tags,
  .wait_tag = host_wait_tag,
  .load_line = load_line,
  .store_line = store_line,
  .write_mailbox = write_mailbox,
  .read_mailbox = read_mailbox,
  .is_near = host_is_near,
  .tell_near = tell_near,
  .copy = host_copy,
  .use_one_rail = host_use_one_rail,
};
