# SPDX-License-Identifier: BSD-3-Clause
# What an SPE program may call.
cellcoll_sources += \
	sim/spu/spu.c \
	sim/spu/spu.h \
	sim/spu/spu_mfcio.c \
	sim/spu/spu_mfcio.h \
	sim/spu/spu_time.c \
	sim/spu/spu_time.h
