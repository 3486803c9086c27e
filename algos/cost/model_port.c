/* SPDX-License-Identifier: BSD-3-Clause
 * The operations of the model machine, called by the programs of its ranks. */
#include "algos/cost/model_parts.h"

#include "algos/step/coll.h"
#include "algos/step/combine.h"

#include <stdio.h>
#include <string.h>

static void describe(const struct des_wait *wait, char *text, size_t size) {
  (void)wait;
  snprintf(text, size, "waits on the model machine");
}

void model_wait_until(struct model_spe *spe, enum model_poke kind, bool (*ready)(const struct des_wait *),
                      const void *what) {
  struct model_wait wait = {
    .wait = {.kinds = kind, .ready = ready, .describe = describe}, .spe = spe, .what = what};
  des_wait(des_self(), &wait.wait);
}

/* --- local stores --- */

static void *local(uint32_t address) {
  return model_self()->ls + address;
}

static uint64_t local_ea(unsigned spe, uint32_t address) {
  return (uint64_t)(spe + 1) << model_self()->machine->ls_bits | address;
}

static void combine(const struct combine *operands) {
  (void)operands;
}

static void note_bytes(const volatile void *pointer, size_t nbytes) {
  (void)pointer, (void)nbytes;
}

static void note_call(unsigned rank, unsigned call) {
  (void)rank, (void)call;
}

static void note_number(unsigned number) {
  (void)number;
}

/* --- time --- */

static void compute(enum compute_reason reason, uint64_t cycles) {
  (void)reason;
  des_charge(des_self(), cycles);
}

static void sync(void) {
  des_sync(des_self());
}

static uint64_t cycles(void) {
  return des_local(des_self());
}

/* --- commands --- */

/* Tell whether the queue of the MFC of SPE has room. */
static bool has_room(const struct model_spe *spe) {
  return (unsigned)__builtin_popcount(spe->used) < spe->machine->shape->queue;
}

static bool has_got_room(const struct des_wait *wait) {
  return has_room(model_wait_of(wait)->spe);
}

/* Give COMMAND, whose far end is at its effective address, to the own MFC. */
static void enqueue(struct model_command *command) {
  struct model_spe *spe = command->spe = model_self();
  struct model_machine *machine = spe->machine;
  if (command->kind == MODEL_TELLING) {
    command->into = machine->words + (command->ea - MODEL_WORDS_EA);
  }
  if (command->ea >> MODEL_MEMORY_BITS) {
    command->far_chip = (unsigned)(command->ea >> MODEL_MEMORY_BITS) - 1;
  } else {
    command->far = &machine->spes[(command->ea >> machine->ls_bits) - 1];
    command->far_chip = command->far->chip;
    command->into = command->far->ls + (command->ea & ((UINT64_C(1) << machine->ls_bits) - 1));
  }
  if (!has_room(spe)) {
    model_wait_until(spe, MODEL_POKE_DMA, has_got_room, NULL);
  }
  des_charge(spe->actor, model_cycles(model_value(machine, MODEL_ISSUE, 0)));
  model_dma_enqueue(command);
}

/* Put NBYTES of ENTRIES, FENCED or at once. */
static void tell_one(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag, bool fenced) {
  enqueue(&(struct model_command){.kind = MODEL_NOTIFICATION,
                                  .direction = MODEL_PUT,
                                  .fenced = fenced,
                                  .from = entries,
                                  .ea = ea,
                                  .nbytes = nbytes,
                                  .tag = tag});
}

static void tell(const void *entries, uint64_t ea, uint32_t nbytes, uint32_t tag) {
  tell_one(entries, ea, nbytes, tag, true);
}

/* The elements go out one behind the other, as if each were a command. */
static void tell_list(const void *entries, uint64_t ea, mfc_list_element_t *list, uint32_t list_bytes,
                      uint32_t tag) {
  const uint8_t *from = entries;
  for (uint32_t i = 0; i < list_bytes / sizeof *list; i++) {
    uint64_t to = (ea & ~(uint64_t)UINT32_MAX) | list[i].eal;
    tell_one(from, to, list[i].size, tag, i == 0);
    from += list[i].size;
  }
}

static void send_signal(uint32_t *bits, unsigned spe, uint32_t tag) {
  enqueue(&(struct model_command){
    .kind = MODEL_SIGNALLING, .direction = MODEL_PUT, .bits = *bits, .ea = local_ea(spe, 0), .tag = tag});
}

static bool flag_is_up(const struct des_wait *wait) {
  const struct spu_flag *flag = model_wait_of(wait)->what;
  return (int32_t)(*flag->word - flag->value) >= 0;
}

static void wait_flag(const struct spu_flag *flag) {
  model_wait_until(model_self(), MODEL_POKE_FLAG, flag_is_up, flag);
}

static bool signal_is_there(const struct des_wait *wait) {
  return model_wait_of(wait)->spe->signals != 0;
}

static uint32_t read_signal(unsigned from) {
  struct model_spe *spe = model_self();
  (void)from;
  model_wait_until(spe, MODEL_POKE_SIGNAL, signal_is_there, NULL);
  uint32_t bits = spe->signals;
  spe->signals = 0;
  return bits;
}

/* A put into the first bytes of main memory tells the PPE something. */
static void move(const struct step_dma *dma) {
  bool tells = dma->put && dma->ea >= MODEL_WORDS_EA &&
               dma->ea + dma->nbytes <= MODEL_WORDS_EA + MODEL_WORDS_BYTES && model_self()->machine->words;
  enqueue(&(struct model_command){.kind = tells ? MODEL_TELLING : MODEL_TRANSFER,
                                  .direction = dma->put ? MODEL_PUT : MODEL_GET,
                                  .fenced = dma->held,
                                  .barrier = dma->held,
                                  .from = dma->ls,
                                  .ea = dma->ea,
                                  .nbytes = dma->nbytes,
                                  .tag = dma->tag});
}

static bool tags_are_done(const struct des_wait *wait) {
  const uint32_t *mask = model_wait_of(wait)->what;
  bool done = true;
  for (uint32_t left = *mask; left && done; left &= left - 1) {
    done = !model_wait_of(wait)->spe->tags[__builtin_ctz(left)].given;
  }
  return done;
}

static void wait_tags(uint32_t mask) {
  model_wait_until(model_self(), MODEL_POKE_DMA, tags_are_done, &mask);
}

/* --- mailboxes --- */

static bool word_is_there(const struct des_wait *wait) {
  const struct model_mailbox *mailbox = model_wait_of(wait)->what;
  return mailbox->count > 0;
}

static bool mailbox_is_empty(const struct des_wait *wait) {
  return !word_is_there(wait);
}

static uint32_t take_word(struct model_mailbox *mailbox) {
  uint32_t word = mailbox->words[0];
  mailbox->count--;
  memmove(mailbox->words, mailbox->words + 1, mailbox->count * sizeof word);
  return word;
}

static void write_mailbox(uint32_t word) {
  struct model_spe *spe = model_self();
  des_sync(spe->actor);
  model_wait_until(spe, MODEL_POKE_MAILBOX, mailbox_is_empty, &spe->outbox);
  spe->outbox.words[spe->outbox.count++] = word;
  des_poke(spe->machine->ppe, MODEL_POKE_MAILBOX);
}

static uint32_t read_mailbox(void) {
  struct model_spe *spe = model_self();
  model_wait_until(spe, MODEL_POKE_MAILBOX, word_is_there, &spe->inbox);
  return take_word(&spe->inbox);
}

/* Let CYCLES of the PPE pass. */
static void ppe_spend(struct model_machine *machine, double cycles_spent) {
  des_charge(machine->ppe, model_cycles(cycles_spent));
  des_sync(machine->ppe);
}

static uint32_t ppe_read_mailbox(unsigned index) {
  struct model_machine *machine = model_of_ppe();
  struct model_spe *spe = &machine->spes[index];
  model_wait_until(spe, MODEL_POKE_MAILBOX, word_is_there, &spe->outbox);
  ppe_spend(machine, model_value(machine, MODEL_PPE_READ, 0));
  uint32_t word = take_word(&spe->outbox);
  des_poke(spe->actor, MODEL_POKE_MAILBOX);
  return word;
}

static void ppe_write_mailbox(unsigned index, uint32_t word) {
  struct model_machine *machine = model_of_ppe();
  struct model_spe *spe = &machine->spes[index];
  ppe_spend(machine, model_value(machine, MODEL_PPE_WRITE, 0));
  spe->inbox.words[spe->inbox.count++] = word;
  des_poke(spe->actor, MODEL_POKE_MAILBOX);
}

static void ppe_copy(uint64_t to, uint64_t from, uint32_t nbytes) {
  struct model_machine *machine = model_of_ppe();
  (void)to, (void)from;
  ppe_spend(machine, nbytes * model_value(machine, MODEL_PPE_COPY, 0) / MODEL_LINE_BYTES);
}

static void ppe_combine(const struct combine *operands, uint64_t into, uint64_t from) {
  struct model_machine *machine = model_of_ppe();
  (void)into, (void)from;
  double byte = machine->host_combines > 0 ? machine->host_combines
                                           : model_value(machine, MODEL_PPE_COMBINE, 0) / MODEL_LINE_BYTES;
  ppe_spend(machine, (double)operands->nbytes * byte);
}

/* A word that the PPE awaits. */
struct word {
  const uint8_t *bytes;
  uint32_t value;
};

static bool word_has_come(const struct des_wait *wait) {
  const struct word *word = model_wait_of(wait)->what;
  uint32_t value;
  memcpy(&value, word->bytes, sizeof value);
  return (int32_t)(value - word->value) >= 0;
}

static void ppe_wait_word(uint64_t ea, uint32_t value, unsigned from) {
  (void)from;
  struct model_machine *machine = model_of_ppe();
  struct word word = {machine->words + (ea - MODEL_WORDS_EA), value};
  model_wait_until(NULL, MODEL_POKE_WORD, word_has_come, &word);
  ppe_spend(machine, model_value(machine, MODEL_POLL, 0));
}

/* The program of a rank cannot go on. */
static __attribute__((noreturn)) void fault(const char *what) {
  struct model_stop *stop = &model_self()->machine->stop;
  snprintf(stop->how, sizeof stop->how, "fault on the model machine: %s", what);
  des_park(des_self());
}

const struct step_port model_port = {
  .fault = fault,
  .local = local,
  .local_ea = local_ea,
  .combine = combine,
  .note_store = note_bytes,
  .note_load = note_bytes,
  .note_flags = note_bytes,
  .note_enter = note_call,
  .note_leave = note_call,
  .note_step = note_number,
  .compute = compute,
  .sync = sync,
  .cycles = cycles,
  .tell = tell,
  .tell_list = tell_list,
  .signal = send_signal,
  .wait_flag = wait_flag,
  .read_signal = read_signal,
  .move = move,
  .wait_tags = wait_tags,
  .load_line = model_load_line,
  .store_line = model_store_line,
  .wait_line = model_wait_line,
  .write_mailbox = write_mailbox,
  .read_mailbox = read_mailbox,
  .ppe_read_mailbox = ppe_read_mailbox,
  .ppe_write_mailbox = ppe_write_mailbox,
  .ppe_copy = ppe_copy,
  .ppe_wait_word = ppe_wait_word,
  .ppe_combine = ppe_combine,
  .net_put = model_net_put,
  .net_wait = model_net_wait,
  .ppe_note_enter = note_number,
  .ppe_note_leave = note_number,
};
