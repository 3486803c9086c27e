# SPDX-License-Identifier: BSD-3-Clause
"""A candidate as the text of an algorithm, and the text with its runs of operations folded into `each` lines."""
from __future__ import annotations

import itertools
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from cellcoll.search.shape import Shape, Tree
from cellcoll.search.space import VECTORS, WORDS, Candidate, Line

# An operation with the moment in whose order operations are issued: (moment, verb, sender, receiver, block or piece, part). Parts of a
# moment order the operations of an exchange.
Operation = Tuple[float, str, int, int, int, int]
MOST = 256  # places
MOST_BY_SIGNAL = 16
TOGETHER = "*"  # before a verb: the addition is one of an exchange


def _leaders(shape: Shape, candidate: Candidate) -> List[int]:
    """Return the leader of each piece."""
    places, size, who = range(shape.places), shape.size, candidate.leaders
    turns = {"root": places[:1], "near": places[:size], "far": places[size:] or places, "all": places}
    return [turns[who][t % len(turns[who])] for t in range(candidate.pieces)]


class Writer:
    """The operations of one candidate."""

    def __init__(self, shape: Shape, candidate: Candidate) -> None:
        self.shape, self.candidate = shape, candidate
        self.turned = shape.turned(candidate.turn)
        self.group = [0]  # offsets of the places that exchange with a leader; other places are below one of these in a tree
        if candidate.collective == "allreduce":
            for offsets in candidate.rounds:
                self.group = sorted({self.turned[a][b] for a in self.group for b in [0, *offsets]})
        inner = {self.turned[a][x]: x for x in reversed(range(shape.places)) for a in self.group}
        self.offsets = sorted(set(inner.values()))[1:]
        self.trees = {way: self._within(tree, inner) for way, tree in (("up", candidate.up), ("down", candidate.down)) if tree.parent}
        self.levels = {way: tree.levels(self.offsets) for way, tree in self.trees.items()}

    def _within(self, tree: Tree, inner: Dict[int, int]) -> Tree:
        """Return TREE with the offsets in INNER alone, each standing for those that exchange with it."""
        if len(self.group) == 1:
            return tree
        depth = [len(tree.way(x)) for x in range(self.shape.places)]
        above = [inner[parent] for parent in tree.parent]
        return Tree([parent if depth[parent] < depth[x] else 0 for x, parent in enumerate(above)], tree.order, tree.get)

    def spread(self, way: str, root: int, region: Tuple[int, int], stage: int) -> Iterator[Operation]:
        """Yield the operations of a tree with its root at a place: all contributions up, or the data down."""
        at, tree, levels, last = self.turned[root], self.trees[way], self.levels[way], self.length(way) - 1
        for x in self.offsets:
            above, below, get = at[tree.parent[x]], at[x], tree.get[x]
            if way == "up":
                yield (stage + last - levels[x], "getadd" if get else "putadd", below, above, *region)
            else:
                yield (stage + levels[x], "get" if get else "put", above, below, *region)

    def length(self, way: str) -> int:
        return max([self.levels[way][x] for x in self.offsets], default=0) + 1

    def vector(self) -> Iterator[Operation]:
        c = self.candidate
        for offset, (t, leader), part in itertools.product(self.group, enumerate(_leaders(self.shape, c)), range(c.parts)):
            region = (part * c.pieces + t if c.spread else t * c.parts + part, -1)
            yield from getattr(self, c.collective)(self.turned[leader][offset], region, part * c.lag)

    def bcast(self, leader: int, region: Tuple[int, int], stage: int) -> Iterator[Operation]:
        c, verb = self.candidate, "get" if self.candidate.first_get else "put"
        relay = leader % self.shape.size if c.relay and leader >= self.shape.size else 0
        for a, b in [(0, relay), (relay, leader)]:
            if a != b:
                yield (stage, verb, a, b, *region)
                stage += 1
        yield from (op for op in self.spread("down", leader, region, stage) if op[3] not in (0, relay))

    def reduce(self, leader: int, region: Tuple[int, int], stage: int) -> Iterator[Operation]:
        yield from self.spread("up", leader, region, stage)
        if leader:
            yield (stage + self.length("up"), "get" if self.candidate.first_get else "put", leader, 0, *region)

    def allreduce(self, leader: int, region: Tuple[int, int], stage: int) -> Iterator[Operation]:
        yield from self.spread("up", leader, region, stage)
        stage += self.length("up")
        for offsets, get in zip(self.candidate.rounds, self.candidate.gets):
            for number, offset in enumerate(offsets):
                ends = (self.turned[leader][offset], leader)[::1 if get else -1]
                yield (stage + number / MOST, TOGETHER + ("getadd" if get else "putadd"), *ends, *region)
            stage += 1
        yield from self.spread("down", leader, region, stage)

    def blocks(self) -> Iterator[Operation]:
        """Yield the operations of collectives on blocks."""
        c, size = self.candidate, self.shape.size
        way = "up" if c.collective in ("reducescatter", "gather") else "down"
        for x, part in itertools.product(range(self.shape.places), range(c.parts)):
            turned = c.collective in ("reducescatter", "allgather")
            operations = self.spread(way, x, (x, part), part * c.lag) if turned else self.relayed(way, x, part)
            for moment, verb, a, b, block, _ in operations:
                whole = c.whole and a // size == b // size == block // size
                if not whole or not part:
                    yield (moment, verb, a, b, block, -1 if whole else part)

    def relayed(self, way: str, x: int, part: int) -> Iterator[Operation]:
        """Yield the operations of a block of a gather or scatter, which passes all places on the way."""
        c, at = self.candidate, self.turned[0]
        tree = self.trees[way]
        hops = tree.way(x)
        for hop, node in enumerate(hops):
            ends = (at[tree.parent[node]], at[node])[::-1 if way == "up" else 1]
            moment = (hop if way == "up" else len(hops) - hop) * self.shape.places * 4 + tree.order[node] + part * c.lag
            yield (moment, "get" if tree.get[node] else "put", *ends, at[x], part)


def _join(shape: Shape, operations: Iterator[Operation], parts: int) -> Iterator[Line]:
    """Yield lines in the order of their moments: neighbouring regions that go the same way at the same time go together. Of the same
    moment exchanges come first, since others wait for them, and transfers across before those on a chip, since they take longer."""
    groups: Dict[Tuple[float, str, int, int], List[Tuple[int, int]]] = {}
    for moment, verb, a, b, region, part in operations:
        groups.setdefault((moment, verb, a, b), []).append((region, part))
    block = None  # moment of the additions between `together` and `round`
    for moment, verb, a, b in sorted(groups, key=lambda one: (int(one[0]), one[1][0] != TOGETHER, not shape.crosses(*one[2:]), one[0])):
        regions = groups[moment, verb, a, b]
        together = int(moment) if verb[0] == TOGETHER else None
        if together != block:
            yield from [("round",)] * (block is not None) + [("together",)] * (together is not None)
        block, verb = together, verb.lstrip(TOGETHER)
        get = verb.startswith("get")
        runs: List[List[int]] = []
        for region, part in sorted(regions):
            part = part if parts > 1 else -1
            if runs and part < 0 and runs[-1][1:] == [region - 1, part]:
                runs[-1][1] = region
            else:
                runs.append([region, region, part])
        for first, last, part in runs:
            yield (verb, b if get else a, "<" if get else ">", a if get else b, first, last, part)
    yield from [("round",)] * (block is not None)


def _head(shape: Shape, candidate: Candidate) -> List[str]:
    words = [word for word in WORDS if getattr(candidate, word) and (word != "signals" or shape.places <= MOST_BY_SIGNAL)]
    lines = [f"collective {candidate.collective}", f"places {shape.places}"]
    if candidate.collective == "barrier":
        return lines + [word for word in words if word in ("signals", "late")]
    vector = candidate.collective in VECTORS
    pieces = candidate.pieces * candidate.parts if vector else candidate.parts
    return lines + ["vector"] * vector + [f"pieces {pieces}", f"depth {candidate.depth}"] + words


def _print(line: Line, numbers: Optional[Sequence[Optional[str]]] = None) -> str:
    """Return LINE as text, with expressions in place of its numbers."""
    if len(line) == 1:
        return str(line[0])
    verb, way = line[0], line[2]
    a, b, first, last, part = numbers or (line[1], *line[3:])
    region = "" if line[4] == -1 else f" : {first}" + (f"..{last}" if line[4] != line[5] else "") + (f"/{part}" if line[6] != -1 else "")
    return f"{verb} {a} {way} {b}{region}"


def lines_of(shape: Shape, candidate: Candidate) -> List[Line]:
    """Return the operations of CANDIDATE."""
    if candidate.lines:
        return candidate.lines[:]
    if candidate.collective == "barrier":
        at, places, lines = shape.turned(candidate.turn), range(shape.places), []  # type: ignore[var-annotated]
        for offsets in candidate.rounds:
            lines += [("signal", place, ">", at[place][x], -1, -1, -1) for x in offsets for place in places if at[place][x] != place] + [("round",)]
        return lines
    writer = Writer(shape, candidate)
    vector = candidate.collective in VECTORS
    return list(_join(shape, writer.vector() if vector else writer.blocks(), 1 if vector else candidate.parts))


def text_of(shape: Shape, candidate: Candidate) -> str:
    """Return the text of CANDIDATE, an operation a line."""
    return "\n".join(_head(shape, candidate) + [_print(line) for line in lines_of(shape, candidate)]) + "\n"


# --- folding ---

Form = Tuple[str, Callable[[int, int], int]]


def _forms(shape: Shape) -> List[Form]:
    """Return expressions of v with a constant k, and their values."""
    size, places = shape.size, shape.places
    chips = [f"v-v%{size}"] + [f"(v-v%{size}+{far})%{places}" for far in range(size, places, size)]
    forms = ["v^{k}", f"v%{size}+{{k}}"] + [chip + turned for chip in chips for turned in (f"+(v+{{k}})%{size}", f"+(v%{size}^{{k}})")]
    return [(form, eval("lambda v, k: " + form.format(k="k"))) for form in forms]  # the same operators as in Python


def _expression(values: Sequence[int], first: int, size: int, forms: List[Form]) -> Optional[str]:
    """Return an expression that has VALUES for v = FIRST and on; None: there is none."""
    step = values[1] - values[0]
    start = values[0] - step * first
    if all(value == start + step * v for v, value in enumerate(values, first)):
        factor = "" if abs(step) == 1 else f"{abs(step)}*"
        return str(start) if not step else f"{start}-{factor}v" if step < 0 else f"{factor}v{start:+}" if start else f"{factor}v"
    for text, value in forms:
        for k in {values[0] ^ first, values[0] - first % size, (values[0] - first) % size, (values[0] ^ first) % size}:
            if k >= 0 and all(value(first + i, k) == x for i, x in enumerate(values)):
                return text.format(k=k).replace("(v+0)", "v").replace("^0)", ")")
    return None


def _fold(lines: List[Line], shape: Shape, forms: List[Form]) -> Tuple[int, str]:
    """Return how many of the first LINES are one line, and this line."""
    def kind(line: Line) -> Tuple[Any, ...]:
        return (*line[0::2][:2], line[4] == line[5], line[6] == -1) if len(line) > 1 else line

    head = lines[0]
    like = len(list(itertools.takewhile(lambda line: kind(line) == kind(head), lines))) if len(head) > 1 else 0
    for count in sorted({like, like - 1, shape.places, shape.places - 1, shape.size, shape.size - 1, 6, 5, 4, 3}, reverse=True):
        columns = list(zip(*lines[:count]))
        for first in dict.fromkeys([columns[1][0], columns[3][0], 0, 1]) if 3 <= count <= like else ():
            found = [_expression(columns[i], first, shape.size, forms) for i in (1, 3, 4, 5, 6)]
            if None not in found:
                return count, f"each v {first}..{first + count - 1} : " + _print(head, found)
    return 1, _print(head)


def folded(shape: Shape, candidate: Candidate) -> str:
    """Return the same text as text_of, in fewer lines: runs of operations are `each` lines."""
    lines, text, forms = lines_of(shape, candidate), _head(shape, candidate), _forms(shape)
    while lines:
        count, line = _fold(lines[:2 * shape.places], shape, forms)
        text.append(line)
        lines = lines[count:]
    return "\n".join(text) + "\n"
