/* SPDX-License-Identifier: BSD-3-Clause
 * A picture as a file: SVG, or PNG or PDF made of SVG by rsvg-convert; the ending of the name decides. */
#pragma once

#include <stdio.h>

struct err;

/* The drawing function. */
struct picture {
  void (*draw)(const void *context, FILE *stream); /* writes a whole SVG file, or text */
  const void *context;
  const char *origin; /* lines about the origin; NULL: none */
};

/* Find out whether a picture can be written to PATH: .svg always; .png and .pdf need rsvg-convert and a font.
 * errors: a program or a font is missing. */
int picture_check(const char *path, struct err *err);

/* Write PICTURE to PATH, or to standard output if PATH is NULL: SVG with the origin in an element `metadata`,
 * drawn by no viewer, any other format with the origin in a file PATH.txt beside.
 * errors: as picture_check and outfile_open; rsvg-convert ends with an error. Nothing is left behind then. */
int picture_write(const struct picture *picture, const char *path, struct err *err);
