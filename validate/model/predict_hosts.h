/* SPDX-License-Identifier: BSD-3-Clause
 * Predictions of calls on hosts.
 *
 *   published          of a scatter, a gather or a direct all-to-all for k ports: Qian, Afsahi 2006, equations 1 and 2; of a direct all-to-all
 *                      with all messages at once: Steffenel, Martinasso, Trystram 2007, equation 5, on the signature of the network
 *                      of alltoall:grid on hosts of two clusters: equation 6 of the same
 *   analogy            of alltoall:grid there: equation 6 with the n1 blocks that a message carries, in place of n1 + n2
 *   naive-contention   of all-to-alls: the bound without contention, equation 1 of the same
 *   refined            ours: the program on the same hosts and NICs, joined by a network of which only a message alone is known, how long a
 *                      short one takes, and each byte more of a long one, and how it is sent: in packets, with the windows of TCP, or held
 *                      whole; on one switch, where nothing is lost, and nobody shares what lies inside */
#pragma once

#include "validate/model/predict.h"

struct plogp;
struct rig_spec;

/* Predict the call of SPEC on the hosts of PLOGP under MODEL, as predict. */
struct prediction predict_on_hosts(struct plogp *plogp, enum model model, const struct rig_spec *spec);
