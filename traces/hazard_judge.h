/* SPDX-License-Identifier: BSD-3-Clause
 * The judgement of the hazard detector: accesses to the same bytes at the same time. */
#pragma once

#include "traces/hazard.h"

/* Judge the bytes moved by COMMAND of HAZARD up to cycle END against all other commands under way and against
 * the touches of programs. */
void hazard_judge(struct hazard *hazard, const struct hazard_command *command, uint64_t end);
