/* SPDX-License-Identifier: BSD-3-Clause
 * Findings on drawn machines: the values not determined by the fit are drawn. */
#pragma once

struct err;
struct evidence;

/* Find the percentage of drawn machines of EVIDENCE on which each of claims_count() findings holds, from
 * variations of the first machine: SHARES; NaN: no run on that machine decides the finding.
 * errors: as lab_run. */
int draws_claims(const struct evidence *evidence, double *shares, struct err *err);
