/* SPDX-License-Identifier: BSD-3-Clause
 * XML, SVG and HTML as they are written: elements, their attributes, text. All of it is escaped, and every
 * element that is begun is ended by name; bytes that no XML file may contain become '?'. */
#pragma once

#include <stdarg.h>
#include <stdio.h>

struct xml_writer;

/* Begin to write on STREAM; the owner of the stream looks for errors.
 * owner: the caller, with xml_write_free. */
struct xml_writer *xml_write_new(FILE *stream);

/* Hand everything over to the stream and release XML; nothing else may be written on the stream before. */
void xml_write_free(struct xml_writer *xml);

/* Begin a file with the declaration that it is XML in UTF-8. A page of HTML has none. */
void xml_write_declaration(struct xml_writer *xml);

/* From here on put every element without text on a line of its own, INDENT deeper than the one around it;
 * NULL, as in the beginning: write no white space by itself. */
void xml_write_indent(struct xml_writer *xml, const char *indent);

/* Begin an element, FORMAT: its name, and attributes as NAME='VALUE', each behind a blank. Values come from
 * this program; a text of users is given to xml_write_attribute. What is in the element follows. */
void xml_write_begin(struct xml_writer *xml, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Give the element that has just begun attributes, FORMAT as behind the name in xml_write_begin. */
void xml_write_attributes(struct xml_writer *xml, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

/* Write an element without anything in it, with the format and the values of xml_write_begin. */
#define xml_write_empty(xml, ...) (xml_write_begin((xml), __VA_ARGS__), xml_write_end(xml))

/* End the element that was begun last. An element in which nothing was written, no empty text either, is
 * `<name/>`. */
void xml_write_end(struct xml_writer *xml);

/* Give the element that has just begun an attribute NAME with a formatted value. */
void xml_write_attribute(struct xml_writer *xml, const char *name, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

/* Write formatted text. */
void xml_write_text(struct xml_writer *xml, const char *format, ...) __attribute__((format(printf, 2, 3)));
void xml_write_text_list(struct xml_writer *xml, const char *format, va_list arguments)
  __attribute__((format(printf, 2, 0)));

/* Write a whole element NAME with nothing but formatted text in it. */
#define xml_write_element(xml, name, ...) \
  (xml_write_begin((xml), "%s", (name)), xml_write_text((xml), __VA_ARGS__), xml_write_end(xml))

/* Write an element with TEXT in it, with the format and the values of xml_write_begin. */
#define xml_write_full(xml, text, ...) \
  (xml_write_begin((xml), __VA_ARGS__), xml_write_text((xml), "%s", (text)), xml_write_end(xml))

/* Write MARKUP as it is: a style sheet, or what another program has written. */
void xml_write_markup(struct xml_writer *xml, const char *markup);

/* End the line. */
static inline void xml_write_line(struct xml_writer *xml) {
  xml_write_markup(xml, "\n");
}
