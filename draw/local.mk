# SPDX-License-Identifier: BSD-3-Clause
# Ink: SVG, HTML, plots; drawings of platforms.
cellcoll_sources += \
	draw/font.c \
	draw/font.h \
	draw/gnuplot.c \
	draw/gnuplot.h \
	draw/html.c \
	draw/html.h \
	draw/platform_drawing.c \
	draw/platform_drawing.h \
	draw/platform_layout.c \
	draw/platform_layout.h \
	draw/platform_legend.c \
	draw/platform_legend.h \
	draw/platform_links.c \
	draw/platform_links.h \
	draw/plot_frame.c \
	draw/plot_frame.h \
	draw/text_lines.c \
	draw/text_lines.h
