/* SPDX-License-Identifier: BSD-3-Clause
 * Overrides: see platform_set in platform.h.
 *
 * All changes are made in a copy; the copy replaces the original only after all checks have passed. */
#include "platform/platform_slot.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <string.h>

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
  SCOPED struct platform_slot *slots = xcalloc(n, sizeof *slots);
  SCOPED const char **keys = xcalloc(n, sizeof *keys);
  for (size_t i = 0; i < n; i++) {
    platform_slot(platform, i, &slots[i]);
    keys[i] = slots[i].key;
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
  if (platform_param_index(setting->key) < platform_nparams) { /* of several nodes */
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
    if (VEC_FIND(keys, sizeof keys / sizeof *keys, strcmp(settings[i].key, *item) == 0)) {
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
