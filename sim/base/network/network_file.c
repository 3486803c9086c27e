/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/network/network_file.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 28, MOST_HOSTS = 1 << 20 };

/* Parts of a file without use for the simulator. SimGrid gets a part only if links or routes may depend on
 * the part: a profile may be in another file, and SimGrid ends if that file is missing. */
static const struct {
  const char *element, *attribute; /* NULL: any; without an attribute the whole element */
  const char *part;                /* of the value; NULL: any */
  const char *what;
  bool stays; /* SimGrid gets the part */
} unused[] = {
  {NULL, "speed", ",", "further speeds of hosts", true},
  {NULL, "core", NULL, "cores of hosts", true},
  {NULL, "speed_file", NULL, "speed profiles", false},
  {NULL, "availability_file", NULL, "speed profiles", false},
  {NULL, "state_file", NULL, "state profiles", false},
  {NULL, "bandwidth_file", NULL, "link profiles", false},
  {NULL, "latency_file", NULL, "link profiles", false},
  {"trace", NULL, NULL, "traces", false},
  {"trace_connect", NULL, NULL, "traces", false},
  {"disk", NULL, NULL, "disks", false},
  {"storage", NULL, NULL, "disks", false},
  {"storage_type", NULL, NULL, "disks", false},
  {"mount", NULL, NULL, "disks", false},
  {"prop", NULL, NULL, "properties such as those of energy", true},
  {"link", "sharing_policy", "WIFI", "rates of Wi-Fi stations", true},
  {"actor", NULL, NULL, "actors", false},
  {"process", NULL, NULL, "actors", false},
  {"config", NULL, NULL, "options of SimGrid", false},
};
enum { UNUSED = VEC_LENGTH(unused) };

/* One file being read. */
struct reading {
  struct network_file *file;
  struct err *err;
  int lines[UNUSED]; /* the first one of each row of `unused`; 0: there is none */
};

/* A route in one direction between two ends of one zone. */
struct way {
  const xmlNode *route;
  const char *from, *to;
};

static const char *value_or_empty(const xmlNode *element, const char *attribute) {
  const char *value = xml_attribute_value(element, attribute);
  return value ? value : "";
}

static bool is_called(const xmlNode *element, const char *name) {
  return strcmp(xml_name(element), name) == 0;
}

/* --- hosts --- */

int network_name_compare(const char *a, const char *b) {
  while (*a && *b) {
    if (!isdigit((unsigned char)*a) || !isdigit((unsigned char)*b)) {
      if (*a != *b) {
        break;
      }
      a++;
      b++;
      continue;
    }
    a += strspn(a, "0");
    b += strspn(b, "0");
    size_t length = strspn(a, "0123456789"), other = strspn(b, "0123456789");
    int order = length != other ? (length > other) - (length < other) : strncmp(a, b, length);
    if (order) {
      return order;
    }
    a += length;
    b += length;
  }
  return (unsigned char)*a - (unsigned char)*b;
}

static int compare_names(const void *a, const void *b) {
  const struct network_host *x = a, *y = b;
  int order = network_name_compare(x->name, y->name);
  return order ? order : strcmp(x->name, y->name);
}

/* By name, then by line. */
static int compare_hosts(const void *a, const void *b) {
  const struct network_host *x = a, *y = b;
  int order = compare_names(a, b);
  return order ? order : xml_line(x->element) - xml_line(y->element);
}

/* Add the host NAME of ELEMENT; NAME belongs to the file then. */
static int add_host(struct reading *reading, const xmlNode *element, char *name) {
  struct network_file *file = reading->file;
  VEC_ADD(file->hosts, file->nhosts) = (struct network_host){name, element};
  if (!*name || strlen(name) > NETWORK_NAME_MAX) {
    return xml_err_set(element, reading->err, "host '%.60s', expected a name of at most %d characters", name,
                       (int)NETWORK_NAME_MAX);
  }
  if (file->nhosts > MOST_HOSTS) {
    return xml_err_set(element, reading->err, "more than %d hosts, expected fewer", (int)MOST_HOSTS);
  }
  return 0;
}

/* Add the hosts of ELEMENT, a cluster: the radical lists numbers, such as 0-3,7. */
static int add_cluster(struct reading *reading, const xmlNode *element) {
  const char *radical = value_or_empty(element, "radical"), *text = radical;
  int status = 0;
  do {
    text += strspn(text, ", ");
    unsigned first, last;
    bool good = text_take_number(&text, 9, &first);
    last = first;
    if (*text == '-') {
      text++;
      good &= text_take_number(&text, 9, &last);
    }
    if (!good || last < first || (*text && *text != ',')) {
      return xml_err_set(element, reading->err, "radical of <%s> is '%.60s', expected numbers such as 0-3,7",
                         xml_name(element), radical);
    }
    for (unsigned i = first; i <= last && status == 0; i++) {
      status = add_host(
        reading, element,
        xasprintf("%s%u%s", value_or_empty(element, "prefix"), i, value_or_empty(element, "suffix")));
    }
  } while (status == 0 && *text);
  return status;
}

/* Put the hosts in order and check for equal names. */
static int order_hosts(const struct reading *reading) {
  const struct network_file *file = reading->file;
  if (file->nhosts) {
    qsort(file->hosts, file->nhosts, sizeof *file->hosts, compare_hosts);
  }
  for (size_t i = 1; i < file->nhosts; i++) {
    const struct network_host *host = &file->hosts[i], *before = host - 1;
    if (strcmp(host->name, before->name) == 0) {
      return xml_err_set(host->element, reading->err,
                         "host %.120s given again, expected each host once (first in line %d)", host->name,
                         xml_line(before->element));
    }
  }
  return 0;
}

/* --- links and routes --- */

/* Check the attributes BANDWIDTH and LATENCY of ELEMENT, if given. */
static int check_figures(const struct reading *reading, const xmlNode *element, const char *bandwidth,
                         const char *latency) {
  const char *rate = xml_attribute_value(element, bandwidth), *delay = xml_attribute_value(element, latency);
  bool is_slow = rate && !isdigit((unsigned char)rate[strspn(rate, "+0.")]);
  return is_slow || (delay && *delay == '-')
           ? xml_err_set(element, reading->err, "%s of %.20s %.60s is '%.60s', expected %s",
                         is_slow ? "bandwidth" : "latency", xml_name(element), value_or_empty(element, "id"),
                         is_slow ? rate : delay, is_slow ? "more than 0" : "at least 0")
           : 0;
}

static int compare_ways(const void *a, const void *b) {
  const struct way *x = a, *y = b;
  int order = strcmp(x->from, y->from);
  order = order ? order : strcmp(x->to, y->to);
  order = order ? order : strcmp(xml_name(x->route), xml_name(y->route));
  return order ? order : xml_line(x->route) - xml_line(y->route);
}

/* Check for several of the N WAYS from one end to one other end. */
static int check_ways(const struct reading *reading, struct way *ways, size_t n) {
  qsort(ways, n, sizeof *ways, compare_ways);
  for (size_t i = 1; i < n; i++) {
    const struct way *way = &ways[i], *before = way - 1;
    if (strcmp(way->from, before->from) == 0 && strcmp(way->to, before->to) == 0 &&
        is_called(way->route, xml_name(before->route))) {
      return xml_err_set(
        way->route, reading->err,
        "<%s> from %.60s to %.60s given again, expected one in each direction (first in line %d)",
        xml_name(way->route), way->from, way->to, xml_line(before->route));
    }
  }
  return 0;
}

/* Check the routes directly inside ZONE. */
static int check_routes(const struct reading *reading, const xmlNode *zone) {
  SCOPED struct way *ways = NULL;
  size_t n = 0;
  for (const xmlNode *route = xml_first(zone); route; route = xml_next(route)) {
    const char *from = xml_attribute_value(route, "src"), *to = xml_attribute_value(route, "dst");
    if (!from || !to || (!is_called(route, "route") && !is_called(route, "zoneRoute"))) {
      continue;
    }
    VEC_ADD(ways, n) = (struct way){route, from, to};
    if (tolower((unsigned char)*value_or_empty(route, "symmetrical")) != 'n' && strcmp(from, to) != 0) {
      VEC_ADD(ways, n) = (struct way){route, to, from};
    }
  }
  return n ? check_ways(reading, ways, n) : 0;
}

/* --- the whole --- */

/* Put the XML declaration of the text DATA, if only blanks are before it, in front of these blanks: XML
 * allows no blanks there, SimGrid does. Elements stay in their lines. */
static void lead_with_declaration(char *data) {
  size_t blanks = strspn(data, " \t\r\n");
  const char *end = strncmp(data + blanks, "<?xml ", 6) == 0 ? strstr(data + blanks, "?>") : NULL;
  if (blanks && end) {
    SCOPED char *before = xasprintf("%.*s", (int)blanks, data);
    size_t length = (size_t)(end + 2 - data) - blanks;
    memmove(data, data + blanks, length);
    memcpy(data + length, before, blanks);
  }
}

/* Return the end of the comment that begins at BEGIN; NULL: there is none. As in the scanner of SimGrid two
 * hyphens are a part of a comment wherever they stand: "--->" does not end a comment. */
static char *end_of_comment(char *begin) {
  char *at = begin + strlen("<!--");
  while (*at && strncmp(at, "-->", 3) != 0) {
    at += at[0] == '-' && at[1] == '-' ? 2 : 1;
  }
  return *at ? at + strlen("-->") : NULL;
}

/* Return the end of the tag that begins at BEGIN: a '>' outside of quotes, or the end of the text. */
static char *end_of_tag(char *begin) {
  char quote = '\0', *at = begin;
  for (; *at && (quote || *at != '>'); at++) {
    quote = *at == quote ? '\0' : !quote && (*at == '"' || *at == '\'') ? *at : quote;
  }
  return at;
}

/* Make blanks of the comments of the text DATA of PATH, but for the ends of lines.
 * errors: a comment without an end. */
static int blank_comments(char *data, const char *path, struct err *err) {
  for (char *at = strchr(data, '<'), *end; at; at = strchr(end, '<')) {
    bool is_comment = strncmp(at, "<!--", 4) == 0;
    end = is_comment ? end_of_comment(at) : end_of_tag(at);
    if (!end) {
      int line = 1;
      while (--at >= data) {
        line += *at == '\n';
      }
      return err_set(err, "%s:%d: comment without an end, expected '-->' behind pairs of hyphens", path,
                     line);
    }
    for (char *byte = at; is_comment && byte < end; byte++) {
      *byte = *byte == '\n' ? '\n' : ' ';
    }
  }
  return 0;
}

/* Tell whether row I of `unused` is about ELEMENT. */
static bool is_unused(size_t i, const xmlNode *element) {
  const char *value = unused[i].attribute ? xml_attribute_value(element, unused[i].attribute) : "";
  return (!unused[i].element || is_called(element, unused[i].element)) && value &&
         (!unused[i].part || strstr(value, unused[i].part));
}

/* Note the unused parts of ELEMENT, and remove the attributes without use for SimGrid.
 * returns: whether ELEMENT itself is of use for SimGrid. */
static bool drop_unused(struct reading *reading, xmlNode *element) {
  bool stays = true;
  for (size_t i = 0; i < UNUSED; i++) {
    if (is_unused(i, element)) {
      reading->lines[i] = reading->lines[i] ? reading->lines[i] : xml_line(element);
      stays &= unused[i].stays || unused[i].attribute;
      if (!unused[i].stays && unused[i].attribute) {
        xmlUnsetProp(element, (const xmlChar *)unused[i].attribute);
      }
    }
  }
  return stays;
}

/* List the unused parts; rows of one kind stand together. */
static char *list_unused(const struct reading *reading) {
  char *list = xstrdup("");
  for (size_t i = 0; i < UNUSED; i++) {
    int line = 0;
    for (size_t j = i; j < UNUSED && strcmp(unused[j].what, unused[i].what) == 0; j++) {
      line = reading->lines[j] && (!line || reading->lines[j] < line) ? reading->lines[j] : line;
    }
    if (line && (i == 0 || strcmp(unused[i - 1].what, unused[i].what) != 0)) {
      xappend(&list, "%s%s (line %d)", *list ? ", " : "", unused[i].what, line);
    }
  }
  return list;
}

/* Take the elements inside ELEMENT, and remove those without use for SimGrid. */
static int take_inside(struct reading *reading, const xmlNode *element) {
  int status = check_routes(reading, element);
  xmlNode *next;
  for (xmlNode *inner = xml_first(element); inner && status == 0; inner = next) {
    next = xml_next(inner);
    if (!drop_unused(reading, inner)) {
      xmlUnlinkNode(inner);
      xmlFreeNode(inner);
      continue;
    }
    status = is_called(inner, "link") ? check_figures(reading, inner, "bandwidth", "latency")
                                      : check_figures(reading, inner, "bw", "lat");
    if (status == 0 && (is_called(inner, "host") || is_called(inner, "peer"))) {
      status = add_host(reading, inner, xstrdup(value_or_empty(inner, "id")));
    } else if (status == 0 && (is_called(inner, "cluster") || is_called(inner, "cabinet"))) {
      status = add_cluster(reading, inner);
    }
    status = status == 0 ? take_inside(reading, inner) : status;
  }
  return status;
}

/* Refuse an element ROOT of other files, and the version 3 and older ones of SimGrid. */
static int check_root(const xmlNode *root, struct err *err) {
  static const char *const others[][2] = {{"system", ", an NCCL topology"}, {"graphs", ", graphs of NCCL"}};
  if (!is_called(root, "platform")) {
    const char *const(*other)[2] = VEC_FIND(others, VEC_LENGTH(others), is_called(root, (*item)[0]));
    return xml_err_set(root, err, "root element '%.60s'%s, expected platform, a SimGrid platform file",
                       xml_name(root), other ? (*other)[1] : "");
  }
  const char *version = xml_attribute_value(root, "version");
  return version && isdigit((unsigned char)*version) && strtod(version, NULL) < 4
           ? xml_err_set(root, err,
                         "version %.20s of SimGrid platform files, expected 4 or later: "
                         "simgrid_update_xml FILE brings a file there",
                         version)
           : 0;
}

int network_file_read(struct network_file *file, const struct network_source *source, struct err *err) {
  size_t nbytes = source->text ? strlen(source->text) : 0;
  static const struct text_kind kind = {MOST_BYTES, "256 MiB", "a SimGrid platform file"};
  struct stat status;
  *file = (struct network_file){.root = NULL};
  if (!source->text && stat(source->path, &status) == 0 && !S_ISREG(status.st_mode) &&
      !S_ISDIR(status.st_mode)) {
    return err_set(err, "%s: a pipe or a device, expected a file: a network is read more than once",
                   source->path);
  }
  char *data = source->text ? xstrdup(source->text) : text_read_file(source->path, &kind, &nbytes, err);
  if (!data) {
    return -1;
  }
  lead_with_declaration(data);
  if (blank_comments(data, source->path, err) == 0) {
    file->root = xml_parse(&(struct xml_source){source->path, data, nbytes, .with_type = true}, err);
  }
  free(data);
  struct reading reading = {.file = file, .err = err};
  if (!file->root || check_root(file->root, err) || take_inside(&reading, file->root) ||
      order_hosts(&reading)) {
    network_file_fini(file);
    return -1;
  }
  file->ignored = list_unused(&reading);
  return 0;
}

void network_file_fini(struct network_file *file) {
  for (size_t i = 0; i < file->nhosts; i++) {
    free(file->hosts[i].name);
  }
  free(file->hosts);
  free(file->ignored);
  xml_free(file->root);
  *file = (struct network_file){.root = NULL};
}

/* --- for SimGrid --- */

/* Write ELEMENT for SimGrid in its own lines; *LINE is the last line with text. */
static void write_element(struct xml_writer *xml, const xmlNode *element, int *line) {
  for (; *line < xml_line(element); ++*line) {
    xml_write_line(xml);
  }
  bool outermost = is_called(element, "cluster") && element->parent == xmlDocGetRootElement(element->doc);
  if (outermost) { /* SimGrid 4.0 crashes on a fat tree without a zone around the tree */
    xml_write_begin(xml, "zone id='around the outermost cluster' routing='Full'");
  }
  xml_write_begin(xml, "%s", xml_name(element));
  for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next) {
    xml_write_attribute(xml, (const char *)attribute->name, "%s", xml_value(attribute));
  }
  for (const xmlNode *inner = xml_first(element); inner; inner = xml_next(inner)) {
    write_element(xml, inner, line);
  }
  xml_write_end(xml);
  if (outermost) {
    xml_write_end(xml);
  }
}

char *network_file_text(const struct network_file *file) {
  char *text = NULL;
  int line = 1;
  FILE *stream = text_open(&text);
  struct xml_writer *xml = xml_write_new(stream);
  xml_write_markup(xml, "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">");
  write_element(xml, file->root, &line);
  xml_write_free(xml);
  fclose(stream);
  return text;
}

/* --- lines --- */

/* Return the element of the host NAME of FILE; NULL: there is no such host. */
static const xmlNode *element_of(const struct network_file *file, const char *name) {
  const struct network_host wanted = {.name = (char *)(uintptr_t)name};
  const struct network_host *host =
    file->nhosts ? bsearch(&wanted, file->hosts, file->nhosts, sizeof wanted, compare_names) : NULL;
  return host ? host->element : NULL;
}

int network_file_zone_line(const struct network_file *file, const char *from, const char *to) {
  const xmlNode *zone = element_of(file, from), *other = element_of(file, to);
  for (; zone && other; zone = zone->parent) {
    const xmlNode *around = other;
    while (around && around != zone) {
      around = around->parent;
    }
    if (around) {
      return xml_line(zone);
    }
  }
  return 0;
}
