/* SPDX-License-Identifier: BSD-3-Clause
 * Waits of a program that has something left to wait for (spu_settle_tags). */
#pragma once

#include "sim/hw/probe.h"

struct des_wait;
struct spu;

/* Let SPU, which calls, wait for what it has left to wait for, and then for WAIT, as program_wait does. */
void spu_settle_and_wait(struct spu *spu, struct des_wait *wait, enum probe_subject subject,
                         const struct probe_cause *by);
