#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the manual page of a command: command_page.sh SOURCE VERSION COMMAND > cellcoll-COMMAND.1. Its text is that of the command in
# cellcoll.1; name, arguments, options and examples come from commands.def, options.def and examples.def, columns of run from outcome.def; an
# option that cellcoll.1 explains is explained as there.
set -eu

[ $# -eq 3 ] || { echo "usage: command_page.sh SOURCE VERSION COMMAND > cellcoll-COMMAND.1" >&2; exit 2; }
version=$2 command=$3
cd "$1"
# shellcheck source=SCRIPTDIR/../cli/completion/lists.sh
. cli/completion/lists.sh
date=$(sed -n 's/^[.]TH CELLCOLL 1 \([^ ]*\) .*/\1/p' man/cellcoll.1)

# Print what the lists say, a line each: its kind, then fields that are separated by `|`; a `|` of the lists is `^`.
rows() {
  sed -n "/^COMMAND($command,/,/)\$/p" cli/commands.def | tr -d '\n' | tr '|' '^' | awk -F'"' '{ print "COMMAND|" $2 "|" $4 }'
  options | while IFS='|' read -r letter word _ argument meaning set; do
    if takes "$command" "$set"; then
      echo "OPTION|$letter|$word|$argument|$(echo "$meaning" | tr '|' '^')"
    fi
  done
  [ "$command" != run ] || sed -n 's/^COLUMN(\([a-z_]*\), [A-Z_]*, "\([^"]*\)".*/COLUMN|\1|\2/p' validate/lab/outcome.def
  sed -n "s/^EXAMPLE($command, \"\(.*\)\", \"\(.*\)\")\$/\1|\2/p" cli/examples.def | sed 's/^/EXAMPLE|/'
}

rows | awk -F'|' -v version="$version" -v command="$command" -v date="$date" -v page=man/cellcoll.1 '
  # Return TEXT as roff: a hyphen that is typed is no dash, an apostrophe no accent.
  function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/\^/, "|", text)
    gsub(/\047/, "\\(aq", text)
    return text
  }
  # Return the long option that TAG, the line behind a .TP, explains; @FILE is like one.
  function option_of(tag) {
    gsub(/\\-/, "-", tag)
    if (tag ~ /^[.]BI @ FILE/) return "@FILE"
    return match(tag, /--[a-z-]+/) ? substr(tag, RSTART + 2, RLENGTH - 2) : ""
  }
  # Read cellcoll.1: text, that of the command; tag[] and explained[], those of options.
  function read_page(   line, section, option, here, first) {
    while ((getline line < page) > 0) {
      if (line ~ /^[.]SH /) { section = substr(line, 5); here = 0; option = ""; continue }
      if (line == ".TP" && (section == "COMMANDS" || section == "OPTIONS")) {
        first = line
        if ((getline line < page) <= 0) break
        if (section == "COMMANDS") {
          here = line ~ "^[.]B[A-Z]* \"?" command "( |$)"
          if (here && line ~ "^[.]B[A-Z]* \"?" command " [a-z]") text = text first "\n" line "\n"
        } else {
          option = option_of(line)
          tag[option] = line
        }
        continue
      }
      if (here && line !~ /^[.]RS$|^[.]RE$/ || here && inside) text = text (line == ".IP" && text !~ /^[.]TP/ ? ".PP" : line) "\n"
      if (here && line ~ /^[.]nf$/) inside = 1
      if (here && line ~ /^[.]fi$/) inside = 0
      if (option != "") explained[option] = explained[option] line "\n"
    }
  }
  # Print option WORD with its LETTER, its ARGUMENT and its MEANING in the lists.
  function print_option(letter, word, argument, meaning) {
    print ".TP"
    if (word in tag && explained[word] !~ /(see\n[.]BR? [a-z]|With\n[^\n]*\nsee there)/) {
      printf "%s\n%s", tag[word], explained[word]
      return
    }
    print ".B " (letter == "0" ? "" : "\\-" letter ", ") "\\-\\-" roff(word) \
      (argument == "NULL" ? "" : (argument ~ /^\[/ ? "" : " ") "\\fI" roff(argument) "\\fP")
    print roff(meaning ~ /^[a-z]+ --/ ? meaning : toupper(substr(meaning, 1, 1)) substr(meaning, 2)) "."
  }

  $1 == "COMMAND" { arguments = $2; purpose = $3 }
  $1 == "OPTION" { nopts++; letter[nopts] = $2; word[nopts] = $3; argument[nopts] = $4; meaning[nopts] = $5 }
  $1 == "COLUMN" { columns = columns ".TP\n.I " $2 "\n" roff(toupper(substr($3, 1, 1)) substr($3, 2)) ".\n" }
  $1 == "EXAMPLE" { examples = examples ".TP\n.B cellcoll " roff($2) "\n" roff(toupper(substr($3, 1, 1)) substr($3, 2)) "\n" }

  END {
    read_page()
    if (text == "") { print "command_page.sh: cellcoll.1 has no " command > "/dev/stderr"; exit 1 }
    print ".\\\" SPDX-License-Identifier: BSD-3-Clause"
    print ".\\\" Made by man/command_page.sh. Do not edit."
    print ".TH CELLCOLL\\-" toupper(command) " 1 " date " \"cellcoll " version "\" \"User Commands\""
    print ".SH NAME\ncellcoll\\-" command " \\- " roff(purpose)
    print ".SH SYNOPSIS\n.B cellcoll " command "\n.RI [ OPTION ...]" (arguments == "" ? "" : "\n.I " roff(arguments))
    printf ".SH DESCRIPTION\n%s", text
    print ".SH OPTIONS"
    for (i = 1; i <= nopts; i++) print_option(letter[i], word[i], argument[i], meaning[i])
    printf ".TP\n%s\n%s", tag["@FILE"], explained["@FILE"]
    if (columns != "") printf ".SH COLUMNS\nAll columns of csv, in their order; text leaves out the columns of options that are not given.\n%s", columns
    printf ".SH EXAMPLES\n%s", examples
    print ".SH EXIT STATUS\nSee\n.BR cellcoll (1)."
    print ".SH SEE ALSO\n.BR cellcoll (1),\n.BR cellcoll\\-platform (5)"
  }'
