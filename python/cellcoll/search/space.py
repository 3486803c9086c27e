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
from typing import Any, List, Sequence, Tuple

from cellcoll.search.shape import WHERE, Rounds, Shape, Tree

COLLECTIVES = ("barrier", "bcast", "reduce", "allreduce", "reducescatter", "allgather", "gather", "scatter")
WORDS = ("signals", "fence", "late", "eager")
VECTORS = ("bcast", "reduce", "allreduce")
NEAR = 40  # lines over which an operation moves at once
DEPTHS = (3, 4, 4, 6, 8, 8, 8, 12, 15, 15)
PARTS = (1, 1, 1, 2, 2, 3, 4, 6)
LAGS = (1 / 16, 1, 1, 2, 4, 8)  # moments between parts; with the first one, a step of all parts is one moment, in the order of the parts
STRAIGHT = 0.25  # of the drawn trees: the root serves places of other chips itself
PLANTED = ("star", "chip first", "chip last", "links first")  # half of the trees
# What is drawn anew together; "." before a part of a tree.
FORMS = ("depth", "signals", "fence", "late", "eager", "spread", "whole", "first_get", "relay", "parts lag", "up.get", "down.get", "up.straight", "down.straight",
         "up.order", "down.order", "up.parent up.order", "down.parent down.order", "gets", "rounds gets pieces leaders turn")
REDRAWN = 0.5  # of the moves

# A line of a text: verb, acting place, < or >, other place, first and last region, and after / the part or -1; or a word.
Line = Tuple[Any, ...]


@dataclass
class Candidate:
    collective: str
    turn: str = "xx"
    depth: int = 8
    signals: bool = False
    fence: bool = False
    late: bool = False
    eager: bool = False
    rounds: Rounds = field(default_factory=list)
    gets: List[bool] = field(default_factory=list)  # by round: receivers get
    up: Tree = field(default_factory=lambda: Tree([], [], []))
    down: Tree = field(default_factory=lambda: Tree([], [], []))
    pieces: int = 1  # with a leader of its own
    leaders: str = "root"
    parts: int = 1  # of a piece or a block, one after the other
    lag: float = 1  # between parts
    spread: bool = False  # the parts of a piece lie apart
    whole: bool = False  # a block has no parts on the chip of its place
    first_get: bool = False  # between root and leader
    relay: bool = False  # the root reaches a leader across through the leader's partner
    lines: List[Line] = field(default_factory=list)  # the operations, if these are no longer those of the description

    def copy(self) -> Candidate:
        new = Candidate(**vars(self))
        new.gets, new.lines = self.gets[:], self.lines[:]
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


def _act(shape: Shape, tree: Tree, kinds: Sequence[str], rng: random.Random) -> None:
    """Let receivers get or senders put, each of KINDS of transfers of TREE in its own way."""
    get = {where: rng.random() < 0.5 for where in kinds}
    tree.get = [get.get(shape.where(x, tree.parent[x]), one) for x, one in enumerate(tree.get)]


def _straighten(shape: Shape, tree: Tree, rng: random.Random) -> None:
    """Let the root serve the last one or two places of each chip next to its own, one of a chip after the other."""
    few = rng.choice((1, 2))
    for x in range(shape.size, len(tree.parent)):
        chip, place = divmod(x, shape.size)
        if place >= shape.size - few and shape.toward.get(chip, 0) == 0:
            tree.parent[x], tree.order[x] = 0, place


def _plant(shape: Shape, rng: random.Random) -> Tree:
    """Draw a tree: mostly one of PLANTED; one place after the other, on each chip or in all, or all at once."""
    parent = shape.parents[rng.choice(PLANTED if rng.random() < 0.5 else list(shape.parents))][:]
    turns = rng.choice([1, shape.size, shape.size, shape.places])
    order = [0 if shape.crosses(x, parent[x]) else x % turns for x in range(shape.places)]
    tree = Tree(parent, order, [False] * shape.places)
    if rng.random() < STRAIGHT:
        _straighten(shape, tree, rng)
    _act(shape, tree, WHERE, rng)
    return tree


def _draw_leaders(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Let the root lead all, or places of its chip, of other chips, or all a piece each; in an all-reduce, let places exchange or not."""
    new.leaders, new.pieces = rng.choice([("root", 1), ("near", shape.size), ("far", shape.size), ("all", shape.places)])
    if new.leaders != "root":
        new.pieces *= rng.choice([1, 1, 1, 2])
    new.rounds = []
    if new.collective != "allreduce" or rng.random() < 0.4:
        return
    bits = shape.bits()
    across = [bit for bit in bits if bit[0]] or bits  # places at the same position of all chips exchange; or all places, or others
    new.rounds = shape.dealt_exchange(rng, rng.choice([bits, across, across, [bit for bit in bits if rng.random() < 0.5] or bits]))
    new.gets, new.turn = [rng.random() < 0.5 for _ in range(16)], "xx"
    if new.exchanging() == shape.places:
        new.pieces, new.leaders = 1, "root"
    elif new.pieces == 1:
        new.pieces, new.leaders = shape.size, "near"


def draw(shape: Shape, collective: str, rng: random.Random) -> Candidate:
    """Draw a start."""
    new = Candidate(collective, rng.choice(["xx", "x+", "x+", "++"]), rng.choice(DEPTHS))
    new.signals, new.fence, new.late, new.eager = (rng.random() < 0.85 for _ in WORDS)
    if collective == "barrier":
        new.rounds = shape.dealt_rounds(rng)
        return new
    new.up = _plant(shape, rng)
    new.down = new.up.copy()
    if collective == "allreduce":  # whoever gets on the way up puts on the way down, in the same order or at once
        new.down.get = [not one for one in new.up.get]
        new.down.order = [order * at for at in [rng.randrange(2)] for order in new.up.order]
    if collective in VECTORS:
        _draw_leaders(shape, new, rng)
    new.first_get, new.relay, new.spread, new.whole = (rng.random() < 0.7 for _ in range(4))
    new.parts, new.lag = rng.choice(PARTS), rng.choice(LAGS)
    return new


def redraw(shape: Shape, candidate: Candidate, forms: str, rng: random.Random) -> Candidate:
    """Return CANDIDATE with the members that FORMS names drawn anew."""
    drawn, new = draw(shape, candidate.collective, rng), candidate.copy()
    for form in forms.split():
        way, _, part = form.partition(".")
        if part == "get":
            _act(shape, getattr(new, way), [rng.choice(WHERE)], rng)
        elif part == "straight":
            _straighten(shape, getattr(new, way), rng)
        elif part:
            setattr(getattr(new, way), part, getattr(getattr(drawn, way), part))
        else:
            setattr(new, form, getattr(drawn, form))
    return new


# --- moves; each takes the shape, the candidate to be changed and the random numbers ---

def _move_rounds(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Change the rounds of a barrier."""
    rounds, what = new.rounds, rng.random()
    one = rng.choice(rounds)
    if what < 0.15:
        rounds.insert(rng.randrange(len(rounds) + 1), [rng.choice(shape.offsets)])
    elif what < 0.4:
        one.append(rng.choice(shape.offsets))
    elif what < 0.85:
        del one[rng.randrange(len(one))]
        new.rounds = [offsets for offsets in rounds if offsets] or [list(shape.offsets)]
    else:
        rng.shuffle(one)


def _move_exchange(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Deal the bits of an exchange anew, or shuffle a round."""
    if rng.random() < 0.5:
        met = [divmod(offset, shape.size) for offsets in new.rounds for offset in offsets]
        new.rounds = shape.dealt_exchange(rng, [bit for bit in shape.bits() if bit in met])
    else:
        rng.shuffle(rng.choice(new.rounds))


def _move_tree(shape: Shape, new: Candidate, rng: random.Random) -> None:
    """Change a parent, orders or the end that acts."""
    ways = {"reduce": [new.up], "reducescatter": [new.up], "gather": [new.up], "allreduce": [new.up, new.down]}
    tree, x, y, what = rng.choice(ways.get(new.collective, [new.down])), rng.choice(shape.offsets), rng.randrange(shape.places), rng.random()
    if what < 0.5:
        if not tree.leads_back(x, y):
            tree.parent[x] = y
    elif what < 0.75:
        tree.order[x] = rng.randrange(shape.places + 1)
    elif what < 0.87:
        tree.order[x], tree.order[y] = tree.order[y], tree.order[x]
    else:
        tree.get[x] ^= True


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


def neighbour(shape: Shape, candidate: Candidate, rng: random.Random) -> Candidate:
    """Return CANDIDATE after one to three moves."""
    new = candidate.copy()
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if new.lines:
            _move_lines(shape, new, rng)
        elif rng.random() < REDRAWN:
            new = redraw(shape, new, rng.choice(FORMS), rng)
        elif new.collective == "barrier":
            _move_rounds(shape, new, rng)
        elif new.rounds and (new.exchanging() == shape.places or rng.random() < 0.2):
            _move_exchange(shape, new, rng)
        else:
            _move_tree(shape, new, rng)
    return new
