"""Fails on text faults: final newline, trailing or invisible characters, heads, guards, list order."""
import pathlib
import re
import subprocess
import sys
import unicodedata

CODE = {".h", ".cpp", ".cu", ".cuh"}
BINARY = {".tif", ".tiff", ".png", ".jpg", ".jpeg", ".ico", ".gz"}
INCLUDE_LINE = re.compile(r'#include "[^"]+"')


def guard_of(name):
    path = re.sub(r"^(include|src|apps|tests)/", "", name)
    if name.startswith("tests/"):
        path = "tests/" + path
    word = re.sub(r"[^A-Za-z0-9]", "_", path).upper()
    return word if name.startswith("include/") else "ZP_" + word


def check_file(name, data):
    """Returns the faults of one file as 'name:line: words'."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [f"{name}:1: is not UTF-8"]
    faults = []
    lines = text.split("\n")
    if text and not text.endswith("\n"):
        faults.append(f"{name}:{len(lines)}: no newline at the end")
    if text.endswith("\n\n"):
        faults.append(f"{name}:{len(lines) - 1}: empty line at the end")
    for number, line in enumerate(lines, 1):
        if line != line.rstrip() and not name.endswith((".md", ".patch")):
            faults.append(f"{name}:{number}: space at the end of the line")
        for char in line:
            if ord(char) > 127 and unicodedata.category(char) in ("Cf", "Cc", "Co", "Zs", "Zl", "Zp"):
                faults.append(f"{name}:{number}: invisible character U+{ord(char):04X}")
            elif char == "\t" and not name.endswith(".tsv"):
                faults.append(f"{name}:{number}: tab")
    suffix = pathlib.PurePath(name).suffix
    if suffix in CODE:
        if not lines[0].startswith("// "):
            faults.append(f"{name}:1: the first line must be a sentence that says what the file holds")
        if "// SPDX-License-Identifier: Apache-2.0" not in lines[1:5]:
            faults.append(f"{name}:2: no SPDX line after the head")
    if suffix in (".h", ".cuh") and f"#ifndef {guard_of(name)}" not in lines:
        faults.append(f"{name}:3: the include guard must be {guard_of(name)}")
    if suffix == ".inc":
        listed = [line for line in lines if INCLUDE_LINE.fullmatch(line)]
        others = [line for line in lines if line and not line.startswith("//") and line not in listed]
        if not others and listed != sorted(set(listed)):
            faults.append(f"{name}:1: the include list must be sorted and free of repeats")
    return faults


def text_files(root):
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             check=False, capture_output=True)
    if listing.returncode == 0:
        names = set(listing.stdout.decode().split("\0"))
    else:  # an unpacked archive
        names = {file.relative_to(root).as_posix() for file in pathlib.Path(root).rglob("*")}
        names = {name for name in names if not re.match(r"(build|dist|\.venv|\.git)/", name) and "__pycache__" not in name}
    return [name for name in sorted(names) if name and pathlib.PurePath(name).suffix.lower() not in BINARY
            and not name.startswith("tests/data/") and (pathlib.Path(root) / name).is_file()]


if __name__ == "__main__":
    top = sys.argv[1] if len(sys.argv) > 1 else "."
    names = text_files(top)
    found = [fault for name in names for fault in check_file(name, (pathlib.Path(top) / name).read_bytes())]
    print("\n".join(found) or f"text: {len(names)} files, no fault")
    sys.exit(bool(found))
