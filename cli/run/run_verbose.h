/* SPDX-License-Identifier: BSD-3-Clause
 * What happens, line by line, on one blade or on all nodes of a call and between them: run -v. */
#pragma once

#include "validate/lab/rig.h"

/* Let SPEC tell on standard error what happens when it is run.
 * owner: the caller, with run_verbose_end. */
struct run_verbose *run_verbose_begin(struct rig_spec *spec);

/* Write what is left and release VERBOSE. */
void run_verbose_end(struct run_verbose *verbose);
