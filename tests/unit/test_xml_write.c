/* SPDX-License-Identifier: BSD-3-Clause
 * XML and HTML written are escaped, and laid out as requested. */
#include "sim/base/xml/xml_write.h"
#include "tests/suite.h"

static char *written;
static size_t nbytes;
static FILE *stream;
static struct xml_writer *xml;

static void start(void) {
  stream = open_memstream(&written, &nbytes);
  xml = xml_write_new(stream);
}

/* End the file and check that the file is TEXT. */
static void expect(const char *text) {
  xml_write_free(xml);
  fclose(stream);
  ck_assert_str_eq(written, text);
  free(written);
}

static const struct {
  const char *text, *expected;
} texts[] = {
  {"a<b>&\"c", "a&lt;b&gt;&amp;&quot;c"},
  {"\x01\n\x7f", "???"},
  {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
  {"\xc3 \xff\x80", "? ??"},                     /* cut short; no such bytes */
  {"\xc0\xaf \xed\xa0\x80", "?? ???"},           /* longer than needed; half a pair */
  {"\xef\xbf\xbf \xf4\x90\x80\x80", "??? ????"}, /* no character; beyond the last one */
  {"\xe2\x82", "??"},                            /* ends early */
};

TESTS(xml_write, .start = start);

TEST_EACH(text_is_safe, 0, sizeof texts / sizeof *texts) {
  char expected[128];
  xml_write_element(xml, "t", "%s", texts[_i].text);
  snprintf(expected, sizeof expected, "<t>%s</t>", texts[_i].expected);
  expect(expected);
}

TEST(attributes_are_safe) {
  xml_write_declaration(xml);
  xml_write_begin(xml, "t");
  xml_write_attribute(xml, "a", "%s", "<\"'&>\t\xc3\xa4\xff");
  xml_write_end(xml);
  expect("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<t a=\"&lt;&quot;'&amp;&gt;?\xc3\xa4?\"/>");
}

/* A value may have any of the signs between the attributes. */
TEST(an_element_is_begun_with_its_attributes) {
  xml_write_begin(xml, "t a='%s' b='%d %s'", "it's a='b' & c", 3, "");
  xml_write_attributes(xml, "%s='d'", "c");
  xml_write_empty(xml, "u");
  xml_write_end(xml);
  expect("<t a=\"it's a='b' &amp; c\" b=\"3 \" c=\"d\"><u/></t>");
}

TEST(numbers_and_words_are_formatted) {
  xml_write_begin(xml, "t");
  xml_write_attribute(xml, "x", "%.1f", 2.25);
  xml_write_text(xml, "%d of %s", 3, "a&b");
  xml_write_end(xml);
  expect("<t x=\"2.2\">3 of a&amp;b</t>");
}

/* A page of HTML needs the second form: <td/> would not be ended there. */
TEST(an_element_is_short_only_if_nothing_was_written_in_it) {
  xml_write_begin(xml, "t");
  xml_write_element(xml, "a", "%s", "");
  xml_write_begin(xml, "b");
  xml_write_end(xml);
  xml_write_end(xml);
  expect("<t><a></a><b/></t>");
}

TEST(elements_are_indented_and_texts_are_not) {
  xml_write_indent(xml, "  ");
  xml_write_begin(xml, "t");
  xml_write_begin(xml, "a");
  xml_write_begin(xml, "b");
  xml_write_end(xml);
  xml_write_element(xml, "c", "text");
  xml_write_end(xml);
  xml_write_end(xml);
  expect("<t>\n  <a>\n    <b/>\n    <c>text</c>\n  </a>\n</t>\n");
}

TEST(markup_stays_as_it_is) {
  xml_write_begin(xml, "style");
  xml_write_markup(xml, "a>b{c:\"d\"}");
  xml_write_line(xml);
  xml_write_end(xml);
  expect("<style>a>b{c:\"d\"}\n</style>");
}
