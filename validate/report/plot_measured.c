/* SPDX-License-Identifier: BSD-3-Clause
 * See plot_measured.h. */
#include "validate/report/plot_measured.h"

#include "draw/gnuplot_batch.h"
#include "draw/plot_frame.h"
#include "sim/base/xalloc.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdlib.h>

/* The roles in the order in which they are drawn: what tests comes first. */
static const struct {
  enum published_role role;
  const char *title;
} roles[] = {{PUBLISHED_TEST, "test: nothing was chosen by it"},
             {PUBLISHED_FIT, "fit: values were fitted to it"},
             {PUBLISHED_DERIVED, "derived: a value was solved for it"}};
enum { NROLES = sizeof roles / sizeof *roles };

static int by_error(const void *a, const void *b) {
  const struct published_row *const *one = a, *const *other = b;
  double difference = (*one)->error - (*other)->error;
  return difference < 0 ? -1 : difference > 0 ? 1 : *one < *other ? -1 : 1;
}

/* Return those of N ROWS that have an error, in ascending order, *COUNT of them.
 * owner: the caller frees the array. */
static const struct published_row **in_order(const struct published_row *rows, size_t n, size_t *count) {
  const struct published_row **order = xcalloc(n + 1, sizeof *order);
  *count = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isnan(rows[i].error)) {
      order[(*count)++] = &rows[i];
    }
  }
  qsort(order, *count, sizeof *order, by_error);
  return order;
}

/* Write those of the N rows of ORDER that have role number INDEX as a data block.
 * returns: whether there are any. */
static bool write_role(FILE *script, const struct published_row **order, size_t n, unsigned index) {
  bool any = false;
  fprintf(script, "$role%u << END\n", index);
  for (size_t i = 0; i < n; i++) {
    if (order[i]->role == roles[index].role) {
      fprintf(script, "%zu %.3f \"%s: %+.1f %%\"\n", i + 1, order[i]->error, order[i]->id, order[i]->error);
      any = true;
    }
  }
  fputs("END\n", script);
  return any;
}

bool plot_measured(const struct published_row *rows, size_t n, const char *name,
                   struct gnuplot_batch *pictures) {
  char *script;
  size_t nbytes, count;
  const struct published_row **order = in_order(rows, n, &count);
  bool there[NROLES];
  struct plot_frame frame = {.name = name, .y = "error in %", .width = PLOT_WIDE};
  FILE *stream = open_memstream(&script, &nbytes);
  for (unsigned i = 0; i < NROLES; i++) {
    there[i] = write_role(stream, order, count, i);
    if (there[i]) {
      plot_frame_key(&frame, roles[i].title);
    }
  }
  plot_frame(stream, &frame);
  fprintf(
    stream,
    "set xrange [0:%zu]\nset format y '%%+.0f'\nset ytics add ('0' 0)\nset xzeroaxis lt 1 lc rgb '#555555'\n",
    count + 1);
  fputs("set object rectangle from graph 0, first -10 to graph 1, first 10 behind fs solid noborder fc rgb "
        "'#eeeeee'\nset yrange [*<-30:30<*]\nset xtics format ''\nplot ",
        stream);
  for (unsigned i = 0; i < NROLES; i++) {
    const struct plot_look *look = plot_look(i);
    if (there[i]) {
      fprintf(stream, "$role%u using 1:2:3 with labels hypertext point pt %u ps 0.9 lc rgb '%s' notitle, ", i,
              look->shape, look->colour);
      fprintf(stream, "keyentry with points pt %u ps 0.9 lc rgb '%s' title '%s', ", look->shape, look->colour,
              roles[i].title);
    }
  }
  fputs("NaN notitle\n", stream);
  fclose(stream);
  free(order);
  if (count > 0) {
    gnuplot_batch_add(pictures, name, script);
  } else {
    free(script);
  }
  return count > 0;
}

void plot_measured_csv(const struct published_row *rows, size_t n, FILE *csv) {
  size_t count;
  const struct published_row **order = in_order(rows, n, &count);
  fputs("id,role,published,simulated,unit,error_percent\n", csv);
  for (size_t i = 0; i < count; i++) {
    fprintf(csv, "%s,%s,%g,%g,%s,%.2f\n", order[i]->id, published_role_name(order[i]->role),
            order[i]->published, order[i]->simulated, order[i]->unit, order[i]->error);
  }
  free(order);
}
