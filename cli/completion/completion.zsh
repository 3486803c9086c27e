
_cellcoll() {
  local current=${words[CURRENT]} part found rest
  local -a before
  before=("${(@)words[2,CURRENT-1]}")
  part=$current
  [[ $part != --*=* ]] || part=${part#*=}
  part=${part##*,}
  if [[ $current == -* && $current != *=* ]]; then
    local -a explained
    found=$(emulate sh; _cellcoll_candidates "$current" "${before[@]}")
    if [[ $found == --* ]]; then
      local _cellcoll_list
      _cellcoll_options "${before[1]}"
      explained=("${(@f)_cellcoll_list}")
      explained=("${(@)explained:#}")
      _describe option explained
      return
    fi
  fi
  rest=$(emulate sh; _cellcoll_candidates "$current" "${before[@]}")
  local -a candidates
  candidates=("${(@f)rest}")
  compset -P '--*=' || :
  compset -P '*,' || :
  (( ! ${candidates[(I)@files]} )) || _files
  candidates=("${(@)candidates:#@files}")
  local -a keys
  keys=("${(@M)candidates:#*=}")
  candidates=("${(@)candidates:#*=}")
  compadd -a candidates
  compadd -S '' -a keys
}

_cellcoll "$@"
