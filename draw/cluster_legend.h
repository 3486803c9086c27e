/* SPDX-License-Identifier: BSD-3-Clause
 * What the drawing of a platform of several nodes says in words; used inside this folder only. */
#pragma once

struct platform;
struct platform_layout;

/* Return the name of PLATFORM, what it is and its overrides in lines that fit into WIDTH.
 * owner: the caller, with platform_layout_free. */
struct platform_layout *cluster_legend_title(const struct platform *platform, double width);

/* Return the key figures of its network and of its hosts likewise. */
struct platform_layout *cluster_legend_figures(const struct platform *platform, double width);
