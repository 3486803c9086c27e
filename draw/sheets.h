/* SPDX-License-Identifier: BSD-3-Clause
 * The style sheets of charts and pages, and the script of pages: the files draw/NAME.css and draw/NAME.js
 * as texts. */
#pragma once

extern const char sheet_chart_css[], sheet_page_js[];
