#!/usr/bin/env bash
# Runs a packed folder on a GPU machine: ./run [quick|all|bench [ARGS]]. quick (default): info, verify and every test
# program, each of which uses the GPU that it finds; all: the slow ones as well.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export ZEROPLANE_SOURCE=$here ZEROPLANE=$here/bin/zeroplane
what=${1:-quick}

newest() { grep -aoE 'GLIBCXX_3\.4\.[0-9]+' "$1" 2>/dev/null | sort -V | tail -n 1; }
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
system=$(ldconfig -p 2>/dev/null | awk '/libstdc\+\+\.so\.6 .*(x86-64|AArch64)/ {print $NF; exit}')
packed=$(newest "$here/lib/compiler/libstdc++.so.6")
if [ "$(printf '%s\n' "$packed" "$(newest "${system:-/none}")" | sort -V | tail -n 1)" = "$packed" ]; then
  LD_LIBRARY_PATH=$here/lib/compiler:$LD_LIBRARY_PATH
fi

if [ "$what" = bench ]; then
  shift
  exec "$ZEROPLANE" bench "$@"
fi

passed=0 failed=0 skipped=0 failures=()
check() {
  local name=$1 code start=$SECONDS
  shift
  "$@" > "$log" 2>&1
  code=$?
  case $code in
    0) passed=$((passed + 1)); echo "passed   $name ($((SECONDS - start)) s)" ;;
    77) skipped=$((skipped + 1)); echo "skipped  $name: $(sed -n 's/^skipped: //p' "$log" | tail -n 1)" ;;
    *)
      failed=$((failed + 1)); failures+=("$name")
      echo "FAILED   $name (exit code $code)"
      grep -E 'Failure|FAILED|rror' "$log" | head -n 40
      tail -n 15 "$log"
      ;;
  esac
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

command -v nvidia-smi > /dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
if [ -x "$ZEROPLANE" ]; then
  "$ZEROPLANE" info
  check verify "$ZEROPLANE" verify
fi
while IFS=$'\t' read -r name program labels; do
  if [ "$what" = all ] || [[ ",$labels," != *,slow,* ]]; then
    case $program in
      bash\ *) check "$name" bash "$here/${program#bash }" ;;
      *) check "$name" "$here/bin/$program" ;;
    esac
  fi
done < "$here/tests.txt"
[ ${#failures[@]} -eq 0 ] || echo "failed: ${failures[*]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
