/* SPDX-License-Identifier: BSD-3-Clause
 * Network files: what SimGrid gets of a file has the same hosts in the same lines, and nothing more to
 * ignore. */
#include "sim/base/err.h"
#include "sim/base/network/network_file.h"
#include "sim/base/xml/xml_read.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

void fuzz_network_file(const char *text, size_t nbytes) {
  struct err err = {""};
  struct network_file file, again;
  if (strlen(text) < nbytes ||
      network_file_read(&file, &(struct network_source){.path = "f", .text = text}, &err)) {
    FUZZ_REQUIRE(strlen(text) < nbytes || strncmp(err.text, "f:", 2) == 0);
    return;
  }
  char *written = network_file_text(&file);
  /* declarations of name spaces are not kept, and delete characters become '?' */
  if (!strstr(text, "xmlns") && !strchr(text, '\x7f')) {
    FUZZ_REQUIRE(network_file_read(&again, &(struct network_source){.path = "f", .text = written}, &err) ==
                 0);
    FUZZ_REQUIRE(again.nhosts == file.nhosts && strlen(again.ignored) <= strlen(file.ignored));
    for (size_t i = 0; i < file.nhosts; i++) {
      FUZZ_REQUIRE(strcmp(again.hosts[i].name, file.hosts[i].name) == 0);
      FUZZ_REQUIRE(again.hosts[i].element->line == file.hosts[i].element->line);
    }
    for (size_t i = 1; i < file.nhosts; i++) {
      const char *before = file.hosts[i - 1].name, *name = file.hosts[i].name;
      FUZZ_REQUIRE(network_name_compare(before, name) <= 0 && strcmp(before, name) != 0);
      FUZZ_REQUIRE(network_file_zone_line(&file, before, name) > 0);
    }
    network_file_fini(&again);
  }
  free(written);
  network_file_fini(&file);
}
