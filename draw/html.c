/* SPDX-License-Identifier: BSD-3-Clause
 * See html.h. The page needs nothing but itself: no script, no font, no picture from elsewhere. */
#include "draw/html.h"

#include "sim/base/markup.h"
#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
  ":root{color-scheme:light "
  "dark;--back:#fff;--text:#1c1c1c;--soft:#555;--line:#ccc;--tint:#f3f5f7;--mark:#0072b2;"
  "--bar:#cfe3f1}\n"
  "@media(prefers-color-scheme:dark){:root{--back:#15181b;--text:#e6e6e6;--soft:#a9b0b6;--line:#3c4349;"
  "--tint:#20252a;--mark:#56b4e9;--bar:#274a63}}\n"
  "*{box-sizing:border-box}\n"
  "body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--back);color:var(--text);"
  "font:1rem/1.5 system-ui,sans-serif}\n"
  "a{color:var(--mark)}\n"
  "h1{font-size:1.5rem;line-height:1.2;margin:.5rem 0}\n"
  "h2{font-size:1.2rem;margin:2.2rem 0 .5rem;border-bottom:1px solid var(--line)}\n"
  "h3{font-size:1rem;margin:1.4rem 0 .4rem}\n"
  "p{margin:.5rem 0;max-width:50rem}\n"
  ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:.6rem;margin:."
  "8rem 0}\n"
  ".card{background:var(--tint);border-top:.25rem solid var(--mark);padding:.5rem .8rem}\n"
  ".card strong{display:block;font-size:1.9rem;line-height:1.25;font-variant-numeric:tabular-nums}\n"
  ".card p{margin:0;font-size:.875rem;color:var(--soft);overflow-wrap:anywhere}\n"
  "nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.8rem 0}\n"
  ".summary{font-size:.875rem;font-variant-numeric:tabular-nums;margin:.15rem 0;padding-left:.7rem;"
  "border-left:.2rem solid var(--line);max-width:none}\n"
  ".command{color:var(--soft);font-size:.8rem;overflow-wrap:anywhere;max-width:none;margin:.3rem 0}\n"
  "code{background:var(--tint);padding:.1rem .3rem;border-radius:.2rem;font-family:ui-monospace,monospace}\n"
  ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,23rem),1fr));gap:1rem}\n"
  ".pictures.small{grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));margin-top:1rem}\n"
  "figure{margin:0;min-width:0}\n"
  "figcaption{font-weight:600;font-size:.9rem}\n"
  "figure svg tspan,figure svg text{font-family:Arial,'Liberation Sans',Helvetica,sans-serif}\n"
  "figure svg{display:block;width:100%;max-width:44rem;height:auto;border:1px solid var(--line);"
  "border-radius:.4rem}\n"
  ".drawing figcaption{position:sticky;left:0}.drawing svg{max-width:60rem;min-width:54rem}\n"
  ".scroll{overflow-x:auto;margin:.5rem 0}\n"
  "table{border-collapse:collapse;font-size:.875rem}\n"
  "th,td{padding:.2rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
  "th{background:var(--tint)}\n"
  "th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
  "td.bar{white-space:nowrap;background:linear-gradient(to right,var(--bar) var(--share),transparent 0)}\n"
  "summary{cursor:pointer;margin:.5rem 0}td summary{margin:.1rem 0;color:var(--soft)}"
  "td details{max-width:60rem;overflow-wrap:anywhere}\n"
  "@media(min-width:40rem){td:first-child{white-space:nowrap}}\n"
  "@media(max-width:40rem){body{padding:.6rem}table{font-size:.8rem}th,td{padding:.2rem .35rem}"
  "td:not(.n){min-width:5rem}.card strong{font-size:1.6rem}}\n"
  "@media "
  "print{:root{color-scheme:light;--back:#fff;--text:#000;--soft:#333;--line:#999;--tint:#f3f3f3;--mark:#000;"
  "--bar:#ddd}body{max-width:none;font-size:10pt;padding:0}figure,tr,.card{break-inside:avoid}"
  "h2,h3,thead{break-after:avoid}.scroll{overflow:visible}nav{display:none}"
  ".cards{grid-template-columns:repeat(4,1fr)}.pictures,.pictures.small{grid-template-columns:1fr 1fr}"
  ".drawing "
  "svg{min-width:0}table{font-size:8pt}.bar,.card,th{print-color-adjust:exact;-webkit-print-color-adjust:"
  "exact}"
  "details::details-content{content-visibility:visible;height:auto}summary{list-style:none}td "
  "summary{display:none}}\n";

/* Write what becomes of the colours of pictures on a dark screen: first those of gnuplot, then those of drawings. */
static void
write_dark_colours(FILE *stream)
{
  static const struct {
    const char *attribute, *value, *colour;
  } colours[] = {
    {"fill", "#ffffff", "#15181b"},
    {"stroke", "rgb( 85,  85,  85)", "#a9b0b6"},
    {"fill", "rgb(85,85,85)", "#a9b0b6"},
    {"fill", "black", "#e6e6e6"},
    {"stroke", "rgb(221, 221, 221)", "#30363b"},
    {"fill", "rgb(238, 238, 238)", "#20252a"},
    {"fill", "rgb(216, 216, 216)", "#2f363c"},
    {"stroke", "rgb(  0, 114, 178)", "#3d9fe0"},
    {"stroke", "rgb(213,  94,   0)", "#f2803a"},
    {"stroke", "rgb(  0, 158, 115)", "#1fc497"},
    {"stroke", "rgb( 86, 180, 233)", "#b5e1ff"},
    {"color", "#555555", "#a9b0b6"},
    {"color", "rgb( 85,  85,  85)", "#a9b0b6"},
    {"color", "rgb(  0, 114, 178)", "#3d9fe0"},
    {"color", "rgb(213,  94,   0)", "#f2803a"},
    {"color", "rgb(  0, 158, 115)", "#1fc497"},
    {"color", "rgb( 86, 180, 233)", "#b5e1ff"},
    {"color", "#0072B2", "#3d9fe0"},
    {"color", "#D55E00", "#f2803a"},
    {"color", "#009E73", "#1fc497"},
    {"fill", "#111111", "#e6e6e6"},
    {"fill", "#555555", "#a9b0b6"},
    {"stroke", "#222222", "#d0d5d9"},
    {"stroke", "#333333", "#a9b0b6"},
    {"stroke", "#c4c4c4", "#4a5157"},
    {"fill", "#f7f7f7", "#1c2125"},
    {"fill", "#d3ebf8", "#1d4a63"},
    {"fill", "#f0e442", "#6b6410"},
    {"fill", "#5fc3a3", "#17604a"},
    {"fill", "#dfa6c4", "#6e3a55"},
    {"fill", "#e69f00", "#805600"},
    {"fill", "#0072b2", "#3d9fe0"},
    {"stroke", "#0072b2", "#3d9fe0"},
    {"fill", "#d55e00", "#f2803a"},
    {"stroke", "#d55e00", "#f2803a"},
  };
  fputs("@media screen and (prefers-color-scheme:dark){\n", stream);
  for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
    fprintf(stream, "figure svg [%s=\"%s\" i]{%s:%s}\n", colours[i].attribute, colours[i].value,
            colours[i].attribute, colours[i].colour);
  }
  fputs("}\n", stream);
}

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
  fprintf(stream, "</title>\n<style>\n%s", style);
  write_dark_colours(stream);
  fputs("</style>\n</head>\n<body>\n<h1>", stream);
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
html_heading(FILE *stream, const char *id, const char *title)
{
  fprintf(stream, "<h2 id=\"%s\">", id);
  html_text(stream, title);
  fputs("</h2>\n", stream);
}

void
html_subheading(FILE *stream, const char *title)
{
  fputs("<h3>", stream);
  html_text(stream, title);
  fputs("</h3>\n", stream);
}

void
html_cards_begin(FILE *stream)
{
  fputs("<div class=\"cards\">\n", stream);
}

void
html_cards_end(FILE *stream)
{
  fputs("</div>\n", stream);
}

void
html_card_begin(FILE *stream, const char *title, const char *target)
{
  fprintf(stream, "<div class=\"card\"><a href=\"%s\">", target);
  html_text(stream, title);
  fputs("</a>\n", stream);
}

void
html_card_end(FILE *stream)
{
  fputs("</div>\n", stream);
}

void
html_card_figure(FILE *stream, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("<strong>", stream);
  write_formatted(stream, format, arguments);
  fputs("</strong>\n", stream);
  va_end(arguments);
}

void
html_links_begin(FILE *stream)
{
  fputs("<nav>\n", stream);
}

void
html_link(FILE *stream, const struct html_link *link)
{
  fprintf(stream, "<a href=\"#%s\">", link->id);
  html_text(stream, link->text);
  fputs("</a>\n", stream);
}

void
html_links_end(FILE *stream)
{
  fputs("</nav>\n", stream);
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
  fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>", stream);
  char *names = xstrdup(columns), *rest = names;
  while (rest) {
    const char *name = strsep(&rest, "|");
    fputs(*name == '#' ? "<th class=\"n\">" : "<th>", stream);
    html_text(stream, *name == '#' ? name + 1 : name);
    fputs("</th>", stream);
  }
  fputs("</tr></thead>\n<tbody>\n", stream);
  free(names);
}

void
html_table_end(FILE *stream)
{
  fputs("</tbody></table></div>\n", stream);
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
html_strong_cell(FILE *stream, const char *text)
{
  fputs("<td><strong>", stream);
  html_text(stream, text);
  fputs("</strong></td>", stream);
}

void
html_folded_cell(FILE *stream, const char *text, const char *more)
{
  fputs("<td>", stream);
  html_text(stream, text);
  fputs("<details><summary>numbers</summary>", stream);
  html_text(stream, more);
  fputs("</details></td>", stream);
}

void
html_bar(FILE *stream, double percent, const char *text)
{
  fprintf(stream, "<td class=\"bar\" style=\"--share:%.1f%%\">%.1f %%, ", percent, percent);
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
