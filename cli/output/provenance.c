/* SPDX-License-Identifier: BSD-3-Clause
 * See provenance.h. */
#include "cli/output/provenance.h"

#include "config.h"
#include "platform/platform.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SUM_SIZE = 17 };

/* Format the checksum of the plugin FILE into SUM. */
static const char *sum_of(const char *file, char sum[SUM_SIZE]) {
  uint64_t number;
  struct err err = {""};
  if (checksum_file(file, &number, &err) != 0) {
    return "unknown"; /* the file has been removed since loading */
  }
  snprintf(sum, SUM_SIZE, "%016" PRIx64, number);
  return sum;
}

json_t *provenance_to_json(const struct provenance *provenance) {
  json_t *plugins = json_array();
  for (size_t i = 0; i < provenance->nplugins; i++) {
    char sum[SUM_SIZE], *file = text_to_utf8(provenance->plugins[i]);
    json_array_append_new(
      plugins, json_pack("{s:s, s:s}", "file", file, "checksum", sum_of(provenance->plugins[i], sum)));
    free(file);
  }
  return json_pack("{s:s, s:s, s:s, s:s, s:o}", "commit", origin_commit(), "compiler", origin_compiler(),
                   "simgrid", origin_simgrid(), "date", origin_date(), "plugins", plugins);
}

/* Write a line with TEXT; characters that would end the line are replaced. */
static void write_word(const char *text, FILE *stream) {
  char *plain = text_to_utf8(text);
  for (const char *c = plain; *c; c++) {
    putc((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c, stream);
  }
  free(plain);
}

void provenance_write(const struct provenance *provenance, const char *prefix, FILE *stream) {
  const struct {
    const char *name, *value;
  } parts[] = {{"program", PACKAGE_STRING},
               {"commit", origin_commit()},
               {"compiler", origin_compiler()},
               {"simgrid", origin_simgrid()},
               {"date", origin_date()}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    fprintf(stream, "%s%s: %s\n", prefix, parts[i].name, parts[i].value);
  }
  fprintf(stream, "%scommand: %s", prefix, provenance->command);
  for (size_t i = 0; i < provenance->narguments; i++) {
    putc(' ', stream);
    write_word(provenance->arguments[i], stream);
  }
  putc('\n', stream);
  for (size_t i = 0; i < provenance->nplatforms; i++) {
    const struct platform *platform = provenance->platforms[i];
    fprintf(stream, "%splatform: %s%s%s%s checksum %016" PRIx64 " profile %s\n", prefix, platform->name,
            *platform->overrides ? "[" : "", platform->overrides, *platform->overrides ? "]" : "",
            platform->checksum, platform->software.profile);
  }
  for (size_t i = 0; i < provenance->nplugins; i++) {
    char sum[SUM_SIZE];
    fprintf(stream, "%splugin: ", prefix);
    write_word(provenance->plugins[i], stream);
    fprintf(stream, " checksum %s\n", sum_of(provenance->plugins[i], sum));
  }
}

char *provenance_lines(const struct provenance *provenance) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) {
    xalloc_fail("output");
  }
  provenance_write(provenance, "", stream);
  fclose(stream);
  return text;
}

/* --- pictures --- */

/* Write the SVG of file PATH to OUT, with TEXT in an element `metadata` as the first child of the picture.
 * errors: the file cannot be read, or begins no <svg>. */
static int write_svg(const char *path, const char *text, FILE *out, struct err *err) {
  FILE *picture = fopen(path, "rb");
  if (!picture) {
    return err_set(err, "%s: %s", path, strerror(errno));
  }
  char *line = NULL;
  size_t room = 0;
  bool in_head = false, written = false;
  while (getdelim(&line, &room, '>', picture) > 0) {
    fputs(line, out);
    in_head |= strstr(line, "<svg") != NULL;
    if (in_head && !written) {
      struct xml_writer *xml = xml_write_new(out);
      xml_write_begin(xml, "metadata");
      for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        xml_write_text(xml, "%.*s", (int)n, text);
        xml_write_line(xml);
      }
      xml_write_end(xml);
      xml_write_free(xml);
      written = true;
    }
  }
  bool failed = ferror(picture) != 0;
  fclose(picture);
  free(line);
  return failed || !written ? err_set(err, "%s: cannot be read as SVG", path) : 0;
}

int provenance_add(const char *path, const char *text, struct err *err) {
  struct stat status;
  struct outfile file;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    return 0;
  }
  size_t n = strlen(path);
  bool svg = n > 4 && strcmp(path + n - 4, ".svg") == 0;
  char *beside = xasprintf("%s%s", path, svg ? "" : ".txt");
  int result = outfile_open(&file, beside, err);
  free(beside);
  if (result != 0) {
    return -1;
  }
  if (!svg) {
    fputs(text, file.stream);
  } else if (write_svg(path, text, file.stream, err) != 0) {
    outfile_abandon(&file);
    return -1;
  }
  return outfile_close(&file, err);
}
