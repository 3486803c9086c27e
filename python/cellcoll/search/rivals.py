# SPDX-License-Identifier: BSD-3-Clause
"""The best of the catalogue for a call, over all values of all parameters."""
from __future__ import annotations

import itertools
import json
from typing import Iterator, List, Optional, Sequence, Tuple

import cellcoll
from cellcoll.search.judge import Judge

Rival = Tuple[float, str]


def _values(text: str, ranks: int) -> List[str]:
    """Return the values in the text of a parameter, such as 2..15, 16..64 by 16 or flag|signal. Of a long range, which has no meaning
    beyond the number of ranks or is a number of bytes, the first RANKS values, then each twice the one before."""
    if ".." not in text:
        return text.split("|")
    first, last, step = map(int, (text.replace("..", " ").replace(" by ", " ") + " 1").split()[:3])
    values = list(range(first, last + 1, step)[:max(16, ranks)])
    while 0 < values[-1] * 2 <= last:
        values.append(values[-1] * 2)
    return [str(value) for value in values]


def variants(collective: str, ranks: int, own: bool) -> Iterator[str]:
    """Yield the algorithms of COLLECTIVE on data in local stores, with all values of their parameters; OWN: also those of cellcoll itself."""
    for row in json.loads(cellcoll._run_program(["list", "algorithms", "--format=json", "-v"]))["rows"]:
        in_memory = row["name"].split(":")[1].split("-")[0] == "mm"
        if row["collective"] == collective and not in_memory and (own or row["source"] != "cellcoll"):
            parameters = [word.split("=") for word in (row["parameters"] or "").split(";") if word]
            for values in itertools.product(*(_values(text, ranks) for _, text in parameters)):
                yield ":".join([row["name"]] + [f"{name}={value}" for (name, _), value in zip(parameters, values)])


def best(judge: Judge, profile: str, repeat: int, algorithms: Sequence[str]) -> Optional[Rival]:
    """Return the best of ALGORITHMS and its cycles; None: none can do the call."""
    found = [(judge.cycles(algorithm, profile, repeat)[0], algorithm) for algorithm in algorithms]
    return min([(cycles, algorithm) for cycles, algorithm in found if cycles is not None], default=None)
