/* SPDX-License-Identifier: BSD-3-Clause
 * The static variables of plugins: each program of the simulated machine has an image of its own, as each SPE
 * has on a Cell. Outside of programs the variables have the values at load, in each run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes of all static variables together; 0: programs need no images. */
extern size_t image_bytes __attribute__((visibility("hidden")));

/* Take the N bytes at PLACE, with their present values, for static variables; no run may be under way. Bytes
 * that are known already stay as they are. */
void image_add(void *place, size_t n);

/* Fill IMAGE, NULL at first, with the values at load; image_bytes is not 0.
 * returns: the image, perhaps elsewhere.
 * owner: the caller, with free. */
uint8_t *image_renew(uint8_t *image);

/* Let the variables have the values of IMAGE, whose program runs next; NULL: the values at load. The values
 * of the program that ran last go to that program's image. */
void image_enter(uint8_t *image);
