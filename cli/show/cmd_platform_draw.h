/* SPDX-License-Identifier: BSD-3-Clause
 * The word draw of the command platform. */
#pragma once

struct err;
struct opts;
struct platform;

/* Draw PLATFORM in SVG where OPTS says.
 * returns: an exit code, CLI_DONE if all of it is written. */
int cmd_platform_draw(const struct platform *platform, const struct opts *opts, struct err *err);
