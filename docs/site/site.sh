#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Make the documentation a static site: site.sh SOURCE BUILD VERSION DIR. Pages of docs/ and the manual pages, of SOURCE and of BUILD,
# become pages of DIR with a navigation and a search; gallery.sh makes the page of all algorithms by the program in BUILD. The first
# paragraph of pages.txt says how that list is read. Needs pandoc.
set -eu

[ $# -eq 4 ] || { echo "usage: site.sh SOURCE BUILD VERSION DIR" >&2; exit 2; }
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd) version=$3 out=$4
command -v pandoc > /dev/null || { echo "site.sh: there is no pandoc, which makes the pages; docs/ can be read as it is" >&2; exit 77; }

# Print KIND|FILE|NAME|TITLE for each page, and |||HEADING for each part.
pages() {
  while IFS='|' read -r file title; do
    case $file in
    '#'* | '') ;;
    '=') echo "||$title" ;;
    gallery) echo "$work/gallery|gallery|$title" ;;
    *.md) echo "$source/$file|$(basename "$file" .md | tr '[:upper:]' '[:lower:]' | sed 's/^readme$/index/')|$title" ;;
    man)
      echo "$source/man/cellcoll.1|cellcoll.1|cellcoll(1)"
      for page in "$build"/man/cellcoll-*.[15]; do
        name=$(basename "$page")
        echo "$page|$name|${name%.*}(${name##*.})"
      done
      ;;
    esac
  done < "$source/docs/site/pages.txt"
}

# Print the navigation as it is on page $1.
navigation() {
  inside=
  pages | {
    while IFS='|' read -r file name title; do
      if [ -z "$file" ]; then
        [ -z "$inside" ] || echo '</ul>'
        printf '<h2>%s</h2>\n<ul>\n' "$title"
        inside=1
      elif [ "$name" = "$1" ]; then
        echo "<li><a href=\"$name.html\" aria-current=\"page\">$title</a></li>"
      else
        echo "<li><a href=\"$name.html\">$title</a></li>"
      fi
    done
    echo '</ul>'
  }
}

# Print what reads text as a string of JavaScript.
quoted() {
  { cat; echo; } | tr '\n\t' '  ' | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g; s/  */ /g; s/.*/"&"/; s|</|<\\/|g'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
rm -rf "$out"
mkdir -p "$out"
sh "$source/docs/site/gallery.sh" "$build/cellcoll" "$out" > "$work/gallery"
echo 'window.searchIndex = [' > "$out/search-index.js"
cp "$source/docs/site/style.css" "$source/docs/site/search.js" "$source"/docs/*.svg "$out"
chmod u+w "$out"/*
pages | while IFS='|' read -r file name title; do
  [ -n "$file" ] || continue
  case $file in
  *.md | */gallery) format=gfm+autolink_bare_uris ;;
  *) format='man' ;;
  esac
  pandoc --from "$format" --to html5 --template "$source/docs/site/template.html" --lua-filter "$source/docs/site/links.lua" --toc --toc-depth 2 \
    -V navigation="$(navigation "$name")" -V version="$version" -M pagetitle="$title" -M page="$name" "$file" -o "$out/$name.html"
  {
    printf '["%s.html", %s, ' "$name" "$(printf '%s' "$title" | quoted)"
    sed -n 's/<h[23][^>]*>\(.*\)<\/h[23]>.*/\1/p' "$out/$name.html" | sed 's/<[^>]*>//g' | quoted
    printf ', '
    pandoc --from "$format" --to plain --wrap none "$file" | quoted
    echo '],'
  } | tr -d '\n' >> "$out/search-index.js"
done
echo '];' >> "$out/search-index.js"
