# SPDX-License-Identifier: BSD-3-Clause
# What an SPE program may call.
cellcoll_sources += \
	sim/spu/host_api.c \
	sim/spu/host_api.h \
	sim/spu/ppe_api.c \
	sim/spu/ppe_api.h \
	sim/spu/ppe_memory.c \
	sim/spu/ppe_memory.h \
	sim/spu/ppe_net.c \
	sim/spu/ppe_net.h \
	sim/spu/spu.c \
	sim/spu/spu.h \
	sim/spu/spu_atomic.c \
	sim/spu/spu_atomic.h \
	sim/spu/spu_channel.c \
	sim/spu/spu_channel.h \
	sim/spu/spu_event.c \
	sim/spu/spu_event.h \
	sim/spu/spu_flag.h \
	sim/spu/spu_intrinsics.c \
	sim/spu/spu_intrinsics.h \
	sim/spu/spu_list_stall.c \
	sim/spu/spu_list_stall.h \
	sim/spu/spu_mailbox.c \
	sim/spu/spu_mailbox.h \
	sim/spu/spu_mfcio.c \
	sim/spu/spu_mfcio.h \
	sim/spu/spu_tag_status.c \
	sim/spu/spu_tag_status.h \
	sim/spu/spu_tags.c \
	sim/spu/spu_tags.h \
	sim/spu/spu_time.c \
	sim/spu/spu_time.h \
	sim/spu/waits.c \
	sim/spu/waits.def \
	sim/spu/waits.h
