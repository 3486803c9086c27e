/* SPDX-License-Identifier: BSD-3-Clause
 * Findings on drawn machines: the values not determined by the fit are drawn. */
#pragma once

struct blade;
struct err;
struct evidence;

/* Find the percentage of drawn machines of EVIDENCE on which each of claims_count() findings holds, from
 * variations of the first machine: SHARES; NaN: no run on that machine decides the finding.
 * errors: as variations_run. */
int draws_claims(const struct evidence *evidence, double *shares, struct err *err);

/* Draw machines as EVIDENCE says, and call VISIT with CONTEXT and the variation of the first machine in each
 * draw, until VISIT fails.
 * errors: as variations_add and VISIT. */
int draws_visit(const struct evidence *evidence,
                int (*visit)(void *context, struct blade *blade, struct err *err), void *context,
                struct err *err);
