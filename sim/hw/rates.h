/* SPDX-License-Identifier: BSD-3-Clause
 * The bus of rates: approximate. A transfer goes in a few pieces through servers with a rate, where the exact
 * bus moves bus requests over rings. */
#pragma once

struct bus;
struct board;

/* Make the idle bus of rates of BOARD, after the MFCs, the memories and the BIF.
 * owner: the caller, with `free`. */
struct bus *rates_new(struct board *board);
