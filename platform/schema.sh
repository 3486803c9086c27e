#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the RELAX NG schema of platform files: schema.sh platform.def > platform.rng. The reader does not use it; it is
# for editors and for a second opinion in the tests.
set -eu

[ $# -eq 1 ] || { echo "usage: schema.sh platform.def > platform.rng" >&2; exit 2; }

awk -F'"' '
function say(depth, text) { printf "%" 2 * depth "s%s\n", "", text }

# One bound of a data type.
function bound(depth, name, value) { say(depth, "<param name=\"" name "\">" value "</param>") }

# The element of one value.
function leaf(depth, name, kind, unit, min, max, doc) {
  say(depth, "<element name=\"" name "\">")
  say(depth + 1, "<a:documentation>" doc "</a:documentation>")
  say(depth + 1, "<attribute name=\"value\">")
  say(depth + 2, "<data type=\"" (kind == "REAL" ? "double" : kind == "COUNT" ? "nonNegativeInteger" : "token") "\">")
  if (kind == "COUNT") bound(depth + 3, "pattern", "[0-9]+")
  if (kind == "TEXT") bound(depth + 3, "pattern", "[A-Za-z0-9 _.+\\-]*")
  bound(depth + 3, kind == "TEXT" ? "minLength" : "minInclusive", min)
  bound(depth + 3, kind == "TEXT" ? "maxLength" : "maxInclusive", max)
  say(depth + 2, "</data>")
  say(depth + 1, "</attribute>")
  say(depth + 1, "<attribute name=\"unit\"><value>" unit "</value></attribute>")
  say(depth + 1, "<ref name=\"source\"/>")
  say(depth, "</element>")
}

function close_group() { if (group != "") { say(4, "</interleave>"); say(3, "</element>") } }

BEGIN {
  say(0, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
  say(0, "<!-- SPDX-License-Identifier: BSD-3-Clause")
  say(0, "     What a platform file looks like; made by platform/schema.sh from platform.def. Do not edit. -->")
  say(0, "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\"")
  say(0, "         xmlns:a=\"http://relaxng.org/ns/compatibility/annotations/1.0\"")
  say(0, "         datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\">")
  say(0, "<define name=\"source\">")
  say(1, "<attribute name=\"source\"><data type=\"token\"><param name=\"minLength\">1</param></data></attribute>")
  say(0, "</define>")
  say(0, "<define name=\"name\">")
  say(1, "<attribute name=\"name\">")
  say(2, "<data type=\"token\"><param name=\"pattern\">[A-Za-z0-9_\\-]{1,40}</param></data>")
  say(1, "</attribute>")
  say(0, "</define>")
  say(0, "<start>")
  say(1, "<element name=\"platform\">")
  say(2, "<ref name=\"name\"/>")
  say(2, "<interleave>")
  say(3, "<element name=\"description\">")
  say(4, "<data type=\"token\"><param name=\"pattern\">[^,\"]+</param></data>")
  say(3, "</element>")
}

/^PLATFORM_PARAM\(/ {
  split($1, first, /[(, ]+/)
  split($3, bounds, /[, ]+/)
  if (first[2] != group) {
    close_group()
    group = first[2]
    say(3, "<element name=\"" group "\">")
    say(4, "<interleave>")
  }
  gsub(/_/, "-", first[3])
  leaf(5, first[3], first[4], $2, bounds[2], bounds[3], $4)
}

/^PROFILE_FIELD\(/ {
  split($1, first, /[(, ]+/)
  profile[++fields] = first[2]
  min[fields] = first[3]
  max[fields] = first[4]
  doc[fields] = $2
}

END {
  close_group()
  say(3, "<element name=\"profiles\">")
  say(4, "<oneOrMore>")
  say(5, "<element name=\"profile\">")
  say(6, "<ref name=\"name\"/>")
  say(6, "<ref name=\"source\"/>")
  say(6, "<interleave>")
  for (i = 1; i <= fields; i++) leaf(7, profile[i], "REAL", "SPU cycles", min[i], max[i], doc[i])
  say(6, "</interleave>")
  say(5, "</element>")
  say(4, "</oneOrMore>")
  say(3, "</element>")
  say(2, "</interleave>")
  say(1, "</element>")
  say(0, "</start>")
  say(0, "</grammar>")
}' "$1"
