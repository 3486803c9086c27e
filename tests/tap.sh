# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The beginning of test scripts: $CELLCOLL, an absolute path; $work, an empty folder that is removed at the end; $results, a store of results that
# several tests ask for, which `make check` keeps as long as the program stays the same; $progress, which makes sed delete the lines of progress that
# a slow machine gets every 30 s; reports in TAP.
#
# usage: . "$(dirname "$0")/../tap.sh", and as the last line: echo "1..$number"
: "${CELLCOLL:=build/cellcoll}"
case $CELLCOLL in /*) ;; *) CELLCOLL=$(pwd)/$CELLCOLL ;; esac
work=$(mktemp -d)
results=${CELLCOLL_RESULTS:-$work/results}
progress='/^cellcoll: [0-9]*\/[0-9]* (.* left$/d'
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# Whoever runs this may have another language, another shell, which script(1) starts, and nothing or too much to read.
export LC_ALL=C.UTF-8 SHELL=/bin/sh
exec < /dev/null
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

# --- programs that run beside the script: what is waited for can be seen from outside

# Wait until command $1... is true, two minutes at most.
wait_until() {
  tries=0
  until "$@" 2> /dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 12000 ] || { echo "# waited in vain: $*"; return 1; }
    sleep 0.01
  done
}

# Print the processes that process $1 has started.
children() {
  cat "/proc/$1/task/$1/children"
}

# Tell whether process $1 has $2 workers.
has_workers() {
  [ "$(children "$1" | wc -w)" -eq "$2" ]
}

# Tell whether process $1 has taken $2 hundredths of a second of processor time, or without $2 a third of a second.
has_worked() {
  [ "$(sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 12)" -ge "${2-33}" ]
}

# Tell whether of the workers of process $1 only the one with a long experiment is left: while it has worked for a third of a
# second of processor time, the process has started all workers and has come to wait for them.
has_one_worker_left() {
  # shellcheck disable=SC2046 # a list of processes
  set -- "$1" $(children "$1")
  [ $# -eq 2 ] && grep -q ') S ' "/proc/$1/stat" && has_worked "$2"
}
