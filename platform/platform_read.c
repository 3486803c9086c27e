/* SPDX-License-Identifier: BSD-3-Clause
 * The reader of platform files: see platform_read in platform.h.
 *
 * The path of an element is the key of the element's value: the tables of platform.h decide which elements a
 * file may and must contain. A file with a base need only contain the differences: the base is read first,
 * and every value missing in the file stays as in the base. Reading stops at the first defect. */
#include "platform/platform.h"

#include "platform/platform_slot.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_read.h"

#include <string.h>

enum { MOST_BASES = 8 };

/* One file being read. */
struct reader {
  struct platform *platform;
  /* number of files being read and derived from this file, each the base of the next */
  unsigned nderived;
  bool has_base; /* values need no unit and no source: the base has the units */
  struct err *err;
};

static const struct platform_names no_names = {.n = 0};

/* Everything the root can contain: the groups of the parameters between two more elements. */
static const struct platform_names root_names = {.names = {"description",
#define PLATFORM_GROUP(group) #group,
#define PLATFORM_END(group)
#define PLATFORM_FIELD(field, kind)
#include "platform/platform.def"
                                                           "profiles"},
                                                 .n = 2
#define PLATFORM_GROUP(group) +1
#define PLATFORM_END(group)
#define PLATFORM_FIELD(field, kind)
#include "platform/platform.def"
};

/* Complain about NAME, the name of element AT or of an attribute of AT; expected is one of NAMES. */
static int unknown_name(const struct reader *reader, const xmlNode *at, const char *name,
                        const struct platform_names *names) {
  SCOPED char *expected = platform_names_expected(name, names);
  bool is_element = name == xml_name(at);
  SCOPED char *key = xasprintf("%s.%s", xml_name(at), name);
  if (!is_element && platform_param_index(key) < PLATFORM_NPARAMS) {
    return xml_err_set(at, reader->err,
                       "attribute '%.60s' of <%s>, expected an element in there, <%s value=\"...\"/>", name,
                       xml_name(at), name);
  }
  return xml_err_set(at, reader->err, "unknown %s '%.60s' %s <%s>, expected %s",
                     is_element ? "element" : "attribute", name, is_element ? "in" : "of",
                     xml_name(is_element ? at->parent : at), expected);
}

/* Check the attributes of ELEMENT: the first NEEDED of NAMES are present, others of NAMES may be, and no
 * attribute is empty or unknown. */
static int check_attributes(const struct reader *reader, const xmlNode *element,
                            const struct platform_names *names, size_t needed) {
  for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next) {
    const char *name = (const char *)attribute->name;
    if (platform_names_find(names, name) == names->n) {
      return unknown_name(reader, element, name, names);
    }
  }
  for (size_t i = 0; i < names->n; i++) {
    const char *name = names->names[i], *value = xml_attribute_value(element, name);
    if (value ? *value == '\0' : i < needed) {
      return xml_err_set(element, reader->err, "%s %s in <%s>, expected one%s", value ? "empty" : "no", name,
                         xml_name(element),
                         strcmp(name, "source") == 0 ? " that says where the value comes from" : "");
    }
  }
  return 0;
}

static int check_no_text(const struct reader *reader, const xmlNode *element) {
  SCOPED char *text = xml_text(element);
  return *text == '\0' ? 0
                       : xml_err_set(element, reader->err, "text '%.60s' in <%s>, expected none", text,
                                     xml_name(element));
}

static int check_no_elements(const struct reader *reader, const xmlNode *element) {
  const xmlNode *inner = xml_first(element);
  return inner ? xml_err_set(inner, reader->err, "element '%.60s' in <%s>, expected none in there",
                             xml_name(inner), xml_name(element))
               : 0;
}

/* Check that ELEMENT is the first element of this name in the parent. */
static int check_first(const struct reader *reader, const xmlNode *element) {
  for (const xmlNode *other = xml_first(element->parent); other != element; other = xml_next(other)) {
    if (strcmp(xml_name(other), xml_name(element)) == 0) {
      return xml_err_set(element, reader->err,
                         "<%s> given again in <%s>, expected it once (first in line %d)", xml_name(element),
                         xml_name(element->parent), xml_line(other));
    }
  }
  return 0;
}

/* Store the one value of ELEMENT in SLOT. */
static int read_value(const struct reader *reader, const xmlNode *element, const struct platform_slot *slot) {
  static const struct platform_names attributes = {{"value", "unit", "source", "least", "most"}, 5};
  size_t needed = reader->has_base ? 1 : 3;
  if (check_first(reader, element) || check_attributes(reader, element, &attributes, needed) ||
      check_no_text(reader, element) || check_no_elements(reader, element)) {
    return -1;
  }
  const char *unit = xml_attribute_value(element, "unit"), *source = xml_attribute_value(element, "source");
  if (unit && strcmp(unit, slot->param->unit) != 0) {
    return xml_err_set(element, reader->err, "unit of <%s> is '%.60s', expected '%s'", xml_name(element),
                       unit, slot->param->unit);
  }
  SCOPED char *lead =
    xasprintf("%s:%d: value of <%s> is", reader->platform->path, xml_line(element), xml_name(element));
  int status = platform_slot_parse(slot, xml_attribute_value(element, "value"), lead, reader->err);
  if (status == 0) {
    const char *const ends[] = {xml_attribute_value(element, "least"), xml_attribute_value(element, "most")};
    platform_slot_trace(slot, source ? source : "made up: the file names no source", xml_line(element));
    status = platform_slot_bound(slot, ends, lead, reader->err);
  }
  return status;
}

/* The values that an element may contain; the first NNEEDED values are required. */
struct values {
  const struct platform_param *params;
  const struct platform_origin *origins;
  size_t n, nneeded, first; /* first: the entry of the first value */
  const char *group;        /* before the dot of the keys; NULL: keys are names of elements */
};

/* Return the values of GROUP. */
static struct values values_of_group(const struct platform *platform, const char *group) {
  return (struct values){platform_params, platform->origins, PLATFORM_NPARAMS, PLATFORM_NREQUIRED, 0, group};
}

/* Return the name of the element of value INDEX; NULL: the value is of another group. */
static const char *name_of(const struct values *values, size_t index) {
  const char *key = values->params[index].key, *group = values->group;
  size_t length = group ? strlen(group) : 0;
  return !group ? key : strncmp(key, group, length) == 0 && key[length] == '.' ? key + length + 1 : NULL;
}

/* Return the index of the first missing value; nneeded: there is none. */
static size_t first_missing(const struct values *values) {
  size_t i = 0;
  while (i < values->nneeded && (values->origins[i].source || !name_of(values, i))) {
    i++;
  }
  return i;
}

/* Read VALUES in ELEMENT. */
static int read_values(const struct reader *reader, const xmlNode *element, const struct values *values) {
  for (const xmlNode *child = xml_first(element); child; child = xml_next(child)) {
    struct platform_names names = {.n = 0};
    struct platform_slot slot;
    size_t i = 0;
    for (const char *name; i < values->n; i++) {
      name = name_of(values, i);
      if (name && strcmp(name, xml_name(child)) == 0) {
        break;
      }
      if (name) {
        platform_names_add(&names, name);
      }
    }
    if (i == values->n) {
      return unknown_name(reader, child, xml_name(child), &names);
    }
    reader->platform->has_nodes |= values->group && i >= PLATFORM_NREQUIRED;
    platform_slot(reader->platform, values->first + i, &slot);
    if (read_value(reader, child, &slot)) {
      return -1;
    }
  }
  size_t missing = first_missing(values);
  return missing == values->nneeded
           ? 0
           : xml_err_set(element, reader->err, "no <%s> in <%s>, expected one (unit \"%s\")",
                         name_of(values, missing), xml_name(element), values->params[missing].unit);
}

/* Check that ELEMENT is the first element of this name in the parent, without attributes and text. */
static int check_plain(const struct reader *reader, const xmlNode *element) {
  return check_first(reader, element) || check_attributes(reader, element, &no_names, 0) ||
             check_no_text(reader, element)
           ? -1
           : 0;
}

static int read_group(const struct reader *reader, const xmlNode *group) {
  struct values values = values_of_group(reader->platform, xml_name(group));
  return check_plain(reader, group) ? -1 : read_values(reader, group, &values);
}

/* Check that the attribute `name` of ELEMENT is a valid name. */
static int check_name(const struct reader *reader, const xmlNode *element) {
  const char *name = xml_attribute_value(element, "name");
  if (platform_is_name(name)) {
    return 0;
  }
  return xml_err_set(element, reader->err,
                     "name of <%s> is '%.60s', expected at most 40 letters, digits, - and _",
                     xml_name(element), name);
}

static int read_profile(const struct reader *reader, const xmlNode *element) {
  static const struct platform_names attributes = {{"name", "source"}, 2}, profile = {{"profile"}, 1};
  struct platform *platform = reader->platform;
  if (strcmp(xml_name(element), "profile") != 0) {
    return unknown_name(reader, element, xml_name(element), &profile);
  }
  if (check_attributes(reader, element, &attributes, 2) || check_no_text(reader, element) ||
      check_name(reader, element)) {
    return -1;
  }
  const char *name = xml_attribute_value(element, "name");
  if (strcmp(name, "source") == 0) {
    return xml_err_set(element, reader->err,
                       "profile named 'source', expected another name, as that one has a meaning");
  }
  if (platform_profile(platform, name)) {
    return xml_err_set(element, reader->err, "profile '%s' given again, expected each name once", name);
  }
  /* a copied platform has no room to spare, so VEC_ADD would write behind the profiles */
  platform->profiles = xrealloc(platform->profiles, platform->nprofiles + 1, sizeof *platform->profiles);
  struct profile *own = &platform->profiles[platform->nprofiles++];
  *own =
    (struct profile){.name = text_keep(name), .source = text_keep(xml_attribute_value(element, "source"))};
  size_t first = platform_nentries(platform) - PROFILE_NFIELDS;
  return read_values(
    reader, element,
    &(struct values){profile_fields, own->origins, PROFILE_NFIELDS, PROFILE_NFIELDS, first, NULL});
}

static int read_profiles(const struct reader *reader, const xmlNode *profiles) {
  if (check_plain(reader, profiles)) {
    return -1;
  }
  platform_drop_profiles(reader->platform); /* profiles of the base */
  for (const xmlNode *profile = xml_first(profiles); profile; profile = xml_next(profile)) {
    if (read_profile(reader, profile)) {
      return -1;
    }
  }
  if (!xml_first(profiles)) {
    return xml_err_set(profiles, reader->err, "no <profile> in <profiles>, expected at least one");
  }
  return 0;
}

static int read_description(const struct reader *reader, const xmlNode *element) {
  if (check_first(reader, element) || check_attributes(reader, element, &no_names, 0) ||
      check_no_elements(reader, element)) {
    return -1;
  }
  SCOPED char *text = xml_text(element);
  const char *own = reader->platform->description = text_keep(text);
  return *own ? 0
              : xml_err_set(element, reader->err, "empty <description>, expected one line about the machine");
}

static int read_part(const struct reader *reader, const xmlNode *element) {
  size_t i = platform_names_find(&root_names, xml_name(element));
  if (i == root_names.n) {
    return unknown_name(reader, element, xml_name(element), &root_names);
  }
  if (i == root_names.n - 1) {
    return read_profiles(reader, element);
  }
  return i == 0 ? read_description(reader, element) : read_group(reader, element);
}

/* Let the profile of comparisons be the first profile of the file of ROOT, until the file names another
 * profile. The profile of the base stays if the file has no profiles. */
static void begin_comparison(struct platform *platform, const xmlNode *root) {
  struct platform_origin *origin = platform_origin(platform, PLATFORM_COMPARISON);
  const xmlNode *element = xml_first(root);
  while (element && strcmp(xml_name(element), "profiles") != 0) {
    element = xml_next(element);
  }
  if (!origin->source || element) {
    platform->software.comparison = NULL;
    *origin = (struct platform_origin){.source = "assumption: the first profile", .line = xml_line(root)};
  }
}

static struct platform *read_named(const char *name, unsigned nderived, struct err *err);

/* Let the platform start as a copy of the base NAME of ROOT: built-in, or a file in the folder of this
 * file. */
static int read_base(const struct reader *reader, const xmlNode *root, const char *name) {
  if (reader->nderived == MOST_BASES) {
    return xml_err_set(root, reader->err,
                       "base '%.60s' of <platform> is one of more than %d in a row, expected no circle", name,
                       (int)MOST_BASES);
  }
  SCOPED char *path =
    platform_is_builtin_name(name) ? xstrdup(name) : platform_beside(reader->platform, name);
  struct err why = {.text = ""};
  struct platform *base = read_named(path, reader->nderived + 1, &why);
  if (!base) {
    /* The message about a defect in a base file has the place in the base file. */
    if (platform_is_builtin_name(name)) {
      return xml_err_set(root, reader->err, "base of <platform>: %.400s", why.text);
    }
    return err_set(reader->err, "%s", why.text);
  }
  platform_inherit(reader->platform, base, xml_line(root));
  SCOPED char *description = xasprintf("a variant of %s", base->name);
  reader->platform->description = text_keep(description);
  platform_free(base);
  return 0;
}

/* Check that the platform of ROOT has all values, from the file or from the base. */
static int check_complete(const struct reader *reader, const xmlNode *root) {
  const struct platform *platform = reader->platform;
  const char *missing = platform->description ? NULL : "description";
  for (size_t i = 0; i < root_names.n && !missing; i++) {
    struct values values = values_of_group(platform, root_names.names[i]);
    missing = first_missing(&values) < values.nneeded ? root_names.names[i] : NULL;
  }
  missing = missing || platform->nprofiles ? missing : "profiles";
  return missing ? xml_err_set(root, reader->err, "no <%s> in <platform>, expected one", missing) : 0;
}

static int read_root(const struct reader *reader, const xmlNode *root) {
  const char *base = xml_attribute_value(root, "base");
  static const struct platform_names attributes = {{"name", "base"}, 2};
  if (strcmp(xml_name(root), "platform") != 0) {
    return xml_err_set(root, reader->err, "root element '%.60s', expected platform", xml_name(root));
  }
  if (check_attributes(reader, root, &attributes, 1) || check_name(reader, root) ||
      check_no_text(reader, root) || (base && read_base(reader, root, base))) {
    return -1;
  }
  reader->platform->name = text_keep(xml_attribute_value(root, "name"));
  begin_comparison(reader->platform, root);
  for (const xmlNode *element = xml_first(root); element; element = xml_next(element)) {
    if (read_part(reader, element)) {
      return -1;
    }
  }
  if (!reader->platform->software.comparison && reader->platform->nprofiles) {
    reader->platform->software.comparison = reader->platform->profiles[0].name;
  }
  const struct platform_origin *units = platform_origin(reader->platform, PLATFORM_UNITS);
  if (units->own && !platform_origin(reader->platform, PLATFORM_HOPS)->own) {
    platform_follow_units(reader->platform, units->line);
  }
  if (reader->platform->has_nodes) {
    platform_complete_nodes(reader->platform, xml_line(root));
  }
  return check_complete(reader, root);
}

/* Read SOURCE into a new platform, the base of NDERIVED other platforms. */
static struct platform *read_text(const struct xml_source *source, unsigned nderived, struct err *err) {
  xmlNode *root = xml_parse(source, err);
  if (!root) {
    return NULL;
  }
  struct platform *platform = xcalloc(1, sizeof *platform);
  platform->path = text_keep(source->path);
  struct reader reader = {
    .platform = platform, .nderived = nderived, .has_base = xml_attribute_value(root, "base"), .err = err};
  int status = read_root(&reader, root);
  xml_free(root);
  if (status || (platform_has_network_file(platform) && network_hosts_find(platform, err)) ||
      platform_check(platform, err)) {
    platform_free(platform);
    return NULL;
  }
  platform_summarise(platform);
  return platform;
}

/* Read the platform called NAME, the base of a chain of NDERIVED other platforms. */
static struct platform *read_named(const char *name, unsigned nderived, struct err *err) {
  if (!platform_is_builtin_name(name)) {
    static const struct text_kind kind = {1 << 20, "1048576 bytes", "a platform file"};
    struct xml_source source = {.path = name};
    SCOPED char *data = text_read_file(name, &kind, &source.nbytes, err);
    source.data = data;
    return data ? read_text(&source, nderived, err) : NULL;
  }
  struct platform_names names = {.n = 0};
  for (const struct platform_builtin *builtin = platform_builtins; builtin->name; builtin++) {
    if (strcmp(builtin->name, name) == 0) {
      SCOPED char *path = xasprintf("built-in %s", name);
      return read_text(&(struct xml_source){.path = path, .data = builtin->data, .nbytes = builtin->nbytes},
                       nderived, err);
    }
    platform_names_add(&names, builtin->name);
  }
  SCOPED char *expected = platform_names_expected(name, &names);
  err_set(err, "unknown platform '%.60s', expected %s (a file has '/' in its path or ends in .xml)", name,
          expected);
  return NULL;
}

struct platform *platform_read(const char *name, struct err *err) {
  return read_named(name, 0, err);
}
