/* SPDX-License-Identifier: BSD-3-Clause
 * A platform's values written and read again. */
#pragma once

struct platform;

/* Check that PLATFORM, set to its own values as they are shown, is the same machine. */
void same_platform(const struct platform *platform);
