/* SPDX-License-Identifier: BSD-3-Clause
 * Samples for tests: files below tests/, and the broken platforms that a script makes. */
#pragma once

/* Return the path of BELOW in the folder tests of the source.
 * owner: the caller. */
char *sample_path(const char *below);

/* Make the broken platforms of tests/platforms/defects: NAME.xml and NAME.expected in a new folder.
 * returns: its path, which ends in platforms/invalid; NULL: the script failed, and has said why.
 * owner: the caller, with samples_remove. */
char *samples_of_defects(void);

/* Remove FOLDER, which samples_of_defects has returned, and its path. */
void samples_remove(char *folder);
