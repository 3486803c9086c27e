/* SPDX-License-Identifier: BSD-3-Clause
 * Drawings of platforms of several nodes: nodes, NICs, the switches of each rail, level by level, and one
 * node in detail. */
#pragma once

#include <stdio.h>

struct platform;

/* Write a drawing of PLATFORM, a platform of nodes, as SVG to STREAM; the owner of STREAM looks for its
 * errors. Of many nodes or switches the first ones are drawn, and all are counted. */
void cluster_drawing_write(const struct platform *platform, FILE *stream);
