# What the scripts of this folder share: a folder of their own, and checks that say what went wrong.
set -uo pipefail
: "${ZEROPLANE:?the path of the zeroplane command}"
unset ZEROPLANE_DEVICE ZEROPLANE_MEMORY_MODEL ZEROPLANE_EXECUTOR
export ZEROPLANE_DEVICE=none
folder=$(mktemp -d)
trap 'cd / && rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# expect CODE WORDS ARGUMENTS...: the command ends with CODE, and prints WORDS (an extended expression) somewhere.
expect() {
  local code=$1 words=$2 found=0
  shift 2
  "$ZEROPLANE" "$@" > out.txt 2> err.txt || found=$?
  [ "$found" = "$code" ] || { fail "exit $found, expected $code: zeroplane $*"; cat err.txt; }
  [ -z "$words" ] || grep -Eq -- "$words" out.txt err.txt || { fail "'$words' is not in what zeroplane $* said:"; cat out.txt err.txt; }
  [ "$code" = 0 ] || [ "$(grep -c . err.txt)" -ge 1 ] || grep -q . out.txt || fail "no message: zeroplane $*"
}

# The value at a path of keys in the JSON of out.txt: json '["mean"]["mean"][0]'
json() { python3 -c "import json; print(json.load(open('out.txt'))$1)"; }
is() { [ "$1" = "$2" ] || fail "$3: '$1', expected '$2'"; }
absent() { [ ! -e "$1" ] || fail "$1 was left behind"; }
finish() {
  [ "$failures" = 0 ] || { echo "$failures checks failed"; exit 1; }
  exit 0
}
