/* SPDX-License-Identifier: BSD-3-Clause
 * Colours of lanes, for light and for dark screens, and the style sheet of pictures of lanes; used inside
 * this folder only. */
#pragma once

#include "draw/timeline/timeline.h"

/* The colours of an ink, and the name of the ink's class. */
struct timeline_colour {
  const char *class;
  const char *light, *dark; /* "#rrggbb" */
};

/* Return the colours of INK. TIMELINE_OTHERS is drawn as a hatch in this colour. */
const struct timeline_colour *timeline_colour(enum timeline_ink ink);

/* Return the contrast of two colours, from 1 to 21.
 * source: WCAG 2.2, contrast ratio. */
double timeline_contrast(const char *colour, const char *other);

/* Return the ink, black or white, with the better contrast for a text on COLOUR. */
const char *timeline_text_colour(const char *colour);

/* Return the style sheet: all rules are for an element of class `lanes` and the elements inside. A reader
 * without variables of CSS shows the light colours.
 * owner: the caller. */
char *timeline_style(void);
