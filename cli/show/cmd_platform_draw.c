/* SPDX-License-Identifier: BSD-3-Clause
 * See cmd_platform_draw.h. */
#include "cli/show/cmd_platform_draw.h"

#include "cli/exit_codes.h"
#include "cli/opts.h"
#include "draw/platform/cluster_drawing.h"
#include "draw/picture.h"
#include "draw/platform/platform_drawing.h"
#include "platform/platform.h"
#include "sim/base/err.h"

static void draw(const void *context, FILE *stream) {
  const struct platform *platform = context;
  (platform->has_nodes ? cluster_drawing_write : platform_drawing_write)(platform, stream);
}

int cmd_platform_draw(const struct platform *platform, const struct opts *opts, struct err *err) {
  if (opts->given & OPT_FORMAT) {
    err_set(err, "platform draw: --format is for tables, expected none: a drawing is SVG");
    return CLI_USAGE;
  }
  if (opts->given & (OPT_VERBOSE | OPT_COLUMNS)) {
    err_set(err, "platform draw: --%s is for tables, expected none: a drawing shows all",
            opts->given & OPT_VERBOSE ? "verbose" : "columns");
    return CLI_USAGE;
  }
  if (opts->provenance && !opts->output) {
    err_set(err, "platform draw: --provenance of a drawing on standard output, expected -o FILE.svg");
    return CLI_USAGE;
  }
  const struct picture picture = {draw, platform};
  return picture_check(opts->output, err) || picture_write(&picture, opts->output, err) ? CLI_INPUT
                                                                                        : CLI_DONE;
}
