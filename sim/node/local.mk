# SPDX-License-Identifier: BSD-3-Clause
# Machines of several nodes.
cellcoll_sources += \
	sim/node/blades.c \
	sim/node/host_api.h \
	sim/node/hosts.c \
	sim/node/machine.c \
	sim/node/machine.h \
	sim/node/machine_state.h \
	sim/node/message.h \
	sim/node/programs.c \
	sim/node/programs.h
