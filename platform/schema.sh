#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the RELAX NG schema of platform files: schema.sh platform.def > platform.rng. The reader does not use it; it is
# for editors and for a second opinion in the tests.
set -eu

[ $# -eq 1 ] || { echo "usage: schema.sh platform.def > platform.rng" >&2; exit 2; }

# combine.def and cluster.def stand where platform.def includes them.
sed -e "/^#include.*combine.def/r $(dirname "$1")/combine.def" -e "/^#include.*cluster.def/r $(dirname "$1")/cluster.def" "$1" | awk -F'"' '
function say(depth, text) { printf "%" 2 * depth "s%s\n", "", text }

# One bound of a data type.
function bound(depth, name, value) { say(depth, "<param name=\"" name "\">" value "</param>") }

# The element of one value.
function leaf(depth, name, kind, unit, min, max, doc) {
  say(depth, "<element name=\"" name "\">")
  say(depth + 1, "<a:documentation>" doc "</a:documentation>")
  say(depth + 1, "<attribute name=\"value\">")
  say(depth + 2, "<data type=\"" (kind ~ /REAL|CYCLES/ ? "double" : kind == "COUNT" ? "nonNegativeInteger" : "token") "\">")
  if (kind == "COUNT") bound(depth + 3, "pattern", "[0-9]+")
  if (kind == "TEXT") bound(depth + 3, "pattern", "[A-Za-z0-9 _.+\\-]*")
  if (kind == "PATH") bound(depth + 3, "pattern", "[A-Za-z0-9 _.+\\-/]*")
  if (kind == "NAMES") bound(depth + 3, "pattern", "[A-Za-z0-9 _.+\\-/:{}*\047]*")
  bound(depth + 3, kind ~ /TEXT|PATH|NAMES/ ? "minLength" : "minInclusive", min)
  bound(depth + 3, kind ~ /TEXT|PATH|NAMES/ ? "maxLength" : "maxInclusive", max)
  say(depth + 2, "</data>")
  say(depth + 1, "</attribute>")
  # Without a base the reader wants both.
  say(depth + 1, "<optional><attribute name=\"unit\"><value>" unit "</value></attribute></optional>")
  say(depth + 1, "<optional><ref name=\"source\"/></optional>")
  if (kind !~ /TEXT|PATH|NAMES/) say(depth + 1, "<optional><ref name=\"interval\"/></optional>")
  say(depth, "</element>")
}

# The pattern called name that means one value.
function define(name, element, kind, unit, min, max, doc) {
  say(0, "<define name=\"" name "\">")
  leaf(1, element, kind, unit, min, max, doc)
  say(0, "</define>")
}

# Note that the group called name has a member called key.
function add(name, key,   g) {
  for (g = 1; g <= groups && group[g] != name; g++);
  if (g > groups) group[groups = g] = name
  member[g, ++members[g]] = key
}

# A platform that says everything, or one that has a base and says what differs.
function platform(has_base,   g, i) {
  say(2, "<element name=\"platform\">")
  say(3, "<ref name=\"name\"/>")
  if (has_base) say(3, "<attribute name=\"base\"><data type=\"token\"><param name=\"minLength\">1</param></data></attribute>")
  say(3, "<interleave>")
  say(4, has_base ? "<optional><ref name=\"description\"/></optional>" : "<ref name=\"description\"/>")
  for (g = 1; g <= groups; g++) {
    if (has_base || !needed[group[g]]) say(4, "<optional>")
    say(4, "<element name=\"" group[g] "\">")
    say(5, "<interleave>")
    for (i = 1; i <= members[g]; i++) {
      reference = "<ref name=\"" member[g, i] "\"/>"
      say(6, has_base || optional[member[g, i]] ? "<optional>" reference "</optional>" : reference)
    }
    say(5, "</interleave>")
    say(4, "</element>")
    if (has_base || !needed[group[g]]) say(4, "</optional>")
  }
  say(4, has_base ? "<optional><ref name=\"profiles\"/></optional>" : "<ref name=\"profiles\"/>")
  say(3, "</interleave>")
  say(2, "</element>")
}

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
  say(0, "<define name=\"interval\">")
  say(1, "<attribute name=\"least\"><data type=\"double\"/></attribute>")
  say(1, "<attribute name=\"most\"><data type=\"double\"/></attribute>")
  say(0, "</define>")
  say(0, "<define name=\"name\">")
  say(1, "<attribute name=\"name\">")
  say(2, "<data type=\"token\"><param name=\"pattern\">[A-Za-z0-9_\\-]{1,40}</param></data>")
  say(1, "</attribute>")
  say(0, "</define>")
  say(0, "<define name=\"description\">")
  say(1, "<element name=\"description\">")
  say(2, "<data type=\"token\"><param name=\"minLength\">1</param></data>")
  say(1, "</element>")
  say(0, "</define>")
}

/^PLATFORM_(PARAM|OPTIONAL|MORE)\(/ {
  split($1, first, /[(, ]+/)
  split($2, key, /[.]/)
  split($3, kind, /[, ]+/)
  split($5, bounds, /[, ]+/)
  add(first[2], $2)
  if (/^PLATFORM_PARAM/) needed[first[2]] = 1
  if (!/^PLATFORM_PARAM/ || $2 == "software.comparison") optional[$2] = 1 # that one: the first profile
  define($2, key[2], kind[2], $4, bounds[2], bounds[3], $6)
}

/^COMBINATION\(/ {
  split($1, word, /[(, ]+/)
  add("combine", "combine." word[3] "-" word[5])
  needed["combine"] = 1
  define("combine." word[3] "-" word[5], word[3] "-" word[5], "REAL", "SPU cycles", 0, 100000, "combine 16 bytes of " word[3] " into " $2)
}

/^PROFILE_FIELD\(/ {
  split($1, first, /[(, ]+/)
  split($3, bounds, /[, ]+/)
  field[++fields] = first[2]
  define("profile." first[2], first[2], "REAL", $2, bounds[2], bounds[3], $4)
}

END {
  say(0, "<define name=\"profiles\">")
  say(1, "<element name=\"profiles\">")
  say(2, "<oneOrMore>")
  say(3, "<element name=\"profile\">")
  say(4, "<ref name=\"name\"/>")
  say(4, "<ref name=\"source\"/>")
  say(4, "<interleave>")
  for (i = 1; i <= fields; i++) say(5, "<ref name=\"profile." field[i] "\"/>")
  say(4, "</interleave>")
  say(3, "</element>")
  say(2, "</oneOrMore>")
  say(1, "</element>")
  say(0, "</define>")
  say(0, "<start>")
  say(1, "<choice>")
  platform(0)
  platform(1)
  say(1, "</choice>")
  say(0, "</start>")
  say(0, "</grammar>")
}'
