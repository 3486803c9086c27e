# SPDX-License-Identifier: BSD-3-Clause
# The lists commands.def and options.def for shell scripts: to be read by `.` in the folder of the source.

# --- who takes which option: the sets of opts.h are arithmetic, and the shell does arithmetic

number=0
commands=$(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' cli/commands.def)
for name in $commands; do
  eval "FOR_$name=$((1 << number))"
  number=$((number + 1))
done
# Set FOR_ALL, FOR_TABLES and the like, as opts.h does.
# shellcheck disable=SC2034 # the sets name it
COMMAND_COUNT=$number
for set in $(tr -d ' \n' < cli/opts.h | grep -oE 'FOR_[A-Z]+=[^,}]*' | sed 's|/[*].*||'); do
  eval "${set%%=*}=\$((${set#*=}))"
done

# Print the rows of options.def, with those of call.def where options.def includes them.
option_rows() {
  sed -n '/^#include/,$d; /^OPTION(/,/)$/p' cli/options.def
  sed -n '/^FIELD(/,/)$/p' validate/lab/call/call.def | tr -d '\n' | sed 's/)FIELD/)\nFIELD/g; s/$/\n/' |
    sed -E 's/^FIELD\(([A-Z_]+), ([a-z_]+), ([A-Z_]+), "[^"]*", */OPTION(\1, 0, "\2", \3, call.\2, /'
  sed -n '/^#include/,$p' cli/options.def | sed -n '/^OPTION(/,/)$/p'
}

# Print LETTER|WORD|KIND|ARGUMENT|MEANING|SET for each option; no letter is 0, no argument is NULL.
options() {
  option_rows | awk '
    { row = row $0 }
    /\)$/ {
      n = split(row, text, "\"")
      split(text[1], first, /[, ]+/)
      split(text[3], kind, /[, ]+/)
      argument = kind[4] == "NULL" ? "NULL" : text[4]
      letter = first[2]
      gsub(/\047/, "", letter)
      set = text[n]
      gsub(/^,|\)$| /, "", set)
      gsub(/[|]/, "^", argument)
      print letter "|" text[2] "|" kind[2] "|" argument "|" text[n - 1] "|" set
      row = ""
    }'
}

# Of the notes {COMMAND, ...: TEXT} of options on standard input leave only those for command $1.
own() {
  sed -E "s/[{]([a-z]+, )*$1(, [a-z]+)*: ([^}]*)[}]/ ($1: \\3)/; s/[{][^}]*[}]//g"
}

# Succeed if command $1 takes the options of set $2.
takes() {
  eval "[ \$(((\$FOR_$1 & ($2)) != 0)) = 1 ]"
}
