/* SPDX-License-Identifier: BSD-3-Clause
 * Streams as typed on the command line. */
#include "validate/bench/pattern.h"
#include "tests/suite.h"

TESTS(pattern);

TEST(both_arrows_ranks_and_memory_are_read) {
  struct pattern pattern;
  SUCCEEDS(pattern_parse("0<-1,12->3,4<-mem,05->mem", &pattern, &failure));
  ck_assert_uint_eq(pattern.n, 4);
  const struct pattern_stream *streams = pattern.streams;
  ck_assert(streams[0].rank == 0 && streams[0].other == 1 && !streams[0].put);
  ck_assert(streams[1].rank == 12 && streams[1].other == 3 && streams[1].put);
  ck_assert(streams[2].rank == 4 && streams[2].other == PATTERN_MEMORY && !streams[2].put);
  ck_assert_str_eq(streams[1].label, "12->3");
  ck_assert_str_eq(streams[2].label, "4<-mem");
  ck_assert_str_eq(streams[3].label, "5->mem");
  pattern_fini(&pattern);
  ck_assert_uint_eq(pattern.n, 0);
}

/* Unreadable streams, and the beginning of each message. */
static const char *const wrong[][2] = {
  {"", "'' is no stream"},
  {"0", "'0' is no stream"},
  {"0<-", "'0<-' is no stream"},
  {"0<-1,", "'' is no stream"},
  {"0<1", "'0<1' is no stream"},
  {"0<- 1", "'0<- 1' is no stream"},
  {"0<-1x", "'0<-1x' is no stream"},
  {"mem->0", "'mem->0' is no stream"},
  {"0<-memory", "'0<-memory' is no stream"},
  {"-1->0", "'-1->0' is no stream"},
  {"0<-1234567", "'0<-1234567' is no stream"},
  {"0<-1,3->3", "'3->3' is a stream of a rank to itself"},
};

TEST_EACH(anything_else_is_refused_and_named, 0, sizeof wrong / sizeof *wrong) {
  struct pattern pattern;
  struct err err = {.text = ""};
  ck_assert_int_eq(pattern_parse(wrong[_i][0], &pattern, &err), -1);
  ck_assert_msg(strncmp(err.text, wrong[_i][1], strlen(wrong[_i][1])) == 0, "%s", err.text);
  ck_assert(pattern.n == 0 && !pattern.streams);
}
