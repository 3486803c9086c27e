# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The beginning of test scripts: $CELLCOLL, an absolute path; $work, an empty folder that is removed at the end; reports in TAP.
#
# usage: . "$(dirname "$0")/../tap.sh", and as the last line: echo "1..$number"
: "${CELLCOLL:=build/cellcoll}"
case $CELLCOLL in /*) ;; *) CELLCOLL=$(pwd)/$CELLCOLL ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
number=0

# Report test $1; the test passes if $2, the description of a defect, is empty.
report() {
  number=$((number + 1))
  if [ -z "$2" ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    echo "$2" | head -n 40 | sed 's/^/# /'
  fi
}

# Print the files $*, the description of a defect; of empty files that they are empty, so that the defect is not told by nothing.
show() {
  cat "$@"
  [ "$(cat "$@" | wc -c)" -gt 0 ] || echo "nothing in $*"
}

# Report that test $1 is left out, for the reason $2.
skip() {
  number=$((number + 1))
  echo "ok $number - $1 # SKIP $2"
}

# Report that the program refuses the arguments $3...: exit code $1, nothing on standard output, and one message, which contains $2.
refused() {
  report "refused: $(echo "$*" | sed "s|$work/||g")" "$(
    code=0 expected=$1 text=$2
    shift 2
    timeout 300 "$CELLCOLL" "$@" > "$work/printed" 2> "$work/message" || code=$?
    [ "$code" -eq "$expected" ] && [ ! -s "$work/printed" ] && [ "$(wc -l < "$work/message")" -eq 1 ] && grep -qF -e "$text" "$work/message" || {
      echo "exit code $code, expected $expected and one message with: $text"
      cat "$work/printed" "$work/message"
    })"
}

# Report test $1; the test passes if the rest, a command, succeeds.
attempt() {
  name=$1
  shift
  if "$@" > "$work/attempt" 2>&1; then
    report "$name" ''
  else
    report "$name" "$(cat "$work/attempt"; echo "exit code of: $*")"
  fi
}
