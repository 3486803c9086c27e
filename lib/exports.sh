#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the version script of the shared library: exports.sh SOURCE ARCHIVE HEADERS PRIVATE > exports.map. It exports what cellcoll.h
# declares, as CELLCOLL_1, and what plugins may call: all that ARCHIVE defines and one of HEADERS (patterns) but not PRIVATE
# (names) declares, as CELLCOLL_PLUGINS.
set -eu

[ $# -eq 4 ] || { echo "usage: exports.sh SOURCE ARCHIVE HEADERS PRIVATE > exports.map" >&2; exit 2; }
source=$1 archive=$2 headers=$3 private=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Print the identifiers in the files given that are followed by a parenthesis or a semicolon, comments left out.
words() {
  cat "$@" | sed 's|/[*].*[*]/||' | grep -oE '[a-z_][a-z0-9_]*( *\(|;|\[)' | grep -oE '^[a-z_0-9]*' | LC_ALL=C sort -u
}

${NM:-nm} --defined-only -g "$archive" | awk 'NF == 3 && $2 ~ /[TDRB]/ { print $3 }' | LC_ALL=C sort -u > "$work/defined"
words "$source/lib/cellcoll.h" | LC_ALL=C comm -12 - "$work/defined" > "$work/public"
(
  cd "$source"
  # shellcheck disable=SC2086 # patterns
  for header in $headers; do
    case " $private " in *" $header "*) continue ;; esac
    echo "$header"
  done
) > "$work/headers"
(cd "$source" && xargs cat < "$work/headers") > "$work/text"
words "$work/text" | LC_ALL=C comm -12 - "$work/defined" > "$work/plugins"

echo "# Made by lib/exports.sh. Do not edit."
echo "CELLCOLL_1 {"
echo "global:"
sed 's/.*/  &;/' "$work/public"
echo "local:"
echo "  *;"
echo "};"
echo "CELLCOLL_PLUGINS {"
echo "global:"
sed 's/.*/  &;/' "$work/plugins"
echo "};"
