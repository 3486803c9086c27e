# SPDX-License-Identifier: BSD-3-Clause
# Ink: SVG, HTML, plots; drawings of platforms.
cellcoll_sources += \
	draw/chart.c \
	draw/chart.h \
	draw/chart_svg.c \
	draw/picture.c \
	draw/picture.h \
	draw/platform/cluster_drawing.c \
	draw/font.c \
	draw/font.h \
	draw/html.c \
	draw/html.h \
	draw/timeline/timeline.c \
	draw/timeline/timeline.h \
	draw/timeline/timeline_page.c \
	draw/timeline/timeline_page.h \
	draw/timeline/timeline_lanes.c \
	draw/timeline/timeline_svg.c \
	draw/timeline/timeline_text.c \
	draw/platform/platform_drawing.c \
	draw/platform/platform_drawing.h \
	draw/platform/platform_layout.c \
	draw/platform/platform_layout.h \
	draw/platform/platform_legend.c \
	draw/sheets.h \
	draw/view/view.c \
	draw/view/view.h

# Style sheets, scripts and controls as a C file, in the build folder.
sheets = draw/chart.css draw/page.css draw/page.js draw/timeline/lanes.css draw/timeline/calls.css draw/view/view.css draw/view/view.html draw/view/view.js
BUILT_SOURCES += draw/sheets.c
CLEANFILES += draw/sheets.c draw/view/still.css
EXTRA_DIST += draw/embed.sh draw/view/still.sh $(sheets)
draw/sheets.c: draw/embed.sh draw/view/still.sh $(sheets)
	$(AM_V_GEN)$(MKDIR_P) draw/view && files= && for file in $(sheets); do files="$$files $(srcdir)/$$file"; done && \
	$(SHELL) $(srcdir)/draw/view/still.sh $(srcdir)/draw/view/view.css > draw/view/still.css && \
	$(SHELL) $(srcdir)/draw/embed.sh $$files draw/view/still.css > $@.tmp && mv $@.tmp $@
