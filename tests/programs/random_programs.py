# SPDX-License-Identifier: BSD-3-Clause
"""Random programs: usage: random_programs.py CELLCOLL SEED COUNT

Programs of 4 to 16 ranks with disjoint and overlapping groups, calls of any algorithm of the catalogue that a program takes, messages of
sizes around the eager one, and ranks that compute; some programs repeat calls of two algorithms, or calls with signals. A line that the machine refuses, by its number, is left out, and the rest is tried
again. Each program is run three times in a shuffled order with the hazard detector, and every fourth is checked. One line tells each
program with wrong bytes, a hazard, a fault or a deadlock, and the last line tells how many programs ran.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

cellcoll, first, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
listed = subprocess.run([cellcoll, "list", "algorithms", "--format=csv"], capture_output=True, text=True, check=True).stdout
ALGORITHMS = [line.split(",")[0] for line in listed.splitlines()[1:] if not re.match(r"[^,]*(hierarchical|ppe|elan)", line)]
SIGNALLING = [line.split(",")[0] for line in listed.splitlines()[1:] if re.match(r"[^,]*(tree|all-to-one|:star2|:pieces|:chips|:puts|:gets|:once)", line)]
NOT_SYNCHRONISING = ["bcast:binomial-opt", "reduce:binomial", "gather:binomial", "scatter:sequential"]  # without signals
ROOTED, COMBINING = ("bcast", "reduce", "gather", "gatherv", "scatter"), ("reduce", "allreduce", "reducescatter", "scan")


def call(draw, ranks, algorithms):
    algorithm = draw.choice(algorithms)
    collective = algorithm.split(":")[0]
    line = algorithm if collective == "barrier" else f"{algorithm} {draw.choice([0, 16, 64, 128, 512, 1024, 1040, 2048])}"
    line += f" root {draw.choice(ranks)}" if collective in ROOTED else ""
    return line + (" type float32" if collective in COMBINING and draw.random() < .3 else "")


def program(draw):
    n = draw.choice([4, 5, 7, 8, 12, 16, 16, 16])
    lines, groups = [f"program {n}"], {"": list(range(n))}
    kind = draw.choice(["any", "any", "any", "few", "signals"])
    algorithms = draw.sample(ALGORITHMS, 2) if kind == "few" else ALGORITHMS
    if kind == "signals":
        algorithms = SIGNALLING if draw.random() < .5 else SIGNALLING + 6 * NOT_SYNCHRONISING
    elif draw.random() < .6:
        cut = draw.randrange(1, n - 1)
        lines += [f"group low 0-{cut - 1}", f"group high {cut}-{n - 1}"]
        groups.update({"low: ": list(range(cut)), "high: ": list(range(cut, n))})
    if kind != "signals" and draw.random() < .3:
        some = draw.sample(range(n), draw.randrange(2, n + 1))
        lines.append(f"group some {','.join(map(str, some))}")
        groups["some: "] = some
    lines += ["repeat 3"] if kind != "any" else []
    for _ in range(draw.randrange(3, 12)):
        name = draw.choice(list(groups))
        lines.append(name + call(draw, groups[name], algorithms))
        if draw.random() < .4:
            lines.append(f"on {draw.randrange(n)} compute {draw.randrange(30000)}")
        if draw.random() < .2:
            lines.append(f"compute {draw.randrange(1000)} jitter 3000")
        if draw.random() < .25:
            lines.append(f"shift {draw.randrange(1, n)} {draw.choice([0, 1, 16, 100, 512, 1024, 1025, 4096, 70000])}")
        if draw.random() < .15:
            lines.append("send {} {} {}".format(*draw.sample(range(n), 2), draw.choice([0, 16, 1024, 3000, 30000])))
    return lines + (["end"] if kind != "any" else [])


def ask(lines, *words):
    with open("random.prog", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return subprocess.run([cellcoll, words[0], "random.prog", *words[1:]], capture_output=True, text=True, check=False)


def run(seed):
    """Tell whether program SEED runs, and tell why not."""
    lines = program(random.Random(seed))
    options = ["--hazards", "--strict", "--shuffle", str(seed), "--repeat", "3"]
    while (told := ask(lines, "run", *options)).returncode == 3:
        line = re.search(r"random\.prog:(\d+):", told.stderr)
        room = "room for" in told.stderr
        if not line and not room:
            break
        del lines[int(line.group(1)) - 1 if line else -2 if lines[-1] == "end" else -1]
    if told.returncode == 0 and seed % 4 == 0:
        told = ask(lines, "check")
    if told.returncode != 0:
        print(f"seed {seed}:", " | ".join((told.stdout + told.stderr).strip().splitlines()[-6:]))
    return told.returncode == 0


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    print(f"{sum(run(seed) for seed in range(first, first + count))} programs ran")
    os.chdir("/")
