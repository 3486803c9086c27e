# SPDX-License-Identifier: BSD-3-Clause
"""Random time-independent traces: usage: random_traces.py CELLCOLL SEED COUNT [UNJUDGED]

Traces of 2 to 16 ranks: messages of several tags and sizes, begun in any order (those of a connection in theirs), waited for one by one in
any order or together, with tests and computing in between; exchanges; calls of all ranks. Each trace runs three times in a shuffled order
with the hazard detector, and every fifth is checked. One line tells each trace with a wrong byte, a hazard, a fault or a deadlock, and the
last line tells how many ran.

With UNJUDGED, the program without its judge of traces, the traces are broken: messages that wait at once, lines in another order. A trace
that the judge refuses must end in no run of UNJUDGED. The last line tells how many the judge refused, and how many more did not end on the machine.
"""
import os
import random
import subprocess
import sys
import tempfile

cellcoll, first, count, unjudged = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), [os.path.abspath(word) for word in sys.argv[4:]]
MAP = ("barrier=bruck,bcast=binomial-opt,reduce=binomial,allreduce=recursive-doubling,scan=mm,gather=binomial,scatter=sequential,"
       "alltoall=bruck")
CALLS = ["barrier", "bcast 300 {root}", "bcast 12 {root} 0", "reduce 64 5 {root} 5", "allreduce 32 9 0", "allreduce 1 0 1", "scan 8 0 0",
         "gather 7 7 {root} 1 1", "scatter 24 24 {root}", "alltoall 17 17"]
WORDS = [call.split()[0] for call in CALLS]


def messages(draw, n):
    """Return for each rank lines of random messages, and of waits for them."""
    sent = [(*draw.sample(range(n), 2), draw.randrange(3), draw.choice([0, 16, 100, 1024, 1025, 5000, 30000])) for _ in range(draw.randrange(1, 3 * n))]
    ranks = []
    for rank in range(n):
        own = [message for message in sent if rank in message[:2]]
        order = own[:]
        draw.shuffle(order)
        later = {}  # messages of a connection keep their order
        for message in own:
            later.setdefault(message[:3], []).append(message)
        lines = []
        for key in (message[:3] for message in order):
            source, target, tag, size = later[key].pop(0)
            lines.append(f"isend {target} {tag} {size}" if source == rank else f"irecv {source} {tag} {size + draw.choice([0, 0, 40])}")
            if draw.random() < .3:
                lines.append(f"compute {draw.randrange(20000)}")
            if draw.random() < .1:
                lines.append("test {} {} {}".format(*key))
        waits = [f"wait {source} {target} {tag}" for source, target, tag, _ in own]
        draw.shuffle(waits)
        ranks.append(lines + (waits if draw.random() < .5 else ["waitall"]))
    return ranks


def broken(draw, lines):
    """Return LINES of a rank with messages that wait at once, and with some lines before others; calls keep their order."""
    lines = [line[1:] if draw.random() < .3 and line.startswith(("isend", "irecv")) else line for line in lines]
    for _ in range(draw.randrange(4)):
        i = draw.randrange(len(lines))
        j = min(i + draw.randrange(1, 6), len(lines) - 1)
        if not any(line.split()[0] in WORDS for line in lines[i:j]):
            lines.insert(i, lines.pop(j))
    return lines


def trace(draw):
    n = draw.choice([2, 3, 5, 8, 16])
    ranks = [[] for _ in range(n)]
    for _ in range(draw.randrange(1, 5)):
        for lines, more in zip(ranks, messages(draw, n)):
            lines += more
        call = draw.choice(CALLS).format(root=draw.randrange(n))
        for rank, lines in enumerate(ranks):
            lines.append(call)
            if n > 2:
                lines.append(f"sendRecv 40 {(rank + 1) % n} 40 {(rank - 1) % n} 1 1")
    if unjudged:
        ranks = [broken(draw, lines) for lines in ranks]
    lines = [f"{rank} {line}" for rank in range(n) for line in ["init"] + ranks[rank] + ["finalize"]]
    return "\n".join(lines) + "\n"


def ask(program, *words):
    return subprocess.run([program, words[0], words[1], "--map", MAP, *words[2:]], capture_output=True, text=True, check=False)


def judge(name):
    """Tell whether the judge refuses the trace NAME, and of each of three runs whether it ends; complain of a refused one that does."""
    told = ask(cellcoll, "run", name)
    refused = told.returncode == 3 and ("a cycle of" in told.stderr or "expected at most" in told.stderr)
    ends = [ask(unjudged[0], "run", name, "--shuffle", str(shuffle), "--skew", f"{skew}:1").returncode == 0
            for shuffle, skew in ((1, 0), (2, 3000), (3, 60000))]
    if refused and any(ends):
        print("ends:", told.stderr.strip())
    return any(ends), refused, not refused and not all(ends)


def run(seed):
    """Run trace SEED: whether the trace ends, whether the judge has refused, whether the machine alone has stopped the trace."""
    draw = random.Random(seed)
    with open("random.trace", "w", encoding="utf-8") as file:
        file.write(trace(draw))
    name = f"random.trace:kflops=3200000:eager={draw.choice([0, 256, 1024, 4096])}"
    if unjudged:
        return judge(name)
    told = ask(cellcoll, "run", name, "--hazards", "--strict", "--shuffle", str(seed), "--repeat", "3")
    if told.returncode == 0 and seed % 5 == 0:
        told = ask(cellcoll, "check", name)
    if told.returncode != 0:
        print(f"seed {seed}:", " | ".join((told.stdout + told.stderr).strip().splitlines()[-6:]))
    return told.returncode == 0, 0, 0


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    ran, refused, stopped = map(sum, zip(*[run(seed) for seed in range(first, first + count)]))
    print(f"{ran} traces ran" + f", {refused} refused, {stopped} more stopped" * len(unjudged))
    os.chdir("/")
