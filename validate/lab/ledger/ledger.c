/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/ledger/ledger.h"

#include "sim/base/checksum.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/jobs/jobs.h"
#include "sim/base/jobs/worker_end.h"
#include "sim/base/seconds.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum seconds of work lost when the process is killed. */
static const double least_seconds = 1;

/* Seconds of processor time of a round of tried experiments that get workers. A worker takes milliseconds
 * for the pages that the worker copies or touches anew. */
static const double work_of_crew = 0.05;

struct ledger_entry {
  struct pack key, result;
  bool known, wanted, stopped;
  bool elsewhere; /* made by another process */
};

struct ledger_wanted {
  size_t index; /* of the entry */
  struct experiment experiment;
};

/* Experiments to run: wanted, and not in the store. */
struct batch {
  struct ledger *ledger;
  struct err *err;
  size_t next; /* the results of earlier experiments have been written, if known */
};

/* --- entries --- */

/* Return the number of the entry of EXPERIMENT, from 1 on; 0: there is none. */
static size_t find_entry(struct ledger *ledger, const struct experiment *experiment, bool create) {
  struct pack key = {0};
  ledger_key(experiment, &key);
  uint64_t code = checksum_add(CHECKSUM_START, key.bytes, key.nbytes);
  struct hash_place *place = hash_find(&ledger->places, code);
  for (; place->number; place = hash_next(&ledger->places, place, code)) {
    const struct pack *known = &ledger->entries[place->number - 1].key;
    if (known->nbytes == key.nbytes && memcmp(known->bytes, key.bytes, key.nbytes) == 0) {
      break;
    }
  }
  if (place->number == 0 && create) {
    pack_fit(&key);
    VEC_ADD(ledger->entries, ledger->n) = (struct ledger_entry){.key = key};
    hash_add(&ledger->places, place, code, ledger->n);
  } else {
    pack_fini(&key);
  }
  return place->number;
}

bool ledger_ask(struct ledger *ledger, const struct experiment *experiment, struct result *result) {
  assert(!experiment->call.observers); /* no key tells of observers */
  size_t number = experiment->entry && *experiment->entry ? *experiment->entry
                                                          : find_entry(ledger, experiment, ledger->asking);
  struct ledger_entry *entry = number ? &ledger->entries[number - 1] : NULL;
  if (experiment->entry) {
    *experiment->entry = number;
  }
  if (entry && entry->known) {
    ledger->nstopped += entry->stopped;
    *result = result_of(entry->result);
    result->stopped = entry->stopped;
    return true;
  }
  ledger->nmissing++;
  if (entry && ledger->asking && !entry->wanted && !entry->elsewhere) {
    VEC_ADD(ledger->wanted, ledger->nwanted) = (struct ledger_wanted){number - 1, *experiment};
    entry->wanted = true;
  }
  return false;
}

size_t ledger_mark(const struct ledger *ledger) {
  return ledger ? ledger->nmissing : 0;
}

bool ledger_complete(const struct ledger *ledger, size_t mark) {
  return ledger_mark(ledger) == mark;
}

/* --- the store --- */

int ledger_open(struct ledger *ledger, struct err *err) {
  if (!ledger->store) {
    return 0;
  }
  struct store *store = store_open(ledger->store, STORE_CREATE, err);
  ledger->store_failed = !store;
  store_close(store);
  return store ? 0 : -1;
}

/* Look up the wanted experiments in the store; of a shared sweep note the missing experiments there. Keep
 * only this process's missing experiments on the list. */
static int fetch(struct ledger *ledger, struct err *err) {
  struct store *store = store_open(ledger->store, STORE_USE, err);
  int status = !store ? -1 : ledger->parts ? store_begin(store, err) : 0;
  size_t left = 0;
  for (size_t i = 0; i < ledger->nwanted && status == 0; i++) {
    struct ledger_entry *entry = &ledger->entries[ledger->wanted[i].index];
    int found = store_find(store, &entry->key, &entry->result, err);
    entry->known = found > 0;
    if (entry->known) {
      ledger->nfound++;
      pack_fit(&entry->result);
      continue;
    }
    if (ledger->parts && found == 0) {
      found = store_ask(store, &entry->key, err);
      entry->elsewhere = !ledger->wanted[i].experiment.kind->shared &&
                         ledger_key_point(&entry->key) % ledger->parts != ledger->part;
      ledger->nelsewhere += entry->elsewhere;
    }
    status = found;
    if (!entry->elsewhere) {
      ledger->wanted[left++] = ledger->wanted[i];
    }
  }
  status = status == 0 && ledger->parts ? store_commit(store, err) : status;
  store_close(store);
  ledger->nwanted = left;
  ledger->store_failed = status != 0;
  return status;
}

/* Write the known results of BATCH before number END to the store. */
static int save(struct batch *batch, size_t end) {
  struct ledger *ledger = batch->ledger;
  struct store *store = store_open(ledger->store, STORE_USE, batch->err);
  int status = store ? store_begin(store, batch->err) : -1;
  size_t nstored = 0;
  for (; batch->next < end && status == 0; batch->next++) {
    const struct ledger_entry *entry = &ledger->entries[ledger->wanted[batch->next].index];
    if (entry->known && !entry->stopped) {
      status = store_put(store, &entry->key, &entry->result, batch->err);
      nstored++;
    }
  }
  status = status == 0 ? store_commit(store, batch->err) : -1;
  store_close(store);
  ledger->nstored += status == 0 ? nstored : 0;
  ledger->stored_at = seconds_of(CLOCK_MONOTONIC);
  ledger->store_failed = status != 0;
  return status;
}

/* --- running --- */

static const struct experiment *experiment_of(const struct batch *batch, size_t index) {
  return &batch->ledger->wanted[index].experiment;
}

/* Name EXPERIMENT for a message. */
static void name_experiment(const struct experiment *experiment, char *text, size_t size) {
  const struct call *call = &experiment->call;
  if (call->algorithm.algo) {
    snprintf(text, size, "%s", call_words(call));
  } else {
    const char *subject = experiment->subject;
    int used =
      snprintf(text, size, "%s%s%s", experiment->kind->name, subject ? " " : "", subject ? subject : "");
    if (call->nbytes && call->nbytes != SIZE_MAX) { /* SIZE_MAX: a notification, see cost.h */
      snprintf(text + used, size - (size_t)used, " of %zu bytes", call->nbytes);
    }
  }
}

/* Pack into RESULT that EXPERIMENT has stopped in the way HOW. */
static void pack_stop(const struct experiment *experiment, const char *how, struct pack *result) {
  char name[256];
  pack_clear(result);
  pack_add_count(result, true);
  if (experiment->kind->stopped) {
    experiment->kind->stopped(experiment, how, result);
  } else {
    name_experiment(experiment, name, sizeof name);
    SCOPED char *why = xasprintf("%s: %s", name, how);
    result_end(result, why);
  }
}

/* Make experiment INDEX; pack whether the experiment has stopped, and the result of the experiment's kind. */
static int work(void *context, size_t index, struct pack *result) {
  const struct experiment *experiment = experiment_of(context, index);
  pack_add_count(result, false);
  struct err refused = {""};
  int status;
  if (experiment->kind->pack) {
    status = experiment->kind->pack(experiment, result);
  } else {
    experiment->kind->run(experiment, result, &refused);
    result_end(result, refused.text);
    status = des_interrupted() ? -1 : 0;
  }
  SCOPED char *why = rig_take_stop();
  if (why) {
    pack_stop(experiment, why, result);
  }
  return status;
}

static int deliver(void *context, size_t index, struct pack *result) {
  struct batch *batch = context;
  struct ledger *ledger = batch->ledger;
  struct ledger_entry *entry = &ledger->entries[ledger->wanted[index].index];
  entry->stopped = pack_take_count(result);
  pack_fit(result);
  entry->result = *result; /* from behind the count on */
  *result = (struct pack){0};
  entry->known = true;
  ledger->nrun++;
  return ledger->store && seconds_of(CLOCK_MONOTONIC) > ledger->stored_at + least_seconds
           ? save(batch, index + 1)
           : 0;
}

static bool crashed(void *context, size_t index, const char *how, struct pack *result) {
  const char *kind = worker_end_is_faulty(how)       ? "fault"
                     : worker_end_took_too_long(how) ? "timeout"
                                                     : "crash";
  SCOPED char *end = xasprintf("%s: %s", kind, how);
  pack_stop(experiment_of(context, index), end, result);
  return true;
}

static void describe(const void *context, size_t index, char *text, size_t size) {
  name_experiment(experiment_of(context, index), text, size);
}

static void progress(void *context, size_t done) {
  const struct ledger *ledger = ((const struct batch *)context)->ledger;
  if (ledger->progress) {
    ledger->progress(done, ledger->nwanted);
  }
}

/* Run the wanted experiments. */
static int run(struct ledger *ledger, struct err *err) {
  struct batch batch = {.ledger = ledger, .err = err};
  bool here = ledger->tried && (double)ledger->nwanted * ledger->each < work_of_crew;
  double before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  struct jobs jobs = {.count = ledger->nwanted,
                      .nworkers = here ? 1 : ledger->njobs,
                      .apart = ledger->apart && !here,
                      .seconds = ledger->seconds,
                      .told = ledger->told,
                      .limit = ledger->limit,
                      .context = &batch,
                      .work = work,
                      .deliver = deliver,
                      .crashed = crashed,
                      .describe = describe,
                      .progress = progress,
                      .interrupted = des_interrupted};
  ledger->stored_at = seconds_of(CLOCK_MONOTONIC);
  int status = machine_begin(err) == 0 ? jobs_run(&jobs, err) : -1;
  if (here) {
    ledger->each = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before) / (double)ledger->nwanted;
  }
  if (ledger->store && !ledger->store_failed && save(&batch, ledger->nwanted) != 0) {
    status = -1;
  }
  return status;
}

/* Let EVALUATE ask once.
 * returns: whether a result was not known. */
static bool ask(struct ledger *ledger, void (*evaluate)(void *context), void *context) {
  VEC_EACH(entry, ledger->entries, ledger->n) {
    entry->wanted = false;
  }
  ledger->nwanted = 0;
  ledger->asking = true;
  evaluate(context);
  ledger->asking = false;
  return ledger->nwanted > 0;
}

int ledger_settle(struct ledger *ledger, void (*evaluate)(void *context), void *context, struct err *err) {
  int status = 0;
  size_t mark = ledger->nmissing;
  /* within a round of another user of the ledger: experiments asked for here are run by that round */
  if (ledger->asking) {
    evaluate(context);
    return 0;
  }
  while (status == 0 && !des_interrupted()) {
    ledger->nmissing = mark;
    if (!ask(ledger, evaluate, context)) {
      break;
    }
    status = ledger->store ? fetch(ledger, err) : 0;
    if (ledger->recalled) {
      break;
    }
    if (status == 0 && ledger->nwanted > 0) {
      status = run(ledger, err);
    }
  }
  free(ledger->wanted);
  ledger->wanted = NULL;
  ledger->nwanted = 0;
  return status;
}

void ledger_fini(struct ledger *ledger) {
  VEC_EACH(entry, ledger->entries, ledger->n) {
    pack_fini(&entry->key);
    pack_fini(&entry->result);
  }
  free(ledger->entries);
  ledger->entries = NULL;
  ledger->n = 0;
  hash_fini(&ledger->places);
}
