# info and ops: the model with its reason, and the table as text, JSON and Markdown.
. "$(dirname "$0")/checks.bash"
expect 0 'no_device' info
expect 0 'switched off' info
expect 0 'unified' --device simulated:unified info --json
is "$(json '["memory_model"]')" unified "model of simulated:unified"
is "$(json '["runtime"]')" simulated "runtime"
expect 0 'discrete' --device simulated:discrete --memory-model unified info --json
is "$(json '["memory_model"]')" unified "forced model"
expect 0 '' --threads 3 info --json
is "$(json '["cpu"]["threads"]')" 3 "threads"
expect 2 'no device' --device none --memory-model unified info
expect 0 '^  invert ' ops
expect 0 'limit=' ops threshold
expect 0 'flat=FILE' ops flat_field
expect 0 '' ops --json
python3 - <<'PY' || fail "ops --json"
import json
table = json.load(open('out.txt'))
names = [op['name'] for op in table]
assert len(names) == len(set(names)) >= 40, len(names)
threshold = next(op for op in table if op['name'] == 'threshold')
kind = next(p for p in threshold['parameters'] if p['name'] == 'kind')
assert 'binary_inverse' in kind['choices']
PY
expect 0 '' ops threshold --json
is "$(json '["name"]')" threshold "one operation as JSON"
expect 0 '^### threshold' ops --markdown
cmp -s out.txt "$ZEROPLANE_SOURCE/docs/operations.md" || fail "docs/operations.md is stale: ./dev docs writes it"
finish
