/* SPDX-License-Identifier: BSD-3-Clause
 * What tests of networks begin with. */
#pragma once

#include "platform/platform.h"
#include "sim/net/net.h"

/* Read platform NAME with the N SETTINGS; the test fails where that cannot be.
 * owner: the caller, with platform_free. */
struct platform *net_bed_platform(const char *name, const struct platform_setting *settings, size_t n);

/* Make the network of PLATFORM from SEED; the test fails where that cannot be.
 * owner: the caller, with net_free. */
struct net *net_bed_net(const struct platform *platform, uint64_t seed);
