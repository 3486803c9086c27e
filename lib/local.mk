# SPDX-License-Identifier: BSD-3-Clause
# The public library: the archive libcellcoll.a has it and all below it; the shared one is made of the archive.
cellcoll_sources += \
	lib/cellcoll.c \
	lib/cellcoll.h
EXTRA_DIST += lib/exports.sh

# Interface 1 (see HACKING.md before changing that).
libcellcoll_interface = 2:0:1

if SHARED_LIBRARY
lib_LTLIBRARIES = libcellcoll.la
endif
libcellcoll_la_SOURCES =
libcellcoll_la_LDFLAGS = $(AM_LDFLAGS) -version-info $(libcellcoll_interface) -Wl,--whole-archive,libcellcoll.a,--no-whole-archive \
	-Wl,--version-script=lib/exports.map -Wl,--no-undefined -Wl,-Bsymbolic-functions $(late_libs)
EXTRA_libcellcoll_la_DEPENDENCIES = libcellcoll.a lib/exports.map
CLEANFILES += lib/exports.map
lib/exports.map: lib/exports.sh lib/cellcoll.h libcellcoll.a
	$(AM_V_GEN)$(MKDIR_P) lib && NM='$(NM)' $(SHELL) $(srcdir)/lib/exports.sh $(srcdir) libcellcoll.a \
	'$(plugin_headers)' '$(private_headers)' > $@.tmp && mv $@.tmp $@
