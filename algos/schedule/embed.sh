#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compile texts of the catalogue in: embed.sh COLLECTIVE_NAME.sched... > texts.c defines `const struct algo COLLECTIVE_NAME` for each. The first line
# of a text, a comment, is the idea of the algorithm; `# source: NAME` names a paper.
set -eu

echo '/* SPDX-License-Identifier: BSD-3-Clause'
echo ' * The texts of the catalogue; made by algos/schedule/embed.sh. Do not edit. */'
echo '#include "algos/schedule/text.h"'
for file in "$@"; do
  name=$(basename "$file" .sched)
  awk -v name="$name" '
    NR == 1 { idea = substr($0, 3) }
    { gsub(/["\\]/, "\\\\&"); text = text "  \"" $0 "\\n\"\n" }
    $1 == "collective" { collective = $2 }
    $2 == "source:" { source = "\"" $3 "\"" }
    $1 == "needs" { needs = needs " | NEED_" toupper($2) }
    $1 ~ /^(signals|fence|late|eager)$/ { words = words (words ? " " : "") $1 }
    END {
      gsub(/-/, "_", needs)
      printf "\nconst struct algo %s = {\n  TEXT_ALGO(COLL_%s, \"%s\", %s),\n", name, toupper(collective),
        substr(name, length(collective) + 2), source ? source : "ALGO_SOURCE_OWN"
      printf "  .idea = \"%s\",\n  .needs = NEED_SPES%s,\n  .words = %s,\n  .text =\n%s};\n", idea, needs,
        words ? "\"" words "\"" : "NULL", text
    }' "$file"
done
