
_cellcoll() {
  local text=${COMP_LINE:0:COMP_POINT} words current= before part candidate file
  read -ra words <<< "$text"
  words=("${words[@]:1}")
  if [[ $text != *[[:blank:]] ]]; then
    current=${words[${#words[@]} - 1]}
    words=("${words[@]:0:${#words[@]}-1}")
  fi
  part=$current
  [[ $part != --*=* ]] || part=${part#*=}
  part=${part##*,}
  # readline replaces only what is behind the last of its breaks.
  before=$current
  while [[ -n $before && ($before != *[:=] || $COMP_WORDBREAKS != *"${before: -1}"*) ]]; do
    before=${before%?}
  done
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == @files ]]; then
      while IFS= read -r file; do
        candidate=${current%"$part"}$file
        COMPREPLY+=("${candidate#"$before"}")
      done < <(compgen -f -- "$part")
    elif [[ $candidate == "$part"* ]]; then
      candidate=${current%"$part"}$candidate
      COMPREPLY+=("${candidate#"$before"}")
    fi
  done < <(_cellcoll_candidates "$current" "${words[@]}")
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2> /dev/null
}

complete -o filenames -F _cellcoll cellcoll
