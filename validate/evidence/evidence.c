/* SPDX-License-Identifier: BSD-3-Clause
 * See evidence.h. */
#include "validate/evidence/evidence.h"

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct evidence_experiment evidence_experiments[] = {
#define EVIDENCE(id, name, doc) {name, doc, evidence_##id},
#include "validate/evidence/evidence.def"
};
const size_t evidence_nexperiments = sizeof evidence_experiments / sizeof *evidence_experiments;

const struct evidence_experiment *evidence_find(const char *name, struct err *err) {
  const char *names[sizeof evidence_experiments / sizeof *evidence_experiments];
  for (size_t i = 0; i < evidence_nexperiments; i++) {
    names[i] = evidence_experiments[i].name;
    if (strcmp(names[i], name) == 0) {
      return &evidence_experiments[i];
    }
  }
  const char *nearest = suggest_nearest(name, names, evidence_nexperiments);
  err_set(err,
          nearest ? "unknown experiment '%s'; did you mean '%s'?"
                  : "unknown experiment '%s', expected one of '%s'",
          name, nearest ? nearest : "evidence --help");
  return NULL;
}

void evidence_say(const struct evidence *evidence, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  evidence->say(evidence->context, line);
}
