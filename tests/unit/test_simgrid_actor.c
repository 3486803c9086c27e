/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's actors: those that the engine lets go on have left again, in their order, when it goes on, wherever it runs itself. */
#include "sim/base/simgrid_actor.h"

#include <check.h>
#include <simgrid/actor.h>
#include <string.h>

Suite *simgrid_actor_suite(void);

enum { ACTORS = 4, PIECES = 40 };

/* An actor that tells when it goes on, and when it leaves. */
struct teller {
  struct simgrid_actor *actor;
  char name;
};

static struct teller tellers[ACTORS];
static bool yields; /* each calls SimGrid before it leaves */
static char story[2 * ACTORS + 1];

static void
tell(char what)
{
  size_t used = strlen(story);
  ck_assert_uint_lt(used, sizeof story - 1);
  story[used] = what;
  story[used + 1] = '\0';
}

static void
tell_often(void *argument)
{
  const struct teller *teller = argument;
  for (;;) {
    simgrid_actor_leave(teller->actor);
    tell(teller->name);
    if (yields) {
      sg_actor_yield();
    }
    tell('.');
  }
}

/* Let N tellers go on, from number FROM on. */
static void
go(unsigned from, unsigned n)
{
  char expected[2 * ACTORS + 1] = "";
  story[0] = '\0';
  for (unsigned i = 0; i < n; i++) {
    simgrid_actor_ready(tellers[from + i].actor);
    expected[2 * i] = tellers[from + i].name;
    expected[2 * i + 1] = '.';
  }
  simgrid_actors_go();
  ck_assert_str_eq(story, expected);
}

/* What the engine does: four times in turn ten pieces of one kind. All tellers at once; one at a time, which makes the engine an actor;
 * the same with one that calls SimGrid; and again all. */
static bool
do_piece(void *argument)
{
  unsigned *piece = argument;
  yields = *piece / 10 == 2;
  if (*piece / 10 == 0 || *piece / 10 == 3) {
    go(0, ACTORS);
  } else {
    go(*piece % ACTORS, 1);
    go((*piece + 1) % ACTORS, 1);
  }
  simgrid_actors_go(); /* nobody is ready */
  return ++*piece < PIECES;
}

START_TEST(who_goes_on_has_left_before_the_engine_goes_on)
{
  simgrid_actors_init();
  for (unsigned i = 0; i < ACTORS; i++) {
    tellers[i].name = (char)('a' + i);
    tellers[i].actor = simgrid_actor_new(tell_often, &tellers[i]);
    simgrid_actor_start(tellers[i].actor);
  }
  for (unsigned run = 0; run < 2; run++) {
    unsigned piece = 0;
    simgrid_actors_drive(do_piece, &piece);
    ck_assert_uint_eq(piece, PIECES);
  }
  for (unsigned i = 0; i < ACTORS; i++) {
    simgrid_actor_free(tellers[i].actor);
  }
}
END_TEST

Suite *
simgrid_actor_suite(void)
{
  Suite *suite = suite_create("simgrid_actor");
  TCase *tests = tcase_create("simgrid_actor");
  tcase_add_test(tests, who_goes_on_has_left_before_the_engine_goes_on);
  suite_add_tcase(suite, tests);
  return suite;
}
