# Every known fault of other libraries, A1 to A25, has a test here that is named after it (CaseA7... or case_a19_...).
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
found = set()
for file in (root / "tests").rglob("*_test.c*"):
    found |= {int(n) for n in re.findall(r"^(?:TEST\w*|INSTANTIATE\w*)\([^)]*?CaseA(\d+)", file.read_text(), re.M)}
found |= {int(m[1]) for file in (root / "tests/cli").glob("*.sh") if (m := re.match(r"case_a(\d+)_", file.name))}
missing = sorted(set(range(1, 26)) - found)
print(f"cases: {len(found)} of 25 have a test" + (f", missing A{', A'.join(map(str, missing))}" if missing else ""))
sys.exit(bool(missing))
