/* SPDX-License-Identifier: BSD-3-Clause
 * Words from all ranks to the PPE, and the PPE's answers.
 * source: Velamati et al. 2007, section 5.3. */
#pragma once

#include "algos/step/coll.h"

/* On an SPE: send COUNT words to the PPE and wait for the answer. */
void mailbox_ask(const struct coll *c, const uint32_t *words, unsigned count);

/* On the PPE: wait for COUNT words of RANK. */
void mailbox_hear(const struct coll_group *group, unsigned rank, uint32_t *words, unsigned count);

/* On the PPE: answer every rank. */
void mailbox_answer(const struct coll_group *group);
