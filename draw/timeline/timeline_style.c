/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_page.h. The colours are those of Okabe and Ito (2008), as in draw/chart.css, with greys and
 * tints of other brightness: hue alone tells nothing. */
#include "draw/timeline/timeline_page.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdlib.h>

static const char dark_text[] = "#1c1c1c", light_text[] = "#ffffff";

static const struct timeline_colour inks[TIMELINE_INKS] = {
  [TIMELINE_SOFTWARE] = {"soft", "#3b4650", "#cfd6db"}, [TIMELINE_COMBINES] = {"comb", "#b0578d", "#d68ab8"},
  [TIMELINE_OWN_DMA] = {"own", "#bcd9ea", "#35566b"},   [TIMELINE_OTHERS] = {"wait", "#c9ced2", "#4a5258"},
  [TIMELINE_DATA] = {"data", "#009E73", "#1fb98e"},     [TIMELINE_ACROSS] = {"far", "#0072B2", "#3d9fe0"},
  [TIMELINE_SHARED] = {"behind", "#E69F00", "#f0b429"}, [TIMELINE_WINDOW] = {"full", "#56B4E9", "#8fd0f5"},
  [TIMELINE_ORDER] = {"order", "#F0E442", "#b8ad2a"},   [TIMELINE_TAKEN] = {"taken", "#7a97a8", "#7391a4"},
};

/* Colours of everything else. */
static const struct timeline_colour others[] = {
  {"back", "#ffffff", "#15181b"}, {"text", "#1c1c1c", "#e6e6e6"},  {"faint", "#555555", "#a9b0b6"},
  {"line", "#dfe3e6", "#30363b"}, {"zebra", "#f5f7f8", "#1b1f23"}, {"room", "#e3f1ec", "#1f3a33"},
  {"path", "#D55E00", "#f2803a"},
};

const struct timeline_colour *timeline_colour(enum timeline_ink ink) {
  return &inks[ink];
}

/* Return the relative luminance of COLOUR. */
static double luminance(const char *colour) {
  static const double weights[] = {0.0722, 0.7152, 0.2126}; /* blue, green, red */
  unsigned long value = strtoul(colour + 1, NULL, 16);
  double sum = 0;
  for (unsigned i = 0; i < 3; i++, value >>= 8) {
    double part = (double)(value & 0xff) / 255;
    sum += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double timeline_contrast(const char *colour, const char *other) {
  double one = luminance(colour) + 0.05, two = luminance(other) + 0.05;
  return one > two ? one / two : two / one;
}

const char *timeline_text_colour(const char *colour) {
  return timeline_contrast(colour, dark_text) > timeline_contrast(colour, light_text) ? dark_text
                                                                                      : light_text;
}

/* Write the rules common to all colours. In `a,b{x:y;x:var(--z)}` a reader without variables of CSS skips the
 * second value. */
static const char rules[] =
  ".lanes text{font-family:system-ui,\"DejaVu Sans\",\"Liberation Sans\",Arial,sans-serif;font-size:11px;"
  "fill:#555555;fill:var(--faint)}\n"
  ".lanes .h1{font-size:17px;font-weight:600}.lanes .h2{font-size:13px;font-weight:600}"
  ".lanes .sub{font-size:12px}.lanes .small{font-size:10px}\n"
  ".lanes .h1,.lanes .h2,.lanes .name,.lanes .key,.lanes .mean,.lanes .label{fill:#1c1c1c;fill:var(--text)}\n"
  ".lanes .name,.lanes .mean{text-anchor:end}.lanes .tick,.lanes .chip,.lanes .label,.lanes .share"
  "{text-anchor:middle}\n"
  ".lanes .share{font-weight:600}.lanes .tick,.lanes .key{font-variant-numeric:tabular-nums}\n"
  ".lanes .label,.lanes .mean{paint-order:stroke;stroke:#ffffff;stroke:var(--back);stroke-width:2.5px;"
  "stroke-linejoin:round}.lanes .label{font-size:10px}\n"
  ".lanes .grid,.lanes .side{fill:none}.lanes .grid{stroke:#dfe3e6;stroke:var(--line)}"
  ".lanes .side{stroke:#555555;stroke:var(--faint)}\n"
  ".lanes .hatch{stroke:#c9ced2;stroke:var(--wait);stroke-width:3.2px}\n"
  ".lanes .apart{stroke:#ffffff;stroke:var(--back);stroke-width:1px}"
  ".lanes .held{fill:none;stroke:#E69F00;stroke:var(--behind);stroke-width:3.4px}\n"
  ".lanes .edge{stroke:#ffffff;stroke:var(--back);stroke-width:.5px}\n"
  ".lanes .note{stroke:#555555;stroke:var(--faint);stroke-width:.8px;stroke-dasharray:2 2;fill:none}\n"
  ".lanes .exit{stroke:#1c1c1c;stroke:var(--text);stroke-width:1.6px}\n"
  ".lanes .path,.lanes .halo{fill:none;stroke-linejoin:round}"
  ".lanes .path{stroke:#D55E00;stroke:var(--path);stroke-width:2.4px}"
  ".lanes .halo{stroke:#ffffff;stroke:var(--back);stroke-width:4.6px}\n"
  ".lanes .end{fill:#D55E00;fill:var(--path)}.lanes .band{opacity:.75}\n"
  "@media print{.lanes text{fill:#000000}.lanes *{print-color-adjust:exact;"
  "-webkit-print-color-adjust:exact}}\n";

static void add_variables(char **text, bool dark) {
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    xappend(text, "--%s:%s;", others[i].class, dark ? others[i].dark : others[i].light);
  }
  for (unsigned i = 0; i < TIMELINE_INKS; i++) {
    const char *colour = dark ? inks[i].dark : inks[i].light;
    xappend(text, "--%s:%s;--on-%s:%s;", inks[i].class, colour, inks[i].class, timeline_text_colour(colour));
  }
}

char *timeline_style(void) {
  char *text = NULL;
  xappend(&text, "\n.lanes{");
  add_variables(&text, false);
  xappend(&text, "}\n@media screen and (prefers-color-scheme:dark){.lanes{");
  add_variables(&text, true);
  xappend(&text, "}}\n");
  xappend(&text, "%s", rules);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    xappend(&text, ".lanes .%s-fill{fill:%s;fill:var(--%s)}", others[i].class, others[i].light,
            others[i].class);
  }
  for (unsigned i = 0; i < TIMELINE_INKS; i++) {
    const char *class = inks[i].class;
    xappend(&text, ".lanes .%s{fill:%s;fill:var(--%s)}.lanes .on-%s{fill:%s;fill:var(--on-%s)}", class,
            inks[i].light, class, class, timeline_text_colour(inks[i].light), class);
  }
  xappend(&text, "\n");
  return text;
}
