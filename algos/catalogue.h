/* SPDX-License-Identifier: BSD-3-Clause
 * The list of all algorithms, and their names on the command line. */
#pragma once

#include "algos/coll.h"

enum { CATALOGUE_ADDED_MAX = 64 };

extern const struct algo *const *const catalogue;
extern size_t catalogue_size;

/* Add ALGO, which must live as long as the program.
 * errors: it is not complete; its name is taken; there are CATALOGUE_ADDED_MAX already. */
int catalogue_add(const struct algo *algo, struct err *err);

/* Return the call of ALGO with all parameters at their defaults. */
struct algo_call catalogue_call(const struct algo *algo);

/* Find the algorithm that NAME, `collective:algorithm[:parameter=value]...`, means.
 * errors: no such collective, algorithm, parameter or value; the nearest is suggested. */
int catalogue_find(const char *name, struct algo_call *call, struct err *err);

/* Format the name of CALL, with the parameters that differ from their defaults, into TEXT. */
void catalogue_format(const struct algo_call *call, char *text, size_t size);

/* Return the code base (profile name) of CALL. */
const char *catalogue_source(const struct algo_call *call);
