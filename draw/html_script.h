/* SPDX-License-Identifier: BSD-3-Clause
 * The script of an HTML page: tables that can be sorted and filtered. Without it a page shows all that it
 * shows with it. */
#pragma once

struct xml_writer;

/* Write the script of PAGE, behind all tables. It gives each table of class `rows` with some length a field
 * that leaves only the rows with a text, and buttons in the headings of its columns that sort it, by numbers
 * with their units where there are numbers. */
void html_write_script(struct xml_writer *page);
