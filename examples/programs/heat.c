/* SPDX-License-Identifier: BSD-3-Clause
 * An MPI program: a rod on a ring of ranks cools. heat.ti is the trace of 16 ranks, for
 * docs/how-to/programs.md. */
#include <mpi.h>
#include <stdlib.h>

enum { POINTS = 20000, STEPS = 3 };

int main(int argc, char **argv) {
  int rank, nranks;
  double *now = calloc(POINTS + 2, sizeof *now), *then = calloc(POINTS + 2, sizeof *then);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nranks);
  int left = (rank + nranks - 1) % nranks, right = (rank + 1) % nranks;
  double width[16] = {1.0 / POINTS};
  now[1 + rank % POINTS] = 100;
  MPI_Bcast(width, 16, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int step = 0; step < STEPS; step++) {
    double change = 0, most;
    MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, left, 0, &now[POINTS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&now[POINTS], 1, MPI_DOUBLE, right, 1, &now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 1; i <= POINTS; i++) {
      double slope = now[i - 1] - 2 * now[i] + now[i + 1];
      then[i] = now[i] + 0.25 * width[0] * slope;
      change = slope > change ? slope : change;
    }
    double *old = now;
    now = then;
    then = old;
    MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  double *rod = malloc((size_t)nranks * 256 * sizeof *rod);
  MPI_Gather(&now[1], 256, MPI_DOUBLE, rod, 256, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
