# SPDX-License-Identifier: BSD-3-Clause
# Pages to read as they are, or as a site: `make site` makes it in the folder site/ of the build, with pandoc.
pagesdir = $(docdir)/docs
dist_pages_DATA = \
	docs/adding.md \
	docs/commands.md \
	docs/decisions.md \
	docs/faq.md \
	docs/glossary.md \
	docs/machines.md \
	docs/performance.md \
	docs/reading-a-timeline.md \
	docs/sources.md \
	docs/tests.md \
	docs/found.md \
	docs/found.svg \
	docs/found-view.svg \
	docs/timeline-alltoall-16.svg \
	docs/timeline-bcast-16.svg \
	docs/timeline-bcast-8.svg \
	docs/timeline-blades-64.svg \
	docs/timeline-two-codes.svg \
	docs/trust-networks.md \
	docs/trust.md \
	docs/tutorial.md \
	docs/upgrading.md \
	docs/view.svg
decisionsdir = $(pagesdir)/decisions
dist_decisions_DATA = \
	docs/decisions/algorithms.md \
	docs/decisions/machine.md \
	docs/decisions/models.md \
	docs/decisions/networks.md \
	docs/decisions/program.md
howtodir = $(pagesdir)/how-to
dist_howto_DATA = \
	docs/how-to/architect.md \
	docs/how-to/choose.md \
	docs/how-to/explain-a-call.md \
	docs/how-to/measure.md \
	docs/how-to/orders.md \
	docs/how-to/own-algorithm.md \
	docs/how-to/programs.md \
	docs/how-to/schedules.md \
	docs/how-to/search.md \
	docs/how-to/text-algorithms.md \
	docs/how-to/port-spe-code.md \
	docs/how-to/python.md \
	docs/how-to/sweeps.md
EXTRA_DIST += docs/site/gallery.sh docs/site/links.lua docs/site/pages.txt docs/site/search.js docs/site/site.sh docs/site/style.css docs/site/template.html

site: $(dist_man_MANS) $(nodist_man_MANS) cellcoll
	$(SHELL) $(srcdir)/docs/site/site.sh $(srcdir) . '$(PACKAGE_VERSION)' site
.PHONY: site
clean-local:
	rm -rf site
