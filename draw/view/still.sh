#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Take the variables out of a style sheet, since some viewers of SVG do not know variables: still.sh FILE.css prints the rules for
# svg.machine with the values of the light screen, then with the values of the dark one.
set -eu

awk '
  /^:root|^@media/ { dark = /^@media/ }
  /--[a-zA-Z]+: #/ {
    line = $0
    while (match(line, /--[a-zA-Z]+: #[0-9a-f]+/)) {
      split(substr(line, RSTART, RLENGTH), pair, ": ")
      value[dark, pair[1]] = pair[2]
      line = substr(line, RSTART + RLENGTH)
    }
  }
  /^svg[.]machine/ { rules = rules $0 "\n" }
  function print_with(dark, text, name) {
    text = rules
    while (match(text, /var\(--[a-zA-Z]+\)/)) {
      name = substr(text, RSTART + 4, RLENGTH - 5)
      text = substr(text, 1, RSTART - 1) value[dark, name] substr(text, RSTART + RLENGTH)
    }
    printf "%s", text
  }
  END { print_with(0); print "@media (prefers-color-scheme: dark) {"; print_with(1); print "}" }' "$1"
