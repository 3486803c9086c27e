"use strict";
// The script of a page of `cellcoll view`: what is true at a cycle, drawn into the figures; a player; keys. SPDX-License-Identifier: BSD-3-Clause
(() => {
const D = JSON.parse(document.getElementById("data").textContent), $ = id => document.getElementById(id);
const trail = 200, states = ["works", "waits", "DMA", "atomic", "done", "computes"];
const number = n => Math.round(n).toLocaleString("en").replaceAll(",", "\u00a0");
const plain = text => ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim()} `;
const many = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
const size = n => n >= 1024 && n % 1024 === 0 ? n / 1024 + " KiB" : number(n) + " B";
const who = n => n >= 0 ? "SPE " + n : "the PPE of chip " + (-1 - n);

// Lists of the page begin with their number of columns, and have times as differences: make rows of cells.
const table = ([width, ...list]) => {
  const rows = [];
  for (let i = 0, t = 0; i < list.length; i += width) { t += list[i]; rows.push([t, ...list.slice(i + 1, i + width)]); }
  return rows;
};
// The first index whose time, by the function, is after t.
const first = r => r[0], self = r => r;
const after = (list, t, time = first) => { let a = 0, b = list.length; while (a < b) { const m = (a + b) >> 1; time(list[m]) <= t ? a = m + 1 : b = m; } return a; };
// The rows of a list, sorted by begin, that have begun at t and not ended; none lasts longer than `longest`.
const under = (list, t, longest, end) => list.slice(after(list, t - longest - 1), after(list, t)).filter(r => end(r) > t);

// The calls of an application: name, first entry, last exit, stays; `row` is the row of the tab above the lanes.
function bandsOf(c) {
  const all = new Map(), busy = [0, 0, 0, 0], order = n => +c.steps[n].split(" ")[1];
  for (const s of c.stays) { if (!all.has(s[3])) all.set(s[3], {name: c.steps[s[3]], from: s[0], to: 0, stays: []}); const b = all.get(s[3]); b.to = Math.max(b.to, s[0] + s[2]); b.stays.push(s); }
  const bands = [...all].sort((a, b) => order(a[0]) - order(b[0])).map(entry => entry[1]);
  for (const b of bands) { b.row = busy.findIndex(end => end <= b.from); if (b.row >= 0) busy[b.row] = b.to; }
  return bands;
}

// One call: its tables, and what follows from them.
const calls = D.calls.map((data, index) => {
  const c = {end: data.cycles, still: data.still, steps: data.steps, section: document.querySelectorAll(".call")[index]};
  for (const key of ["grants", "crossings", "deliveries", "memory", "atomics", "commands", "programs", "path"]) c[key] = table(data[key]);
  c.stays = table(data.stays || [4]);
  c.bands = bandsOf(c);
  const joined = (r, width) => r[width + 1] || 0; // cycles from the first to the last of several joined rows
  c.units = c.section.querySelectorAll("svg.machine")[0].querySelectorAll("[data-spe]").length / c.section.querySelectorAll("svg.machine")[0].querySelectorAll(".discs circle").length;
  c.hops = g => g[2] < D.rings[0] ? (g[4] - g[3] + c.units) % c.units : (g[3] - g[4] + c.units) % c.units;
  c.ringEnd = g => g[0] + joined(g, 5) + D.ring[0] + D.ring[1] * c.hops(g);
  c.crossEnd = r => r[0] + joined(r, 3) + D.link;
  c.memoryEnd = r => r[0] + joined(r, 3) + D.memory[r[2]];
  const longest = (list, end) => list.reduce((most, r) => Math.max(most, end(r) - r[0]), 0);
  c.longest = {ring: longest(c.grants, c.ringEnd), cross: longest(c.crossings, c.crossEnd), memory: longest(c.memory, c.memoryEnd), command: longest(c.commands, r => r[0] + r[3]), atomic: longest(c.atomics, r => r[0] + r[2])};
  let bytes = 0, requests = 0;
  c.sums = c.deliveries.map(d => [requests += d[5] || 1, bytes += d[4]]);
  c.arrived = new Map(); // per SPE: cycles at which bytes have come, and how many until then
  c.ofCommand = new Map(); // the same per command
  for (const d of c.deliveries) for (const [map, key] of [[c.arrived, d[1]], [c.ofCommand, d[2] + ":" + d[3]]]) {
    if (!map.has(key)) map.set(key, []);
    const list = map.get(key);
    list.push([d[0], (list.length ? list[list.length - 1][1] : 0) + d[4]]);
  }
  c.programOf = new Map();
  for (const p of c.programs) { if (!c.programOf.has(p[1])) c.programOf.set(p[1], []); c.programOf.get(p[1]).push(p); }
  c.people = [...c.programOf.keys()].sort((a, b) => (a < 0) - (b < 0) || a - b);
  c.pieces = c.path.filter((p, i) => !i || [2, 3, 4].some(k => p[k] !== c.path[i - 1][k])).map(first);
  c.events = [...new Set([0, ...[c.grants, c.crossings, c.deliveries, c.memory, c.atomics].flatMap(l => l.map(first)), ...c.programs.flatMap(p => [p[0], p[0] + p[2]]), c.end])].sort((a, b) => a - b);
  return c;
});
const end = Math.max(...calls.map(c => c.end));
const reached = (list, t) => { const i = list ? after(list, t) : 0; return i ? list[i - 1][1] : 0; };

// What is true of a call at cycle t; also for tests.
function at(c, t) {
  const transfers = under(c.grants, t, c.longest.ring, c.ringEnd), done = after(c.deliveries, t);
  return {transfers, recent: c.grants.slice(after(c.grants, t - trail), after(c.grants, t)), crossing: under(c.crossings, t, c.longest.cross, c.crossEnd),
    memory: under(c.memory, t, c.longest.memory, c.memoryEnd), atomics: under(c.atomics, t, c.longest.atomic, r => r[0] + r[2]),
    moves: under(c.commands, t, c.longest.command, r => r[0] + r[3]).filter(r => r[5] < 2 && r[4] > 0),
    requests: done ? c.sums[done - 1][0] : 0, bytes: done ? c.sums[done - 1][1] : 0, piece: c.path[Math.min(c.path.length, Math.max(1, after(c.path, t))) - 1],
    state: n => { if (t >= c.end) return "done"; const list = c.programOf.get(n) || [], p = list[after(list, t) - 1]; return p && p[0] + p[2] > t ? states[p[3]] : ""; },
    held: n => { const list = c.arrived.get(n); return list ? reached(list, t) / list[list.length - 1][1] : 0; }};
}

// The figure of a call that the screen shows: geometry is read from the drawing.
const figures = new Map();
function figure(c) {
  const svg = [...c.section.querySelectorAll("svg.machine")].find(s => s.getClientRects().length) || c.section.querySelector("svg.machine");
  if (figures.has(svg)) return figures.get(svg);
  const prefix = svg.dataset.prefix, chips = svg.querySelectorAll(".discs circle").length, units = [...svg.querySelectorAll("[data-spe]")];
  const f = {svg, prefix, chips, units: Array.from({length: chips}, (_, i) => units.slice(i * c.units, (i + 1) * c.units)), bySpe: new Map(units.map(g => [+g.dataset.spe, g]))};
  f.aside = svg.classList.contains("narrow") && chips > 2 ? 1.5 : 5; // of a dot from its link
  const value = (e, key) => +e.getAttribute(key);
  f.angle = (chip, u) => { const line = $(f.units[chip][u].id + "-ramp"), ring = $(`${prefix}chip${chip}-ring0`); return Math.atan2(value(line, "y2") - value(ring, "cy"), value(line, "x2") - value(ring, "cx")); };
  f.arc = g => {
    const ring = $(`${prefix}chip${g[1]}-ring${g[2]}`), r = value(ring, "r"), hops = c.hops(g), way = g[2] < D.rings[0] ? 1 : -1, a = f.angle(g[1], g[3]), b = a + way * hops / c.units * 2 * Math.PI;
    const point = x => `${(value(ring, "cx") + r * Math.cos(x)).toFixed(1)} ${(value(ring, "cy") + r * Math.sin(x)).toFixed(1)}`;
    return `M${point(a)}A${r} ${r} 0 ${+(hops > c.units / 2)} ${+(way > 0)} ${point(b)}`;
  };
  f.middle = g => { const box = g.querySelector("rect"); return [value(box, "x") + value(box, "width") / 2, value(box, "y") + value(box, "height") / 2]; };
  f.kind = (chip, kind) => f.units[chip].find(g => g.classList.contains(kind));
  f.layer = svg.appendChild(document.createElementNS(svg.namespaceURI, "g"));
  figures.set(svg, f);
  return f;
}

// What the command of row r moves.
const told = (c, r) => `SPE ${r[1]} ${r[5] === 1 ? "puts" : "gets"} ${size(r[4])} ${r[5] === 1 ? "to" : "from"} ${r[6] >= 0 ? "SPE " + r[6] : "main memory"}${inStep(c, r[7])}`;
const inStep = (c, n) => n >= 0 ? ", " + c.steps[n] : "";
function word(c, [from, , spe, kind, , cause, peer, bytes, step], length) {
  const name = D.kinds[kind], why = D.causes[cause], far = peer >= 0 ? who(peer) : "main memory";
  const what = name === "notification" ? `${who(spe)} notifies ${far}` : name === "get" ? `${who(spe)} gets ${size(bytes)} from ${far}` : name === "put" ? `${who(spe)} puts ${size(bytes)} to ${far}`
    : name === "atomic" ? `${who(spe)} has given an atomic command` : name === "sync" ? `${who(spe)} waits for the order of its commands` : who(spe);
  return `The call waits for: ${what}${inStep(c, step)}: ${why} (cycles ${number(from)} to ${number(from + length)}).`;
}

function dots(c, f, s, t) {
  const dot = r => {
    const link = $(`${f.prefix}link-${Math.min(r[1], r[2])}-${Math.max(r[1], r[2])}`), all = link.getTotalLength(), q = Math.min(1, (t - r[0]) / D.link), forth = r[1] < r[2];
    const x = (forth ? q : 1 - q) * all, p = link.getPointAtLength(x), o = link.getPointAtLength(Math.min(all, x + 1)), n = Math.hypot(o.x - p.x, o.y - p.y) || 1, side = (forth ? 1 : -1) * f.aside;
    return `<circle class="dot" r="${f.aside < 5 ? 2.5 : 3.5}" cx="${(p.x - (o.y - p.y) / n * side).toFixed(1)}" cy="${(p.y + (o.x - p.x) / n * side).toFixed(1)}"/>`;
  };
  const chord = r => {
    const own = f.bySpe.get(r[1]), chip = f.units.findIndex(l => l.includes(own)), other = r[4] >= 0 ? f.bySpe.get(r[4]) : f.kind(chip, "mic");
    return other && other !== own ? `<line class="chord" x1="${f.middle(own)[0]}" y1="${f.middle(own)[1]}" x2="${f.middle(other)[0]}" y2="${f.middle(other)[1]}"/>` : "";
  };
  return s.atomics.map(chord).join("") + s.crossing.map(dot).join("");
}

function draw(c, t) {
  const f = figure(c), s = at(c, t), paths = {}, busy = new Set(), add = (id, g) => paths[id] = (paths[id] || "") + f.arc(g);
  for (const g of s.recent) add(`${f.prefix}chip${g[1]}-trail${g[2]}`, g);
  for (const g of s.transfers) { add(`${f.prefix}chip${g[1]}-now${g[2]}`, g); busy.add(f.units[g[1]][g[3]].id).add(f.units[g[1]][g[4]].id); }
  for (let chip = 0; chip < f.chips; chip++) {
    for (let r = 0; r < D.rings[1]; r++) for (const kind of ["trail", "now"]) { const id = `${f.prefix}chip${chip}-${kind}${r}`; $(id).setAttribute("d", paths[id] || ""); }
    for (const g of f.units[chip]) $(g.id + "-ramp").classList.toggle("busy", busy.has(g.id));
    $(`${f.prefix}chip${chip}-count`).textContent = many(s.transfers.filter(g => g[1] === chip).length, "transfer");
    const serves = s.memory.filter(r => r[1] === chip), mic = f.kind(chip, "mic");
    if (mic) { mic.querySelector(".state").textContent = serves.length ? serves[0][2] ? "writes" : "reads" : ""; mic.classList.toggle("works", serves.length > 0); }
  }
  const [from, length, spe, , , , peer] = s.piece || [0, 0, null, 0, 0, 0, -1];
  for (const n of c.people) {
    const g = n >= 0 ? f.bySpe.get(n) : f.kind(-1 - n, "ppe"), state = s.state(n);
    if (!g) continue;
    g.setAttribute("class", `${n >= 0 ? "spe" : "ppe"} ${state}${n === spe || n >= 0 && n === peer ? " onpath" : ""}${n === sought ? " sought" : ""}`);
    g.querySelector(".state").textContent = state;
    const held = g.querySelector(".held");
    if (held) held.setAttribute("width", (g.querySelector(".room").getAttribute("width") * s.held(n)).toFixed(1));
  }
  f.layer.innerHTML = dots(c, f, s, t);
  const line = key => c.section.querySelector(key), shown = s.moves.slice(0, 8);
  line(".status").textContent = `Cycle ${number(t)} of ${number(c.end)} (${(t / D.ghz / 1000).toFixed(2)} of ${(c.end / D.ghz / 1000).toFixed(2)} µs): ${many(s.transfers.length, "transfer")} on the rings` +
    (f.chips > 1 ? `, ${many(s.crossing.length, "request")} crossing ${f.chips > 2 ? "links" : "the link"}` : "") + (c.memory.length ? `, ${number(s.memory.length)} served by memory` : "") + `; ${many(s.requests, "request")} delivered, ${number(s.bytes)} bytes.`;
  line(".why").textContent = t >= c.end ? "The call is over." : s.piece ? word(c, s.piece, length) : "";
  const move = r => `${told(c, r)} (${number(Math.min(r[4], reached(c.ofCommand.get(r[1] + ":" + r[2]), t)))} bytes)`;
  const atomics = s.atomics.map(r => `SPE ${r[1]} ${r[3] ? "loads" : "stores"} a line by an atomic command${r[4] >= 0 && r[4] !== r[1] ? ", kept by SPE " + r[4] : ""}`).slice(0, 8);
  line(".moves").textContent = shown.length || atomics.length ? `Under way: ${[...shown.map(move), ...atomics].join("; ")}${s.moves.length > shown.length ? `; and ${s.moves.length - shown.length} more` : ""}.` : "No data under way.";
  const cursor = line(".cursor"), x = left + Math.min(t, c.end) / end * (lanesWidth(c) - left - right);
  if (cursor) { cursor.setAttribute("x1", x); cursor.setAttribute("x2", x); }
}

// Lanes: what every program does over the whole call, and the critical path.
const left = 62, right = 40, lanesWidth = c => { const box = c.section.querySelector(".lanes").parentElement, w = box.clientWidth || 1000; return Math.round((w < 500 ? 720 : w) * scaleOf(box)); };
// The step of about n marks of an axis up to `most`: 1, 2 or 5 times a power of ten.
const stepOf = (most, n) => { const power = 10 ** Math.floor(Math.log10(Math.max(1, most / n))); return power * [1, 2, 5, 10].find(digit => digit * power >= most / n); };
function lanes(c) {
  const svg = c.section.querySelector(".lanes"), w = lanesWidth(c), row = 17, tab = 14, top = tab * (1 + Math.max(-1, ...c.bands.map(b => b.row))), h = top + row * c.people.length + 26, place = new Map(c.people.map((n, i) => [n, top + i * row]));
  const x = t => (left + t / end * (w - left - right)).toFixed(1);
  const names = c.people.map((n, i) => `<text class="${n === sought ? "sought" : ""}" x="${left - 6}" y="${top + i * row + 12}">${n >= 0 ? "SPE " + n : "PPE " + (-1 - n)}</text>`).join("");
  let out = "";
  const next = [w - right, w - right, w - right, w - right];
  for (const [i, b] of [...c.bands.entries()].reverse()) {
    const y = b.row * tab, box = (from, to, y, height) => `M${x(from)} ${y}H${x(to)}v${height}H${x(from)}z`, words = b.name.split(" "), algorithm = words.slice(4).join(" ");
    out += `<path class="band${i % 2 ? " odd" : ""}" d="${b.row < 0 ? "" : box(b.from, b.to, y, tab - 1)}${b.stays.map(s => box(s[0], s[0] + s[2], place.get(s[1]), row)).join("")}"><title>${b.name}, cycles ${number(b.from)} to ${number(b.to)}</title></path>`;
    const name = b.row < 0 ? null : [b.name, `${words[1]} ${algorithm}`, `${words[1]} ${algorithm.split(":")[0]}`].find(text => +x(b.from) + 7 * text.length < next[b.row]);
    if (name) out += `<text class="tab" x="${+x(b.from) + 3}" y="${y + tab - 3}">${name}</text>`;
    if (b.row >= 0) next[b.row] = +x(b.from);
  }
  for (const [a, n, length, k] of c.programs) if (states[k] !== "done") out += `<rect class="${states[k]}" x="${x(a)}" y="${place.get(n) + 2}" width="${Math.max(.6, x(a + length) - x(a)).toFixed(1)}" height="${row - 4}"/>`;
  for (const [a, length, n] of c.path) if (place.has(n)) out += `<rect class="path" x="${x(a)}" y="${place.get(n) + row - 4}" width="${Math.max(.8, x(a + length) - x(a)).toFixed(1)}" height="3"/>`;
  for (let t = 0, by = stepOf(end, w / 110); t <= end; t += by) out += `<line class="tick" x1="${x(t)}" x2="${x(t)}" y1="${h - 24}" y2="${h - 20}"/><text class="mark" x="${x(t)}" y="${h - 8}">${number(t)}</text>`;
  svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
  svg.style.width = w + "px";
  svg.setAttribute("height", h);
  svg.setAttribute("aria-label", "What every program does over time; below each lane, the critical path. A click goes to that cycle.");
  svg.innerHTML = out + `<line class="cursor" y1="0" y2="${h - 22}"/><g class="names"><rect width="${left - 2}" height="${h - 24}"/>${names}</g>`;
  const stay = () => svg.querySelector(".names").setAttribute("transform", `translate(${svg.parentElement.scrollLeft})`);
  svg.parentElement.onscroll = stay; stay();
  const drag = e => { const box = svg.getBoundingClientRect(); show(((e.clientX - box.left) / box.width * w - left) / (w - left - right) * end); };
  svg.onpointerdown = e => { svg.setPointerCapture(e.pointerId); drag(e); };
  svg.onpointermove = e => e.buttons && drag(e);
}

// Zoom: a picture is larger than its box, which scrolls. The point x, y of the screen stays in place.
const scales = new Map(), scaleOf = box => scales.get(box) || 1, boxes = [...document.querySelectorAll(".zoom")];
const pictureOf = box => [...box.querySelectorAll("svg")].find(s => s.getClientRects().length);
function zoom(box, factor, x, y) {
  const svg = pictureOf(box), scale = Math.max(1, Math.min(32, scaleOf(box) * factor)), a = svg.getBoundingClientRect(), whole = scale === 1;
  if (scale === scaleOf(box)) return false;
  const width = a.width / scaleOf(box);
  if (scaleOf(box) === 1) box.style.height = a.height + "px";
  scales.set(box, scale);
  if (svg.classList.contains("lanes")) { calls.forEach(c => svg.closest(".call") === c.section && lanes(c)); box.style.height = ""; show(now); }
  else { svg.style.width = whole ? "" : width * scale + "px"; svg.style.maxHeight = whole ? "" : "none"; svg.style.setProperty("max-width", whole ? svg.dataset.most : "none"); if (whole) box.style.height = ""; }
  const b = svg.getBoundingClientRect();
  box.scrollLeft += b.left + (x - a.left) / a.width * b.width - x;
  box.scrollTop += b.top + (y - a.top) / a.height * b.height - y;
  return true;
}
const middle = box => { const r = box.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };
const zoomAll = factor => { const own = document.activeElement.closest(".zoom"); for (const box of own ? [own] : boxes.filter(b => b.tagName === "FIGURE")) zoom(box, factor, ...middle(box)); };
for (const box of boxes) {
  for (const svg of box.querySelectorAll("svg.machine")) svg.dataset.most = svg.style.maxWidth;
  box.addEventListener("wheel", e => { if ((e.ctrlKey || box.tagName === "FIGURE") && zoom(box, Math.exp(-e.deltaY / (e.ctrlKey ? 100 : 500)), e.clientX, e.clientY)) e.preventDefault(); }, {passive: false});
  let apart = 0;
  box.addEventListener("touchmove", e => {
    if (e.touches.length !== 2) { apart = 0; return; }
    const [a, b] = e.touches, far = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    e.preventDefault();
    if (apart) zoom(box, far / apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
    apart = far;
  }, {passive: false});
  box.addEventListener("touchend", () => apart = 0);
  if (box.tagName === "FIGURE") box.onpointermove = e => e.buttons && e.pointerType === "mouse" && box.scrollBy(-e.movementX, -e.movementY);
}

// Search: an SPE is marked, and of the transfers whose words have those of the field the next one is shown.
let sought = null;
const transfers = calls.flatMap(c => c.commands.filter(r => r[5] < 2 && r[4] > 0).map(r => [r[0], plain(told(c, r))])).sort((a, b) => a[0] - b[0]);
function search(on) {
  const words = plain($("find").value.replace(/^\s*(\d+)\s*$/, "SPE $1")), hits = words.trim() ? transfers.filter(h => h[1].includes(words)) : [];
  const spe = words.match(/ spe (\d+) /), before = sought, next = hits.find(h => h[0] > now) || hits[0];
  sought = spe && calls.some(c => figure(c).bySpe.has(+spe[1])) ? +spe[1] : null;
  if (on && next) show(next[0]); else show(now);
  if (sought !== before) calls.forEach(c => { lanes(c); draw(c, now); });
  $("hits").textContent = !words.trim() ? "" : hits.length ? many(hits.length, "transfer") + (on ? `, this one at cycle ${number(next[0])}` : "") : sought === null ? "nothing" : "no transfer";
  for (const c of on && sought !== null ? calls : []) {
    const svg = figure(c).svg, g = figure(c).bySpe.get(sought), letters = () => 12 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    if (letters() < 11) { const r = g.getBoundingClientRect(); zoom(svg.parentElement, 12 / letters(), r.left + r.width / 2, r.top + r.height / 2); }
    g.scrollIntoView({block: "nearest", inline: "nearest"});
  }
}
$("find").oninput = () => search(false);
$("find").onkeydown = e => { if (e.key === "Enter") search(true); };

const asked = () => +(location.hash.match(/^#t=(\d+)/) || [0, now])[1], still = matchMedia("(prefers-reduced-motion: reduce)");
let now = calls[0].still, playing = false, speed = 1, last = 0, carry = 0, address = 0;
function show(t) {
  now = Math.max(0, Math.min(end, Math.round(t)));
  for (const c of calls) draw(c, now);
  $("time").value = now;
  $("time").setAttribute("aria-valuetext", `cycle ${number(now)} of ${number(end)}`);
  clearTimeout(address); // browsers refuse many changes of the address in a second
  if (location.hash || now !== calls[0].still) address = setTimeout(() => history.replaceState(null, "", "#t=" + now), 150);
}
const merged = key => [...new Set(calls.flatMap(c => c[key]))].sort((a, b) => a - b), events = merged("events"), pieces = merged("pieces");
const step = way => { const i = after(events, now, self); show(events[way > 0 ? Math.min(i, events.length - 1) : Math.max(0, events[i - 1] === now ? i - 2 : i - 1)]); };
const piece = () => { const i = after(pieces, now, self); show(i < pieces.length ? pieces[i] : end); };
function tick(time) {
  if (!playing) return;
  const passed = last ? time - last : 0; last = time;
  if (still.matches) { carry += passed; if (carry > 900 / speed) { carry = 0; piece(); } }
  else { carry += passed * speed * end / 30000; const whole = Math.floor(carry); carry -= whole; if (whole) show(now + whole); }
  if (now >= end) return play(false);
  requestAnimationFrame(tick);
}
function play(on) {
  playing = on; last = carry = 0;
  if (on && now >= end) show(0);
  $("play").textContent = on ? "Pause" : "Play"; $("play").setAttribute("aria-pressed", on);
  for (const p of document.querySelectorAll(".status")) p.setAttribute("aria-live", on ? "off" : "polite");
  if (on) requestAnimationFrame(tick);
}
$("time").max = end;
$("time").oninput = e => show(+e.target.value);
$("play").onclick = () => play(!playing);
$("back").onclick = () => step(-1); $("next").onclick = () => step(1); $("piece").onclick = piece;
$("in").onclick = () => zoomAll(1.5); $("out").onclick = () => zoomAll(1 / 1.5);
if (!calls.some(c => c.stays.length)) document.querySelector(".legend .computes").parentElement.remove();
$("signs").innerHTML = [...document.querySelectorAll(".legend li")].map(li => `<span>${li.querySelector(".swatch").outerHTML}${li.textContent.trim().split(":")[0]}</span>`).join("");
$("speed").onchange = e => speed = +e.target.value;
addEventListener("keydown", e => {
  if (e.target.tagName === "SELECT" || e.target.id === "find" || e.ctrlKey || e.metaKey || e.altKey || e.key === " " && e.target.tagName === "BUTTON") return;
  const faster = way => { const s = $("speed"); s.selectedIndex = Math.max(0, Math.min(s.length - 1, s.selectedIndex + way)); speed = +s.value; };
  const action = {" ": () => play(!playing), ArrowLeft: () => e.shiftKey ? show(now - end / 100) : step(-1), ArrowRight: () => e.shiftKey ? show(now + end / 100) : step(1),
    ",": () => show(now - 1), ".": () => show(now + 1), Home: () => show(0), End: () => show(end), p: piece, z: () => zoomAll(1.5), Z: () => zoomAll(1 / 1.5), 0: () => zoomAll(0), "/": () => $("find").focus(), "+": () => faster(1), "-": () => faster(-1)}[e.key];
  if (action) { e.preventDefault(); action(); }
});
for (const e of [$("player"), $("keys"), ...document.querySelectorAll(".told")]) e.hidden = false;
// What the time of a call went to, the largest causes first; titles have the words of `cellcoll help words`.
const meaning = cause => D.meanings[cause] || meaning(cause - 1);
for (const c of calls) {
  const sums = new Map();
  for (const p of c.path) sums.set(p[5], (sums.get(p[5]) || 0) + p[1]);
  const rows = [...sums].sort((a, b) => b[1] - a[1]).map(([cause, n]) => [D.causes[cause], n, meaning(cause)]), rest = rows.splice(8).reduce((n, row) => n + row[1], 0);
  if (rest) rows.push(["all others", rest, ""]);
  c.section.querySelector(".causes").innerHTML = "<thead><tr><th scope=col>what the time went to</th><th scope=col class=n>cycles</th><th scope=col class=n>share</th></tr></thead><tbody>" +
    rows.map(([name, n, title]) => `<tr title="${title}"><th scope=row>${name}</th><td class=n>${number(n)}</td><td class=n>${(100 * n / c.end).toFixed(1)} %</td></tr>`).join("") + "</tbody>";
}
const layout = () => { calls.forEach(lanes); show(now); };
addEventListener("resize", layout);
addEventListener("hashchange", () => show(asked()));
now = asked();
layout();
window.view = {pieces, at: (t, i = 0) => { const s = at(calls[i], t); return [s.transfers.length, s.crossing.length, s.memory.length, s.requests, s.bytes]; }, show, play, get now() { return now; }, get playing() { return playing; }, zoom};
})();
