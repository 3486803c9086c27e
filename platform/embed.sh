#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compile platform files in: embed.sh FILE.xml... > machines.c defines platform_builtins[], and of those in a folder networks
# platform_networks[], each named as its file.
set -eu

for file in "$@"; do
  [ -f "$file" ] && [ -r "$file" ] || { echo "embed.sh: $file: not a readable file" >&2; exit 1; }
done

echo '/* SPDX-License-Identifier: BSD-3-Clause'
echo ' * The built-in platforms; made by platform/embed.sh from the XML files. Do not edit. */'
echo '#include "platform/platform.h"'

number=0
table=
networks=
for file in "$@"; do
  name=$(basename "$file" .xml)
  printf '\nstatic const unsigned char machine_%d[] = {\n' "$number"
  od -An -v -tu1 "$file" | awk '{ gsub(/[0-9]+/, "&,"); print }'
  printf '0};\n'
  # what platform_read finds in the file, so that `list platforms` reads no file; a network has no description
  text=$(sed -n 's/.*<description>\([^<>&"\\]*\)<\/description>.*/\1/p' "$file")
  case $file:$text in
  */networks/*:) ;;
  *:) echo "$0: $file: no <description> in one line of plain text" >&2 && exit 1 ;;
  esac
  row="  {\"$name\", \"$text\", (const char *)machine_$number, sizeof machine_$number - 1},
"
  case $file in
  */networks/*) networks=$networks$row ;;
  *) table=$table$row ;;
  esac
  number=$((number + 1))
done

printf '\nconst struct platform_builtin platform_builtins[] = {\n%s  {NULL, NULL, NULL, 0},\n};\n' "$table"
printf '\nconst struct platform_builtin platform_networks[] = {\n%s  {NULL, NULL, NULL, 0},\n};\n' "$networks"
