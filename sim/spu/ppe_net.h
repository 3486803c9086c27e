/* SPDX-License-Identifier: BSD-3-Clause
 * The calls by which a PPE program of chip 0 reaches the other nodes of the machine: messages between main
 * memories. Messages from one node to another arrive in the order of sending. An arrived message waits in a
 * buffer of the system, of unlimited size (assumption), until the program receives the message. */
#pragma once

#include <stdint.h>

/* Return the own node, and how many there are; without a network there is one. */
unsigned net_rank(void);
unsigned net_size(void);

/* On triblades the hosts have numbers from net_size() on. Programs of a host call the same functions. A host
 * exchanges messages with the host's own blades and with all other hosts. */

/* Send the present NBYTES at effective address EA of main memory to node TO. The program is busy for
 * nic.send, except when the message passes the link between a blade and the blade's host.
 * faults: no such other node; the bytes are not in the main memory of one chip. */
void net_put(unsigned to, uint64_t ea, uint32_t nbytes);

/* Wait for the next message from node FROM and store the NBYTES of the message at effective address EA of
 * main memory. Storing takes no time: nic.receive is part of the time before the arrival.
 * faults: as net_put; the message has another size. */
void net_wait(unsigned from, uint64_t ea, uint32_t nbytes);
