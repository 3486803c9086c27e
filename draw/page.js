/* SPDX-License-Identifier: BSD-3-Clause
 * Tables to sort and filter, on a page of cellcoll. Without the script a page shows the same contents. Each table of
 * class `rows` with some length gets a field to leave only the rows with a text, and buttons in the headings of the columns to
 * sort the rows. Numbers with units are sorted as numbers. */
(() => {
"use strict";
const least = 8, scale = {KiB: 1024, MiB: 1048576, "\u00b5s": 1e3, us: 1e3, ms: 1e6};
const value = cell => {
  const found = cell.textContent.replace(/[\s\u00a0]+/g, " ").match(/^ ?([+-]?[\d.]+)(?: ([^\s\d]+))?/);
  return found ? parseFloat(found[1]) * (scale[found[2]] || 1) : null;
};
const make = (name, parent, text) => {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
};
const sort = (body, column, numbers, down) => {
  const key = row => numbers ? value(row.cells[column]) : row.cells[column].textContent;
  const order = (a, b) => numbers ? a - b : a.localeCompare(b);
  [...body.rows].map(row => [key(row), row]).sort(([a], [b]) =>
    a === null ? (b === null ? 0 : 1) : b === null ? -1 : down ? order(b, a) : order(a, b)).forEach(([, row]) => body.append(row));
};
for (const table of document.querySelectorAll("table.rows")) {
  const body = table.tBodies[0], rows = [...body.rows], headings = [...table.tHead.rows[0].cells];
  if (rows.length < least) continue;
  headings.forEach((heading, column) => {
    const button = make("button", heading, heading.textContent);
    heading.firstChild.remove();
    button.type = "button";
    button.onclick = () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach(each => each.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      sort(body, column, rows.some(row => row.cells[column].className === "n"), down);
    };
  });
  const line = document.createElement("p"), label = make("label", line, "Rows with ");
  const field = make("input", label, ""), count = make("output", line, "");
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    rows.forEach(row => { row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word)); });
    const left = rows.filter(row => !row.hidden).length;
    count.textContent = left === rows.length ? "" : " " + left + " of " + rows.length;
  };
  field.type = "search";
  field.oninput = filter;
  line.className = "filter";
  table.parentElement.before(line);
  addEventListener("hashchange", () => {
    const row = document.getElementById(location.hash.slice(1));
    if (row && row.hidden && table.contains(row)) {
      field.value = "";
      filter();
      row.scrollIntoView();
    }
  });
}
})();
