# SPDX-License-Identifier: BSD-3-Clause
# Machines of several nodes.
cellcoll_sources += \
	sim/node/blades.c \
	sim/node/hosts.c \
	sim/node/hosts_state.h \
	sim/node/machine.c \
	sim/node/machine.h \
	sim/node/machine_state.h \
	sim/node/message.h \
	sim/node/process.c \
	sim/node/process.h \
	sim/node/process_watch.c \
	sim/node/programs.c \
	sim/node/programs.h \
	sim/node/triblade.c
