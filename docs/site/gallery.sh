#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Write the gallery of all algorithms as Markdown: gallery.sh CELLCOLL DIR > FILE. The pictures, a small call of each algorithm
# over time, go to DIR. All text is that of `cellcoll list algorithms` and `cellcoll tune`.
set -eu

[ $# -eq 2 ] || { echo "usage: gallery.sh CELLCOLL DIR > FILE" >&2; exit 2; }
cellcoll=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
"$cellcoll" list algorithms --format=csv --columns name,collective,source,needs,parameters,has_model,idea | sed 1d > "$work/algorithms"
"$cellcoll" tune --format=csv --columns ranks,bytes,best_of_all -q | sed 1d | awk -F, '{ print $1, $2, ";" $3 ";" }' > "$work/best"

# Print the calls in which algorithm $1 is the fastest: ranks and the least and largest of the sizes.
best() {
  awk -v name="$1" 'index($3, ";" name ";") || index($3, ";" name ":") {
    if (!($1 in least)) { order[++n] = $1; least[$1] = $2 }
    most[$1] = $2
  }
  function size(bytes) { return bytes >= 1048576 ? bytes / 1048576 " MiB" : bytes >= 1024 ? bytes / 1024 " KiB" : bytes " B" }
  END { for (i = 1; i <= n; i++) {
    r = order[i]
    sizes = most[r] == 0 ? "" : ", " (least[r] == most[r] ? "" : size(least[r]) " to ") size(most[r])
    printf("%s%d ranks%s", (i == 1 ? "" : "; "), r, sizes)
  } }' "$work/best"
}

cat << 'END'
# All algorithms

Every algorithm of the catalogue, with a small call over time: 8 ranks, and 1 KiB where the collective has data. A row of a picture is a
rank. The last line has the least and the largest size in which the algorithm is the fastest, alone or together with others, among the
sizes of `cellcoll tune` on `qs20`; between the two another algorithm can be faster.
END
before=
while IFS=, read -r name collective source needs parameters model idea; do
  [ "$collective" = "$before" ] || printf '\n## %s\n' "$collective"
  before=$collective
  picture=$(echo "$name" | tr ':' '-').svg
  printf '\n### %s\n\n%s\n\n' "$name" "$idea"
  for where in '-n 8' '-n 16' '-p blades -n 32' '-p icluster2-fe -n 8'; do # the first machine that serves the algorithm
    bytes='-s 1KiB'
    [ "$collective" != barrier ] || bytes=
    # shellcheck disable=SC2086,SC2016 # options; Markdown
    if "$cellcoll" run "$name" $where $bytes -q --timeline "$out/$picture" > "$work/out" 2>&1; then
      printf '[![%s over time, one row for each rank](%s)](%s)\n\n`cellcoll run %s`\n\n' "$name" "$picture" "$picture" "$name $where${bytes:+ $bytes}"
      break
    fi
  done
  fastest=$(best "$name")
  printf -- '- source: %s\n- needs: %s\n- parameters: %s\n- published equation: %s\n- fastest on qs20: %s\n' \
    "$source" "$(echo "${needs:-nothing}" | sed 's/;/, /g')" "$(echo "${parameters:-none}" | sed 's/|/ or /g; s/;/, /g')" "$model" "${fastest:-never}"
done < "$work/algorithms"
