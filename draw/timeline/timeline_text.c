/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline.h. Each character stands for the same number of cycles and shows the activity of most of
 * these cycles. Flowing bytes take precedence over the wait of the program. */
#include "draw/timeline/timeline.h"

#include "sim/base/vec.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  SOFTWARE = '#',
  COMBINES = '+',
  COMPUTES = '%',
  ALONE = '=',
  RAMP_SHARED = '~',
  OWN_DMA = '-',
  OTHERS = '.',
  ON_PATH = '^'
};
enum {
  CAUSE_BAR = 40,
  LANE_LEAST = 10,
  FIRM_BLANK = '\1',
  WHOLE_NAME_SIZE = NODE_NAME_SIZE + TIMELINE_NAME_SIZE
};

/* Below a mean share of FLOWS no bytes flow; a DMA with ALONE_SHARE of its ramp's bytes is alone there. */
#define FLOWS 0.02
#define ALONE_SHARE 0.9

/* The drawing and the scale. */
struct sheet {
  const struct timeline *timeline;
  FILE *stream;
  unsigned columns, margin; /* columns of the drawing, and columns before the drawing */
  double cycles;            /* in a column */
  bool *used;               /* by sign */
};

/* --- bytes --- */

/* Return the mean of CURVE in column C, over the bins that begin in the column. */
static double mean_in(const struct sheet *sheet, const struct timeline_curve *curve, unsigned c) {
  double bin = (double)sheet->timeline->bin, sum = 0, weight = 0;
  size_t first = (size_t)(c * sheet->cycles / bin);
  for (size_t i = first; (double)i * bin < (c + 1) * sheet->cycles; i++) {
    double from = fmax((double)i * bin, c * sheet->cycles),
           to = fmin((double)(i + 1) * bin, (c + 1) * sheet->cycles);
    sum += timeline_curve_at(curve, i) * fmax(to - from, 0);
    weight += fmax(to - from, 0);
  }
  return weight > 0 ? sum / weight : 0;
}

/* Return the share of the ramp in use by BAR in column C. */
static double share_of(const struct sheet *sheet, const struct timeline_bar *bar, unsigned c) {
  bool there = (double)bar->from < (c + 1) * sheet->cycles && (double)bar->to > c * sheet->cycles;
  return there ? mean_in(sheet, &bar->curve, c) : 0;
}

/* Return the share of RAMP in use by all DMAs in column C. */
static double ramp_share(const struct sheet *sheet, unsigned ramp, unsigned c) {
  double sum = 0;
  VEC_EACH(lane, sheet->timeline->lanes, sheet->timeline->nlanes) {
    VEC_EACH(bar, lane->bars, lane->nbars) {
      sum += bar->ramp == ramp ? share_of(sheet, bar, c) : 0;
    }
  }
  return sum;
}

/* Return the sign for the bytes of LANE in column C; '\0': no bytes. */
static char bytes_sign(const struct sheet *sheet, const struct timeline_lane *lane, unsigned c) {
  double most = 0, own = 0;
  unsigned ramp = 0;
  if (lane->nspes > 1) {
    return mean_in(sheet, &lane->data, c) > FLOWS ? ALONE : '\0';
  }
  VEC_EACH(bar, lane->bars, lane->nbars) {
    double share = share_of(sheet, bar, c);
    own += share;
    ramp = share > most ? bar->ramp : ramp;
    most = fmax(most, share);
  }
  return own <= FLOWS ? '\0' : most < ALONE_SHARE * ramp_share(sheet, ramp, c) ? RAMP_SHARED : ALONE;
}

/* --- programs --- */

/* Fill CYCLES with how long LANE is in each state in column C. */
static void find_states(const struct sheet *sheet, const struct timeline_lane *lane, unsigned c,
                        double cycles[TIMELINE_STATES]) {
  double begin = c * sheet->cycles, end = (c + 1) * sheet->cycles;
  for (unsigned i = 0; i < TIMELINE_STATES; i++) {
    cycles[i] = lane->nspes > 1 ? mean_in(sheet, &lane->states[i], c) : 0;
  }
  VEC_EACH(part, lane->parts, lane->nparts) {
    cycles[part->ink] += fmax(0, fmin((double)part->to, end) - fmax((double)part->from, begin));
  }
}

static char sign_of(const struct sheet *sheet, const struct timeline_lane *lane, unsigned c) {
  static const char signs[TIMELINE_STATES] = {SOFTWARE, COMBINES, COMPUTES, OWN_DMA, OTHERS};
  double cycles[TIMELINE_STATES];
  enum timeline_ink most = 0;
  find_states(sheet, lane, c, cycles);
  for (enum timeline_ink ink = 1; ink < TIMELINE_STATES; ink++) {
    most = cycles[ink] > cycles[most] ? ink : most;
  }
  if (cycles[most] <= 0) {
    char sent =
      lane->nspes == 0 ? bytes_sign(sheet, lane, c) : '\0'; /* messages, after the program has ended */
    return sent ? sent : ' ';
  }
  char bytes = most >= TIMELINE_OWN_DMA ? bytes_sign(sheet, lane, c) : '\0';
  return bytes ? bytes : signs[most];
}

/* Write NAME and then SIGNS, without blanks at the end. */
static void write_line(const struct sheet *sheet, const char *name, const char *signs) {
  size_t n = sheet->columns;
  while (n > 0 && signs[n - 1] == ' ') {
    n--;
  }
  if (n > 0 || *name) {
    for (size_t i = 0; i < n; i++) {
      sheet->used[(unsigned char)signs[i]] = true;
    }
    fprintf(sheet->stream, "%-*s%.*s\n", n > 0 ? (int)sheet->margin : 0, name, (int)n, signs);
  }
}

/* Write where the path runs in lane NUMBER. */
static void write_path(const struct sheet *sheet, unsigned number) {
  SCOPED char *signs = xcalloc(sheet->columns + 1, 1);
  memset(signs, ' ', sheet->columns);
  VEC_EACH(line, sheet->timeline->path, sheet->timeline->npath) {
    unsigned first = (unsigned)((double)line->begin / sheet->cycles);
    unsigned last = (unsigned)((double)(line->end > line->begin ? line->end - 1 : line->end) / sheet->cycles);
    for (unsigned c = first; line->from == number && line->to == number && c <= last && c < sheet->columns;
         c++) {
      signs[c] = ON_PATH;
    }
  }
  write_line(sheet, "", signs);
}

/* Write the name of lane NUMBER of TIMELINE into NAME, with the lane's node if there are several nodes. */
static void name_lane(const struct timeline *timeline, size_t number, char name[WHOLE_NAME_SIZE]) {
  const struct timeline_lane *lane = &timeline->lanes[number];
  if (timeline->spans_nodes) {
    struct node_names names = timeline->names;
    names.hosts = names.processes ? NULL : names.hosts; /* lanes of processes have names of hosts */
    snprintf(name, WHOLE_NAME_SIZE, "%s %s", node_name(&names, lane->node), lane->name);
  } else {
    snprintf(name, WHOLE_NAME_SIZE, "%s", lane->name);
  }
}

static void write_lanes(const struct sheet *sheet) {
  const struct timeline *timeline = sheet->timeline;
  SCOPED char *signs = xcalloc(sheet->columns + 1, 1);
  for (unsigned i = 0; i < timeline->nlanes; i++) {
    for (unsigned c = 0; c < sheet->columns; c++) {
      signs[c] = sign_of(sheet, &timeline->lanes[i], c);
    }
    char name[WHOLE_NAME_SIZE];
    name_lane(timeline, i, name);
    write_line(sheet, name, signs);
    write_path(sheet, i);
  }
}

/* --- sentences --- */

/* Return TEXT in ASCII; no-break spaces become FIRM_BLANK.
 * owner: the caller. */
static char *to_ascii(const char *text) {
  const struct {
    const char *from, *to;
  } signs[] = {
    {"\u00a0", (const char[]){FIRM_BLANK, '\0'}}, {"\u00b5", "u"}, {"\u2019", "'"}, {"\u2192", "->"}};
  enum { SIGNS = VEC_LENGTH(signs) };
  char *plain = xstrdup("");
  size_t i;
  while (*text) {
    for (i = 0; i < SIGNS && strncmp(text, signs[i].from, strlen(signs[i].from)) != 0; i++) {
    }
    if (i < SIGNS) {
      xappend(&plain, "%s", signs[i].to);
    } else {
      xappend(&plain, "%c", *text);
    }
    text += i < SIGNS ? strlen(signs[i].from) : 1;
  }
  return plain;
}

/* Write TEXT in ASCII, in lines of at most COLUMNS. */
static void write_words(FILE *stream, const char *utf8, unsigned columns) {
  unsigned column = 0;
  SCOPED char *whole = to_ascii(utf8);
  const char *text = whole;
  while (*text) {
    size_t n = strcspn(text, " ");
    SCOPED char *word = xasprintf("%.*s", (int)n, text);
    for (char *blank = word; (blank = strchr(blank, FIRM_BLANK));) {
      *blank = ' ';
    }
    if (column > 0 && column + 1 + n > columns) {
      fputc('\n', stream);
      column = 0;
    }
    column += (unsigned)(n + (column > 0));
    fprintf(stream, "%s%s", column > n ? " " : "", word);
    text += n + (text[n] == ' ');
  }
  fputc('\n', stream);
}

static void write_causes(const struct timeline *timeline, unsigned columns, FILE *stream) {
  uint64_t total = 0;
  size_t widest = 0;
  enum { FIGURES = 18 /* characters beside the words and the bar */ };
  VEC_EACH(cause, timeline->causes, timeline->ncauses) {
    SCOPED char *what = to_ascii(cause->what);
    RAISE(widest, strlen(what));
    total += cause->cycles;
  }
  if (total > 0) {
    SCOPED char *head =
      xasprintf("Where the %llu cycles of the critical path went:", (unsigned long long)total);
    write_words(stream, head, columns);
  }
  unsigned bar = columns > widest + FIGURES ? columns - (unsigned)widest - FIGURES : 0;
  LOWER(bar, CAUSE_BAR);
  VEC_EACH(cause, timeline->causes, timeline->ncauses) {
    double share = (double)cause->cycles / (double)total;
    SCOPED char *what = to_ascii(cause->what);
    fprintf(stream, "  %-*s %8llu %3.0f %%%s", (int)widest, what, (unsigned long long)cause->cycles,
            100 * share, lround(bar * share) > 0 ? " " : "");
    for (long j = 0; j < lround(bar * share); j++) {
      fputc('#', stream);
    }
    fputc('\n', stream);
  }
}

/* Write a key of the signs in USED. */
static void write_key(const bool used[], unsigned columns, FILE *stream) {
  static const struct {
    char sign;
    const char *text;
  } entries[] = {{SOFTWARE, "software"},
                 {COMBINES, "combines"},
                 {COMPUTES, "computes"},
                 {ALONE, "data, alone on its sender's ramp"},
                 {RAMP_SHARED, "data, ramp shared"},
                 {OWN_DMA, "waits for its DMA"},
                 {OTHERS, "waits for others"},
                 {ON_PATH, "critical path"}};
  unsigned column = 0;
  VEC_EACH(entry, entries, VEC_LENGTH(entries)) {
    if (used[(unsigned char)entry->sign]) {
      unsigned width = (unsigned)strlen(entry->text) + 2;
      bool fits = column + 2 + width <= columns;
      fprintf(stream, "%s%c %s", column == 0 ? "" : fits ? "  " : "\n", entry->sign, entry->text);
      column = fits && column > 0 ? column + 2 + width : width;
    }
  }
  fputc('\n', stream);
}

/* Write the bands of TIMELINE in words. */
static void write_bands(const struct timeline *timeline, unsigned columns, FILE *stream) {
  SCOPED char *line = NULL;
  for (size_t i = 0; i < timeline->nbands; i++) {
    const struct timeline_band *band = &timeline->bands[i];
    SCOPED char *name = to_ascii(band->name);
    xappend(&line, "%s%s %.0f %% %s", i == 0 ? "Mean: " : ", ", name,
            100 * timeline_curve_mean(timeline, &band->curve), band->of);
  }
  if (line) {
    write_words(stream, line, columns);
  }
}

void timeline_text_write(const struct timeline *const calls[], size_t n, unsigned columns, FILE *stream) {
  uint64_t length = 1;
  size_t margin = 0;
  bool used[UCHAR_MAX + 1] = {false};
  RAISE(columns, TIMELINE_COLUMNS_LEAST);
  LOWER(columns, TIMELINE_COLUMNS_MOST);
  VEC_EACH(call, calls, n) {
    RAISE(length, (*call)->cycles);
    for (size_t j = 0; j < (*call)->nlanes; j++) {
      char name[WHOLE_NAME_SIZE];
      name_lane(*call, j, name);
      size_t width = strlen(name) + 2;
      RAISE(margin, width);
    }
  }
  VEC_EACH(call, calls, n) {
    struct sheet sheet = {.timeline = *call, .stream = stream, .margin = (unsigned)margin, .used = used};
    sheet.columns = columns > sheet.margin + LANE_LEAST ? columns - sheet.margin : LANE_LEAST;
    sheet.cycles = (double)length / sheet.columns;
    write_words(stream, (*call)->title, columns);
    write_words(stream, (*call)->subtitle, columns);
    fputc('\n', stream);
    write_lanes(&sheet);
    fputc('\n', stream);
    write_bands(*call, columns, stream);
    write_causes(*call, columns, stream);
    fputc('\n', stream);
  }
  if (n > 1) {
    SCOPED char *difference = timeline_difference(calls[0], calls[1]);
    write_words(stream, difference, columns);
  }
  write_key(used, columns, stream);
}
