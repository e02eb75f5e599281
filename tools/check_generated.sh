# Compares docs/operations.md with what the command says of itself; with --write, writes it instead.
# Usage: check_generated.sh [--write] COMMAND
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
page=docs/operations.md
write=no
if [ "${1:-}" = --write ]; then
  write=yes
  shift
fi
command=${1:?the path of the zeroplane command}
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
ZEROPLANE_DEVICE=none "$command" ops --markdown > "$fresh"
if [ "$write" = yes ]; then
  cp "$fresh" "$page"
elif ! diff -u "$page" "$fresh" | head -n 40 || ! cmp -s "$page" "$fresh"; then
  echo "$page is stale: ./dev docs writes it"
  exit 1
fi
