/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of the hazard detector: its messages, what messages call programs, places and commands; its judgement. */
#pragma once

#include "traces/hazard.h"

/* Room for the texts of a message. */
enum { HAZARD_PLACE_SIZE = 48, HAZARD_PARTY_SIZE = 256 };

/* Count a hazard of HAZARD, and keep the message if it is among the first HAZARD_LINES_MAX. */
void hazard_report(struct hazard *hazard, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return the SPE or process of the area of EA; the number of SPEs or processes if EA is in main memory. */
unsigned hazard_area(const struct hazard *hazard, uint64_t ea);

/* Write a description of the place EA to TEXT.
 * returns: TEXT. */
const char *hazard_place(char text[HAZARD_PLACE_SIZE], const struct hazard *hazard, uint64_t ea);

/* Write the name of program NUMBER to TEXT: a program on an SPE, of a process, or on a PPE.
 * returns: TEXT. */
const char *hazard_program(char text[HAZARD_PLACE_SIZE], const struct hazard *hazard, unsigned number);

/* Write a description of COMMAND to TEXT: of two spans the source comes first.
 * returns: TEXT. */
const char *hazard_party(char text[HAZARD_PARTY_SIZE], const struct hazard *hazard,
                         const struct hazard_command *command);

/* Judge what COMMAND of HAZARD has moved up to cycle END against all other commands under way and what
 * programs have touched. */
void hazard_judge(struct hazard *hazard, const struct hazard_command *command, uint64_t end);
