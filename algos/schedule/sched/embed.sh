#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compile texts in: embed.sh FILE.sched... > scheds.c defines `const struct algo COLLECTIVE_NAME` for each COLLECTIVE_NAME.sched, and of those in
# a folder found scheds_found[], each named as its file. The first line of a text of the catalogue, a comment, is the idea of the algorithm;
# `# source: NAME` names a paper.
set -eu

echo '/* SPDX-License-Identifier: BSD-3-Clause'
echo ' * Texts of the catalogue, and those found by searches; made by algos/schedule/sched/embed.sh. Do not edit. */'
echo '#include "algos/schedule/sched/sched.h"'
awk '
  function end() {
    gsub(/-/, "_", needs)
    if (file ~ /\/found\//) found = found "  {\"" name "\",\n" text "  },\n"
    else if (file) printf "\nconst struct algo %s = {\n  SCHED_ALGO(COLL_%s, \"%s\", %s),\n  .idea = \"%s\",\n  .needs = NEED_SPES%s,\n" \
      "  .words = %s,\n  .sched =\n%s};\n", name, toupper(collective), substr(name, length(collective) + 2),
      source ? source : "ALGO_SOURCE_OWN", idea, needs, words ? "\"" words "\"" : "NULL", text
    text = needs = words = source = ""
  }
  FNR == 1 { end(); file = name = FILENAME; sub(/.*\//, "", name); sub(/\.sched$/, "", name); idea = substr($0, 3) }
  { gsub(/["\\]/, "\\\\&"); text = text "  \"" $0 "\\n\"\n" }
  $1 == "collective" { collective = $2 }
  $2 == "source:" { source = "\"" $3 "\"" }
  $1 == "needs" { needs = needs " | NEED_" toupper($2) }
  $1 ~ /^(signals|fence|late|eager)$/ { words = words (words ? " " : "") $1 }
  END { end(); printf "\nconst struct sched_found scheds_found[] = {\n%s  {NULL, NULL},\n};\n", found }' "$@"
