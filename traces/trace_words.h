/* SPDX-License-Identifier: BSD-3-Clause
 * How traces call what the machine tells. */
#pragma once

#include "sim/hw/probe.h"

/* Return the word for a kind of events, such as "grant". */
const char *trace_event_word(enum probe_kind kind);

/* Return the word for what makes something happen, such as "delivery". */
const char *trace_cause_word(enum probe_cause_kind kind);

/* Return the word for why a program computes, such as "send". */
const char *trace_reason_word(enum compute_reason reason);

/* Return the word for what a program waits for, such as "flag". */
const char *trace_subject_word(enum probe_subject subject);

/* Return what the DMA command of ENQUEUE is called by programs, such as "putlf"; those that move nothing are
 * called sync, or barrier where it is one for all tags. */
const char *trace_dma_word(const struct probe_enqueue *enqueue);
