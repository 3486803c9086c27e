#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the broken platforms that the table tests/platforms/defects describes: NAME.xml, and its message NAME.expected.
#
# usage: sh tests/platforms/broken.sh FOLDER, an existing one
set -eu

here=$(cd "$(dirname "$0")" && pwd)
awk -v folder="$1" -v valid="$here/valid/" '
function fail(what) {
  print FILENAME ":" FNR ": " what > "/dev/stderr"
  exit failed = 1
}
# Replace in TEXT what OLD stands for by NEW. OLD occurs once.
function replaced(text, old, new,    from, to, at, size, tail, out, i) {
  at = index(old, "...")
  from = at ? substr(old, 1, at - 1) : old
  to = at ? substr(old, at + 3) : ""
  at = from == "" ? 1 : index(text, from)
  if (!at) fail("no " from " in the good file, expected one")
  if (from != "" && index(substr(text, at + 1), from)) fail("two of " from " in the good file, expected one")
  tail = substr(text, at + length(from))
  if (old !~ /[.][.][.]/) size = length(from)
  else if (to == "") size = length(from) + length(tail)
  else if (!index(tail, to)) fail("no " to " behind " from " in the good file, expected one")
  else size = length(from) + index(tail, to) - 1 + length(to)
  for (i = 1; i <= length(new); i++)
    out = out (substr(new, i, 1) == "&" ? substr(text, at, size) : substr(new, i, 1))
  return substr(text, 1, at - 1) out substr(text, at + size)
}
/^#/ || /^$/ { next }
/^good / {
  good = ""
  while ((getline line < (valid $2)) > 0) good = good line "\n"
  if (good == "") fail("no file " valid $2)
  next
}
/^[a-z]/ { given = $1; next }
/^  s[|]/ {
  name = given == "" ? "line_" FNR : given
  given = ""
  text = good
  n = split(substr($0, 3), parts, "|")
  if (n % 3 != 1 || parts[n] != "") fail("expected edits such as s|old|new|")
  gsub(/\\n/, "\n")
  split(substr($0, 3), parts, "|")
  for (i = 1; i < n; i += 3) text = replaced(text, parts[i + 1], parts[i + 2])
  printf "%s", text > (folder "/" name ".xml")
  close(folder "/" name ".xml")
  next
}
/^  ([a-z_]+[.]xml:)?[0-9]+: / {
  print "platforms/invalid/" ($1 ~ /xml/ ? "" : name ".xml:") substr($0, 3) > (folder "/" name ".expected")
  close(folder "/" name ".expected")
  next
}
{ fail("expected edits or a message") }
END { exit failed }' "$here/defects"
