/* SPDX-License-Identifier: BSD-3-Clause
 * See html_script.h. */
#include "draw/html_script.h"

#include "sim/base/xml_write.h"

/* clang-format off */
static const char script[] =
  "(() => {\n"
  "\"use strict\";\n"
  "const least = 8, scale = {KiB: 1024, MiB: 1048576, \"\\u00b5s\": 1e3, us: 1e3, ms: 1e6};\n"
  "const value = cell => {\n"
  "  const found = cell.textContent.replace(/[\\s\\u00a0]+/g, \" \").match(/^ ?([+-]?[\\d.]+)(?: ([^\\s\\d]+))?/);\n"
  "  return found ? parseFloat(found[1]) * (scale[found[2]] || 1) : null;\n"
  "};\n"
  "const make = (name, parent, text) => {\n"
  "  const made = document.createElement(name);\n"
  "  made.textContent = text;\n"
  "  parent.append(made);\n"
  "  return made;\n"
  "};\n"
  "const sort = (body, column, numbers, down) => {\n"
  "  const key = row => numbers ? value(row.cells[column]) : row.cells[column].textContent;\n"
  "  const order = (a, b) => numbers ? a - b : a.localeCompare(b);\n"
  "  [...body.rows].map(row => [key(row), row]).sort(([a], [b]) =>\n"
  "    a === null ? (b === null ? 0 : 1) : b === null ? -1 : down ? order(b, a) : order(a, b)).forEach(([, row]) => body.append(row));\n"
  "};\n"
  "for (const table of document.querySelectorAll(\"table.rows\")) {\n"
  "  const body = table.tBodies[0], rows = [...body.rows], headings = [...table.tHead.rows[0].cells];\n"
  "  if (rows.length < least) continue;\n"
  "  headings.forEach((heading, column) => {\n"
  "    const button = make(\"button\", heading, heading.textContent);\n"
  "    heading.firstChild.remove();\n"
  "    button.type = \"button\";\n"
  "    button.onclick = () => {\n"
  "      const down = heading.getAttribute(\"aria-sort\") === \"ascending\";\n"
  "      headings.forEach(each => each.removeAttribute(\"aria-sort\"));\n"
  "      heading.setAttribute(\"aria-sort\", down ? \"descending\" : \"ascending\");\n"
  "      sort(body, column, heading.className === \"n\", down);\n"
  "    };\n"
  "  });\n"
  "  const line = document.createElement(\"p\"), label = make(\"label\", line, \"Rows with \");\n"
  "  const field = make(\"input\", label, \"\"), count = make(\"output\", line, \"\");\n"
  "  const filter = () => {\n"
  "    const words = field.value.toLowerCase().split(/\\s+/);\n"
  "    rows.forEach(row => { row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word)); });\n"
  "    const left = rows.filter(row => !row.hidden).length;\n"
  "    count.textContent = left === rows.length ? \"\" : \" \" + left + \" of \" + rows.length;\n"
  "  };\n"
  "  field.type = \"search\";\n"
  "  field.oninput = filter;\n"
  "  line.className = \"filter\";\n"
  "  table.parentElement.before(line);\n"
  "  addEventListener(\"hashchange\", () => {\n"
  "    const row = document.getElementById(location.hash.slice(1));\n"
  "    if (row && row.hidden && table.contains(row)) {\n"
  "      field.value = \"\";\n"
  "      filter();\n"
  "      row.scrollIntoView();\n"
  "    }\n"
  "  });\n"
  "}\n"
  "})();\n";
/* clang-format on */

void html_write_script(struct xml_writer *page) {
  xml_write_begin(page, "script");
  xml_write_line(page);
  xml_write_markup(page, script);
  xml_write_end(page);
  xml_write_line(page);
}
