# SPDX-License-Identifier: BSD-3-Clause
# How far is the simulator from what was measured? For each of two machines, of the rows by which nothing was chosen and of the
# rows that values were fitted to: their number, the median of the absolute errors, and how many are within 10 %.
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))  # the module of this source, without an installation
import cellcoll

for name in ("qs20", "ps3"):
    rows = cellcoll.Machine(name).published()
    for role in ("test", "fit"):
        errors = [abs(row["error_percent"]) for row in rows if row["role"] == role and not row["at_most"]]
        close = sum(error <= 10 for error in errors)
        print(f"{name}, {role}: {len(errors)} rows: median error {statistics.median(errors):.1f} %, {close} within 10 %")
# Any result is a dictionary: pandas.DataFrame(rows) makes a table of them.
run = cellcoll.Machine("qs20").run("bcast:binomial-opt", ranks=16, bytes=4096, path=True)
print({key: value for key, value in run.items() if key in ("algorithm", "cycles", "verified")})
