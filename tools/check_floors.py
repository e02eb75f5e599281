"""Fails when a file includes a floor above or beside its own (tools/floors.txt), or speaks CUDA where it must not."""
import pathlib
import re
import sys

SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".inc"}
CUDA_FILES = re.compile(r"src/device/runtime_cuda\.\w+|src/exec/cuda\.cuh")
CUDA_HEADER = re.compile(r"(cuda|cub/|thrust/|npp|device_launch|driver_types)")
FOREIGN_HEADER = re.compile(r"(cuda|cub/|thrust/|npp|Nv|tiff|tbb/|oneapi/|png|jpeglib|turbojpeg)")
CUDA_CALL = re.compile(r"\bcuda[A-Z]\w*\s*\(")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
INCLUDED_BY_NAME = re.compile(r'\s*#\s*define\s+\w+\s+(")([\w/]+\.(?:h|inc|cuh))"')
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
INSTALLED = ("core", "ops")


def read_floors(path):
    """Returns {folder: folders it may include} and {public header: folder}."""
    may_include, public, below = {}, {}, set()
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if "=" in line:
            header, floor = (word.strip() for word in line.split("="))
            public[header] = floor
        elif line:
            siblings = re.findall(r"(\w+)(?:\(([^)]*)\))?", line)
            for name, only in siblings:
                allowed = set(only.split()) if only else set(below)
                if not allowed <= below:
                    raise SystemExit(f"{path}: {name} may not see {sorted(allowed - below)}, which are not below it")
                may_include[name] = allowed | {name}
            below |= {name for name, _ in siblings}
    unknown = set(public.values()) - set(may_include)
    if unknown:
        raise SystemExit(f"{path}: unknown floors {sorted(unknown)}")
    return may_include, public


def own_floor(relative, public):
    """The floor of a file, or None if nobody assigned one."""
    parts = relative.parts
    if parts[0] == "include":
        return public.get("/".join(parts[1:]))
    return "apps" if parts[0] == "apps" else parts[1]


def check(root):
    may_include, public = read_floors(root / "tools/floors.txt")
    faults = []
    files = sorted(f for top in ("include", "src", "apps") for f in (root / top).rglob("*") if f.suffix in SUFFIXES)
    for file in files:
        relative = file.relative_to(root)
        name = relative.as_posix()
        is_public = relative.parts[0] == "include"
        mine = own_floor(relative, public)
        if mine not in may_include:
            faults.append(f"{name}:1: stands on no floor: assign one in tools/floors.txt")
            continue
        text = file.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            include = INCLUDE.match(line) or INCLUDED_BY_NAME.match(line)
            if not include:
                continue
            at, quote, target = f"{name}:{number}", include[1], include[2]
            folder = target.split("/")[0]
            if folder == "zeroplane":
                other = public.get(target)
                if other is None:
                    faults.append(f"{at}: {target} stands on no floor: assign one in tools/floors.txt")
                    continue
            else:
                other = folder if folder in may_include and "/" in target else None
            if other and other not in may_include[mine]:
                faults.append(f"{at}: {mine} must not include {other} ({target})")
            if is_public and FOREIGN_HEADER.match(target):
                faults.append(f"{at}: a public header must not include {target}")
            if CUDA_HEADER.match(target) and not CUDA_FILES.fullmatch(name):
                faults.append(f"{at}: CUDA headers belong to src/device/runtime_cuda.* and src/exec/cuda.cuh ({target})")
            installed = is_public or mine in INSTALLED and relative.parts[0] == "src" and file.suffix in (".h", ".inc")
            if installed and quote == '"' and folder not in ("zeroplane", *INSTALLED):
                faults.append(f"{at}: {target} is not installed, so an installed header must not include it")
        if not CUDA_FILES.fullmatch(name):
            code = COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), text)
            for number, line in enumerate(code.splitlines(), 1):
                for call in CUDA_CALL.findall(line):
                    faults.append(f"{name}:{number}: {call.rstrip('( ')} belongs to src/device/runtime_cuda.* and "
                                  "src/exec/cuda.cuh")
    return faults, len(files)


if __name__ == "__main__":
    found, count = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(found) or f"floors: {count} files, no wrong include")
    sys.exit(bool(found))
