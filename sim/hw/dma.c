/* SPDX-License-Identifier: BSD-3-Clause
 * See dma.h.
 *
 * A command is split at 128-byte lines of its effective address into bus requests. Requests of several queued commands
 * interleave round robin, which is the priority inversion of tree algorithms. The window bounds the requests under way.
 * source: Ali, Midkiff, Pai 2010, sections 3.3 and 5.2; Velamati et al. 2007, section 2; Cell Broadband Engine
 * Architecture (sizes, alignment, tags, fences). */
#include "sim/hw/dma.h"

#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/arbiter.h"
#include "sim/hw/blade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
dma_init(struct dma *dma, struct spe *spe)
{
  const struct figures *figures = &spe->blade->figures;
  *dma = (struct dma){.spe = spe};
  dma->commands = xcalloc(figures->queue, sizeof *dma->commands);
  dma->window = xcalloc(figures->window, sizeof *dma->window);
  dma_reset(dma);
}

void
dma_fini(struct dma *dma)
{
  free(dma->commands);
  free(dma->window);
}

void
dma_reset(struct dma *dma)
{
  const struct figures *figures = &dma->spe->blade->figures;
  memset(dma->commands, 0, figures->queue * sizeof *dma->commands);
  memset(dma->pending, 0, sizeof dma->pending);
  dma->used = dma->ready = 0;
  dma->last = figures->queue - 1;
  dma->free = NULL;
  for (unsigned i = figures->window; i-- > 0;) {
    dma->window[i].event.pending = false;
    dma->window[i].dma = dma;
    dma->window[i].next = dma->free;
    dma->free = &dma->window[i];
  }
}

/* --- checks --- */

static bool
size_is_legal(uint32_t nbytes)
{
  bool small = nbytes == 1 || nbytes == 2 || nbytes == 4 || nbytes == 8;
  return nbytes == 0 || small || (nbytes % 16 == 0 && nbytes <= DMA_BYTES_MAX);
}

const char *
dma_check(struct dma *dma, const struct dma_command *command, char *text, size_t size)
{
  uint32_t n = command->nbytes, alignment = n < 16 ? n : 16;
  unsigned long long ls = command->ls, ea = command->ea;
  struct bus_end far;
  if (command->tag >= DMA_TAGS) {
    snprintf(text, size, "tag %u, expected 0 to %d", command->tag, DMA_TAGS - 1);
  } else if (!size_is_legal(n)) {
    snprintf(text, size, "size of %u bytes, expected 1, 2, 4, 8 or a multiple of 16 up to %d", n,
             DMA_BYTES_MAX);
  } else if (n && (ls % alignment || ea % alignment || ls % 16 != ea % 16)) {
    snprintf(text, size,
             "local store address 0x%llx and effective address 0x%llx for %u bytes, "
             "expected both aligned to %u bytes and equal in their low 4 bits",
             ls, ea, n, alignment);
  } else if (ls + n > dma->spe->blade->figures.ls_bytes) {
    snprintf(text, size, "local store bytes 0x%llx to 0x%llx, expected them below 0x%x", ls, ls + n,
             dma->spe->blade->figures.ls_bytes);
  } else if (blade_resolve(dma->spe->blade, command->ea, n, &far) != 0) {
    snprintf(text, size, "effective addresses 0x%llx to 0x%llx, which no local store or register covers", ea,
             ea + n);
  } else if (far.snr && (n != 4 || command->direction != DMA_PUT)) {
    snprintf(text, size, "signal notification register accessed by a %s of %u bytes, expected a put of 4",
             command->direction == DMA_PUT ? "put" : "get", n);
  } else {
    return NULL;
  }
  return text;
}

/* --- queue --- */

bool
dma_has_room(const struct dma *dma)
{
  return (unsigned)__builtin_popcount(dma->used) < dma->spe->blade->figures.queue;
}

static uint32_t
bit(const struct dma *dma, const struct dma_command *command)
{
  return UINT32_C(1) << (command - dma->commands);
}

/* Ask for the command bus if there is something to issue and a window entry to issue it with. */
static void
pump(struct dma *dma)
{
  if (dma->ready && dma->free) {
    eib_ask(&dma->spe->blade->eibs[dma->spe->chip], dma->spe->unit);
  }
}

/* Let COMMAND issue, if it has arrived and nothing must complete before it. */
static void
start_if_free(struct dma *dma, struct dma_command *command)
{
  if (command->arrived && !command->after) {
    dma->ready |= bit(dma, command);
    pump(dma);
  }
}

static void
complete(struct event *event)
{
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  struct dma *dma = command->dma;
  uint32_t mine = bit(dma, command);
  dma->used &= ~mine;
  dma->pending[command->tag]--;
  blade_see(dma->spe->blade, &(struct probe_event){.kind = PROBE_COMPLETE,
                                                   .spe = dma->spe->index,
                                                   .tag = command->tag,
                                                   .nbytes = command->nbytes});
  for (uint32_t left = dma->used; left; left &= left - 1) {
    struct dma_command *later = &dma->commands[__builtin_ctz(left)];
    if (later->after & mine) {
      later->after &= ~mine;
      start_if_free(dma, later);
    }
  }
  des_poke(dma->spe->actor, SPE_POKE_DMA);
}

static void
arrive(struct event *event)
{
  struct dma_command *command = EVENT_OWNER(event, struct dma_command, event);
  const struct spe *spe = command->dma->spe;
  command->arrived = true;
  blade_see(spe->blade,
            &(struct probe_event){
              .kind = PROBE_COMMAND, .spe = spe->index, .tag = command->tag, .nbytes = command->nbytes});
  if (command->nbytes == 0) {
    complete(event);
  } else {
    start_if_free(command->dma, command);
  }
}

/* Return the earlier commands that must complete before COMMAND may start. */
static uint32_t
predecessors(const struct dma *dma, const struct dma_command *command)
{
  uint32_t after = 0;
  for (uint32_t left = dma->used; left; left &= left - 1) {
    const struct dma_command *earlier = &dma->commands[__builtin_ctz(left)];
    if (earlier->tag == command->tag && (command->order != DMA_FREE || earlier->order == DMA_BARRIER)) {
      after |= bit(dma, earlier);
    }
  }
  return after;
}

void
dma_enqueue(struct dma *dma, const struct dma_command *command, uint64_t at)
{
  const struct spe *spe = dma->spe;
  struct dma_command *entry = &dma->commands[__builtin_ctz(~dma->used)];
  *entry = *command;
  entry->event = (struct event){.run = arrive};
  entry->dma = dma;
  entry->issued = entry->delivered = 0;
  entry->arrived = false;
  entry->after = predecessors(dma, command);
  blade_resolve(spe->blade, command->ea, command->nbytes, &entry->far);
  dma->used |= bit(dma, entry);
  dma->pending[command->tag]++;
  des_schedule(&entry->event, at + spe->blade->figures.to_bus, DES_ISSUE, spe->index);
}

uint32_t
dma_tags_done(const struct dma *dma, uint32_t mask)
{
  uint32_t done = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned tag = (unsigned)__builtin_ctz(left);
    done |= dma->pending[tag] ? 0 : UINT32_C(1) << tag;
  }
  return done;
}

/* --- bus requests --- */

static void
fill_request(struct bus_request *request, struct dma_command *command, uint32_t nbytes)
{
  struct spe *spe = command->dma->spe;
  struct bus_end near = {.spe = spe, .bytes = spe->ls + command->ls + command->issued};
  struct bus_end far = command->far;
  if (far.bytes) {
    far.bytes += command->issued;
  }
  request->command = command;
  request->nbytes = nbytes;
  request->is_put = command->direction == DMA_PUT;
  request->source = request->is_put ? near : far;
  request->target = request->is_put ? far : near;
}

void
dma_granted(struct dma *dma)
{
  unsigned entry = arbiter_next(dma->ready, 0, dma->last);
  struct dma_command *command = &dma->commands[entry];
  unsigned line = dma->spe->blade->figures.request_bytes;
  uint32_t left = command->nbytes - command->issued;
  uint32_t room = line - (uint32_t)((command->ea + command->issued) % line);
  uint32_t nbytes = left < room ? left : room;
  struct bus_request *request = dma->free;
  dma->free = request->next;
  dma->last = entry;
  fill_request(request, command, nbytes);
  command->issued += nbytes;
  if (command->issued == command->nbytes) {
    dma->ready &= ~(UINT32_C(1) << entry);
  }
  blade_see(dma->spe->blade,
            &(struct probe_event){
              .kind = PROBE_ISSUE, .spe = dma->spe->index, .tag = command->tag, .nbytes = nbytes});
  bus_request_start(request);
  pump(dma);
}

void
dma_delivered(struct dma *dma, struct dma_command *command, const struct bus_request *request,
              uint64_t complete_at)
{
  command->delivered += request->nbytes;
  if (command->delivered == command->nbytes) {
    command->event.run = complete;
    des_schedule(&command->event, complete_at, DES_COMPLETE, dma->spe->index);
  }
}

void
dma_retire(struct dma *dma, struct bus_request *request)
{
  request->next = dma->free;
  dma->free = request;
  pump(dma);
}
