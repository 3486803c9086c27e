/* SPDX-License-Identifier: BSD-3-Clause
 * The list of all algorithms, and their names on the command line. */
#pragma once

#include "algos/coll.h"

extern const struct algo *const catalogue[];
extern const size_t catalogue_size;

/* Find the algorithm that NAME, `collective:algorithm[:parameter=value]...`, means.
 * errors: no such collective, algorithm, parameter or value; the nearest is suggested. */
int catalogue_find(const char *name, struct algo_call *call, struct err *err);

/* Format the name of CALL, with the parameters that differ from their defaults, into TEXT. */
void catalogue_format(const struct algo_call *call, char *text, size_t size);

/* Return the code base (profile name) of CALL. */
const char *catalogue_source(const struct algo_call *call);

/* Return the name of need NEED (one bit) as listed. */
const char *catalogue_need_name(enum coll_need need);
