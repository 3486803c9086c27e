# SPDX-License-Identifier: BSD-3-Clause
"""The table of docs/found.md: what each text found by a search is worth, and how much of that is idea, words and search.

    python3 examples/found.py algos/found/*.sched

papers, ten: the best algorithm of the papers, over all values of parameters, and the best of the ten texts of cellcoll; ratios are geometric
means of a call and of calls back to back. words: the text found with fence, late and eager takes so much less than without the three.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))  # the module of this source, without an installation
import cellcoll
from cellcoll.search import rivals
from cellcoll.search.judge import LOOP, Judge, Problem, mean


def cycles_of_text(judge, text, profile):
    cellcoll.load_text("text", text)
    return [judge.cycles("sched:text", profile, repeat)[0] for repeat in (1, LOOP)]


def best(judge, profile, names):
    found = [rivals.best(judge, profile, repeat, names) for repeat in (1, LOOP)]
    return found if all(found) else None


def ratio(slow, fast):
    return mean([a / b for a, b in zip(slow, fast)])


def main():
    print("| call | of the papers: call, loop | of the ten | found | papers / found | papers / ten | ten / found | words | other costs |")
    print("|---|---|---|---|---|---|---|---|---|")
    for path in sorted(sys.argv[1:], key=lambda path: [int(x) if x.isdigit() else x for x in re.split(r"(\d+)", path)]):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        collective, size = re.search(r"^collective (\w+)", text, re.M)[1], re.search(r" of (\d+) bytes ", text)
        problem = Problem("qs20", (), collective, 16, int(size[1]) if size else 0, ("ali2010",), "both")
        judge = Judge(problem, {})
        papers = list(rivals.variants(collective, 16, False))
        ten = [name for name in rivals.variants(collective, 16, True) if name not in papers]
        found, paper, own = cycles_of_text(judge, text, "ali2010"), best(judge, "ali2010", papers), best(judge, "ali2010", ten)
        plain = cycles_of_text(judge, re.sub(r"^(fence|late|eager)\n", "", text, flags=re.M), "ali2010")
        others = [f"{ratio([x[0] for x in best(judge, name, papers)], cycles_of_text(judge, text, name)):.2f}" for name in ("velamati2007", "gaona2009")]
        a, b = [x[0] for x in paper], [x[0] for x in own]
        print(f"| {collective} {problem.bytes or ''} | {paper[0][1].split(':', 1)[1]} {a[0]:.0f}, {a[1]:.0f} | {own[0][1].split(':', 1)[1]} {b[0]:.0f}, {b[1]:.0f} | "
              f"{found[0]:.0f}, {found[1]:.0f} | {ratio(a, found):.2f} | {ratio(a, b):.2f} | {ratio(b, found):.2f} | {ratio(plain, found):.2f} | {', '.join(others)} |")


if __name__ == "__main__":
    main()
