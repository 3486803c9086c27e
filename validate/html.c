/* SPDX-License-Identifier: BSD-3-Clause
 * See html.h. The page needs nothing but itself: no script, no font, no picture from elsewhere. */
#include "validate/html.h"

#include "sim/base/markup.h"
#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
  ":root{color-scheme:light "
  "dark;--back:#fff;--text:#1c1c1c;--soft:#555;--line:#ccc;--tint:#f3f5f7;--mark:#0072b2}\n"
  "@media(prefers-color-scheme:dark){:root{--back:#15181b;--text:#e6e6e6;--soft:#a9b0b6;--line:#3c4349;"
  "--tint:#20252a;--mark:#56b4e9}}\n"
  "*{box-sizing:border-box}\n"
  "body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--back);color:var(--text);"
  "font:1rem/1.5 system-ui,sans-serif}\n"
  "h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}\n"
  "h2{font-size:1.2rem;margin:2.2rem 0 .5rem;border-bottom:1px solid var(--line)}\n"
  "p{margin:.5rem 0;max-width:50rem}\n"
  ".summary{border-left:.3rem solid var(--mark);background:var(--tint);padding:.5rem "
  ".8rem;font-weight:600;margin:.5rem 0;max-width:none}\n"
  ".command{color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}\n"
  "code{background:var(--tint);padding:.1rem .3rem;border-radius:.2rem;font-family:ui-monospace,monospace}\n"
  ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:1rem}\n"
  "figure{margin:0}\n"
  "figcaption{font-weight:600}\n"
  "figure svg tspan,figure svg text{font-family:Arial,'Liberation Sans',Helvetica,sans-serif}\n"
  "figure "
  "svg{display:block;width:100%;max-width:44rem;height:auto;background:#fff;border:1px "
  "solid "
  "var(--line);"
  "border-radius:.4rem}\n"
  ".scroll{overflow-x:auto;margin:.5rem 0}\n"
  "table{border-collapse:collapse;font-size:.875rem}\n"
  "th,td{padding:.2rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
  "th{background:var(--tint)}\n"
  "th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
  "summary{cursor:pointer;margin:.5rem 0}\n"
  "@media(max-width:40rem){body{padding:.6rem}table{font-size:.8rem}th,td{padding:.2rem "
  ".35rem}td:not(.n){min-width:5rem}}\n"
  "@media "
  "print{:root{color-scheme:light;--back:#fff;--text:#000;--soft:#333;--line:#999;--tint:#f3f3f3;--mark:#000}"
  "body{max-width:none;font-size:10pt;padding:0}figure,tr{break-inside:avoid}h2{break-after:avoid}"
  ".scroll{overflow:visible}.pictures{grid-template-columns:1fr 1fr}}\n";

void
html_text(FILE *stream, const char *text)
{
  markup_escape(text, stream);
}

/* Write formatted text. */
static void
write_formatted(FILE *stream, const char *format, va_list arguments)
{
  char *text;
  size_t nbytes;
  FILE *memory = open_memstream(&text, &nbytes);
  vfprintf(memory, format, arguments);
  fclose(memory);
  html_text(stream, text);
  free(text);
}

void
html_begin(FILE *stream, const char *title)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        stream);
  html_text(stream, title);
  fprintf(stream, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
  html_text(stream, title);
  fputs("</h1>\n", stream);
}

void
html_end(FILE *stream)
{
  fputs("</body>\n</html>\n", stream);
}

void
html_paragraph(FILE *stream, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("<p>", stream);
  write_formatted(stream, format, arguments);
  fputs("</p>\n", stream);
  va_end(arguments);
}

void
html_summary(FILE *stream, const char *text)
{
  fputs("<p class=\"summary\">", stream);
  html_text(stream, text);
  fputs("</p>\n", stream);
}

void
html_heading(FILE *stream, const char *title)
{
  fputs("<h2>", stream);
  html_text(stream, title);
  fputs("</h2>\n", stream);
}

void
html_command(FILE *stream, const char *lead, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("<p class=\"command\">", stream);
  html_text(stream, lead);
  fputs(": <code>", stream);
  write_formatted(stream, format, arguments);
  fputs("</code></p>\n", stream);
  va_end(arguments);
}

void
html_picture(FILE *stream, const char *title, const char *svg)
{
  fputs("<figcaption>", stream);
  html_text(stream, title);
  fputs("</figcaption>\n<svg role=\"img\" aria-label=\"", stream);
  html_text(stream, title);
  fprintf(stream, "\"%s\n", svg + strlen("<svg"));
}

void
html_table_begin(FILE *stream, const char *columns)
{
  fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n<tr>", stream);
  char *names = xstrdup(columns), *rest = names;
  while (rest) {
    const char *name = strsep(&rest, "|");
    fputs(*name == '#' ? "<th class=\"n\">" : "<th>", stream);
    html_text(stream, *name == '#' ? name + 1 : name);
    fputs("</th>", stream);
  }
  fputs("</tr>\n", stream);
  free(names);
}

void
html_table_end(FILE *stream)
{
  fputs("</table></div>\n", stream);
}

void
html_row_begin(FILE *stream)
{
  fputs("<tr>", stream);
}

void
html_row_end(FILE *stream)
{
  fputs("</tr>\n", stream);
}

void
html_cell(FILE *stream, const char *text)
{
  fputs("<td>", stream);
  html_text(stream, text);
  fputs("</td>", stream);
}

void
html_number(FILE *stream, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("<td class=\"n\">", stream);
  write_formatted(stream, format, arguments);
  fputs("</td>", stream);
  va_end(arguments);
}
