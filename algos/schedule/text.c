/* SPDX-License-Identifier: BSD-3-Clause
 * A text as an algorithm of the catalogue: the name, the schedules for the ranks and chips of calls. */
#include "algos/schedule/text.h"

#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variant {
  struct text_shape shape;
  struct schedule *schedule; /* NULL: refused */
  struct text_proof proof;
};

struct text {
  const struct algo *algo;
  const char *path; /* of the file; of the catalogue: the name */
  size_t nbytes;
  struct variant *variants;
  size_t nvariants;
  struct text *next;
};

static struct text *texts;

static const struct text_kind kind = {1 << 20, "1048576 bytes", "a text of an algorithm"};

static struct text_shape shape_of(const struct coll_group *group) {
  struct text_shape shape = {.nranks = group->nranks, .nchips = group->nchips, .size = group->chip_first[1]};
  for (unsigned i = 0; i < group->nchips; i++) {
    shape.size = group->chip_first[i + 1] - group->chip_first[i] == shape.size ? shape.size : 0;
  }
  return shape;
}

static struct text *add_text(const struct algo *algo, const char *path) {
  struct text *text = xcalloc(1, sizeof *text);
  *text = (struct text){.algo = algo, .path = path, .nbytes = strlen(algo->text), .next = texts};
  return texts = text;
}

static struct text *text_of(const struct algo *algo) {
  for (struct text *text = texts; text; text = text->next) {
    if (text->algo->text == algo->text) {
      return text;
    }
  }
  const struct algorithm algorithm = {.algo = algo};
  return add_text(algo, text_keep(catalogue_name(&algorithm)));
}

/* Return the schedule of the algorithm of GROUP for the shape of GROUP, made once. */
static const struct variant *variant_for(const struct coll_group *group) {
  struct text *text = text_of(group->call.algo);
  const struct text_shape shape = shape_of(group);
  for (size_t i = 0; i < text->nvariants; i++) {
    if (memcmp(&text->variants[i].shape, &shape, sizeof shape) == 0) {
      return &text->variants[i];
    }
  }
  struct variant variant = {.shape = shape};
  variant.schedule = text_expand(text->algo->text, text->nbytes, text->path, &shape, &variant.proof);
  if (variant.schedule) {
    schedule_derive(variant.schedule);
  }
  VEC_ADD(text->variants, text->nvariants) = variant;
  return &text->variants[text->nvariants - 1];
}

/* Format into TEXT why the call of GROUP is refused: a mistake if IS_WRONG, else another reason.
 * returns: NULL: there is no such reason. */
static const char *refuse(const struct coll_group *group, bool is_wrong, char *text, size_t size) {
  const struct variant *variant = variant_for(group);
  if (variant->schedule || variant->proof.is_wrong != is_wrong) {
    return NULL;
  }
  snprintf(text, size, "%s", variant->proof.why.text);
  return text;
}

const char *text_refuse(const struct coll_group *group, char *text, size_t size) {
  return refuse(group, false, text, size);
}

const char *text_mistake(const struct coll_group *group, char *text, size_t size) {
  return refuse(group, true, text, size);
}

const char *text_note(const struct coll_group *group) {
  const struct variant *variant = group->call.algo->text ? variant_for(group) : NULL;
  return variant && *variant->proof.note.text ? variant->proof.note.text : NULL;
}

size_t text_scratch(const struct coll_group *group) {
  const struct variant *variant = variant_for(group);
  return variant->schedule ? schedule_scratch(variant->schedule, group) : 0;
}

void text_run(struct coll *c) {
  schedule_run(variant_for(c->group)->schedule, c);
}

/* Fill ENTRY, called NAME, from the N bytes of TEXT, of file PATH. */
static int complete(struct algo *entry, const char *name, const char *text, size_t n, const char *path,
                    struct err *err) {
  struct text_head head;
  if (text_head(text, n, path, &head, err) != 0) {
    return -1;
  }
  *entry = (struct algo){TEXT_ALGO(head.collective, name, ALGO_SOURCE_OWN),
                         .idea = "a schedule in a text",
                         .needs = NEED_SPES | head.needs,
                         .kind = "sched",
                         .ranks = head.nplaces,
                         .words = *head.words ? text_keep(head.words) : NULL,
                         .text = text};
  return 0;
}

/* Return the text of the file, or of text_replace, PATH; NULL: there is none. */
static struct text *find(const char *path) {
  struct text *text = texts;
  while (text && !(text->algo->kind && strcmp(text->path, path) == 0)) {
    text = text->next;
  }
  return text;
}

/* Add the N bytes of TEXT, NULL after an error, of file PATH to the catalogue as NAME.
 * returns: the algorithm; NULL after an error, and TEXT is gone. */
static const struct algo *add(char *text, size_t n, const char *path, const char *name, struct err *err) {
  struct algo *algo = xcalloc(1, sizeof *algo);
  struct err why = {""};
  int status = text ? complete(algo, name, text, n, path, err) : -1;
  if (status == 0 && catalogue_add(algo, checksum_add(CHECKSUM_START, text, n), &why) != 0) {
    status = err_set(err, "%.200s: %s", path, why.text);
  }
  if (status != 0) {
    free(text);
    free(algo);
    return NULL;
  }
  add_text(algo, text_keep(path))->nbytes = n;
  return algo;
}

const struct algo *text_load(const char *path, const char *name, struct err *err) {
  size_t nbytes;
  char *content = text_read_file(path, &kind, &nbytes, err);
  outfile_note_input(path);
  return add(content, nbytes, path, name, err);
}

int text_replace(const char *name, const char *text, struct err *err) {
  char *path = xasprintf("<%s>", name), *copy = xstrdup(text);
  struct text *before = find(path);
  if (!before) {
    int status = add(copy, strlen(copy), path, text_keep(name), err) ? 0 : -1;
    free(path);
    return status;
  }
  free(path);
  struct algo fresh;
  if (complete(&fresh, before->algo->name, copy, strlen(copy), before->path, err) != 0) {
    free(copy);
    return -1;
  }
  for (size_t i = 0; i < before->nvariants; i++) {
    schedule_free(before->variants[i].schedule);
  }
  free(before->variants);
  before->variants = NULL;
  before->nvariants = 0;
  before->nbytes = strlen(copy);
  free((char *)before->algo->text);
  *(struct algo *)before->algo = fresh; /* the catalogue has the address */
  return 0;
}
