/* SPDX-License-Identifier: BSD-3-Clause
 * See step.h.
 *
 * Notifications are sent as fenced puts. Each peer has its own tag, as long as there are tags, so that two
 * notifications to the same peer keep their order while notifications to different peers are not ordered. A
 * put reads the local store late, so every peer has two outgoing entries, used in turn. */
#include "algos/step/step.h"

#include "algos/step/coll_state.h"
#include "algos/step/combine.h"
#include "algos/step/port.h"
#include "algos/step/step_checks.h"
#include "sim/base/engine/des.h"

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
  const uint8_t *here = port(c)->local(0);
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
    port(c)->fault(what);
  }
  return slot == 0 ? TAG_DATA : slot < STEP_SLOTS ? TAG_SLOT + slot - 1 : ALL_TAGS + slot - STEP_SLOTS;
}

static void wait_for_tag(struct coll *c, uint32_t tag) {
  if (tag < ALL_TAGS) {
    port(c)->wait_tags(UINT32_C(1) << tag);
  } else {
    port(c)->wait_tag(tag);
  }
  port(c)->compute(COMPUTE_TAG, c->group->costs.tag);
}

/* Return which of the two entries for flags and signals to rank TO is next when SERIAL flags have been
 * sent. */
static enum array flag_out(const struct coll *c, unsigned to, uint32_t serial) {
  return FLAG_OUT + (serial + counts(c, to)->signalled) % 2;
}

/* Put EA and SERIAL into this rank's entry of array IN at rank TO. */
static void put_notice(struct coll *c, unsigned to, enum array in, struct notice notice) {
  enum array out =
    in == ADDRESS_IN ? (enum array)(ADDRESS_OUT + notice.serial % 2) : flag_out(c, to, notice.serial);
  port(c)->compute(COMPUTE_SEND, c->group->costs.send);
  port(c)->note_store(entry(c, out, to), sizeof notice);
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
  port(c)->wait_flag(&flag);
  port(c)->compute(COMPUTE_RECEIVE, c->group->costs.receive);
}

void step_enter(struct coll *c) {
  port(c)->note_flags(entry(c, ADDRESS_IN, 0), c->nranks * sizeof(struct notice));
  port(c)->note_flags(entry(c, FLAG_IN, 0), c->nranks * sizeof(struct notice));
}

void step_begin(struct coll *c) {
  port(c)->note_step(++c->state->step, NULL);
  port(c)->compute(COMPUTE_STEP, c->group->costs.step);
}

void step_compute(struct coll *c, uint64_t cycles) {
  require(c, cycles <= COMPUTE_MAX, COMPUTE_FAULT);
  port(c)->compute(COMPUTE_OTHER, cycles);
  des_end_compute(des_self(), cycles);
}

void step_notify(struct coll *c, unsigned to) {
  put_notice(c, to, FLAG_IN, (struct notice){.serial = ++counts(c, to)->notified});
  wait_for_tag(c, notice_tag(to));
}

void step_await(struct coll *c, unsigned from) {
  await_notice(c, from, FLAG_IN, ++counts(c, from)->awaited);
}

/* Return the signal bit of RANK in the current call of C. */
static uint32_t signal_bit(const struct coll *c, unsigned rank) {
  require(c, rank < COLL_SIGNAL_BITS,
          "a signal of more than 16 ranks, of which each has one bit of half a signal register");
  return UINT32_C(1) << (rank + (c->ncalls % 2 ? COLL_SIGNAL_BITS : 0));
}

void step_signal(struct coll *c, unsigned to) {
  require(c, port(c)->signal, "a signal on a host, expected SPEs");
  port(c)->compute(COMPUTE_SEND, c->group->costs.send);
  counts(c, to)->signalled++;
  uint32_t *bits = &entry(c, flag_out(c, to, counts(c, to)->notified), to)->bits;
  port(c)->note_store(bits, sizeof *bits);
  *bits = signal_bit(c, c->rank);
  port(c)->signal(bits, spe_of(c, to), notice_tag(to));
}

void step_await_signal(struct coll *c, unsigned from) {
  step_await_any_signal(c, from < COLL_SIGNAL_BITS ? UINT32_C(1) << from : 0);
}

unsigned step_await_any_signal(struct coll *c, uint32_t ranks) {
  require(c, port(c)->read_signal, "a signal on a host, expected SPEs");
  unsigned most = c->nranks < COLL_SIGNAL_BITS ? c->nranks : COLL_SIGNAL_BITS;
  require(c, ranks && !(ranks >> most), "a wait for a signal of a rank that there is not");
  unsigned shift = c->ncalls % 2 ? COLL_SIGNAL_BITS : 0;
  while (!(c->state->signals >> shift & ranks)) {
    c->state->signals |= port(c)->read_signal(group_name(c->group, (unsigned)__builtin_ctz(ranks)));
  }
  unsigned rank = (unsigned)__builtin_ctz(c->state->signals >> shift & ranks);
  c->state->signals &= ~signal_bit(c, rank);
  port(c)->compute(COMPUTE_RECEIVE, c->group->costs.receive);
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
  port(c)->compute(COMPUTE_DMA, c->group->costs.dma);
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
  port(c)->compute(COMPUTE_DMA, c->group->costs.dma);
  port(c)->tell(transfer->ls, transfer->ea, (uint32_t)transfer->nbytes, slot_tag(c, transfer->slot));
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
  double work = (double)((nbytes + 15) / 16) * group->costs.quadword;
  port(c)->sync();
  port(c)->note_load(from, nbytes);
  port(c)->note_store(into, nbytes);
  if (!group->lengths_only) {
    combine_run(
      &(struct combine){.op = group->op, .type = group->type, .into = into, .from = from, .nbytes = nbytes});
  }
  port(c)->compute(COMPUTE_COMBINE, group->costs.combine + (uint64_t)(work + 0.5));
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
    port(c)->compute(COMPUTE_TAG, c->group->costs.tag);
  }
  c->state->unsettled = 0;
}

bool step_is_notified(struct coll *c, unsigned from) {
  struct spu_flag flag = notice_flag(c, from, FLAG_IN, counts(c, from)->awaited + 1);
  return port(c)->poll_flag(&flag);
}

/* Put OUT with LIST, each with an entry for each rank FIRST .. END - 1, to these ranks. All addresses of a
 * DMA list must lie in the same 4 GiB, as for 128 SPEs: each run of ranks within 4 GiB has a list. */
static void tell_by_lists(struct coll *c, unsigned first, unsigned end, struct notice *out,
                          mfc_list_element_t *list) {
  for (unsigned from = first, to; from < end; from = to) {
    uint64_t ea = step_peer_ea(c, from, out);
    for (to = from + 1; to < end && step_peer_ea(c, to, out) >> 32 == ea >> 32; to++) {
    }
    port(c)->tell_list(out + (from - first), ea, list + (from - first), (to - from) * (uint32_t)sizeof *list,
                       TAG_DATA);
  }
}

void step_notify_list(struct coll *c, unsigned first, unsigned end, mfc_list_element_t *list) {
  require(c, port(c)->tell_list, "a DMA list on a host, expected SPEs");
  require(c, first < end && end <= c->nranks, "a list of notifications to ranks that there are not");
  enum array row = flag_out(c, first, counts(c, first)->notified + 1);
  struct notice *out = entry(c, row, first);
  uint32_t leaving = 0; /* tags of notices still leaving from these places */
  for (unsigned to = first; to < end; to++) {
    bool is_next = flag_out(c, to, counts(c, to)->notified + 1) == row;
    leaving |= is_next ? 0 : UINT32_C(1) << notice_tag(to);
  }
  if (leaving) {
    port(c)->wait_tags(leaving);
  }
  port(c)->note_store(list, (end - first) * sizeof *list);
  port(c)->note_store(out, (end - first) * sizeof *out);
  for (unsigned to = first; to < end; to++) {
    uint64_t ea = step_peer_ea(c, to, entry(c, FLAG_IN, c->rank));
    port(c)->compute(COMPUTE_SEND, c->group->costs.send);
    out[to - first] = (struct notice){.serial = ++counts(c, to)->notified};
    list[to - first] = (mfc_list_element_t){.size = sizeof *out, .eal = (uint32_t)ea};
  }
  tell_by_lists(c, first, end, out, list);
  wait_for_tag(c, TAG_DATA);
}

void step_note_entries(struct coll *c, const void *entries, size_t nbytes) {
  port(c)->note_flags(entries, nbytes);
}

void step_put_entries(struct coll *c, unsigned to, const void *entries, size_t nbytes) {
  port(c)->compute(COMPUTE_SEND, c->group->costs.send);
  port(c)->tell(entries, step_peer_ea(c, to, entries), (uint32_t)nbytes, notice_tag(to));
  wait_for_tag(c, notice_tag(to));
}

void step_await_entry(struct coll *c, unsigned from, const uint32_t *serial) {
  struct spu_flag flag = {.word = serial,
                          .value = coll_own_calls(c) + 1,
                          .peer = (int)group_name(c->group, from),
                          .what = "metadata"};
  port(c)->wait_flag(&flag);
}

void step_receive_entries(struct coll *c) {
  port(c)->compute(COMPUTE_RECEIVE, c->group->costs.receive);
}

/* --- processes on hosts --- */

bool step_is_near(const struct coll *c, unsigned rank) {
  return port(c)->is_near(spe_of(c, rank));
}

void step_notify_near(struct coll *c, unsigned to) {
  struct notice notice = {.serial = ++counts(c, to)->notified};
  port(c)->tell_near(&notice, step_peer_ea(c, to, entry(c, FLAG_IN, c->rank)), sizeof notice);
}

void step_copy(struct coll *c, void *into, unsigned from, const void *place, size_t nbytes) {
  port(c)->copy(into, step_peer_ea(c, from, place), nbytes);
}

void step_use_one_rail(struct coll *c, bool one) {
  port(c)->use_one_rail(one);
}
