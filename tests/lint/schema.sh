#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lint: the schema is the one that platform.def gives, and every valid platform file obeys it. Exit 77 when xmllint is
# missing.
set -eu

srcdir=${srcdir:-.}
status=0

if ! sh "$srcdir/platform/schema.sh" "$srcdir/platform/platform.def" | cmp -s - "$srcdir/platform/platform.rng"; then
  echo "platform/platform.rng is out of date: platform/schema.sh platform/platform.def > platform/platform.rng" >&2
  status=1
fi

command -v xmllint > /dev/null || { [ $status -ne 0 ] || status=77; exit $status; }

for file in "$srcdir"/platform/*.xml "$srcdir"/tests/platforms/valid/*.xml; do
  xmllint --nonet --noout --relaxng "$srcdir/platform/platform.rng" "$file" 2> /dev/null || {
    xmllint --nonet --noout --relaxng "$srcdir/platform/platform.rng" "$file" >&2 || :
    status=1
  }
done
exit $status
