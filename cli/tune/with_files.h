/* SPDX-License-Identifier: BSD-3-Clause
 * Files of --with that compete in none of the calls of `tune` and `explain`. */
#pragma once

struct session;
struct tuning;

/* Say of each file with an algorithm among --with of SESSION that is in no decision of TUNING which calls the
 * algorithm serves. Plugins are left out. */
void with_files_tell(const struct session *session, const struct tuning *tuning);
