/* SPDX-License-Identifier: BSD-3-Clause
 * The judgement of the hazard detector: what was under way at once in the same bytes. */
#pragma once

#include "traces/hazard.h"

/* Judge what COMMAND of HAZARD has moved up to cycle END against all other commands under way and what
 * programs have touched. */
void hazard_judge(struct hazard *hazard, const struct hazard_command *command, uint64_t end);
