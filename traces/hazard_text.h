/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of the hazard detector: what they call programs, places and commands. */
#pragma once

#include "traces/hazard.h"

/* Room for the texts of a message. */
enum { HAZARD_PLACE_SIZE = 48, HAZARD_PARTY_SIZE = 256 };

/* Count a hazard of HAZARD, and keep the message if it is one of the first. */
void hazard_report(struct hazard *hazard, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return the SPE or process whose area EA lies in; their number if EA is in main memory. */
unsigned hazard_area(const struct hazard *hazard, uint64_t ea);

/* Write to TEXT what lies at EA.
 * returns: TEXT. */
const char *hazard_place(char text[HAZARD_PLACE_SIZE], const struct hazard *hazard, uint64_t ea);

/* Write to TEXT what program NUMBER is: that on an SPE or of a process, or one on a PPE.
 * returns: TEXT. */
const char *hazard_program(char text[HAZARD_PLACE_SIZE], const struct hazard *hazard, unsigned number);

/* Write to TEXT what COMMAND is: of two spans that of its source comes first.
 * returns: TEXT. */
const char *hazard_party(char text[HAZARD_PARTY_SIZE], const struct hazard *hazard,
                         const struct hazard_command *command);
