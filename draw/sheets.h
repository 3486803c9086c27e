/* SPDX-License-Identifier: BSD-3-Clause
 * The style sheets of charts, pages, lanes over time, with or without calls of an application, and the script
 * of pages: the files NAME.css and NAME.js as texts. */
#pragma once

extern const char sheet_chart_css[], sheet_page_css[], sheet_lanes_css[], sheet_calls_css[], sheet_page_js[];

/* Of pages of views, draw/view/NAME.css and so on; still: the style of a drawing alone. */
extern const char sheet_view_css[], sheet_view_html[], sheet_view_js[], sheet_still_css[];
