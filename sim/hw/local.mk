# SPDX-License-Identifier: BSD-3-Clause
# The hardware, from the bottom: what observers see; what all units share; what all buses share; SPEs with their MFCs; the exact bus, a
# bus request stage by stage; the bus of rates. The blade is the front door.
cellcoll_sources += \
	sim/hw/watch/compute_reason.def \
	sim/hw/watch/compute_reason.h \
	sim/hw/watch/probe.c \
	sim/hw/watch/probe.def \
	sim/hw/watch/probe.h \
	sim/hw/watch/probe_subject.def \
	sim/hw/board/board.c \
	sim/hw/board/board.h \
	sim/hw/board/bus_end.h \
	sim/hw/board/bus_traffic.h \
	sim/hw/board/chip_ways.c \
	sim/hw/board/chip_ways.h \
	sim/hw/board/ea.h \
	sim/hw/board/memory.c \
	sim/hw/board/memory.h \
	sim/hw/board/ppe.c \
	sim/hw/board/ppe.h \
	sim/hw/board/program.c \
	sim/hw/board/program.h \
	sim/hw/board/program_head.h \
	sim/hw/bus/arbiter.h \
	sim/hw/bus/blade_plan.c \
	sim/hw/bus/blade_plan.h \
	sim/hw/bus/bus.c \
	sim/hw/bus/bus.h \
	sim/hw/bus/credits.h \
	sim/hw/bus/ring.c \
	sim/hw/bus/ring.h \
	sim/hw/bus/route.c \
	sim/hw/bus/route.h \
	sim/hw/spe/atomic.c \
	sim/hw/spe/atomic.h \
	sim/hw/spe/dma.c \
	sim/hw/spe/dma.h \
	sim/hw/spe/dma_list.h \
	sim/hw/spe/reservation.c \
	sim/hw/spe/reservation.h \
	sim/hw/spe/spe.c \
	sim/hw/spe/spe.h \
	sim/hw/exact/bif.c \
	sim/hw/exact/bif.h \
	sim/hw/exact/bus_request.c \
	sim/hw/exact/bus_request.h \
	sim/hw/exact/command_bus.c \
	sim/hw/exact/command_bus.h \
	sim/hw/exact/eib.c \
	sim/hw/exact/eib.h \
	sim/hw/exact/exact_bus.c \
	sim/hw/exact/exact_bus.h \
	sim/hw/rates/rates.c \
	sim/hw/rates/rates_window.h \
	sim/hw/blade.c \
	sim/hw/blade.h
