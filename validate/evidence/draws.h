/* SPDX-License-Identifier: BSD-3-Clause
 * Findings on machines whose values are drawn from what the fit leaves open. */
#pragma once

struct err;
struct evidence;

/* Find in which percent of the draws of EVIDENCE each of claims_count() findings holds on its first machine:
 * SHARES; NaN: no run on it can tell.
 * errors: as lab_run. */
int draws_claims(const struct evidence *evidence, double *shares, struct err *err);
