/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of the bus of rates (sim/hw/rates/rates.c), each in a small case with cycles derived from the
 * parameters. tests/timing/rates_mutants switches one rule off after the other: the case of that rule then
 * fails.
 *
 * Letters are those of test_exact.c: I = mfc.issue (10), B = mfc.to-bus (30), C = eib.command-phase (100),
 * R = ls.read (20), H = cycles of one hop (2), T = cycles of the beats (16), D = mfc.complete (98); ramp =
 * 16.66 cycles a line, a command takes 2 cycles a line. A transfer of 2 KiB, 16 lines, goes in pieces of 2
 * lines. */
#include "sim/hw/rates/rates_window.h"
#include "tests/bed.h"

enum { HERE = 0x10000, THERE = 0x20000, NSPES = 8, SPES_MAX = 16, MOVES_MAX = 2 };

static double I, B, C, R, H, T, D, ramp, link;

static void start_engine(void) {
  setenv("BED_BUS", "rates", 1);
  bed_start();
}

static void begin_with(const char *settings) {
  bed_use("qs20", settings);
  const struct platform *p = bed.platform;
  I = p->mfc.issue, B = p->mfc.to_bus, C = p->eib.command_phase, R = p->ls.read, D = p->mfc.complete;
  H = p->eib.hop * p->clock.bus_divider;
  T = (double)p->eib.request_bytes / p->eib.beat_bytes * p->clock.bus_divider;
  ramp = p->eib.ramp_interval * p->clock.bus_divider;
  link = (p->eib.request_bytes + p->bif.overhead) * p->clock.spu / p->bif.bandwidth;
}

static void begin(void) {
  start_engine();
  begin_with("");
}

/* Return the cycles of the hops between SPE and UNIT of the SPE's chip, or SPE OTHER of the same chip. */
static double way(unsigned spe, const char *unit) {
  char name[8];
  snprintf(name, sizeof name, "SPE%u", spe % NSPES);
  return H * bed_hops(bed.platform, name, unit);
}

static double between(unsigned spe, unsigned other) {
  char name[8];
  snprintf(name, sizeof name, "SPE%u", other % NSPES);
  return way(spe, name);
}

/* A DMA command; peer: an SPE, or IN_MEMORY. */
enum { IN_MEMORY = 99 };
struct move {
  unsigned peer;
  uint32_t nbytes;
  bool put;
  uint64_t late; /* cycles of computing before the command */
};

/* The commands of an SPE, one after the other. */
struct moves {
  unsigned spe, n;
  struct move of[MOVES_MAX];
  uint64_t done; /* cycle of the last command's tag status */
};

static void make_moves(void *argument) {
  struct moves *moves = argument;
  for (unsigned i = 0; i < moves->n; i++) {
    const struct move *move = &moves->of[i];
    uint32_t offset = i * 0x8000;
    uint64_t ea = move->peer == IN_MEMORY ? blade_allocate(bed.blade, 0, move->nbytes)
                                          : spu_ls_ea(move->peer, THERE + offset);
    if (move->late) {
      spu_compute(move->late);
    }
    (move->put ? mfc_put : mfc_get)(spu_ls(HERE + offset), ea, move->nbytes, i, 0, 0);
  }
  bed_finish(1U << (moves->n - 1));
  moves->done = spu_cycles();
  bed_finish((1U << moves->n) - 1);
}

/* Let N SPEs make MOVES, on a fresh machine. */
static void run(struct moves moves[], unsigned n) {
  struct spu programs[SPES_MAX];
  for (unsigned i = 0; i < n; i++) {
    programs[i] =
      (struct spu){.spe = moves[i].spe, .main = make_moves, .argument = &moves[i], .name = "mover"};
  }
  blade_reset(bed.blade);
  bed_run(programs, n);
}

static double run_one(unsigned spe, struct move move) {
  struct moves moves = {.spe = spe, .n = 1, .of = {move}};
  run(&moves, 1);
  return (double)moves.done;
}

static struct moves put_and_get = {
  .n = 2, .of = {{.peer = 2, .nbytes = 2048, .put = true}, {.peer = 4, .nbytes = 128, .late = 100}}};

PROGRAM(fill_and_move, memset(spu_ls(HERE), 1, 2048); make_moves(argument))

/* How many of 2 KiB have come at cycle `at` and one cycle later. */
struct looks {
  uint64_t at;
  unsigned nbytes[2];
};

static void look_twice(void *argument) {
  struct looks *looks = argument;
  const uint8_t *bytes = spu_ls(THERE);
  for (unsigned i = 0; i < 2; i++) {
    spu_compute(i ? 1 : looks->at);
    spu_catch_up();
    for (unsigned j = 0; j < 2048; j++) {
      looks->nbytes[i] += bytes[j];
    }
  }
}

TESTS(rates, .start = begin, .stop = bed_end);

/* The limit of 10 requests to other chips is a window of 10 lines, and holds a get of 16 KiB across chips
 * back: an entry comes back after a round trip of C + bif.command + R + there + bif.data + here +
 * mfc.retire, while the link would take 10 lines in 394. Twelve pieces of 10 lines go before the piece with
 * the last 8 lines. */
TEST(rule_1_a_window_bounds_what_is_under_way) {
  const struct platform *p = bed.platform;
  double there = way(8, p->chip.bif) + T, here = way(0, p->chip.bif) + T;
  double once = C + p->bif.command + R + there + p->bif.data + here;
  ck_assert_double_eq(run_one(0, (struct move){.peer = 8, .nbytes = 16384}),
                      I + B + once + floor(7 * link) + 12 * (once + p->mfc.retire) + D);
}

/* A put of 2 KiB takes all 16 entries of the window for puts. A get 100 cycles later finds the window for
 * gets empty, and meets nobody: the put uses the other ramp of SPE 0. The call of the put takes I. */
TEST(rule_14_gets_and_puts_have_windows_of_their_own) {
  run(&put_and_get, 1);
  ck_assert_double_eq((double)put_and_get.done, I + 100 + I + B + C + R + between(0, 4) + T + D);
}

/* A put of 2 KiB. One cycle before its last line can be seen no byte is there, and with that cycle all
 * bytes. */
TEST(rule_15_all_bytes_can_be_seen_at_once) {
  double last = ceil(14 * ramp) + floor(ramp) + between(0, 1) + T;
  struct moves moves = {.n = 1, .of = {{.peer = 1, .nbytes = 2048, .put = true}}};
  struct looks looks = {.at = (uint64_t)(I + B + C + R + last) + (uint64_t)bed.platform->mfc.visible - 1};
  struct spu programs[] = {{.spe = 0, .main = fill_and_move, .argument = &moves, .name = "mover"},
                           {.spe = 1, .main = look_twice, .argument = &looks, .name = "looker"}};
  bed_run(programs, 2);
  ck_assert_uint_eq(looks.nbytes[0], 0);
  ck_assert_uint_eq(looks.nbytes[1], 2048);
}

/* Three of four entries are free at 100 and soon after, the last one 65 cycles later. */
TEST(rule_2_a_piece_has_only_entries_that_are_free_soon) {
  uint64_t entries[4] = {90, 100, 164, 229}, at = 100;
  struct rates_window window = {.entries = {.free_at = entries, .end = 4, .mask = 3}, .gap_max = 64};
  struct rates_job job = {.credits = NULL};
  ck_assert_uint_eq(rates_window_take(&window, &job, 4, &at), 3);
  ck_assert_uint_eq(at, 164);
  at = 165;
  ck_assert_uint_eq(rates_window_take(&window, &job, 4, &at), 1);
}

/* A put of 4 KiB to SPE 2 goes in pieces of 4 lines. Four pieces take all 16 entries and the ramp for 16 x
 * 16.66 cycles. A put of 16 bytes to SPE 4 comes in the meantime and has the first free entry, and the ramp
 * after these 16 lines. */
TEST(rule_3_who_issued_last_has_the_last_turn) {
  struct moves moves = {
    .n = 2,
    .of = {{.peer = 2, .nbytes = 4096, .put = true}, {.peer = 4, .nbytes = 16, .put = true, .late = 100}}};
  run(&moves, 1);
  ck_assert_double_eq((double)moves.done, I + B + C + R + ceil(16 * ramp) + between(0, 4) + T + D);
}

/* Two SPEs get 2 KiB from SPE 0. The 16 pieces come to SPE 0's ramp in turn and take the ramp for 33.32
 * cycles each: the last two pieces start 14 x 33.32 and 15 x 33.32 cycles after the first, each piece's
 * last line 16 later. */
TEST(rule_6_pieces_share_the_ramp_of_their_source) {
  struct moves moves[] = {{.spe = 1, .n = 1, .of = {{.peer = 0, .nbytes = 2048}}},
                          {.spe = 3, .n = 1, .of = {{.peer = 0, .nbytes = 2048}}}};
  run(moves, 2);
  for (unsigned i = 0; i < 2; i++) {
    double last = ceil((28 + 2 * i) * ramp) + floor(ramp);
    ck_assert_double_eq((double)moves[i].done, I + B + C + R + last + between(0, moves[i].spe) + T + D);
  }
}

/* Three SPEs put 2 KiB to SPE 0. SPE 0's ramp takes each of the 24 pieces for 33.32 cycles, from the arrival
 * of the first piece, 3 hops after its start. The SPEs take turns in the order of units: each SPE has one of
 * the last three pieces. */
TEST(rules_7_and_8_senders_share_the_ramp_of_their_target_in_turn) {
  struct moves moves[3];
  for (unsigned i = 0; i < 3; i++) {
    moves[i] = (struct moves){.spe = 1 + 2 * i, .n = 1, .of = {{.peer = 0, .nbytes = 2048, .put = true}}};
  }
  run(moves, 3);
  double first = I + B + C + R + between(1, 0);
  for (unsigned i = 0; i < 3; i++) {
    double last = ceil((42 + 2 * i) * ramp) + floor(ramp);
    ck_assert_double_eq((double)moves[i].done, first + last + T + D);
  }
}

/* A get of 2 KiB from each other SPE of the chip: every hop counts. */
TEST(rule_9_hops_take_their_time) {
  for (unsigned peer = 1; peer < NSPES; peer++) {
    ck_assert_double_eq(run_one(0, (struct move){.peer = peer, .nbytes = 2048}),
                        I + B + C + R + ceil(14 * ramp) + floor(ramp) + between(0, peer) + T + D);
  }
}

/* A get of 1 KiB across chips: 8 lines, within the limit of 10. The link takes 8 pieces of a line for 39.36
 * cycles each. */
TEST(rule_10_a_link_has_a_rate) {
  const struct platform *p = bed.platform;
  double at_link = I + B + C + p->bif.command + R + way(8, p->chip.bif) + T;
  ck_assert_double_eq(run_one(0, (struct move){.peer = 8, .nbytes = 1024}),
                      at_link + ceil(7 * link) + p->bif.data + way(0, p->chip.bif) + T + D);
}

/* A get of 2 KiB from memory is at the controller at I + B + C. The controller takes 8 pieces of 2 lines at
 * the controller's rate, and memory.latency for each. */
TEST(rule_11_a_memory_has_a_rate) {
  const struct platform *p = bed.platform;
  double line = p->memory.read_interval;
  ck_assert_double_eq(run_one(0, (struct move){.peer = IN_MEMORY, .nbytes = 2048}),
                      I + B + C + ceil(14 * line) + floor(line) + p->memory.latency + way(0, p->chip.memory) +
                        T + D);
}

/* A notification across chips meets nobody: C + bif.command + R, the way there, bif.data, the way here. */
TEST(a_notification_takes_what_it_takes_on_the_exact_bus) {
  const struct platform *p = bed.platform;
  double ways = way(0, p->chip.bif) + way(8, p->chip.bif) + 2 * T;
  ck_assert_double_eq(run_one(0, (struct move){.peer = 8, .nbytes = 16}),
                      I + B + C + p->bif.command + R + ways + p->bif.data + D);
}

TEST(nothing_is_left_of_earlier_runs) {
  double first = run_one(0, (struct move){.peer = 8, .nbytes = 16384});
  ck_assert_double_gt(run_one(3, (struct move){.peer = 8, .nbytes = 4096, .put = true}), 0);
  ck_assert_double_eq(run_one(0, (struct move){.peer = 8, .nbytes = 16384}), first);
}

/* --- other machines --- */

TESTS(rates, .start = start_engine, .stop = bed_end);

/* A put of 2 KiB is at the command bus at I + B = 40 and issues 2 lines in 4 cycles: at 40, 44 and 48. A put
 * of 16 bytes is there 10 cycles later, issues at 52, and has the ramp after 6 lines. */
TEST(rule_4_a_piece_is_issued_when_the_command_bus_has_taken_the_last_one) {
  begin_with("mfc.command-interval=0");
  struct moves moves = {
    .n = 2, .of = {{.peer = 2, .nbytes = 2048, .put = true}, {.peer = 4, .nbytes = 16, .put = true}}};
  run(&moves, 1);
  ck_assert_double_eq((double)moves.done, I + B + C + R + ceil(6 * ramp) + between(0, 4) + T + D);
}

/* The get waits for the entry of the put's first line. */
TEST(rule_14_gets_and_puts_share_one_window) {
  begin_with("mfc.windows=1");
  run(&put_and_get, 1);
  double entry = I + B + C + R + between(0, 2) + T + bed.platform->mfc.retire;
  ck_assert_double_eq((double)put_and_get.done, entry + C + R + between(0, 4) + T + D);
}

/* The MFCs of a chip have one line to other chips under way. The get of SPE 1 waits for the line of SPE 0,
 * whose get has begun 20 cycles before. */
TEST(rule_1a_a_chip_has_a_limit) {
  begin_with("bif.chip-requests=1");
  const struct platform *p = bed.platform;
  struct moves moves[] = {{.spe = 0, .n = 1, .of = {{.peer = 8, .nbytes = 128}}},
                          {.spe = 1, .n = 1, .of = {{.peer = 9, .nbytes = 128, .late = 20}}}};
  double line = C + p->bif.command + R + p->bif.data + 2 * T;
  run(moves, 2);
  double free = I + B + line + way(8, p->chip.bif) + way(0, p->chip.bif) + p->mfc.retire;
  ck_assert_double_eq((double)moves[1].done, free + line + way(9, p->chip.bif) + way(1, p->chip.bif) + D);
}

/* The command bus takes a line in 200 cycles: the second of two SPEs waits for 200. */
TEST(rule_5_the_command_bus_takes_line_by_line) {
  begin_with("eib.command-interval=100");
  struct moves moves[] = {{.spe = 1, .n = 1, .of = {{.peer = 0, .nbytes = 128}}},
                          {.spe = 4, .n = 1, .of = {{.peer = 5, .nbytes = 128}}}};
  run(moves, 2);
  ck_assert_double_eq((double)moves[0].done, I + B + C + R + between(1, 0) + T + D);
  ck_assert_double_eq((double)moves[1].done, I + B + 200 + C + R + between(4, 5) + T + D);
}

/* Four chips in a line. A put from chip 0 comes to the first link of its way, 0-1, at cycle 1350 or so (three
 * times bif.command before) and to the last, 2-3, two times bif.data later, at 1990 or so. A put from chip 2
 * to 2-3 in between, at 1570 or so, takes the same time as alone. */
TEST(rule_10a_a_link_is_taken_when_a_piece_gets_there) {
  begin_with("blade.chips=4;blade.topology=0-1 1-2 2-3");
  struct move near = {.peer = 3 * NSPES, .nbytes = 128, .put = true, .late = 1000};
  double alone = run_one(2 * NSPES, near);
  struct moves moves[] = {{.n = 1, .of = {{.peer = 3 * NSPES + 1, .nbytes = 128, .put = true}}},
                          {.spe = 2 * NSPES, .n = 1, .of = {near}}};
  run(moves, 2);
  ck_assert_double_eq((double)moves[1].done, alone);
}

/* Ports of 22 cycles a line, more than a ramp. */
TEST(rule_12_a_port_has_a_rate) {
  begin_with("ls.port-interval=11");
  ck_assert_double_eq(run_one(0, (struct move){.peer = 3, .nbytes = 2048}),
                      I + B + C + 15 * 22 + R + between(0, 3) + T + D);
}

/* All 16 SPEs put 16 KiB, 128 lines, to the memory of chip 0, with its ramp in as the only bottleneck. Each
 * MFC keeps 16 lines under way, so that 256 lines wait. Memory takes the oldest line first: each SPE has one
 * line of 16, and all SPEs end together, but for the last 256 lines of 2048. In a round over units, with the
 * BIF as one unit, the 1024 lines of chip 0 would be over after 9/8 x 1024 turns, 0.56 of the time. On both
 * buses. */
TEST_EACH(rule_16_memory_takes_the_oldest_lines_first, 0, 2) {
  setenv("BED_BUS", _i ? "exact" : "rates", 1);
  begin_with(
    "eib.ramp-interval=32;memory.write-interval=1;bif.bandwidth=200;bif.overhead=0;bif.mfc-requests=16");
  struct moves moves[SPES_MAX];
  for (unsigned i = 0; i < SPES_MAX; i++) {
    moves[i] = (struct moves){.spe = i, .n = 1, .of = {{.peer = IN_MEMORY, .nbytes = 16384, .put = true}}};
  }
  run(moves, SPES_MAX);
  double near = 0, far = 0;
  for (unsigned i = 0; i < NSPES; i++) {
    near = fmax(near, (double)moves[i].done);
    far = fmax(far, (double)moves[i + NSPES].done);
  }
  double all = SPES_MAX * 128 * ramp;
  ck_assert_double_ge(far, all);
  ck_assert_msg(fmin(near, far) >= all - 256 * ramp,
                "SPEs of chip 0 end at %.0f, those of chip 1 at %.0f, all lines take %.0f", near, far, all);
}
