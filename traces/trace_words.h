/* SPDX-License-Identifier: BSD-3-Clause
 * Words of traces for the events of the machine. */
#pragma once

#include "sim/hw/watch/probe.h"

/* Words for causes of events, such as "delivery"; for why a program computes, "send"; for the subjects of
 * waits, "flag". */
extern const char *const trace_cause_words[], *const trace_reason_words[], *const trace_subject_words[];

/* Tell whether EVENT is about a bus request. */
static inline bool trace_is_request(const struct probe_event *event) {
  return event->kind == PROBE_ISSUE || event->kind == PROBE_GRANT || event->kind == PROBE_CROSS ||
         event->kind == PROBE_MEMORY || event->kind == PROBE_DELIVER;
}

/* Return the name of STEP, or a text_brief such as "step 3". */
const char *trace_step_name(const struct probe_step *step);

/* Return the programs' word for the DMA command of ENQUEUE, such as "putlf". A command without data is
 * "sync", or "barrier" for all tags. */
const char *trace_dma_word(const struct probe_enqueue *enqueue);
