# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps by the processes of an executor of concurrent.futures, and their progress."""
from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

import cellcoll

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    Point = Tuple[cellcoll.Machine, str, int, Optional[int], Optional[str]]

_here = (os.urandom(8), os.getpid())  # this process, also among those of other computers
_machines: Dict[str, cellcoll.Machine] = {}  # of a worker


def _work(caller: Tuple[bytes, int], loaded: Tuple[List[str], Dict[str, str]], machine: Tuple[str, Dict[str, Any]], *point: Any) -> cellcoll.Row:
    """In a worker, return the row of POINT on MACHINE, with the plugins and texts of the caller."""
    if caller == (_here[0], os.getpid()):
        raise cellcoll.Error("the executor has threads of this process, expected processes: one thread of a process simulates")
    plugins, texts = loaded
    for path in plugins:
        if path not in cellcoll._plugins:
            cellcoll.load_plugin(path)
    for name, text in texts.items():
        if cellcoll._texts.get(name) != text:
            cellcoll.load_text(name, text)
    key = repr(machine)
    if key not in _machines:
        _machines[key] = cellcoll.Machine(*machine)
    return cellcoll._row(_machines[key], *point)


class _Progress:
    """The line of progress, on standard error; without a terminal each tenth of the rows is a line."""

    def __init__(self, total: int, shown: bool) -> None:
        self.done, self.total, self.shown = 0, total, shown

    def __call__(self, _: Any = None) -> None:
        self.done += 1
        alone = not sys.stderr.isatty()
        if self.shown and (not alone or self.done * 10 // self.total > (self.done - 1) * 10 // self.total):
            end = "\n" if alone or self.done == self.total else ""
            print(f"{'' if alone else chr(13)}{self.done} of {self.total} rows", end=end, file=sys.stderr, flush=True)


def _result(point: Point, future: Future[cellcoll.Row], options: Dict[str, Any]) -> cellcoll.Row:
    """Return the row of POINT; an executor that has lost its process says so in words of its own."""
    try:
        return future.result()
    except cellcoll.Error:
        raise
    except Exception as error:  # BrokenProcessPool, KilledWorker of Dask, ...
        row = cellcoll._row_without(*point, "lost", f"{type(error).__name__}: {error}")
        if options["on_stop"] == "raise":
            raise cellcoll.Error(f"{row['algorithm']} on {row['ranks']} ranks with {row['bytes']} bytes: {row['detail']}") from error
        return row


def rows(points: List[Point], options: Dict[str, Any], executor: Optional[Executor], progress: bool) -> Iterator[cellcoll.Row]:
    """Yield the rows of POINTS in their order, each as soon as it and those before it are there."""
    tell = _Progress(len(points), progress)
    if executor is None:
        for point in points:
            row = cellcoll._row(*point, options)
            tell()
            yield row
        return
    loaded = list(cellcoll._plugins), dict(cellcoll._texts)
    futures: List[Future[cellcoll.Row]] = []
    try:
        for machine, *point in points:
            futures.append(executor.submit(_work, _here, loaded, (machine.platform, machine.settings), *point, options))
            futures[-1].add_done_callback(tell)
        for one, future in zip(points, futures):
            yield _result(one, future, options)
    finally:
        tell.shown = False  # of what is cancelled
        for future in futures:
            future.cancel()
