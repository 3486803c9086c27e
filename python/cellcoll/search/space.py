# SPDX-License-Identifier: BSD-3-Clause
"""Candidates: few numbers that stand for a text, how they are drawn, and the moves from one to a neighbour.

  bcast       each piece from the root to its leader, from there down a tree
  reduce      each piece up a tree to its leader, from there to the root
  allreduce   each piece up a tree to its leader and down another one; in between, leaders may exchange in rounds, or all places do
  allgather   the block of each place down a tree
  gather      blocks up a tree, scatter: down, reducescatter: up, with combination
  barrier     rounds: each place signals to the places at some offsets
"""
from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any, List, Set, Tuple

from cellcoll.search.shape import Bits, Rounds, Shape, Tree

COLLECTIVES = ("barrier", "bcast", "reduce", "allreduce", "reducescatter", "allgather", "gather", "scatter")
WORDS = ("signals", "fence", "late", "eager")
VECTORS = ("bcast", "reduce", "allreduce")
NEAR = 40  # lines over which an operation moves at once
DEPTHS = (1, 2, 3, 4, 6, 8, 12, 15)
LAGS = (1 / 16, 1, 1, 2, 4, 8)  # moments between parts; with the first one, a step of all parts is one moment, in the order of the parts
TREE = 76  # percent of the moves
KNOWN = 0.6  # part of the starts that have a general form
FORMS = ("chip first", "chip last", "links first")  # trees that may be a part of any collective

# A line of a text: verb, acting place, < or >, other place, first and last region, and after / the part or -1; or a word.
Line = Tuple[Any, ...]


@dataclass
class Candidate:
    collective: str
    turn: str = "xx"
    depth: int = 8
    words: Set[str] = field(default_factory=set)
    rounds: Rounds = field(default_factory=list)
    gets: List[bool] = field(default_factory=list)  # by round: receivers get
    up: Tree = field(default_factory=lambda: Tree([], [], []))
    down: Tree = field(default_factory=lambda: Tree([], [], []))
    pieces: int = 1  # with a leader of its own
    leaders: str = "root"
    parts: int = 1  # of a piece or a block, one after the other
    lag: float = 1  # between parts
    spread: bool = False  # the parts of a piece lie apart
    first_get: bool = False  # between root and leader
    relay: bool = False  # the root reaches a leader across through the leader's partner
    lines: List[Line] = field(default_factory=list)  # the operations, if these are no longer those of the description

    def copy(self) -> Candidate:
        new = Candidate(**vars(self))
        new.words, new.gets, new.lines = set(self.words), self.gets[:], self.lines[:]
        new.rounds, new.up, new.down = [r[:] for r in self.rounds], self.up.copy(), self.down.copy()
        return new

    def family(self) -> str:
        """Return the class of the candidate: classes are improved apart before they are compared."""
        if self.collective not in VECTORS:
            return "rounds" if self.rounds else "tree"
        return f"{self.pieces} pieces, leaders {self.leaders}" + f", exchange of {self.exchanging()}" * bool(self.rounds)

    def exchanging(self) -> int:
        """Return how many places exchange a piece."""
        return math.prod(len(offsets) + 1 for offsets in self.rounds)


def _tree(shape: Shape, parent: List[int], order: List[int], get: bool, across: bool) -> Tree:
    return Tree(parent[:], order[:], [across if shape.crosses(x, parent[x]) else get for x in range(shape.places)])


def _plant(shape: Shape, rng: random.Random) -> Tree:
    """Draw a tree."""
    parent = rng.choice(list(shape.parents().values()))
    order = list(range(shape.places)) if rng.random() < 0.5 else [0] * shape.places
    if rng.random() < 0.4:
        parent, order = shape.dealt_tree(rng)
    get = rng.random() < 0.5
    return _tree(shape, parent, order, get, rng.random() < 0.5 if rng.random() < 0.3 else get)


def _draw_barrier(shape: Shape, rng: random.Random) -> Rounds:
    on_chip, across = list(range(1, shape.size)), [chip * shape.size for chip in range(1, shape.chips)]
    one_by_one = [[chip * shape.size + place] for chip, place in shape.bits()]
    rounds = rng.choice([one_by_one, [across, on_chip], [on_chip, across], [list(shape.offsets)]])
    return shape.dealt_rounds(rng) if rng.random() < 0.5 else [r for r in rounds if r]


def _draw_pieces(shape: Shape, candidate: Candidate, rng: random.Random) -> None:
    size, places = shape.size, shape.places
    counts = {"bcast": [1, 2, size, places], "reduce": [1, size, places, 2 * places], "allreduce": [size, places, places]}
    candidate.pieces = rng.choice(counts[candidate.collective])
    candidate.leaders = rng.choice(["all", "far", "near", "alternate"]) if candidate.pieces > 1 else "root"
    candidate.first_get, candidate.relay = rng.random() < 0.7, rng.random() < 0.5


def _exchange(shape: Shape, new: Candidate, rng: random.Random, some: Bits) -> None:
    """Draw rounds of exchanges between the places that differ in SOME bits."""
    new.rounds, new.turn = shape.dealt_exchange(rng, some), "xx"
    new.gets = [rng.random() < 0.5 for _ in range(16)]
    if new.exchanging() == shape.places:
        new.pieces, new.leaders = 1, "root"


def _draw_exchange(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Draw an exchange between all places, those at the same position of all chips, or others."""
    bits, across = shape.bits(), shape.bits_across()
    _exchange(shape, new, rng, rng.choice([bits, across, across, [bit for bit in bits if rng.random() < 0.5] or bits]))


def _draw_form(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Draw a general form: the root leads, or the places of its chip, of other chips, or all lead a piece each; on the way to a chip data
    meets at one place or is with partners; all get or put, on a chip and across; one place after the other or all at once. In an
    all-reduce the partners may exchange, or all."""
    vector = new.collective in VECTORS
    new.leaders, new.pieces = rng.choice([("root", 1), ("near", shape.size), ("far", shape.size), ("all", shape.places)]) if vector else ("root", 1)
    parent = rng.choice([parent for name, parent in shape.parents().items() if name in FORMS or (name == "star" and not vector)])
    get, new.first_get, ordered = (rng.random() < 0.5 for _ in range(3))
    order = [x % shape.size if ordered and not shape.crosses(x, parent[x]) else 0 for x in range(shape.places)]
    new.up, new.down = (_tree(shape, parent, order, get, new.first_get) for _ in range(2))
    new.depth, new.words, new.spread, new.relay, new.parts = DEPTHS[-1], set(WORDS), True, rng.random() < 0.5, rng.choice([1, 1, 2, 4])
    new.lag = rng.choice(LAGS)
    if new.collective == "allreduce":
        new.down.get = [not one for one in new.down.get]
        if new.leaders in ("root", "near") and rng.random() < 0.7:
            _exchange(shape, new, rng, shape.bits() if new.leaders == "root" else shape.bits_across())


def draw(shape: Shape, collective: str, rng: random.Random) -> Candidate:
    """Draw a start."""
    new = Candidate(collective, rng.choice(["xx", "x+"]), rng.choice([4, 8, 15]))
    new.words = {word for word in WORDS if rng.random() < 0.65}
    new.spread = rng.random() < 0.7
    if collective == "barrier":
        new.rounds = _draw_barrier(shape, rng)
        return new
    if rng.random() < KNOWN:
        _draw_form(shape, new, rng)
        return new
    new.up, new.down = _plant(shape, rng), _plant(shape, rng)
    if collective in VECTORS:
        _draw_pieces(shape, new, rng)
    if collective == "allreduce" and rng.random() < 0.6:
        _draw_exchange(shape, new, rng)
    new.parts = rng.choice([1, 1, 2, 3])
    return new


# --- moves; each takes the shape, the candidate to be changed and the random numbers ---

def _flip(new: Candidate, words: Tuple[str, ...], rng: random.Random) -> None:
    word = rng.choice(words)
    if word in WORDS:
        new.words ^= {word}
    else:
        setattr(new, word, not getattr(new, word))


def _move_rounds(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Change the rounds of a barrier."""
    rounds, what = new.rounds, rng.random()
    one = rng.randrange(len(rounds))
    if what < 0.15:
        if len(rounds) > 1:
            del rounds[one]
    elif what < 0.3:
        rounds.insert(rng.randrange(len(rounds) + 1), [rng.choice(shape.offsets)])
    elif what < 0.55:
        rounds[one].append(rng.choice(shape.offsets))
    elif what < 0.75:
        if len(rounds[one]) > 1:
            del rounds[one][rng.randrange(len(rounds[one]))]
    elif what < 0.85:
        rng.shuffle(rounds[one])
    elif what < 0.93:
        new.turn = rng.choice(["xx", "x+", "++"])
    else:
        _flip(new, ("signals", "late"), rng)


def _move_exchange(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Change the rounds of an exchange."""
    what = rng.random()
    if what < 0.3:
        met = [divmod(offset, shape.size) for offsets in new.rounds for offset in offsets]
        new.rounds = shape.dealt_exchange(rng, [bit for bit in shape.bits() if bit in met])
    elif what < 0.4:
        _draw_exchange(shape, new, rng)
    elif what < 0.6:
        new.gets[rng.randrange(len(new.rounds))] ^= True
    elif what < 0.7:
        new.depth = rng.choice(DEPTHS)
    elif what < 0.85:
        rng.shuffle(rng.choice(new.rounds))
    else:
        _flip(new, WORDS, rng)


def _move_tree(shape: Shape, tree: Tree, what: float, rng: random.Random) -> None:
    """Change a parent, orders, ends that act, or plant another tree; WHAT is a number of the first TREE percent."""
    if what < 30:
        for _ in range(10):
            x, parent = rng.choice(shape.offsets), rng.randrange(shape.places)
            if not tree.leads_back(x, parent):
                tree.parent[x] = parent
                return
    elif what < 45:
        tree.order[rng.choice(shape.offsets)] = rng.randrange(shape.places + 1)
    elif what < 52:
        a, b = rng.choice(shape.offsets), rng.choice(shape.offsets)
        tree.order[a], tree.order[b] = tree.order[b], tree.order[a]
    elif what < 60:
        tree.get[rng.choice(shape.offsets)] ^= True
    elif what < 66:  # all transfers across, or all others, are gets or puts
        get, across = rng.random() < 0.5, rng.random() < 0.5
        for x in shape.offsets:
            if shape.crosses(x, tree.parent[x]) == across:
                tree.get[x] = get
    elif what < 72:
        trees = shape.parents()
        if rng.random() < 0.25:
            tree.parent, tree.order = shape.dealt_tree(rng)
        else:
            tree.parent = trees[rng.choice(list(trees))]
    else:
        tree.order = list(range(shape.places)) if rng.random() < 0.5 else [0] * shape.places


def _lead(shape: Shape, new: Candidate, rng: random.Random) -> None:
    if new.collective not in VECTORS:
        new.turn = rng.choice(["xx", "x+", "++"])
        return
    new.leaders = rng.choice(["all", "far", "near", "alternate", "root"])
    if new.collective == "allreduce" and rng.random() < 0.3:
        _draw_exchange(shape, new, rng)
        return
    counts = [1, 2, 4, shape.size, shape.places, 2 * shape.places]
    new.pieces = rng.choice([shape.size, shape.places] if new.collective == "allreduce" else counts)


def _move_trees(shape: Shape, new: Candidate, rng: random.Random) -> None:
    what = rng.random() * 100
    sides = {"reduce": [new.up], "reducescatter": [new.up], "gather": [new.up], "allreduce": [new.up, new.down]}
    tree = rng.choice(sides.get(new.collective, [new.down]))
    if what < TREE:
        _move_tree(shape, tree, what, rng)
    elif what < 84:
        new.parts = max(1, min(8, new.parts + rng.choice([-1, 1, 1, 2])))
        new.lag = rng.choice(LAGS)
    elif what < 89:
        new.depth = rng.choice(DEPTHS)
    elif what < 97:
        _flip(new, WORDS + ("spread",) + (("relay", "first_get") if new.collective in ("bcast", "reduce") else ()), rng)
    else:
        _lead(shape, new, rng)


def _move_lines(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Move one operation, let two change places, give one another sender or receiver, or let the other end act."""
    lines, what = new.lines, rng.random()
    one, other = (rng.choice([i for i, line in enumerate(lines) if len(line) > 1]) for _ in range(2))
    verb, place, way, partner, *region = lines[one]
    if what < 0.4:
        lines.insert(max(0, one + rng.randint(-NEAR, NEAR)), lines.pop(one))
    elif what < 0.6:
        lines[one], lines[other] = lines[other], lines[one]
    elif what < 0.8:
        ends = [rng.randrange(shape.places), partner] if way == ">" else [place, rng.randrange(shape.places)]
        if ends[0] != ends[1]:
            lines[one] = (verb, ends[0], way, ends[1], *region)
    elif verb != "signal":
        turned = verb.replace("put", "get") if way == ">" else verb.replace("get", "put")
        lines[one] = (turned, partner, "<>"[way == "<"], place, *region)


def crossed(one: Candidate, other: Candidate, rng: random.Random) -> Candidate:
    """Return ONE with some of the offsets of its trees as in OTHER."""
    new = one.copy()
    for tree, model in ((new.up, other.up), (new.down, other.down)):
        for x in range(1, len(tree.parent)):
            if rng.random() < 0.3:
                tree.order[x], tree.get[x] = model.order[x], model.get[x]
                if not tree.leads_back(x, model.parent[x]):
                    tree.parent[x] = model.parent[x]
    return new


def neighbour(shape: Shape, candidate: Candidate, rng: random.Random) -> Candidate:
    """Return CANDIDATE after one to three moves."""
    new = candidate.copy()
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if new.lines:
            _move_lines(shape, new, rng)
        elif new.collective == "barrier":
            _move_rounds(shape, new, rng)
        elif new.rounds and (new.exchanging() == shape.places or rng.random() < 0.2):
            _move_exchange(shape, new, rng)
        else:
            _move_trees(shape, new, rng)
    return new
