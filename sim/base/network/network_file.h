/* SPDX-License-Identifier: BSD-3-Clause
 * The text of a SimGrid platform file: hosts, mistakes, and their lines.
 *
 * SimGrid itself knows no lines of most mistakes and returns hosts in no order of the file. */
#pragma once

#include "sim/base/xml/xml_read.h"

#include <stddef.h>

/* The longest name of a host. */
enum { NETWORK_NAME_MAX = 80 };

/* A network: a file, or a text. */
struct network_source {
  const char *path; /* also for messages */
  const char *text; /* NULL: the text of file PATH */
  /* for a reader, names of hosts; NULL: n0, n1 and so on */
  const char *const *hosts;
};

/* A host of its own element, or of a cluster. */
struct network_host {
  char *name;
  const xmlNode *element;
};

struct network_file {
  xmlNode *root;
  struct network_host *hosts; /* in the order of network_name_compare */
  size_t nhosts;
  char *ignored; /* parts without use for the simulator, such as "disks (line 4)" */
};

/* Compare two names by characters, and numbers in both names by value: n2 is before n10. */
int network_name_compare(const char *a, const char *b);

/* Read the text of SOURCE into FILE.
 * errors: no such file, a pipe or a device, malformed XML (SimGrid allows two hyphens in a comment), another
 *   root than <platform>, a host twice, a host without a name or with a long one, a link without bandwidth or
 *   with a negative latency, several routes between the same ends; all with path and line.
 * owner: the caller, with network_file_fini. */
int network_file_read(struct network_file *file, const struct network_source *source, struct err *err);

void network_file_fini(struct network_file *file);

/* Return the text of FILE for SimGrid: without ignored parts, in the same lines.
 * owner: the caller. */
char *network_file_text(const struct network_file *file);

/* Return the line of the innermost zone of FILE around hosts FROM and TO; 0: FILE lacks one of these
 * hosts. */
int network_file_zone_line(const struct network_file *file, const char *from, const char *to);
