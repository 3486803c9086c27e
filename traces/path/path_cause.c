/* SPDX-License-Identifier: BSD-3-Clause
 * Names of the causes of a critical path. */
#include "traces/path/path.h"

static const struct {
  const char *name, *text;
  enum path_group group;
} causes[] = {
#define PATH_CAUSE(id, name, group, text) {name, text, PATH_GROUP_##group},
#include "traces/path/path_cause.def"
};

const char *path_cause_name(enum path_cause cause) {
  return causes[cause].name;
}

const char *path_cause_text(enum path_cause cause) {
  return causes[cause].text;
}

enum path_group path_cause_group(enum path_cause cause) {
  return causes[cause].group;
}

const char *path_group_text(enum path_group group) {
  static const char *const texts[] = {[PATH_GROUP_OWN] = "own bytes",
                                      [PATH_GROUP_OTHERS] = "others' bytes",
                                      [PATH_GROUP_TAKEN] = "taken by others",
                                      [PATH_GROUP_WINDOW] = "window full",
                                      [PATH_GROUP_ORDER] = "order, command bus",
                                      [PATH_GROUP_LATENCY] = "latency",
                                      [PATH_GROUP_SOFTWARE] = "software",
                                      [PATH_GROUP_COMBINING] = "combining",
                                      [PATH_GROUP_NETWORK] = "network",
                                      [PATH_GROUP_LATE] = "late entry"};
  return texts[group];
}

const char *path_kind_name(enum path_kind kind) {
  static const char *const names[] = {[PATH_PROGRAM] = "program", [PATH_NOTIFICATION] = "notification",
                                      [PATH_GET] = "get",         [PATH_PUT] = "put",
                                      [PATH_SYNC] = "sync",       [PATH_LINE] = "atomic",
                                      [PATH_ENTRY] = "entry",     [PATH_MESSAGE] = "message"};
  return names[kind];
}
