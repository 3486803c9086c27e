/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary. Notifications are sent as fenced puts. Each peer has its own tag, as long as there are
 * tags, so that two notifications to the same peer keep their order while notifications to different peers
 * are not ordered. A put reads the local store late, so every peer has two outgoing entries, used in turn. */
#include "algos/step/step.h"

#include "algos/step/coll_state.h"
#include "algos/step/combine.h"
#include "algos/step/port.h"
#include "sim/base/minmax.h"
#include "sim/node/host_api.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
  TAG_DATA = 0,
  TAG_NOTICE = 1, /* the first of NOTICE_TAGS tags */
  NOTICE_TAGS = 16,
  TAG_SLOT = TAG_NOTICE + NOTICE_TAGS, /* tag of slot 1; the following slots have the following tags */
  ALL_TAGS = 32,                       /* number of tags of an MFC */
};

/* The arrays in local store, each of one entry per rank. */
enum array { ADDRESS_IN, FLAG_IN, ADDRESS_OUT, FLAG_OUT = ADDRESS_OUT + 2, ARRAYS = FLAG_OUT + 2 };

/* --- checks of a request, before the request is executed --- */

static const struct step_port *port(const struct coll *c) {
  return c->group->port;
}

/* Stop the calling program with the fault WHAT unless CONDITION holds. */
static void require(bool condition, const char *what) {
  if (!condition) {
    spu_fault(what);
  }
}

/* The same unless the rank of C runs on an SPE: hosts lack features of an MFC. */
static void require_spe(const struct coll *c, const char *what) {
  require(!c->group->on_hosts, what);
}

/* Stop the program of C because of the invalid RANK. */
static __attribute__((noreturn, cold)) void fault_of_rank(const struct coll *c, unsigned rank) {
  char what[64];
  snprintf(what, sizeof what, "rank %u, expected one of 0 to %u", rank, c->nranks - 1);
  spu_fault(what);
}

/* Return RANK if C has such a rank, else stop the program. */
static unsigned known(const struct coll *c, unsigned rank) {
  if (__builtin_expect(rank >= c->nranks, 0)) {
    fault_of_rank(c, rank);
  }
  return rank;
}

/* Return the number of the SPE of RANK. */
static unsigned spe_of(const struct coll *c, unsigned rank) {
  return c->group->spe_of[known(c, rank)];
}

/* --- notifications to one rank --- */

size_t step_arrays_bytes(unsigned nranks) {
  return ARRAYS * nranks * sizeof(struct notice);
}

unsigned step_arrays_sender(unsigned nranks, size_t offset) {
  size_t place = offset / sizeof(struct notice);
  return place < (size_t)ADDRESS_OUT * nranks ? (unsigned)(place % nranks) : nranks;
}

static struct notice *entry(struct coll *c, enum array array, unsigned rank) {
  return c->state->arrays + array * c->nranks + rank;
}

/* Return how often C and PEER have told each other something. */
static struct peer_count *counts(const struct coll *c, unsigned peer) {
  known(c, peer);
  struct peer_count **block = &c->state->peers[peer / PEER_BLOCK];
  if (!*block) {
    *block = driver_peers();
  }
  return *block + peer % PEER_BLOCK;
}

uint64_t step_peer_ea(const struct coll *c, unsigned rank, const void *local) {
  const uint8_t *here = spu_ls(0);
  return port(c)->local_ea(spe_of(c, rank), (uint32_t)((const uint8_t *)local - here));
}

static uint32_t notice_tag(unsigned peer) {
  return TAG_NOTICE + peer % NOTICE_TAGS;
}

/* Return the tag of SLOT of C: a tag of an MFC, or, on hosts, a number beyond the tags of an MFC. */
static uint32_t slot_tag(const struct coll *c, unsigned slot) {
  unsigned last = port(c)->wait_tag ? INT_MAX : STEP_SLOTS - 1;
  if (slot > last) {
    char what[64];
    snprintf(what, sizeof what, "slot %u, expected one of 0 to %u", slot, last);
    spu_fault(what);
  }
  return slot == 0 ? TAG_DATA : slot < STEP_SLOTS ? TAG_SLOT + slot - 1 : ALL_TAGS + slot - STEP_SLOTS;
}

static void wait_for_tag(struct coll *c, uint32_t tag) {
  if (tag < ALL_TAGS) {
    port(c)->wait_tags(UINT32_C(1) << tag);
  } else {
    port(c)->wait_tag(tag);
  }
  spu_compute_for(COMPUTE_TAG, c->group->costs.tag);
}

/* Return which of the two entries for flags and signals to a rank is next, after TOLD, when SERIAL
 * flags have been sent. */
static enum array flag_out(const struct peer_count *told, uint32_t serial) {
  return FLAG_OUT + (serial + told->signalled) % 2;
}

/* Put EA and SERIAL into this rank's entry of array IN at rank TO. */
static void put_notice(struct coll *c, unsigned to, enum array in, struct notice notice) {
  enum array out =
    in == ADDRESS_IN ? (enum array)(ADDRESS_OUT + notice.serial % 2) : flag_out(counts(c, to), notice.serial);
  spu_compute_for(COMPUTE_SEND, c->group->costs.send);
  spu_note_store(entry(c, out, to), sizeof notice);
  *entry(c, out, to) = notice;
  port(c)->tell(entry(c, out, to), step_peer_ea(c, to, entry(c, in, c->rank)), sizeof notice, notice_tag(to));
}

/* Return the condition: entry FROM of array IN has reached SERIAL. */
static struct spu_flag notice_flag(struct coll *c, unsigned from, enum array in, uint32_t serial) {
  return (struct spu_flag){.word = &entry(c, in, from)->serial,
                           .value = serial,
                           .peer = (int)group_name(c->group, from),
                           .what = in == ADDRESS_IN ? "address" : "flag"};
}

static void await_notice(struct coll *c, unsigned from, enum array in, uint32_t serial) {
  struct spu_flag flag = notice_flag(c, from, in, serial);
  spu_wait_flag(&flag);
  spu_compute_for(COMPUTE_RECEIVE, c->group->costs.receive);
}

void step_enter(struct coll *c) {
  spu_note_flags(entry(c, ADDRESS_IN, 0), c->nranks * sizeof(struct notice));
  spu_note_flags(entry(c, FLAG_IN, 0), c->nranks * sizeof(struct notice));
}

void step_begin(struct coll *c) {
  spu_note_step(++c->state->step, NULL);
  spu_compute_for(COMPUTE_STEP, c->group->costs.step);
}

void step_compute(struct coll *c, uint64_t cycles) {
  (void)c;
  spu_compute(cycles);
}

void step_notify(struct coll *c, unsigned to) {
  put_notice(c, to, FLAG_IN, (struct notice){.serial = ++counts(c, to)->notified});
  wait_for_tag(c, notice_tag(to));
}

void step_await(struct coll *c, unsigned from) {
  await_notice(c, from, FLAG_IN, ++counts(c, from)->awaited);
}

/* Return the bit of signal NUMBER, counted from 0, from RANK to one rank. */
static uint32_t signal_bit(unsigned rank, uint32_t number) {
  require(rank < COLL_SIGNAL_BITS,
          "a signal of more than 16 ranks, of which each has one bit of half a signal register");
  return UINT32_C(1) << (rank + (number % 2 ? COLL_SIGNAL_BITS : 0));
}

void step_signal(struct coll *c, unsigned to) {
  require_spe(c, "a signal on a host, expected SPEs");
  spu_compute_for(COMPUTE_SEND, c->group->costs.send);
  struct peer_count *told = counts(c, to);
  uint32_t bit = signal_bit(c->rank, told->signalled++);
  uint32_t *bits = &entry(c, flag_out(told, told->notified), to)->bits;
  spu_note_store(bits, sizeof *bits);
  *bits = bit;
  mfc_sndsig(bits, spu_signal_ea(spe_of(c, to), 1), notice_tag(to), 0, 0);
}

void step_await_signal(struct coll *c, unsigned from) {
  step_await_any_signal(c, from < COLL_SIGNAL_BITS ? UINT32_C(1) << from : 0);
}

unsigned step_await_any_signal(struct coll *c, uint32_t ranks) {
  require_spe(c, "a signal on a host, expected SPEs");
  unsigned most = MIN(c->nranks, COLL_SIGNAL_BITS);
  require(ranks && !(ranks >> most), "a wait for a signal of a rank that there is not");
  uint32_t high = ranks & c->state->heard, wanted = (ranks & ~high) | high << COLL_SIGNAL_BITS;
  while (!(c->state->signals & wanted)) {
    spu_expect_signal_from(group_name(c->group, (unsigned)__builtin_ctz(ranks)));
    c->state->signals |= spu_read_signal1();
  }
  uint32_t there = c->state->signals & wanted;
  unsigned rank = (unsigned)__builtin_ctz(there | there >> COLL_SIGNAL_BITS);
  c->state->signals &= ~signal_bit(rank, c->state->heard >> rank);
  c->state->heard ^= UINT32_C(1) << rank;
  spu_compute_for(COMPUTE_RECEIVE, c->group->costs.receive);
  return rank;
}

void step_post_ea(struct coll *c, unsigned to, uint64_t ea) {
  put_notice(c, to, ADDRESS_IN, (struct notice){.ea = ea, .serial = ++counts(c, to)->posted});
  wait_for_tag(c, notice_tag(to));
}

void step_post(struct coll *c, unsigned to, const void *data) {
  step_post_ea(c, to, step_peer_ea(c, c->rank, data));
}

uint64_t step_await_post(struct coll *c, unsigned from) {
  await_notice(c, from, ADDRESS_IN, ++counts(c, from)->taken);
  return entry(c, ADDRESS_IN, from)->ea;
}

/* Return the size of the next DMA of a transfer with NBYTES left: first multiples of 16 bytes, at most 16
 * KiB, then the small sizes allowed by the MFC for the rest. */
static uint32_t next_piece(size_t nbytes) {
  if (nbytes >= MFC_MAX_DMA_SIZE) {
    return MFC_MAX_DMA_SIZE;
  }
  if (nbytes >= MFC_MIN_DMA_SIZE) {
    return (uint32_t)(nbytes & ~(size_t)(MFC_MIN_DMA_SIZE - 1));
  }
  return nbytes >= 8 ? 8 : nbytes >= 4 ? 4 : nbytes >= 2 ? 2 : 1;
}

/* Queue the DMAs of TRANSFER. A barrier on the first DMA also holds back the following ones; a fence would
 * not. */
static void start_transfer(struct coll *c, const struct step_transfer *transfer, bool is_put) {
  spu_compute_for(COMPUTE_DMA, c->group->costs.dma);
  for (size_t done = 0; done < transfer->nbytes;) {
    size_t left = transfer->nbytes - done;
    struct step_dma dma = {.ls = (uint8_t *)transfer->ls + done,
                           .ea = transfer->ea + done,
                           .nbytes = port(c)->any_size ? (uint32_t)left : next_piece(left),
                           .tag = slot_tag(c, transfer->slot),
                           .slot = transfer->slot,
                           .put = is_put,
                           .held = transfer->fenced && done == 0};
    port(c)->move(&dma);
    done += dma.nbytes;
  }
}

void step_start_get(struct coll *c, const struct step_transfer *transfer) {
  start_transfer(c, transfer, false);
}

void step_start_put(struct coll *c, const struct step_transfer *transfer) {
  start_transfer(c, transfer, true);
}

void step_start_flag(struct coll *c, const struct step_transfer *transfer) {
  spu_compute_for(COMPUTE_DMA, c->group->costs.dma);
  port(c)->tell(transfer->ls, transfer->ea, (uint32_t)transfer->nbytes, slot_tag(c, transfer->slot));
}

uint32_t step_slot_tags(const struct coll *c, unsigned slot) {
  return UINT32_C(1) << slot_tag(c, slot);
}

void step_finish(struct coll *c, unsigned slot) {
  wait_for_tag(c, slot_tag(c, slot));
}

void step_fetch(struct coll *c, void *into, uint64_t ea, size_t nbytes) {
  step_start_get(c, &(struct step_transfer){.ls = into, .ea = ea, .nbytes = nbytes});
  step_finish(c, 0);
}

void step_store(struct coll *c, const void *from, uint64_t ea, size_t nbytes) {
  step_start_put(c, &(struct step_transfer){.ls = (void *)from, .ea = ea, .nbytes = nbytes});
  step_finish(c, 0);
}

void step_combine(struct coll *c, void *into, const void *from, size_t nbytes) {
  const struct coll_group *group = c->group;
  if (nbytes == 0) {
    return;
  }
  double work = (double)((nbytes + 15) / 16) * group->costs.quadwords[group->type][group->op];
  spu_catch_up();
  spu_note_load(from, nbytes);
  spu_note_store(into, nbytes);
  if (!group->lengths_only) {
    combine_run(
      &(struct combine){.op = group->op, .type = group->type, .into = into, .from = from, .nbytes = nbytes});
  }
  spu_compute_for(COMPUTE_COMBINE, group->costs.combine + (uint64_t)(work + 0.5));
}

void step_take(struct coll *c, unsigned from, void *into, size_t nbytes) {
  step_fetch(c, into, step_await_post(c, from), nbytes);
  step_acknowledge(c, from);
}

void step_acknowledge(struct coll *c, unsigned to) {
  step_notify(c, to);
}

void step_await_taken(struct coll *c, unsigned from) {
  step_await(c, from);
}

void step_exchange(struct coll *c, unsigned peer, const void *out, void *in, size_t nbytes) {
  step_post(c, peer, out);
  step_take(c, peer, in, nbytes);
  step_await_taken(c, peer);
}

/* --- notifications to several ranks; step_settle_all waits for the puts --- */

void step_notify_more(struct coll *c, unsigned to) {
  put_notice(c, to, FLAG_IN, (struct notice){.serial = ++counts(c, to)->notified});
  c->state->unsettled |= UINT32_C(1) << notice_tag(to);
}

void step_post_ea_more(struct coll *c, unsigned to, uint64_t ea) {
  put_notice(c, to, ADDRESS_IN, (struct notice){.ea = ea, .serial = ++counts(c, to)->posted});
  c->state->unsettled |= UINT32_C(1) << notice_tag(to);
}

void step_settle_all(struct coll *c) {
  if (c->state->unsettled) {
    port(c)->wait_tags(c->state->unsettled);
    spu_compute_for(COMPUTE_TAG, c->group->costs.tag);
  }
  c->state->unsettled = 0;
}

bool step_is_notified(struct coll *c, unsigned from) {
  struct spu_flag flag = notice_flag(c, from, FLAG_IN, counts(c, from)->awaited + 1);
  return spu_poll_flag(&flag);
}

/* Put OUT with LIST, each with an entry for each rank FIRST .. END - 1, to these ranks. All addresses of a
 * DMA list must lie in the same 4 GiB, as for 128 SPEs: each run of ranks within 4 GiB has a list. */
static void tell_by_lists(struct coll *c, unsigned first, unsigned end, struct notice *out,
                          mfc_list_element_t *list) {
  for (unsigned from = first, to; from < end; from = to) {
    uint64_t ea = step_peer_ea(c, from, out);
    for (to = from + 1; to < end && step_peer_ea(c, to, out) >> 32 == ea >> 32; to++) {
    }
    mfc_putlf(out + (from - first), ea, list + (from - first), (to - from) * (uint32_t)sizeof *list, TAG_DATA,
              0, 0);
  }
}

void step_notify_list(struct coll *c, unsigned first, unsigned end, mfc_list_element_t *list) {
  require_spe(c, "a DMA list on a host, expected SPEs");
  require(first < end && end <= c->nranks, "a list of notifications to ranks that there are not");
  enum array row = flag_out(counts(c, first), counts(c, first)->notified + 1);
  struct notice *out = entry(c, row, first);
  uint32_t leaving = 0; /* tags of notices still leaving from these places */
  for (unsigned to = first; to < end; to++) {
    bool is_next = flag_out(counts(c, to), counts(c, to)->notified + 1) == row;
    leaving |= is_next ? 0 : UINT32_C(1) << notice_tag(to);
  }
  if (leaving) {
    port(c)->wait_tags(leaving);
  }
  spu_note_store(list, (end - first) * sizeof *list);
  spu_note_store(out, (end - first) * sizeof *out);
  for (unsigned to = first; to < end; to++) {
    uint64_t ea = step_peer_ea(c, to, entry(c, FLAG_IN, c->rank));
    spu_compute_for(COMPUTE_SEND, c->group->costs.send);
    out[to - first] = (struct notice){.serial = ++counts(c, to)->notified};
    list[to - first] = (mfc_list_element_t){.size = sizeof *out, .eal = (uint32_t)ea};
  }
  tell_by_lists(c, first, end, out, list);
  wait_for_tag(c, TAG_DATA);
}

void step_note_entries(struct coll *c, const void *entries, size_t nbytes) {
  (void)c;
  spu_note_flags(entries, nbytes);
}

void step_put_entries(struct coll *c, unsigned to, const void *entries, size_t nbytes) {
  spu_compute_for(COMPUTE_SEND, c->group->costs.send);
  port(c)->tell(entries, step_peer_ea(c, to, entries), (uint32_t)nbytes, notice_tag(to));
  wait_for_tag(c, notice_tag(to));
}

void step_await_entry(struct coll *c, unsigned from, const uint32_t *serial) {
  struct spu_flag flag = {.word = serial,
                          .value = coll_own_calls(c) + 1,
                          .peer = (int)group_name(c->group, from),
                          .what = "metadata"};
  spu_wait_flag(&flag);
}

void step_receive_entries(struct coll *c) {
  spu_compute_for(COMPUTE_RECEIVE, c->group->costs.receive);
}

/* --- a line of main memory --- */

void step_prepare_line(struct coll *c) {
  spu_compute_for(COMPUTE_SEND, c->group->costs.send);
}

void step_load_line(struct coll *c, void *line, uint64_t ea) {
  require_spe(c, "a reservation on a host, expected SPEs");
  mfc_getllar(line, ea, 0, 0);
  mfc_read_atomic_status();
  spu_compute_for(COMPUTE_RECEIVE, c->group->costs.receive);
}

/* Tell whether the counter at the beginning of LINE has reached the one at CONTEXT. */
static bool has_reached(const void *line, const void *context) {
  uint32_t counter, count;
  memcpy(&counter, line, sizeof counter);
  memcpy(&count, context, sizeof count);
  return (int32_t)(counter - count) >= 0;
}

void step_await_count(struct coll *c, void *line, uint64_t ea, uint32_t count) {
  struct spu_line_wait wait = {.ls = line,
                               .ea = ea,
                               .found = has_reached,
                               .context = &count,
                               .reason = COMPUTE_RECEIVE,
                               .cycles = c->group->costs.receive};
  require_spe(c, "a reservation on a host, expected SPEs");
  spu_wait_line(&wait);
}

bool step_store_line(struct coll *c, void *line, uint64_t ea) {
  require_spe(c, "a reservation on a host, expected SPEs");
  mfc_putllc(line, ea, 0, 0);
  return !(mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

/* --- processes on hosts --- */

bool step_is_near(const struct coll *c, unsigned rank) {
  return host_is_near(spe_of(c, rank));
}

void step_notify_near(struct coll *c, unsigned to) {
  struct notice notice = {.serial = ++counts(c, to)->notified};
  host_tell_near(&(struct host_transfer){
    .here = &notice, .ea = step_peer_ea(c, to, entry(c, FLAG_IN, c->rank)), .nbytes = sizeof notice});
}

void step_copy(struct coll *c, void *into, unsigned from, const void *place, size_t nbytes) {
  host_copy(into, step_peer_ea(c, from, place), nbytes);
}

void step_use_one_rail(struct coll *c, bool one) {
  (void)c;
  host_use_one_rail(one);
}
