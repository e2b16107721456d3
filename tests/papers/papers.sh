#!/bin/bash
# Compares the pages in docs/papers with those that are written from the figures in docs/papers.
#
#   papers.sh BENCH_PAPERS PAGES OUTPUT    PAGES: docs/papers; OUTPUT: a folder for the pages
#                                          that the program writes
set -eu
merge=()
for file in "$2"/*.tsv; do
  merge+=(--merge "$file")
done
rm -rf "$3"
"$1" --pages --output "$3" "${merge[@]}"
diff -r --exclude='*.tsv' --exclude='*.png' "$3" "$2"
