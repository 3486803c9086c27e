/* SPDX-License-Identifier: BSD-3-Clause
 * See html_style.h. */
#include "draw/html_style.h"

#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"

#include <stdlib.h>

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
  ".skip{position:absolute;left:-99rem}.skip:focus{position:static}\n"
  "h1{font-size:1.5rem;line-height:1.2;margin:.5rem 0}\n"
  "h2{font-size:1.2rem;margin:2.2rem 0 .5rem;border-bottom:1px solid var(--line)}\n"
  "h3{font-size:1rem;margin:1.4rem 0 .4rem}\n"
  "p{margin:.5rem 0;max-width:50rem}\n"
  ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:.6rem;margin:."
  "8rem 0}\n"
  ".card{background:var(--tint);border-top:.25rem solid var(--mark);padding:.5rem .8rem}\n"
  ".card strong{display:block;font-size:1.9rem;line-height:1.25;font-variant-numeric:tabular-nums}\n"
  ".card p{margin:0;font-size:.875rem;color:var(--soft);overflow-wrap:anywhere}\n"
  "nav{margin:.8rem 0}.question{display:flex;flex-wrap:wrap;gap:.2rem 1rem}.question "
  "strong{flex-basis:10rem}\n"
  ".summary{font-size:.875rem;font-variant-numeric:tabular-nums;margin:.15rem 0;padding-left:.7rem;"
  "border-left:.2rem solid var(--line);max-width:none}\n"
  ".command{color:var(--soft);font-size:.8rem;overflow-wrap:anywhere;max-width:none;margin:.3rem 0}\n"
  "code{background:var(--tint);padding:.1rem .3rem;border-radius:.2rem;font-family:ui-monospace,monospace}\n"
  ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,23rem),1fr));gap:1rem}\n"
  ".pictures.small{grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));margin-top:1rem}\n"
  "figure{margin:0;min-width:0}.first{margin:.8rem 0}.first svg{max-width:30rem}.first nav{margin:0 0 "
  ".8rem;font-size:.875rem}.first .question{margin-bottom:.3rem}.first .question strong{flex-basis:100%}\n"
  "figcaption{font-weight:600;font-size:.9rem}\n"
  "figure svg tspan,figure svg text{font-family:Arial,'Liberation Sans',Helvetica,sans-serif}\n"
  "figure svg{display:block;width:100%;max-width:44rem;height:auto;border:1px solid var(--line);"
  "border-radius:.4rem}\n"
  ".drawing figcaption{position:sticky;left:0}.drawing svg{max-width:60rem;min-width:54rem}\n"
  ".preview img{display:block;width:100%;height:auto}.timeline{margin:1rem 0}.timeline "
  "figcaption{position:sticky;left:0;max-width:50rem}"
  ".timeline svg{width:1200px;max-width:none;border:none;border-radius:0}\n"
  ".scroll{overflow-x:auto;margin:.5rem 0}\n"
  "table{border-collapse:collapse;font-size:.875rem}\n"
  "th,td{padding:.2rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
  "th{background:var(--tint)}th "
  "button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}"
  "th[aria-sort=ascending] button::after{content:\" \\2191\"}th[aria-sort=descending] "
  "button::after{content:\" \\2193\"}"
  ".filter{font-size:.875rem;color:var(--soft)}.filter "
  "input{font:inherit;max-width:60vw;color:var(--text);background:var(--back);border:1px solid var(--soft)}\n"
  "th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
  "td.bar{white-space:nowrap;background:linear-gradient(to right,var(--bar) var(--share),transparent 0)}\n"
  "summary{cursor:pointer;margin:.5rem 0}td summary{margin:.1rem 0;color:var(--soft)}"
  "td details{max-width:60rem;overflow-wrap:anywhere}\n"
  "@media(min-width:40rem){td:first-child{white-space:nowrap}}\n"
  "@media(max-width:40rem){body{padding:.6rem}table{font-size:.8rem}th,td{padding:.2rem .35rem}"
  "td:not(.n){min-width:5rem}.card strong{font-size:1.6rem}.question strong{flex-basis:100%}}\n"
  ".printed{display:none}:target{outline:.15rem solid var(--mark);outline-offset:.2rem}\n"
  ".map td{font-size:.8rem;line-height:1.3}.map td a{color:var(--text)}.map small{display:block;color"
  ":var(--soft)}"
  ".tint0{background:#dcebf7}.tint1{background:#fbe3d3}.tint2{background:#d9f0e7}.tint3{background:#f"
  "6e3ee}.tint4{background:#e6e6e6}.tint5{background:#fbeecb}.tint6{background:#e0f3fc}.tint7{backgro"
  "und:#f0e9dc}"
  "@media screen and (prefers-color-scheme:dark){.tint0{background:#173a52}.tint1{background:#54300f}"
  ".tint2{background:#124534}.tint3{background:#4f2a40}.tint4{background:#3a3f44}.tint5{background:#4"
  "d3c0a}.tint6{background:#1d4a63}.tint7{background:#453a26}}";

/* On paper: no colours of a dark screen, two or three pictures beside each other, no commands, nothing of
 * class `detail`; tables keep all rows, but no folded text. */
static const char on_paper[] =
  "@media print{:root{color-scheme:light;--back:#fff;--text:#000;--soft:#333;--line:#999;--tint:#f3f3f3;"
  "--mark:#000;--bar:#ddd}@page{margin:12mm}body{max-width:none;font-size:9pt;line-height:1.35;padding:0}"
  "a{text-decoration:none}p{max-width:none}h1{font-size:14pt}h2{font-size:12pt;margin:1rem 0 .3rem}"
  "h3{margin:.6rem 0 .2rem}figure,tr,.card{break-inside:avoid}h2,h3,thead{break-after:avoid}"
  ".scroll{overflow:visible}nav,.skip,.filter,.command,.detail,details,.preview "
  "img{display:none}.printed{display:block}"
  ".cards{grid-template-columns:repeat(4,1fr)}.card strong{font-size:14pt}"
  ".pictures{grid-template-columns:repeat(3,1fr);gap:.4rem}.pictures.previews{grid-template-columns:1fr 1fr}"
  "figcaption{font-size:7.5pt}.drawing svg{min-width:0}.timeline svg{width:100%}"
  "table{font-size:7.5pt;line-height:1.25}th,td{padding:.1rem .4rem}"
  ".map td{font-size:7pt;line-height:1.15}.map small{display:inline;margin-left:.5em}.bar,.card,th,.map "
  "td{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

/* Write the colours of pictures on a dark screen in place of the light ones: first the colours of gnuplot,
 * then the colours of drawings. */
static void write_dark_colours(struct xml_writer *page) {
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
  xml_write_markup(page, "@media screen and (prefers-color-scheme:dark){\n");
  for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
    char *rule = xasprintf("figure svg [%s=\"%s\" i]{%s:%s}\n", colours[i].attribute, colours[i].value,
                           colours[i].attribute, colours[i].colour);
    xml_write_markup(page, rule);
    free(rule);
  }
  xml_write_markup(page, "}\n");
}

void html_write_style(struct xml_writer *page, const char *more) {
  xml_write_begin(page, "style");
  xml_write_markup(page, style);
  write_dark_colours(page);
  xml_write_markup(page, on_paper);
  xml_write_markup(page, more);
  xml_write_end(page);
  xml_write_line(page);
}
