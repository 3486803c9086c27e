/* SPDX-License-Identifier: BSD-3-Clause */
#include "traces/trace_words.h"

#include "sim/base/text.h"

const char *const trace_cause_words[] = {
  [PROBE_BY_NOTHING] = "nothing", [PROBE_BY_DELIVERY] = "delivery", [PROBE_BY_COMPLETION] = "completion",
  [PROBE_BY_STALL] = "stall",     [PROBE_BY_ATOMIC] = "atomic",     [PROBE_BY_DECREMENTER] = "decrementer",
  [PROBE_BY_PROGRAM] = "program", [PROBE_BY_MESSAGE] = "message",
};

const char *const trace_reason_words[] = {
#define COMPUTE_REASON(id, cause, word, phrase) word,
#include "sim/hw/watch/compute_reason.def"
};

const char *const trace_subject_words[] = {
#define PROBE_SUBJECT(id, word, phrase) word,
#include "sim/hw/watch/probe_subject.def"
};

const char *trace_step_name(const struct probe_step *step) {
  return step->name ? step->name : text_brief("step %u", step->step);
}

const char *trace_dma_word(const struct probe_enqueue *enqueue) {
  static const char *const words[2][2][3] = {{{"get", "getf", "getb"}, {"getl", "getlf", "getlb"}},
                                             {{"put", "putf", "putb"}, {"putl", "putlf", "putlb"}}};
  static const char *const syncs[3] = {"hint", "syncf", "syncb"};
  unsigned order = enqueue->barrier ? 2 : enqueue->fence;
  if (!enqueue->is_sync) {
    return words[enqueue->is_put][enqueue->is_list][order];
  }
  return enqueue->all_tags ? "barrier" : syncs[order];
}
