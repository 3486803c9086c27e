/* SPDX-License-Identifier: BSD-3-Clause
 * See gnuplot_batch.h. */
#include "draw/gnuplot_batch.h"

#include "draw/gnuplot.h"
#include "draw/gnuplot_tidy.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gnuplot_batch_add(struct gnuplot_batch *batch, const char *name, char *script) {
  batch->names = xrealloc(batch->names, batch->n + 1, sizeof *batch->names);
  batch->scripts = xrealloc(batch->scripts, batch->n + 1, sizeof *batch->scripts);
  batch->names[batch->n] = xstrdup(name);
  batch->scripts[batch->n] = script;
  batch->n++;
}

/* Return all scripts of BATCH as one: each script begins with gnuplot's own settings and ends its picture.
 * owner: the caller frees the text. */
static char *join(const struct gnuplot_batch *batch) {
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  for (size_t i = 0; i < batch->n; i++) {
    fprintf(stream, "reset\n%s\nunset output\n", batch->scripts[i]);
  }
  fclose(stream);
  return text;
}

/* Take the pictures of BATCH from OUTPUT, where the pictures follow each other. */
static int take(struct gnuplot_batch *batch, char *output, struct err *err) {
  static const char end_tag[] = "</svg>";
  for (size_t i = 0; i < batch->n; i++) {
    char *start = strstr(output, "<svg"), *end = start ? strstr(start, end_tag) : NULL;
    if (!end) {
      return err_set(err, "%s", gnuplot_no_svg);
    }
    *end = '\0';
    batch->pictures[i] = gnuplot_tidy(start, batch->names[i]);
    output = end + strlen(end_tag);
  }
  return 0;
}

int gnuplot_batch_draw(struct gnuplot_batch *batch, struct err *err) {
  size_t nbytes;
  batch->pictures = xcalloc(batch->n, sizeof *batch->pictures);
  if (batch->n == 0) {
    return 0;
  }
  char *script = join(batch), *output = gnuplot_output(script, &nbytes, err);
  int status = output ? take(batch, output, err) : -1;
  free(script);
  free(output);
  return status;
}

const char *gnuplot_batch_next(struct gnuplot_batch *batch) {
  assert(batch->next < batch->n);
  return batch->pictures[batch->next++];
}

void gnuplot_batch_fini(struct gnuplot_batch *batch) {
  for (size_t i = 0; i < batch->n; i++) {
    free(batch->names[i]);
    free(batch->scripts[i]);
    if (batch->pictures) {
      free(batch->pictures[i]);
    }
  }
  free(batch->names);
  free(batch->scripts);
  free(batch->pictures);
}
