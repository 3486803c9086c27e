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

from cellcoll.search.shape import Rounds, Shape, Tree

COLLECTIVES = ("barrier", "bcast", "reduce", "allreduce", "reducescatter", "allgather", "gather", "scatter")
WORDS = ("signals", "fence", "late", "eager")
VECTORS = ("bcast", "reduce", "allreduce")
NEAR = 40  # lines over which an operation moves at once
DEPTHS = (1, 2, 3, 4, 6, 8, 12, 15)
LAGS = (1 / 16, 1, 1, 2, 4, 8)  # moments between parts; with the first one, a step of all parts is one moment, in the order of the parts
TREE = 76  # percent of the moves
KNOWN = 0.6  # how often a tree of no form of FORMS is left out of a draw
FORMS = ("star", "chip first", "chip last", "links first")

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


def _plant(shape: Shape, rng: random.Random) -> Tree:
    """Draw a tree: mostly one of FORMS; all receivers get, or all senders put, or across others than on a chip; one place after the other,
    on each chip or in all, or all at once."""
    parents = {name: parent for name, parent in shape.parents().items() if name in FORMS or rng.random() > KNOWN}
    parent, get, across = rng.choice(list(parents.values())), rng.random() < 0.5, rng.random() < 0.5
    turns = rng.choice([1, shape.size, shape.size, shape.places])
    order = [0 if shape.crosses(x, parent[x]) else x % turns for x in range(shape.places)]
    if rng.random() < 0.2:
        parent, order = shape.dealt_tree(rng)
    return Tree(parent, order, [across if shape.crosses(x, parent[x]) else get for x in range(shape.places)])


def _draw_leaders(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Let the root lead all, or places of its chip, of other chips, or all a piece each; in an all-reduce, let places exchange or not."""
    new.leaders, new.pieces = rng.choice([("root", 1), ("near", shape.size), ("far", shape.size), ("all", shape.places)])
    if new.leaders != "root":
        new.pieces *= rng.choice([1, 1, 1, 2])
    new.rounds = []
    if new.collective == "allreduce" and rng.random() < 0.6:
        _draw_exchange(shape, new, rng)


def _draw_exchange(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Draw rounds of exchanges between all places, those at the same position of all chips, or others."""
    bits, across = shape.bits(), shape.bits_across()
    new.rounds = shape.dealt_exchange(rng, rng.choice([bits, across, across, [bit for bit in bits if rng.random() < 0.5] or bits]))
    new.gets, new.turn = [rng.random() < 0.5 for _ in range(16)], "xx"
    if new.exchanging() == shape.places:
        new.pieces, new.leaders = 1, "root"
    elif new.pieces == 1:
        new.pieces, new.leaders = shape.size, "near"


def draw(shape: Shape, collective: str, rng: random.Random) -> Candidate:
    """Draw a start."""
    new = Candidate(collective, rng.choice(["xx", "x+"]), rng.choice([4, 8, 15, 15]), {word for word in WORDS if rng.random() < 0.85})
    if collective == "barrier":
        new.rounds = shape.dealt_rounds(rng)
        return new
    new.up = _plant(shape, rng)
    new.down = new.up.copy()
    if collective == "allreduce":  # whoever gets on the way up puts on the way down
        new.down.get = [not one for one in new.up.get]
    if collective in VECTORS:
        _draw_leaders(shape, new, rng)
    new.first_get, new.relay, new.spread = (rng.random() < 0.7 for _ in range(3))
    new.parts, new.lag = rng.choice([1, 1, 2, 4]), rng.choice(LAGS)
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
    one = rng.choice(rounds)
    if what < 0.15:
        rounds.insert(rng.randrange(len(rounds) + 1), [rng.choice(shape.offsets)])
    elif what < 0.4:
        one.append(rng.choice(shape.offsets))
    elif what < 0.75:
        del one[rng.randrange(len(one))]
        new.rounds = [offsets for offsets in rounds if offsets] or [list(shape.offsets)]
    elif what < 0.85:
        rng.shuffle(one)
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
    else:
        drawn = _plant(shape, rng)
        if what < 72:
            tree.parent = drawn.parent
        tree.order = drawn.order


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
    elif new.collective in VECTORS:
        _draw_leaders(shape, new, rng)
    else:
        new.turn = rng.choice(["xx", "x+", "++"])


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
