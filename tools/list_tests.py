"""Prints the tests of a build folder that can run elsewhere: name, program or script, labels, separated by tabs."""
import json
import pathlib
import subprocess
import sys

build = sys.argv[1]
listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True).stdout
for test in json.loads(listing)["tests"]:
    properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
    labels = properties.get("LABELS", [])
    command = test.get("command", [])
    name = test["name"]
    if name.startswith("cli."):
        print(name, f"bash tests/cli/{pathlib.Path(command[-1]).name}", ",".join(labels), sep="\t")
    elif len(command) == 1 and name.endswith("_test"):
        print(name, pathlib.Path(command[0]).name, ",".join(labels), sep="\t")
