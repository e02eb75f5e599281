# Compares the operations on stacks with numpy and SciPy, on synthetic stacks and the sample stack of 31 pages.
import pathlib
import sys

import numpy as np
import scipy.ndimage as ndimage
import tifffile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers

once = "one rounding of f32 from double"


def run_stack(slices, step):
    """Slices (an array whose first axis counts them) as the pages of one file, through the step."""
    colour = slices.ndim == 4
    tifffile.imwrite(peers.folder / "stack.tif", slices, photometric="rgb" if colour else "minisblack",
                     **({"planarconfig": "contig"} if colour else {}))
    out = peers.folder / "flat.tif"
    peers.command("run", peers.folder / "stack.tif", out, step)
    return tifffile.imread(out)


def contrast(slice_, method):
    """Squared contrast in f32, summed over channels; the image reflected about its edge pixels."""
    planes = slice_[..., None] if slice_.ndim == 2 else slice_
    total = np.zeros(planes.shape[:2], np.float32)
    for c in range(planes.shape[2]):
        p = np.pad(planes[..., c].astype(np.float32), 1, mode="reflect")
        a, b, d = p[:-2], p[1:-1], p[2:]
        left, middle, right = slice(0, -2), slice(1, -1), slice(2, None)
        if method == "laplacian":
            v = ((b[:, left] + b[:, right]) + (a[:, middle] + d[:, middle])) - 4 * b[:, middle]
            total = total + v * v
        else:
            x = ((a[:, right] - a[:, left]) + 2 * (b[:, right] - b[:, left])) + (d[:, right] - d[:, left])
            y = ((d[:, left] - a[:, left]) + 2 * (d[:, middle] - a[:, middle])) + (d[:, right] - a[:, right])
            total = total + (x * x + y * y)
    return total


def energy(slice_, radius, method):
    """Sums over the square, rows first, in f32 and in the order that the operation documents."""
    p = np.pad(contrast(slice_, method), radius, mode="reflect")
    height, width = slice_.shape[:2]
    rows = p[:, :width]
    for d in range(1, 2 * radius + 1):
        rows = rows + p[:, d:d + width]
    total = rows[:height]
    for d in range(1, 2 * radius + 1):
        total = total + rows[d:d + height]
    return total


def depth(slices, radius, method, consistency):
    found = np.argmax([energy(s, radius, method) for s in slices], axis=0).astype(np.uint16)
    return ndimage.median_filter(found, 2 * consistency + 1, mode="nearest") if consistency else found


def stacks():
    random = np.random.default_rng(5)
    for count, shape in ((3, (61, 83)), (21, (40, 57)), (5, (37, 45, 3))):
        name = f"{count} slices of {shape[1]}x{shape[0]}" + (" RGB" if len(shape) == 3 else "")
        size = (count,) + shape
        yield "u8, " + name, random.integers(0, 256, size).astype(np.uint8)
        yield "u16, " + name, random.integers(0, 65536, size).astype(np.uint16)
        yield "f32, " + name, random.random(size, np.float32)
    sample = peers.samples / "microscopy/stack31_u16_57x61.tif"
    if sample.is_file():
        yield "u16, 31 pages of a microscope", tifffile.imread(sample)
    else:
        print(f"sample stack: skipped, no file {sample}")


for name, slices in stacks():
    wide = slices.astype(np.float64)
    whole = slices.dtype != np.float32
    mean = wide.mean(0)
    peers.agrees("project", "numpy max", name, run_stack(slices, "project"), slices.max(0))
    peers.agrees("project", "numpy min", name, run_stack(slices, "project:kind=min"), slices.min(0))
    peers.agrees("project", "numpy mean", name, run_stack(slices, "project:kind=mean"),
                 np.rint(mean) if whole else mean.astype(np.float32))
    peers.agrees("project", "numpy mean", f"f32, {name}", run_stack(slices, "project:kind=mean,format=f32"),
                 mean.astype(np.float32))
    peers.agrees("project", "numpy sum", name, run_stack(slices, "project:kind=sum"), wide.sum(0).astype(np.float32))
    # The deviation of integers comes from whole sums, numpy's from differences in double.
    exact = wide.std(0).astype(np.float32)
    peers.agrees("project", "numpy std", name, run_stack(slices, "project:kind=deviation"), exact,
                 float(np.spacing(exact.max())) if whole else 0, once if whole else "")
    for radius, method, consistency in ((4, "laplacian", 1), (2, "tenengrad", 2), (0, "laplacian", 0)):
        options = f"radius={radius},method={method},consistency={consistency}"
        expected = depth(slices, radius, method, consistency)
        peers.agrees("focus_stack", "numpy argmax, SciPy median_filter", f"depth, {options}, {name}",
                     run_stack(slices, f"focus_stack:{options},output=depth"), expected)
        index = expected[None] if slices.ndim == 3 else expected[None, ..., None]
        peers.agrees("focus_stack", "numpy take_along_axis", f"image, {options}, {name}",
                     run_stack(slices, f"focus_stack:{options}"), np.take_along_axis(slices, index, 0)[0])

peers.finish()
