/* SPDX-License-Identifier: BSD-3-Clause
 * Texts: algorithms as schedules, docs/how-to/text-algorithms.md; of the catalogue, and of files. */
#pragma once

#include "algos/schedule/schedule.h"
#include "algos/step/algo.h"
#include "sim/base/err.h"

/* Ranks and chips of a call. */
struct text_shape {
  unsigned nranks, nchips;
  unsigned size; /* ranks on each chip; 0: chips have different numbers */
};

/* The head of a text. */
struct text_head {
  enum collective collective;
  unsigned nplaces; /* 0: any number */
  unsigned needs;   /* enum coll_need, one or several */
  char words[40];   /* of signals, fence, late, eager */
};

/* The result of the proof of a text for a shape. */
struct text_proof {
  bool is_wrong; /* the text has a mistake; else a refused text is not for the shape, or beyond a limit */
  struct err why, note; /* the reason of a refusal; of a right text, as of schedule_check */
};

/* The members of the entry of algorithm NAME_ of COLLECTIVE_, from SOURCE_, with a text. */
#define TEXT_ALGO(COLLECTIVE_, NAME_, SOURCE_) \
  .collective = (COLLECTIVE_), .name = (NAME_), .source = (SOURCE_), .refuse = text_refuse, \
  .mistake = text_mistake, .scratch = text_scratch, .run = text_run

/* The functions of these members. */
const char *text_refuse(const struct coll_group *group, char *text, size_t size);
const char *text_mistake(const struct coll_group *group, char *text, size_t size);
size_t text_scratch(const struct coll_group *group);
void text_run(struct coll *c);

/* Return the note of the proof for the call of GROUP, of a text or another algorithm; NULL: none. */
const char *text_note(const struct coll_group *group);

/* Tell whether the first word outside comments of the N bytes of TEXT is a word of texts. */
bool text_begins(const char *text, size_t n);

/* Add the algorithm of the text in file PATH to the catalogue under NAME, a lasting text. Operations are
 * checked when ranks and chips are known, before the first call.
 * returns: the algorithm; NULL after an error.
 * errors: an unreadable file; PATH:LINE: a mistake; the name is taken. */
const struct algo *text_load(const char *path, const char *name, struct err *err);

/* Let NAME be the algorithm of TEXT, as of a file NAME.sched, in place of an earlier TEXT with this NAME.
 * errors: as text_load; the algorithm then stays. */
int text_replace(const char *name, const char *text, struct err *err);

/* The texts found by searches, as data (docs/found.md); ended by a NULL name. */
struct text_found {
  const char *name, *text;
};
extern const struct text_found texts_found[];

/* Turn the N bytes of TEXT, of the file PATH, into a schedule for SHAPE; PROOF has empty texts.
 * returns: NULL: refused.
 * owner: the caller, with schedule_free. */
struct schedule *text_expand(const char *text, size_t n, const char *path, const struct text_shape *shape,
                             struct text_proof *proof);

/* Read the head of TEXT into HEAD; arguments and errors as of text_expand. */
int text_head(const char *text, size_t n, const char *path, struct text_head *head, struct err *err);
