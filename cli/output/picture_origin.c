/* SPDX-License-Identifier: BSD-3-Clause
 * See picture_origin.h. */
#include "cli/output/picture_origin.h"

#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

int picture_origin_add(const char *path, const char *text, struct err *err) {
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
