#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep in four processes started by Open MPI's mpirun, which is used as a launcher only. Each process keeps its results in a store
# of its own; run this again, and only what is missing is made. Then one store has everything.
set -eu
sweep="run bcast:binomial-opt bcast:segmented-binomial -n 8,16 -s 64..4KiB --set bif.bandwidth=10,20"

# shellcheck disable=SC2086 # a list of words
mpirun -n 4 --oversubscribe cellcoll $sweep --shard auto --store 'sweep-%s.sqlite' -j 1
cellcoll store merge sweep.sqlite sweep-?.sqlite
# shellcheck disable=SC2086 # a list of words
cellcoll $sweep --store sweep.sqlite --format=csv -o sweep.csv
