#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compile the texts found by searches in: embed.sh NAME.sched... > found.c defines texts_found[], each named as its file.
set -eu

echo '/* SPDX-License-Identifier: BSD-3-Clause'
echo ' * Texts found by searches; made by algos/found/embed.sh from the files. Do not edit. */'
echo '#include "algos/schedule/text.h"'
echo
echo 'const struct text_found texts_found[] = {'
for file in "$@"; do
  printf '  {"%s",\n' "$(basename "$file" .sched)"
  sed 's/["\\]/\\&/g; s/.*/   "&\\n"/' "$file"
  echo '  },'
done
echo '  {NULL, NULL},'
echo '};'
