# SPDX-License-Identifier: BSD-3-Clause
"""The search: an eighth of the budget for starts, at least STARTS runs, kept by class; then the six best classes are improved in equal
shares, the better three, and the best; with the last third of the budget single operations of its best candidates are changed.

Candidates are drawn and judged in groups of GROUP, whatever the number of processes: the same seed gives the same result.
"""
from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional

from cellcoll.search.judge import Bench, Question, Verdict
from cellcoll.search.lines import lines_of, text_of
from cellcoll.search.shape import Shape
from cellcoll.search.space import Candidate, draw, neighbour

GROUP = 8
KEPT = 3  # candidates of a class
APART = 1.003  # least ratio of the values of two of these, so that not all are much the same
PICK = 0.8  # the greater, the more often children are of the best candidates
CLASSES = (6, 3, 1)  # that are improved, one after the other
STARTS = 150  # least runs for starts, if the budget is twice as many: each class has some
SHARE = 0.9  # of the least part of a call that calls back to back take in a class: a new text is not thought to take less
OPERATION = 2  # least runs for each operation of a text, or single operations are not changed
IDLE = 30  # groups without a run after which a share ends


@dataclass
class Found:
    candidate: Candidate
    verdict: Verdict
    value: float


class Climb:
    def __init__(self, shape: Shape, collective: str, bench: Bench, budget: int, seed: int) -> None:
        self.shape, self.collective, self.bench, self.budget = shape, collective, bench, budget
        self.random = random.Random(seed)
        self.pools: Dict[str, List[Found]] = {}
        self.judged: Dict[str, None] = {}
        self.best: Optional[Found] = None
        self.wrong = ""  # what was wrong with the first text that was
        self.told: Callable[[Climb], None] = lambda climb: None

    def _question(self, text: str, family: str) -> Question:
        """Return the question whether TEXT is better than the candidates of its class."""
        runs, pool = self.bench.problem.runs(), self.pools.get(family, [])
        if len(pool) < KEPT:
            return Question(text, float("inf"), 1, tuple(runs))
        best, rival = pool[0].verdict.cycles, self.bench.rival
        if self.bench.problem.objective == "robust":
            runs.sort(key=lambda run: -best[run] / rival[run])
        share = min(one.verdict.cycles[runs[-1]] / one.verdict.cycles[runs[0]] for one in pool)
        return Question(text, pool[-1].value, SHARE * share, tuple(runs))

    def _group(self, count: int, make: Callable[[], Candidate]) -> None:
        """Draw COUNT candidates, and judge those not judged before."""
        new: Dict[str, Candidate] = {}
        for _ in range(count):
            candidate = make()
            text = text_of(self.shape, candidate)
            if text not in self.judged:
                new.setdefault(text, candidate)
        self.judged.update(dict.fromkeys(new))
        verdicts = self.bench.verdicts([self._question(text, candidate.family()) for text, candidate in new.items()])
        for candidate, verdict in zip(new.values(), verdicts):
            if verdict.value is not None:
                self._keep(Found(candidate, verdict, verdict.value))
            self.wrong = self.wrong or verdict.wrong
        self.told(self)

    def _keep(self, found: Found) -> None:
        pool = self.pools.setdefault(found.candidate.family(), [])
        kept: List[Found] = []
        for one in sorted([found, *pool], key=lambda one: one.value):
            if not kept or one.value > kept[-1].value * APART:
                kept.append(one)
        pool[:] = kept[:KEPT]
        if not self.best or found.value <= self.best.value:
            self.best = found

    def _spend(self, end: int, make: Callable[[], Candidate]) -> None:
        """Draw candidates until END runs have been made."""
        idle, most = 0, len(self.bench.problem.runs())
        while self.bench.asked + most <= end and idle < IDLE:
            before = self.bench.asked
            self._group(min(GROUP, (end - before) // most), make)
            idle = 0 if self.bench.asked > before else idle + 1

    def _child(self, family: str) -> Candidate:
        pool = self.pools[family]
        one = pool[min(int(self.random.expovariate(PICK)), len(pool) - 1)]
        return neighbour(self.shape, one.candidate, self.random)

    def run(self) -> Optional[Found]:
        """Search; return the best, None if every candidate was wrong."""
        starts = max(len(self.bench.problem.runs()), self.budget // 8, min(STARTS, self.budget // 2))
        self._spend(starts, lambda: draw(self.shape, self.collective, self.random))
        last = self.budget * 2 // 3
        for count in CLASSES:
            share = (last - self.bench.asked) // (2 if count > 1 else 1)
            families = sorted(self.pools, key=lambda family: self.pools[family][0].value)[:count]
            for family in families:
                end = self.bench.asked + share // len(families)
                self._spend(end, lambda: self._child(family))  # noqa: B023
        if self.best:
            family = self.best.candidate.family()
            for one in self.pools[family]:
                lines = lines_of(self.shape, one.candidate)
                one.candidate.lines = lines if len(lines) * OPERATION <= self.budget - last else []
            self._spend(self.budget, lambda: self._child(family))
        return self.best
