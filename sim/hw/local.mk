# SPDX-License-Identifier: BSD-3-Clause
# The hardware units.
cellcoll_sources += \
	sim/hw/arbiter.h \
	sim/hw/atomic.c \
	sim/hw/atomic.h \
	sim/hw/bif.c \
	sim/hw/bif.h \
	sim/hw/blade.c \
	sim/hw/blade.h \
	sim/hw/bus_request.c \
	sim/hw/bus_request.h \
	sim/hw/bus_transfer.c \
	sim/hw/bus_transfer.h \
	sim/hw/command_bus.c \
	sim/hw/command_bus.h \
	sim/hw/dma.c \
	sim/hw/dma.h \
	sim/hw/dma_check.c \
	sim/hw/dma_check.h \
	sim/hw/dma_issue.h \
	sim/hw/dma_list.h \
	sim/hw/ea.h \
	sim/hw/eib.c \
	sim/hw/eib.h \
	sim/hw/fault.c \
	sim/hw/fault.h \
	sim/hw/mailbox.c \
	sim/hw/mailbox.h \
	sim/hw/memory.c \
	sim/hw/memory.h \
	sim/hw/parameters.c \
	sim/hw/parameters.h \
	sim/hw/ppe.c \
	sim/hw/ppe.h \
	sim/hw/probe.h \
	sim/hw/rate_server.h \
	sim/hw/reservation.c \
	sim/hw/reservation.h \
	sim/hw/ring.c \
	sim/hw/ring.h \
	sim/hw/route.c \
	sim/hw/route.h \
	sim/hw/snr.c \
	sim/hw/snr.h \
	sim/hw/spe.c \
	sim/hw/spe.h
