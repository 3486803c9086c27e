# SPDX-License-Identifier: BSD-3-Clause
"""Places of a call, and who talks to whom: trees over offsets, rounds of offsets.

A machine has CHIPS chips with SIZE places each. An offset is a number, chip * SIZE + position, that leads from one place to another;
one tree over offsets, turned to each place, is a tree for each root.
"""
from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

Rounds = List[List[int]]
Bits = List[Tuple[int, int]]
# Transfers on the root's chip, between chips, from the root to another chip's places but the first, on another chip.
WHERE = ("near", "across", "straight", "far")


@dataclass
class Tree:
    """For each offset but 0: the parent, the order among the transfers, and whether the receiver gets (else the sender puts)."""

    parent: List[int]
    order: List[int]
    get: List[bool]

    def copy(self) -> Tree:
        return Tree(self.parent[:], self.order[:], self.get[:])

    def way(self, offset: int) -> List[int]:
        """Return the offsets from OFFSET up to the root, without the root."""
        way = []
        while offset:
            way.append(offset)
            offset = self.parent[offset]
        return way

    def leads_back(self, offset: int, parent: int) -> bool:
        """Tell whether PARENT lies below OFFSET."""
        return offset == parent or offset in self.way(parent)

    def levels(self, offsets: Sequence[int]) -> List[int]:
        """Return when each of OFFSETS is reached: after the parent, and not before its order."""
        level = [0] + [-1] * (len(self.parent) - 1)
        for offset in offsets:
            for x in reversed(self.way(offset)):
                if level[x] < 0:
                    level[x] = max(level[self.parent[x]] + 1, self.order[x])
        return level


def chip_links(topology: str, chips: int) -> List[Tuple[int, int]]:
    """Return the links between chips, from the text of blade.topology; none if all chips are one link from the first."""
    kind, _, sizes = topology.partition(" ")
    if kind in ("grid", "torus"):
        columns = int(sizes.split("x")[0])
        ends = [(c, c + 1) for c in range(chips) if (c + 1) % columns] + [(c, c + columns) for c in range(chips - columns)]
        around = [(c, c + columns - 1) for c in range(0, chips, columns)] + [(c, chips - columns + c) for c in range(columns)]
        return ends + (around if kind == "torus" else [])
    if kind == "ring":
        return [(c, (c + 1) % chips) for c in range(chips)]
    return [(int(a), int(b)) for a, _, b in (word.partition("-") for word in topology.split()) if b]


class Shape:
    def __init__(self, chips: int, size: int, links: List[Tuple[int, int]]) -> None:
        self.chips, self.size, self.places = chips, size, chips * size
        self.toward = {0: 0}  # of each chip the neighbour on a shortest way to chip 0
        for chip in (queue := [0]):
            for a, b in links + [(b, a) for a, b in links]:
                if a == chip and b < chips and b not in self.toward:
                    self.toward[b] = chip
                    queue.append(b)
        self.offsets = range(1, self.places)
        self._turned: Dict[str, List[List[int]]] = {}
        self.parents = self._parents()

    def turned(self, turn: str) -> List[List[int]]:
        """Return for each place the places at all offsets. TURN, for chip and position: x exclusive or, + addition."""
        if turn not in self._turned:
            self._turned[turn] = [[self._at(place, offset, turn) for offset in range(self.places)] for place in range(self.places)]
        return self._turned[turn]

    def _at(self, place: int, offset: int, turn: str) -> int:
        ends = []
        for a, b, n, how in zip(divmod(place, self.size), divmod(offset, self.size), (self.chips, self.size), turn):
            ends.append(a ^ b if how == "x" and n & (n - 1) == 0 else (a + b) % n)
        return ends[0] * self.size + ends[1]

    def crosses(self, offset: int, parent: int) -> bool:
        return offset // self.size != parent // self.size

    def where(self, offset: int, parent: int) -> str:
        """Return which kind of WHERE a transfer between two offsets of a tree is."""
        if self.crosses(offset, parent):
            return "across" if parent or offset % self.size == 0 else "straight"
        return "near" if offset < self.size else "far"

    def bits(self) -> Bits:
        """Return the bits of an offset as chip and position, those of the position first."""
        return [(0, 1 << k) for k in range((self.size - 1).bit_length())] + [(1 << k, 0) for k in range((self.chips - 1).bit_length())]

    def _parents(self) -> Dict[str, List[int]]:
        """Return the parents of the trees with which a search starts."""
        half, trees = max(1, self.size // 2), {}  # type: ignore[var-annotated]
        for x in self.offsets:
            chip, place = divmod(x, self.size)
            base, near = x - place, self.toward.get(chip, 0) * self.size  # chips that no link of this call leads to are next to chip 0
            for name, parent in {
                    "star": 0, "chip first": base if chip and place else 0, "chip last": place if chip else 0,
                    "links first": base if chip and place else near, "links last": near + place if chip else 0,
                    "binomial": base + (place & (place - 1)) if place else (chip & (chip - 1)) * self.size,
                    "binomial last": place if chip else place - (1 << (place.bit_length() - 1)),
                    "half": base + (place - half if place >= half else 0) if chip and place else 0,
                    "chain": x - 1 if place else base - self.size, "binary": base + (place - 1) // 2 if place else 0}.items():
                trees.setdefault(name, [0]).append(parent)
        return trees

    def dealt_rounds(self, rng: random.Random, some: Optional[Bits] = None) -> Rounds:
        """Deal the bits of an offset, or some of them, to rounds, in which a place meets those that differ in bits of the round alone."""
        bits, rounds = some or self.bits(), []  # type: ignore[var-annotated]
        if rng.random() < 0.5:
            rng.shuffle(bits)
        for chip, place in bits:
            if not rounds or rng.random() < 0.5:
                rounds.append([(0, 0)])
            rounds[-1] += [(a + chip, b + place) for a, b in rounds[-1]]
        inside = [[a * self.size + b for a, b in offsets[1:] if a < self.chips and b < self.size] for offsets in rounds]
        return [offsets for offsets in inside if offsets]

    def dealt_exchange(self, rng: random.Random, some: Bits) -> Rounds:
        """Return rounds of exchanges. After each one, all that have met have combined the same in the same order; if the dealt rounds
        do not see to that, since a number of places is no power of two, all meet in one round."""
        rounds, at, met = self.dealt_rounds(rng, some), self.turned("xx"), {0}
        for offsets in rounds:
            met = {at[a][b] for a in met for b in [0, *offsets]}
            while not met >= (further := {at[a][b] for a in met for b in met}):
                rounds, met = [sorted(further)[1:]], further
        return rounds
