# verify: equal on every place, by the golden tables built in; a wrong or stale line is found.
. "$(dirname "$0")/checks.bash"
expect 0 'all equal' verify --cpu
mkdir golden
expect 2 'leave the filter out' verify invert --record golden
cp "$ZEROPLANE_SOURCE"/tests/golden/*.tsv golden/
expect 0 'all equal' verify threshold --golden golden --json counts.json
python3 - <<'PY' || fail "counts"
import json
counts = json.load(open('counts.json'))
assert counts['passed'] and counts['cases'] > 0
places = {p['place']: p for p in counts['places']}
assert len(places) >= 6, places
for name, place in places.items():
    assert place['equal'] == counts['cases'], place
    assert place['views_staged'] == 0 or place['staging_allowed'], place
assert not places['simulated unified']['staging_allowed']
assert places['simulated discrete']['staging_allowed']
PY
sed -i '/^threshold\t/s/.$/x/' golden/point.tsv
expect 1 'NOT all equal' verify threshold --golden golden --cpu
cp "$ZEROPLANE_SOURCE/tests/golden/point.tsv" golden/
sed -i '/^threshold\t/d' golden/point.tsv
expect 1 'without a golden line' verify threshold --golden golden --cpu
finish
