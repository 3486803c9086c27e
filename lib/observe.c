/* SPDX-License-Identifier: BSD-3-Clause
 * See observe.h. */
#include "lib/observe.h"

#include "config.h"
#include "lib/engine.h"
#include "sim/base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Take NBYTES of TEXT, and hand on each completed line. */
static ssize_t write_lines(void *cookie, const char *text, size_t nbytes) {
  struct observe_lines *lines = cookie;
  for (size_t i = 0; i < nbytes; i++) {
    if (lines->n + 1 >= lines->room) {
      lines->room = 2 * lines->room + 256;
      lines->line = xrealloc(lines->line, lines->room, 1);
    }
    bool ends = text[i] == '\n';
    lines->line[lines->n++] = ends ? '\0' : text[i];
    if (ends) {
      engine_caller_begin();
      lines->observer(lines->context, lines->line);
      engine_caller_end();
      lines->n = 0;
    }
  }
  return (ssize_t)nbytes;
}

void observe_lines_init(struct observe_lines *lines, const struct cellcoll_call *call,
                        const struct platform *platform, struct rig_spec *spec) {
  *lines = (struct observe_lines){.observer = call->observer, .context = call->context};
  if (!call->observer) {
    return;
  }
  lines->stream = fopencookie(lines, "w", (cookie_io_functions_t){.write = write_lines});
  if (!lines->stream) {
    abort(); /* no memory */
  }
  const struct trace_spec trace = {.stream = lines->stream,
                                   .format = TRACE_CSV,
                                   .level = call->every_request ? TRACE_BUS : TRACE_DMA,
                                   .platform = platform,
                                   .program = PACKAGE_STRING,
                                   .title = call->algorithm};
  call_trace_init(&lines->trace, &trace, spec);
}

void observe_lines_fini(struct observe_lines *lines) {
  if (lines->stream) {
    call_trace_fini(&lines->trace);
    fclose(lines->stream);
  }
  free(lines->line);
}
