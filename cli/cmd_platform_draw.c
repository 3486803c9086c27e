/* SPDX-License-Identifier: BSD-3-Clause
 * See cmd_platform_draw.h. */
#include "cli/cmd_platform_draw.h"

#include "cli/exit_codes.h"
#include "cli/session.h"
#include "draw/cluster_drawing.h"
#include "draw/platform_drawing.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"

static int
refuse(struct session *session, const char *why)
{
  err_set(session->err, "platform draw: %s", why);
  return CLI_USAGE;
}

int
cmd_platform_draw(struct session *session, const struct platform *platform)
{
  const struct opts *opts = &session->opts;
  if (opts->given & OPT_FORMAT) {
    return refuse(session, "--format is for tables, expected none: a drawing is SVG");
  }
  if (opts->given & OPT_VERBOSE) {
    return refuse(session, "--verbose is for tables, expected none: a drawing shows all");
  }
  if (opts->provenance && !opts->output) {
    return refuse(session, "--provenance of a drawing on standard output, expected -o FILE.svg");
  }
  struct outfile file;
  if (outfile_open(&file, opts->output, session->err)) {
    return CLI_INPUT;
  }
  if (platform->has_nodes) {
    cluster_drawing_write(platform, file.stream);
  } else {
    platform_drawing_write(platform, file.stream);
  }
  return outfile_close(&file, session->err) == 0 &&
             (!opts->output || session_sign(session, opts->output) == 0)
           ? CLI_DONE
           : CLI_INPUT;
}
