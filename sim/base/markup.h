/* SPDX-License-Identifier: BSD-3-Clause
 * Text inside XML and HTML. */
#pragma once

#include <stdio.h>

/* Write TEXT on STREAM as content of an XML element or attribute; bytes that no XML file may contain become '?'. */
void markup_escape(const char *text, FILE *stream);
