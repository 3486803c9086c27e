# SPDX-License-Identifier: BSD-3-Clause
# The network between nodes.
cellcoll_sources += \
	sim/net/fabric.c \
	sim/net/fabric.h \
	sim/net/lossless.c \
	sim/net/net.c \
	sim/net/net.h \
	sim/net/net_state.h \
	sim/net/signature.c \
	sim/net/tcp.c \
	sim/net/wormhole.c
