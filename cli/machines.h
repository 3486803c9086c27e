/* SPDX-License-Identifier: BSD-3-Clause
 * The machines that a command line asks for. */
#pragma once

#include <stddef.h>

struct err;
struct opts;
struct platform;

/* Every platform asked for, with every combination of the values of --set, with the profile of --profile. */
struct machines {
  struct platform **platforms; /* platform by platform; the last --set varies fastest */
  size_t n;
};

/* Read the platform called NAME.
 * returns: an exit code, CLI_DONE if PLATFORM is there.
 * errors: as platform_read; an unknown name is wrong usage, a bad file is bad input.
 * owner: the caller, with platform_free. */
int machines_read(const char *name, struct platform **platform, struct err *err);

/* Fill MACHINES as OPTS says.
 * returns: an exit code, CLI_DONE if all are there.
 * errors: as machines_read and platform_set_all; an unknown profile; MACHINES is then empty.
 * owner: the caller, with machines_fini. */
int machines_load(struct machines *machines, const struct opts *opts, struct err *err);

/* Release the contents of MACHINES. */
void machines_fini(struct machines *machines);
