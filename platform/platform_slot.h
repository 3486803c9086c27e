/* SPDX-License-Identifier: BSD-3-Clause
 * The place of one value in a platform, parameter or profile field alike, and what else is for this folder
 * only. */
#pragma once

#include "platform/platform.h"

/* Where one value of one platform lives and what it may be. */
struct platform_slot {
  char key[PLATFORM_KEY_SIZE];
  const char *unit, *doc;
  enum platform_kind kind;
  double min, max;
  void *field;                    /* unsigned, double or char *, as kind says */
  struct platform_origin *origin; /* of the value */
};

/* The source of a value that was overridden. */
#define PLATFORM_OVERRIDE "--set"

/* Count the parameters that PLATFORM has: the first ones of platform_params. */
size_t platform_nown(const struct platform *platform);

/* Describe in SLOT value INDEX of PLATFORM, in the order of platform_entry. */
void platform_slot(struct platform *platform, size_t index, struct platform_slot *slot);

/* Store the value written as TEXT in SLOT.
 * errors: `LEAD 'TEXT', expected what`; the slot is then unchanged. */
int platform_slot_parse(const struct platform_slot *slot, const char *text, const char *lead,
                        struct err *err);

/* Write the value in SLOT into TEXT, as in a file. */
void platform_slot_format(const struct platform_slot *slot, char *text, size_t size);

/* Say that the value in SLOT comes from SOURCE, at LINE of the file. */
void platform_slot_trace(const struct platform_slot *slot, const char *source, int line);

/* Note that the value in SLOT, traced before, can be anything between the two numbers ENDS; both NULL:
 * nothing is noted.
 * errors: `LEAD VALUE, expected what`: a value that is a text or beyond ENDS, or ENDS that are no numbers. */
int platform_slot_bound(const struct platform_slot *slot, const char *const ends[2], const char *lead,
                        struct err *err);

/* Tell whether TEXT can be the name of a platform, a profile or a unit: letters, digits, '-' and '_', at most
 * 40. */
bool platform_is_name(const char *text);

/* Recompute what follows from the values: the checksum and the list of overrides. */
void platform_summarise(struct platform *platform);

/* Let PLATFORM, which has only a path and empty origins, have all values of BASE; they come from LINE of its
 * own file then, where it names its base, and their sources begin with the name of BASE. */
void platform_inherit(struct platform *platform, const struct platform *base, int line);

/* Give PLATFORM, which has nodes, the default of each value that its file, which begins at LINE, does not
 * give. */
void platform_complete_nodes(struct platform *platform, int line);

/* Check what a platform that has nodes says of them and of their network.
 * errors: as platform_check. */
int platform_check_nodes(const struct platform *platform, struct err *err);

/* Forget the names of the nodes of PLATFORM and the ignored parts of the network file. */
void platform_drop_names(struct platform *platform);

/* Remove all profiles of PLATFORM. */
void platform_drop_profiles(struct platform *platform);
