/* SPDX-License-Identifier: BSD-3-Clause
 * See model_measure.h.
 *
 *   flag, get ...           one SPE with each SPE of another chip, or of its own, at the distance asked for:
 *                           mean
 *   get-hold ...            the same with one bus request more than the window has entries; what that adds to
 *                           a single one
 *   out, in                 all other SPEs of a chip get 16 KiB from one, or put them there; what the last
 *                           one of them adds
 *   link, read, write       all SPEs of a chip get 16 KiB from those of a neighbour, or of memory, or put
 *                           them there; likewise
 *   link-flag               all SPEs of a chip get 16 KiB from those of a neighbour, with and without some
 *                           gets of 16 bytes besides
 *   between                 one SPE gets a line from another one, or from itself
 *   load, store             one SPE loads a line that another one keeps, and stores it
 *   load-busy               two load it at once: what the second one waits
 *   ppe-read, ppe-write     one word; ppe-copy, ppe-combine: 1 MiB, or a quarter of the memory of a chip
 *   word                    one SPE puts a word into the memory of chip 0, where the PPE awaits it; poll: one
 *                           that is there already */
#include "validate/model/model_measure.h"

#include "algos/step/coll.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "platform/parameters.h"
#include "sim/hw/blade.h"
#include "sim/spu/ppe_api.h"
#include "validate/lab/rig.h"

#include <math.h>
#include <string.h>

enum { TAG = 1, NOTES = 8, LATER = 100000, COPY_BYTES_MAX = 1 << 20 };

/* What the ranks of a measurement do. */
struct measurement {
  struct blade *blade;
  enum model_value value;
  size_t nbytes;
  bool put;
  bool memory, own; /* the far end: memory, or the own local store */
  unsigned chip;    /* whose memory it is */
  unsigned notes;   /* gets of the size of a notification besides */
  uint64_t base;    /* of 16 KiB there for each rank */
  const struct coll_group *group;
  uint64_t from, to; /* of the PPE */
  double cycles;     /* that its program took */
};

/* --- SPE programs --- */

static const struct step_port *port(const struct rig_rank *rank) {
  return rank->c->group->port;
}

/* Return where PEER has its buffer. */
static uint64_t buffer_of(const struct rig_rank *rank, unsigned peer) {
  return step_peer_ea(rank->c, peer, rank->c->buffer);
}

static void raise_flag(struct rig_rank *rank) {
  uint32_t *flag = (uint32_t *)rank->c->buffer;
  flag[0] = 1;
  port(rank)->tell(flag, buffer_of(rank, rank->peer), MFC_MIN_DMA_SIZE, TAG);
}

static void await_flag(struct rig_rank *rank) {
  struct spu_flag flag = {.word = (uint32_t *)rank->c->buffer, .value = 1, .peer = -1, .what = "flag"};
  port(rank)->note_flags(rank->c->buffer, MFC_MIN_DMA_SIZE);
  port(rank)->wait_flag(&flag);
}

/* Move data between the own local store and that of the peer, or memory. */
static void move(struct rig_rank *rank) {
  const struct measurement *of = rank->job;
  uint8_t *ls = rank->c->buffer;
  uint64_t ea = buffer_of(rank, rank->peer);
  if (of->own) {
    ea = buffer_of(rank, rank->c->rank) + MODEL_DMA_BYTES;
  } else if (of->memory) {
    ea = of->base + rank->c->rank * MODEL_DMA_BYTES;
  }
  port(rank)->move(
    &(struct step_dma){.ls = ls, .ea = ea, .nbytes = (uint32_t)of->nbytes, .tag = TAG, .put = of->put});
  for (unsigned i = 0; i < of->notes; i++) {
    port(rank)->move(&(struct step_dma){.ls = ls, .ea = ea, .nbytes = MODEL_FLAG_BYTES, .tag = TAG});
  }
  port(rank)->wait_tags(1U << TAG);
}

/* Load the line when the program of rank 0 has it; for MODEL_STORE store it then. */
static void load(struct rig_rank *rank) {
  const struct measurement *of = rank->job;
  uint64_t line = of->base;
  if (rank->c->rank > 0) {
    port(rank)->compute(COMPUTE_OTHER, LATER);
    port(rank)->sync();
  }
  uint64_t start = port(rank)->cycles();
  port(rank)->load_line(rank->c->buffer, line);
  if (of->value == MODEL_ATOMIC) {
    start = port(rank)->cycles();
    port(rank)->load_line(rank->c->buffer, line);
  } else if (of->value == MODEL_STORE) {
    start = port(rank)->cycles();
    port(rank)->store_line(rank->c->buffer, line);
  }
  rank->cycles = (double)(port(rank)->cycles() - start);
}

static void write_word(struct rig_rank *rank) {
  port(rank)->write_mailbox(1);
}

static void read_word(struct rig_rank *rank) {
  port(rank)->read_mailbox();
}

/* --- PPE programs --- */

static void serve(void *argument) {
  struct measurement *of = argument;
  const struct step_port *port = of->group->port;
  uint64_t start = ppe_cycles();
  switch (of->value) {
  case MODEL_WORD:
  case MODEL_POLL:
    port->ppe_wait_word(of->from, of->value == MODEL_WORD, 0);
    break;
  case MODEL_PPE_COMBINE:
    port->ppe_combine(&(struct combine){.nbytes = of->nbytes}, of->to, of->from);
    break;
  case MODEL_PPE_READ:
    port->ppe_read_mailbox(0);
    break;
  case MODEL_PPE_WRITE:
    port->ppe_write_mailbox(0, 1);
    break;
  default:
    port->ppe_copy(of->to, of->from, (uint32_t)of->nbytes);
  }
  of->cycles = (double)(ppe_cycles() - start);
}

/* --- rigs --- */

/* Prepare RIG for N ranks on chip 0 and the next one, or on the SPEs of PLACES if it is not NULL, each with
 * memory of its own.
 * owner: the caller, with rig_fini. */
static void start(struct rig *rig, struct measurement *of, uint64_t *places, unsigned n) {
  struct units_list both = rig_two_chips(of->blade);
  struct rig_spec spec = {
    .nranks = n,
    .nbytes = 2 * MODEL_DMA_BYTES,
    .nrepeats = 1,
    .profile = &blade_platform(of->blade)->profiles[0],
    .placement = {PLACEMENT_LIST, places ? (struct units_list){.values = places, .n = n} : both}};
  rig_init_known(rig, of->blade, &spec);
  units_list_fini(&both);
  of->base = blade_allocate(of->blade, of->chip, MODEL_DMA_BYTES * (uint64_t)n);
  of->group = &rig->group;
  for (unsigned r = 0; r < n; r++) {
    rig->ranks[r].job = of;
  }
}

/* Two SPEs, the programs of both, and whose time counts. */
struct pair {
  uint64_t spes[2];
  rig_program *programs[2];
  unsigned which;
};

static double measure_pair(struct measurement *of, struct pair *pair) {
  struct rig rig;
  start(&rig, of, pair->spes, 2);
  for (unsigned i = 0; i < 2; i++) {
    rig.ranks[i].peer = !i;
    if (pair->programs[i]) {
      rig_set(&rig, i, pair->programs[i]);
    }
  }
  return rig_measure(&rig, pair->which, pair->which + 1);
}

/* Find two chips with LINKS on the way between them.
 * returns: whether there are. */
static bool find_chips(const struct blade *blade, unsigned links, unsigned chips[2]) {
  for (chips[0] = 0; chips[0] < blade_nchips(blade); chips[0]++) {
    for (chips[1] = 0; chips[1] < blade_nchips(blade); chips[1]++) {
      if (blade_links_between(blade, chips[0], chips[1]) == links) {
        return true;
      }
    }
  }
  return false;
}

/* Return the mean over all second SPEs of PAIR, whose first one is the first of its chip. */
static double mean_of_pairs(struct measurement *of, struct pair pair, unsigned links) {
  unsigned chips[2], n = blade_spes_per_chip(of->blade), count = 0;
  double sum = 0;
  if (!find_chips(of->blade, links, chips)) {
    return 0;
  }
  of->chip = chips[1];
  pair.spes[0] = (uint64_t)chips[0] * n;
  for (unsigned i = 0; i < n; i++) {
    pair.spes[1] = (uint64_t)chips[1] * n + i;
    if (pair.spes[1] != pair.spes[0]) {
      sum += measure_pair(of, &pair);
      count++;
    }
  }
  return count ? sum / count : 0;
}

/* Return the mean time of N SPEs of a chip, from the FIRST on, that move 16 KiB at once: with SPE 0 of a
 * chip, or with the SPE in the same place of chip 0. */
static double time_of_many(struct measurement *of, unsigned first, unsigned n, bool apart) {
  unsigned chip = blade_spes_per_chip(of->blade);
  struct rig rig;
  start(&rig, of, NULL, apart ? 2 * chip : chip);
  for (unsigned r = first; r < first + n; r++) {
    rig.ranks[r].peer = apart ? r - chip : 0;
    rig_set(&rig, r, move);
  }
  return rig_measure(&rig, first, first + n);
}

/* Return what the last one of them adds for each bus request. */
static double use_of_many(struct measurement *of, unsigned first, bool apart) {
  unsigned chip = blade_spes_per_chip(of->blade), n = chip - (first == 1);
  if (n < 2 || (apart && blade_nchips(of->blade) < 2)) {
    return 0;
  }
  double more = time_of_many(of, first, n, apart) - time_of_many(of, first, n - 1, apart);
  return more * MODEL_LINE_BYTES / MODEL_DMA_BYTES;
}

/* Return what a notification adds for each of the SPEs of a chip that keep a link busy with data. */
static double link_of_notification(struct measurement *of) {
  unsigned n = blade_spes_per_chip(of->blade);
  if (blade_nchips(of->blade) < 2) {
    return 0;
  }
  double data = time_of_many(of, n, n, true);
  of->notes = NOTES;
  return fmax(0, time_of_many(of, n, n, true) - data) / (NOTES * n);
}

/* Return how long SPE number TO needs to get a line from SPE number FROM of its chip, or from itself. */
static double time_between(struct measurement *of, unsigned from, unsigned to) {
  of->nbytes = MODEL_LINE_BYTES;
  of->own = from == to;
  return measure_pair(of, &(struct pair){.spes = {to, of->own ? !to : from}, .programs = {move, NULL}});
}

/* Return by how much a second load delays a first one, of a line that a third SPE keeps. */
static double time_of_second_load(struct measurement *of) {
  double times[2];
  if (blade_spes_per_chip(of->blade) < 3) {
    return 0;
  }
  for (unsigned n = 1; n <= 2; n++) {
    struct rig rig;
    start(&rig, of, NULL, 3);
    for (unsigned r = 0; r <= n; r++) {
      rig_set(&rig, r, load);
    }
    rig_run_sound(&rig);
    times[n - 1] = n == 1 ? rig.ranks[1].cycles : fmax(rig.ranks[1].cycles, rig.ranks[2].cycles);
    rig_fini(&rig);
  }
  return times[1] - times[0];
}

/* Put a word into the memory of chip 0. */
static void put_word(struct rig_rank *rank) {
  const struct measurement *of = rank->job;
  memset(rank->c->buffer, 0, MFC_MIN_DMA_SIZE);
  *(uint32_t *)rank->c->buffer = 1;
  port(rank)->move(&(struct step_dma){.ls = rank->c->buffer,
                                      .ea = of->base,
                                      .nbytes = MFC_MIN_DMA_SIZE,
                                      .tag = TAG,
                                      .put = true,
                                      .held = true});
}

/* Run RIG with the program of the PPE, and release it.
 * returns: how long that program takes. */
static double run_ppe(struct measurement *of, struct rig *rig) {
  of->cycles = NAN;
  rig->ppe.main = serve;
  rig->ppe.argument = of;
  rig_run_sound(rig);
  rig_fini(rig);
  return of->cycles;
}

/* Return how long the PPE of chip 0 waits for a word of an SPE: the mean over those of a chip LINKS away. */
static double mean_of_words(struct measurement *of, unsigned links) {
  unsigned n = blade_spes_per_chip(of->blade), chip = 0;
  double sum = 0;
  while (chip < blade_nchips(of->blade) && blade_links_between(of->blade, chip, 0) != links) {
    chip++;
  }
  for (unsigned i = 0; i < n && chip < blade_nchips(of->blade); i++) {
    uint64_t spe = (uint64_t)chip * n + i;
    struct rig rig;
    start(&rig, of, &spe, 1);
    of->from = of->base;
    rig_set(&rig, 0, put_word);
    sum += run_ppe(of, &rig);
  }
  return sum / n;
}

static double time_of_ppe(struct measurement *of) {
  struct rig rig;
  start(&rig, of, NULL, 2);
  uint64_t quarter = blade_parameters(of->blade)->memory_bytes / 4;
  of->nbytes = quarter < COPY_BYTES_MAX ? quarter : COPY_BYTES_MAX;
  of->from = blade_allocate(of->blade, 0, of->nbytes);
  of->to = blade_allocate(of->blade, 0, of->nbytes);
  if (of->value == MODEL_PPE_READ) {
    rig_set(&rig, 0, write_word);
  } else if (of->value == MODEL_PPE_WRITE) {
    rig_set(&rig, 0, read_word);
  }
  double cycles = run_ppe(of, &rig);
  bool by_line = of->value == MODEL_PPE_COPY || of->value == MODEL_PPE_COMBINE;
  return by_line ? cycles * MODEL_LINE_BYTES / (double)of->nbytes : cycles;
}

unsigned model_measure_window(const struct blade *blade) {
  const struct parameters *parameters = blade_parameters(blade);
  unsigned lines = parameters->window * parameters->request_bytes / MODEL_LINE_BYTES;
  unsigned most = MODEL_DMA_BYTES / MODEL_LINE_BYTES - 1;
  return lines < 1 ? 1 : lines > most ? most : lines;
}

/* Return the value of OF, one of gets, puts, reads, writes over LINKS: the time of a line, or how long it
 * keeps its window entry. On a chip the ramps let no more lines pass than the window does, so that a line
 * more does not tell; as long before its end as one from memory a line gives its entry back there. */
static double line_or_hold(struct measurement *of, unsigned links) {
  unsigned kind = of->value - MODEL_GET_LINE;
  struct pair pair = {.programs = {move, NULL}};
  of->put = kind / 2 % 2 == 1;
  of->memory = kind / 4 == 1;
  of->nbytes = MODEL_LINE_BYTES;
  double line = mean_of_pairs(of, pair, links);
  if (kind % 2 == 0) {
    return line;
  }
  of->nbytes = (model_measure_window(of->blade) + 1) * MODEL_LINE_BYTES;
  double hold = mean_of_pairs(of, pair, links) - line;
  if (of->memory || links > 0) {
    return hold;
  }
  double before_end =
    model_measure(of->blade, MODEL_READ_LINE, 0) - model_measure(of->blade, MODEL_READ_HOLD, 0);
  return fmin(hold, line - before_end);
}

double model_measure(struct blade *blade, enum model_value value, unsigned way) {
  struct measurement of = {.blade = blade, .value = value, .nbytes = MODEL_DMA_BYTES};
  switch (value) {
  case MODEL_ISSUE:
    return mean_of_pairs(&of, (struct pair){.programs = {raise_flag, NULL}}, way);
  case MODEL_FLAG:
    return mean_of_pairs(&of, (struct pair){.programs = {raise_flag, await_flag}, .which = 1}, way);
  case MODEL_OUT:
    return use_of_many(&of, 1, false);
  case MODEL_IN:
    of.put = true;
    return use_of_many(&of, 1, false);
  case MODEL_LINK:
    return use_of_many(&of, blade_spes_per_chip(blade), true);
  case MODEL_LINK_FLAG:
    return link_of_notification(&of);
  case MODEL_READ:
  case MODEL_WRITE:
    of.memory = true;
    of.put = value == MODEL_WRITE;
    return use_of_many(&of, 0, false);
  case MODEL_BETWEEN:
    return time_between(&of, way / blade_spes_per_chip(blade), way % blade_spes_per_chip(blade));
  case MODEL_ATOMIC:
  case MODEL_LOAD_MEMORY:
    return mean_of_pairs(&of, (struct pair){.programs = {load, NULL}}, way);
  case MODEL_LOAD:
  case MODEL_STORE:
    return mean_of_pairs(&of, (struct pair){.programs = {load, load}, .which = 1}, way);
  case MODEL_LOAD_BUSY:
    return time_of_second_load(&of);
  case MODEL_PPE_READ:
  case MODEL_PPE_WRITE:
  case MODEL_PPE_COPY:
  case MODEL_POLL:
    return time_of_ppe(&of);
  case MODEL_PPE_COMBINE: /* without a rate a program that combines is stopped */
    return blade_parameters(blade)->combine_bytes_per_cycle > 0 ? time_of_ppe(&of) : 0;
  case MODEL_WORD:
    return mean_of_words(&of, way);
  default:
    return line_or_hold(&of, way);
  }
}
