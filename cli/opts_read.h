/* SPDX-License-Identifier: BSD-3-Clause
 * How the arguments of options are read: a function for each KIND of options.def. */
#pragma once

struct err;
struct opts_names;

/* Read ARGUMENT into FIELD, whose type the kind decides; of a flag it is NULL and the field a bool.
 * errors: it is malformed. */
typedef int opts_reader(void *field, const char *argument, struct err *err);

opts_reader opts_read_FLAG, opts_read_FILE, opts_read_TEXT, opts_read_COUNT, opts_read_RANK, opts_read_REPEAT,
  opts_read_COUNT_LIST, opts_read_BYTES_LIST, opts_read_NAMES, opts_read_SETTINGS, opts_read_FORMAT,
  opts_read_PATTERN, opts_read_DEPTH, opts_read_TOTAL, opts_read_OP, opts_read_TYPE, opts_read_PLACEMENT,
  opts_read_SKEW, opts_read_PERCENT, opts_read_JOBS;

/* Release what NAMES hold. */
void opts_names_fini(struct opts_names *names);
