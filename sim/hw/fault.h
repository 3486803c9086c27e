/* SPDX-License-Identifier: BSD-3-Clause
 * The text of a simulated fault: what an SPE program did wrong, and what the machine expected. */
#pragma once

struct fault {
  char text[320];
};

/* Format the text of FAULT.
 * returns: the text. */
const char *fault_set(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
