/* SPDX-License-Identifier: BSD-3-Clause
 * See plot_frame.h. */
#include "draw/plot_frame.h"

#include "draw/font.h"

#include <ctype.h>
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* In units of the picture: size of the letters of a key, room for a row, room before a text, and BESIDE.
 * gnuplot puts the key below the middle of the axes and leaves BESIDE more room on the left of the key than
 * on the right. */
enum { KEY_FONT = 14, KEY_ROW = 21, KEY_SAMPLE = 56, BESIDE = 85 };

/* gnuplot's width of any letter, as a part of the size of the font of the axes. */
static const double letter = 0.6;

const struct plot_look *plot_look(size_t index) {
  static const struct plot_look looks[] = {
    {"#0072B2", 7}, {"#D55E00", 5}, {"#009E73", 9}, {"#CC79A7", 11}, {"#555555", 13}, {"#E69F00", 15},
    {"#56B4E9", 6}, {"#0072B2", 4}, {"#D55E00", 8}, {"#009E73", 10}, {"#CC79A7", 12}, {"#555555", 14},
  };
  return &looks[index % (sizeof looks / sizeof *looks)];
}

void plot_plain_name(char *name) {
  for (; *name; name++) {
    *name = isalnum((unsigned char)*name) ? *name : '_';
  }
}

void plot_frame_key(struct plot_frame *frame, const char *text) {
  size_t letters = strlen(text);
  frame->nkeys++;
  frame->letters = letters > frame->letters ? letters : frame->letters;
  frame->widest = fmax(frame->widest, font_width(text, letters, KEY_FONT, false));
}

void plot_frame(FILE *script, const struct plot_frame *frame) {
  int font = frame->width == PLOT_WIDE ? 16 : 14;
  bool two = 2 * (frame->widest + KEY_SAMPLE) <= frame->width - BESIDE;
  unsigned rows = two ? (frame->nkeys + 1) / 2 : frame->nkeys;
  fprintf(
    script,
    "set terminal svg size %d,%u dynamic noenhanced font 'sans-serif,%d' background '#ffffff' name '%s'\n"
    "set encoding utf8\n"
    "set border 3 lc rgb '#555555'\nset tics nomirror out scale 0.6\nset grid lc rgb '#dddddd' lw 1\n"
    "set key below horizontal Left reverse samplen 2 width %.2f font ',%d' maxcols %d\nset ylabel '%s'\n",
    frame->width, frame->width * 3 / 4 + rows * KEY_ROW, font, frame->name,
    frame->widest / (letter * font) - (double)frame->letters, KEY_FONT, two ? 2 : 1, frame->y);
}

void plot_rank_axis(FILE *script, double low, double high) {
  enum { ONE_BLADE = 16, LABELS = 8 }; /* all pictures of one blade have the same axis */
  double step = 2, room = 0.5;
  low = high <= ONE_BLADE ? 2 : low;
  high = fmax(high, ONE_BLADE);
  while ((high - low) / step > LABELS) {
    step *= 2;
    room *= 2;
  }
  fprintf(script, "set xrange [%g:%g]\nset xtics %g,%g\nset mxtics 2\n", low - room, high + room,
          ceil(low / step) * step, step);
}

void plot_size_axis(FILE *script, double low, double high) {
  fprintf(script, "set logscale x 2\nset xrange [%.3f:%.3f]\n", low / 1.4, high * 1.4);
  static const struct {
    const char *label;
    unsigned bytes;
  } marks[] = {{"16 B", 16},      {"64 B", 64},      {"256 B", 256},      {"1 KiB", 1024},   {"4 KiB", 4096},
               {"16 KiB", 16384}, {"64 KiB", 65536}, {"256 KiB", 262144}, {"1 MiB", 1048576}};
  size_t first = low < 64 ? 0 : 1, step = high / low > 1024 ? 2 : 1; /* room for labels */
  fputs("set xtics (", script);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    bool labelled = i >= first && (i - first) % step == 0;
    fprintf(script, "'%s' %u, '' %u, ", labelled ? marks[i].label : "", marks[i].bytes, 2 * marks[i].bytes);
  }
  fputs("'' 4194304)\n", script);
}

void plot_logarithmic_axis(FILE *script, double low, double high) {
  assert(low > 0);
  const char *comma = "";
  bool many = high / low > 2000; /* decades: only powers of ten are labelled */
  fprintf(script, "set logscale y\nset yrange [%.5g:%.5g]\nset ytics (", low, high);
  for (double power = pow(10, floor(log10(low))); power <= high; power *= 10) {
    fprintf(script, "%s%.4g", comma, power);
    if (!many) {
      fprintf(script, ", %.4g, %.4g", 2 * power, 5 * power);
    }
    comma = ", ";
  }
  fputs(")\n", script);
}
