/* SPDX-License-Identifier: BSD-3-Clause
 * Shards of sweeps: typed places, places reported by launchers, and names of stores. */
#include "cli/shard.h"
#include "tests/suite.h"

static const char *const variables[] = {
  "SLURM_ARRAY_TASK_ID",   "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT",
  "SLURM_ARRAY_TASK_STEP", "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS",
  "OMPI_COMM_WORLD_RANK",  "OMPI_COMM_WORLD_SIZE", "PARALLEL_SEQ"};

/* Set the environment to ASSIGNMENTS, separated by blanks, and nothing else of launchers. */
static void set_environment(const char *assignments) {
  char text[256], *rest = text, *word;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    unsetenv(variables[i]);
  }
  ck_assert_uint_lt(strlen(assignments), sizeof text);
  strcpy(text, assignments);
  while ((word = strsep(&rest, " "))) {
    char *value = strchr(word, '=');
    if (value) {
      *value = '\0';
      setenv(word, value + 1, 1);
    }
  }
}

/* A typed text in an environment, and the part and the number of parts, or the message. */
static const struct {
  const char *environment, *text;
  unsigned part, parts;
  const char *message;
} rows[] = {
  {"", "1/4", 0, 4, NULL},
  {"", "4/4", 3, 4, NULL},
  {"", "1/1", 0, 1, NULL},
  {"", "5/4", 0, 0, "5/4, expected 1/4 to 4/4"},
  {"", "0/4", 0, 0, "0/4, expected 1/4 to 4/4"},
  {"", "1/0", 0, 0, "1/0, expected 1/1 to 1/1"},
  {"", "2", 0, 0, "'2', expected I/N, auto or auto/N, N up to 1000000"},
  {"", "2/", 0, 0, "'2/', expected I/N, auto or auto/N, N up to 1000000"},
  {"", "-1/4", 0, 0, "'-1/4', expected I/N, auto or auto/N, N up to 1000000"},
  {"", "1/4x", 0, 0, "'1/4x', expected I/N, auto or auto/N, N up to 1000000"},
  {"", "1/99999999999999999999", 0, 0,
   "'1/99999999999999999999', expected I/N, auto or auto/N, N up to 1000000"},
  {"", "automatic", 0, 0, "'automatic', expected I/N, auto or auto/N, N up to 1000000"},
  {"", "auto/0", 0, 0, "'auto/0', expected I/N, auto or auto/N, N up to 1000000"},
  {"", "auto", 0, 0, "auto: neither Slurm, Open MPI nor GNU parallel has started this process, expected I/N"},
  /* a job array 3, 5, 7, 9 of Slurm */
  {"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_STEP=2", "auto", 2,
   4, NULL},
  {"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_STEP=1", "auto", 0,
   0, "auto: the launcher says that this is process 10 of 4"},
  /* srun, alone and in the second job of an array of two */
  {"SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=3", "auto", 2, 3, NULL},
  {"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=2 SLURM_PROCID=2 "
   "SLURM_STEP_NUM_TASKS=3",
   "auto", 5, 6, NULL},
  {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", "auto", 1, 2, NULL},
  {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", "auto/2", 1, 2, NULL},
  {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", "auto/3", 0, 0,
   "auto/3: the launcher has started 2 processes, expected auto/2"},
  {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", "1/3", 0, 3, NULL}, /* the typed text counts */
  {"PARALLEL_SEQ=3", "auto/4", 2, 4, NULL},
  {"PARALLEL_SEQ=3", "auto", 0, 0,
   "auto: GNU parallel does not say how many processes there are, expected auto/N"},
  {"PARALLEL_SEQ=5", "auto/4", 0, 0, "auto: the launcher says that this is process 5 of 4"},
};
enum { ROWS = sizeof rows / sizeof *rows };

TESTS(shard);

TEST_EACH(a_shard_is_typed_or_told_by_a_launcher, 0, ROWS) {
  struct shard shard;
  struct err err = {""};
  set_environment(rows[_i].environment);
  int status = shard_parse(rows[_i].text, &shard, &err);
  ck_assert_str_eq(err.text, rows[_i].message ? rows[_i].message : "");
  ck_assert_int_eq(status, rows[_i].message ? -1 : 0);
  if (status == 0) {
    ck_assert_uint_eq(shard.part, rows[_i].part);
    ck_assert_uint_eq(shard.parts, rows[_i].parts);
  }
}

TEST(the_name_of_a_store_has_the_number_of_the_shard) {
  static const struct {
    struct shard shard;
    const char *path, *expected;
  } cases[] = {{{0, 4}, "run-%s.sqlite", "run-1.sqlite"},
               {{11, 12}, "%s/%s", "12/12"},
               {{1, 2}, "one", "one"},
               {{1, 2}, "%d%s", "%d2"},
               {{0, 0}, "run-%s.sqlite", "run-%s.sqlite"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *path = shard_path(&cases[i].shard, cases[i].path);
    ck_assert_str_eq(path, cases[i].expected);
    free(path);
  }
}
