/* SPDX-License-Identifier: BSD-3-Clause
 * The contention signature of a network: the time of a complete exchange of n ranks, compared with n - 1
 * messages one after the other.
 *
 *   T = (n - 1) (alpha + m beta gamma)            for blocks of m < M bytes
 *   T = (n - 1) (alpha + m beta gamma + delta)    from M bytes on
 *
 * alpha and beta are the values of one message on the idle network; gamma and delta belong to the network and
 * should hold for other numbers of ranks.
 * source: Steffenel, Martinasso, Trystram 2007, section 5, equation 5; M is where the fit is best. */
#pragma once

#include <stddef.h>

/* Times in SPU cycles. */
struct signature {
  double alpha, beta; /* per message, per byte */
  double gamma;       /* contention ratio */
  double delta;       /* per message */
  size_t threshold;   /* M, bytes */
};

/* A measured time. */
struct signature_point {
  size_t nbytes;
  double cycles;
};

/* A straight line through COUNT >= 2 times of single messages gives alpha and beta of SIGNATURE; equal
 * relative errors are assumed. */
void signature_fit_message(struct signature *signature, const struct signature_point *points, size_t count);

/* Fit gamma, delta and threshold of SIGNATURE to the times of COUNT >= 4 complete exchanges among RANKS
 * ranks, in ascending order of size, by generalised least squares with errors in proportion to the times. */
void signature_fit(struct signature *signature, const struct signature_point *points, size_t count,
                   unsigned ranks);

/* Return the time that SIGNATURE predicts for RANKS ranks and blocks of NBYTES. */
double signature_predict(const struct signature *signature, unsigned ranks, size_t nbytes);

/* An extension of our own: bytes that stay on a chip and bytes that leave the chip are weighted separately,
 * by two signatures. The start of messages counts as published, but bytes are counted at the bottleneck,
 * instead of n - 1 blocks:
 *
 *   stay     n              the blocks that an SPE sends, one block to itself included
 *   leave    s (n - s)      the blocks that leave a full chip with s SPEs
 *
 * in proportion to the same count in the measured exchange: on one chip for bytes that stay, on the whole
 * machine for bytes that leave. Both parts run at the same time, so that the longer part counts. */
struct signature_pair {
  const struct signature *chip, *machine;
  /* ranks of the measured exchanges: all SPEs of one chip, and of the machine */
  unsigned chip_ranks, machine_ranks;
};

/* Return the time that PAIR predicts for blocks of NBYTES and RANKS ranks that fill one chip after the
 * other. */
double signature_pair_predict(const struct signature_pair *pair, unsigned ranks, size_t nbytes);

/* Exchanges among the ranks of two clusters connected by a wide-area network:
 *
 *   T = max(T_1, T_2) + ceil(n2 / n1) (alpha + beta m n)        n1 <= n2
 *
 * T_i is the time of an exchange among the ni ranks of cluster i by the cluster's signature; alpha and beta
 * are the values of a message between the clusters. The equation is printed with n = n1 + n2; a message of
 * the described algorithm carries n1 blocks.
 * source: Steffenel, Martinasso, Trystram 2007, section 7.1, equation 6. */
struct signature_area {
  /* of the first cluster, the cluster of the first host; all other hosts are the second cluster */
  size_t hosts;
  struct signature clusters[2];
  struct signature between; /* alpha and beta; nothing else */
};

/* Return the time that AREA predicts for blocks of NBYTES, with n = BLOCKS, for RANKS[0] ranks in the first
 * and RANKS[1] ranks in the second cluster, at least one in each. */
double signature_area_predict(const struct signature_area *area, const unsigned ranks[2], unsigned blocks,
                              size_t nbytes);
