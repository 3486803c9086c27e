# SPDX-License-Identifier: BSD-3-Clause
# Ink: SVG, HTML, plots; drawings of platforms.
cellcoll_sources += \
	draw/chart.c \
	draw/chart.h \
	draw/cluster_drawing.c \
	draw/cluster_drawing.h \
	draw/font.c \
	draw/font.h \
	draw/gnuplot.c \
	draw/gnuplot.h \
	draw/html.c \
	draw/html.h \
	draw/lanes.c \
	draw/lanes.h \
	draw/lanes_bars.c \
	draw/lanes_below.c \
	draw/lanes_fold.c \
	draw/lanes_page.c \
	draw/lanes_page.h \
	draw/lanes_paths.c \
	draw/lanes_programs.c \
	draw/lanes_style.c \
	draw/lanes_style.h \
	draw/lanes_svg.c \
	draw/lanes_svg.h \
	draw/lanes_text.c \
	draw/lanes_text.h \
	draw/lanes_words.c \
	draw/node_drawing.c \
	draw/node_drawing.h \
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
	draw/svg_box.c \
	draw/svg_box.h \
	draw/text_lines.c \
	draw/text_lines.h
