/* SPDX-License-Identifier: BSD-3-Clause
 * See picture_origin.h. The bytes of the picture stay as they are; a piece is put between them or behind
 * them. */
#include "cli/output/picture_origin.h"

#include "config.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file as bytes, with a zero behind them. */
struct bytes {
  char *at;
  size_t n;
};

/* Read the file PATH. */
static int read_file(const char *path, struct bytes *bytes, struct err *err) {
  FILE *stream = fopen(path, "rb");
  if (!stream) {
    return err_set(err, "%s: %s", path, strerror(errno));
  }
  size_t room = 1 << 16;
  *bytes = (struct bytes){.at = xrealloc(NULL, room, 1)};
  for (size_t n = 1; n > 0; bytes->n += n) {
    if (bytes->n + 1 == room) {
      bytes->at = xrealloc(bytes->at, room *= 2, 1);
    }
    n = fread(bytes->at + bytes->n, 1, room - bytes->n - 1, stream);
  }
  bytes->at[bytes->n] = '\0';
  bool failed = ferror(stream);
  fclose(stream);
  return failed ? err_set(err, "%s: %s", path, strerror(errno)) : 0;
}

/* --- SVG: the first child of the picture --- */

static bool write_svg(const struct bytes *picture, const char *text, FILE *stream) {
  const char *begin = strstr(picture->at, "<svg"), *end = begin ? strchr(begin, '>') : NULL;
  if (!end) {
    return false;
  }
  size_t head = (size_t)(end + 1 - picture->at);
  fwrite(picture->at, 1, head, stream);
  struct xml_writer *xml = xml_write_new(stream);
  xml_write_begin(xml, "metadata");
  for (size_t n; *text; text += n + (text[n] == '\n')) {
    n = strcspn(text, "\n");
    xml_write_text(xml, "%.*s", (int)n, text);
    xml_write_line(xml);
  }
  xml_write_end(xml);
  xml_write_free(xml);
  fwrite(picture->at + head, 1, picture->n - head, stream);
  return true;
}

/* --- PNG: a chunk behind the first one --- */

/* Bytes of the signature with the first chunk, and of the parts of a chunk around its data: length, type,
 * checksum. */
enum { PNG_HEAD = 8 + 25, PNG_WORD = 4 };

static void put_word(unsigned char *at, uint32_t word) {
  for (int i = 0; i < PNG_WORD; i++) {
    at[i] = (unsigned char)(word >> (24 - 8 * i));
  }
}

/* Return the checksum of N BYTES.
 * source: Portable Network Graphics, second edition, annex D. */
static uint32_t crc_of(const unsigned char *bytes, size_t n) {
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc;
}

static bool write_png(const struct bytes *picture, const char *text, FILE *stream) {
  /* International text: its key, a zero, not compressed (two zeros), no language, no translated key. */
  static const char start[] = "iTXtDescription\0\0\0\0";
  if (picture->n < PNG_HEAD || memcmp(picture->at, "\x89PNG", PNG_WORD) != 0) {
    return false;
  }
  size_t nstart = sizeof start, ntext = strlen(text), n = nstart + ntext;
  unsigned char *chunk = xcalloc(PNG_WORD + n + PNG_WORD, 1);
  put_word(chunk, (uint32_t)(n - PNG_WORD));
  memcpy(chunk + PNG_WORD, start, nstart);
  memcpy(chunk + PNG_WORD + nstart, text, ntext);
  put_word(chunk + PNG_WORD + n, crc_of(chunk + PNG_WORD, n));
  fwrite(picture->at, 1, PNG_HEAD, stream);
  fwrite(chunk, 1, PNG_WORD + n + PNG_WORD, stream);
  fwrite(picture->at + PNG_HEAD, 1, picture->n - PNG_HEAD, stream);
  free(chunk);
  return true;
}

/* --- PDF: an update of the document at its end --- */

/* Return the last WORD in PICTURE; NULL: there is none. */
static const char *last(const struct bytes *picture, const char *word) {
  size_t n = strlen(word);
  for (size_t i = picture->n; i-- > 0;) {
    if (picture->n - i >= n && memcmp(picture->at + i, word, n) == 0) {
      return picture->at + i;
    }
  }
  return NULL;
}

/* Write TEXT as a string of PDF. */
static void write_pdf_string(const char *text, FILE *stream) {
  putc('(', stream);
  for (; *text; text++) {
    fprintf(stream, "%s%c", strchr("()\\", *text) ? "\\" : "", *text);
  }
  putc(')', stream);
}

static bool write_pdf(const struct bytes *picture, const char *text, FILE *stream) {
  const char *trailer = last(picture, "trailer"), *table = last(picture, "startxref");
  const char *size = trailer ? strstr(trailer, "/Size") : NULL,
             *root = trailer ? strstr(trailer, "/Root") : NULL;
  size_t nobjects, at;
  unsigned catalogue;
  if (!size || !root || !table || sscanf(size, "/Size %zu", &nobjects) != 1 ||
      sscanf(root, "/Root %u", &catalogue) != 1 || sscanf(table, "startxref %zu", &at) != 1) {
    return false;
  }
  fwrite(picture->at, 1, picture->n, stream);
  fprintf(stream, "%zu 0 obj\n<< /Creator (" PACKAGE_STRING ")\n   /Subject ", nobjects);
  write_pdf_string(text, stream);
  fprintf(stream, "\n>>\nendobj\n");
  long update = ftell(stream);
  fprintf(stream, "xref\n%zu 1\n%010zu 00000 n \n", nobjects, picture->n);
  fprintf(stream, "trailer\n<< /Size %zu\n   /Root %u 0 R\n   /Info %zu 0 R\n   /Prev %zu\n>>\n",
          nobjects + 1, catalogue, nobjects, at);
  fprintf(stream, "startxref\n%ld\n%%%%EOF\n", update);
  return true;
}

int picture_origin_add(const char *path, const char *text, struct err *err) {
  static const struct {
    const char *ending;
    bool (*write)(const struct bytes *picture, const char *text, FILE *stream);
  } formats[] = {{".svg", write_svg}, {".png", write_png}, {".pdf", write_pdf}};
  struct stat status;
  struct bytes picture = {NULL, 0};
  struct outfile file;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    return 0;
  }
  if (read_file(path, &picture, err) != 0 || outfile_open(&file, path, err) != 0) {
    free(picture.at);
    return -1;
  }
  bool written = false;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    size_t n = strlen(path), length = strlen(formats[i].ending);
    if (n > length && strcmp(path + n - length, formats[i].ending) == 0) {
      written = formats[i].write(&picture, text, file.stream);
    }
  }
  free(picture.at);
  if (!written) {
    outfile_abandon(&file);
    return err_set(err, "%s: has no place for what --provenance says, expected another format", path);
  }
  return outfile_close(&file, err);
}
