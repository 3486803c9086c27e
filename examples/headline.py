# SPDX-License-Identifier: BSD-3-Clause
# How far is the simulator from what was measured? For each machine of published measurements: their number, the median of
# the absolute errors, and how many are within 10 %, of those by which nothing was chosen and of those that values were fitted to.
import statistics

import cellcoll

rows = [row for name in ("qs20", "ps3", "blades", "qsnet2") for row in cellcoll.Machine(name).published()]
for role in ("test", "fit"):
    errors = [abs(row["error_percent"]) for row in rows if row["role"] == role and not row["at_most"]]
    close = sum(error <= 10 for error in errors)
    print(f"{role}: {len(errors)} rows, median error {statistics.median(errors):.1f} %, {close} within 10 %")
# Any result is a dictionary: pandas.DataFrame(rows) makes a table of them.
run = cellcoll.Machine("qs20").run("bcast:binomial-opt", ranks=16, bytes=4096, path=True)
print({key: value for key, value in run.items() if key in ("algorithm", "cycles", "verified")})
