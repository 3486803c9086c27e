# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The beginning of tests of pages in a real browser: $browser, or the test is skipped. What the browser says goes to $work/messages, what a
# script on a page writes down to $work/found.
#
# usage: . "$(dirname "$0")/../browser.sh", behind tests/tap.sh
: "${work:?tests/tap.sh has to come first}"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo '1..0 # SKIP there is no browser (Debian: apt-get install chromium; about 400 MB, so quickstart does without)'; exit 0; }

# Print the page at address $1, as its scripts have left it after the other arguments, options of the browser.
browse() {
  address=$1
  shift
  timeout 300 "$browser" --headless --no-sandbox --disable-gpu --allow-file-access-from-files --user-data-dir="$work/profile" "$@" \
    --dump-dom "$address" 2> "$work/messages"
}

# Report test $1: what was found has a line that matches $2.
sees() {
  report "$1" "$(grep -qxE "$2" "$work/found" || { show "$work/found"; grep -v ':ERROR:' "$work/messages" | tail -n 5; })"
}

# Report that axe-core finds nothing on page $1, on which all details are open, with the other arguments, options of the browser.
accessible() {
  if [ -z "${CELLCOLL_FULL-}" ] || [ ! -r "${AXE_CORE-}" ]; then
    skip "$(basename "$1")" 'accessibility is checked by make check-full where AXE_CORE names axe.min.js (npm: axe-core)'
    return
  fi
  cp "$AXE_CORE" "$(dirname "$1")/axe.min.js"
  cat > "$work/check.html" << 'END'
<script src="axe.min.js"></script>
<script>
document.querySelectorAll("details").forEach(e => { e.open = true; });
axe.run(document).then(found => {
  const lines = found.violations.map(each => "violation: " + each.id + " at " + each.nodes[0].target);
  document.body.textContent = ["", ...lines, "passes " + found.passes.length, ""].join("\n");
});
</script>
END
  sed "/<\/body>/{
r $work/check.html
}" "$1" > "$1.checked.html"
  checked=$1
  shift
  browse "file://$checked.checked.html" --virtual-time-budget=200000 "$@" | grep -E '^(violation: |passes )' > "$work/found" || :
  report "$(basename "$checked") $*: axe-core finds no violation" \
    "$(grep -q '^passes [1-9]' "$work/found" && ! grep '^violation' "$work/found" || show "$work/found")"
}
