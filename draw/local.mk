# SPDX-License-Identifier: BSD-3-Clause
# Ink: SVG, HTML, plots; drawings of platforms.
cellcoll_sources += \
	draw/chart.c \
	draw/chart.h \
	draw/chart_svg.c \
	draw/picture.c \
	draw/picture.h \
	draw/cluster_drawing.c \
	draw/cluster_drawing.h \
	draw/cluster_legend.c \
	draw/cluster_legend.h \
	draw/font.c \
	draw/font.h \
	draw/html.c \
	draw/html.h \
	draw/timeline.c \
	draw/timeline.h \
	draw/timeline_bars.c \
	draw/timeline_below.c \
	draw/timeline_fold.c \
	draw/timeline_page.c \
	draw/timeline_page.h \
	draw/timeline_paths.c \
	draw/timeline_programs.c \
	draw/timeline_style.c \
	draw/timeline_style.h \
	draw/timeline_svg.c \
	draw/timeline_svg.h \
	draw/timeline_text.c \
	draw/timeline_text.h \
	draw/timeline_words.c \
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
	draw/sheets.h \
	draw/svg_box.c \
	draw/svg_box.h \
	draw/text_lines.c \
	draw/text_lines.h \
	draw/view/view.c \
	draw/view/view.h \
	draw/view/view_page.c \
	draw/view/view_private.h \
	draw/view/view_still.c

# Style sheets, scripts and controls as a C file, in the build folder.
sheets = draw/chart.css draw/page.css draw/page.js draw/view/view.css draw/view/view.html draw/view/view.js
BUILT_SOURCES += draw/sheets.c
CLEANFILES += draw/sheets.c draw/view/still.css
EXTRA_DIST += draw/embed.sh draw/view/still.sh $(sheets)
draw/sheets.c: draw/embed.sh draw/view/still.sh $(sheets)
	$(AM_V_GEN)$(MKDIR_P) draw/view && files= && for file in $(sheets); do files="$$files $(srcdir)/$$file"; done && \
	$(SHELL) $(srcdir)/draw/view/still.sh $(srcdir)/draw/view/view.css > draw/view/still.css && \
	$(SHELL) $(srcdir)/draw/embed.sh $$files draw/view/still.css > $@.tmp && mv $@.tmp $@
