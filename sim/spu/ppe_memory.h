/* SPDX-License-Identifier: BSD-3-Clause
 * What a PPE program does with main memory, which it reaches by loads and stores. */
#pragma once

#include <stdint.h>

/* Wait until the 32-bit word at effective address EA of main memory has come to VALUE, counting from 2^32 - 1
 * on to 0: a loop that polls its line in the cache of the PPE, in real code, of which only the look that
 * finds VALUE is charged, ppe.poll. FROM is the rank that writes it, for messages.
 * faults: EA is no address of main memory. */
void ppe_wait_word(uint64_t ea, uint32_t value, unsigned from);

/* Return the NBYTES of main memory from effective address EA on, for loads and stores, which take no time by
 * themselves.
 * faults: they are not there. */
uint8_t *ppe_bytes(uint64_t ea, uint32_t nbytes);

/* Say that the program reads, or writes, NBYTES of main memory from EA on in this cycle, for those who
 * watch. */
void ppe_note_load(uint64_t ea, uint32_t nbytes);
void ppe_note_store(uint64_t ea, uint32_t nbytes);

/* Compute for as long as it takes to combine NBYTES with as many others, at the rate ppe.combine.
 * faults: the platform has no such rate. */
void ppe_work(uint32_t nbytes);
