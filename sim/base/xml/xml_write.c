/* SPDX-License-Identifier: BSD-3-Clause
 * XML out. libxml2's writer escapes; what it would not refuse, characters that XML does not have, is
 * replaced. */
#include "sim/base/xml/xml_write.h"

#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <libxml/chvalid.h>
#include <libxml/xmlwriter.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In a text on its way, in place of the quotes around the values of attributes. */
#define MARK "\1"

struct xml_writer {
  xmlTextWriter *writer;
};

/* Tell whether the writer could do what it was asked for: it fails only without memory, or if an element is
 * ended that was not begun. */
static void must(int status) {
  if (status < 0) {
    abort();
  }
}

/* Replace every byte of TEXT that is no part of a character that XML allows by '?'.
 * returns: TEXT. */
static const xmlChar *clean(char *text) {
  for (char *next = text; *next;) {
    uint32_t code;
    size_t length = text_character(next, &code);
    bool allowed = length && code >= 0x20 && code != 0x7f && xmlIsCharQ(code);
    *next = allowed ? *next : '?';
    next += allowed ? length : 1;
  }
  return (const xmlChar *)text;
}

/* Take what libxml2 has written; it never sees an error, which stays with the stream. */
static int write_bytes(void *stream, const char *bytes, int nbytes) {
  fwrite(bytes, 1, (size_t)nbytes, stream);
  return nbytes;
}

struct xml_writer *xml_write_new(FILE *stream) {
  struct xml_writer *xml = xcalloc(1, sizeof *xml);
  xmlOutputBuffer *buffer = xmlOutputBufferCreateIO(write_bytes, NULL, stream, NULL);
  xml->writer = buffer ? xmlNewTextWriter(buffer) : NULL;
  must(xml->writer ? 0 : -1);
  return xml;
}

void xml_write_free(struct xml_writer *xml) {
  xmlFreeTextWriter(xml->writer);
  free(xml);
}

void xml_write_declaration(struct xml_writer *xml) {
  must(xmlTextWriterStartDocument(xml->writer, NULL, "UTF-8", NULL));
}

void xml_write_indent(struct xml_writer *xml, const char *indent) {
  must(xmlTextWriterSetIndent(xml->writer, indent != NULL));
  must(indent ? xmlTextWriterSetIndentString(xml->writer, (const xmlChar *)indent) : 0);
}

/* Write what FORMAT says: if BEGINS, the name of an element, and attributes. Each quote of FORMAT becomes
 * MARK, so that values may have quotes. */
static void write_tag(struct xml_writer *xml, bool begins, const char *format, va_list arguments) {
  SCOPED char *marked = xstrdup(format);
  for (char *quote = marked; (quote = strchr(quote, '\''));) {
    *quote = *MARK;
  }
  SCOPED char *text = xvasprintf(marked, arguments);
  char *rest = text;
  if (begins) {
    must(xmlTextWriterStartElement(xml->writer, (const xmlChar *)strsep(&rest, " ")));
  }
  while (rest && *rest) {
    const xmlChar *name = (const xmlChar *)strsep(&rest, "=");
    rest++;
    must(xmlTextWriterWriteAttribute(xml->writer, name, clean(strsep(&rest, MARK))));
    rest += *rest == ' ';
  }
}

void xml_write_begin(struct xml_writer *xml, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_tag(xml, true, format, arguments);
  va_end(arguments);
}

void xml_write_attributes(struct xml_writer *xml, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_tag(xml, false, format, arguments);
  va_end(arguments);
}

void xml_write_end(struct xml_writer *xml) {
  must(xmlTextWriterEndElement(xml->writer));
}

void xml_write_attribute(struct xml_writer *xml, const char *name, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  SCOPED char *value = xvasprintf(format, arguments);
  va_end(arguments);
  must(xmlTextWriterWriteAttribute(xml->writer, (const xmlChar *)name, clean(value)));
}

void xml_write_text_list(struct xml_writer *xml, const char *format, va_list arguments) {
  SCOPED char *text = xvasprintf(format, arguments);
  must(xmlTextWriterWriteString(xml->writer, clean(text)));
}

void xml_write_text(struct xml_writer *xml, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xml_write_text_list(xml, format, arguments);
  va_end(arguments);
}

void xml_write_markup(struct xml_writer *xml, const char *markup) {
  must(xmlTextWriterWriteRaw(xml->writer, (const xmlChar *)markup));
}
