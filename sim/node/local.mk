# SPDX-License-Identifier: BSD-3-Clause
# Machines of several nodes.
cellcoll_sources += \
	sim/node/cluster.c \
	sim/node/cluster.h \
	sim/node/cluster_state.h \
	sim/node/hosts.c \
	sim/node/hosts.h \
	sim/node/hosts_state.h \
	sim/node/message.h \
	sim/node/process.c \
	sim/node/process.h \
	sim/node/process_watch.c \
	sim/node/triblade.c
