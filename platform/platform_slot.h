/* SPDX-License-Identifier: BSD-3-Clause
 * The place of one value in a platform, a parameter or a profile field; and other functions for this folder
 * only. */
#pragma once

#include "platform/platform.h"

/* The place of one value in a platform, and the allowed values. */
struct platform_slot {
  char key[PLATFORM_KEY_SIZE];
  const char *unit, *doc;
  enum platform_kind kind;
  double min, max;
  void *field;                    /* unsigned, double or const char *, as kind says */
  struct platform_origin *origin; /* of the value */
};

/* The source of an overridden value. */
#define PLATFORM_OVERRIDE "--set"

/* Return the number of parameters of PLATFORM: the first elements of platform_params. */
size_t platform_nown(const struct platform *platform);

/* Describe in SLOT value INDEX of PLATFORM, in the order of platform_entry. */
void platform_slot(struct platform *platform, size_t index, struct platform_slot *slot);

/* Store the value written as TEXT in SLOT.
 * errors: `LEAD 'TEXT', expected what`; the slot is then unchanged. */
int platform_slot_parse(const struct platform_slot *slot, const char *text, const char *lead,
                        struct err *err);

/* Write the value in SLOT into TEXT, as in a file. */
void platform_slot_format(const struct platform_slot *slot, char *text, size_t size);

/* Record that the value in SLOT comes from SOURCE, at LINE of the file. */
void platform_slot_trace(const struct platform_slot *slot, const char *source, int line);

/* Record the bounds ENDS of the value in SLOT, traced before: the true value may be anywhere between the two
 * numbers. Both NULL: nothing is recorded.
 * errors: `LEAD VALUE, expected what`: a value that is a text or beyond ENDS, or ENDS that are not
 * numbers. */
int platform_slot_bound(const struct platform_slot *slot, const char *const ends[2], const char *lead,
                        struct err *err);

/* Tell whether TEXT can be the name of a platform, a profile or a unit: letters, digits, '-' and '_', at most
 * 40. */
bool platform_is_name(const char *text);

/* Recompute the checksum and the list of overrides from the values. */
void platform_summarise(struct platform *platform);

/* Copy all values of BASE to PLATFORM, which has only a path and empty origins. The values' origins become
 * LINE of the file of PLATFORM, the line of the attribute `base`; the sources begin with the name of BASE. */
void platform_inherit(struct platform *platform, const struct platform *base, int line);

/* Give PLATFORM, a platform of nodes, the default of each value missing in the file; LINE is the first line
 * of the file's root element. */
void platform_complete_nodes(struct platform *platform, int line);

/* Check the values of nodes and network of PLATFORM, a platform of nodes.
 * errors: as platform_check. */
int platform_check_nodes(const struct platform *platform, struct err *err);

/* Forget the names of the nodes of PLATFORM and the ignored parts of the network file. */
void platform_drop_names(struct platform *platform);

/* Remove all profiles of PLATFORM. */
void platform_drop_profiles(struct platform *platform);
