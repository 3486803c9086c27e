/* SPDX-License-Identifier: BSD-3-Clause
 * The question of an SPU to its MFC: the tag groups without outstanding commands, now or once a condition is
 * met.
 * source: Cell Broadband Engine Architecture, MFC tag-group status channels. */
#pragma once

#include "sim/hw/watch/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct dma;

/* When the answer comes; the values of channel MFC_WrTagUpdate. */
enum dma_tag_condition {
  DMA_TAGS_NOW,
  DMA_TAGS_ANY, /* one of the tag groups has no command outstanding */
  DMA_TAGS_ALL, /* no tag group has outstanding commands */
  DMA_TAG_CONDITIONS,
};

struct dma_tag_query {
  uint32_t mask; /* mask of the question: bit t for tag t */
  enum dma_tag_condition condition;
  bool asked;      /* the condition has not been met yet */
  bool answered;   /* the answer has not been read */
  uint32_t answer; /* tag groups of the mask without outstanding commands when the condition was met */
};

/* Tell whether CONDITION is met by the tag groups of the mask. */
bool dma_tags_meet(const struct dma *dma, enum dma_tag_condition condition);

/* Ask DMA in place of the last open question. An unread answer stays until the new condition is met. */
void dma_tags_ask(struct dma *dma, enum dma_tag_condition condition);

/* Answer the question, if one is open and its condition is met, because of CAUSE: the completion of a command
 * of the SPU, or the question itself, which has no name. */
void dma_tags_look(struct dma *dma, struct probe_cause cause);
