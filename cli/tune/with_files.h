/* SPDX-License-Identifier: BSD-3-Clause
 * Files of --with in the answers of `tune` and `explain`. */
#pragma once

struct algo;
struct session;
struct tuning;

/* Return the file among --with of SESSION with ALGO; NULL: there is none. */
const char *with_files_path(const struct session *session, const struct algo *algo);

/* Say of each file with an algorithm among --with of SESSION that is in no decision of TUNING which calls the
 * algorithm serves. Plugins are left out. */
void with_files_tell(const struct session *session, const struct tuning *tuning);
