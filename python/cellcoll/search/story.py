# SPDX-License-Identifier: BSD-3-Clause
"""What a text found is worth: against the catalogue, the bound, other software costs, drawn machines; and why. A row for each answer."""
from __future__ import annotations

import itertools
import re
from typing import Any, Dict, List, Tuple

import cellcoll
from cellcoll.search import rivals
from cellcoll.search.judge import LOOP, Cycles, Judge, Problem, Run, mean

Row = Dict[str, Any]
KINDS = {1: "call", LOOP: "loop"}


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


class Story:
    def __init__(self, problem: Problem, profiles: List[str], judge: Judge) -> None:
        self.problem, self.profiles, self.judge = problem, profiles, judge
        published = list(rivals.variants(problem.collective, problem.ranks, False))
        self.own = [name for name in rivals.variants(problem.collective, problem.ranks, True) if name not in published]
        self.rivals: Dict[Run, rivals.Rival] = {}
        for run in itertools.product(profiles, KINDS):
            best = rivals.best(judge, *run, published)
            if not best:
                _, why = judge.cycles(published[0], *run)
                raise cellcoll.Error(f"no algorithm of the papers can do this call of {problem.collective}, expected one to compare with; {why}")
            self.rivals[run] = best

    def to_beat(self) -> Cycles:
        """Return the cycles to be beaten, for each run of the objective."""
        return {run: self.rivals[run][0] for run in self.problem.runs()}

    def rows(self, path: str, words: List[str], family: str, draws: int) -> List[Row]:
        """Return all answers about the text in file PATH."""
        p, profile, rows = self.problem, self.problem.profiles[0], []  # type: ignore[var-annotated]

        def add(question: str, subject: str, value: Any, unit: str = "") -> None:
            rows.append({"question": question, "subject": subject, "value": value, "unit": unit})

        for repeat, kind in KINDS.items():
            add("found", kind, self.judge.cycles(path, profile, repeat)[0], "cycles")
        add("found", "class", family)
        add("found", "words", " ".join(words) or "none")
        for name in self.profiles:
            ratios = []
            for repeat, kind in KINDS.items():
                cycles, rival = self.rivals[name, repeat]
                ratios.append(cycles / (self.judge.cycles(path, name, repeat)[0] or float("inf")))
                add("rival", f"{name} {kind}", rival)
                add("rival", f"{name} {kind}", cycles, "cycles")
                add("ratio", f"{name} {kind}", round(ratios[-1], 3), "times")
            add("ratio", f"{name} mean", round(mean(ratios), 3), "times")
            add("verdict", name, "wins" if min(ratios) > 1 else "loses")
        for repeat, kind in KINDS.items():
            own = rivals.best(self.judge, profile, repeat, self.own)
            if own:
                add("own", kind, own[1])
                add("own", kind, own[0], "cycles")
        bound = p.machine().bound(p.collective, ranks=p.ranks, bytes=p.bytes or None, profile=profile)
        if bound:
            cycles = bound * float(p.machine().value("clock.spu"))
            add("bound", "call", round(cycles), "cycles")
            add("bound", "call", round(rows[0]["value"] / cycles, 2), "times")
        if draws:
            options = {"ranks": p.ranks, "bytes": p.bytes or None, "plugin": path, "samples": draws, "profile": profile}
            row = p.machine()._rows("tune", [p.collective], options)[0]
            add("draws", row["best_of_all"], row["draws_percent"], "percent")
        for who, algorithm in (("found", path), ("rival", self.rivals[profile, 1][1])):
            for group, percent in _path(p, algorithm):
                add("path of " + who, group, percent, "percent")
        return rows


def text(rows: List[Row]) -> str:
    """Return ROWS as sentences."""
    get = {(one["question"], one["subject"], one["unit"]): one["value"] for one in rows}

    def pair(form: str, question: str, name: str = "") -> str:
        """Return FORM for a call and for calls back to back, with the ratio, the algorithm and its cycles."""
        keys = [name + kind for kind in KINDS.values()]
        return ", back to back ".join(form.format(get.get(("ratio", key, "times")), get[question, key, ""], get[question, key, "cycles"]) for key in keys)

    def path(who: str) -> str:
        return ", ".join(f"{one['value']:.0f} % {one['subject']}" for one in rows if one["question"] == "path of " + who)

    lines = [f"Found       {get['found', 'call', 'cycles']:.0f} cycles a call, {get['found', 'loop', 'cycles']:.0f} in calls back to back; {get['found', 'class', '']}; "
             f"words: {get['found', 'words', '']}"]
    for one in (one for one in rows if one["question"] == "verdict"):
        lines.append(f"{'Against' if len(lines) == 1 else '':12}costs of {one['subject']}: "
                     + pair("{:.2f} times as fast as {} ({:.0f})", "rival", one["subject"] + " ") + f"; {'wins' if one['value'] == 'wins' else 'LOSES'}")
    if ("own", "call", "") in get:
        lines.append("            best of cellcoll's own: " + pair("{1} ({2:.0f})", "own"))
    if ("bound", "call", "times") in get:
        lines.append(f"Bound       {get['bound', 'call', 'times']:.1f} times the bound of {get['bound', 'call', 'cycles']} cycles; no program is faster than the bound")
    lines += [f"Draws       {one['subject']} is the fastest in {one['value']:.0f} % of the drawn machines" for one in rows if one["question"] == "draws"]
    return "\n".join([*lines, f"Why         critical path: {path('found')}", f"            against {path('rival')}"]) + "\n"
