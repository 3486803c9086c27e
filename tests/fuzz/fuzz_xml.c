/* SPDX-License-Identifier: BSD-3-Clause
 * XML texts: a tree that is written is read again as the same tree. */
#include "sim/base/err.h"
#include "sim/base/xml_read.h"
#include "sim/base/xml_write.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <string.h>

/* Write ELEMENT and everything below it.
 * returns: whether it can be read again: not with attributes in name spaces, whose declarations are not
 * kept. */
static bool write_tree(struct xml_writer *xml, const struct xml_element *element) {
  bool plain = strchr(element->name, ':') == NULL;
  xml_write_begin(xml, element->name);
  for (const struct xml_attribute *attribute = element->attributes; attribute; attribute = attribute->next) {
    plain &= strchr(attribute->name, ':') == NULL;
    xml_write_attribute(xml, attribute->name, "%s", attribute->value);
  }
  xml_write_text(xml, "%s", element->text);
  for (const struct xml_element *child = element->first; child; child = child->next) {
    FUZZ_REQUIRE(child->parent == element && child->line > 0);
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

static void same_tree(const struct xml_element *a, const struct xml_element *b) {
  const struct xml_attribute *p = a->attributes, *q = b->attributes;
  FUZZ_REQUIRE(strcmp(a->name, b->name) == 0 && same_text(a->text, b->text));
  for (; p && q; p = p->next, q = q->next) {
    FUZZ_REQUIRE(strcmp(p->name, q->name) == 0 && same_text(p->value, q->value));
  }
  FUZZ_REQUIRE(!p && !q);
  for (a = a->first, b = b->first; a && b; a = a->next, b = b->next) {
    same_tree(a, b);
  }
  FUZZ_REQUIRE(!a && !b);
}

void fuzz_xml(const char *text, size_t nbytes) {
  struct err err = {""};
  struct xml_element *tree = xml_parse("f", text, nbytes, &err);
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
  struct xml_element *again = xml_parse("f", written, size, &err);
  FUZZ_REQUIRE(again || !plain);
  if (plain) {
    same_tree(tree, again);
  }
  xml_free(again);
  xml_free(tree);
  free(written);
}
