/* SPDX-License-Identifier: BSD-3-Clause
 * Functions shared by the parts of the auditor. */
#pragma once

#include "tests/semantics/auditor.h"

#include <stdbool.h>

/* Return program NUMBER. */
struct auditor_program *auditor_program(struct auditor *auditor, unsigned number);

/* Return program NUMBER, which acts at cycle AT of its own time. */
struct auditor_program *auditor_running_at(struct auditor *auditor, unsigned number, uint64_t at);

/* Program BY does an action, told by EVENT. */
void auditor_see_action(struct auditor *auditor, const struct probe_event *event, struct probe_cause by);

/* EVENT, named CAUSE, may be an SPU event awaited by its program. */
void auditor_see_occasion(struct auditor *auditor, const struct probe_event *event, struct probe_cause cause);

/* EVENT, named CAUSE, has woken program WAKES, or at least one on a PPE: PROBE_NOBODY. */
void auditor_see_waker(struct auditor *auditor, const struct probe_event *event, struct probe_cause cause,
                       unsigned wakes);

/* Check EVENT if EVENT is about programs.
 * returns: false if EVENT is about something else. */
bool auditor_see_program(struct auditor *auditor, const struct probe_event *event);
