# SPDX-License-Identifier: BSD-3-Clause
"""The search: a quarter of the budget for starts, kept by class; then the eight best classes are improved in equal shares, and the
better half goes on, until one class is left.

Candidates are drawn and judged in groups of GROUP, whatever the number of processes: the same seed gives the same result.
"""
from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional

from cellcoll.search.judge import Bench, Verdict
from cellcoll.search.lines import text_of
from cellcoll.search.shape import Shape
from cellcoll.search.space import Candidate, draw, neighbour

GROUP = 8
KEPT = 6  # candidates of a class
CLASSES = 8
IDLE = 30  # groups without a new text after which a share ends


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
        self.wrong: Dict[str, int] = {}
        self.told: Callable[[Climb], None] = lambda climb: None

    def _group(self, count: int, make: Callable[[], Candidate], bound: float) -> bool:
        """Draw COUNT candidates, and judge those not judged before; return whether there was one."""
        new: Dict[str, Candidate] = {}
        for _ in range(count):
            candidate = make()
            text = text_of(self.shape, candidate)
            if text not in self.judged:
                new.setdefault(text, candidate)
        self.judged.update(dict.fromkeys(new))
        verdicts = self.bench.verdicts([(text, bound) for text in new])
        for candidate, verdict in zip(new.values(), verdicts):
            if verdict.value is None:
                if verdict.wrong:
                    self.wrong[verdict.wrong] = self.wrong.get(verdict.wrong, 0) + 1
                continue
            self._keep(Found(candidate, verdict, verdict.value))
        self.told(self)
        return bool(new)

    def _keep(self, found: Found) -> None:
        pool = self.pools.setdefault(found.candidate.family(), [])
        if all(found.value != other.value for other in pool):
            pool.append(found)
            pool.sort(key=lambda one: one.value)
            del pool[KEPT:]
        if not self.best or found.value < self.best.value:
            self.best = found

    def _spend(self, end: int, make: Callable[[], Candidate], bound: Callable[[], float]) -> None:
        """Draw candidates until END runs have been made."""
        idle, most = 0, self.bench.problem.most_runs()
        while self.bench.asked + most <= end and idle < IDLE:
            count = min(GROUP, (end - self.bench.asked) // most)
            idle = 0 if self._group(count, make, bound()) else idle + 1

    def _child(self, family: str) -> Candidate:
        pool = self.pools[family]
        parent = pool[min(int(self.random.expovariate(0.7)), len(pool) - 1)]
        return neighbour(self.shape, parent.candidate, self.random)

    def run(self) -> Optional[Found]:
        """Search; return the best, None if every candidate was wrong."""
        self._spend(max(self.bench.problem.most_runs(), self.budget // 4), lambda: draw(self.shape, self.collective, self.random), lambda: float("inf"))

        def value(family: str) -> float:
            return self.pools[family][0].value

        left = sorted(self.pools, key=value)[:CLASSES]
        while left:
            share = (self.budget - self.bench.asked) // (2 if len(left) > 1 else 1)
            for family in left:
                end = self.bench.asked + share // len(left)
                self._spend(end, lambda: self._child(family), lambda: value(family))  # noqa: B023
            left = sorted(left, key=value)[:(len(left) + 1) // 2] if len(left) > 1 else []
        return self.best
