/* SPDX-License-Identifier: BSD-3-Clause
 * See junit.h. */
#include "cli/check/junit.h"

#include "sim/base/outfile.h"
#include "sim/base/xml/xml_write.h"

#include <string.h>

/* Begin an element that counts the tests of JUNIT. */
static void begin_count(struct xml_writer *xml, const char *element, const char *name,
                        const struct junit *junit) {
  size_t failures = 0;
  for (size_t i = 0; i < junit->n; i++) {
    failures += junit->cases[i].failure != NULL;
  }
  xml_write_begin(xml, "%s", element);
  xml_write_attribute(xml, "name", "%s", name);
  xml_write_attribute(xml, "tests", "%zu", junit->n + (junit->broken != NULL));
  xml_write_attribute(xml, "failures", "%zu", failures);
  xml_write_attribute(xml, "errors", "%d", junit->broken != NULL);
}

/* Write ONE test; if it has gone wrong, why is told in an element TROUBLE. */
static void write_case(struct xml_writer *xml, const struct junit_case *one, const char *trouble) {
  xml_write_begin(xml, "testcase");
  xml_write_attribute(xml, "classname", "%s", one->class);
  xml_write_attribute(xml, "name", "%s", one->name);
  if (one->failure) {
    xml_write_begin(xml, "%s", trouble);
    xml_write_attribute(xml, "message", "%s", one->failure);
    xml_write_end(xml);
  }
  xml_write_end(xml);
}

/* Write the suite that the cases of JUNIT begin with.
 * returns: how many cases it has. */
static size_t write_suite(struct xml_writer *xml, const struct junit *junit) {
  struct junit suite = {.cases = junit->cases};
  while (suite.n < junit->n && strcmp(suite.cases[suite.n].suite, suite.cases->suite) == 0) {
    suite.n++;
  }
  begin_count(xml, "testsuite", suite.cases->suite, &suite);
  for (size_t i = 0; i < suite.n; i++) {
    write_case(xml, &suite.cases[i], "failure");
  }
  xml_write_end(xml);
  return suite.n;
}

int junit_write(const struct junit *junit, const char *path, struct err *err) {
  struct outfile file;
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  struct xml_writer *xml = xml_write_new(file.stream);
  xml_write_declaration(xml);
  xml_write_indent(xml, "  ");
  begin_count(xml, "testsuites", "cellcoll check", junit);
  for (struct junit rest = *junit; rest.n;) {
    size_t n = write_suite(xml, &rest);
    rest.cases += n;
    rest.n -= n;
  }
  if (junit->broken) {
    static char cellcoll[] = "cellcoll", all[] = "all points are checked";
    begin_count(xml, "testsuite", cellcoll, &(struct junit){.broken = junit->broken});
    write_case(xml, &(struct junit_case){cellcoll, cellcoll, all, junit->broken}, "error");
    xml_write_end(xml);
  }
  xml_write_end(xml);
  xml_write_free(xml);
  return outfile_close(&file, err);
}
