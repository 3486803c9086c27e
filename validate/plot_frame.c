/* SPDX-License-Identifier: BSD-3-Clause
 * See plot_frame.h. */
#include "validate/plot_frame.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>

const struct plot_look *
plot_look(size_t index)
{
  static const struct plot_look looks[] = {
    {"#0072B2", 7}, {"#D55E00", 5}, {"#009E73", 9}, {"#CC79A7", 11}, {"#555555", 13}, {"#E69F00", 15},
    {"#56B4E9", 6}, {"#0072B2", 4}, {"#D55E00", 8}, {"#009E73", 10}, {"#CC79A7", 12}, {"#555555", 14},
  };
  return &looks[index % (sizeof looks / sizeof *looks)];
}

void
plot_plain_name(char *name)
{
  for (; *name; name++) {
    *name = isalnum((unsigned char)*name) ? *name : '_';
  }
}

void
plot_frame(FILE *script, const char *name, const char *y, enum plot_width width)
{
  fprintf(
    script,
    "set terminal svg size %d,500 dynamic noenhanced font 'sans-serif,16' background '#ffffff' name '%s'\n"
    "set encoding utf8\n"
    "set border 3 lc rgb '#555555'\nset tics nomirror out scale 0.6\nset grid lc rgb '#dddddd' lw 1\n"
    "set key below horizontal Left reverse samplen %s maxcols 2\nset ylabel '%s'\n",
    width, name, width == PLOT_WIDE ? "2.5 width -2 font ',14'" : "1 width -3 font ',12'", y);
}

void
plot_rank_axis(FILE *script)
{
  fputs("set xrange [1.5:16.5]\nset xtics 2,1\n", script);
}

void
plot_size_axis(FILE *script, double low, double high)
{
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

void
plot_logarithmic_axis(FILE *script, double low, double high)
{
  const char *comma = "";
  bool many = high / low > 2000; /* decades: only powers of ten are labelled */
  fprintf(script, "set logscale y\nset yrange [%.3f:%.3f]\nset ytics (", low, high);
  for (double power = pow(10, floor(log10(low))); power <= high; power *= 10) {
    fprintf(script, "%s%.3f", comma, power);
    if (!many) {
      fprintf(script, ", %.3f, %.3f", 2 * power, 5 * power);
    }
    comma = ", ";
  }
  fputs(")\n", script);
}
