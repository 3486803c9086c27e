#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the manual page of a command: command_page.sh SOURCE VERSION COMMAND > cellcoll-COMMAND.1. Its text is that of the command in
# cellcoll.1; name, arguments, options and examples come from commands.def, options.def and examples.def, columns of run from outcome.def, events of its
# traces from probe.def; an option that cellcoll.1 explains is explained as there.
set -eu

[ $# -eq 3 ] || { echo "usage: command_page.sh SOURCE VERSION COMMAND > cellcoll-COMMAND.1" >&2; exit 2; }
version=$2 command=$3
cd "$1"
# shellcheck source=SCRIPTDIR/../cli/completion/lists.sh
. cli/completion/lists.sh
date=$(sed -n 's/^[.]TH CELLCOLL 1 \([^ ]*\) .*/\1/p' man/cellcoll.1)

# Print the events of traces, a line each: EVENT|word|columns from a on|meaning|meanings of columns. The meaning is the comment before the
# row; that of a column, `NAME: MEANING~`, stands behind the field, or in lines of its own before the field. RESET (BARE) is in no trace.
events() {
  sed '1,/^\/[*] --- events/d; /^#undef/d; s|[^ ] *\(/[*]\)|&BEHIND|; s|^  *\(/[*]\)|\1BEFORE|; s/^ *[*] / /' sim/hw/watch/probe.def | tr -s ' \n' ' ' | awk '
  # The next column is NAME, explained by the comment `early` if there is one.
  function add(name) {
    gsub(/_/, " ", name)
    column = tolower(name)
    list = list (list == "" ? "" : ", ") column
    if (early != "") notes = notes column ": " early "~"
  }
  # Print the events since the last call; BODY has the fields of the last one, which are those of all.
  function say(body,   i, part, text) {
    list = notes = column = early = ""
    while (match(body, /\/[*][^*]*[*]\/|[A-Z]+\([^()]*\)|COMMAND_WORD/)) {
      part = text = substr(body, RSTART, RLENGTH)
      body = substr(body, RSTART + RLENGTH)
      if (part ~ /^\/[*]/) {
        gsub(/^\/[*](BEHIND|BEFORE)? | [*]\/$/, "", text)
        gsub(/PROBE_NOBODY|nobody/, "empty", text)
        if (part ~ /^\/[*]BEFORE/) early = text
        if (part ~ /^\/[*]BEHIND/ && column != "") notes = notes column ": " text "~"
        continue
      }
      gsub(/^.*[(., ]|\)/, "", text)
      if (part ~ /^(FIELD|INNER|WHO|SERVER|CAUSE|REASON|SUBJECT|TEXT|WAITING|COMMAND_WORD)/) add(text)
      else {
        early = ""
        if (part ~ /^(DMA|PIECE)/) add("tag")
        if (part ~ /^ATOMIC/) { add("command word"); add("ls"); add("ea") }
        column = "" # a comment behind is about something else
      }
      early = ""
    }
    for (i = 0; i < n; i++) print "EVENT|" word[i] "|" list "|" meaning[i] "|" notes
    n = 0
  }
  {
    while (match($0, /\/[*][^*]*[*]\/ (EVENT|ALSO)\([A-Z_]+, "[a-z-]+"/)) {
      before = substr($0, 1, RSTART)
      split(substr($0, RSTART, RLENGTH), part, "\"")
      $0 = substr($0, RSTART + RLENGTH)
      if (!also) say(before)
      also = part[1] ~ / ALSO[(]/
      word[n] = part[2]
      sub(/ [*]\/.*/, "", part[1])
      meaning[n++] = substr(part[1], 4)
    }
    say($0)
  }'
}

# Print what the lists say, a line each: its kind, then fields that are separated by `|`; a `|` of the lists is `^`.
rows() {
  sed -n "/^COMMAND($command,/,/)\$/p" cli/commands.def | tr -d '\n' | tr '|' '^' | awk -F'"' '{ print "COMMAND|" $2 "|" $4 }'
  options | own "$command" | while IFS='|' read -r letter word _ argument meaning set; do
    if takes "$command" "$set"; then
      echo "OPTION|$letter|$word|$argument|$(echo "$meaning" | tr '|' '^')"
    fi
  done
  [ "$command" != run ] || sed -n 's/^COLUMN(\([a-z_]*\), [A-Z_0]*, "\([^"]*\)".*/COLUMN|\1|\2/p' validate/lab/call/outcome.def
  [ "$command" != run ] || sed -nE 's/^(FIELD|PART)\([A-Z_]+, ([a-z_]*), [A-Z_]+, "([^"]*)".*/COLUMN|\2|\3/p' validate/lab/call/call.def
  [ "$command" != run ] || events
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
  $1 == "EVENT" {
    events = events ".TP\n.IR " roff($2) ($3 == "" ? "" : " \" (" roff($3) ")\"") "\n" roff(toupper(substr($4, 1, 1)) substr($4, 2)) ".\n"
    n = split(roff($5), notes, "~")
    for (i = 1; i < n; i++) {
      column = substr(notes[i], 1, index(notes[i], ":") - 1)
      events = events ".br\n.IR \"" column "\" :\n" substr(notes[i], length(column) + 3) "\n"
    }
  }
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
    if (events != "") printf ".SH EVENTS\nAll events of traces as csv; behind each its columns from a on, in their order.\nThere\n.I tag\nis the tag of a DMA command,\n.I by\na cause,\n.I ls\nan address in the local store,\n.I ea\nan effective address,\n.I at\na cycle of the clock of a program.\n%s", events
    printf ".SH EXAMPLES\n%s", examples
    print ".SH EXIT STATUS\nSee\n.BR cellcoll (1)."
    print ".SH SEE ALSO\n.BR cellcoll (1),\n.BR cellcoll\\-platform (5)"
  }'
