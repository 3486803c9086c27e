/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/xml/xml_read.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <libxml/parser.h>
#include <libxml/xmlversion.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlErrorPtr xml_error;
#endif

/* What the handlers of libxml2 need. */
struct report {
  const struct xml_source *source;
  const struct xml_visitor *visitor; /* NULL: a tree is made */
  struct err *err;
};

/* Turn the first error of libxml2 into our message. DATA is the report, also for errors of encodings, which
 * belong to no parser and would be printed if nobody took them. */
static void on_error(void *data, xml_error error) {
  const struct report *report = data;
  if (error->level >= XML_ERR_ERROR) {
    SCOPED char *what = text_tidy(error->message ? error->message : "not XML");
    err_set(report->err, "%s:%d: %.200s, expected well-formed XML", report->source->path,
            error->line > 0 ? error->line : 1, what);
  }
}

/* The same, with the parser as DATA. */
static void on_parser_error(void *data, xml_error error) {
  on_error(((xmlParserCtxt *)data)->_private, error);
}

/* Refuse WHAT at the place of the parser DATA. */
static void refuse(void *data, const char *what) {
  xmlParserCtxt *parser = data;
  const struct report *report = parser->_private;
  err_set(report->err, "%s:%d: %s, expected none", report->source->path, parser->input->line, what);
  xmlStopParser(parser);
}

/* Refuse a document type declaration before anything in it is looked at; DATA is the parser. */
static void on_document_type(void *data, const xmlChar *name, const xmlChar *public_id,
                             const xmlChar *system_id) {
  (void)name, (void)public_id, (void)system_id;
  refuse(data, "document type declaration");
}

/* Refuse the declaration of an entity, of any length; DATA is the parser. */
static void on_entity(void *data, const xmlChar *name, int type, const xmlChar *public_id,
                      const xmlChar *system_id, xmlChar *content) {
  (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
  refuse(data, "declaration of an entity");
}

/* Visit the start of an element, its end; DATA is the parser, and the rest as in startElementNsSAX2Func. */
static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                     int nspaces, const xmlChar **spaces, int nattributes, int ndefaulted,
                     const xmlChar **attributes) {
  (void)space, (void)nspaces, (void)spaces, (void)ndefaulted;
  xmlParserCtxt *parser = data;
  const struct report *report = parser->_private;
  const struct xml_start start = {(const char *)name, parser->input->line, attributes, nattributes};
  if (prefix) {
    refuse(data, "element with a prefix");
  } else if (report->visitor->begin(report->visitor->context, &start, report->err) != 0) {
    xmlStopParser(parser);
  }
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
  (void)name, (void)prefix, (void)space;
  const struct report *report = ((xmlParserCtxt *)data)->_private;
  report->visitor->end(report->visitor->context);
}

static xmlDoc *parse(struct report *report) {
  size_t nbytes = report->source->nbytes;
  xmlParserCtxt *parser = nbytes > 0 && nbytes <= INT_MAX ? xmlNewParserCtxt() : NULL;
  xmlDoc *document = NULL;
  if (parser) {
    parser->_private = report;
    if (report->visitor) { /* no tree */
      *parser->sax =
        (xmlSAXHandler){.initialized = XML_SAX2_MAGIC, .startElementNs = on_start, .endElementNs = on_end};
    }
    parser->sax->serror = on_parser_error;
    parser->sax->entityDecl = on_entity;
    if (!report->source->with_type) {
      parser->sax->internalSubset = on_document_type;
    }
    xmlSetStructuredErrorFunc(report, on_error);
    document = xmlCtxtReadMemory(parser, report->source->data, (int)nbytes, NULL, NULL,
                                 XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_BIG_LINES);
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlFreeParserCtxt(parser);
  }
  /* Some defects, such as a bad name space, are reported but leave a document. */
  bool is_made =
    report->visitor ? nbytes > 0 && nbytes <= INT_MAX : document && xmlDocGetRootElement(document);
  if (!is_made || report->err->text[0] != '\0') {
    err_set(report->err, "%s:1: no XML, expected well-formed XML", report->source->path);
    xmlFreeDoc(document);
    return NULL;
  }
  return document;
}

/* Make the attributes of NODE and of all elements inside tidy.
 * errors: an element in a name space. */
static int tidy_element(xmlNode *node, struct err *err) {
  if (node->ns) {
    return xml_err_set(node, err, "<%.60s> in a name space, expected none", xml_name(node));
  }
  for (xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    if (attribute->children) {
      SCOPED char *tidy = text_tidy((const char *)attribute->children->content);
      xmlNodeSetContent(attribute->children, (xmlChar *)tidy);
    }
    if (attribute->ns && attribute->ns->prefix) { /* a prefix is a part of the name */
      attribute->name = xmlBuildQName(attribute->name, attribute->ns->prefix, NULL, 0);
      attribute->ns = NULL;
    }
  }
  int status = 0;
  for (xmlNode *inner = xml_first(node); inner && status == 0; inner = xml_next(inner)) {
    status = tidy_element(inner, err); /* as deep as libxml2 allows: 256 */
  }
  return status;
}

xmlNode *xml_parse(const struct xml_source *source, struct err *err) {
  struct err found = {.text = ""};
  struct report report = {.source = source, .err = &found};
  xmlDoc *document = parse(&report);
  xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
  if (root) {
    document->_private = xstrdup(source->path);
  }
  if (!root || tidy_element(root, &found)) {
    err_set(err, "%s", found.text);
    xml_free(root);
    return NULL;
  }
  return root;
}

void xml_free(xmlNode *root) {
  if (root) {
    free(root->doc->_private);
    xmlFreeDoc(root->doc);
  }
}

int xml_line(const xmlNode *element) {
  long line = xmlGetLineNo((xmlNode *)element);
  return line > 0 && line < INT_MAX ? (int)line : 1;
}

char *xml_text(const xmlNode *element) {
  SCOPED char *text = xstrdup("");
  for (const xmlNode *inner = element->children; inner; inner = inner->next) {
    if ((inner->type == XML_TEXT_NODE || inner->type == XML_CDATA_SECTION_NODE) && inner->content) {
      xappend(&text, "%s", (const char *)inner->content);
    }
  }
  return text_tidy(text);
}

const char *xml_value(const xmlAttr *attribute) {
  return attribute->children ? (const char *)attribute->children->content : "";
}

const char *xml_attribute_value(const xmlNode *element, const char *name) {
  const xmlAttr *attribute = element->properties;
  while (attribute && strcmp((const char *)attribute->name, name) != 0) {
    attribute = attribute->next;
  }
  return attribute ? xml_value(attribute) : NULL;
}

int xml_err_set(const xmlNode *element, struct err *err, const char *format, ...) {
  char what[sizeof err->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return err_set(err, "%s:%d: %s", (const char *)element->doc->_private, xml_line(element), what);
}

struct xml_slice xml_start_value(const struct xml_start *start, const char *name) {
  enum { NAME, PREFIX, VALUE = 3, END, WORDS }; /* of an attribute of libxml2 */
  for (int i = 0; i < start->nattributes; i++) {
    const unsigned char **attribute = start->attributes + i * WORDS;
    if (*attribute[NAME] == (unsigned char)*name && strcmp((const char *)attribute[NAME], name) == 0 &&
        !attribute[PREFIX]) {
      return (struct xml_slice){(const char *)attribute[VALUE], (size_t)(attribute[END] - attribute[VALUE])};
    }
  }
  return (struct xml_slice){NULL, 0};
}

int xml_scan(const struct xml_source *source, const struct xml_visitor *visitor, struct err *err) {
  struct err found = {.text = ""};
  struct report report = {.source = source, .visitor = visitor, .err = &found};
  xmlFreeDoc(parse(&report));
  return *found.text ? err_set(err, "%s", found.text) : 0;
}
