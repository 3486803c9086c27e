/* SPDX-License-Identifier: BSD-3-Clause
 * The place of one value in a platform, a parameter or a profile field; and other functions for this folder
 * only. */
#pragma once

#include "platform/platform.h"

#include <stddef.h>

/* The place of one value in a platform. */
struct platform_slot {
  char key[PLATFORM_KEY_SIZE];
  const struct platform_param *param;
  void *field; /* unsigned, double or const char *, as kind says */
  struct platform_origin *origin;
};

/* The source of an overridden value. */
#define PLATFORM_OVERRIDE "--set"

/* Return the number of parameters of PLATFORM: the first elements of platform_params. */
size_t platform_nown(const struct platform *platform);

/* Describe in SLOT value INDEX of PLATFORM, in the order of platform_entry. */
void platform_slot(struct platform *platform, size_t index, struct platform_slot *slot);

/* Return the origin of parameter KEY of PLATFORM. */
struct platform_origin *platform_origin(struct platform *platform, const char *key);

/* Return the path NAME, relative to the folder of the file of PLATFORM.
 * owner: the caller. */
char *platform_beside(const struct platform *platform, const char *name);

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

/* Let eib.max-hops of PLATFORM be half of the number of units, for chip.units at LINE. */
void platform_follow_units(struct platform *platform, int line);

/* Forget the names of the nodes of PLATFORM and the ignored parts of the network file. */
void platform_drop_names(struct platform *platform);

/* Set the links of PLATFORM from blade.chips and blade.topology: "all" or "mesh" joins every two chips;
 * "ring" each chip to the next and the last to the first; "star" chip 0 to all others; "grid WxH" the
 * neighbours in H rows of W chips; "torus WxH" also the ends of each row and of each column; any other text
 * is a list of links. Two chips have at most one link; a single chip has no link.
 * errors: an unknown word; a grid of more or fewer chips; a listed link malformed, given twice, or to the
 *   same chip or to no chip; a chip out of reach. */
int topology_read(struct platform *platform, struct err *err);

/* Remove all profiles of PLATFORM. */
void platform_drop_profiles(struct platform *platform);

/* --- lists of names --- */

enum { PLATFORM_NAMES_MAX = PLATFORM_VALUE_SIZE / 2 }; /* as many as a value can have */

struct platform_names {
  const char *names[PLATFORM_NAMES_MAX];
  size_t n;
};

/* Return the names in LIST, a value with blanks between names; between two apostrophes, which belong to no
 * name, blanks are a part of the name. */
struct platform_names platform_names_split(const char *list);

/* Return the index of NAME in NAMES; NAMES->n: not in there. */
size_t platform_names_find(const struct platform_names *names, const char *name);

/* Add NAME, unless NAMES is full. */
void platform_names_add(struct platform_names *names, const char *name);

/* Return the name in place of WORD, a name of earlier versions; NULL: WORD was no name. */
const char *platform_names_instead(const char *word);

/* Return a text for messages: the nearest of NAMES to WORD, otherwise all NAMES.
 * owner: the caller. */
char *platform_names_expected(const char *word, const struct platform_names *names);

/* Find the nodes of PLATFORM with a network file: the choice of network.hosts, and the first node.count hosts
 * of the choice; all hosts of the choice where node.count is older than network.file or network.hosts. Set
 * the names of the nodes and the ignored parts of the file.
 * errors: a word of network.hosts without a host, a host in two words, fewer hosts than node.count, as
 *   platform_err_set; PLATFORM_BAD_NETWORK with the errors of network_file_read. */
int network_hosts_find(struct platform *platform, struct err *err);
