/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of the PPE of chip 0.
 *
 *   mail        SPE 0 sends an address, two words, to the PPE, which waits for it, and gets an answer
 *   hear        the same when the PPE hears an address of SPE 1 before it answers, minus mail
 *   answer      the same when it also answers SPE 1 first, minus the one before
 *   copy(m)     the PPE copies m bytes from memory to memory */
#include "algos/phase/mailbox.h"
#include "algos/step/step.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/rig.h"
#include "validate/model/plogp_parts.h"

#include <assert.h>
#include <math.h>

/* What the PPE does for SPE 1 besides. */
enum besides { NOTHING, HEARS, HEARS_AND_ANSWERS };

/* A PPE program. */
struct office {
  const struct coll_group *group;
  enum besides besides;
  uint64_t from, to;
  size_t nbytes;
  double cycles; /* of a copy */
};

static void
ask(struct rig_rank *rank)
{
  step_begin(rank->c);
  mailbox_ask(rank->c, (const uint32_t[]){0, 0}, 2);
}

static void
serve(void *argument)
{
  const struct office *office = argument;
  uint32_t words[2];
  mailbox_hear(office->group, 0, words, 2);
  if (office->besides != NOTHING) {
    mailbox_hear(office->group, 1, words, 2);
  }
  if (office->besides == HEARS_AND_ANSWERS) {
    mailbox_answer_one(office->group, 1);
  }
  mailbox_answer_one(office->group, 0);
  if (office->besides == HEARS) {
    mailbox_answer_one(office->group, 1);
  }
}

static void
copy(void *argument)
{
  struct office *office = argument;
  uint64_t start = ppe_cycles();
  ppe_memcpy(office->to, office->from, (uint32_t)office->nbytes);
  office->cycles = (double)(ppe_cycles() - start);
}

/* Return the round trip of SPE 0. */
static double
round_trip(const struct plogp *plogp, enum besides besides)
{
  struct rig rig;
  plogp_start_rig(&rig, plogp, 2, 0);
  struct office office = {.group = &rig.group, .besides = besides};
  rig.ppe.main = serve;
  rig.ppe.argument = &office;
  rig_set(&rig, 0, ask);
  if (besides != NOTHING) {
    rig_set(&rig, 1, ask);
  }
  return rig_measure(&rig, 0);
}

static double
copy_time(const struct plogp *plogp, size_t m)
{
  struct rig rig;
  plogp_start_rig(&rig, plogp, 1, 0);
  struct office office = {
    .from = blade_allocate(plogp->blade, 0, m), .to = blade_allocate(plogp->blade, 0, m), .nbytes = m};
  rig.ppe.main = copy;
  rig.ppe.argument = &office;
  rig_run_sound(&rig);
  rig_fini(&rig);
  return office.cycles;
}

double
plogp_measure_ppe(const struct plogp *plogp, const struct plogp_key *key)
{
  switch (key->parameter) {
  case COST_PPE_COPY:
    return copy_time(plogp, key->m);
  case COST_MAIL:
    return round_trip(plogp, NOTHING);
  case COST_HEAR:
    return round_trip(plogp, HEARS) - round_trip(plogp, NOTHING);
  case COST_ANSWER:
    return round_trip(plogp, HEARS_AND_ANSWERS) - round_trip(plogp, HEARS);
  default:
    return NAN;
  }
}
