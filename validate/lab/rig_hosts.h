/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of algorithms on hosts without SPEs: a rank is a process. The machine is named by a blade of its
 * platform, which runs nothing. */
#pragma once

#include "validate/lab/rig.h"

#include <stdbool.h>

struct hosts;

/* Tell whether the ranks of BLADE's platform are processes on hosts. */
bool rig_is_on_hosts(const struct blade *blade);

/* Return how many there can be. */
unsigned rig_hosts_most(const struct blade *blade);

/* Return the process of RANK in the call of SPEC. */
unsigned rig_hosts_process(const struct blade *blade, const struct rig_spec *spec, unsigned rank);

/* Build the hosts of BLADE's platform for the call of SPEC.
 * errors: as hosts_new.
 * owner: the caller, with hosts_free. */
struct hosts *rig_hosts_machine(const struct blade *blade, const struct rig_spec *spec, struct err *err);

/* Check that the hosts of BLADE's platform can serve the call of SPEC at all.
 * errors: more ranks than processes, or none; a placement that the hosts do not have; needs of the algorithm
 *   that are not met; more bytes of buffers than are moved; as hosts_new. */
int rig_hosts_check(const struct blade *blade, const struct rig_spec *spec, struct err *err);

/* Reset HOSTS and make RIG the call of SPEC on them.
 * owner: the caller, with rig_fini. */
void rig_hosts_init(struct rig *rig, struct blade *blade, struct hosts *hosts, const struct rig_spec *spec);

/* Let all ranks of RIG make the calls of the algorithm, and run them.
 * owner: the caller, with blade_result_fini. */
struct blade_result rig_hosts_run(struct rig *rig);

/* Return how many hosts have ranks of RIG. */
unsigned rig_hosts_count(const struct rig *rig);
