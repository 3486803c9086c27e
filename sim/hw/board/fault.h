/* SPDX-License-Identifier: BSD-3-Clause
 * The text of a simulated fault: the mistake of an SPE program, and the machine's expectation. */
#pragma once

struct fault {
  char text[320];
};

/* Format the text of FAULT.
 * returns: the text. */
const char *fault_set(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
