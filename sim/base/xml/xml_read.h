/* SPDX-License-Identifier: BSD-3-Clause
 * XML texts as trees of libxml2. Values of attributes are tidy: no blanks at the ends, no two blanks in a
 * row. */
#pragma once

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

/* A text in XML. */
struct xml_source {
  const char *path; /* for messages */
  const char *data;
  size_t nbytes;
  bool with_type; /* a document type declaration is passed over, else refused */
};

/* Parse SOURCE. Nothing else is ever opened: no network, no document type definition, no external entity.
 * returns: the root element.
 * errors: NULL with `PATH:line: what, expected what` for malformed XML, a document type declaration, the
 *   declaration of an entity, a name space.
 * owner: the caller, with xml_free. */
xmlNode *xml_parse(const struct xml_source *source, struct err *err);

/* Release ROOT and everything below; NULL is allowed. */
void xml_free(xmlNode *root);

static inline const char *xml_name(const xmlNode *element) {
  return (const char *)element->name;
}

/* Return the first element in ELEMENT, the next element behind ELEMENT; NULL: there is none. */
static inline xmlNode *xml_first(const xmlNode *element) {
  return xmlFirstElementChild((xmlNode *)element);
}

static inline xmlNode *xml_next(const xmlNode *element) {
  return xmlNextElementSibling((xmlNode *)element);
}

/* Return the line where the start tag of ELEMENT ends. */
int xml_line(const xmlNode *element);

/* Return all text directly inside ELEMENT, tidy; "" if there is none.
 * owner: the caller. */
char *xml_text(const xmlNode *element);

const char *xml_value(const xmlAttr *attribute);

/* Return the value of attribute NAME of ELEMENT, or NULL. */
const char *xml_attribute_value(const xmlNode *element, const char *name);

/* Set ERR to the path and the line of ELEMENT, and the formatted text; always -1. */
int xml_err_set(const xmlNode *element, struct err *err, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

/* --- large texts, element by element --- */

/* Bytes of a text, without a 0 at the end; AT is NULL: there are none. */
struct xml_slice {
  const char *at;
  size_t n;
};

/* The start tag of an element. */
struct xml_start {
  const char *name;
  int line; /* where the tag ends */
  const unsigned char **attributes;
  int nattributes;
};

/* Functions called with CONTEXT for each start tag, until one returns -1, and for each end of an element. */
struct xml_visitor {
  void *context;
  int (*begin)(void *context, const struct xml_start *start, struct err *err);
  void (*end)(void *context);
};

/* Return the value of attribute NAME of START, as written. */
struct xml_slice xml_start_value(const struct xml_start *start, const char *name);

/* Parse SOURCE as xml_parse does, without a tree.
 * errors: as xml_parse; of the functions of VISITOR. */
int xml_scan(const struct xml_source *source, const struct xml_visitor *visitor, struct err *err);
