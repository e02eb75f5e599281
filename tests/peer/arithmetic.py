# Compares the operations on two images with OpenCV and formulas in numpy.
import pathlib
import sys

import cv2
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers
from peers import agrees, run, write

single = np.float32


def white_of(image):
    return single(1) if image.dtype == np.float32 else single(np.iinfo(image.dtype).max)


def to_format(values, image):
    """NaN to 0, clamped, rounded half to even; f32 as it is."""
    if image.dtype == np.float32:
        return values.astype(np.float32)
    return np.clip(np.rint(np.nan_to_num(values, nan=0.0)), 0, white_of(image)).astype(image.dtype)


def compare_all(name, a, b):
    """Every operation on two images; b may have one channel where a has several, for numpy alone."""
    whole, white = a.dtype != np.float32, white_of(a)
    path = write("with.tif", b)
    equal = a.shape == b.shape
    p, q = a.astype(np.float32), b.astype(np.float32)
    if not equal:
        q = q[..., None]
    other = q.astype(a.dtype)
    both = lambda step, *more: run(a, f"{step}:" + ",".join((f"with={path}",) + more))

    agrees("add", "numpy", name, both("add"), to_format(p + q, a))
    agrees("subtract", "numpy", name, both("subtract"), to_format(p - q, a))
    # u16 products pass the 24 bits of f32 only where they saturate.
    agrees("multiply", "numpy", name, both("multiply"), to_format(p * q, a))
    scale = single(1) / white
    agrees("multiply", "numpy", f"scale, {name}", both("multiply", f"scale={scale!s}"), to_format(p * q * scale, a))
    with np.errstate(divide="ignore", invalid="ignore"):
        for factor in (single(1), single(0.3) * white):
            ratio = p * factor / q
            agrees("divide", "numpy", f"scale {factor}, {name}", both("divide", f"scale={factor!s}"),
                   to_format(np.where(q == 0, 0, ratio) if whole else ratio, a))
    agrees("absolute_difference", "numpy", name, both("absolute_difference"), np.abs(p - q))
    agrees("minimum", "numpy", name, both("minimum"), np.minimum(a, other))
    agrees("maximum", "numpy", name, both("maximum"), np.maximum(a, other))
    agrees("blend", "numpy", name, both("blend", "alpha=0.75", "beta=0.5", "offset=0.125"),
           to_format(p * single(0.75) + q * single(0.5) + single(0.125), a))
    if whole:
        for step in ("bitwise_and", "bitwise_or", "bitwise_xor"):
            agrees(step, "numpy", name, both(step), getattr(np, step)(a, other))
    relations = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}
    for kind, relation in relations.items():
        agrees("compare", "numpy", f"{kind}, {name}", both("compare", f"kind={kind}"), relation(a, other) * white)
    mask = (np.random.default_rng(9).random(a.shape[:2]) < 0.4).astype(np.uint8)
    chosen = np.where(mask if a.ndim == 2 else mask[..., None], a, other)
    agrees("select", "numpy where", name, both("select", f"mask={write('mask.tif', mask)}"), chosen)
    if not equal:
        return

    agrees("add", "OpenCV", name, both("add"), cv2.add(a, b))
    agrees("subtract", "OpenCV", name, both("subtract"), cv2.subtract(a, b))
    # OpenCV's products of u16 wrap from 2^31 on, and become 0.
    small, low = (np.minimum(v, 46340) if v.dtype == np.uint16 else v for v in (a, b))
    agrees("multiply", "OpenCV", name, run(small, f"multiply:with={write('low.tif', low)}"), cv2.multiply(small, low))
    agrees("divide", "OpenCV", name, both("divide"), cv2.divide(a, b))
    agrees("absolute_difference", "OpenCV absdiff", name, both("absolute_difference"), cv2.absdiff(a, b))
    agrees("minimum", "OpenCV min", name, both("minimum"), cv2.min(a, b))
    agrees("maximum", "OpenCV max", name, both("maximum"), cv2.max(a, b))
    agrees("blend", "OpenCV addWeighted", name, both("blend", "alpha=0.3", "beta=0.6"), cv2.addWeighted(a, 0.3, b, 0.6, 0),
           1 if whole else 2e-7, "OpenCV's weights are doubles, and it may fuse roundings")
    if whole:
        for step in ("bitwise_and", "bitwise_or", "bitwise_xor"):
            agrees(step, "OpenCV", name, both(step), getattr(cv2, step)(a, b))
    codes = {"eq": cv2.CMP_EQ, "ne": cv2.CMP_NE, "lt": cv2.CMP_LT, "le": cv2.CMP_LE, "gt": cv2.CMP_GT, "ge": cv2.CMP_GE}
    for kind, code in codes.items():
        agrees("compare", "OpenCV", f"{kind}, {name}", both("compare", f"kind={kind}") == white, cv2.compare(a, b, code) == 255)
    agrees("select", "OpenCV copyTo", name, both("select", f"mask={write('mask.tif', mask)}"), cv2.copyTo(a, mask, b.copy()))


for channels in (1, 3):
    for name, image in peers.pictures(channels):
        other = np.roll(image[::-1, ::-1], 17, 1).copy()
        compare_all(name if channels == 1 else f"3 channels, {name}", image, other)
        if channels == 3:
            compare_all(f"one channel for three, {name}", image, other[..., 0].copy())

for name, frame in peers.pictures():
    whole, white = frame.dtype != np.float32, white_of(frame)
    y, x = np.mgrid[: frame.shape[0], : frame.shape[1]]
    vignette = 0.9 - 0.5 * ((x / frame.shape[1] - 0.5) ** 2 + (y / frame.shape[0] - 0.5) ** 2)
    flat = to_format(vignette * white, frame)
    dark = to_format(np.random.default_rng(2).random(frame.shape) * 0.04 * white, frame)
    p, f, d = (v.astype(np.float32) for v in (frame, flat, dark))
    target = single((f - d).astype(np.float64).mean())
    agrees("flat_field", "numpy", name, run(frame, f"flat_field:flat={write('flat.tif', flat)},dark={write('dark.tif', dark)}"),
           to_format((p - d) * target / (f - d), frame))
    target = single(f.astype(np.float64).mean())
    agrees("flat_field", "numpy", f"no dark, {name}", run(frame, f"flat_field:flat={write('flat.tif', flat)}"),
           to_format(p * target / f, frame))

peers.finish()
