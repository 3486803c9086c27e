#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw texts of algorithms, half of them with one mistake, and say which are right.

usage: draw.py SEED NUMBER RANKS,...

Writes drawn1.sched and so on, which serve all numbers of ranks, and prints a line `NAME right` or `NAME wrong` for each, for the numbers of ranks, and
a line `NAME noted` before if the text is right for one of the numbers, with data undefined on the way. The verdict comes from carrying out the lines one after the other with the number of times that
each place's contribution is in each region. Every operation in an expression has parentheses, so Python reads an expression as cellcoll does."""

import random
import sys

COMBINE = ("reduce", "allreduce", "reducescatter")
VECTOR = ("bcast", "reduce", "allreduce")


class Wrong(Exception):
    """A line has a number out of range, or an operation that its place does not allow."""


def forms(draw, collective, pieces):
    """Lines of a right text: [loops, kind, left, right, region]; loops are [name, first, last]."""
    whole = f"0..{pieces - 1}" if collective in VECTOR else "0..(ranks-1)"
    others = [["i", "1", "(ranks-1)"]]
    move = lambda loops, source, target, region, adds="": [
        [loops, "get" + adds, target, source, region], [loops, "put" + adds, source, target, region]][draw.random() < 0.5]
    spread = draw.choice([
        [move(others, "0", "i", whole)], [move(others, "(i-1)", "i", whole)],
        [move([["k", "0", "(rounds-1)"], ["s", "(65536>>(16-k))", "(65536>>(16-k))"], ["p", "1", "(ranks-s)"]], "((ranks-p)-s)", "(ranks-p)", whole)]])
    collect = draw.choice([
        [move(others, "i", "0", whole, "add")], [move(others, "(ranks-i)", "((ranks-i)-1)", whole, "add")]])
    pairs = [["k", "1", "(ranks-1)"], ["p", "0", "(ranks-1)"]]
    if collective == "bcast":
        return spread
    if collective == "reduce":
        return collect + ([move(others, "0", "i", whole, "add")] if draw.random() < 0.3 else [])  # adds what nobody uses
    if collective == "allreduce":
        return draw.choice([collect + spread, [[[], "together"], move(pairs, "p", "((p+k)%ranks)", whole, "add"), [[], "round"]]])
    if collective == "reducescatter":
        return [move(pairs, "((p+k)%ranks)", "p", "p", "add")]
    if collective == "scatter":
        return [move(others, "0", "i", "i")]
    gather = [move(others, "i", "0", "i")]
    if collective == "gather":
        return gather
    return draw.choice([gather + spread, [move(pairs, "p", "((p+1)%ranks)", "(((p+ranks)+(1-k))%ranks)")], [move(pairs, "p", "((p+k)%ranks)", "p")]])


def mutate(draw, lines):
    """Change one thing in LINES."""
    at = draw.randrange(len(lines))
    line = lines[at]
    kind = draw.choice(["drop", "twice", "bound", "bound", "place", "turn", "region", "kind"])
    if kind == "drop":
        del lines[at]
    elif kind == "twice" or len(line) == 2:
        lines.insert(draw.randrange(at, len(lines)) + 1, line)
    elif kind == "bound" and line[0]:
        loop = draw.choice(line[0])
        side = draw.randrange(1, 3)
        loop[side] = f"({loop[side]}{draw.choice('+-')}1)"
    elif kind in ("place", "bound"):
        side = draw.randrange(2, 4)
        line[side] = f"(({line[side]}+1)%ranks)"
    elif kind == "turn":
        line[2], line[3] = line[3], line[2]
    elif kind == "region":
        line[4] = draw.choice(["0", "0..0", "(ranks-1)"])
    else:
        line[1] = line[1][:-3] if line[1].endswith("add") else line[1] + "add"


def carry_out(lines, collective, pieces, ranks):
    """Return whether the result on RANKS is right, and whether some data was undefined."""
    each = pieces if collective not in VECTOR else 1
    nregions = pieces if collective in VECTOR else pieces * ranks
    whole = tuple([1] * ranks)
    one = lambda place: tuple(int(i == place) for i in range(ranks))
    first = {"bcast": lambda p, r: p == 0, "scatter": lambda p, r: p == 0, "gather": lambda p, r: r // pieces == p, "allgather": lambda p, r: r // pieces == p}
    last = {"reduce": lambda p, r: p == 0, "reducescatter": lambda p, r: r // pieces == p,
            "gather": lambda p, r: p == 0 or r // pieces == p, "scatter": lambda p, r: p == 0 or r // pieces == p}
    data = [[one(p) if first.get(collective, lambda p, r: True)(p, r) else None for r in range(nregions)] for p in range(ranks)]
    before = undefined = False

    def value(text, names):
        return eval(text, {}, names)  # of our own texts

    def bounded(text, names, most, least=0):
        number = value(text, names)
        if not least <= number <= most:
            raise Wrong
        return number

    def operate(kind, left, right, region, names):
        nonlocal undefined
        left, right = bounded(left, names, ranks - 1), bounded(right, names, ranks - 1)
        target, source = (left, right) if kind.startswith("get") else (right, left)
        a, _, b = region.partition("..")
        a = bounded(a, names, nregions // each - 1)
        b = bounded(b, names, nregions // each - 1, a - 1) if b else a
        adds = kind.endswith("add")
        if target == source or b < a:
            return
        if (adds and collective not in COMBINE) or (before and not adds):
            raise Wrong
        for r in range(a * each, (b + 1) * each):
            data[target][r] = new = combined(data[target][r], (before or data)[source][r]) if adds else (before or data)[source][r]
            undefined = undefined or new is None or max(new) > 1

    def combined(a, b):
        return None if a is None or b is None else tuple(x + y for x, y in zip(a, b))

    def loop(loops, names, rest):
        if not loops:
            operate(*rest, names)
            return
        name, low, high = loops[0]
        for number in range(value(low, names), value(high, names) + 1):
            loop(loops[1:], {**names, name: number}, rest)

    for line in lines:
        if line[1] == "together":
            before = [row[:] for row in data]
        elif line[1] == "round":
            before = False
        else:
            loop(line[0], {"ranks": ranks, "rounds": (ranks - 1).bit_length()}, line[1:])
    if before:
        raise Wrong
    right = all(data[p][r] == (whole if collective in COMBINE else one(0 if collective in ("bcast", "scatter") else r // pieces))
                for p in range(ranks) for r in range(nregions) if last.get(collective, lambda p, r: True)(p, r))
    return right, undefined


def verdicts(lines, collective, pieces, numbers):
    """Return whether the text is right for all NUMBERS of ranks, and whether some data is undefined where the text is right."""
    is_right, is_noted = True, False
    for ranks in numbers:
        try:
            right, undefined = carry_out(lines, collective, pieces, ranks)
        except Wrong:
            right = undefined = False
        is_right, is_noted = is_right and right, is_noted or (right and undefined)
    return is_right, is_noted


def text_of(draw, lines, collective, pieces):
    text = [f"collective {collective}", f"pieces {pieces}"] + (["vector"] if collective in VECTOR else [])
    text += [word for word in ("signals", "fence", "late", "eager", f"depth {draw.randint(1, 15)}") if draw.random() < 0.4]
    for line in lines:
        words = "".join(f"each {name} {low}..{high} : " for name, low, high in line[0]) + line[1]
        text.append(words if len(line) == 2 else f"{words} {line[2]} {'<' if line[1].startswith('get') else '>'} {line[3]} : {line[4]}")
    return "\n".join(text) + "\n"


def main():
    draw, number = random.Random(int(sys.argv[1])), int(sys.argv[2])
    numbers = [int(word) for word in sys.argv[3].split(",")]
    for k in range(1, number + 1):
        collective = draw.choice(["bcast", "reduce", "allreduce", "reducescatter", "allgather", "gather", "scatter"])
        pieces = draw.randint(1, 3)
        lines = [[[loop[:] for loop in line[0]], *line[1:]] for line in forms(draw, collective, pieces)]
        while k % 2 == 0:
            mutate(draw, lines)
            if any(len(line) > 2 for line in lines):
                break
            lines = [[[loop[:] for loop in line[0]], *line[1:]] for line in forms(draw, collective, pieces)]
        with open(f"drawn{k}.sched", "w", encoding="utf-8") as file:
            file.write(text_of(draw, lines, collective, pieces))
        is_right, is_noted = verdicts(lines, collective, pieces, numbers)
        if is_noted:
            print(f"drawn{k} noted")
        print(f"drawn{k} {'right' if is_right else 'wrong'}")


main()
