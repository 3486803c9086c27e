/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of all values, and all operations on a platform except reading and checking.
 *
 * Invariant: the tables come from platform.def alone. */
#include "platform/platform.h"

#include "platform/platform_slot.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/network/network_file.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct platform_param platform_params[PLATFORM_NPARAMS] = {
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) \
  {key, unit, doc, PLATFORM_##kind, min, max, offsetof(struct platform, group.field), NULL},
#define PLATFORM_OPTIONAL(group, field, key, kind, unit, min, max, doc, value) \
  {key, unit, doc, PLATFORM_##kind, min, max, offsetof(struct platform, group.field), value},
#include "platform/platform.def"
};

const struct platform_param profile_fields[PROFILE_NFIELDS] = {
#define PROFILE_FIELD(field, unit, min, max, doc, term) \
  {#field, unit, doc, PLATFORM_REAL, min, max, offsetof(struct profile, field), NULL},
#include "platform/platform.def"
};

bool platform_is_builtin_name(const char *name) {
  size_t length = strlen(name);
  return !strchr(name, '/') && (length < 4 || strcmp(name + length - 4, ".xml") != 0);
}

size_t platform_nown(const struct platform *platform) {
  return platform->has_nodes ? PLATFORM_NPARAMS : PLATFORM_NREQUIRED;
}

size_t platform_nentries(const struct platform *platform) {
  return platform_nown(platform) + platform->nprofiles * PROFILE_NFIELDS;
}

void platform_slot(struct platform *platform, size_t index, struct platform_slot *slot) {
  size_t nown = platform_nown(platform), at = index - nown, field = at % PROFILE_NFIELDS;
  assert(index < platform_nentries(platform));
  if (index < nown) {
    slot->param = &platform_params[index];
    slot->field = (char *)platform + slot->param->offset;
    slot->origin = &platform->origins[index];
    snprintf(slot->key, sizeof slot->key, "%s", slot->param->key);
  } else {
    struct profile *profile = &platform->profiles[at / PROFILE_NFIELDS];
    slot->param = &profile_fields[field];
    slot->field = (char *)profile + slot->param->offset;
    slot->origin = &profile->origins[field];
    snprintf(slot->key, sizeof slot->key, "profile.%s.%s", profile->name, slot->param->key);
  }
}

void platform_entry(const struct platform *platform, size_t index, struct platform_entry *entry) {
  struct platform_slot slot;
  platform_slot((struct platform *)platform, index, &slot); /* only read here */
  memcpy(entry->key, slot.key, sizeof entry->key);
  platform_slot_format(&slot, entry->value, sizeof entry->value);
  entry->unit = slot.param->unit;
  entry->doc = slot.param->doc;
  entry->source = slot.origin->source ? slot.origin->source : "";
  entry->line = slot.origin->line;
  entry->least = slot.origin->bounded ? slot.origin->least : NAN;
  entry->most = slot.origin->bounded ? slot.origin->most : NAN;
}

static bool is_first(const char *keys, const char *key) {
  size_t length = strcspn(keys, " ");
  return strlen(key) == length && strncmp(keys, key, length) == 0;
}

bool platform_find_entry(const struct platform *platform, const char *keys, struct platform_entry *entry) {
  bool found = false;
  for (size_t i = 0; i < platform_nentries(platform) && !found; i++) {
    platform_entry(platform, i, entry);
    found = is_first(keys, entry->key);
  }
  return found;
}

bool platform_is_count(const char *keys) {
  const struct platform_param *param = VEC_FIND(platform_params, PLATFORM_NPARAMS, is_first(keys, item->key));
  return param && param->kind == PLATFORM_COUNT;
}

size_t platform_param_index(const char *key) {
  return VEC_INDEX(platform_params, PLATFORM_NPARAMS, strcmp(item->key, key) == 0);
}

struct platform_origin *platform_origin(struct platform *platform, const char *key) {
  return &platform->origins[platform_param_index(key)];
}

int platform_err_set(const struct platform *platform, const char *key, struct err *err, const char *format,
                     ...) {
  char what[sizeof err->text];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  size_t index = platform_param_index(key);
  assert(index < PLATFORM_NPARAMS);
  int line = platform->origins[index].line;
  return line == 0 ? err_set(err, PLATFORM_OVERRIDE ": %s", what)
                   : err_set(err, "%s:%d: %s", platform->path, line, what);
}

int platform_refuse(const struct platform *platform, const char *key, struct err *err, const char *format,
                    ...) {
  struct platform_entry entry;
  va_list args;
  va_start(args, format);
  char *rest = xvasprintf(format, args);
  va_end(args);
  size_t index = platform_param_index(key);
  platform_entry(platform, index, &entry);
  const char *quote = platform_params[index].kind < PLATFORM_TEXT ? "" : "'";
  platform_err_set(platform, key, err, "%s is %s%.120s%s%s", key, quote, entry.value, quote, rest);
  free(rest);
  return -1;
}

const struct profile *platform_profile(const struct platform *platform, const char *name) {
  return VEC_FIND(platform->profiles, platform->nprofiles, strcmp(item->name, name) == 0);
}

char *platform_beside(const struct platform *platform, const char *name) {
  const char *slash = strrchr(platform->path, '/');
  int length = slash && *name != '/' ? (int)(slash + 1 - platform->path) : 0;
  return xasprintf("%.*s%s", length, platform->path, name);
}

char *platform_network_source(const struct platform *platform, struct network_source *source) {
  const char *file = platform->network.file;
  const struct platform_builtin *builtin = platform_networks;
  while (builtin->name && strcmp(builtin->name, file) != 0) {
    builtin++;
  }
  bool is_builtin = platform_is_builtin_name(file) && builtin->name;
  char *path = is_builtin ? xstrdup(file) : platform_beside(platform, file);
  *source = (struct network_source){
    .path = path, .text = is_builtin ? builtin->data : NULL, .hosts = platform->host_names};
  return path;
}

void platform_drop_names(struct platform *platform) {
  free(platform->host_names);
  platform->host_names = NULL;
  platform->ignored_parts = NULL;
}

bool platform_has_network_file(const struct platform *platform) {
  return platform->has_nodes && strcmp(platform->network.topology, "file") == 0;
}

/* Return SUM extended by the checksum of the network file of PLATFORM. Without a network file, and for a
 * built-in or unreadable network file, SUM stays. */
static uint64_t add_network(uint64_t sum, const struct platform *platform) {
  if (!platform_has_network_file(platform) || platform_is_builtin_name(platform->network.file)) {
    return sum;
  }
  struct network_source source;
  SCOPED char *path = platform_network_source(platform, &source);
  struct stat status;
  uint64_t own = 0;
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && checksum_file(path, &own, NULL) == 0) {
    sum = checksum_add(sum, &own, sizeof own);
  }
  return sum;
}

void platform_summarise(struct platform *platform) {
  bool exact = platform->bus == PLATFORM_BUS_EXACT;
  char *overrides = exact ? xstrdup("") : xasprintf("bus=%s", platform_bus_name(platform->bus));
  uint64_t sum = checksum_add(CHECKSUM_START, overrides, strlen(overrides));
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    struct platform_entry entry;
    platform_entry(platform, i, &entry);
    bool all = strcmp(entry.key, "network.hosts") == 0 && strcmp(entry.value, "all") == 0;
    if (strcmp(entry.key, PLATFORM_COMPARISON) != 0 && !all) {
      sum = checksum_add(sum, entry.key, strlen(entry.key) + 1);
      sum = checksum_add(sum, entry.value, strlen(entry.value) + 1);
    }
    if (entry.line == 0) {
      xappend(&overrides, "%s%s=%s", *overrides ? ";" : "", entry.key, entry.value);
    }
  }
  enum { LINE_BYTES = 128 };
  platform->ls_base = (platform->ls.reserve + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  platform->checksum = add_network(sum, platform);
  free(platform->overrides);
  platform->overrides = overrides;
}

const char *platform_bus_name(unsigned bus) {
  static const char *const names[PLATFORM_BUSES] = {
    [PLATFORM_BUS_EXACT] = "exact", [PLATFORM_BUS_RATES] = "rates"};
  return bus < PLATFORM_BUSES ? names[bus] : NULL;
}

void platform_choose_bus(struct platform *platform, enum platform_bus bus) {
  platform->bus = bus;
  platform_summarise(platform);
}

/* Return a copy of N items of SIZE bytes; NULL: ITEMS is NULL. */
static void *copy_items(const void *items, size_t n, size_t size) {
  return items ? memcpy(xcalloc(n, size), items, n * size) : NULL;
}

struct platform *platform_copy(const struct platform *platform) {
  struct platform *copy = copy_items(platform, 1, sizeof *copy);
  size_t nnames = 0;
  while (platform->host_names && platform->host_names[nnames]) {
    nnames++;
  }
  copy->host_names = copy_items(platform->host_names, nnames + 1, sizeof *copy->host_names);
  copy->profiles = copy_items(platform->profiles, platform->nprofiles, sizeof *copy->profiles);
  copy->links = copy_items(platform->links, platform->nlinks, sizeof *copy->links);
  copy->overrides = platform->overrides ? xstrdup(platform->overrides) : NULL;
  return copy;
}

void platform_drop_profiles(struct platform *platform) {
  free(platform->profiles);
  platform->profiles = NULL;
  platform->nprofiles = 0;
}

void platform_inherit(struct platform *platform, const struct platform *base, int line) {
  SCOPED struct platform *copy = platform_copy(base);
  const char *path = platform->path;
  free(copy->overrides);
  *platform = *copy;
  platform_drop_names(platform);
  platform->name = platform->description = NULL;
  platform->overrides = NULL;
  platform->path = path;
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    struct platform_slot slot;
    platform_slot(platform, i, &slot);
    SCOPED char *source = xasprintf("%s: %s", base->name, slot.origin->source);
    slot.origin->source = text_keep(source);
    slot.origin->line = line;
    slot.origin->own = false;
  }
}

void platform_free(struct platform *platform) {
  if (platform) {
    platform_drop_names(platform);
    platform_drop_profiles(platform);
    free(platform->links);
    free(platform->overrides);
    free(platform);
  }
}

/* --- overrides: all changes are made in a copy, which replaces the original only after all checks --- */

/* Return the only key among KEYS whose last part is WORD; NULL: no such key, or several. */
static const char *key_ending_in(const char *const *keys, size_t n, const char *word) {
  const char *found = NULL;
  for (size_t i = 0; i < n; i++) {
    const char *last = strrchr(keys[i], '.') + 1;
    if (strcmp(last, word) == 0) {
      if (found) {
        return NULL;
      }
      found = keys[i];
    }
  }
  return found;
}

static int unknown_key(struct platform *platform, const char *key, struct err *err) {
  size_t n = platform_nentries(platform);
  SCOPED const char **keys = xcalloc(n, sizeof *keys);
  for (size_t i = 0; i < n; i++) {
    struct platform_slot slot;
    platform_slot(platform, i, &slot);
    keys[i] = text_keep(slot.key);
  }
  const char *instead = platform_names_instead(key);
  const char *nearest = instead ? instead : suggest_nearest(key, keys, n);
  nearest = nearest ? nearest : key_ending_in(keys, n, key);
  return err_set(err, "--set %.80s: unknown key, expected %s", key,
                 nearest ? nearest : "one that 'platform show' prints");
}

static int set_one(struct platform *platform, const struct platform_setting *setting, struct err *err) {
  struct platform_slot slot;
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    platform_slot(platform, i, &slot);
    if (strcmp(slot.key, setting->key) == 0) {
      char lead[PLATFORM_KEY_SIZE + 8];
      snprintf(lead, sizeof lead, "--set %s:", slot.key);
      if (strchr(setting->value, '=')) {
        return err_set(err, "%s '%.60s', expected one value; each key takes a --set of its own", lead,
                       setting->value);
      }
      if (platform_slot_parse(&slot, setting->value, lead, err)) {
        return -1;
      }
      platform_slot_trace(&slot, PLATFORM_OVERRIDE, 0);
      return 0;
    }
  }
  if (platform_param_index(setting->key) < PLATFORM_NPARAMS) { /* of several nodes */
    return err_set(err, "--set %s: %s is one node, expected a platform that has <node>, such as blades",
                   setting->key, platform->name);
  }
  return unknown_key(platform, setting->key, err);
}

/* Return the setting of SETTINGS that makes PLATFORM, the platform before SETTINGS, contradictory for good.
 * All settings together make PLATFORM contradictory. */
static const struct platform_setting *
find_culprit(const struct platform *platform, const struct platform_setting *settings, size_t nsettings) {
  struct platform *changed = platform_copy(platform);
  size_t culprit = 0;
  for (size_t i = 0; i + 1 < nsettings && set_one(changed, &settings[i], NULL) == 0; i++) {
    culprit = platform_check(changed, NULL) == 0 ? i + 1 : culprit;
  }
  platform_free(changed);
  return &settings[culprit];
}

/* Check CHANGED, a copy of PLATFORM after SETTINGS. The message about a contradiction at a value of the file
 * names the setting that causes the contradiction. */
static int check_settings(const struct platform *platform, struct platform *changed,
                          const struct platform_setting *settings, size_t nsettings, struct err *err) {
  struct err found = {.text = ""};
  if (platform_check(changed, &found) == 0) {
    return 0;
  }
  if (strncmp(found.text, PLATFORM_OVERRIDE, strlen(PLATFORM_OVERRIDE)) == 0) {
    return err_set(err, "%s", found.text);
  }
  return err_set(err, "--set %s: %s", find_culprit(platform, settings, nsettings)->key, found.text);
}

/* Tell whether one of SETTINGS can change the nodes of a network file. */
static bool changes_hosts(const struct platform_setting *settings, size_t nsettings) {
  static const char *const keys[] = {"node.count", "network.topology", "network.file", "network.hosts"};
  for (size_t i = 0; i < nsettings; i++) {
    if (VEC_FIND(keys, VEC_LENGTH(keys), strcmp(settings[i].key, *item) == 0)) {
      return true;
    }
  }
  return false;
}

int platform_set_all(struct platform *platform, const struct platform_setting *settings, size_t nsettings,
                     struct err *err) {
  struct platform *changed = platform_copy(platform);
  int status = 0;
  for (size_t i = 0; i < nsettings && status == 0; i++) {
    status = set_one(changed, &settings[i], err);
  }
  if (status == 0 && VEC_FIND(settings, nsettings, strcmp(item->key, PLATFORM_UNITS) == 0) &&
      !VEC_FIND(settings, nsettings, strcmp(item->key, PLATFORM_HOPS) == 0)) {
    platform_follow_units(changed, 0);
  }
  if (status == 0 && changes_hosts(settings, nsettings)) {
    status = network_hosts_find(changed, err);
  }
  if (status == 0 && nsettings > 0) {
    status = check_settings(platform, changed, settings, nsettings, err);
  }
  if (status == 0) {
    struct platform old = *platform;
    platform_summarise(changed);
    *platform = *changed;
    *changed = old;
  }
  platform_free(changed);
  return status;
}

int platform_set(struct platform *platform, const char *key, const char *value, struct err *err) {
  struct platform_setting setting = {.key = key, .value = value};
  return platform_set_all(platform, &setting, 1, err);
}
