/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes: all added parts are there afterwards, in pictures and in letters; colours can be told apart. */
#include "draw/font.h"
#include "draw/sheets.h"
#include "draw/timeline/timeline.h"
#include "draw/timeline/timeline_page.h"
#include "sim/base/vec.h"
#include "tests/asserts.h"
#include "tests/suite.h"

/* Check the N shares of CURVE from bin FIRST on. */
static void check_curve(const struct timeline_curve *curve, size_t first, size_t n, const double shares[]) {
  for (size_t i = 0; i < n; i++) {
    ck_assert_double_eq_tol(timeline_curve_at(curve, first + i), shares[i], 1e-6);
  }
}

/* --- adding --- */

TESTS(timeline);

TEST(parts_that_go_on_are_one) {
  struct timeline *timeline = timeline_new(1, 1000, 10);
  timeline_add_part(timeline, 0, (struct timeline_part){0, 100, TIMELINE_SOFTWARE, "a", NULL});
  timeline_add_part(timeline, 0, (struct timeline_part){100, 130, TIMELINE_SOFTWARE, "a", NULL});
  ck_assert_uint_eq(timeline->lanes[0].nparts, 1);
  ck_assert_str_eq(timeline->lanes[0].parts[0].what, "a");
  timeline_add_part(timeline, 0, (struct timeline_part){130, 140, TIMELINE_SOFTWARE, "b", NULL});
  ck_assert_uint_eq(timeline->lanes[0].nparts, 1);
  ck_assert_uint_eq(timeline->lanes[0].parts[0].to, 140);
  ck_assert_ptr_null(timeline->lanes[0].parts[0].what);
  timeline_add_part(timeline, 0, (struct timeline_part){140, 1100, TIMELINE_OTHERS, NULL, NULL});
  timeline_add_part(timeline, 0, (struct timeline_part){1100, 1200, TIMELINE_SOFTWARE, NULL, NULL});
  ck_assert_uint_eq(timeline->lanes[0].nparts, 2);
  ck_assert_uint_eq(timeline->lanes[0].parts[1].to, 1000);
  timeline_free(timeline);
}

/* A grant of 16 cycles from cycle 15 on takes 5 of the 10 cycles of bin 1, all of bin 2, 1 of bin 3: shares
 * 0.5, 1, 0.1. */
TEST(a_curve_gets_parts_of_bins) {
  struct timeline *timeline = timeline_new(1, 95, 10);
  struct timeline_curve curve = {0};
  timeline_curve_add(timeline, &curve, (struct timeline_span){15, 31, 1});
  check_curve(&curve, 0, 5, (const double[]){0, 0.5, 1, 0.1, 0});
  timeline_curve_add(timeline, &curve, (struct timeline_span){-3, 4, 0.5});
  timeline_curve_add(timeline, &curve, (struct timeline_span){90, 120, 1});
  check_curve(&curve, 0, 2, (const double[]){0.2, 0.5});
  check_curve(&curve, 9, 1, (const double[]){0.5});
  ck_assert_double_eq_tol(timeline_curve_mean(timeline, &curve), (16 + 2 + 5) / 95.0, 1e-6);
  free(curve.shares);
  timeline_free(timeline);
}

/* Bins 3 to 8; groups of four begin at multiples of four: bin 3, bins 4 to 7, bin 8. */
TEST(a_curve_is_smoothed_in_groups) {
  float shares[] = {1, 0, 0.5, 0.5, 1, 0.25};
  struct timeline_curve curve = {shares, 3, 6};
  timeline_curve_smooth(&curve, 6);
  check_curve(&curve, 4, 1, (const double[]){0});
  timeline_curve_smooth(&curve, 2);
  check_curve(&curve, 3, 6, (const double[]){1, 0.5, 0.5, 0.5, 0.5, 0.25});
}

TEST(chips_show_the_means_of_their_spes) {
  struct timeline *timeline = timeline_new(3, 100, 10);
  timeline->lanes[2].chip = 1;
  timeline_add_part(timeline, 0, (struct timeline_part){0, 100, TIMELINE_SOFTWARE, NULL, NULL});
  timeline_add_part(timeline, 1, (struct timeline_part){0, 50, TIMELINE_OTHERS, NULL, NULL});
  timeline_add_part(timeline, 2, (struct timeline_part){0, 100, TIMELINE_COMBINES, NULL, NULL});
  timeline_add_line(timeline, &timeline->path, &timeline->npath, (struct timeline_line){1, 2, 0, 100});
  size_t bar = timeline_add_bar(timeline, 1, &(struct timeline_bar){.from = 0, .to = 100});
  timeline_curve_add(timeline, &timeline->lanes[1].bars[bar].curve, (struct timeline_span){20, 40, 1});
  timeline_fold(timeline);
  ck_assert_uint_eq(timeline->nlanes, 2);
  ck_assert(timeline->folded);
  ck_assert_uint_eq(timeline->path[0].from, 0);
  ck_assert_uint_eq(timeline->path[0].to, 1);
  const struct timeline_lane *chip = &timeline->lanes[0];
  ck_assert_double_eq_tol(timeline_curve_mean(timeline, &chip->states[TIMELINE_SOFTWARE]), 0.5, 1e-6);
  ck_assert_double_eq_tol(timeline_curve_mean(timeline, &chip->states[TIMELINE_OTHERS]), 0.25, 1e-6);
  ck_assert_double_eq_tol(timeline_curve_mean(timeline, &chip->data), 0.1, 1e-6);
  ck_assert_uint_eq(timeline->lanes[1].parts[0].to, 100); /* one SPE keeps the lane */
  timeline_free(timeline);
}

/* Of hosts each process has a lane of its own, for any number of processes. */
TEST(what_has_one_lane_is_not_folded) {
  struct timeline *timeline = timeline_new(0, 100, 10);
  for (unsigned i = 0; i < 3; i++) {
    timeline_append(timeline, timeline_new(1, 100, 10), i);
    timeline->lanes[i].nspes = 0;
  }
  timeline_fold(timeline);
  ck_assert_uint_eq(timeline->nlanes, 3);
  ck_assert(!timeline->folded);
  timeline_append(timeline, timeline_new(2, 100, 10), 3);
  timeline_fold(timeline);
  ck_assert_uint_eq(timeline->nlanes, 4);
  ck_assert(timeline->folded);
  timeline_free(timeline);
}

/* --- in letters and in a picture --- */

/* Return two lanes of 650 cycles: 65 columns of 10 cycles with a margin of 7.
 * owner: the caller. */
static struct timeline *two_lanes(const char *name, uint64_t software) {
  struct timeline *timeline = timeline_new(2, 650, 5);
  timeline->name = xstrdup(name);
  timeline->title = xasprintf("%s: 650 cycles (0.2\u00a0\u00b5s)", name);
  timeline->subtitle = xstrdup("qs20, <verified> & so on");
  for (unsigned i = 0; i < 2; i++) {
    snprintf(timeline->lanes[i].name, sizeof timeline->lanes[i].name, "SPE %u", i);
    timeline->lanes[i].left = 650;
  }
  timeline_add_part(timeline, 0, (struct timeline_part){0, 100, TIMELINE_SOFTWARE, NULL, NULL});
  timeline_add_part(timeline, 0, (struct timeline_part){100, 650, TIMELINE_OTHERS, NULL, NULL});
  timeline_add_part(timeline, 1, (struct timeline_part){0, 150, TIMELINE_OTHERS, NULL, NULL});
  timeline_add_part(timeline, 1, (struct timeline_part){150, 600, TIMELINE_OWN_DMA, NULL, NULL});
  timeline_add_part(timeline, 1, (struct timeline_part){600, 650, TIMELINE_COMBINES, NULL, NULL});
  for (unsigned i = 0; i < 2; i++) { /* two DMAs on one ramp, the second one from cycle 300 on */
    struct timeline_bar bar = {.from = 200, .to = 500, .peer = "0", .ramp = 3, .nbytes = 4096};
    size_t number = timeline_add_bar(timeline, 1, &bar);
    timeline_curve_add(timeline, &timeline->lanes[1].bars[number].curve,
                       (struct timeline_span){200 + 100 * i, 500, 0.5});
  }
  timeline_add_line(timeline, &timeline->notes, &timeline->nnotes, (struct timeline_line){0, 1, 100, 150});
  timeline_add_line(timeline, &timeline->path, &timeline->npath, (struct timeline_line){0, 0, 0, 100});
  timeline_add_line(timeline, &timeline->path, &timeline->npath, (struct timeline_line){0, 1, 100, 150});
  timeline_add_line(timeline, &timeline->path, &timeline->npath, (struct timeline_line){1, 1, 150, 650});
  timeline_add_line(timeline, &timeline->behind, &timeline->nbehind, (struct timeline_line){0, 0, 300, 500});
  VEC_ADD(timeline->causes, timeline->ncauses) =
    (struct timeline_cause){"bytes", TIMELINE_DATA, 650 - software};
  VEC_ADD(timeline->causes, timeline->ncauses) =
    (struct timeline_cause){"software", TIMELINE_SOFTWARE, software};
  return timeline;
}

TEST(letters_show_what_goes_on) {
  static const char expected[] = "x:y: 650 cycles (0.2 us)\n"
                                 "qs20, <verified> & so on\n"
                                 "\n"
                                 "SPE 0  ##########.......................................................\n"
                                 "       ^^^^^^^^^^\n"
                                 "SPE 1  ...............-----==========~~~~~~~~~~~~~~~~~~~~----------+++++\n"
                                 "                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
                                 "\n"
                                 "Where the 650 cycles of the critical path went:\n"
                                 "  bytes         500  77 % ###############################\n"
                                 "  software      150  23 % #########\n"
                                 "\n"
                                 "# software  + combines  = data, alone on its sender's ramp\n"
                                 "~ data, ramp shared  - waits for its DMA  . waits for others\n"
                                 "^ critical path\n";
  struct timeline *timeline = two_lanes("x:y", 150);
  char *text;
  FILE *stream = open_memstream(&text, &(size_t){0});
  timeline_text_write((const struct timeline *const[]){timeline}, 1, 72, stream);
  fclose(stream);
  ck_assert_str_eq(text, expected);
  free(text);
  timeline_free(timeline);
}

TEST(differences_are_said) {
  struct timeline *slow = two_lanes("a:slow", 150), *fast = two_lanes("a:fast", 10);
  fast->cycles = 500;
  fast->causes[0].cycles = 490;
  char *text = timeline_difference(slow, fast), *other = timeline_difference(fast, slow);
  ck_assert_str_eq(text, "a:fast takes 500 cycles instead of 650, 1.30 times as fast. On its critical path: "
                         "software 10 instead of 150; other parts differ by at most 10 cycles.");
  ck_assert_str_eq(other, text);
  free(text);
  free(other);
  text = timeline_difference(slow, slow);
  ck_assert_str_eq(text, "Both take 650 cycles. Their critical paths have the same parts.");
  free(text);
  timeline_free(slow);
  timeline_free(fast);
}

static char *picture_of(const struct timeline *timeline, const struct timeline *other) {
  struct timeline_picture picture = {.calls = {timeline, other}, .ncalls = other ? 2 : 1, .id = "x"};
  char *text;
  FILE *stream = open_memstream(&text, &(size_t){0});
  timeline_svg_write(&picture, stream);
  fclose(stream);
  return text;
}

static unsigned count(const char *text, const char *what) {
  unsigned n = 0;
  for (; (text = strstr(text, what)); text += strlen(what)) {
    n++;
  }
  return n;
}

/* The lanes begin at x = 84 and are 1090 wide: 1090 / 650 a cycle. Part 100 .. 650 of SPE 0 so begins at
 * 251.7. */
TEST(a_picture_has_everything) {
  struct timeline *timeline = two_lanes("x:y", 150);
  char *text = picture_of(timeline, NULL);
  static const char *const parts[] = {"waits for others 100\u2013650",
                                      "M251.7 ",
                                      "get 4\u00a0KiB from 0 200\u2013500",
                                      "4\u00a0KiB from 0</text>",
                                      "class=\"note\"",
                                      "SPE 1 leaves at 650",
                                      "class=\"path\"",
                                      "class=\"halo\"",
                                      "behind others\u2019 bytes 300\u2013500",
                                      "software: 150 cycles, 23.1 %",
                                      "&lt;verified&gt; &amp; so on"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    ck_assert_msg(strstr(text, parts[i]), "%s is not there", parts[i]);
  }
  ck_assert_uint_eq(count(text, "leaves at"), 2);
  ck_assert_uint_eq(count(text, "<script"), 0);
  free(text);
  for (unsigned i = 0; i < 100; i++) {
    timeline_add_line(timeline, &timeline->notes, &timeline->nnotes, (struct timeline_line){0, 1, i, i + 50});
  }
  text = picture_of(timeline, timeline);
  ck_assert_uint_eq(count(text, "class=\"note\""), 0);
  ck_assert_uint_eq(count(text, "class=\"end\""), 2);
  free(text);
  timeline_free(timeline);
}

/* Fill ENDS with the ends of the text element at TEXT. */
static void find_ends(const char *text, double ends[2]) {
  char class[64], words[512];
  double x;
  ck_assert_int_eq(sscanf(text, "<text class=\"%63[^\"]\" x=\"%lf\" y=\"%*f\">%511[^<]", class, &x, words),
                   3);
  bool bold = strstr(class, "h1") || strstr(class, "h2") || strstr(class, "share");
  double size = strstr(class, "h1")                                ? 17
                : strstr(class, "h2")                              ? 13
                : strstr(class, "sub")                             ? 12
                : strstr(class, "label") || strstr(class, "small") ? 10
                                                                   : 11;
  double width = font_width(words, strlen(words), size, bold);
  bool middle = strstr(class, "tick") || strstr(class, "label") || strstr(class, "share");
  bool end = !middle && (strstr(class, "name") || strstr(class, "mean"));
  ends[0] = x - (middle ? width / 2 : end ? width : 0);
  ends[1] = ends[0] + width;
}

/* In the wider one of DejaVu Sans and Liberation Sans; the picture is 1200 wide. */
TEST(no_text_is_cut_off) {
  struct timeline *timeline = two_lanes("a-very-long-name:of-an-algorithm:with=parameters", 150);
  unsigned n = 0;
  double ends[2];
  free(timeline->subtitle);
  timeline->subtitle = xasprintf("%0*d words %0*d %0*d", 90, 0, 90, 0, 90, 0);
  strcpy(timeline->lanes[1].name, "the PPE of chip number 63");
  struct timeline_band band = {
    .name = "link 63\u219263", .ink = TIMELINE_ACROSS, .of = "busy, of the busiest 4 of 4032"};
  timeline_curve_add(timeline, timeline_add_band(timeline, &band), (struct timeline_span){0, 3, 0.1});
  char *text = picture_of(timeline, timeline);
  for (const char *next = text; (next = strstr(next, "<text class=\"")); next++, n++) {
    if (!strstr(next, "class=\"chip\"") || strstr(next, "class=\"chip\"") > next + 20) {
      find_ends(next, ends);
      ck_assert_msg(ends[0] >= 0 && ends[1] <= 1200, "%.80s: %f to %f", next, ends[0], ends[1]);
    }
  }
  ck_assert_uint_ge(n, 40);
  free(text);
  timeline_free(timeline);
}

/* A lane of 64 is 18 high, "chip 63" 46 long. */
TEST(names_of_chips_do_not_lie_on_one_another) {
  struct timeline *timeline = timeline_new(64, 650, 5);
  timeline->title = xstrdup("x");
  timeline->subtitle = xstrdup("y");
  for (unsigned i = 0; i < 64; i++) {
    timeline->lanes[i].chip = i < 4 ? 0 : i;
  }
  char *text = picture_of(timeline, NULL);
  ck_assert_uint_eq(count(text, "rotate(-90)\">chip "), 1);
  ck_assert_uint_eq(count(text, "<title>chip "), 60);
  ck_assert_ptr_nonnull(strstr(text, ">63<title>chip 63</title>"));
  free(text);
  timeline_free(timeline);
}

/* --- colours and letters --- */

/* The sheets that have colours of bars. */
static const char *const sheets[] = {sheet_lanes_css, sheet_calls_css};

/* Return the digits of the colour NAME in the style sheet, on DARK or light screens. */
static const char *digits_of(const char *name, bool dark) {
  char *variable = xasprintf("--%s:#", name);
  const char *found = NULL;
  for (size_t i = 0; !found && i < sizeof sheets / sizeof *sheets; i++) {
    found = strstr(dark ? strstr(sheets[i], "dark") : sheets[i], variable);
  }
  ck_assert_msg(found != NULL, "%s", variable);
  found += strlen(variable);
  free(variable);
  return found;
}

/* Return the relative luminance of the colour NAME.
 * source: WCAG 2.2. */
static double luminance(const char *name, bool dark) {
  static const double weights[] = {0.0722, 0.7152, 0.2126}; /* blue, green, red */
  unsigned long value = strtoul(digits_of(name, dark), NULL, 16);
  double sum = 0;
  for (unsigned i = 0; i < 3; i++, value >>= 8) {
    double part = (double)(value & 0xff) / 255;
    sum += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

/* Return the lightness of INK, from 0 to 100.
 * source: CIE 1976 L*. */
static double lightness(enum timeline_ink ink, bool dark) {
  double y = luminance(timeline_class(ink), dark);
  return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

TEST(colours_differ_in_grey) {
  static const enum timeline_ink side_by_side[][2] = {
    {TIMELINE_SOFTWARE, TIMELINE_COMBINES}, {TIMELINE_SOFTWARE, TIMELINE_OWN_DMA},
    {TIMELINE_COMBINES, TIMELINE_OWN_DMA},  {TIMELINE_DATA, TIMELINE_ACROSS},
    {TIMELINE_DATA, TIMELINE_SHARED},       {TIMELINE_ACROSS, TIMELINE_SHARED}};
  ck_assert_double_eq_tol(luminance("back", false), 1, 1e-9);
  for (size_t i = 0; i < sizeof side_by_side / sizeof *side_by_side; i++) {
    enum timeline_ink a = side_by_side[i][0], b = side_by_side[i][1];
    for (int dark = 0; dark < 2; dark++) {
      ck_assert_msg(fabs(lightness(a, dark) - lightness(b, dark)) >= (dark ? 4 : 8), "%s and %s",
                    timeline_class(a), timeline_class(b));
    }
  }
}

/* The minimum of WCAG 2.2 (level AA) is 4.5. A reader without variables sees the light colours. */
TEST(text_on_bars_can_be_read) {
  for (enum timeline_ink ink = 0; ink < TIMELINE_INKS; ink++) {
    const char *class = timeline_class(ink);
    char *on = xasprintf("on-%s", class), *rule = xasprintf(".%s{fill:#", class);
    for (int dark = 0; dark < 2; dark++) {
      double one = luminance(class, dark) + 0.05, two = luminance(on, dark) + 0.05;
      ck_assert_msg(fmax(one, two) / fmin(one, two) >= 4.5, "%s", class);
    }
    const char *plain = NULL;
    for (size_t i = 0; !plain && i < sizeof sheets / sizeof *sheets; i++) {
      plain = strstr(sheets[i], rule);
    }
    ck_assert_msg(plain && strncmp(plain + strlen(rule), digits_of(class, false), 6) == 0, "%s", class);
    free(on);
    free(rule);
  }
}

TEST(no_letter_is_too_small) {
  unsigned n = 0;
  for (const char *next = sheet_lanes_css; (next = strstr(next, "font-size:")); n++) {
    next += strlen("font-size:");
    ck_assert_msg(strtod(next, NULL) >= 10, "%.8s", next);
  }
  ck_assert_uint_ge(n, 5);
}
