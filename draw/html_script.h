/* SPDX-License-Identifier: BSD-3-Clause
 * The script of an HTML page: tables to sort and filter. Without the script a page shows the same
 * contents. */
#pragma once

struct xml_writer;

/* Write the script of PAGE, behind all tables. Each table of class `rows` with some length gets a field to
 * leave only the rows with a text, and buttons in the headings of the columns to sort the rows. Numbers with
 * units are sorted as numbers. */
void html_write_script(struct xml_writer *page);
