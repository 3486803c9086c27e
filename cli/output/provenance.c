/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/provenance.h"

#include "config.h"
#include "platform/platform.h"
#include "sim/base/checksum.h"
#include "sim/base/origin.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <inttypes.h>

/* Return the checksum of the plugin FILE; a text_brief. */
static const char *sum_of(const char *file) {
  uint64_t number;
  if (checksum_file(file, &number, NULL) != 0) {
    return "unknown"; /* the file has been removed since loading */
  }
  return text_brief("%016" PRIx64, number);
}

json_t *provenance_to_json(const struct provenance *provenance) {
  json_t *plugins = json_array();
  VEC_EACH(plugin, provenance->plugins, provenance->nplugins) {
    SCOPED char *file = text_to_utf8(*plugin);
    json_array_append_new(plugins, json_pack("{s:s, s:s}", "file", file, "checksum", sum_of(*plugin)));
  }
  return json_pack("{s:s, s:s, s:s, s:s, s:o}", "commit", origin_commit(), "compiler", origin_compiler(),
                   "simgrid", origin_simgrid(), "date", origin_date(), "plugins", plugins);
}

/* Write a line with TEXT; characters that would end the line are replaced. */
static void write_word(const char *text, FILE *stream) {
  SCOPED char *plain = text_to_utf8(text);
  for (const char *c = plain; *c; c++) {
    putc((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c, stream);
  }
}

void provenance_write(const struct provenance *provenance, const char *prefix, FILE *stream) {
  const struct {
    const char *name, *value;
  } parts[] = {{"program", PACKAGE_STRING},
               {"commit", origin_commit()},
               {"compiler", origin_compiler()},
               {"simgrid", origin_simgrid()},
               {"date", origin_date()}};
  VEC_EACH(part, parts, sizeof parts / sizeof *parts) {
    fprintf(stream, "%s%s: %s\n", prefix, part->name, part->value);
  }
  fprintf(stream, "%scommand: %s", prefix, provenance->command);
  VEC_EACH(argument, provenance->arguments, provenance->narguments) {
    putc(' ', stream);
    write_word(*argument, stream);
  }
  putc('\n', stream);
  for (size_t i = 0; i < provenance->nplatforms; i++) {
    const struct platform *platform = provenance->platforms[i];
    fprintf(stream, "%splatform: %s%s%s%s checksum %016" PRIx64 " profile %s\n", prefix, platform->name,
            *platform->overrides ? "[" : "", platform->overrides, *platform->overrides ? "]" : "",
            platform->checksum, platform->software.profile);
  }
  VEC_EACH(plugin, provenance->plugins, provenance->nplugins) {
    fprintf(stream, "%splugin: ", prefix);
    write_word(*plugin, stream);
    fprintf(stream, " checksum %s\n", sum_of(*plugin));
  }
}

char *provenance_lines(const struct provenance *provenance) {
  char *text = NULL;
  FILE *stream = text_open(&text);
  provenance_write(provenance, "", stream);
  fclose(stream);
  return text;
}
