# Compares the point operations with OpenCV, scikit-image and formulas in numpy.
import pathlib
import sys

import cv2
import numpy as np
import skimage.exposure
import skimage.util

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers
from peers import agrees, run


def white_of(image):
    return np.float32(1) if image.dtype == np.float32 else np.float32(np.iinfo(image.dtype).max)


def to_format(values, image):
    """NaN to 0, clamped, rounded half to even; f32 as it is."""
    if image.dtype == np.float32:
        return values.astype(np.float32)
    return np.clip(np.rint(np.nan_to_num(values, nan=0.0)), 0, white_of(image)).astype(image.dtype)


def below_2_31(image):
    """OpenCV's products of u16 wrap from 2^31 on, and become 0."""
    return np.minimum(image, 46340) if image.dtype == np.uint16 else image


def numbers(path, values):
    (peers.folder / path).write_text("\n".join(str(int(v)) for v in values))
    return peers.folder / path


for name, image in peers.pictures():
    white, real = white_of(image), image.astype(np.float32)
    whole = image.dtype != np.float32
    at = lambda part: float(np.float32(part) * white) if not whole else int(part * float(white))
    single = np.float32

    agrees("invert", "numpy", name, run(image, "invert"), white - real)
    if whole:
        agrees("invert", "OpenCV bitwise_not", name, run(image, "invert"), cv2.bitwise_not(image))
        agrees("bitwise_not", "OpenCV", name, run(image, "bitwise_not"), cv2.bitwise_not(image))
    agrees("invert", "scikit-image", name, run(image, "invert"), skimage.util.invert(image))

    for constant in (at(0.3), -at(0.3)):
        agrees("add_constant", "OpenCV add", f"{constant:g}, {name}", run(image, f"add_constant:constant={constant!r}"),
               cv2.add(image, np.float64(constant)))
    for factor in (1.5, 0.1, 3.0):
        agrees("multiply_constant", "numpy", f"{factor:g}, {name}", run(image, f"multiply_constant:factor={factor}"),
               to_format(real * single(factor), image))
    agrees("multiply_constant", "OpenCV multiply", name, run(image, "multiply_constant:factor=1.5"), cv2.multiply(image, 1.5))
    agrees("scale_offset", "numpy", name, run(image, f"scale_offset:scale=0.75,offset={at(0.1)!r}"),
           to_format(real * single(0.75) + single(at(0.1)), image))
    agrees("clamp", "numpy", name, run(image, f"clamp:low={at(0.2)!r},high={at(0.7)!r}"),
           np.clip(image, image.dtype.type(at(0.2)), image.dtype.type(at(0.7))))

    signed = image if whole else image - single(0.5)
    agrees("absolute", "numpy", name, run(signed, "absolute"), np.abs(signed))
    agrees("square", "numpy", name, run(image, "square"), to_format(real * real, image))
    small = below_2_31(image)
    agrees("square", "OpenCV multiply", name, run(small, "square"), cv2.multiply(small, small))
    agrees("square_root", "numpy", name, run(image, "square_root"), to_format(np.sqrt(real), image))
    if not whole:
        agrees("square_root", "OpenCV", name, run(image, "square_root"), cv2.sqrt(image))
    with np.errstate(divide="ignore", over="ignore"):
        exact = image.astype(np.float64)
        agrees("logarithm", "numpy in f64", name, run(image, "logarithm"), to_format(np.log(exact), image))
        agrees("exponential", "numpy in f64", name, run(image, "exponential"), to_format(np.exp(exact), image))
        for exponent in (2.0, 0.5, 1.25, -1.0):
            power = np.where((exact == 0) & (exponent < 0) & whole, 0, exact**exponent)
            agrees("power", "numpy in f64", f"{exponent:g}, {name}", run(image, f"power:exponent={exponent}"),
                   to_format(power.astype(np.float32), image))
    positive = image if whole else np.maximum(image, single(1 / 512))
    if not whole:
        own_series = "OpenCV has its own series in f32"
        agrees("logarithm", "OpenCV", name, run(positive, "logarithm"), cv2.log(positive), 1e-6, own_series)
        agrees("exponential", "OpenCV", name, run(image, "exponential"), cv2.exp(image), 1e-6, own_series)
        agrees("power", "OpenCV pow", name, run(positive, "power:exponent=1.25"), cv2.pow(positive, 1.25), 1e-6, own_series)
    agrees("power", "OpenCV pow", f"2, {name}", run(small, "power:exponent=2"), cv2.pow(small, 2))

    exponent = np.float64(single(1) / single(2.2))
    agrees("gamma", "numpy in f64", name, run(image, "gamma"),
           to_format((exact / white) ** exponent * white, image), {"uint8": 0, "uint16": 1, "float32": 1e-7}[str(image.dtype)],
           "the power is rounded to f32, 1/256 of a level at white")
    if not whole:
        agrees("gamma", "scikit-image adjust_gamma", name, run(image, "gamma"),
               skimage.exposure.adjust_gamma(image, 1 / 2.2), 3e-7, "numpy's powers of f32 are in f32")
    low, high = at(0.2), at(0.7)
    inside = (real - single(low)) * white / (single(high) - single(low))
    agrees("window", "numpy", name, run(image, f"window:low={low!r},high={high!r}"),
           to_format(np.clip(inside, 0, white), image))
    theirs = skimage.exposure.rescale_intensity(image.astype(np.float64), in_range=(low, high), out_range=(0, float(white)))
    agrees("window", "scikit-image rescale_intensity", name, run(image, f"window:low={low!r},high={high!r}"),
           to_format(theirs, image), {"uint8": 0, "uint16": 1, "float32": 1.2e-7}[str(image.dtype)],
           "it works in f64, which near half a level rounds otherwise")

    kinds = {"binary": cv2.THRESH_BINARY, "binary_inverse": cv2.THRESH_BINARY_INV, "truncate": cv2.THRESH_TRUNC,
             "to_zero": cv2.THRESH_TOZERO, "to_zero_inverse": cv2.THRESH_TOZERO_INV}
    for kind, theirs in kinds.items():
        agrees("threshold", "OpenCV", f"{kind}, {name}", run(image, f"threshold:limit={at(0.4)!r},kind={kind}"),
               cv2.threshold(image, at(0.4), float(white), theirs)[1])
    agrees("in_range", "OpenCV inRange", name, run(image, f"in_range:low={low!r},high={high!r}") == white,
           cv2.inRange(image, low, high) == 255)

    if whole:
        table = np.random.default_rng(5).integers(0, int(white) + 1, int(white) + 1)
        agrees("lookup", "numpy take", name, run(image, f"lookup:file={numbers('table.txt', table)}"), table[image])
    if image.dtype == np.uint8:
        agrees("lookup", "OpenCV LUT", name, run(image, f"lookup:file={numbers('table.txt', table)}"),
               cv2.LUT(image, table.astype(np.uint8)))
        for colours in ("viridis", "magma", "inferno", "turbo"):
            theirs = cv2.applyColorMap(image, getattr(cv2, "COLORMAP_" + colours.upper()))[..., ::-1]
            agrees("apply_colormap", "OpenCV applyColorMap", f"{colours}, {name}",
                   run(image, f"apply_colormap:name={colours}"), theirs, 1, "our splines, not the published tables")
    level = to_format(np.clip((real - single(low)) * single(255) / (single(high) - single(low)), 0, 255), np.uint8(0))
    agrees("apply_colormap", "numpy", f"yellow, {name}", run(image, f"apply_colormap:name=yellow,low={low!r},high={high!r}"),
           np.stack([level, level, 0 * level], -1))

ramp = np.arange(256, dtype=np.uint8).reshape(16, 16)
for colours in ("viridis", "magma", "inferno", "turbo"):
    theirs = cv2.applyColorMap(ramp, getattr(cv2, "COLORMAP_" + colours.upper()))[..., ::-1]
    agrees("apply_colormap", "OpenCV applyColorMap", f"{colours}, every level", run(ramp, f"apply_colormap:name={colours}"),
           theirs, 1, "our splines, not the published tables")

for name, image in peers.pictures(channels=3):
    white = white_of(image)
    half = 0.5 if image.dtype == np.float32 else int(white) // 2
    agrees("threshold", "OpenCV", f"3 channels, {name}", run(image, f"threshold:limit={half}"),
           cv2.threshold(image, half, float(white), cv2.THRESH_BINARY)[1])
    agrees("in_range", "numpy", f"3 channels, {name}", run(image, f"in_range:low={half}"), (image >= half) * white)
    small = below_2_31(image)
    agrees("square", "OpenCV multiply", f"3 channels, {name}", run(small, "square"), cv2.multiply(small, small))

peers.finish()
