/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of SPE programs with the names of IBM's SDK, over the units of sim/hw. A call of a command costs
 * the SPU mfc.issue cycles, a look at a channel mfc.channel-read; every other call takes only the time of the
 * wait. Surrounding code charges the code's own cost (spu_time.h). */
#include "sim/spu/spu_mfcio.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/atomic.h"
#include "sim/hw/spe/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_time.h"

/* --- commands --- */

static void enqueue(struct spu *spu, const struct dma_given *command) {
  struct spe *spe = spu->hw;
  struct bus_end far;
  struct fault fault;
  if (dma_check(&spe->dma, command, &far, &fault)) {
    program_fault("%s", fault.text);
  }
  if (dma_is_full(&spe->dma, DMA_SPU)) {
    dma_let_go(&spe->dma, DMA_SPU, UINT32_MAX, false, des_local(spe->actor));
    wait_for(WAIT_QUEUE, &(struct wait){.spe = spe}, NULL);
  }
  program_stall(spe->board);
  program_compute(spe->board, COMPUTE_ISSUE, spe->board->parameters->mfc_issue);
  program_stall_for(spe->board, dma_enqueue(&spe->dma, command, &far, des_local(spe->actor)));
}

#define DMA_CALL(name, way, kind) \
  void name(volatile void *ls, uint64_t ea, uint32_t size, uint32_t tag, uint32_t tid, uint32_t rid) { \
    struct spu *spu = spu_self(); \
    (void)tid, (void)rid; \
    struct dma_given command = { \
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
  struct dma_given command = {.direction = data->put ? DMA_PUT : DMA_GET,
                              .order = data->held ? DMA_BARRIER : DMA_FREE,
                              .ls = spu_ls_address(spu, data->ls),
                              .ea = data->ea,
                              .nbytes = data->nbytes,
                              .tag = data->tag,
                              .is_data = true};
  enqueue(spu, &command);
}

/* Return the local store address of LS, from which, or into which, an atomic command moves the line at EA. */
static uint32_t line_address(const struct spu *spu, volatile void *ls, uint64_t ea) {
  struct fault fault;
  uint32_t address = spu_ls_address(spu, ls);
  if (atomic_check(&spu->hw->atomic, address, ea, &fault)) {
    program_fault("%s", fault.text);
  }
  return address;
}

void mfc_putqlluc(volatile void *ls, uint64_t ea, uint32_t tag, uint32_t tid, uint32_t rid) {
  line_address(spu_self(), ls, ea);
  mfc_putf(ls, ea, RESERVATION_BYTES, tag, tid, rid);
}

#define LIST_CALL(name, way, rule) \
  void name(volatile void *ls, uint64_t ea, volatile mfc_list_element_t *list, uint32_t list_size, \
            uint32_t tag, uint32_t tid, uint32_t rid) { \
    struct spu *spu = spu_self(); \
    (void)tid, (void)rid; \
    struct dma_given command = {.direction = way, \
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
  enqueue(spu_self(), &(struct dma_given){.kind = DMA_SYNC, .order = kind, .tag = tag});
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
  if (size > MFC_MAX_DMA_SIZE || board_resolve(spe->board, ea, size, &far) != 0 ||
      (far.kind != BUS_END_LS && far.kind != BUS_END_MEMORY)) {
    program_fault("cache command on %u bytes at 0x%llx, expected up to %d of a local store or memory", size,
                  (unsigned long long)ea, MFC_MAX_DMA_SIZE);
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
  program_fault("sdcrz is not simulated, expected a put of zeros");
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
  struct spe *spe = spu_look();
  dma_let_go(&spe->dma, DMA_SPU, UINT32_MAX, false, des_now());
  return spe->dma.queues[DMA_SPU].size - (unsigned)__builtin_popcount(spe->dma.queues[DMA_SPU].used);
}

/* --- completion of DMA commands --- */

void mfc_write_tag_mask(uint32_t mask) {
  struct spe *spe = spu_self()->hw;
  if (spe->dma.tag_query.asked) { /* the old mask counts up to this cycle */
    des_sync(spe->actor);
  }
  spe->dma.tag_query.mask = mask;
  if (spe->dma.tag_query.asked) {
    dma_let_go(&spe->dma, DMA_SPU, mask, spe->dma.tag_query.condition == DMA_TAGS_ANY, des_now());
  }
  dma_tags_look(&spe->dma, (struct probe_cause){.kind = PROBE_BY_NOTHING});
}

uint32_t mfc_read_tag_mask(void) {
  return spu_self()->hw->dma.tag_query.mask;
}

void mfc_write_tag_update(uint32_t condition) {
  struct spe *spe = spu_self()->hw;
  if (condition >= DMA_TAG_CONDITIONS) {
    program_fault("tag update condition %u, expected 0, 1 or 2", (unsigned)condition);
  }
  if (condition == DMA_TAGS_NOW) {
    program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->mfc_channel_read);
  }
  des_sync(spe->actor);
  dma_tags_ask(&spe->dma, (enum dma_tag_condition)condition);
}

void mfc_write_tag_update_immediate(void) {
  mfc_write_tag_update(MFC_TAG_UPDATE_IMMEDIATE);
}

void mfc_write_tag_update_any(void) {
  mfc_write_tag_update(MFC_TAG_UPDATE_ANY);
}

void mfc_write_tag_update_all(void) {
  mfc_write_tag_update(MFC_TAG_UPDATE_ALL);
}

uint32_t mfc_stat_tag_update(void) {
  spu_look();
  return 1;
}

/* Return the answer that DMA has, and clear the answer. */
static uint32_t take_answer(struct dma *dma) {
  dma->tag_query.answered = false;
  program_see(PROBE_SEEN_TAGS, .spe = dma->issuer);
  return dma->tag_query.answer;
}

uint32_t mfc_read_tag_status(void) {
  struct spe *spe = spu_self()->hw;
  wait_for(WAIT_TAG_STATUS, &(struct wait){.spe = spe}, NULL);
  return take_answer(&spe->dma);
}

uint32_t mfc_stat_tag_status(void) {
  return spu_look()->dma.tag_query.answered;
}

/* Ask for the status under CONDITION and read the answer: as mfc_write_tag_update and mfc_read_tag_status,
 * but the program, which may be ahead of the machine, waits only once. */
static uint32_t ask_and_read(enum dma_tag_condition condition) {
  struct spe *spe = spu_self()->hw;
  if (spe->dma.tag_query.asked || spe->dma.tag_query.answered) { /* an unread answer is the one to be read */
    mfc_write_tag_update(condition);
    return mfc_read_tag_status();
  }
  dma_let_go(&spe->dma, DMA_SPU, spe->dma.tag_query.mask, condition == DMA_TAGS_ANY, des_local(spe->actor));
  wait_for(WAIT_TAGS, &(struct wait){.spe = spe, .number = condition}, NULL);
  dma_tags_ask(&spe->dma, condition);
  return take_answer(&spe->dma);
}

uint32_t mfc_read_tag_status_immediate(void) {
  mfc_write_tag_update_immediate();
  return mfc_read_tag_status();
}

uint32_t mfc_read_tag_status_any(void) {
  return ask_and_read(DMA_TAGS_ANY);
}

uint32_t mfc_read_tag_status_all(void) {
  return ask_and_read(DMA_TAGS_ALL);
}

/* --- DMA lists that stop --- */

uint32_t mfc_read_list_stall_status(void) {
  struct spe *spe = spu_self()->hw;
  dma_let_go(&spe->dma, DMA_SPU, UINT32_MAX, false, des_local(spe->actor));
  wait_for(WAIT_LIST_STALL, &(struct wait){.spe = spe}, NULL);
  uint32_t tags = spe->dma.list_stalls;
  spe->dma.list_stalls = 0;
  program_see(PROBE_SEEN_STALLS, .spe = spe->index, .mask = tags);
  return tags;
}

uint32_t mfc_stat_list_stall_status(void) {
  struct spe *spe = spu_look();
  dma_let_go(&spe->dma, DMA_SPU, UINT32_MAX, false, des_now());
  return spe->dma.list_stalls != 0;
}

void mfc_write_list_stall_ack(uint32_t tag) {
  struct spe *spe = spu_self()->hw;
  if (tag >= DMA_TAGS) {
    program_fault("tag %u, expected 0 to %d", (unsigned)tag, DMA_TAGS - 1);
  }
  des_sync(spe->actor);
  dma_list_resume(&spe->dma, tag);
}

/* --- tag manager --- */

/* Return the set of COUNT tags from FIRST on; 0 if there is no such set. */
static uint32_t tags(uint32_t first, uint32_t count) {
  if (count == 0 || count > DMA_TAGS || first > DMA_TAGS - count) {
    return 0;
  }
  return (UINT32_MAX >> (DMA_TAGS - count)) << first;
}

uint32_t mfc_multi_tag_reserve(uint32_t count) {
  struct spu *spu = spu_self();
  for (uint32_t first = 0, wanted; (wanted = tags(first, count)); first++) {
    if (!(spu->tags_taken & wanted)) {
      spu->tags_taken |= wanted;
      return first;
    }
  }
  return MFC_TAG_INVALID;
}

uint32_t mfc_tag_reserve(void) {
  return mfc_multi_tag_reserve(1);
}

uint32_t mfc_multi_tag_release(uint32_t first, uint32_t count) {
  struct spu *spu = spu_self();
  uint32_t given = tags(first, count);
  if (!given || (spu->tags_taken & given) != given) {
    return MFC_TAG_INVALID;
  }
  spu->tags_taken &= ~given;
  return MFC_TAG_VALID;
}

uint32_t mfc_tag_release(uint32_t tag) {
  return mfc_multi_tag_release(tag, 1);
}

/* --- signals --- */

static uint32_t read_signal(unsigned which) {
  struct spu *spu = spu_self();
  struct spe *spe = spu->hw;
  wait_for(WAIT_SIGNAL, &(struct wait){.spe = spe, .number = which, .from = spu->expected},
           &spe->signals[which].written);
  spu->expected = -1;
  program_see(PROBE_SEEN_SIGNAL, .spe = spe->index, .number = which + 1);
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
  program_fault("multi-source synchronization is not simulated, expected flags, signals or mailboxes");
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
  struct spu *spu = spu_self();
  spu->srr0 = srr0 & (spu->hw->board->parameters->ls_size - 1) & ~3U; /* an instruction in the local store */
}

/* --- decrementer --- */

void spu_write_decrementer(uint32_t count) {
  struct spe *spe = spu_self()->hw;
  spe_write_decrementer(spe, count, des_local(spe->actor));
}

uint32_t spu_read_decrementer(void) {
  struct spe *spe = spu_look();
  des_note_change();
  return spe_read_decrementer(spe, des_local(spe->actor));
}

/* --- atomic commands, and spu_wait_line of spu_time.h --- */

/* Return the atomic unit for the next command, with addresses LS and EA. */
static struct atomic *prepare(volatile void *ls, uint64_t ea) {
  struct spe *spe = spu_self()->hw;
  uint32_t address = line_address(spu_self(), ls, ea);
  wait_for(WAIT_ATOMIC_UNIT, &(struct wait){.spe = spe}, NULL);
  program_compute(spe->board, COMPUTE_ISSUE, spe->board->parameters->mfc_issue);
  spe->atomic.ls = address;
  spe->atomic.ea = ea;
  return &spe->atomic;
}

static void begin_atomic(volatile void *ls, uint64_t ea, enum atomic_kind kind) {
  struct atomic *atomic = prepare(ls, ea);
  atomic_begin(atomic, kind, des_local(atomic->spe->actor));
}

/* Wait for the completion of ATOMIC, by a wait of KIND, and read the status. */
static uint32_t read_status(struct atomic *atomic, enum wait_kind kind) {
  struct spe *spe = atomic->spe;
  wait_for(kind, &(struct wait){.spe = spe}, NULL);
  program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->mfc_channel_read);
  atomic->told = false;
  return atomic->status;
}

void mfc_getllar(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  begin_atomic(ls, ea, ATOMIC_GETLLAR);
}

void mfc_putllc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  begin_atomic(ls, ea, ATOMIC_PUTLLC);
}

void mfc_putlluc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  begin_atomic(ls, ea, ATOMIC_PUTLLUC);
}

uint32_t mfc_read_atomic_status(void) {
  return read_status(&spu_self()->hw->atomic, WAIT_ATOMIC);
}

uint32_t mfc_stat_atomic_status(void) {
  return spu_look()->atomic.told;
}

/* Wait for a line, load by load. */
static void load_until_found(const struct spu_line_wait *wait) {
  do {
    mfc_getllar(wait->ls, wait->ea, 0, 0);
    mfc_read_atomic_status();
    spu_compute_for(wait->reason, wait->cycles);
  } while (!wait->found((const void *)wait->ls, wait->context));
}

void spu_wait_line(const struct spu_line_wait *wait) {
  const struct board *board = spu_self()->hw->board;
  const struct parameters *parameters = board->parameters;
  /* a command given in the cycle in which the MFC receives the command comes after the commands of all other
   * MFCs of that cycle */
  if (board->probes.each_load || parameters->mfc_issue == 0) {
    load_until_found(wait);
    return;
  }
  struct atomic_poll poll = {.found = wait->found,
                             .context = wait->context,
                             .pause = parameters->mfc_channel_read + wait->cycles + parameters->mfc_issue};
  struct atomic *atomic = prepare(wait->ls, wait->ea);
  atomic_begin_poll(atomic, &poll, des_local(atomic->spe->actor));
  read_status(atomic, WAIT_LINE);
  spu_compute_for(wait->reason, wait->cycles);
}

/* --- mailboxes: a call without a wait takes no time, as with signals --- */

static void write_out(struct spe *spe, struct mailbox *mailbox, enum wait_kind room, uint32_t data) {
  program_compute(spe->board, COMPUTE_OTHER, des_lateness());
  wait_for(room, &(struct wait){.spe = spe}, &mailbox->read);
  spe_write_mailbox(spe, mailbox, data);
}

uint32_t spu_read_in_mbox(void) {
  struct spe *spe = spu_self()->hw;
  wait_for(WAIT_IN_WORD, &(struct wait){.spe = spe}, &spe->in_mailbox.written);
  return spe_read_mailbox(spe, &spe->in_mailbox);
}

uint32_t spu_stat_in_mbox(void) {
  return spu_look()->in_mailbox.count;
}

void spu_write_out_mbox(uint32_t data) {
  struct spe *spe = spu_self()->hw;
  write_out(spe, &spe->out_mailbox, WAIT_OUT_ROOM, data);
}

void spu_write_out_intr_mbox(uint32_t data) {
  struct spe *spe = spu_self()->hw;
  write_out(spe, &spe->out_interrupt_mailbox, WAIT_OUT_INTERRUPT_ROOM, data);
}

uint32_t spu_stat_out_mbox(void) {
  return mailbox_room(&spu_look()->out_mailbox);
}

uint32_t spu_stat_out_intr_mbox(void) {
  return mailbox_room(&spu_look()->out_interrupt_mailbox);
}

/* --- events --- */

void spu_write_event_mask(uint32_t mask) {
  struct spe *spe = spu_self()->hw;
  des_sync(spe->actor);
  spe_events_enable(spe, mask);
}

uint32_t spu_read_event_mask(void) {
  return spu_self()->hw->events.mask;
}

uint32_t spu_read_event_status(void) {
  struct spe *spe = spu_self()->hw;
  des_sync(spe->actor);
  dma_let_go(&spe->dma, DMA_SPU, UINT32_MAX, false, des_now());
  spe_events_begin_wait(spe);
  wait_for(WAIT_EVENT, &(struct wait){.spe = spe}, &spe->events.cause);
  spe_events_end_wait(spe);
  spe->events.fresh = false;
  return spe->events.pending & spe->events.mask;
}

uint32_t spu_stat_event_status(void) {
  struct spe *spe = spu_look();
  spe_events_look(spe);
  return spe->events.fresh;
}

void spu_write_event_ack(uint32_t events) {
  struct spe *spe = spu_self()->hw;
  des_sync(spe->actor);
  spe_events_acknowledge(spe, events);
}

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
