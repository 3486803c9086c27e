# SPDX-License-Identifier: BSD-3-Clause
# Ink: SVG, HTML, plots; drawings of platforms.
cellcoll_sources += \
	draw/draw_layout.c \
	draw/draw_layout.h \
	draw/draw_legend.c \
	draw/draw_legend.h \
	draw/draw_links.c \
	draw/draw_links.h \
	draw/draw_svg.c \
	draw/draw_svg.h \
	draw/draw_text.c \
	draw/draw_text.h \
	draw/font.c \
	draw/font.h \
	draw/gnuplot.c \
	draw/gnuplot.h \
	draw/html.c \
	draw/html.h \
	draw/plot_frame.c \
	draw/plot_frame.h
