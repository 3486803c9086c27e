/* SPDX-License-Identifier: BSD-3-Clause
 * A machine as plain data: the values of a platform file, in the units of the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct network_source;

/* How the value of a parameter is written. Every scalar parameter has one row in platform.def. */
enum platform_kind {
  PLATFORM_COUNT, /* whole number */
  PLATFORM_REAL,  /* number */
  PLATFORM_CYCLES = PLATFORM_REAL,
  PLATFORM_BUS_CYCLES = PLATFORM_REAL,
  PLATFORM_TEXT,  /* words, kept by text_keep */
  PLATFORM_PATH,  /* the same, also with '/' */
  PLATFORM_NAMES, /* the same, also with ':', '/', '{', '}', '*' and apostrophes */
};

typedef unsigned PLATFORM_TYPE_COUNT;
typedef double PLATFORM_TYPE_REAL, PLATFORM_TYPE_CYCLES, PLATFORM_TYPE_BUS_CYCLES;
typedef const char *PLATFORM_TYPE_TEXT, *PLATFORM_TYPE_PATH, *PLATFORM_TYPE_NAMES;

/* Room for any key and for any value, with the final NUL. */
enum { PLATFORM_KEY_SIZE = 96, PLATFORM_VALUE_SIZE = 512 };

/* One parameter of a platform file, or one field of a profile. */
struct platform_param {
  const char *key; /* "group.name", as typed after --set; or the name of the field */
  const char *unit;
  const char *doc; /* the meaning, one line */
  enum platform_kind kind;
  double min, max; /* inclusive bounds: of a number, or of the length of a text */
  size_t offset;   /* in struct platform, or in struct profile */
  /* the default of a value that a platform of several nodes may leave out; NULL: every platform gives the
   * value */
  const char *value;
};

/* Numbers of the parameters of every platform, of all parameters, of the fields of a profile. */
enum {
  PLATFORM_NREQUIRED = 0
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) +1
#include "platform/platform.def"
  ,
  PLATFORM_NPARAMS = PLATFORM_NREQUIRED
#define PLATFORM_OPTIONAL(group, field, key, kind, unit, min, max, doc, value) +1
#include "platform/platform.def"
  ,
  PROFILE_NFIELDS = 0
#define PROFILE_FIELD(field, unit, min, max, doc, term) +1
#include "platform/platform.def"
};

/* First the parameters of every platform, then the parameters of platforms of several nodes only. */
extern const struct platform_param platform_params[PLATFORM_NPARAMS];

/* The fields of a profile, each typed as `profile.NAME.FIELD`. */
extern const struct platform_param profile_fields[PROFILE_NFIELDS];

/* Where one value comes from. */
struct platform_origin {
  /* the file's source attribute, after the name of the base that the value is inherited from; or "--set" */
  const char *source;
  int line;     /* in the file; 0 for an override */
  bool own;     /* given there; false: from the base, by default, or because of other values */
  bool bounded; /* the value is a number between least and most, as far as can be believed */
  double least, most;
};

/* Software cost of one code base (paper), in SPU cycles: the work of the SPU program around the hardware. The
 * rows PROFILE_FIELD of platform.def describe each field. */
struct profile {
  const char *name;
  const char *source; /* where the figures come from */
#define PROFILE_FIELD(field, unit, min, max, doc, term) double field;
#include "platform/platform.def"
  struct platform_origin origins[PROFILE_NFIELDS];
};

enum { RING_UNITS_MAX = 32 }; /* units on a ring; a 32-bit mask is a set of units */

/* The buses of a blade. */
enum platform_bus {
  PLATFORM_BUS_EXACT, /* bus requests over rings, one by one */
  PLATFORM_BUS_RATES, /* approximate: pieces of transfers through servers with a rate */
  PLATFORM_BUSES,
};

struct platform {
  enum platform_bus
    /* the way to simulate the machine, not a property of the machine: neither a file nor a key sets this
     * field */
    bus;
  const char *name;
  const char *description;
  const char *path;  /* the platform's file, or "built-in NAME"; messages begin with this text */
  uint64_t checksum; /* FNV-1a over all keys and values that a run depends on, profiles included */
  /* texts of the groups chip and blade as numbers, by platform_check */
  const char *units[RING_UNITS_MAX]; /* chip.units */
  unsigned nunits;
  unsigned spe_units[RING_UNITS_MAX]; /* index in units of the n-th usable SPE */
  unsigned spes_per_chip, nspes;      /* usable SPEs: of a chip, of a blade */
  unsigned bif_unit, memory_unit;     /* indices in units; 0: one chip without a BIF */
  bool has_ppe;
  unsigned (*links)[2]; /* the two chips of each link */
  size_t nlinks;
  unsigned columns; /* of chips in a grid or a torus; 0: another topology */
  uint32_t ls_base; /* offset of data in a local store: ls.reserve in whole cache lines */

  /* a structure for each group of platform.def, with a field for each row; without nodes the groups of
   * cluster.def are 0 and NULL */
#define PLATFORM_FIELD(field, kind) PLATFORM_TYPE_##kind field;
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) PLATFORM_FIELD(field, kind)
#define PLATFORM_OPTIONAL(group, field, key, kind, unit, min, max, doc, value) PLATFORM_FIELD(field, kind)
#define PLATFORM_MORE(group, field, key, kind, unit, min, max, doc, value)
#define PLATFORM_GROUP(group) struct {
#define PLATFORM_END(group) \
  } \
  group;
#include "platform/platform.def"

  bool has_nodes;
  const char **host_names;   /* of a network file: a host for each node, then NULL; NULL: n0, n1 and so on */
  const char *ignored_parts; /* of a network file, such as "disks (line 4)"; NULL: there is no file */

  struct profile *profiles;
  size_t nprofiles;
  struct platform_origin origins[PLATFORM_NPARAMS];
  char *overrides; /* "key=value;key=value", "" when none */
};

/* Tell whether NAME means a built-in platform (true, even for an unknown name) or a file (false): the path of
 * a file contains a '/' or ends in ".xml". If platform_read fails for a built-in name, the name is
 * unknown. */
bool platform_is_builtin_name(const char *name);

/* Read the platform called NAME, or the file with path NAME, and check the platform.
 * errors: no such name or file (nearest names suggested), an unknown base or a circle of bases, malformed
 * XML,
 *   unknown, missing, repeated, malformed or out-of-range value, fields that contradict each other, errors of
 *   network_file_read; all as `file:line: what, expected what`. */
struct platform *platform_read(const char *name, struct err *err);
void platform_free(struct platform *platform);

/* Make a deep copy of PLATFORM.
 * owner: the caller, with platform_free. */
struct platform *platform_copy(const struct platform *platform);

/* Override the value of KEY, a key as printed by `platform show` (profile.NAME.FIELD included), and check the
 * whole platform again. Strings and profiles inside PLATFORM move.
 * errors: unknown key (nearest suggested), malformed or out-of-range value, contradiction; all as
 *   `--set KEY: what, expected what`; PLATFORM is then unchanged. */
int platform_set(struct platform *platform, const char *key, const char *value, struct err *err);

/* One override, as typed: --set key=value. */
struct platform_setting {
  const char *key, *value;
};

/* Override several values and check the whole platform only afterwards, for values that must change together
 * (chip.units and chip.bif). New chip.units without eib.max-hops change both. Without settings nothing
 * happens.
 * errors: as platform_set; PLATFORM is then unchanged. */
int platform_set_all(struct platform *platform, const struct platform_setting *settings, size_t nsettings,
                     struct err *err);

/* The result of platform_set and platform_set_all after a mistake in the network file; the message has the
 * line of the mistake. */
enum { PLATFORM_BAD_NETWORK = -2 };

/* Check the properties that no single value shows: the values must be consistent with each other. Set the
 * units and the links of PLATFORM.
 * errors: as `path:line: what, expected what`; units and links then have no meaning. */
int platform_check(struct platform *platform, struct err *err);

/* One value of a platform with all information about the value. */
struct platform_entry {
  char key[PLATFORM_KEY_SIZE];     /* as typed after --set */
  char value[PLATFORM_VALUE_SIZE]; /* as written in a file */
  const char *unit, *doc;
  const char *source; /* belongs to the platform */
  int line;           /* in the file; 0 for an override */
  double least, most; /* bounds of a fitted or assumed value, as far as can be believed; NaN: none */
};

/* Count the values of PLATFORM: first all parameters, then all fields of all profiles. */
size_t platform_nentries(const struct platform *platform);

/* Describe value INDEX of PLATFORM in ENTRY. */
void platform_entry(const struct platform *platform, size_t index, struct platform_entry *entry);

/* Find the value of the first of KEYS, separated by blanks, in PLATFORM, and describe the value in ENTRY.
 * returns: whether there is such a value. */
bool platform_find_entry(const struct platform *platform, const char *keys, struct platform_entry *entry);

/* Tell whether the value of the first of KEYS, separated by blanks, is a whole number on every platform. */
bool platform_is_count(const char *keys);

/* Complain about parameter KEY of PLATFORM. The message begins with the place of the value, `path:line: ` or
 * `--set: `; FORMAT names KEY.
 * returns: always -1, as err_set. */
int platform_err_set(const struct platform *platform, const char *key, struct err *err, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* Complain about the value of parameter KEY: `KEY is VALUE`, with the formatted text behind.
 * returns: always -1. */
int platform_refuse(const struct platform *platform, const char *key, struct err *err, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Return the word for BUS; NULL: there is no such bus. */
const char *platform_bus_name(unsigned bus);

/* Let BUS carry the transfers of PLATFORM. The bus is part of the checksum, and a bus other than the exact
 * one is the first of the overrides. */
void platform_choose_bus(struct platform *platform, enum platform_bus bus);

/* Tell whether programs of SPEs can run on PLATFORM: false if the nodes are hosts without SPEs. */
bool platform_has_spes(const struct platform *platform);

/* Return the number of blades per host if the nodes of PLATFORM are triblades; otherwise 0. */
unsigned platform_blades_per_host(const struct platform *platform);

/* Return the names of the nodes of PLATFORM, on hosts of the processes; without hosts of triblades. */
struct node_names platform_node_names(const struct platform *platform);

/* Find the software-cost profile NAME; NULL when there is none. */
const struct profile *platform_profile(const struct platform *platform, const char *name);

/* Return the index of parameter KEY in platform_params; PLATFORM_NPARAMS when there is none. */
size_t platform_param_index(const char *key);

/* No run depends on this parameter, and the checksum leaves the parameter out. */
#define PLATFORM_COMPARISON "software.comparison"
#define PLATFORM_UNITS "chip.units"
#define PLATFORM_HOPS "eib.max-hops"

/* The built-in platforms, ended by a NULL name; data is the XML text. */
struct platform_builtin {
  const char *name;
  const char *description; /* "": a network */
  const char *data;
  size_t nbytes;
};
extern const struct platform_builtin platform_builtins[];

/* Tell whether PLATFORM has a network file, from which SimGrid routes. */
bool platform_has_network_file(const struct platform *platform);

/* Describe in SOURCE the network file of PLATFORM, with the names of the nodes.
 * returns: the path in SOURCE.
 * owner: the caller, of the path. */
char *platform_network_source(const struct platform *platform, struct network_source *source);

/* The built-in networks, possible values of network.file: SimGrid platform files. */
extern const struct platform_builtin platform_networks[];
