#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Check the algorithms of plugins, as a step of continuous integration: check.sh FILE.c... compiles each file as a plugin, checks all
# algorithms of the plugin, and writes the results to FILE.xml (JUnit) beside it. The exit code is 1 if an algorithm fails
# or a file does not compile.
#   CELLCOLL  the program; usual: cellcoll
#   OPTIONS   options of `cellcoll check`, such as "-n 2..8 -s 64,1KiB"; usual: none, on GitHub --format=github
set -eu

[ $# -gt 0 ] || { echo "usage: check.sh FILE.c..." >&2; exit 2; }
: "${CELLCOLL:=cellcoll}" "${OPTIONS:=}" "${CC:=cc}"
[ -z "${GITHUB_ACTIONS-}" ] || OPTIONS="--format=github $OPTIONS"
code=0
for source in "$@"; do
  plugin=${source%.c}.so
  # shellcheck disable=SC2046,SC2086 # flags; a compiler with options
  $CC -std=gnu17 -O2 -Wall -Wextra -shared -fPIC $(pkg-config --cflags cellcoll) -o "$plugin" "$source" || { code=1; continue; }
  # The algorithms of the plugin are those that are not listed without it.
  "$CELLCOLL" list algorithms --format=csv | cut -d, -f1 > "$plugin.before"
  algorithms=$("$CELLCOLL" list algorithms --format=csv --plugin "$plugin" | cut -d, -f1 | grep -vxF -f "$plugin.before")
  rm "$plugin.before"
  # shellcheck disable=SC2086 # names and options
  "$CELLCOLL" check $algorithms --plugin "$plugin" --junit "${source%.c}.xml" $OPTIONS || code=$?
done
exit $code
