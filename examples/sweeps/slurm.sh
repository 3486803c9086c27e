#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep as a job array of Slurm: four jobs, each with a store of its own in this folder, which all of them see. Start it again, and
# only what is missing is made. A job that waits for all of them joins the stores.
set -eu
sweep="run bcast:binomial-opt bcast:segmented-binomial -n 8,16 -s 64..4KiB --set bif.bandwidth=10,20"

job=$(sbatch --parsable --array=1-4 --cpus-per-task=1 --output=sweep-%a.log \
  --wrap "cellcoll $sweep --shard auto --store 'sweep-%s.sqlite' -j 1")
sbatch --wait --dependency="afterany:$job" --output=sweep.log \
  --wrap "cellcoll store merge sweep.sqlite sweep-?.sqlite && cellcoll $sweep --store sweep.sqlite --format=csv -o sweep.csv"
