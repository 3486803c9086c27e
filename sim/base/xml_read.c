/* SPDX-License-Identifier: BSD-3-Clause
 * See xml_read.h. The tree of libxml2 is copied at once and released. */
#include "sim/base/xml_read.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlversion.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlErrorPtr xml_error;
#endif

/* What the error handler of libxml2 needs. */
struct report {
  const char *path;
  struct err *err;
  bool with_type; /* a document type declaration is allowed */
};

/* Turn the first error of libxml2 into our message. DATA is the report, also for errors of encodings, which
 * belong to no parser and would be printed if nobody took them. */
static void on_error(void *data, xml_error error) {
  const struct report *report = data;
  if (error->level >= XML_ERR_ERROR) {
    char *what = text_tidy(error->message ? error->message : "not XML");
    err_set(report->err, "%s:%d: %.200s, expected well-formed XML", report->path,
            error->line > 0 ? error->line : 1, what);
    free(what);
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
  err_set(report->err, "%s:%d: %s, expected none", report->path, parser->input->line, what);
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

static xmlDoc *parse(struct report *report, const char *data, size_t nbytes) {
  xmlParserCtxt *parser = nbytes > 0 && nbytes <= INT_MAX ? xmlNewParserCtxt() : NULL;
  xmlDoc *document = NULL;
  if (parser) {
    parser->_private = report;
    parser->sax->serror = on_parser_error;
    parser->sax->entityDecl = on_entity;
    if (!report->with_type) {
      parser->sax->internalSubset = on_document_type;
    }
    xmlSetStructuredErrorFunc(report, on_error);
    document =
      xmlCtxtReadMemory(parser, data, (int)nbytes, NULL, NULL, XML_PARSE_NONET | XML_PARSE_BIG_LINES);
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlFreeParserCtxt(parser);
  }
  /* Some defects, such as a bad name space, are reported but leave a document. */
  if (!document || !xmlDocGetRootElement(document) || report->err->text[0] != '\0') {
    err_set(report->err, "%s:1: no XML, expected well-formed XML", report->path);
    xmlFreeDoc(document);
    return NULL;
  }
  return document;
}

static bool is_text(const xmlNode *node) {
  return (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) && node->content;
}

/* Collect the text directly inside NODE.
 * owner: the caller. */
static char *copy_text(const xmlNode *node) {
  size_t length = 0;
  for (const xmlNode *inner = node->children; inner; inner = inner->next) {
    length += is_text(inner) ? strlen((const char *)inner->content) : 0;
  }
  char *text = xcalloc(length + 1, 1), *end = text;
  for (const xmlNode *inner = node->children; inner; inner = inner->next) {
    end = is_text(inner) ? stpcpy(end, (const char *)inner->content) : end;
  }
  char *tidy = text_tidy(text);
  free(text);
  return tidy;
}

static struct xml_attribute *copy_attributes(xmlNode *node) {
  struct xml_attribute *first = NULL, **link = &first;
  for (xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    struct xml_attribute *copy = xcalloc(1, sizeof *copy);
    const char *name = (const char *)attribute->name;
    const char *prefix = attribute->ns ? (const char *)attribute->ns->prefix : NULL;
    xmlChar *value = xmlNodeListGetString(node->doc, attribute->children, 1);
    copy->name = prefix ? xasprintf("%s:%s", prefix, name) : xstrdup(name);
    copy->value = text_tidy(value ? (const char *)value : "");
    xmlFree(value);
    *link = copy;
    link = &copy->next;
  }
  return first;
}

/* Copy NODE and everything below it; NULL with a message when something in there is not allowed. */
static struct xml_element *copy_element(xmlNode *node, const struct report *report) {
  long line = xmlGetLineNo(node);
  if (node->ns) {
    err_set(report->err, "%s:%ld: <%.60s> in a name space, expected none", report->path, line,
            (const char *)node->name);
    return NULL;
  }
  struct xml_element *element = xcalloc(1, sizeof *element), **link = &element->first;
  element->name = xstrdup((const char *)node->name);
  element->line = line > 0 && line < INT_MAX ? (int)line : 1;
  element->text = copy_text(node);
  element->attributes = copy_attributes(node);
  for (xmlNode *inner = node->children; inner; inner = inner->next) {
    if (inner->type == XML_ELEMENT_NODE) {
      *link = copy_element(inner, report); /* as deep as libxml2 allows: 256 */
      if (!*link) {
        xml_free(element);
        return NULL;
      }
      (*link)->parent = element;
      link = &(*link)->next;
    }
  }
  return element;
}

/* Parse DATA, NBYTES long, with the path and the rules of REPORT. */
static struct xml_element *parse_tree(struct report report, const char *data, size_t nbytes,
                                      struct err *err) {
  struct err found = {.text = ""};
  struct xml_element *root = NULL;
  report.err = &found;
  xmlDoc *document = parse(&report, data, nbytes);
  if (document) {
    root = copy_element(xmlDocGetRootElement(document), &report);
  }
  xmlFreeDoc(document);
  if (!root) {
    err_set(err, "%s", found.text);
  }
  return root;
}

struct xml_element *xml_parse(const char *path, const char *data, size_t nbytes, struct err *err) {
  return parse_tree((struct report){.path = path}, data, nbytes, err);
}

struct xml_element *xml_parse_with_type(const char *path, const char *data, size_t nbytes, struct err *err) {
  return parse_tree((struct report){.path = path, .with_type = true}, data, nbytes, err);
}

void xml_free(struct xml_element *root) {
  if (!root) {
    return;
  }
  for (struct xml_element *child = root->first, *next; child; child = next) {
    next = child->next;
    xml_free(child);
  }
  for (struct xml_attribute *attribute = root->attributes, *next; attribute; attribute = next) {
    next = attribute->next;
    free(attribute->name);
    free(attribute->value);
    free(attribute);
  }
  free(root->name);
  free(root->text);
  free(root);
}

const char *xml_attribute_value(const struct xml_element *element, const char *name) {
  for (const struct xml_attribute *attribute = element->attributes; attribute; attribute = attribute->next) {
    if (strcmp(attribute->name, name) == 0) {
      return attribute->value;
    }
  }
  return NULL;
}
