# SPDX-License-Identifier: BSD-3-Clause
"""Would the tests notice? Changes of one place of the source (mutants), drawn by a seed before a test is looked at.

    tests/mutants/run --list SEED              print the drawn list of 200 mutants
    tests/mutants/run --judge SEED NUMBERS     judge those of the list, as in 1-10,17; 0 is the original, which must survive

A mutant is drawn in three steps: a folder of FOLDERS, an operator of OPERATORS that has a place there, a place. The source is copied
and built as the program named by CELLCOLL was (build/cellcoll without it), and for each mutant built again. The tests of its folder
judge the mutant, then those of semantics and reference: the first that fails, or takes longer than 15 minutes, kills it. A line tells
each mutant and its fate; one that is not built counts for nothing. 40 mutants take about an hour of two processors.

A survivor asks for a test, written from the behaviour and shown to fail on the mutant, or, if no test can tell the mutant from the
original, for a line in tests/mutants/equivalent: file, line of the source, operator, reason, with tabs between them. Without arguments
this is a test (TAP) of the mutants SHARE of the list of seed 1, skipped without CELLCOLL_FULL: one survivor may be to do, two fail.
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SHARE, MUTANTS, SECONDS = "0-6", 200, 900
PROGRAMS = ["unit/run", "semantics/run", "reference/run", "timing/run", "gaming/run"]  # these are built; all others are scripts
FOLDERS = {  # and the tests that judge first
    "algos": ["unit/run", "semantics/run", "golden/run"], "sim/net": ["unit/run", "timing/run", "nodes/run"],
    "sim/node": ["unit/run", "nodes/run"], "traces": ["unit/run", "trace/run", "timeline/run", "golden/run"],
    "validate/lab": ["unit/run", "gaming/run", "golden/run", "store/run", "jobs/run"], "lib": ["library/run"], "python": ["library/run"]}
OPERATORS = {  # a pattern, and what replaces its group; {} stands for the group
    "less": (r"\w (<) \w", "<="), "not more": (r"\w (<=) \w", "<"), "more": (r"\w (>) \w", ">="), "not less": (r"\w (>=) \w", ">"),
    "equal": (r" (==) ", "!="), "unequal": (r" (!=) ", "=="), "and": (r" (&&) ", "||"), "or": (r" (\|\|) ", "&&"),
    "plus": (r"[\w)\]] (\+) [\w(]", "-"), "minus": (r"[\w)\]] (-) [\w(]", "+"), "times": (r"[\w)\]] (\*) [\w(]", "+"),
    "divide": (r" (/) ", "*"), "remainder": (r" (%) ", "/"), "add to": (r" (\+=) ", "="), "or to": (r" (\|=) ", "&="),
    "one": (r"(?<![\w.])(1)(?![\w.])", "2"), "zero": (r"(?<![\w.])(0)(?![\w.])", "1"), "more by one": (r"(\+\+)", "--"),
    "truth": (r"\b(true|false)\b", "!{}"), "if": (r"\bif \((.*)\) \{$", "!({})"), "call": (r"^ +(\w+\(.*\);)$", ";"),
    "assign": (r"^ +([\w.>\[\]-]+ = .*;)$", ";"), "return": (r"^ +return (\w[^;]*);$", "0"), "break": (r"^ +(break|continue);$", ""),
    "none": (r"$(.)", "")}
NO_CODE = re.compile(r"\s*(#|//|\"|case )|.*(assert\(|\\$|\"\"\")|(static )?const |enum ")
source = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


def text_of(path, text=None):
    with open(path, "r" if text is None else "w", encoding="utf-8") as file:
        return file.read() if text is None else file.write(text)


class Mutant:
    def __init__(self, path, number, operator, place):
        self.path, self.number, self.operator, self.place = os.path.relpath(path, source), number, operator, place

    def lines(self):
        """Return the line of the source, and that of the mutant."""
        old, (begin, end) = text_of(f"{source}/{self.path}").split("\n")[self.number], self.place
        return old, old[:begin] + OPERATORS[self.operator][1].replace("{}", old[begin:end]) + old[end:]

    def __str__(self):
        return f"{self.path}:{self.number + 1} {self.operator}: {' -> '.join(line.strip() for line in self.lines())}"


def places(folder):
    found = {}
    for path in sorted(glob.glob(f"{source}/{folder}/**/*.c", recursive=True) + glob.glob(f"{source}/{folder}/**/*.py", recursive=True)):
        comment = False
        for number, line in enumerate(text_of(path).split("\n")):
            comment = comment or "/*" in line
            code = not comment and not NO_CODE.match(line)
            comment = comment and "*/" not in line
            shown = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', lambda text: "@" * len(text.group()), line)
            for operator, (pattern, _) in OPERATORS.items() if code else ():
                for match in re.finditer(pattern, shown):
                    found.setdefault(operator, []).append(Mutant(path, number, operator, match.span(1)))
    return found


def draw(seed):
    chance, drawn = random.Random(seed), {}
    of = {folder: places(folder) for folder in FOLDERS}
    while len(drawn) < MUTANTS:
        folder = chance.choice(list(FOLDERS))
        mutant = chance.choice(of[folder][chance.choice(sorted(of[folder]))])
        drawn.setdefault(str(mutant), (folder, mutant))
    return list(drawn.values())


class Bench:
    """A copy of the source, built."""
    def __init__(self):
        built = os.path.dirname(os.path.abspath(os.environ.get("CELLCOLL", "build/cellcoll")))
        self.work = tempfile.mkdtemp()
        self.root, self.build = f"{self.work}/source", f"{self.work}/source/build"
        shutil.copytree(source, self.root, symlinks=True, ignore=lambda folder, names: [name for name in names if name == ".git" or (
            folder == source and re.fullmatch("build(-(?!aux).*)?", name))])
        os.mkdir(self.build)
        how = subprocess.run([f"{built}/config.status", "--config"], capture_output=True, text=True, check=True).stdout
        subprocess.run(f"../configure -q {how.strip()} --disable-werror", shell=True, cwd=self.build, check=True, stdout=subprocess.DEVNULL)
        self.environment = {**os.environ, "CELLCOLL": f"{self.build}/cellcoll", "CELLCOLL_SRCDIR": self.root, "srcdir": self.root}
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CELLCOLL_FULL"):
            self.environment.pop(name, None)

    def failure(self, *command):
        """Return why the command fails; None if it does not."""
        with subprocess.Popen(command, cwd=self.build, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as process:
            try:
                text = process.communicate(timeout=SECONDS)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return "it takes too long"
        failed = re.findall("^not ok .*", text, re.M)
        return failed[0][:100] if failed else f"exit code {process.returncode}" if process.returncode not in (0, 77) else None

    def fate(self, folder, mutant):
        copy, before = f"{self.root}/{mutant.path}", text_of(f"{self.root}/{mutant.path}")
        text_of(copy, "\n".join(mutant.lines()[1] if i == mutant.number else line for i, line in enumerate(before.split("\n"))))
        if self.failure("make", "-s", f"-j{os.cpu_count()}", "cellcoll", "libcellcoll.la") or \
                self.failure("make", "-s", f"-j{os.cpu_count()}", *(f"tests/{name}" for name in PROGRAMS)):
            fate = "is not built"
        else:
            tests = ((name, self.failure(f"{self.build if name in PROGRAMS else self.root}/tests/{name}"))
                     for name in dict.fromkeys(FOLDERS[folder] + PROGRAMS[1:3]))
            fate = next((f"killed by {name}: {why}" for name, why in tests if why), "survived")
        text_of(copy, before)
        return fate


def main():
    if len(sys.argv) == 1 and not os.environ.get("CELLCOLL_FULL"):
        return print("1..0 # SKIP CELLCOLL_FULL is not set")
    way, seed, numbers = (sys.argv[1:] + ["", "1", SHARE][len(sys.argv) - 1:])[:3]
    mutants = draw(int(seed))
    if way == "--list":
        return print(*(f"{i + 1} {mutant}" for i, (_, mutant) in enumerate(mutants)), sep="\n")
    listed = [line.split("\t")[:3] for line in text_of(f"{source}/tests/mutants/equivalent").split("\n")]
    mutants.insert(0, ("algos", Mutant(f"{source}/algos/catalogue.c", 0, "none", (0, 0))))
    bench, survivors = Bench(), 0
    try:
        wanted = [part.split("-") for part in numbers.split(",")]
        for told, number in enumerate(n for part in wanted for n in range(int(part[0]), int(part[-1]) + 1)):
            mutant, fate = mutants[number][1], bench.fate(*mutants[number])
            fine = (fate != "survived" or [mutant.path, mutant.lines()[0].strip(), mutant.operator] in listed) == (number > 0)
            survivors += not fine and number > 0
            print("ok" if fine else "not ok", told + 1, "-", number, mutant, "|", fate, "" if fine or not number else "# TODO", flush=True)
        print(f"{'ok' if survivors < 2 else 'not ok'} {told + 2} - {survivors} without a test or a reason", f"1..{told + 2}", sep="\n")
    finally:
        shutil.rmtree(bench.work)


main()
