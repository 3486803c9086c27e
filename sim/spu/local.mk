# SPDX-License-Identifier: BSD-3-Clause
# What an SPE program may call.
cellcoll_sources += \
	sim/spu/ppe_api.c \
	sim/spu/ppe_api.h \
	sim/spu/spu.h \
	sim/spu/spu_channel.def \
	sim/spu/spu_intrinsics.h \
	sim/spu/spu_mfcio.c \
	sim/spu/spu_mfcio.h \
	sim/spu/spu_time.c \
	sim/spu/spu_time.h \
	sim/spu/waits.c \
	sim/spu/waits.def
