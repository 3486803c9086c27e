/* SPDX-License-Identifier: BSD-3-Clause
 * What a PPE program of chip 0 may call to reach the other nodes of its machine: messages between main
 * memories. Messages from one node to another one arrive in the order in which they were sent. One that has
 * arrived waits in a buffer of the system, of any size (assumption), until the program asks for it. */
#pragma once

#include <stdint.h>

/* Return the own node, and how many there are; without a network there is one. */
unsigned net_rank(void);
unsigned net_size(void);

/* On triblades the host of this node has a number too, net_size() and more, by which its programs, which call
 * the same functions, and those of its blades reach one another; so have the other hosts for it. */

/* Send NBYTES from effective address EA of main memory to node TO, as they are now. The program is busy for
 * nic.send, but where a link joins a blade and its host.
 * faults: there is no such other machine; the bytes are not in the main memory of one chip. */
void net_put(unsigned to, uint64_t ea, uint32_t nbytes);

/* Wait for the next message from node FROM and let its NBYTES be at effective address EA of main memory,
 * which takes no more time: nic.receive lies before its arrival.
 * faults: as net_put; the message has another size. */
void net_wait(unsigned from, uint64_t ea, uint32_t nbytes);
