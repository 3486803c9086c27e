/* SPDX-License-Identifier: BSD-3-Clause
 * The contention signature of a network: how much slower a complete exchange of n ranks is than n - 1
 * messages one after the other.
 *
 *   T = (n - 1) (alpha + m beta gamma)            for blocks of m < M bytes
 *   T = (n - 1) (alpha + m beta gamma + delta)    from M bytes on
 *
 * alpha and beta are those of one message on the idle network; gamma and delta belong to the network and
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

/* COUNT >= 4 times of complete exchanges among RANKS ranks, in ascending order of their sizes, give the rest,
 * by generalised least squares with errors in proportion to the times. */
void signature_fit(struct signature *signature, const struct signature_point *points, size_t count,
                   unsigned ranks);

/* Return the time that SIGNATURE predicts for RANKS ranks and blocks of NBYTES. */
double signature_predict(const struct signature *signature, unsigned ranks, size_t nbytes);

/* An extension of our own: bytes that stay on a chip and bytes that leave it are weighted apart, by two
 * signatures. Every message starts as published, but the bytes are counted where they meet, instead of n - 1
 * times a block:
 *
 *   stay     n              the blocks that an SPE sends, its own included
 *   leave    s (n - s)      the blocks that leave a full chip, one with s SPEs
 *
 * in proportion to those of the exchange from which the signature was taken: that of one chip for what stays,
 * that of the whole machine for what leaves. Both go on at the same time, so that the longer one counts. */
struct signature_pair {
  const struct signature *chip, *machine;
  unsigned chip_ranks, machine_ranks; /* with which they were taken: all SPEs of one chip, and of all */
};

/* Return the time that PAIR predicts for RANKS ranks, which fill one chip after the other, and blocks of
 * NBYTES. */
double signature_pair_predict(const struct signature_pair *pair, unsigned ranks, size_t nbytes);

/* Exchanges among the ranks of two clusters that a wide area separates:
 *
 *   T = max(T_1, T_2) + ceil(n2 / n1) (alpha + beta m n)        n1 <= n2
 *
 * T_i is what an exchange among the ni ranks of cluster i takes by its own signature, alpha and beta are
 * those of a message from one cluster to the other. The equation is printed with n = n1 + n2; a message of
 * the algorithm that it describes carries n1 blocks.
 * source: Steffenel, Martinasso, Trystram 2007, section 7.1, equation 6. */
struct signature_area {
  unsigned hosts; /* of the first cluster, which is that of the first host; the second one has all others */
  struct signature clusters[2];
  struct signature between; /* alpha and beta; nothing else */
};

/* Return the time that AREA predicts for blocks of NBYTES, with n = BLOCKS, for RANKS[0] ranks in the first
 * and RANKS[1] in the second cluster, at least one in each. */
double signature_area_predict(const struct signature_area *area, const unsigned ranks[2], unsigned blocks,
                              size_t nbytes);
