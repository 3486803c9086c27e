/* SPDX-License-Identifier: BSD-3-Clause
 * XML texts as trees; a refused text has one message with the line, and libxml2 prints no message of its
 * own. */
#include "sim/base/xml/xml_read.h"

#include "tests/suite.h"

#include <sys/mman.h>
#include <unistd.h>

TESTS(xml_read);

TEST(a_tree_has_names_tidy_values_and_lines) {
  static const char text[] =
    "<a x='1' xml:z='&lt;'>\n  <!-- none -->\n <b y=' two\twords ' x=''/>some <c/>\n text\n</a>";
  struct err err = {""};
  xmlNode *a = xml_parse(&(struct xml_source){"f", text, sizeof text - 1, false}, &err);
  ck_assert_msg(a != NULL, "%s", err.text);
  xmlNode *b = xml_first(a), *c = xml_next(b);
  char *inside = xml_text(a);
  ck_assert_str_eq(xml_name(a), "a");
  ck_assert_str_eq(inside, "some text");
  ck_assert_str_eq(xml_attribute_value(a, "x"), "1");
  ck_assert_str_eq(xml_attribute_value(a, "xml:z"), "<");
  ck_assert_ptr_null(xml_attribute_value(a, "z"));
  ck_assert_ptr_null(xml_attribute_value(a, "y"));
  ck_assert_str_eq(xml_attribute_value(b, "y"), "two words");
  ck_assert_str_eq(xml_attribute_value(b, "x"), "");
  ck_assert_int_eq(xml_line(b), 3);
  ck_assert_str_eq(xml_name(c), "c");
  ck_assert_ptr_eq(c->parent, a);
  ck_assert_ptr_null(xml_next(c));
  ck_assert_int_eq(xml_err_set(b, &err, "%d", 7), -1);
  ck_assert_str_eq(err.text, "f:3: 7");
  free(inside);
  xml_free(a);
}

static const struct {
  const char *text, *message;
} refused[] = {
  {"", "f:1: no XML, expected well-formed XML"},
  {"<a>\n<b></a>", "f:2: Opening and ending tag mismatch: b line 2 and a, expected well-formed XML"},
  {"<!DOCTYPE a><a/>", "f:1: document type declaration, expected none"},
  {"<a>\n<n:b xmlns:n='x'/></a>", "f:2: <b> in a name space, expected none"},
  {"<a>&no;</a>", "f:1: Entity 'no' not defined, expected well-formed XML"},
  {"<?xml version='1.0' encoding='UTF-7'?><a x='\xff'/>", "f:1: "},
  {"<?xml version='1.0' encoding='EBCDIC-US'?><platform name='x'/>", "f:1: "},
  {"<?xml version='1.0' encoding='HTML'?><a/>", "f:1: "},
  {"<?xml version='1.0' encoding='SHIFT_JIS'?><a x='\xff\xfe\x81\x80'/>", "f:1: "},
  {"<?xml version='1.0' encoding='no-such'?><a/>", "f:1: "},
};

/* The text on standard error goes into a file in memory meanwhile. */
TEST_EACH(what_is_wrong_is_told_once_and_nothing_is_printed, 0, sizeof refused / sizeof *refused) {
  struct err err = {""};
  char printed[256] = "";
  int own = dup(STDERR_FILENO), memory = memfd_create("stderr", 0);
  dup2(memory, STDERR_FILENO);
  xmlNode *root =
    xml_parse(&(struct xml_source){"f", refused[_i].text, strlen(refused[_i].text), false}, &err);
  dup2(own, STDERR_FILENO);
  ck_assert_ptr_null(root);
  ck_assert_msg(strncmp(err.text, refused[_i].message, strlen(refused[_i].message)) == 0, "%s", err.text);
  ssize_t n = pread(memory, printed, sizeof printed - 1, 0);
  ck_assert_msg(n == 0, "printed: %s", printed);
}
