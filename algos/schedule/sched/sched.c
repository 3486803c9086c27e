/* SPDX-License-Identifier: BSD-3-Clause
 * Texts as algorithms of the catalogue. A text becomes operations once for all calls with the same ranks and
 * chips, when the first of these calls is checked. */
#include "algos/schedule/sched/sched.h"

#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variant {
  struct sched_shape shape;
  struct sched *sched; /* NULL: refused */
  struct sched_proof proof;
};

/* A text, and the operations for the shapes of calls so far. */
struct source {
  const char *text;
  const char *path;  /* of the file; of the catalogue: the name */
  struct algo *algo; /* of the file; NULL: the text is of the catalogue */
  size_t nbytes;
  struct variant *variants;
  size_t nvariants;
};

static struct source *sources;
static size_t nsources;

static struct sched_shape shape_of(const struct coll_group *group) {
  struct sched_shape shape = {.nranks = group->nranks, .nchips = group->nchips, .size = group->chip_first[1]};
  for (unsigned i = 0; i < group->nchips; i++) {
    shape.size = group->chip_first[i + 1] - group->chip_first[i] == shape.size ? shape.size : 0;
  }
  return shape;
}

static struct source *add_source(const char *text, const char *path) {
  VEC_ADD(sources, nsources) = (struct source){.text = text, .path = path, .nbytes = strlen(text)};
  return &sources[nsources - 1];
}

static struct source *source_of(const struct algo *algo) {
  struct source *source = VEC_FIND(sources, nsources, item->text == algo->sched);
  const struct algorithm algorithm = {.algo = algo};
  return source ? source : add_source(algo->sched, text_keep(catalogue_name(&algorithm)));
}

/* Return the operations of the algorithm of GROUP for the shape of GROUP, made once. */
static const struct variant *variant_for(const struct coll_group *group) {
  struct source *source = source_of(group->call.algo);
  const struct sched_shape shape = shape_of(group);
  const struct variant *known =
    VEC_FIND(source->variants, source->nvariants, memcmp(&item->shape, &shape, sizeof shape) == 0);
  if (known) {
    return known;
  }
  struct variant variant = {.shape = shape};
  variant.sched = sched_expand(source->text, source->nbytes, source->path, &shape, &variant.proof);
  if (variant.sched) {
    sched_derive(variant.sched);
  }
  VEC_ADD(source->variants, source->nvariants) = variant;
  return &source->variants[source->nvariants - 1];
}

const struct sched *sched_of(const struct coll_group *group) {
  return variant_for(group)->sched;
}

/* Format into TEXT why the call of GROUP is refused: a mistake if IS_WRONG, else another reason.
 * returns: NULL: there is no such reason. */
static const char *refuse(const struct coll_group *group, bool is_wrong, char *text, size_t size) {
  const struct variant *variant = variant_for(group);
  if (variant->sched || variant->proof.is_wrong != is_wrong) {
    return NULL;
  }
  snprintf(text, size, "%s", variant->proof.why.text);
  return text;
}

const char *sched_refuse(const struct coll_group *group, char *text, size_t size) {
  return refuse(group, false, text, size);
}

const char *sched_mistake(const struct coll_group *group, char *text, size_t size) {
  return refuse(group, true, text, size);
}

const char *sched_note(const struct coll_group *group) {
  const struct variant *variant = group->call.algo->sched ? variant_for(group) : NULL;
  return variant && *variant->proof.note.text ? variant->proof.note.text : NULL;
}

/* Fill ENTRY, called NAME, from the N bytes of TEXT, of file PATH. */
static int complete(struct algo *entry, const char *name, const char *text, size_t n, const char *path,
                    struct err *err) {
  *entry = (struct algo){SCHED_ALGO(COLL_COUNT, name, ALGO_SOURCE_OWN), .idea = "a schedule in a text",
                         .kind = "sched", .sched = text};
  return sched_head(text, n, path, entry, err);
}

const struct algo *sched_add(char *text, size_t n, const char *path, const char *name, struct err *err) {
  struct algo *algo = xcalloc(1, sizeof *algo);
  struct err why = {""};
  int status = complete(algo, name, text, n, path, err);
  if (status == 0 && catalogue_add(algo, checksum_add(CHECKSUM_START, text, n), &why) != 0) {
    status = err_set(err, "%.200s: %s", path, why.text);
  }
  if (status != 0) {
    free(text);
    free(algo);
    return NULL;
  }
  struct source *source = add_source(text, text_keep(path));
  source->algo = algo;
  source->nbytes = n;
  return algo;
}

int sched_replace(const char *name, const char *text, struct err *err) {
  SCOPED char *path = xasprintf("<%s>", name);
  char *copy = xstrdup(text);
  struct source *before = VEC_FIND(sources, nsources, item->algo && strcmp(item->path, path) == 0);
  if (!before) {
    return sched_add(copy, strlen(copy), path, text_keep(name), err) ? 0 : -1;
  }
  struct algo fresh;
  if (complete(&fresh, before->algo->name, copy, strlen(copy), before->path, err) != 0) {
    free(copy);
    return -1;
  }
  VEC_EACH(variant, before->variants, before->nvariants) {
    sched_free(variant->sched);
  }
  free(before->variants);
  free((char *)before->text);
  *before = (struct source){.text = copy, .path = before->path, .algo = before->algo, .nbytes = strlen(copy)};
  *before->algo = fresh; /* the catalogue has the address */
  return 0;
}
