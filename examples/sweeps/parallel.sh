#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep in four processes started by GNU parallel, here or on the machines that its option --sshlogin names. Each process keeps its
# results in a store of its own; run this again, and only what is missing is made. Then one store has everything.
set -eu
sweep="run bcast:binomial-opt bcast:segmented-binomial -n 8,16 -s 64..4KiB --set bif.bandwidth=10,20"

# shellcheck disable=SC2086 # a list of words
seq 4 | parallel "cellcoll $sweep --shard auto/4 --store 'sweep-%s.sqlite' # {}"
cellcoll store merge sweep.sqlite sweep-?.sqlite
# shellcheck disable=SC2086 # a list of words
cellcoll $sweep --store sweep.sqlite --format=csv -o sweep.csv
