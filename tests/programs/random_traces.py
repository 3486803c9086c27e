# SPDX-License-Identifier: BSD-3-Clause
"""Random time-independent traces: usage: random_traces.py CELLCOLL SEED COUNT

Traces of 2 to 16 ranks: messages of several tags and sizes, begun in any order (those of a connection in theirs), waited for one by one in
any order or together, with tests and computing in between; exchanges; calls of all ranks. Each trace runs three times in a shuffled order
with the hazard detector, and every fifth is checked. One line tells each trace with a wrong byte, a hazard, a fault or a deadlock, and the
last line tells how many ran.
"""
import random
import subprocess
import sys

cellcoll, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MAP = ("barrier=bruck,bcast=binomial-opt,reduce=binomial,allreduce=recursive-doubling,scan=mm,gather=binomial,scatter=sequential,"
       "alltoall=bruck")
CALLS = ["barrier", "bcast 300 {root}", "bcast 12 {root} 0", "reduce 64 5 {root} 5", "allreduce 32 9 0", "allreduce 1 0 1", "scan 8 0 0",
         "gather 7 7 {root} 1 1", "scatter 24 24 {root}", "alltoall 17 17"]


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


def trace(draw):
    n = draw.choice([2, 3, 5, 8, 16])
    ranks = [["init"] for _ in range(n)]
    for _ in range(draw.randrange(1, 5)):
        for lines, more in zip(ranks, messages(draw, n)):
            lines += more
        call = draw.choice(CALLS).format(root=draw.randrange(n))
        for rank, lines in enumerate(ranks):
            lines.append(call)
            if n > 2:
                lines.append(f"sendRecv 40 {(rank + 1) % n} 40 {(rank - 1) % n} 1 1")
    lines = [f"{rank} {line}" for rank in range(n) for line in ranks[rank] + ["finalize"]]
    return "\n".join(lines) + "\n"


def ask(*words):
    return subprocess.run([cellcoll, words[0], words[1], "--map", MAP, *words[2:]], capture_output=True, text=True, check=False)


ran = 0
for seed in range(first, first + count):
    draw = random.Random(seed)
    with open("random.trace", "w", encoding="utf-8") as file:
        file.write(trace(draw))
    name = f"random.trace:kflops=3200000:eager={draw.choice([0, 256, 1024, 4096])}"
    told = ask("run", name, "--hazards", "--strict", "--shuffle", str(seed), "--repeat", "3")
    if told.returncode == 0 and seed % 5 == 0:
        told = ask("check", name)
    if told.returncode != 0:
        print(f"seed {seed}:", " | ".join((told.stdout + told.stderr).strip().splitlines()[-6:]))
    ran += told.returncode == 0
print(f"{ran} traces ran")
