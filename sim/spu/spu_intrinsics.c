/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/spu/spu_intrinsics.h"

#include "sim/hw/spe/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

/* --- channels by number: the named calls do the work and take the same time --- */

#define NONE NULL

static uint32_t count_one(void) {
  spu_look();
  return 1;
}

static void refuse_sources(uint32_t value) {
  (void)value;
  mfc_write_multi_src_sync_request();
}

/* The last values written to the channels before MFC_Cmd. */
enum { LSA, EAH, EAL, SIZE, TAG };

#define DMA(name) mfc_##name(ls, ea, r[SIZE], r[TAG], 0, 0)
#define LIST(name) mfc_##name(ls, (uint64_t)r[EAH] << 32, (void *)(store + r[EAL]), r[SIZE], r[TAG], 0, 0)
#define HINT(name) mfc_##name(ea, r[SIZE], r[TAG], 0, 0)

static void give_command(uint32_t word) {
  const uint32_t *r = spu_self()->registers;
  uint8_t *store = spu_self()->hw->ls, *ls = store + r[LSA];
  uint64_t ea = (uint64_t)r[EAH] << 32 | r[EAL];
  switch (word & 0xffff) {
#define COMMAND(name, number, call) \
  case name: \
    call; \
    break;
#include "sim/spu/spu_channel.def"
  default:
    program_fault("MFC command 0x%x, expected one that there is", word & 0xffff);
  }
}

static const struct channel {
  uint32_t (*read)(void);
  void (*write)(uint32_t value);
  uint32_t (*count)(void);
} channels[] = {
#define CHANNEL(name, number, read, write, count) [name] = {read, write, count},
#include "sim/spu/spu_channel.def"
};
static const struct channel no_channel;

static const struct channel *channel_of(unsigned number) {
  return number < sizeof channels / sizeof *channels ? &channels[number] : &no_channel;
}

uint32_t spu_readch(unsigned channel) {
  if (!channel_of(channel)->read) {
    program_fault("read of channel %u, expected one that can be read", channel);
  }
  return channel_of(channel)->read();
}

void spu_writech(unsigned channel, uint32_t value) {
  struct spu *spu = spu_self();
  if (channel >= MFC_LSA && channel <= MFC_TagID) {
    spu->registers[channel - MFC_LSA] = value;
  } else if (channel_of(channel)->write) {
    channel_of(channel)->write(value);
  } else {
    program_fault("write of channel %u, expected one that can be written", channel);
  }
}

uint32_t spu_readchcnt(unsigned channel) {
  const struct channel *known = channel_of(channel);
  return known->count ? known->count() : 0;
}

/* --- intrinsics: writes of channels do the work --- */

void spu_mfcdma64(volatile void *ls, uint32_t eah, uint32_t eal, uint32_t size, uint32_t tag,
                  uint32_t command) {
  spu_writech(MFC_LSA, spu_ls_address(spu_self(), ls));
  spu_writech(MFC_EAH, eah);
  spu_writech(MFC_EAL, eal);
  spu_writech(MFC_Size, size);
  spu_writech(MFC_TagID, tag);
  spu_writech(MFC_Cmd, command);
}

void spu_mfcdma32(volatile void *ls, uint32_t ea, uint32_t size, uint32_t tag, uint32_t command) {
  spu_mfcdma64(ls, 0, ea, size, tag, command);
}

uint32_t spu_mfcstat(uint32_t condition) {
  mfc_write_tag_update(condition);
  return mfc_read_tag_status();
}

void spu_sync(void) {
  spu_catch_up();
}

void spu_sync_c(void) {
  spu_catch_up();
}

void spu_dsync(void) {
  spu_catch_up();
}

void spu_ienable(void) {
  spu_self()->interrupts = true;
}

void spu_idisable(void) {
  spu_self()->interrupts = false;
}

void spu_stop(uint32_t type) {
  program_fault("stop 0x%x: nobody lets a stopped program go on", (unsigned)type & 0x3fff);
}
