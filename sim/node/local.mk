# SPDX-License-Identifier: BSD-3-Clause
# Machines of several nodes.
cellcoll_sources += \
	sim/node/cluster.c \
	sim/node/cluster.h \
	sim/node/message.h
