/* SPDX-License-Identifier: BSD-3-Clause
 * Communication between SPEs and the PPE of chip 0.
 *
 *   Lspe-ppe(m)   an SPE puts m bytes and a word behind them into main memory, where the PPE polls the word:
 *                 from the first command until the PPE has seen the word; mean over all SPEs
 *   gspe-ppe(1)   all SPEs put a word each at once and the PPE awaits the words one after the other: the
 *                 extra time over one word, divided by the number of further words
 *   Lppe-spe(m)   the PPE writes a word into the inbound mailbox of an SPE, which reads it and gets m bytes
 *                 from main memory; mean over all SPEs
 *   gammaPPE m    the PPE combines m bytes of main memory with as many others, by the first operator on the
 *                 first type
 *
 * source: Ali, Midkiff, Pai 2010, section 6.1: benchmarks as for the parameters between SPEs. */
#include "algos/step/coll.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "sim/node/machine.h"
#include "sim/spu/ppe_api.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/measured/plogp.h"

#include <math.h>
#include <string.h>

enum { WORD_BYTES = 16 };

/* The task of the programs of a measurement. */
struct office {
  const struct coll_group *group;
  enum cost_parameter parameter;
  size_t nbytes;
  uint64_t words_ea, data_ea; /* words: 16 bytes for each rank; data: nbytes, and as many bytes to combine */
  double cycles;              /* of the PPE */
};

/* Return NBYTES rounded up to whole words. */
static size_t whole_words(size_t nbytes) {
  return (nbytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

/* --- programs --- */

static void tell_ppe(struct rig_rank *rank) {
  const struct office *office = rank->job;
  struct coll *c = rank->c;
  uint32_t *word = (uint32_t *)(c->buffer + whole_words(office->nbytes));
  memset(word, 0, WORD_BYTES);
  *word = 1;
  if (office->nbytes) {
    step_start_put(c,
                   &(struct step_transfer){.ls = c->buffer, .ea = office->data_ea, .nbytes = office->nbytes});
  }
  step_start_put(c, &(struct step_transfer){.ls = word,
                                            .ea = office->words_ea + (uint64_t)c->rank * WORD_BYTES,
                                            .nbytes = WORD_BYTES,
                                            .fenced = true});
}

static void hear_ppe(struct rig_rank *rank) {
  const struct office *office = rank->job;
  spu_read_in_mbox();
  if (office->nbytes) {
    step_fetch(rank->c, rank->c->buffer, office->data_ea, office->nbytes);
  }
}

static void serve_mailboxes(void *argument) {
  struct office *office = argument;
  uint64_t start = ppe_cycles();
  switch (office->parameter) {
  case COST_L_PPE_SPE:
    step_ppe_write_mailbox(office->group->spe_of[0], 1);
    break;
  case COST_GAMMA_PPE:
    step_ppe_combine(&(struct combine){.nbytes = office->nbytes}, office->data_ea,
                     office->data_ea + whole_words(office->nbytes));
    break;
  default:
    for (unsigned r = 0; r < office->group->nranks; r++) {
      ppe_wait_word(office->words_ea + (uint64_t)r * WORD_BYTES, 1, r);
    }
  }
  office->cycles = (double)(ppe_cycles() - start);
}

/* --- measurements --- */

size_t plogp_ppe_bytes(size_t m) {
  return whole_words(m) + WORD_BYTES;
}

/* Run the task OFFICE on the PPE and the N first SPEs; N = 1: on SPE number FIRST.
 * returns: the time of the program that ends the task. */
static double measure_office(const struct plogp *plogp, struct office office, uint64_t first, unsigned n) {
  bool to_spe = office.parameter == COST_L_PPE_SPE;
  struct rig rig;
  struct call call = {
    .nranks = n,
    .nbytes = plogp_ppe_bytes(office.nbytes),
    .repeat = 1,
    .profile = plogp->profile,
    .placement = {.kind = n == 1 ? PLACEMENT_LIST : PLACEMENT_PACKED, .list = {.values = &first, .n = 1}}};
  rig_init_known(&rig, plogp->machine, &call);
  office.group = &rig.group;
  office.words_ea = blade_allocate(rig.parts->blade, 0, (uint64_t)n * WORD_BYTES);
  office.data_ea = blade_allocate(rig.parts->blade, 0, 2 * (uint64_t)whole_words(office.nbytes) + WORD_BYTES);
  office.cycles = NAN;
  rig.parts->ppe.main = serve_mailboxes;
  rig.parts->ppe.argument = &office;
  for (unsigned r = 0; r < n && office.parameter != COST_GAMMA_PPE; r++) {
    rig.ranks[r].job = &office;
    rig_set(&rig, r, to_spe ? hear_ppe : tell_ppe);
  }
  rig_run_sound(&rig);
  double cycles = to_spe ? rig.ranks[0].cycles : office.cycles;
  rig_fini(&rig);
  return cycles;
}

/* Return the mean time of OFFICE over all SPEs, one SPE at a time. */
static double mean_of_spes(const struct plogp *plogp, const struct office *office) {
  unsigned n = plogp->platform->nspes;
  double sum = 0;
  for (unsigned i = 0; i < n; i++) {
    sum += measure_office(plogp, *office, i, 1);
  }
  return sum / n;
}

double plogp_ppe(const struct plogp *plogp, enum cost_parameter parameter, size_t m) {
  struct office office = {.parameter = parameter, .nbytes = m == COST_ACK ? 0 : m};
  unsigned n = plogp->platform->nspes;
  if (parameter == COST_GAMMA_PPE) {
    return measure_office(plogp, office, 0, 1);
  }
  if (parameter == COST_G_SPE_PPE) {
    office.nbytes = 0;
    return (measure_office(plogp, office, 0, n) - mean_of_spes(plogp, &office)) / (n - 1);
  }
  return mean_of_spes(plogp, &office);
}
