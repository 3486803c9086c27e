/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms from shared objects, see algos/plugin.h. */
#pragma once

struct err;

/* Add the algorithms of the plugin in file PATH to the catalogue, for the rest of the program's life.
 * errors: no shared object, or one that needs functions which are not there; no plugin; one for another
 *   version of the interface; an entry that is not complete or whose name is taken. */
int plugin_load(const char *path, struct err *err);
