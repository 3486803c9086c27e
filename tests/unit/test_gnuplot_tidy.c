/* SPDX-License-Identifier: BSD-3-Clause
 * The SVG of gnuplot, tidied: elements with ink are kept, elements without are gone. */
#include "draw/gnuplot_tidy.h"
#include "tests/asserts.h"
#include "tests/suite.h"

#include <stdlib.h>

/* Check that SVG, named p, becomes EXPECTED. */
static void check(const char *svg, const char *expected) {
  char *text = gnuplot_tidy(svg, "p");
  ck_assert_str_eq(text, expected);
  free(text);
}

TESTS(gnuplot_tidy);

TEST(ids_get_the_name) {
  check("<g id=\"a\"><use href='#b'/><path style='url(#c)' id='d'/></g>",
        "<g id=\"p-a\"><use href='#p-b'/><path style='url(#p-c)' id='p-d'/></g>");
}

/* Mark 1 is used by the drawing, 0 by mark 1, 10 by nothing, though its name begins like the name of mark
 * 1. */
TEST(marks_that_nothing_uses_are_gone) {
  check(
    "<defs>\n <path id='gpPt0' d='M1'/>\n <use href='#gpPt0' id='gpPt1'/>\n <path id='gpPt10'/>\n"
    " <filter id='box'><feFlood/></filter>\n</defs><use href='#gpPt1'/>",
    "<defs><path id='p-gpPt0' d='M1'/><use href='#p-gpPt0' id='p-gpPt1'/></defs>\n<use href='#p-gpPt1'/>");
}

TEST(groups_that_draw_nothing_are_gone) {
  check("<g fill=\"none\">\n</g>\n<g x=\"1\"><text></text></g><g x=\"2\"><text>a</text></g>",
        "<g x=\"2\"><text>a</text></g>");
}

TEST(titles_of_the_name_are_gone_and_hypertext_is_a_title) {
  check("<g x=\"1\"><title>p_plot_1</title><g onmousemove=\"gnuplot_svg.showHypertext(evt,'a &amp; b')\" "
        "onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>\n<use/></g></g>",
        "<g x=\"1\"><g><title>a &amp; b</title><use/></g></g>");
}

/* Truncated output is copied up to its end. */
TEST(half_a_picture_does_no_harm) {
  check("<g", "<g");
  check("<defs><path id='a", "<defs><path id='p-a");
  check("<g onmousemove=\"gnuplot_svg.showHypertext(evt,'a",
        "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'a");
  check("", "");
}
