#!/bin/bash
# Checks the style that docs/contributing.md describes, without a build:
#
#   * a comment under the license of each .c, .cpp and .cl file says what the file is;
#   * no function is longer than 80 lines, no file longer than 800, no kernel file than 400;
#   * no file has an expression of tests/style/words, unless tests/style/exceptions allows it;
#   * a script that names its interpreter can be run;
#   * .c files are as gst-indent formats them, except those of tests/style/unindented.
#
#   tests/style.sh                    checks all files
#   tests/style.sh --indent FILE...   formats these files (no FILE: those of unindented)
set -u
cd "${MGPU_STYLE_ROOT:-$(dirname "$0")/..}" || exit 1
lists=tests/style
status=0

# files PATTERN...: prints the names of the project's files, one on each line.
files () {
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@"
  else
    # A release has no repository. The globs of git match in all folders, as the patterns of -path
    # do.
    local pattern
    for pattern in "$@"; do
      find . -path './build*' -prune -o -path "./$pattern" -type f -print
    done | sed 's|^\./||'
  fi | sort -u | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

# complain TEXT...: reads findings, one on each line, and prints them under TEXT if there are any.
complain () {
  local found
  found=$(cat)
  [ -z "$found" ] && return
  printf '%s:\n%s\n' "$*" "$(sed 's/^/  /' <<< "$found")"
  status=1
}

# --- Head lines and lengths ---

heads () {
  files '*.c' '*.cpp' '*.cl' | xargs -d '\n' awk '
    FNR == 1 { state = "licence" }
    state == "licence" { if (/\*\/$/) state = "head"; next }
    state == "head" && NF {
      if (! /^\/\*/ || /^\/\* *(\*\/)?$/) print FILENAME
      state = "done"
    }'
}

functions () {
  files '*.c' '*.cpp' '*.cl' '*.h' | xargs -d '\n' awk '
    FNR == 1 { begin = 0 }
    /^\{/ { begin = FNR }
    /^}/ {
      if (begin && /^}$/ && FNR - begin + 1 > 80)
        print FILENAME ":" begin ": " FNR - begin + 1 " lines"
      begin = 0
    }'
}

lengths () {
  files '*.c' '*.cpp' '*.cl' '*.h' '*.py' '*.sh' | xargs -d '\n' awk '
    function end () {
      if (n > (name ~ /^kernels\// ? 400 : 800)) print name ": " n " lines"
    }
    FNR == 1 { end () ; name = FILENAME }
    { n = FNR }
    END { end () }'
}

scripts () {
  files '*.py' '*.sh' | while read -r file; do
    [ -x "$file" ] || [ "$(head -c 2 "$file")" != '#!' ] || echo "$file: chmod +x"
  done
}

# --- Words ---

# Each line of tests/style/words has: an extended regular expression, a tab, and what to write
# instead. Each line of tests/style/exceptions has: the beginning of a path as a regular
# expression, a tab, and the expression that is allowed there, or * for all.
words () {
  local expression instead
  files '*.[ch]' '*.cl' '*.cpp' '*.py' '*.sh' '*.md' '*.build' > "$list"
  while IFS=$'\t' read -r expression instead; do
    case $expression in ''|'#'*) continue;; esac
    expression=$expression awk -F '\t' '!/^#/ && ($2 == ENVIRON["expression"] || $2 == "*") {
      print "^" $1 }' $lists/exceptions > "$list.new"
    xargs -d '\n' grep -nHE -e "$expression" < "$list" | grep -vEf "$list.new" | cut -c 1-150 |
      sed "s|^|write ${instead//|/\\|}: |"
  done < $lists/words
}

# --- gst-indent ---

# gst_indent FILE OUT: formats FILE with the command that GStreamer's script gst-indent runs. Each
# version of GNU indent formats pointers in its own way; 2.2.12 is the version of Debian 12.
gst_indent () {
  indent --braces-on-if-line --case-brace-indentation0 --case-indentation2 \
    --braces-after-struct-decl-line --line-length80 --no-tabs --cuddle-else \
    --dont-line-up-parentheses --continuation-indentation4 --honour-newlines --tab-size8 \
    --indent-level2 --leave-preprocessor-space "$1" -o "$2" 2>/dev/null
}

has_indent () {
  [ "$(indent --version 2>/dev/null)" = 'GNU indent 2.2.12' ]
}

# indent_file FILE: formats the file until nothing changes any more, which takes two rounds for a
# few files.
indent_file () {
  local i
  for i in 1 2 3 4; do
    gst_indent "$1" "$list.out" || return 1
    cmp -s "$1" "$list.out" && return 0
    cat "$list.out" > "$1"
  done
  echo "$1 differs each time it is formatted"
  return 1
}

is_unindented () {
  grep -qxF "$1" $lists/unindented
}

indentation () {
  local file
  files '*.c' | while read -r file; do
    if ! gst_indent "$file" "$list.out"; then
      echo "$file: indent failed"
    elif cmp -s "$file" "$list.out"; then
      ! is_unindented "$file" || echo "$file: is formatted now, remove it from $lists/unindented"
    elif ! is_unindented "$file"; then
      echo "$file:$(cmp "$file" "$list.out" | sed 's/.* //'): run tests/style.sh --indent $file"
    fi
  done
  while read -r file; do
    [ -f "$file" ] || echo "$file: is gone, remove it from $lists/unindented"
  done < $lists/unindented
}

list=$(mktemp)
trap 'rm -f "$list" "$list.new" "$list.out"' EXIT

if [ "${1:-}" = --indent ]; then
  shift
  has_indent || { echo 'needs GNU indent 2.2.12, which Debian 12 has' >&2; exit 1; }
  [ $# -gt 0 ] || mapfile -t names < $lists/unindented
  for file in "$@" "${names[@]}"; do
    indent_file "$file" || { status=1; continue; }
    grep -vxF "$file" $lists/unindented > "$list.new"
    cat "$list.new" > $lists/unindented
  done
  exit $status
fi

complain 'These files do not say under the licence what they are' < <(heads)
complain 'These functions are longer than 80 lines' < <(functions)
complain 'These files are too long' < <(lengths)
complain 'These scripts cannot be run' < <(scripts)
complain "These expressions are in $lists/words" < <(words)
if has_indent; then
  complain 'These files are not as gst-indent formats them' < <(indentation)
else
  echo 'not run: gst-indent, which needs GNU indent 2.2.12 of Debian 12'
fi
exit $status
