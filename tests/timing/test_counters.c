/* SPDX-License-Identifier: BSD-3-Clause
 * Counters of small cases, derived by hand from the parameters of qs20: a ramp takes 16.66 cycles for a bus
 * request, a place on a ring 16, a hop 2, a link (128 + bif.overhead) bytes at the link's bandwidth, the
 * memory controller one interval. */
#include "tests/bed.h"
#include "traces/utilisation.h"

enum { HERE = 0x10000 };

static struct utilisation seen;
static uint64_t memory; /* an address in main memory of chip 0 */

static void stop(void) {
  utilisation_fini(&seen);
  bed_end();
}

/* Run PROGRAM on SPE 0 and count. */
static void run(void (*program)(void *)) {
  memory = blade_allocate(bed.blade, 0, 16384);
  utilisation_init(&seen, bed.platform);
  blade_attach(bed.blade, &seen.probe);
  bed_run_alone(program, NULL);
  blade_detach(bed.blade, &seen.probe);
}

static const struct utilisation_ramps *ramps_of(unsigned spe) {
  const struct spe *unit = &blade_board(bed.blade)->spes[spe];
  return &seen.ramps[unit->chip * seen.parameters.ring.nunits + unit->unit];
}

PROGRAM(put_four_lines, mfc_put(spu_ls(HERE), spu_ls_ea(1, HERE), 512, 0, 0, 0); bed_finish(1))

TESTS(counters, .start = bed_begin_unwatched, .stop = stop);

/* Four bus requests: their data is ready one command interval apart, but the ramp of SPE 0 sends one in 16.66
 * cycles.
 *   ready:  t, t + c, t + 2 c, t + 3 c   with c = command-interval, shorter than 16
 *   sent:   t, t + 17, t + 34, t + 50    (16.66, 33.32 and 49.98, each on the next whole cycle)
 * so that they wait 0, 17 - c, 34 - 2 c and 50 - 3 c cycles, all for their own ramp. The window holds all
 * four. */
TEST(a_put_of_four_lines_waits_for_its_own_ramp) {
  const struct parameters *f = blade_parameters(bed.blade);
  uint64_t c = f->eib_command_interval;
  run(put_four_lines);
  const struct utilisation_ramps *sender = ramps_of(0), *receiver = ramps_of(1);
  ck_assert_uint_lt(c, 16);
  ck_assert_uint_eq(f->ramp_interval.cycles, 16);
  ck_assert_uint_eq(f->ramp_interval.rest_mcyc, 660);
  ck_assert_uint_eq(sender->out.served, 4);
  ck_assert_uint_eq(sender->out.nbytes, 512);
  ck_assert_uint_eq(sender->out.busy_mcyc, 66640);
  ck_assert_uint_eq(sender->out.waited, 101 - 6 * c);
  ck_assert_uint_eq(sender->out.waited_max, 50 - 3 * c);
  ck_assert_uint_eq(sender->cycles[WAITED_OWN_RAMP], 101 - 6 * c);
  ck_assert_uint_eq(sender->conflicts[WAITED_OWN_RAMP], 3);
  ck_assert_uint_eq(sender->conflicts[WAITED_RECEIVER] + sender->conflicts[WAITED_RING], 0);
  ck_assert_uint_eq(sender->in.served + receiver->out.served, 0);
  ck_assert_uint_eq(receiver->in.served, 4);
  ck_assert_uint_eq(receiver->in.busy_mcyc, 66640);
  ck_assert_uint_eq(seen.mfcs[0].commands, 1);
  ck_assert_uint_eq(seen.mfcs[0].requests, 4);
  ck_assert_uint_eq(seen.mfcs[0].flying_max, 4);
  ck_assert_uint_eq(seen.command_buses[0].busy_mcyc, 4000 * c);
}

static void get_from_afar_and_from_memory(void *argument) {
  mfc_get(spu_ls(HERE), spu_ls_ea(9, HERE), 256, 0, 0, 0);
  mfc_get(spu_ls(HERE + 256), memory, 384, 0, 0, 0);
  bed_finish(1);
}

/* Two bus requests cross from chip 1 to chip 0, three come from memory 0: the rings of chip 1 carry two
 * requests, the rings of chip 0 five. */
TEST(links_and_memory_are_busy_for_what_they_serve) {
  const struct platform *p = bed.platform;
  run(get_from_afar_and_from_memory);
  const struct utilisation_server *link = &seen.links[1 * 2 + 0];
  uint64_t crossing = (uint64_t)llround(1000 * (128 + p->bif.overhead) * p->clock.spu / p->bif.bandwidth);
  uint64_t served[2] = {0};
  for (unsigned i = 0; i < 2 * blade_parameters(bed.blade)->nrings; i++) {
    served[i / blade_parameters(bed.blade)->nrings] += seen.rings[i].served;
  }
  ck_assert_uint_eq(link->served, 2);
  ck_assert_uint_eq(link->nbytes, 256);
  ck_assert_uint_eq(link->busy_mcyc, 2 * crossing);
  ck_assert_uint_eq(seen.links[0 * 2 + 1].served, 0);
  ck_assert_uint_eq(seen.memories[0].served, 3);
  ck_assert_uint_eq(seen.memories[0].nbytes, 384);
  ck_assert_uint_eq(seen.memories[0].busy_mcyc, 3 * blade_parameters(bed.blade)->memory_read_mcyc);
  ck_assert_uint_eq(seen.memories[1].served, 0);
  ck_assert_uint_eq(served[0], 5);
  ck_assert_uint_eq(served[1], 2);
}

/* The rows of one part, and the busy share of the part. */
struct search {
  const char *where;
  double busy;
  unsigned rows;
};

static void look(void *context, const struct utilisation_row *row) {
  struct search *search = context;
  bool here = strcmp(row->where, search->where) == 0;
  search->rows += here;
  if (here && strcmp(row->counter, "busy") == 0) {
    search->busy = row->value;
  }
}

/* The ramp is busy for 66.64 cycles of the time seen: until the last bus request has left the window. */
TEST(counters_are_listed_by_part) {
  run(put_four_lines);
  struct search ramp = {.where = "chip 0 SPE 0 out"}, idle = {.where = "chip 1 SPE 8 out"};
  utilisation_list(&seen, look, &ramp);
  utilisation_list(&seen, look, &idle);
  ck_assert_double_eq_tol(ramp.busy, 100 * 66.64 / utilisation_cycles(&seen), 1e-9);
  ck_assert_uint_eq(ramp.rows, 12);
  ck_assert_uint_eq(idle.rows, 0);
}

static void put_much(void *argument) {
  for (unsigned i = 0; i < 8; i++) {
    mfc_put(spu_ls(HERE), spu_ls_ea(*(unsigned *)argument, HERE + 0x4000), 16384, 0, 0, 0);
  }
  bed_finish(1);
}

/* The busiest part. */
struct busiest {
  char where[64];
  double busy;
};

static void compare(void *context, const struct utilisation_row *row) {
  struct busiest *busiest = context;
  if (strcmp(row->counter, "busy") == 0 && row->value > busiest->busy) {
    snprintf(busiest->where, sizeof busiest->where, "%s", row->where);
    busiest->busy = row->value;
  }
}

/* Let four SPEs of chip 0 put to four others, and find the busiest part. */
static struct busiest stream(const unsigned from[4], unsigned to[4]) {
  struct spu spus[4];
  struct busiest busiest = {.busy = 0};
  for (unsigned i = 0; i < 4; i++) {
    spus[i] = (struct spu){.spe = from[i], .main = put_much, .argument = &to[i], .name = "sender"};
  }
  blade_reset(bed.blade);
  utilisation_fini(&seen);
  utilisation_init(&seen, bed.platform);
  blade_attach(bed.blade, &seen.probe);
  bed_run(spus, 4);
  blade_detach(bed.blade, &seen.probe);
  utilisation_list(&seen, compare, &busiest);
  return busiest;
}

/* Pairs of neighbours do not meet: the ramps set the rate. Three of the long ways lead past IOIF1 in the same
 * direction. There are two rings in that direction: the transfers wait for a ring, and the ring's busiest
 * place is taken more than any ramp (but not always, since transfers of different lengths leave gaps). */
TEST(the_busiest_part_is_the_one_that_limits) {
  unsigned neighbours[4] = {3, 7, 4, 0}, distant[4] = {7, 6, 4, 2};
  struct busiest near = stream((const unsigned[]){1, 5, 6, 2}, neighbours);
  ck_assert_msg(strstr(near.where, " SPE") != NULL, "%s, %g", near.where, near.busy);
  ck_assert_double_gt(near.busy, 95);
  struct busiest far = stream((const unsigned[]){1, 3, 5, 7}, distant);
  ck_assert_msg(strstr(far.where, " ring ") != NULL, "%s, %g", far.where, far.busy);
  ck_assert_double_gt(far.busy, 60);
  uint64_t waited = 0;
  for (unsigned spe = 3; spe <= 7; spe += 2) {
    waited += ramps_of(spe)->cycles[WAITED_RING];
  }
  ck_assert_uint_gt(waited, 1000);
}
