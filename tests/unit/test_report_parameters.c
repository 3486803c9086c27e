/* SPDX-License-Identifier: BSD-3-Clause
 * The table of parameters of the report asks the ledger. */
#include "sim/base/err.h"
#include "tests/bed.h"
#include "validate/lab/ledger.h"
#include "validate/model/plogp.h"
#include "validate/report/report.h"
#include "tests/suite.h"

/* Let LEDGER find out the parameters of a page about the blade of BED. */
static void measure(struct ledger *ledger, const struct bed *bed) {
  struct plogp plogp;
  struct err err = {""};
  plogp_init(&plogp, bed->blade, platform_profile(bed->platform, "ali2010"));
  plogp.ledger = ledger;
  ck_assert_msg(report_measure_parameters(&plogp, &err) == 0, "%s", err.text);
  size_t nmissing = ledger->nmissing;
  ck_assert_double_gt(plogp_get(&plogp, COST_L2, COST_ACK, 0), 1);
  ck_assert_double_gt(plogp_get(&plogp, COST_C, 32768, 16), 1);
  ck_assert_uint_eq(ledger->nmissing, nmissing);
  plogp_fini(&plogp);
}

TESTS(report_parameters, .start = bed_start_engine);

/* Of notifications L, L1, L2, gAck, g1Ack, g2Ack; L, L1, L2, g, g1, g2, C and gamma of ten sizes. */
TEST(parameters_of_a_page_are_asked_for_at_once_and_measured_once) {
  struct bed bed = bed_new("qs20");
  struct ledger ledger = {.njobs = 1};
  measure(&ledger, &bed);
  ck_assert_uint_eq(ledger.round, 2);
  ck_assert_uint_eq(ledger.nrun, 6 + 10 * 8);
  measure(&ledger, &bed);
  ck_assert_uint_eq(ledger.nrun, 6 + 10 * 8);
  ledger_fini(&ledger);
  bed_fini(&bed);
}
