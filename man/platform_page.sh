#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the manual page of platform files: platform_page.sh SOURCE VERSION FOLDER > cellcoll-platform.5, where FOLDER is that of the
# installed platforms. Parameters come from platform/platform.def, and what it includes, values from platform/qs20.xml.
set -eu

[ $# -eq 3 ] || { echo "usage: platform_page.sh SOURCE VERSION FOLDER > cellcoll-platform.5" >&2; exit 2; }
source=$1 version=$2 folder=$3

# Print all rows of the tables, `SPDX` comments and the like included, each behind R, and the lines of qs20, each behind X.
rows() {
  sed 's/^/X/' "$source/platform/qs20.xml"
  sed -e "/^#include.*combine.def/r $source/platform/combine.def" -e "/^#include.*cluster.def/r $source/platform/cluster.def" \
    "$source/platform/platform.def" | sed 's/^/R/'
}

rows | awk -v version="$version" -v folder="$folder" -v head="$source/man/cellcoll-platform.5.in" '
  # Return TEXT as roff: a hyphen that is typed is no dash.
  function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/&amp;/, "\\&", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    return text
  }
  # Return the value of attribute NAME in LINE of an XML file.
  function attribute(line, name) {
    return match(line, " " name "=\"[^\"]*\"") ? substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
  }
  # Return the bounds MIN and MAX of a value of KIND.
  function bounds(kind, min, max) {
    return kind == "TEXT" || kind == "PATH" ? "text of " min " to " max " characters" : (kind == "COUNT" ? "whole number, " : "number, ") min " to " max
  }
  # Return the paragraph of KEY; LAST is its last sentence.
  function paragraph(key, unit, range, doc, last) {
    return ".TP\n.BR " roff(key) " \" (" roff(unit) "; " roff(range) ")\"\n" roff(toupper(substr(doc, 1, 1)) substr(doc, 2)) ".\n" last "\n"
  }
  # Return the sentence on the value of KEY on qs20.
  function usual(key) {
    if (!(key in value)) { print "platform_page.sh: qs20.xml has no " key > "/dev/stderr"; failed = 1; exit 1 }
    return "On qs20: " roff(value[key]) " (" roff(source_of[key]) ")."
  }
  # Add a paragraph to those of the group of KEY.
  function add(key, text,   group) {
    group = key
    sub(/[.].*/, "", group)
    if (!(group in groups)) { groups[group] = ""; order[++ngroups] = group }
    groups[group] = groups[group] text
  }

  /^X *<profile name=/ && profile == "" { profile = attribute($0, "name") }
  /^X *<profile name=/ { inside = attribute($0, "name") == profile ? "profile" : "other" }
  /^X *<[a-z]+>$/ { inside = $1 == "X" ? $2 : $1; gsub(/[X<>]/, "", inside) }
  /^X *<[a-z0-9-]+ value=/ {
    key = $0
    sub(/^X *</, "", key)
    sub(/ .*/, "", key)
    key = inside "." key
    value[key] = attribute($0, "value")
    source_of[key] = attribute($0, "source")
  }

  /^RPLATFORM_(PARAM|OPTIONAL|MORE)\(/ {
    split($0, text, "\"")
    split(text[3], kind, /[, ]+/)
    split(text[5], bound, /[, ]+/)
    add(text[2], paragraph(text[2], text[4], bounds(kind[2], bound[2], bound[3]), text[6], \
      /^RPLATFORM_(OPTIONAL|MORE)/ ? "Default: " roff(text[8]) "." : usual(text[2])))
  }
  /^RCOMBINATION\(/ {
    split($0, text, "\"")
    split(text[1], word, /[(, ]+/)
    key = "combine." word[3] "-" word[5]
    add(key, paragraph(key, "SPU cycles", bounds("REAL", 0, 100000), "combine 16 bytes of " word[3] " into " text[2], usual(key)))
  }
  /^RPROFILE_FIELD\(/ {
    split($0, text, "\"")
    split(text[1], word, /[(, ]+/)
    split(text[3], bound, /[, ]+/)
    fields = fields paragraph(word[2], text[2], bounds("REAL", bound[2], bound[3]), text[4], usual("profile." word[2]))
  }

  END {
    if (failed) exit 1
    while ((getline line < head) > 0) {
      gsub(/@VERSION@/, version, line)
      gsub(/@PLATFORMS@/, roff(folder), line)
      gsub(/@PROFILE@/, roff(profile), line)
      if (line == "@PARAMETERS@") for (i = 1; i <= ngroups; i++) printf ".SS %s\n%s", order[i], groups[order[i]]
      else if (line == "@FIELDS@") printf "%s", fields
      else print line
    }
  }'
