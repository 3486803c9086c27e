#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compile style sheets and scripts in: embed.sh FILE... > sheets.c defines for each FILE, NAME.css or NAME.js, the text sheet_NAME_css or
# sheet_NAME_js of draw/sheets.h, without the comments.
set -eu

echo '/* SPDX-License-Identifier: BSD-3-Clause'
echo ' * Style sheets and scripts; made by draw/embed.sh. Do not edit. */'
echo '#include "draw/sheets.h"'
for file in "$@"; do
  printf '\nconst char sheet_%s[] =\n' "$(basename "$file" | tr . _)"
  sed '/^\/\*/,/\*\/$/d; s/\\/\\\\/g; s/"/\\"/g; s/.*/  "&\\n"/' "$file"
  printf '  "";\n'
done
