/* SPDX-License-Identifier: BSD-3-Clause
 * An XML text as a plain tree of elements. */
#pragma once

#include <stddef.h>

struct err;

struct xml_attribute {
  char *name;  /* with its prefix, if it has one */
  char *value; /* tidy: no blanks at the ends, no two in a row */
  struct xml_attribute *next;
};

struct xml_element {
  char *name;
  char *text; /* all text directly inside, tidy; "" when there is none */
  int line;   /* where its start tag ends */
  struct xml_attribute *attributes;
  struct xml_element *parent, *first, *next; /* first child, next sibling */
};

/* Parse DATA, NBYTES long, which comes from PATH. Comments and processing instructions are left out. Nothing
 * else is ever opened: no network, no document type definition, no external entity.
 * errors: NULL with `PATH:line: what, expected what` for malformed XML, a document type declaration, a name
 * space.
 * owner: the caller, with xml_free. */
struct xml_element *xml_parse(const char *path, const char *data, size_t nbytes, struct err *err);

/* As xml_parse, but pass over a document type declaration.
 * errors: as xml_parse, and NULL with a message for the declaration of an entity. */
struct xml_element *xml_parse_with_type(const char *path, const char *data, size_t nbytes, struct err *err);

/* Release ROOT and everything below; NULL is allowed. */
void xml_free(struct xml_element *root);

/* Return the value of attribute NAME of ELEMENT, or NULL. */
const char *xml_attribute_value(const struct xml_element *element, const char *name);
