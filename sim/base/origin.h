/* SPDX-License-Identifier: BSD-3-Clause
 * Where results come from: the program, as it was built, and when. */
#pragma once

/* Return the commit of the program, twelve digits, with "-dirty" if files had changed; "unknown": there is
 * neither git nor a release. */
const char *origin_commit(void);

/* Return the compiler and its version. */
const char *origin_compiler(void);

/* Return the version of SimGrid that the program was built with. */
const char *origin_simgrid(void);

/* Return the present time, or that of SOURCE_DATE_EPOCH in the environment (a number of seconds, for
 * reproducible files), as 2026-11-22T20:40:00Z. The text lives until the next call. */
const char *origin_date(void);

/* Return the above in one line, with the name and version of the program. The text lives until the next
 * call. */
const char *origin_line(void);
