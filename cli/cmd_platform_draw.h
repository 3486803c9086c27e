/* SPDX-License-Identifier: BSD-3-Clause
 * The word draw of the command platform. */
#pragma once

struct err;
struct platform;
struct session;

/* Draw PLATFORM in SVG where SESSION says.
 * returns: an exit code, CLI_DONE if all of it is written. */
int cmd_platform_draw(struct session *session, const struct platform *platform);
