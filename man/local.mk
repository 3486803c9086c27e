# SPDX-License-Identifier: BSD-3-Clause
# Manual pages: cellcoll.1 is written by hand, the others are made in the build folder.
dist_man_MANS = man/cellcoll.1
nodist_man_MANS = man/cellcoll-platform.5 $(command_pages)
EXTRA_DIST += man/cellcoll-platform.5.in man/command_page.sh man/platform_page.sh
CLEANFILES += man/cellcoll-platform.5 man/commands.stamp $(command_pages)

# Platform files.
man/cellcoll-platform.5: man/cellcoll-platform.5.in man/platform_page.sh platform/platform.def platform/cluster.def platform/combine.def \
  platform/qs20.xml Makefile
	$(AM_V_GEN)$(MKDIR_P) man && $(SHELL) $(srcdir)/man/platform_page.sh $(srcdir) '$(PACKAGE_VERSION)' '$(platformsdir)' > $@.tmp && \
	mv $@.tmp $@

# A page for each command.
command_pages = \
	man/cellcoll-bench.1 \
	man/cellcoll-check.1 \
	man/cellcoll-findings.1 \
	man/cellcoll-compare.1 \
	man/cellcoll-evidence.1 \
	man/cellcoll-explain.1 \
	man/cellcoll-help.1 \
	man/cellcoll-list.1 \
	man/cellcoll-model.1 \
	man/cellcoll-platform.1 \
	man/cellcoll-published.1 \
	man/cellcoll-report.1 \
	man/cellcoll-run.1 \
	man/cellcoll-search.1 \
	man/cellcoll-store.1 \
	man/cellcoll-tune.1 \
	man/cellcoll-view.1
$(command_pages): man/commands.stamp
man/commands.stamp: man/command_page.sh man/cellcoll.1 cli/completion/lists.sh cli/commands.def cli/options.def cli/examples.def cli/opts.h \
  sim/hw/watch/probe.def validate/lab/call/outcome.def validate/lab/call/call.def Makefile
	$(AM_V_GEN)$(MKDIR_P) man && for page in $(command_pages); do \
	  command=`echo "$$page" | sed 's|man/cellcoll-||; s|[.]1$$||'`; \
	  $(SHELL) $(srcdir)/man/command_page.sh $(srcdir) '$(PACKAGE_VERSION)' "$$command" > "$$page" || exit 1; \
	done && touch $@
