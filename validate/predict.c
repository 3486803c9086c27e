/* SPDX-License-Identifier: BSD-3-Clause
 * See predict.h. */
#include "validate/predict.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "validate/rig.h"

#include <math.h>
#include <string.h>

/* The machine of the equations. */
enum { PUBLISHED_SPES_PER_CHIP = 8, PUBLISHED_CHIPS = 2 };

static double
measured(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n)
{
  return plogp_get(cost->source, parameter, m, n);
}

static bool
can_be_served(const struct plogp *plogp, const struct algo_call *call, unsigned nranks, size_t nbytes)
{
  struct rig_spec spec = {.call = *call, .nranks = nranks, .nbytes = nbytes, .nrepeats = 1};
  struct err refused = {""};
  return rig_check(plogp->blade, &spec, &refused) == 0;
}

struct prediction
predict_published(struct plogp *plogp, const struct algo_call *call, unsigned nranks, size_t nbytes)
{
  struct cost cost = {.p = nranks,
                      .m = nbytes,
                      .values = call->values,
                      .two_chips = nranks > PUBLISHED_SPES_PER_CHIP,
                      .parameter = measured,
                      .source = plogp};
  bool defined = call->algo->cost && nranks >= 2 && nranks <= PUBLISHED_SPES_PER_CHIP * PUBLISHED_CHIPS &&
                 plogp->blade->spes_per_chip == PUBLISHED_SPES_PER_CHIP &&
                 strcmp(catalogue_source(call), call->algo->source) == 0 &&
                 can_be_served(plogp, call, nranks, nbytes);
  if (!defined) {
    return (struct prediction){.low = NAN, .middle = NAN, .high = NAN};
  }
  struct prediction prediction;
  cost.gap_share = 0;
  prediction.low = call->algo->cost(&cost);
  cost.gap_share = 0.5;
  prediction.middle = call->algo->cost(&cost);
  cost.gap_share = 1;
  prediction.high = call->algo->cost(&cost);
  return prediction;
}
