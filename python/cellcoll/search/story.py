# SPDX-License-Identifier: BSD-3-Clause
"""What a text found is worth: against the catalogue, the bound, other software costs, drawn machines; and why. A row for each answer."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

import cellcoll
from cellcoll.search import rivals
from cellcoll.search.judge import LOOP, Cycles, Judge, Problem, mean

Row = Dict[str, Any]
REPEATS = (1, LOOP)
KINDS = {1: "call", LOOP: "loop"}


def row(question: str, subject: str, value: Any, unit: str) -> Row:
    return {"question": question, "subject": subject, "value": value, "unit": unit}


def check(problem: Problem, path: str, jobs: int) -> Tuple[bool, str]:
    """Let `cellcoll check` prove the text in file PATH: its own size, sizes that no piece divides, six calls, roots that move by 1 and by 3,
    shuffled orders, sums of float32. Return whether the text passed, and the last lines."""
    machine, options = problem.machine(), {}  # type: ignore[var-annotated]
    if problem.collective != "barrier":
        small = min(problem.bytes, 4096)
        options["bytes"] = [4, small, small + 4]
    try:
        rows = machine.check(path, ranks=problem.ranks, repeat=LOOP, jobs=jobs, quiet=True, **options)
    except cellcoll.Error as error:
        return False, str(error)
    failed = [one for one in rows if one["result"] != "pass"]
    told = f"{len(failed)} of {len(rows)} points failed" + (f", the first: {failed[0]}" if failed else "")
    return bool(rows) and not failed, told


def _path(problem: Problem, algorithm: str) -> List[Tuple[str, float]]:
    """Return the groups of causes on the critical path of a call, in percent."""
    text = problem.machine()._program("run", [algorithm], {
        "ranks": problem.ranks, "bytes": problem.bytes or None, "profile": problem.profiles[0], "critical_path": True, "jobs": 1, "quiet": True})
    groups = re.findall(r"^ +\d+ +([\d.]+) %  (.+?)(?:: .*)?$", text.split("critical path of")[-1].split("\n\n")[0], re.M)
    return [(name, float(percent)) for percent, name in groups]


def _draws(problem: Problem, path: str, n: int) -> Tuple[float, str]:
    """Return the percentage of N drawn machines on which the text is the fastest, and the fastest algorithm on the machine as it is."""
    rows = problem.machine()._rows("tune", [problem.collective], {
        "ranks": problem.ranks, "bytes": problem.bytes or None, "plugin": path, "samples": n, "profile": problem.profiles[0]})
    return rows[0]["draws_percent"], rows[0]["best_of_all"]


class Story:
    def __init__(self, problem: Problem, profiles: List[str], judge: Judge) -> None:
        self.problem, self.profiles, self.judge = problem, profiles, judge
        published = list(rivals.variants(problem.collective, problem.ranks, False))
        self.own = [name for name in rivals.variants(problem.collective, problem.ranks, True) if name not in published]
        self.rivals: Dict[str, Dict[int, rivals.Rival]] = {profile: {} for profile in profiles}
        for profile in profiles:
            for repeat in REPEATS:
                best = rivals.best(judge, profile, repeat, published)
                if not best:
                    _, why = judge.cycles(published[0], profile, repeat)
                    raise cellcoll.Error(f"no algorithm of the papers can do this call of {problem.collective}, expected one to compare with; {why}")
                self.rivals[profile][repeat] = best

    def to_beat(self) -> Cycles:
        """Return the cycles to be beaten, for each run of the objective."""
        return {(profile, repeat): self.rivals[profile][repeat][0] for profile, repeat in self.problem.runs()}

    def ratios(self, profile: str, algorithm: str) -> Dict[int, float]:
        """Return how many times as fast as the best of the papers an algorithm is, by repeats."""
        ratios = {}
        for repeat in REPEATS:
            cycles, wrong = self.judge.cycles(algorithm, profile, repeat)
            ratios[repeat] = self.rivals[profile][repeat][0] / cycles if cycles else 0.0
        return ratios

    def rows(self, path: str, words: List[str], family: str, draws: int) -> List[Row]:
        """Return all answers about the text in file PATH."""
        p, profile = self.problem, self.problem.profiles[0]
        rows = [row("found", KINDS[repeat], self.judge.cycles(path, profile, repeat)[0], "cycles") for repeat in REPEATS]
        rows += [row("found", "class", family, ""), row("found", "words", " ".join(words) or "none", "")]
        for name in self.profiles:
            ratios = self.ratios(name, path)
            for repeat in REPEATS:
                cycles, rival = self.rivals[name][repeat]
                rows += [row("rival", f"{name} {KINDS[repeat]}", rival, ""), row("rival", f"{name} {KINDS[repeat]}", cycles, "cycles"),
                         row("ratio", f"{name} {KINDS[repeat]}", round(ratios[repeat], 3), "times")]
            rows.append(row("ratio", f"{name} mean", round(mean(list(ratios.values())), 3), "times"))
            rows.append(row("verdict", name, "wins" if min(ratios.values()) > 1 else "loses", ""))
        for repeat in REPEATS:
            own = rivals.best(self.judge, profile, repeat, self.own)
            if own:
                cycles, rival = own
                rows += [row("own", KINDS[repeat], rival, ""), row("own", KINDS[repeat], cycles, "cycles")]
        bound = p.machine().bound(p.collective, ranks=p.ranks, bytes=p.bytes or None, profile=profile)
        if bound:
            cycles = bound * float(p.machine().value("clock.spu"))
            rows += [row("bound", "call", round(cycles), "cycles"), row("bound", "call", round(rows[0]["value"] / cycles, 2), "times")]
        if draws:
            percent, fastest = _draws(p, path, draws)
            rows.append(row("draws", fastest, percent, "percent"))
        for who, algorithm in (("found", path), ("rival", self.rivals[profile][1][1])):
            rows += [row("path of " + who, group, percent, "percent") for group, percent in _path(p, algorithm)]
        return rows


def text(rows: List[Row]) -> str:
    """Return ROWS as sentences."""
    def get(question: str, subject: str, unit: Optional[str] = None) -> Any:
        return next((r["value"] for r in rows if r["question"] == question and r["subject"] == subject and unit in (None, r["unit"])), None)

    def path(who: str) -> str:
        return ", ".join(f"{r['value']:.0f} % {r['subject']}" for r in rows if r["question"] == "path of " + who)

    lines = [f"Found       {get('found', 'call'):.0f} cycles a call, {get('found', 'loop'):.0f} in calls back to back; {get('found', 'class')}; "
             f"words: {get('found', 'words')}"]
    for r in rows:
        if r["question"] == "verdict":
            name = r["subject"]
            lines.append(f"{'Against' if len(lines) == 1 else '':12}costs of {name}: {get('ratio', name + ' call'):.2f} times as fast as {get('rival', name + ' call', '')} "
                         f"({get('rival', name + ' call', 'cycles'):.0f}), back to back {get('ratio', name + ' loop'):.2f} times as fast as "
                         f"{get('rival', name + ' loop', '')} ({get('rival', name + ' loop', 'cycles'):.0f}); {'wins' if r['value'] == 'wins' else 'LOSES'}")
    if get("own", "call"):
        lines.append(f"            best of cellcoll's own: {get('own', 'call', '')} ({get('own', 'call', 'cycles'):.0f}), "
                     f"back to back {get('own', 'loop', '')} ({get('own', 'loop', 'cycles'):.0f})")
    if get("bound", "call"):
        lines.append(f"Bound       {get('bound', 'call', 'times'):.1f} times the bound of {get('bound', 'call', 'cycles')} cycles; no program is faster than the bound")
    lines += [f"Draws       {r['subject']} is the fastest in {r['value']:.0f} % of the drawn machines" for r in rows if r["question"] == "draws"]
    lines += [f"Why         critical path: {path('found')}", f"            against {path('rival')}"]
    return "\n".join(lines) + "\n"
