# SPDX-License-Identifier: BSD-3-Clause
# The machine as data, its reader, and the machines there are.
cellcoll_sources += \
	platform/cluster.def \
	platform/combine.def \
	platform/network_hosts.c \
	platform/network_shape.c \
	platform/network_shape.h \
	platform/parameters.c \
	platform/parameters.h \
	platform/platform.c \
	platform/platform.def \
	platform/platform.h \
	platform/platform_check.c \
	platform/platform_read.c \
	platform/platform_slot.c \
	platform/platform_slot.h \
	platform/topology.c

built_in_platforms = \
	platform/blades.xml \
	platform/cell.xml \
	platform/chips-4x4.xml \
	platform/gdx.xml \
	platform/grid.xml \
	platform/icluster2-fe.xml \
	platform/icluster2-myrinet.xml \
	platform/octo-star.xml \
	platform/ps3.xml \
	platform/qs20-chip-limit.xml \
	platform/qs20-ring-bound.xml \
	platform/qs20.xml \
	platform/qs22.xml \
	platform/qsnet2.xml \
	platform/quad-mesh.xml \
	platform/quad-ring.xml \
	platform/roadrunner.xml
built_in_networks = platform/networks/five-switches.xml platform/networks/two-clusters.xml
platform_files += $(built_in_platforms) platform/platform.rng
EXTRA_DIST += platform/embed.sh platform/schema.sh $(built_in_networks)

# The built-in machines as a C file, in the build folder.
BUILT_SOURCES += platform/machines.c
CLEANFILES += platform/machines.c
platform/machines.c: platform/embed.sh $(built_in_platforms) $(built_in_networks)
	$(AM_V_GEN)$(MKDIR_P) platform && files= && \
	for file in $(built_in_platforms) $(built_in_networks); do files="$$files $(srcdir)/$$file"; done && \
	$(SHELL) $(srcdir)/platform/embed.sh $$files > $@.tmp && mv $@.tmp $@
