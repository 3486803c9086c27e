/* SPDX-License-Identifier: BSD-3-Clause
 * The simulated blade as the machine under the vocabulary: sim/spu. */
#pragma once

struct step_port;

extern const struct step_port spu_port;
