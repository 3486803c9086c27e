/* SPDX-License-Identifier: BSD-3-Clause
 * How an HTML page looks: on narrow and wide screens, light and dark ones, and on paper. */
#pragma once

struct xml_writer;

/* Write the style sheet of PAGE. */
void html_write_style(struct xml_writer *page, const char *more);
