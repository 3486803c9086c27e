/* SPDX-License-Identifier: BSD-3-Clause
 * See shard.h. Variables of launchers: sbatch(1) and srun(1) of Slurm, mpirun(1) of Open MPI, parallel(1) of
 * GNU parallel. */
#include "cli/shard.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 1000000 };

/* Take NUMBER, up to PARTS_MAX, from the front of *TEXT.
 * returns: whether there is one. */
static bool take_number(const char **text, unsigned *number) {
  return text_take_number(text, 9, number) && *number <= PARTS_MAX;
}

/* Read the number in variable NAME of the environment.
 * returns: whether there is one. */
static bool read_variable(const char *name, unsigned *number) {
  const char *text = getenv(name);
  return text && text_take_number(&text, 9, number) && !*text;
}

/* Divide SHARD into PARTS, of which PART is chosen. */
static void divide(struct shard *shard, unsigned part, unsigned parts) {
  shard->part = shard->part * parts + part;
  shard->parts *= parts;
}

/* Find the place of this process among the processes of a launcher. In a job array of Slurm with several
 * processes per job both places count.
 * returns: whether a launcher gives the place; `parts` is 0 if only the place is known. */
static bool ask_launcher(struct shard *shard) {
  unsigned id, least, step, count, rank, size;
  bool found = false;
  *shard = (struct shard){0, 1};
  if (read_variable("SLURM_ARRAY_TASK_ID", &id) && read_variable("SLURM_ARRAY_TASK_MIN", &least) &&
      read_variable("SLURM_ARRAY_TASK_COUNT", &count) && count > 0 && id >= least) {
    step = read_variable("SLURM_ARRAY_TASK_STEP", &step) && step ? step : 1;
    divide(shard, (id - least) / step, count);
    found = true;
  }
  if ((read_variable("OMPI_COMM_WORLD_RANK", &rank) && read_variable("OMPI_COMM_WORLD_SIZE", &size)) ||
      (read_variable("SLURM_PROCID", &rank) && read_variable("SLURM_STEP_NUM_TASKS", &size))) {
    divide(shard, rank, size);
    found = size > 0;
  }
  if (!found && read_variable("PARALLEL_SEQ", &id) && id > 0) { /* without the number of processes */
    *shard = (struct shard){id - 1, 0};
    found = true;
  }
  return found;
}

/* Let SHARD be the one that a launcher gives, of PARTS, 0: as many as the launcher says. */
static int find_auto(unsigned parts, struct shard *shard, struct err *err) {
  if (!ask_launcher(shard)) {
    return err_set(err,
                   "auto: neither Slurm, Open MPI nor GNU parallel has started this process, expected I/N");
  }
  if (shard->parts == 0 && parts == 0) {
    return err_set(err, "auto: GNU parallel does not say how many processes there are, expected auto/N");
  }
  if (shard->parts != 0 && parts != 0 && parts != shard->parts) {
    return err_set(err, "auto/%u: the launcher has started %u processes, expected auto/%u", parts,
                   shard->parts, shard->parts);
  }
  shard->parts = parts ? parts : shard->parts;
  return shard->part < shard->parts ? 0
                                    : err_set(err, "auto: the launcher says that this is process %u of %u",
                                              shard->part + 1, shard->parts);
}

int shard_parse(const char *text, struct shard *shard, struct err *err) {
  bool is_auto = strncmp(text, "auto", strlen("auto")) == 0;
  const char *end = is_auto ? text + strlen("auto") : text;
  unsigned parts = 0;
  bool good = is_auto ? !*end || (*end++ == '/' && take_number(&end, &parts) && parts)
                      : take_number(&end, &shard->part) && *end++ == '/' && take_number(&end, &parts);
  if (!good || *end) {
    return err_set(err, "'%.60s', expected I/N, auto or auto/N, N up to %d", text, PARTS_MAX);
  }
  if (is_auto) {
    return find_auto(parts, shard, err);
  }
  shard->parts = parts;
  if (shard->part < 1 || shard->part > parts) {
    unsigned most = parts ? parts : 1;
    return err_set(err, "%u/%u, expected 1/%u to %u/%u", shard->part, parts, most, most, most);
  }
  shard->part--;
  return 0;
}

char *shard_path(const struct shard *shard, const char *path) {
  char *result = NULL;
  const char *place;
  while (shard->parts && (place = strstr(path, "%s"))) {
    xappend(&result, "%.*s%u", (int)(place - path), path, shard->part + 1);
    path = place + 2;
  }
  xappend(&result, "%s", path);
  return result;
}
