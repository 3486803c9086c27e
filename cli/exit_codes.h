/* SPDX-License-Identifier: BSD-3-Clause
 * How the program ends. */
#pragma once

enum exit_code {
  CLI_DONE = 0,
  CLI_FAILED = 1, /* a check failed, or a comparison missed its tolerance */
  CLI_USAGE = 2,  /* unknown name or malformed value on the command line */
  CLI_INPUT = 3,  /* bad file, or a request that this platform or algorithm cannot serve */
  CLI_FAULT = 4, /* simulated fault or deadlock, or a crash of an algorithm's program; also JOBS_ENDED_EXIT */
  CLI_LOST = 5,  /* no worker, memory or SimGrid; nothing is wrong with what was asked; also XALLOC_EXIT */
  CLI_SIGNALLED = 128, /* and the number of a signal: as a shell reports a program that a signal has ended */
};
