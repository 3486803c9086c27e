/* SPDX-License-Identifier: BSD-3-Clause
 * Main memory for a PPE program, which accesses main memory by loads and stores. */
#pragma once

#include <stdint.h>

/* Wait until the 32-bit word at effective address EA of main memory has reached VALUE, where 0 follows 2^32 -
 * 1. Real code polls the word's line in the cache of the PPE; here only the load that finds VALUE is charged,
 * ppe.poll. FROM is the rank that writes the word, for messages.
 * faults: EA is no address of main memory. */
void ppe_wait_word(uint64_t ea, uint32_t value, unsigned from);

/* Return a pointer to the NBYTES of main memory from effective address EA on. Loads and stores through the
 * pointer take no time by themselves.
 * faults: the bytes are not in main memory. */
uint8_t *ppe_bytes(uint64_t ea, uint32_t nbytes);

/* Tell the observers that the program reads, or writes, NBYTES of main memory from EA on in this cycle. */
void ppe_note_load(uint64_t ea, uint32_t nbytes);
void ppe_note_store(uint64_t ea, uint32_t nbytes);

/* Compute for the time of combining NBYTES with as many other bytes, at the rate ppe.combine.
 * faults: the platform has no ppe.combine. */
void ppe_work(uint32_t nbytes);
