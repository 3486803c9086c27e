/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms from shared objects, see algos/plugin.h. */
#pragma once

struct err;

/* Add the algorithms of the plugin in file PATH to the catalogue, until the end of the process.
 * errors: no shared object, or a shared object with missing functions; no plugin; a plugin for another
 * version of
 *   the interface; an incomplete entry, or an entry with a name in use. */
int plugin_load(const char *path, struct err *err);
