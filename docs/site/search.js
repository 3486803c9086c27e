// SPDX-License-Identifier: BSD-3-Clause
// The search of the site: pages that have all the words typed, those with the words in title or headings first. search-index.js has
// the pages as [file, title, headings, text].
(function () {
  "use strict";
  const box = document.getElementById("search"), list = document.getElementById("found");
  box.parentElement.hidden = false;
  function show() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = "";
    if (!words.length) return;
    const hits = window.searchIndex
      .map(([file, title, headings, text]) => {
        const near = (title + " " + headings).toLowerCase(), all = near + " " + text.toLowerCase();
        return { file, title, text, rank: words.every((w) => near.includes(w)) ? 0 : words.every((w) => all.includes(w)) ? 1 : 2 };
      })
      .filter((hit) => hit.rank < 2)
      .sort((a, b) => a.rank - b.rank);
    for (const hit of hits.slice(0, 12)) {
      const item = list.appendChild(document.createElement("li")), link = item.appendChild(document.createElement("a"));
      const at = hit.text.toLowerCase().indexOf(words[0]);
      link.href = hit.file;
      link.textContent = hit.title;
      if (at >= 0) item.append(" ... " + hit.text.slice(Math.max(0, at - 30), at + 50) + " ...");
    }
    if (!hits.length) list.appendChild(document.createElement("li")).textContent = "no page has all these words";
  }
  box.addEventListener("input", show);
})();
