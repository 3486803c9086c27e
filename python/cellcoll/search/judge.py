# SPDX-License-Identifier: BSD-3-Clause
"""The judge of texts: each text is a call and six calls back to back on the simulated machine, with the data verified."""
from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import cellcoll

LOOP = 6  # calls back to back; their mean without the first one is the cycles of a loop
HOPELESS = 1.6  # a call so many times as long as the bound is not run in a loop
NAME = "candidate"


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

    def repeats(self) -> Tuple[int, ...]:
        return {"call": (1,), "loop": (LOOP,)}.get(self.objective, (1, LOOP))

    def most_runs(self) -> int:
        """Return the most runs that a candidate takes."""
        return len(self.profiles) * len(self.repeats())

    def machine(self) -> cellcoll.Machine:
        return cellcoll.Machine(self.platform, dict(self.settings))


@dataclass
class Verdict:
    """Cycles of a text by profile and repeats, up to the first wrong or hopeless run; value: to be minimised, None: none."""

    cycles: List[float]
    value: Optional[float]
    wrong: str = ""


def mean(values: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


class Judge:
    """Judges texts in this process. RIVAL has for each profile the cycles of the best of the catalogue, by repeats."""

    def __init__(self, problem: Problem, rival: Dict[str, List[float]]) -> None:
        self.problem, self.rival, self.machine = problem, rival, problem.machine()

    def cycles(self, algorithm: str, profile: str, repeat: int) -> Tuple[Optional[float], str]:
        """Return the cycles of a call, or None and the reason."""
        p = self.problem
        try:
            row = self.machine.run(algorithm, p.ranks, p.bytes, repeat=repeat, profile=profile, on_stop="row")
        except cellcoll.Error as error:
            return None, str(error)
        return (row["cycles"], "") if row["verified"] else (None, f"{row['outcome']}: {row['detail']}")

    def judge(self, text: str, bound: float) -> Verdict:
        """Judge TEXT; BOUND is the value of the best text so far of its kind."""
        verdict = Verdict([], None)
        try:
            cellcoll.load_text(NAME, text)
        except cellcoll.Error as error:
            return Verdict([], None, str(error))
        values = []
        for profile in self.problem.profiles:
            found: List[float] = []
            for repeat in self.problem.repeats():
                cycles, verdict.wrong = self.cycles("sched:" + NAME, profile, repeat)
                if cycles is None:
                    return verdict
                verdict.cycles.append(cycles)
                found.append(cycles)
                if len(self.problem.repeats()) > 1 and len(found) == 1 and cycles / mean(self.rival[profile]) > HOPELESS * bound:
                    return verdict
            robust = self.problem.objective == "robust"
            values.append(max(a / b for a, b in zip(found, self.rival[profile])) if robust else mean(found) / mean(self.rival[profile]))
        verdict.value = max(values)
        return verdict


_worker: Optional[Judge] = None


def _begin(problem: Problem, rival: Dict[str, List[float]]) -> None:
    import signal
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    _worker = Judge(problem, rival)


def _work(question: Tuple[str, float]) -> Verdict:
    assert _worker
    return _worker.judge(*question)


class Bench:
    """Judges in N processes, with a store of verdicts: equal texts are run once, in the store's life."""

    def __init__(self, problem: Problem, rival: Dict[str, List[float]], jobs: int, store: Optional[str]) -> None:
        self.problem = problem
        self.judge: Optional[Judge] = None
        self.pool: Any = None
        if jobs > 1:
            import multiprocessing
            self.pool = multiprocessing.get_context("fork").Pool(jobs, _begin, (problem, rival))
        else:
            self.judge = Judge(problem, rival)
        self.asked = 0  # runs, of the store as well
        machine = problem.machine().run("barrier:bruck", ranks=2)
        self.about = json.dumps([machine["platform_checksum"], cellcoll.version(), vars(problem), rival], default=str)
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
                key, cycles, value, wrong = json.loads(line)
                self.known[key] = Verdict(cycles, value, wrong)
            self.store.truncate(sum(len(line) + 1 for line in lines[:-1]))
        except (OSError, ValueError) as error:
            raise cellcoll.Error(f"store {store}: {error}, expected a file of an earlier search, or none") from None

    def verdicts(self, questions: List[Tuple[str, float]]) -> List[Verdict]:
        """Judge texts with their bounds, in order."""
        keys = [hashlib.sha256(f"{self.about} {bound!r} {text}".encode()).hexdigest()[:24] for text, bound in questions]
        new = [i for i, key in enumerate(keys) if key not in self.known]
        work = [questions[i] for i in new]
        found = self.pool.map(_work, work, 1) if self.pool else [self.judge.judge(*one) for one in work]  # type: ignore[union-attr]
        for i, verdict in zip(new, found):
            self.known[keys[i]] = verdict
            if self.store:
                self.store.write(json.dumps([keys[i], verdict.cycles, verdict.value, verdict.wrong]) + "\n")
        if self.store:
            self.store.flush()
        verdicts = [self.known[key] for key in keys]
        self.asked += sum(max(1, len(verdict.cycles)) for verdict in verdicts)
        return verdicts

    def close(self) -> None:
        if self.pool:
            self.pool.terminate()
            self.pool.join()
        if self.store:
            self.store.close()
