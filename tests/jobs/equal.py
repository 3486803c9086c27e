# SPDX-License-Identifier: BSD-3-Clause
"""Random commands print the same whatever is around them: other -j, locale (with a decimal comma), folder and environment; a store that
all commands share, before and after it has the results; observers; and the library gives the same rows. Many commands differ from the
one before in one option, so that the store must tell the two apart. Speaks TAP; 20 commands, with CELLCOLL_FULL 300.
"""
import csv
import io
import locale
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

program = os.path.abspath(os.environ.get("CELLCOLL", "build/cellcoll"))
source = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
count = int(sys.argv[2]) if len(sys.argv) > 2 else 300 if os.environ.get("CELLCOLL_FULL") else 20
work = tempfile.TemporaryDirectory()
chance = random.Random(seed)
PLATFORMS = {"qs20": 16, "ps3": 6, "cell": 8, "qs22": 16, "quad-mesh": 32, "blades": 64, "gdx": 216, "grid": 40, "qsnet2": 16,
             f"{source}/examples/big_chip.xml": 12}  # and the ranks that each has room for
LIBRARY = ["cycles", "ns", "bus_requests", "eib_bytes", "bif_bytes", "nodes", "net_messages", "net_bytes", "net_retransmissions"]
number = bad = 0


def report(what, wrong):
    global number
    number += 1
    print("not ok" if wrong else "ok", number, "-", what, flush=True)
    if wrong:
        print("# " + wrong[:2000].replace("\n", "\n# "))


def make_locale():
    """Make a locale with a decimal comma, and return its folder; None if there is no localedef."""
    with open(f"{work.name}/comma", "w", encoding="ascii") as file:
        file.write('comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
    try:
        subprocess.run(["localedef", "-c", "-i", f"{work.name}/comma", f"{work.name}/xx_XX"], capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return work.name if os.path.exists(f"{work.name}/xx_XX/LC_NUMERIC") else None


def draw():
    """Return a command as words, without -j."""
    platform = chance.choice(["qs20"] * 4 + list(PLATFORMS))
    useless = "spes" if platform in ("gdx", "grid", "qsnet2") else "hosts"
    algorithm = chance.choice([row["name"] for row in algorithms if useless not in row["needs"].split(";")])
    ranks = chance.choice([n for n in (2, 3, 4, 5, 7, 8, 13, 16, 20) if n <= PLATFORMS[platform]])
    sized = not algorithm.startswith("barrier")
    point = ["-p", platform, "-n", str(ranks)] + (["-s", str(chance.choice([1, 16, 100, 1024, 4096, 20000]))] if sized else [])
    settings = ["--set", chance.choice(["clock.spu=2.5", "eib.hop=1.25", "bif.bandwidth=7.5", "mfc.issue=7", "network.latency=0.5"])]
    settings = settings if chance.random() < 0.4 else []
    kind = chance.choice(["run"] * 12 + ["trace"] * 4 + ["check", "model", "model", "compare", "tune", "platform"])
    if kind == "platform":
        return ["platform", "show", point[1], *settings]
    if kind == "check":
        return ["check", algorithm, *point, *settings, "--repeat", "2", "--placement", "packed"]
    if kind == "tune":
        return ["tune", algorithm.split(":")[0], *point, *settings]
    if kind in ("model", "compare"):
        return [kind, algorithm, *point, *settings]
    if chance.random() < 0.3:
        settings += ["--skew", f"{chance.choice([10, 3000])}:{chance.randrange(1, 99)}"]
    if chance.random() < 0.3:
        settings += ["--repeat", str(chance.choice([2, 5])), "--seed", str(chance.randrange(1, 99))]
    if chance.random() < 0.2:
        settings += ["--shuffle", str(chance.randrange(1, 99))]
    if sized and chance.random() < 0.3:
        settings += ["--root", str(chance.randrange(ranks))]
    if algorithm.split(":")[0] in ("reduce", "allreduce", "scan", "reduce-scatter"):
        settings += ["--op", chance.choice(["sum", "max"]), "--type", chance.choice(["int32", "float64"])]
    if kind == "trace":
        settings += ["--timeline", f"line.{chance.choice(['svg', 'txt'])}", "--trace", f"trace.{chance.choice(['json', 'paje', 'csv'])}"]
    else:
        point[3] = f"{ranks - 1},{ranks}"
    return ["run", algorithm, *point, *settings]


def alter(words):
    """Return a command that differs from another one in the value of one option: the store must tell the two apart."""
    options = [word for word in words if word in ("-s", "--skew", "--shuffle", "--seed", "--repeat", "--root", "--op", "--type", "--set")]
    place = words.index(chance.choice(options)) if options else 0
    while place:
        other = draw()
        value = other[other.index(words[place]) + 1] if words[place] in other else words[place + 1]
        if value != words[place + 1]:
            return words[:place + 1] + [value] + words[place + 2:]
    return draw()


def result(folder, words, environment=None):
    """Run a command in a new folder; return its exit code, output, messages, and the files it has written."""
    os.makedirs(f"{work.name}/{folder}")
    ran = subprocess.run([program, *words, "--format", "csv"], cwd=f"{work.name}/{folder}",
                         env={**os.environ, "LC_ALL": "C", **(environment or {})},
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    files = {}
    for name in sorted(os.listdir(f"{work.name}/{folder}")):
        with open(f"{work.name}/{folder}/{name}", encoding="utf-8") as file:  # when and how it was made may differ
            files[name] = re.sub(r"command: .*|20\d\d-\d\d-\d\dT[\d:]+Z", "", file.read())
    messages = [line for line in ran.stderr.split("\n") if not re.match(r"cellcoll: .*/store.db: \d+ results", line)]
    return "\n".join([f"exit code {ran.returncode}", ran.stdout, *messages]), files


def rows_of(output):
    return list(csv.DictReader(io.StringIO(output.split("\n", 1)[1].split("\n\n")[0])))


def differ(one, other):
    if one == other:
        return ""
    names = [name for name in one[1] if one[1][name] != other[1].get(name)]
    return f"files {names} differ" if names else f"found {other[0]}expected {one[0]}"


def observed(words, base):
    """Compare what is in both tables with and without observers."""
    rows = rows_of(result(f"{number}.watched", [*words, "--hazards", "--counters", "-j", "1", *([] if "--shuffle" in words else ["--critical-path"])])[0])
    wrong = [f"{key}: {row[key]}, expected {old[key]}" for old, row in zip(rows_of(base), rows) for key in old
             if row.get(key, old[key]) != old[key]]
    return "\n".join(wrong) if rows else "no rows"


def library(words, base):
    """Compare the rows of a command with calls of the library, in the locale with the comma."""
    values = {key: words[words.index(key) + 1] for key in ("-p", "--set") if key in words}
    machine = cellcoll.Machine(values["-p"], dict([values["--set"].split("=")]) if "--set" in values else None)
    for row in rows_of(base):
        skew = int(row["skew"])
        options = {"op": row["op"], "type": row["type"], "repeat": int(row["repeat"]), "seed": int(row["seed"]), "shuffle": int(row["shuffle"])}
        found = machine.run(row["algorithm"], ranks=int(row["ranks"]), bytes=int(row["bytes"]), root=int(row["root"]), skew=skew,
                            **({"skew_seed": int(row["skew_seed"])} if skew else {}), **{k: v for k, v in options.items() if v})
        for key in LIBRARY:
            digits = len(row[key].partition(".")[2])
            if f"{found[key]:.{digits}f}" != row[key] or found["verified"] != (row["verified"] == "yes"):
                return f"{row['algorithm']} on {row['ranks']} ranks: {key} is {found[key]}, expected {row[key]}"
    return ""


comma = make_locale()
surroundings = {"TZ": "Pacific/Apia", "HOME": "/nowhere", **({"LC_ALL": "xx_XX", "LOCPATH": comma} if comma else {})}
listed = subprocess.run([program, "list", "algorithms", "--format", "csv"], capture_output=True, text=True, check=True).stdout
algorithms = list(csv.DictReader(io.StringIO(listed)))
cellcoll = None
if os.path.exists(f"{os.path.dirname(program)}/.libs/libcellcoll.so.1"):
    os.environ.setdefault("CELLCOLL_LIBRARY", f"{os.path.dirname(program)}/.libs/libcellcoll.so.1")
    sys.path.insert(0, f"{source}/python")
    sys.dont_write_bytecode = True
    import cellcoll  # pylint: disable=wrong-import-position
    if comma:
        os.environ["LOCPATH"] = comma
        locale.setlocale(locale.LC_ALL, "xx_XX")
refused, command, served = 0, [], False
for _ in range(count):
    command = alter(command) if served and chance.random() < 0.5 else draw()
    base = result(f"{number}", [*command, "-j", "1"])
    served = base[0].startswith("exit code 0")
    refused += not served
    wrong = [differ(base, result(f"{number}.a folder/with a name that is longer", [*command, "-j", "3"], surroundings))]
    if command[0] != "platform":
        for way in ("empty", "full"):
            wrong.append(differ(base, result(f"{number}.{way}", [*command, "-j", "2", "--store", f"{work.name}/store.db"])))
    if command[0] == "run" and served:
        wrong.append(observed(command, base[0]) if "--timeline" not in command else "")
        wrong.append(library(command, base[0]) if cellcoll else "")
    report(shlex.join(command).replace(f"{source}/", ""), "\n".join(text for text in wrong if text))
report("at least half of the commands were not refused", "" if 2 * refused <= count else f"{refused} of {count} were refused")
print(f"1..{number}")
