# SPDX-License-Identifier: BSD-3-Clause
"""The command: python3 -m cellcoll.search COLLECTIVE -n N -s S -o FILE.sched."""
from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shlex
import signal
import sys
from typing import Any, List, Tuple

import cellcoll
from cellcoll.search import story
from cellcoll.search.climb import Climb, Found
from cellcoll.search.judge import LOOP, Bench, Judge, Problem
from cellcoll.search.lines import folded
from cellcoll.search.shape import Shape, chip_links
from cellcoll.search.space import COLLECTIVES, WORDS


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cellcoll search", description="search for the text of an algorithm that beats the catalogue",
                                     fromfile_prefix_chars="@")
    parser.convert_arg_line_to_args = lambda line: shlex.split(line, comments=True)  # type: ignore[method-assign]
    add = parser.add_argument
    add("collective", help=", ".join(COLLECTIVES))
    add("-n", "--ranks", type=int, required=True, help="number of ranks")
    add("-s", "--bytes", help="size, such as 4KiB; none for a barrier")
    add("-p", "--platform", default="qs20", help="machine to simulate; default qs20")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="override a platform parameter")
    add("--profile", help="software costs; default: the platform's profile of comparisons")
    add("--budget", type=int, default=4000, help="most runs of candidates; default 4000")
    add("--seed", type=int, default=1, help="seed of all random numbers; default 1")
    add("--objective", choices=["call", "loop", "both", "robust"], default="both",
        help="cycles of one call, of calls back to back, the geometric mean of both (default), or the worse of both for the worst of all profiles")
    add("--draws", type=int, default=0, metavar="N", help="try the text found on N machines drawn at random (half a minute)")
    add("--format", choices=["text", "csv", "json"], default="text", help="form of the explanation; default text")
    add("-j", "--jobs", type=int, default=1, help="work in N processes; default 1; the result is the same")
    add("--store", metavar="FILE", help="keep judged texts in FILE: the same search goes on after an interruption")
    add("-q", "--quiet", action="store_true", help="no progress on standard error")
    add("-o", "--output", required=True, metavar="FILE.sched", help="the text found")
    return parser


def _problem(args: Any) -> Tuple[Problem, List[str]]:
    """Check the options; return the call, and all profiles of the platform."""
    if args.collective not in COLLECTIVES:
        raise cellcoll.Error(f"no search for '{args.collective}', expected one of {' '.join(COLLECTIVES)}")
    barrier = args.collective == "barrier"
    if barrier != (args.bytes is None):
        raise cellcoll.Error("-s for a barrier, which moves no data, expected none" if barrier else f"{args.collective} moves data, expected -s, such as -s 4KiB")
    settings = tuple((key, value) for key, _, value in (word.partition("=") for word in args.set))
    machine = cellcoll.Machine(args.platform, dict(settings))
    if "node.kind" in machine.keys() and machine.value("node.kind") == "host":
        raise cellcoll.Error(f"platform {args.platform} has hosts, expected one with SPEs: texts are programs of SPEs")
    most = cellcoll._library.cellcoll_machine_ranks(machine._handle, b"barrier:bruck")
    if not 2 <= args.ranks <= min(most, 256):
        raise cellcoll.Error(f"{args.ranks} ranks, expected 2 to {min(most, 256)}" + (", the SPEs of the machine" if most <= 256 else ", the places of a text"))
    profiles = list(dict.fromkeys(key.split(".")[1] for key in machine.keys() if key.startswith("profile.")))
    main = args.profile or str(machine.value("software.comparison"))
    if main not in profiles:
        raise cellcoll.Error(f"no profile '{main}', expected one of {' '.join(profiles)}")
    profiles.sort(key=lambda name: name != main)
    size = 0 if barrier else cellcoll._bytes(args.bytes)
    if not barrier and (size < 1 or (size % 4 and "reduce" in args.collective)):
        raise cellcoll.Error(f"{size} bytes, expected " + ("a multiple of 4, the bytes of int32" if size else "at least 1"))
    judged = tuple(profiles if args.objective == "robust" else [main])
    problem = Problem(args.platform, settings, args.collective, args.ranks, size, judged, args.objective)
    for value, least, wrong in ((args.budget, len(problem.runs()), "a budget of {} runs, expected at least {}, the runs of one candidate"),
                                (args.jobs, 1, "{} processes, expected at least {}"), (args.draws, 0, "{} drawn machines, expected {} or more")):
        if value < least:
            raise cellcoll.Error(wrong.format(value, least))
    return problem, profiles


def _try_output(path: str) -> None:
    """Check that file PATH can be written, without a change; a name of an algorithm is what a text is called by."""
    name = os.path.basename(path)
    if not re.fullmatch(r"[a-z][a-z0-9_-]*\.sched", name):
        raise cellcoll.Error(f"output {name}, expected a name of small letters, digits, - and _ that ends in .sched")
    there = os.path.exists(path)
    try:
        open(path, "a", encoding="utf-8").close()
    except OSError as error:
        raise cellcoll.Error(f"output {path}: {error.strerror}, expected a file that can be written")
    if not there:
        os.remove(path)


def _shape(problem: Problem) -> Shape:
    machine = problem.machine()
    chips = int(machine.value("blade.chips"))
    size = cellcoll._library.cellcoll_machine_ranks(machine._handle, b"barrier:bruck") // chips
    even = problem.ranks > size and problem.ranks % size == 0
    links = chip_links(str(machine.value("blade.topology")), chips)
    return Shape(problem.ranks // size, size, links) if even else Shape(1, problem.ranks, [])  # on uneven chips, as if there was one


def _command(args: Any) -> str:
    """Return the command that finds the same text again."""
    options = [("-n", args.ranks), ("-s", args.bytes), ("-p", args.platform if args.platform != "qs20" else None)]
    options += [("--set", f"'{setting}'") for setting in args.set]
    options += [("--profile", args.profile), ("--objective", args.objective if args.objective != "both" else None)]
    options += [("--budget", args.budget), ("--seed", args.seed), ("-o", os.path.basename(args.output))]
    return " ".join([f"python3 -m cellcoll.search {args.collective}"] + [f"{option} {value}" for option, value in options if value is not None])


def _write(args: Any, problem: Problem, shape: Shape, found: Found, note: str) -> None:
    """Write the text FOUND, with comments, in place of the output."""
    judge = Judge(problem, {})
    body = folded(shape, found.candidate)
    cellcoll.load_text("folded", body)
    profile = problem.profiles[0]
    cycles = {repeat: judge.cycles("sched:folded", profile, repeat)[0] for repeat in (1, LOOP)}
    if any(found.verdict.cycles.get((profile, repeat), cycles[repeat]) != cycles[repeat] for repeat in cycles):
        raise AssertionError("the folded text takes other cycles")
    data = "" if problem.collective == "barrier" else f" of {problem.bytes} bytes"
    settings = ", ".join(f"{key}={value}" for key, value in problem.settings)
    head = [f"{problem.collective}{data} on {problem.ranks} ranks of {problem.platform}{' with ' * bool(settings)}{settings}: {cycles[1]:.0f} cycles a call, {cycles[LOOP]:.1f} in calls back to back",
            f"software costs of {profile}; cellcoll {cellcoll.version()}; {note}", _command(args)]
    with open(args.output + ".tmp", "w", encoding="utf-8") as file:
        file.write("".join(f"# {line}\n" for line in head) + body)
    os.replace(args.output + ".tmp", args.output)


def _tell(climb: Climb) -> None:
    best = f"{1 / climb.best.value:.2f} times as fast as the catalogue" if climb.best else "no right text yet"
    print(f"\r{climb.bench.asked} of {climb.budget} runs, {best}  ", end="", file=sys.stderr, flush=True)


def _interrupt(number: int, _: Any) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise KeyboardInterrupt(number)


def search(args: Any) -> int:
    problem, profiles = _problem(args)
    _try_output(args.output)
    shape = _shape(problem)
    told = story.Story(problem, profiles, Judge(problem, {}))
    bench = Bench(problem, told.to_beat(), args.jobs, args.store)
    climb = Climb(shape, problem.collective, bench, args.budget, args.seed)
    progress = sys.stderr.isatty() and not args.quiet
    if progress:
        climb.told = _tell
    ended = 0
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        climb.run()
    except KeyboardInterrupt as interrupt:
        ended = interrupt.args[0] if interrupt.args else signal.SIGINT
    finally:
        bench.close()
        if progress:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    if ended:
        kept = f"no right text in {bench.asked} runs, nothing is written"
        if climb.best:
            kept = f"{args.output} has the best of {bench.asked} runs, not checked"
            _write(args, problem, shape, climb.best, f"interrupted after {bench.asked} runs, NOT CHECKED")
        print(f"cellcoll.search: interrupted: {kept}" + "; the same command goes on" * bool(args.store), file=sys.stderr)
        return 128 + ended
    if not climb.best:
        raise cellcoll.Error(f"no right text in {bench.asked} runs; the first was wrong: {climb.wrong or 'none was drawn'}; expected one: a larger --budget")
    _write(args, problem, shape, climb.best, f"best of {bench.asked} runs, being checked")
    passed, points = story.check(problem, args.output, args.jobs)
    _write(args, problem, shape, climb.best, f"best of {bench.asked} runs, " + ("checked" if passed else "FAILED its check"))
    if not passed:
        print(f"cellcoll.search: {args.output} failed its check: {points}", file=sys.stderr)
        return 1
    rows = told.rows(args.output, [word for word in WORDS if getattr(climb.best.candidate, word)], climb.best.candidate.family(), args.draws)
    if args.format == "csv":
        writer = csv.DictWriter(sys.stdout, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        print(json.dumps(rows, indent=1) + "\n" if args.format == "json" else story.text(rows), end="")
    return 0


def main() -> int:
    try:
        return search(_options().parse_args())
    except cellcoll.Error as error:
        print(f"cellcoll.search: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
