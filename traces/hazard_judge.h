/* SPDX-License-Identifier: BSD-3-Clause
 * The judgement of the hazard detector of hosts: what was under way at once in the same bytes. */
#pragma once

#include "traces/hazard.h"

/* Return the process in whose memory EA lies. */
unsigned hazard_area(uint64_t ea);

/* Judge what TRANSFER of HAZARD has moved up to cycle END against all other transfers under way and what
 * programs have touched. */
void hazard_judge(struct hazard *hazard, const struct hazard_transfer *transfer, uint64_t end);
