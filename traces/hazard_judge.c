/* SPDX-License-Identifier: BSD-3-Clause
 * See hazard_parts.h.
 *
 * The shadow tells whether a command has bytes in common with any other: as a rule none has, and no pair is
 * looked at. */
#include "traces/hazard_parts.h"

/* Tell whether A and B have bytes in common, except flags, and at least one of the two writes. *COMMON
 * becomes the common bytes. */
static bool meet(const struct hazard *hazard, const struct hazard_span *a, const struct hazard_span *b,
                 struct hazard_span *common) {
  uint64_t a_end = a->ea + a->nbytes, b_end = b->ea + b->nbytes;
  uint64_t start = a->ea > b->ea ? a->ea : b->ea, end = a_end < b_end ? a_end : b_end;
  if (start >= end || !(a->writes || b->writes)) {
    return false;
  }
  for (size_t i = 0; i < hazard->nflags; i++) {
    const struct hazard_span *flags = &hazard->flags[i];
    if (flags->ea <= start && end <= flags->ea + flags->nbytes) {
      return false;
    }
  }
  *common = (struct hazard_span){.ea = start, .nbytes = (uint32_t)(end - start)};
  return true;
}

/* Tell whether BETWEEN is a barrier given between FIRST and SECOND, commands of one queue, and orders the
 * two. */
static bool is_between(const struct hazard_command *first, const struct hazard_command *second,
                       const struct hazard_command *between) {
  return between->barrier && between->spe == first->spe && between->is_proxy == first->is_proxy &&
         between->number > first->number && between->number < second->number &&
         (between->all_tags || (between->tag == first->tag && between->tag == second->tag));
}

/* Tell whether the MFC orders FIRST, issued first, before SECOND. */
static bool ordered(const struct hazard *hazard, const struct hazard_command *first,
                    const struct hazard_command *second) {
  if (first->spe != second->spe || first->is_proxy != second->is_proxy) {
    return false;
  }
  if (first->tag == second->tag && (first->barrier || second->fence)) {
    return true;
  }
  if (second->fence && second->all_tags && first->is_put) {
    return true; /* a notification of a process comes after the process's earlier puts */
  }
  for (size_t i = 0; i < hazard->ncommands; i++) {
    if (is_between(first, second, hazard->commands[i])) {
      return true;
    }
  }
  return false;
}

/* Judge A and B; the first completion of the two is at cycle END. */
static void judge_pair(struct hazard *hazard, const struct hazard_command *a, const struct hazard_command *b,
                       uint64_t end) {
  static const char *const does[] = {"reads", "writes"};
  bool swap = a->at > b->at || (a->at == b->at && a->sequence > b->sequence);
  const struct hazard_command *first = swap ? b : a, *second = swap ? a : b;
  struct hazard_span common;
  if (second->at >= end) {
    return;
  }
  for (size_t i = 0; i < first->nspans; i++) {
    for (size_t j = 0; j < second->nspans; j++) {
      const struct hazard_span *x = &first->spans[i], *y = &second->spans[j];
      if (meet(hazard, x, y, &common)) {
        if (ordered(hazard, first, second)) {
          return;
        }
        char one[HAZARD_PARTY_SIZE], two[HAZARD_PARTY_SIZE], where[HAZARD_PLACE_SIZE];
        hazard_report(hazard, "%s %s and %s %s %u bytes at %s, in no order until cycle %llu",
                      hazard_party(one, hazard, first), does[x->writes], hazard_party(two, hazard, second),
                      does[y->writes], (unsigned)common.nbytes, hazard_place(where, hazard, common.ea),
                      (unsigned long long)end);
        return;
      }
    }
  }
}

/* Tell whether TOUCH came before COMMAND: by sequence if one program gave both, else by time. */
static bool is_before(const struct hazard_touch *touch, const struct hazard_command *command) {
  return touch->program == command->program ? touch->sequence < command->sequence : touch->at < command->at;
}

/* Judge TOUCH, not before COMMAND, against COMMAND, which completes at cycle END. */
static void judge_touch(struct hazard *hazard, const struct hazard_touch *touch,
                        const struct hazard_command *command, uint64_t end) {
  struct hazard_span common;
  if (touch->at >= end) {
    return;
  }
  for (size_t i = 0; i < command->nspans; i++) {
    if (meet(hazard, &touch->span, &command->spans[i], &common)) {
      char who[HAZARD_PLACE_SIZE], where[HAZARD_PLACE_SIZE], other[HAZARD_PARTY_SIZE];
      hazard_report(hazard, "%s %s %u bytes at %s at cycle %llu, which a %s %s until cycle %llu",
                    hazard_program(who, hazard, touch->program), touch->span.writes ? "writes" : "reads",
                    (unsigned)common.nbytes, hazard_place(where, hazard, common.ea),
                    (unsigned long long)touch->at, hazard_party(other, hazard, command),
                    command->spans[i].writes ? "writes" : "reads", (unsigned long long)end);
      return;
    }
  }
}

/* Tell whether span I of COMMAND is the first span in its area. */
static bool is_first_there(const struct hazard *hazard, const struct hazard_command *command, size_t i) {
  unsigned area = hazard_area(hazard, command->spans[i].ea);
  for (size_t j = 0; j < i; j++) {
    if (hazard_area(hazard, command->spans[j].ea) == area) {
      return false;
    }
  }
  return true;
}

/* Judge the touches of AREA against COMMAND. The touches of one program are in the order of time. */
static void judge_touches(struct hazard *hazard, unsigned area, const struct hazard_command *command,
                          uint64_t end) {
  const struct hazard_touches *touches = &hazard->touches[area];
  size_t first = touches->mixed ? 0 : touches->n;
  while (first > 0 && !is_before(&touches->items[first - 1], command)) {
    first--;
  }
  for (size_t i = first; i < touches->n; i++) {
    if (!is_before(&touches->items[i], command)) {
      judge_touch(hazard, &touches->items[i], command, end);
    }
  }
}

void hazard_judge(struct hazard *hazard, const struct hazard_command *command, uint64_t end) {
  bool meets = hazard_shadow_meets(&hazard->shadow, command->parts);
  for (size_t i = 0; meets && i < hazard->ncommands; i++) {
    if (hazard->commands[i] != command) {
      judge_pair(hazard, command, hazard->commands[i], end);
    }
  }
  for (size_t i = 0; i < command->nspans; i++) {
    if (is_first_there(hazard, command, i)) {
      judge_touches(hazard, hazard_area(hazard, command->spans[i].ea), command, end);
    }
  }
}
