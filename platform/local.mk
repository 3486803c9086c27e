# SPDX-License-Identifier: BSD-3-Clause
# The machine as data, its reader, and the machines there are.
cellcoll_sources += \
	platform/combine.def \
	platform/parameters.c \
	platform/parameters.h \
	platform/platform.c \
	platform/platform.def \
	platform/platform.h \
	platform/platform_check.c \
	platform/platform_names.c \
	platform/platform_names.h \
	platform/platform_read.c \
	platform/platform_set.c \
	platform/platform_slot.c \
	platform/platform_slot.h \
	platform/topology.c \
	platform/topology.h

built_in_platforms = \
	platform/cell.xml \
	platform/octo-star.xml \
	platform/ps3.xml \
	platform/qs20.xml \
	platform/qs22.xml \
	platform/quad-mesh.xml \
	platform/quad-ring.xml
platform_files += $(built_in_platforms) platform/platform.rng
EXTRA_DIST += platform/embed.sh platform/schema.sh

# The built-in machines as a C file, in the build folder.
BUILT_SOURCES += platform/machines.c
CLEANFILES += platform/machines.c
platform/machines.c: platform/embed.sh $(built_in_platforms)
	$(AM_V_GEN)$(MKDIR_P) platform && files= && \
	for file in $(built_in_platforms); do files="$$files $(srcdir)/$$file"; done && \
	$(SHELL) $(srcdir)/platform/embed.sh $$files > $@.tmp && mv $@.tmp $@
