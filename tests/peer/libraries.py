# Compares operations with OpenCV, SciPy and scikit-image on synthetic and sample pictures; exact where the definitions agree.
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import scipy.ndimage as ndimage
import skimage.filters
import tifffile

zeroplane = os.environ["ZEROPLANE"]
source = pathlib.Path(os.environ["ZEROPLANE_SOURCE"])
samples = pathlib.Path(os.environ.get("ZEROPLANE_SAMPLES", source / "../shared/samples"))
folder = pathlib.Path(tempfile.mkdtemp())
failures = 0


def run(image, *steps):
    """The image after the steps, and what the steps printed."""
    tifffile.imwrite(folder / "in.tif", image, photometric="minisblack" if image.ndim == 2 else "rgb")
    done = subprocess.run([zeroplane, "run", folder / "in.tif", folder / "out.tif", *steps], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{steps}: {done.stderr}")
    return tifffile.imread(folder / "out.tif"), json.loads(done.stdout) if done.stdout.strip() else {}


def same(what, ours, theirs, tolerance=0.0):
    global failures
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    largest = np.abs(ours - theirs).max() if ours.shape == theirs.shape else np.inf
    bad = not largest <= tolerance
    failures += bad
    print(f"{'FAILED ' if bad else 'agrees '}{what}: largest difference {largest:g}, allowed {tolerance:g}")


def otsu(image):
    """The smallest threshold of largest between-class variance (Otsu 1979)."""
    counts = np.bincount(image.ravel()).astype(np.longdouble)
    below, total = np.cumsum(counts), counts.sum()
    moment = np.cumsum(counts * np.arange(counts.size))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (moment * total - below * moment[-1]) ** 2 / (below * (total - below))
    return int(np.nanargmax(np.where(below < total, variance, -1)))


def pictures():
    random = np.random.default_rng(7)
    for height, width in ((97, 131), (240, 320)):
        ramp = np.add.outer(np.arange(height) * 3, np.arange(width)) % 256
        yield f"u8 {width}x{height}", np.where(random.random((height, width)) < 0.3, random.integers(0, 256, (height, width)), ramp).astype(np.uint8)
        yield f"u16 {width}x{height}", random.integers(0, 65536, (height, width)).astype(np.uint16)
    if samples.is_dir():
        yield "u8 cells", tifffile.imread(samples / "microscopy/human_D03f00d0.tif")
        yield "u16 nuclei", tifffile.imread(samples / "microscopy/nuclei_u16_512.tif")
    else:
        print(f"sample files: skipped, no folder {samples}")


for name, image in pictures():
    top = np.iinfo(image.dtype).max
    real = image.astype(np.float32) / top
    box = np.ones((3, 3), np.uint8)
    same(f"median radius 1, {name}", run(image, "median")[0], cv2.medianBlur(image, 3))
    same(f"median radius 2, {name}", run(image, "median:radius=2")[0], cv2.medianBlur(image, 5))
    same(f"median radius 4, {name}", run(image, "median:radius=4")[0], ndimage.median_filter(image, 9, mode="nearest"))
    same(f"erode, {name}", run(image, "erode:element=box,radius=1")[0], cv2.erode(image, box))
    same(f"dilate radius 7, {name}", run(image, "dilate:element=box,radius=7")[0], cv2.dilate(image, np.ones((15, 15), np.uint8)))
    same(f"flip, {name}", run(image, "flip")[0], image[:, ::-1])
    same(f"transpose, {name}", run(image, "transpose")[0], image.T)
    same(f"threshold, {name}", run(image, f"threshold:limit={top // 3}")[0], np.where(image > top // 3, top, 0))
    # SciPy and we both take weights in double and round once; sums of f32 differ in their last places.
    same(f"gaussian sigma 2, {name}", run(real, "gaussian:sigma=2,border=reflect")[0],
         ndimage.gaussian_filter(real.astype(np.float64), 2, mode="reflect", truncate=4), 2e-6)
    same(f"sobel dx, {name}", run(real, "sobel:dx=1,dy=0")[0], cv2.Sobel(real, cv2.CV_32F, 1, 0), 1e-6)
    same(f"box, {name}", run(real, "box:radius=2")[0], cv2.blur(real, (5, 5)), 1e-6)
    half = (image.shape[1] // 2, image.shape[0] // 2)
    # OpenCV weighs u8 in 11 bits, hence the difference of one level.
    same(f"resize linear, {name}", run(image, f"resize:width={half[0]},height={half[1]}")[0], cv2.resize(image, half), 1)
    same(f"resize cubic, {name}", run(real, "resize:scale=1.7,method=cubic")[0],
         cv2.resize(real, (round(image.shape[1] * 1.7), round(image.shape[0] * 1.7)), interpolation=cv2.INTER_CUBIC), 1e-5)
    same(f"clahe, {name}", run(image, "clahe")[0], cv2.createCLAHE(40, (8, 8)).apply(image))
    mask, printed = run(image, "auto_threshold:method=otsu")
    if image.dtype == np.uint8:
        same(f"equalize, {name}", run(image, "equalize")[0], cv2.equalizeHist(image), 1)
        same(f"li, {name}", np.ravel(next(iter(run(image, "auto_threshold:method=li")[1].values()))["threshold"]), [skimage.filters.threshold_li(image)], 1e-3)
        same(f"otsu, {name}", np.ravel(next(iter(printed.values()))["threshold"]), [cv2.threshold(image, 0, 255, cv2.THRESH_OTSU)[0]])
    else:
        # scikit-image sums counts in f32, so on flat histograms it is some levels off; the formula in 80 bits is not.
        same(f"otsu, {name}", np.ravel(next(iter(printed.values()))["threshold"]), [otsu(image)])
    same(f"labels, {name}", run(mask, "label:connectivity=8")[0], ndimage.label(mask, np.ones((3, 3)))[0])
    same(f"labels with 4, {name}", run(mask, "label:connectivity=4")[0], ndimage.label(mask)[0])
    stats = json.loads(subprocess.run([zeroplane, "stats", folder / "in.tif"], capture_output=True, text=True, check=True).stdout)
    same(f"mean, {name}", stats["mean"]["mean"], [mask.mean()], 1e-9)

colour = np.random.default_rng(3).integers(0, 256, (61, 83, 3)).astype(np.uint8)
same("rgb_to_grey", run(colour, "rgb_to_grey")[0], cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY), 1)  # OpenCV: 14-bit weights
hsv, theirs = run(colour, "rgb_to_hsv")[0].astype(int), cv2.cvtColor(colour, cv2.COLOR_RGB2HSV).astype(int)
turn = np.abs(hsv[..., 0] - theirs[..., 0])
same("rgb_to_hsv, hue around the circle", np.minimum(turn, 180 - turn), 0 * turn, 1)  # OpenCV: 12-bit reciprocals
same("rgb_to_hsv, saturation and value", hsv[..., 1:], theirs[..., 1:], 1)

print(f"{failures} failed")
sys.exit(failures > 0)
