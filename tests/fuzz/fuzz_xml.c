/* SPDX-License-Identifier: BSD-3-Clause
 * XML texts: a tree that is written is read again as the same tree. */
#include "sim/base/err.h"
#include "sim/base/xml/xml_read.h"
#include "sim/base/xml/xml_write.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <string.h>

/* Write ELEMENT and everything below it.
 * returns: whether it can be read again: not with attributes in name spaces, whose declarations are not
 * kept. */
static bool write_tree(struct xml_writer *xml, const xmlNode *element) {
  bool plain = strchr(xml_name(element), ':') == NULL;
  char *text = xml_text(element);
  xml_write_begin(xml, "%s", xml_name(element));
  for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next) {
    plain &= strchr((const char *)attribute->name, ':') == NULL;
    xml_write_attribute(xml, (const char *)attribute->name, "%s", xml_value(attribute));
  }
  xml_write_text(xml, "%s", text);
  free(text);
  for (const xmlNode *child = xml_first(element); child; child = xml_next(child)) {
    FUZZ_REQUIRE(child->parent == element && xml_line(child) > 0);
    plain &= write_tree(xml, child);
  }
  xml_write_end(xml);
  return plain;
}

/* Tell whether A is B as it has been written: delete characters, which XML allows, are '?' there. */
static bool same_text(const char *a, const char *b) {
  for (; *a && (*a == *b || (*a == '\x7f' && *b == '?')); a++, b++) {
  }
  return *a == *b;
}

static void same_tree(const xmlNode *a, const xmlNode *b) {
  const xmlAttr *p = a->properties, *q = b->properties;
  char *own = xml_text(a), *other = xml_text(b);
  FUZZ_REQUIRE(strcmp(xml_name(a), xml_name(b)) == 0 && same_text(own, other));
  free(own);
  free(other);
  for (; p && q; p = p->next, q = q->next) {
    FUZZ_REQUIRE(xmlStrEqual(p->name, q->name) && same_text(xml_value(p), xml_value(q)));
  }
  FUZZ_REQUIRE(!p && !q);
  for (a = xml_first(a), b = xml_first(b); a && b; a = xml_next(a), b = xml_next(b)) {
    same_tree(a, b);
  }
  FUZZ_REQUIRE(!a && !b);
}

void fuzz_xml(const char *text, size_t nbytes) {
  struct err err = {""};
  xmlNode *tree = xml_parse(&(struct xml_source){"f", text, nbytes, false}, &err);
  if (!tree) {
    FUZZ_REQUIRE(strncmp(err.text, "f:", 2) == 0);
    return;
  }
  char *written;
  size_t size;
  FILE *stream = open_memstream(&written, &size);
  struct xml_writer *xml = xml_write_new(stream);
  xml_write_declaration(xml);
  bool plain = write_tree(xml, tree);
  xml_write_free(xml);
  fclose(stream);
  xmlNode *again = xml_parse(&(struct xml_source){"f", written, size, false}, &err);
  FUZZ_REQUIRE(again || !plain);
  if (plain) {
    same_tree(tree, again);
  }
  xml_free(again);
  xml_free(tree);
  free(written);
}
