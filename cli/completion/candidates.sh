
# Print the words of $1, one a line, names of lists replaced by what is in them; @files stands for files.
_cellcoll_resolve() {
  local word
  for word in $1; do
    case $word in
    @algorithms) printf '%s\n' $_cellcoll_collectives $_cellcoll_algorithms ;;
    @collectives) printf '%s\n' $_cellcoll_collectives ;;
    @benchmarks) printf '%s\n' $_cellcoll_benchmarks ;;
    @commands) printf '%s\n' $_cellcoll_commands words ;;
    @platforms) printf '%s\n' $_cellcoll_platforms @files ;;
    @keys) printf '%s=\n' $_cellcoll_keys ;;
    *) echo "$word" ;;
    esac
  done
}

# Print what can stand behind the words $2..., which follow the name of the program, if it begins with $1. Of `--option=value`
# and of lists with commas only the last part counts.
_cellcoll_candidates() {
  local current=$1 command= previous= word arguments=0 _cellcoll_words= _cellcoll_optional=
  shift
  for word; do
    case $word in
    -*) ;;
    *)
      if [ -z "$command" ]; then
        command=$word
      elif ! _cellcoll_values "$previous" || [ -n "$_cellcoll_optional" ]; then
        arguments=$((arguments + 1))
      fi
      ;;
    esac
    previous=$word
  done
  if [ -z "$command" ]; then
    printf '%s\n' $_cellcoll_commands --help --version
    return
  fi
  case $current in
  --*=*)
    _cellcoll_values "${current%%=*}" && _cellcoll_resolve "$_cellcoll_words"
    return
    ;;
  esac
  if _cellcoll_values "$previous" && [ -z "$_cellcoll_optional" ]; then
    _cellcoll_resolve "$_cellcoll_words"
    return
  fi
  case $current in
  -*)
    _cellcoll_options "$command"
    printf '%s\n' "$_cellcoll_list" | sed '/./!d; s/:.*//'
    return
    ;;
  esac
  word=$(_cellcoll_arguments "$command")
  case $word/$arguments in
  @first*/0) word=${word#@first} word=${word%/0} ;;
  @first*)
    case $command in
    list) word=@algorithms ;;
    platform) word=@platforms ;;
    *) word=@files ;;
    esac
    ;;
  esac
  _cellcoll_resolve "$word"
}
