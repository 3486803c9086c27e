#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the completion of command lines for a shell: words.sh SOURCE bash|zsh > FILE. What can be typed comes from the lists
# that the program is made from: commands.def, options.def, catalogue.def, benches.def, platform.def, the platforms. Below them
# goes what is done with them: candidates.sh, and completion.bash or completion.zsh.
set -eu

[ $# -eq 2 ] || { echo "usage: words.sh SOURCE bash|zsh > FILE" >&2; exit 2; }
cd "$1"
shell=$2

# shellcheck source=SCRIPTDIR/lists.sh
. cli/completion/lists.sh

# --- names

# Print the words of lists, one a line, as one line.
line() {
  tr '\n' ' ' | sed 's/ *$//'
}

# Print the names that the rows ROW(prefix_name) of file $2 stand for, where $1 is a pattern for `ROW(prefix_`.
names() {
  sed -n "s/^$1\\([a-z0-9_]*\\)).*/\\1/p" "$2" | tr _ -
}

algorithms() {
  sed -n 's/^ALGO(\([a-z]*\)_\([a-z0-9_]*\)).*/\1:\2/p' algos/catalogue.def | tr _ -
}

platforms() {
  for file in platform/*.xml; do
    basename "$file" .xml
  done
}

keys() {
  sed -n 's/^PLATFORM_[A-Z]*([^"]*"\([a-z0-9.-]*\)".*/\1/p' platform/platform.def platform/cluster.def
  sed -n 's/^COMBINATION([A-Z0-9]*, \([a-z0-9]*\), [A-Z]*, \([a-z]*\),.*/combine.\1-\2/p' platform/combine.def
}

# Print what the argument of option WORD of KIND, described as ARGUMENT, can be: @platforms, @keys, @files or words.
values() {
  case $1 in
  platform) echo '@platforms' ;;
  set) echo '@keys' ;;
  op) sed -n 's/^COMBINE_OP([A-Z]*, \([a-z]*\)).*/\1/p' platform/combine.def | line ;;
  type) sed -n 's/^COMBINE_TYPE([A-Z0-9]*, \([a-z0-9]*\),.*/\1/p' platform/combine.def | line ;;
  profile) { sed -n 's/^ *<profile name="\([^"]*\)".*/\1/p' platform/*.xml | sort -u; echo source; } | line ;;
  *)
    case $2 in
    *FILE* | *PATH*) echo '@files' ;;
    *) echo "$2" | tr -d '[]=' | tr '^' '\n' | grep -xE '[a-z][a-z-]*' | line ;;
    esac
    ;;
  esac
}

# --- the file

[ "$shell" != zsh ] || echo '#compdef cellcoll'
echo "# SPDX-License-Identifier: BSD-3-Clause"
echo "# Made by cli/completion/words.sh from the lists of the program. Do not edit."
echo "_cellcoll_commands='$(echo "$commands" | line)'"
echo "_cellcoll_algorithms='$(algorithms | line)'"
echo "_cellcoll_collectives='$(algorithms | sed 's/:.*//' | uniq | line)'"
echo "_cellcoll_benchmarks='$(names 'BENCH(bench_' validate/bench/benches.def | line)'"
echo "_cellcoll_platforms='$(platforms | line)'"
echo "_cellcoll_keys='$(keys | line)'"

# What a command takes besides options: the first word, or each word.
echo "_cellcoll_arguments() {"
echo "  case \$1 in"
sed -n 's/^COMMAND(\([a-z]*\), "\([^"]*\)",.*/\1 \2/p' cli/commands.def | while read -r command arguments; do
  case $arguments in
  [a-z]*ALGORITHM*) echo "  $command) echo '@first $(echo "$arguments" | sed 's/ [^|]*//' | tr '|' ' ')' ;;" ;;
  *ALGORITHM*) echo "  $command) echo '@algorithms' ;;" ;;
  *COLLECTIVE*) echo "  $command) echo '@collectives' ;;" ;;
  *COMMAND*) echo "  $command) echo '@commands' ;;" ;;
  NAME...*) echo "  $command) echo '@benchmarks all' ;;" ;;
  *FILE*) echo "  $command) echo '@first $(echo "$arguments" | sed 's/ .*//' | tr '|' ' ')' ;;" ;;
  [a-z]*) echo "  $command) echo '$(echo "$arguments" | tr '|' ' ')' ;;" ;;
  esac
done
echo "  esac"
echo "}"

echo "_cellcoll_values() {"
echo "  case \$1 in"
options | while IFS='|' read -r letter word _ argument meaning set; do
  [ "$argument" != NULL ] || continue
  short=
  [ "$letter" = 0 ] || short=" | -$letter"
  echo "  --$word$short) _cellcoll_words='$(values "$word" "$argument")' _cellcoll_optional=$(case $argument in \[*) echo 1 ;; esac) ;;"
done
echo "  *) return 1 ;;"
echo "  esac"
echo "}"

# Options of each command and what they do; arguments of optional ones can only follow a '='.
echo "_cellcoll_options() {"
echo "  case \$1 in"
for command in $commands; do
  echo "  $command) _cellcoll_list='"
  options | own "$command" | while IFS='|' read -r letter word _ argument meaning set; do
    takes "$command" "$set" || continue
    meaning=$(echo "$meaning" | sed "s/'//g")
    echo "--$word:$meaning"
  done
  echo "' ;;"
done
echo "  *) _cellcoll_list= ;;"
echo "  esac"
echo "}"

cat cli/completion/candidates.sh "cli/completion/completion.$shell"
