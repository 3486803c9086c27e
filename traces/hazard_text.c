/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard_parts.h. */
#include "traces/hazard_parts.h"

#include "sim/base/xalloc.h"
#include "sim/hw/ea.h"

#include <stdarg.h>
#include <stdio.h>

void hazard_report(struct hazard *hazard, const char *format, ...) {
  va_list arguments;
  if (hazard->count++ < HAZARD_LINES_MAX) {
    char text[1024];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hazard->lines[hazard->count - 1] = xstrdup(text);
  }
}

unsigned hazard_area(const struct hazard *hazard, uint64_t ea) {
  uint64_t area = (ea - hazard->base) >> hazard->shift;
  return area < hazard->nspes ? (unsigned)area : hazard->nspes;
}

const char *hazard_place(char text[HAZARD_PLACE_SIZE], const struct hazard *hazard, uint64_t ea) {
  unsigned long long offset = (ea - hazard->base) & ((1ULL << hazard->shift) - 1);
  unsigned area = hazard_area(hazard, ea);
  if (area == hazard->nspes) {
    snprintf(text, HAZARD_PLACE_SIZE, "main memory 0x%llx", (unsigned long long)ea);
  } else if (hazard->on_hosts) {
    snprintf(text, HAZARD_PLACE_SIZE, "0x%llx of process %u", offset, area);
  } else if (offset >= EA_PROBLEM_STATE) {
    snprintf(text, HAZARD_PLACE_SIZE, "a signal register of SPE %u", area);
  } else {
    snprintf(text, HAZARD_PLACE_SIZE, "0x%llx of SPE %u", offset, area);
  }
  return text;
}

const char *hazard_program(char text[HAZARD_PLACE_SIZE], const struct hazard *hazard, unsigned number) {
  const char *name = hazard->programs[number];
  if (number < hazard->nspes) {
    snprintf(text, HAZARD_PLACE_SIZE, "%.24s on %s %u", name ? name : "nobody",
             hazard->on_hosts ? "process" : "SPE", number);
  } else {
    snprintf(text, HAZARD_PLACE_SIZE, "%.24s on a PPE", name ? name : "a program");
  }
  return text;
}

const char *hazard_party(char text[HAZARD_PARTY_SIZE], const struct hazard *hazard,
                         const struct hazard_command *command) {
  char who[HAZARD_PLACE_SIZE], from[HAZARD_PLACE_SIZE], to[HAZARD_PLACE_SIZE];
  const char *way = command->is_put ? "put" : "get";
  hazard_program(who, hazard, command->spe);
  if (command->is_list) {
    snprintf(text, HAZARD_PARTY_SIZE, "%s list (%s, tag %u, cycle %llu, list at %s)", way, who, command->tag,
             (unsigned long long)command->at, hazard_place(from, hazard, command->spans[0].ea));
  } else {
    snprintf(text, HAZARD_PARTY_SIZE, "%s of %u bytes (%s, tag %u, cycle %llu, from %s to %s)", way,
             (unsigned)command->nbytes, who, command->tag, (unsigned long long)command->at,
             hazard_place(from, hazard, command->spans[0].ea),
             hazard_place(to, hazard, command->spans[1].ea));
  }
  return text;
}
