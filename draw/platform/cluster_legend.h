/* SPDX-License-Identifier: BSD-3-Clause
 * The texts in the drawing of a platform of several nodes; used inside this folder only. */
#pragma once

struct platform;
struct platform_layout;

/* Return the name of PLATFORM, the description and the overrides in lines of at most WIDTH.
 * owner: the caller, with platform_layout_free. */
struct platform_layout *cluster_legend_title(const struct platform *platform, double width);

/* Return the key figures of the network and of the hosts of PLATFORM, likewise. */
struct platform_layout *cluster_legend_figures(const struct platform *platform, double width);
