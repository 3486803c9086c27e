# SPDX-License-Identifier: BSD-3-Clause
# Collective algorithms.
cellcoll_sources += \
	algos/barrier/barrier_bruck.c \
	algos/barrier/barrier_gather_broadcast.c \
	algos/barrier/barrier_one_to_all.c \
	algos/barrier/barrier_recursive_doubling.c \
	algos/bcast/bcast_binomial_opt.c \
	algos/bcast/bcast_binomial_simple.c \
	algos/bcast/bcast_hybrid_segmented_binomial.c \
	algos/bcast/bcast_one_to_all.c \
	algos/bcast/bcast_segmented_binomial.c \
	algos/catalogue.c \
	algos/catalogue.def \
	algos/catalogue.h \
	algos/coll.c \
	algos/coll.h \
	algos/combine.c \
	algos/combine.h \
	algos/cost.h \
	algos/dary.h \
	algos/down.c \
	algos/down.h \
	algos/layout.c \
	algos/layout.h \
	algos/needs.c \
	algos/needs.h \
	algos/oracle.c \
	algos/oracle.h \
	algos/plugin.h \
	algos/ranks.h \
	algos/stage.c \
	algos/stage.h \
	algos/step.c \
	algos/step.h \
	algos/step_costs.h \
	algos/synchronize.c \
	algos/synchronize.h \
	algos/team.h \
	algos/tree.h
