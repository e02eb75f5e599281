# What the peer tests share: running the command on an array, pictures to run it on, and the record of each comparison.
import atexit
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import tifffile

zeroplane = os.environ["ZEROPLANE"]
source = pathlib.Path(os.environ["ZEROPLANE_SOURCE"])
samples = pathlib.Path(os.environ.get("ZEROPLANE_SAMPLES", source / "../shared/samples"))
folder = pathlib.Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, folder, ignore_errors=True)
records = []


def write(name, image):
    """An array (height x width, or x channels) as a TIFF in the test's own folder; gives the path."""
    photometric = "rgb" if image.ndim == 3 and image.shape[2] >= 3 else "minisblack"
    # "planarconfig" says that a last axis of 2 is channels, not pages.
    extra = {"planarconfig": "contig"} if image.ndim == 3 else {}
    tifffile.imwrite(folder / name, image, photometric=photometric, **extra)
    return str(folder / name)


def command(*arguments):
    done = subprocess.run([zeroplane, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr}")
    return done.stdout


def run(image, *steps):
    """The image after the steps."""
    return run_values(image, *steps)[0]


def run_values(image, *steps):
    """The image after the steps, and the values that the steps printed, by step."""
    out = folder / "out.tif"
    printed = command("run", write("in.tif", image), out, *steps)
    return tifffile.imread(out), json.loads(printed) if printed.strip() else {}


def stats(image, *steps):
    """What `zeroplane stats` prints."""
    return json.loads(command("stats", write("in.tif", image), *steps))


def agrees(operation, peer, what, ours, theirs, tolerance=0.0, reason=""):
    """Compares two arrays; a tolerance above 0 needs its reason, in one line for docs/agreement.md."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.shape == theirs.shape:
        a, b = ours.astype(np.float64), theirs.astype(np.float64)
        equal = (a == b) | (np.isnan(a) & np.isnan(b))
        with np.errstate(invalid="ignore"):
            largest = float(np.where(equal, 0, np.abs(a - b)).max(initial=0))
    else:
        largest = float("inf")
        what += f" (shapes {ours.shape} and {theirs.shape})"
    passed = largest <= tolerance and (tolerance == 0 or bool(reason))
    records.append({"operation": operation, "peer": peer, "what": what, "largest": largest, "allowed": tolerance,
                    "reason": reason, "passed": passed})
    print(f"{'agrees ' if passed else 'FAILED '}{operation}, {peer}, {what}: largest difference {largest:g}, allowed {tolerance:g}"
          + ("" if tolerance == 0 or reason else "; a tolerance without a reason"))


def pictures(channels=1, formats=("u8", "u16", "f32"), real=True):
    """(name, array): noise over ramps in several formats, and sample files where they are; for the page in two sizes."""
    random = np.random.default_rng(7)
    for height, width in ((97, 131), (240, 320)) if os.environ.get("ZEROPLANE_AGREEMENT") else ((97, 131),):
        shape = (height, width) if channels == 1 else (height, width, channels)
        ramp = np.add.outer(np.arange(height) * 3, np.arange(width)) % 256
        ramp = ramp if channels == 1 else np.stack([np.roll(ramp, 40 * c, 1) for c in range(channels)], -1)
        noise = random.integers(0, 256, shape)
        picture = np.where(random.random(shape) < 0.3, noise, ramp).astype(np.uint8)
        if "u8" in formats:
            yield f"u8 {width}x{height}", picture
        if "u16" in formats:
            yield f"u16 {width}x{height}", random.integers(0, 65536, shape).astype(np.uint16)
        if "f32" in formats:
            yield f"f32 {width}x{height}", (picture / np.float32(255)).astype(np.float32)
    if not real:
        return
    if not samples.is_dir():
        print(f"sample files: skipped, no folder {samples}")
    elif channels == 1:
        if "u8" in formats:
            yield "u8 cells", tifffile.imread(samples / "microscopy/human_D03f00d0.tif")
        if "u16" in formats:
            yield "u16 nuclei", tifffile.imread(samples / "microscopy/nuclei_u16_512.tif")


def finish():
    """Ends the test; with ZEROPLANE_AGREEMENT the comparisons are kept there for docs/agreement.md."""
    keep = os.environ.get("ZEROPLANE_AGREEMENT")
    if keep:
        name = pathlib.Path(sys.argv[0]).stem + ".json"
        (pathlib.Path(keep) / name).write_text(json.dumps(records, indent=1))
    failed = sum(not r["passed"] for r in records)
    print(f"{len(records)} comparisons, {failed} failed")
    sys.exit(failed > 0 or not records)
