/* SPDX-License-Identifier: BSD-3-Clause
 * Words of traces for the events of the machine. */
#pragma once

#include "sim/hw/probe.h"

/* Return the word for a kind of events, such as "grant". */
const char *trace_event_word(enum probe_kind kind);

/* Return the word for a cause of an event, such as "delivery". */
const char *trace_cause_word(enum probe_cause_kind kind);

/* Return the word for why a program computes, such as "send". */
const char *trace_reason_word(enum compute_reason reason);

/* Return the word for the subject of a program's wait, such as "flag". */
const char *trace_subject_word(enum probe_subject subject);

/* Return the programs' word for the DMA command of ENQUEUE, such as "putlf". A command without data is
 * "sync", or "barrier" for all tags. */
const char *trace_dma_word(const struct probe_enqueue *enqueue);
