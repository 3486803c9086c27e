/* SPDX-License-Identifier: BSD-3-Clause
 * Colours of lanes, for light and for dark screens, and the style sheet of their pictures; used inside this
 * folder only. */
#pragma once

#include "draw/lanes.h"

/* An ink: the name of its class, and its colours. */
struct lanes_colour {
  const char *class;
  const char *light, *dark; /* "#rrggbb" */
};

/* Return the colours of INK. LANES_OTHERS is hatched with its colour. */
const struct lanes_colour *lanes_colour(enum lanes_ink ink);

/* Return the contrast of two colours, from 1 to 21.
 * source: WCAG 2.2, contrast ratio. */
double lanes_contrast(const char *colour, const char *other);

/* Return the one of two inks, black or white, in which a text on COLOUR has the better contrast. */
const char *lanes_text_colour(const char *colour);

/* Return the style sheet: all its rules are for an element of class `lanes` and what is in it. A reader that
 * does not know variables of CSS shows the light colours.
 * owner: the caller. */
char *lanes_style(void);
