# SPDX-License-Identifier: BSD-3-Clause
# Errors, memory, units, files, the event core.
cellcoll_sources += \
	sim/base/actor_stack.c \
	sim/base/actor_stack.h \
	sim/base/checksum.c \
	sim/base/checksum.h \
	sim/base/des.c \
	sim/base/des.h \
	sim/base/err.c \
	sim/base/err.h \
	sim/base/jobs.c \
	sim/base/jobs.h \
	sim/base/network_flow.h \
	sim/base/network_process.c \
	sim/base/network_process.h \
	sim/base/network_reader.c \
	sim/base/network_reader.h \
	sim/base/origin.c \
	sim/base/origin.h \
	sim/base/outfile.c \
	sim/base/outfile.h \
	sim/base/pack.c \
	sim/base/pack.h \
	sim/base/pages.c \
	sim/base/pages.h \
	sim/base/pool.c \
	sim/base/pool.h \
	sim/base/random.h \
	sim/base/rate_server.h \
	sim/base/reals.h \
	sim/base/seconds.h \
	sim/base/suggest.c \
	sim/base/suggest.h \
	sim/base/text.c \
	sim/base/text.h \
	sim/base/units.c \
	sim/base/units.h \
	sim/base/wheel.c \
	sim/base/wheel.h \
	sim/base/worker_end.c \
	sim/base/worker_end.h \
	sim/base/xalloc.c \
	sim/base/xalloc.h \
	sim/base/xml_read.c \
	sim/base/xml_read.h \
	sim/base/xml_write.c \
	sim/base/xml_write.h
