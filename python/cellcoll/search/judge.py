# SPDX-License-Identifier: BSD-3-Clause
"""The judge of texts: each text is a call and six calls back to back on the simulated machine, with the data verified."""
from __future__ import annotations

import hashlib
import json
import math
import multiprocessing
import signal
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import cellcoll

LOOP = 6  # calls back to back; their mean without the first one is the cycles of a loop
NAME = "candidate"

Run = Tuple[str, int]  # software costs, calls back to back
Cycles = Dict[Run, float]


@dataclass(frozen=True)
class Problem:
    """A call for which a text is searched."""

    platform: str
    settings: Tuple[Tuple[str, str], ...]
    collective: str
    ranks: int
    bytes: int
    profiles: Tuple[str, ...]  # of all but --objective robust one
    objective: str

    def runs(self) -> List[Run]:
        """Return the runs of a candidate."""
        repeats = {"call": (1,), "loop": (LOOP,)}.get(self.objective, (1, LOOP))
        return [(profile, repeat) for profile in self.profiles for repeat in repeats]

    def machine(self) -> cellcoll.Machine:
        return cellcoll.Machine(self.platform, dict(self.settings))


@dataclass
class Verdict:
    """Cycles of a text, up to the first wrong or hopeless run; value: to be minimised, None: none; runs: made, none of a refused text."""

    cycles: Cycles
    value: Optional[float] = None
    wrong: str = ""
    runs: int = 0


@dataclass(frozen=True)
class Question:
    """A text, and what is known of better ones: no text of a greater value is of use, and a call back to back takes at least a share of
    one call. The runs that better texts do worst in come first."""

    text: str
    bound: float
    share: float
    runs: Tuple[Run, ...]


def mean(values: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


class Judge:
    """Judges texts in this process. RIVAL has the cycles of the best of the catalogue."""

    def __init__(self, problem: Problem, rival: Cycles) -> None:
        self.problem, self.rival, self.machine = problem, rival, problem.machine()

    def cycles(self, algorithm: str, profile: str, repeat: int) -> Tuple[Optional[float], str]:
        """Return the cycles of a call, or None and the reason."""
        p = self.problem
        try:
            row = self.machine.run(algorithm, p.ranks, p.bytes, repeat=repeat, profile=profile, on_stop="row")
        except cellcoll.Error as error:
            return None, str(error)
        return (row["cycles"], "") if row["verified"] else (None, f"{row['outcome']}: {row['detail']}")

    def _value(self, cycles: Cycles, share: float) -> float:
        """Return the value of a text with these CYCLES, or the least that it may get with the runs to come."""
        ratios = [cycles[run] / self.rival[run] for run in cycles]
        if self.problem.objective == "robust":
            return max(ratios)
        first = self.problem.runs()[0]
        ratios += [cycles[first] * share / self.rival[run] for run in self.problem.runs() if run not in cycles]
        return mean(ratios)

    def judge(self, question: Question) -> Verdict:
        verdict = Verdict({})
        try:
            cellcoll.load_text(NAME, question.text)
        except cellcoll.Error as error:
            return Verdict({}, wrong=str(error))
        value = 0.0
        for run in question.runs:
            verdict.runs += 1
            cycles, verdict.wrong = self.cycles("sched:" + NAME, *run)
            if cycles is None:
                return verdict
            verdict.cycles[run] = cycles
            value = self._value(verdict.cycles, question.share)
            if value > question.bound:
                return verdict
        verdict.value = value
        return verdict


_judge: Optional[Judge] = None  # of the search, and of its processes, which are forked from it


def _answer(question: Question) -> Verdict:
    assert _judge
    return _judge.judge(question)


class Bench:
    """Judges in N processes, with a store of verdicts: equal texts are run once, in the store's life."""

    def __init__(self, problem: Problem, rival: Cycles, jobs: int, store: Optional[str]) -> None:
        global _judge
        _judge = Judge(problem, rival)
        self.problem, self.rival = problem, rival
        self.asked = 0  # runs, of the store as well
        ignored = (signal.SIGINT, signal.SIG_IGN)  # the parent ends its processes
        self.pool = multiprocessing.get_context("fork").Pool(jobs, signal.signal, ignored) if jobs > 1 else None
        machine = problem.machine().run("barrier:bruck", ranks=2)
        self.about = json.dumps([machine["platform_checksum"], cellcoll.version(), vars(problem), sorted(rival.items())], default=str)
        self.known: Dict[str, Verdict] = {}
        self.store: Any = None
        if store:
            self._open(store)

    def _open(self, store: str) -> None:
        try:
            self.store = open(store, "a+", encoding="utf-8")
            self.store.seek(0)
            lines = self.store.read().split("\n")
            for line in lines[:-1]:  # an earlier search may have ended in the middle of the last line
                key, cycles, *others = json.loads(line)
                self.known[key] = Verdict({(profile, repeat): found for profile, repeat, found in cycles}, *others)
            self.store.truncate(sum(len(line) + 1 for line in lines[:-1]))
        except (OSError, ValueError, TypeError) as error:
            raise cellcoll.Error(f"store {store}: {error}, expected a file of an earlier search, or none") from None

    def verdicts(self, questions: List[Question]) -> List[Verdict]:
        """Answer questions, in order."""
        keys = [hashlib.sha256(f"{self.about} {question!r}".encode()).hexdigest()[:24] for question in questions]
        new = [i for i, key in enumerate(keys) if key not in self.known]
        work = [questions[i] for i in new]
        for i, verdict in zip(new, self.pool.map(_answer, work, 1) if self.pool else map(_answer, work)):
            self.known[keys[i]] = verdict
            if self.store:
                self.store.write(json.dumps([keys[i], [[*run, found] for run, found in verdict.cycles.items()], verdict.value, verdict.wrong, verdict.runs]) + "\n")
        if self.store:
            self.store.flush()
        verdicts = [self.known[key] for key in keys]
        self.asked += sum(verdict.runs for verdict in verdicts)
        return verdicts

    def close(self) -> None:
        if self.pool:
            self.pool.terminate()
            self.pool.join()
        if self.store:
            self.store.close()
