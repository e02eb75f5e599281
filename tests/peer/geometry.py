# Compares the geometry operations with OpenCV, SciPy, scikit-image, Pillow and the formulas in numpy.
import math
import pathlib
import sys

import cv2
import numpy as np
import PIL.Image
import scipy.ndimage as ndimage
import skimage.transform

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers

double = "f32 against double"
ties = "rounding of f32 against double at a half"
weights = "OpenCV weighs integers in fixed point"
places = "OpenCV computes places in f32"
sums = "sums of f32 in another order"


def white(image):
    return 1.0 if image.dtype == np.float32 else float(np.iinfo(image.dtype).max)


def rounded(image, values):
    """Values in double as samples of the image's format."""
    if image.dtype == np.float32:
        return values
    return np.rint(values).clip(0, np.iinfo(image.dtype).max)


def close(operation, peer, what, image, ours, theirs, reason=double):
    """Against values in double: a few ulps of white in f32, one level in integers."""
    if image.dtype == np.float32:
        peers.agrees(operation, peer, what, ours, theirs, 4e-6 * white(image), reason)
    else:
        peers.agrees(operation, peer, what, ours, rounded(image, theirs), 1, ties)


def channels(function, image):
    if image.ndim == 2:
        return function(image)
    return np.stack([function(image[..., c]) for c in range(image.shape[2])], -1)


def at_places(image, x, y, order, mode, value=0.0):
    """SciPy reads places between pixels in double."""
    return channels(lambda a: ndimage.map_coordinates(a.astype(np.float64), [y, x], order=order, mode=mode, cval=value,
                                                      prefilter=False), image)


def keys(image, x, y):
    """Cubic convolution (Keys 1981, a = -0.75) in double; edge pixels repeat."""
    a = -0.75

    def weight(t):
        t = np.abs(t)
        near = ((a + 2) * t - (a + 3)) * t * t + 1
        far = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
        return np.where(t < 1, near, np.where(t < 2, far, 0))

    def plane(p):
        i, j = np.floor(x).astype(int), np.floor(y).astype(int)
        total = np.zeros(x.shape)
        for dy in range(-1, 3):
            for dx in range(-1, 3):
                pixels = p[np.clip(j + dy, 0, p.shape[0] - 1), np.clip(i + dx, 0, p.shape[1] - 1)]
                total += weight(x - i - dx) * weight(y - j - dy) * pixels
        return total
    return channels(plane, image)


def plane_of(height, width):
    """A tilted plane, known between pixels too."""
    return np.add.outer(2.0 * np.arange(height), 3.0 * np.arange(width)).astype(np.float32)


def listed(matrix):
    return "/".join(repr(float(v)) for v in np.asarray(matrix).ravel())


def grid(height, width):
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    return x, y


def pyramid_line(image, axis, up):
    """1 4 6 4 1 along one axis, as whole numbers where the image is."""
    a = np.moveaxis(image, axis, 0)
    if up:
        wide = np.zeros((2 * a.shape[0],) + a.shape[1:], a.dtype)
        wide[::2] = a
        a = wide
    index = np.arange(-2, a.shape[0] + 2)
    period = max(2 * a.shape[0] - 2, 1)
    index = index % period
    index = np.where(index < a.shape[0], index, period - index)
    p = a[index]
    n = a.shape[0]
    line = 6 * p[2:n + 2] + 4 * (p[1:n + 1] + p[3:n + 3]) + (p[0:n] + p[4:n + 4])
    return np.moveaxis(line if up else line[::2], 0, axis)


def pyramid(image, up):
    whole = image.astype(np.float64 if image.dtype == np.float32 else np.int64)
    return pyramid_line(pyramid_line(whole, 0, up), 1, up) / (64 if up else 256)


random = np.random.default_rng(11)

for name, image in [*peers.pictures(), *((n + " RGB", i) for n, i in peers.pictures(3, real=False))]:
    height, width = image.shape[:2]
    real = image.dtype == np.float32
    level = 0.0 if real else 1.0

    peers.agrees("flip", "numpy", name, peers.run(image, "flip"), image[:, ::-1])
    peers.agrees("flip", "OpenCV flip", f"vertical, {name}", peers.run(image, "flip:axis=vertical"), cv2.flip(image, 0))
    peers.agrees("flip", "OpenCV flip", f"both, {name}", peers.run(image, "flip:axis=both"), cv2.flip(image, -1))
    peers.agrees("transpose", "numpy", name, peers.run(image, "transpose"), np.swapaxes(image, 0, 1))
    for turns in (-1, 1, 2):
        peers.agrees("rotate90", "numpy rot90", f"{turns} turns, {name}", peers.run(image, f"rotate90:turns={turns}"),
                     np.rot90(image, turns))

    half, third = (width // 2, height // 2), (width // 3, height // 3)
    big = (round(width * 1.7), round(height * 1.7))
    to_half, to_third = f"width={half[0]},height={half[1]}", f"width={third[0]},height={third[1]}"
    for size, step in ((half, to_half), (third, to_third), (big, "scale=1.7")):
        what = f"to {size[0]}x{size[1]}, {name}"
        ours = peers.run(image, f"resize:{step},method=nearest")
        row, column = ((2 * np.arange(d) + 1) * n // (2 * d) for d, n in ((size[1], height), (size[0], width)))
        peers.agrees("resize", "numpy", f"nearest {what}", ours, image[row[:, None], column])
        # OpenCV steps through the image in units of 2^-16 pixels, which meet pixel borders exactly at halves only.
        if size == half:
            peers.agrees("resize", "OpenCV INTER_NEAREST_EXACT", f"nearest {what}", ours,
                         cv2.resize(image, size, interpolation=cv2.INTER_NEAREST_EXACT))
        for method, flag in (("linear", cv2.INTER_LINEAR), ("cubic", cv2.INTER_CUBIC)):
            peers.agrees("resize", f"OpenCV INTER_{method.upper()}", f"{method} {what}",
                         peers.run(image, f"resize:{step},method={method}"), cv2.resize(image, size, interpolation=flag),
                         2e-6 if real else 1, sums if real else weights)
    peers.agrees("resize", "OpenCV INTER_AREA", f"area, {name}", peers.run(image, f"resize:{to_third},method=area"),
                 cv2.resize(image, third, interpolation=cv2.INTER_AREA), 2e-6 if real else 1, sums if real else ties)
    if image.ndim == 2:
        even = image[:height // 4 * 4, :width // 4 * 4]
        close("resize", "scikit-image downscale_local_mean", f"area, {name}", image,
              peers.run(even, "resize:scale=0.25,method=area"),
              skimage.transform.downscale_local_mean(even.astype(np.float64), (4, 4)))
        pillow = PIL.Image.fromarray(image.astype(np.float32))
        ours = image.astype(np.float32)
        for method, flag in (("linear", "BILINEAR"), ("lanczos3", "LANCZOS")):
            peers.agrees("resize", f"Pillow {flag}", f"{method} with antialias, {name}",
                         peers.run(ours, f"resize:{to_third},method={method},antialias=true"),
                         np.asarray(pillow.resize(third, getattr(PIL.Image, flag))), 4e-6 * white(image), "weights in double against f32")

    # Places in 1/32 of a pixel, some outside: OpenCV rounds nothing.
    map_x = (np.tile(np.arange(width), (height, 1)) + random.integers(-192, 193, (height, width)) / 32).astype(np.float32)
    map_y = (np.tile(np.arange(height)[:, None], (1, width)) + random.integers(-192, 193, (height, width)) / 32).astype(np.float32)
    maps = f"map_x={peers.write('x.tif', map_x)},map_y={peers.write('y.tif', map_y)}"
    for border, flag in (("replicate", cv2.BORDER_REPLICATE), ("reflect101", cv2.BORDER_REFLECT_101),
                         ("reflect", cv2.BORDER_REFLECT), ("wrap", cv2.BORDER_WRAP), ("constant", cv2.BORDER_CONSTANT)):
        value = 0.5 if real else 100
        peers.agrees("remap", "OpenCV remap", f"linear, {border}, {name}",
                     peers.run(image, f"remap:{maps},border={border},value={value}"),
                     cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=flag, borderValue=(value,) * 4),
                     1e-6 if real else 1, sums if real else ties)
    peers.agrees("remap", "OpenCV remap", f"cubic, reflect101, {name}",
                 peers.run(image, f"remap:{maps},method=cubic,border=reflect101"),
                 cv2.remap(image, map_x, map_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101),
                 4e-6 if real else 1, sums if real else weights)
    nearest = (np.clip(np.floor(map_y + np.float32(0.5)), 0, height - 1).astype(int),
               np.clip(np.floor(map_x + np.float32(0.5)), 0, width - 1).astype(int))
    peers.agrees("remap", "numpy", f"nearest, {name}", peers.run(image, f"remap:{maps},method=nearest,border=replicate"),
                 image[nearest])

    x, y = grid(height, width)
    matrix = np.array([[0.875, 0.25, 3], [-0.125, 1.0625, 2]])
    u, v = matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2], matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]
    close("warp_affine", "SciPy map_coordinates", f"linear, inverse, {name}", image,
          peers.run(image, f"warp_affine:matrix={listed(matrix)},inverse=true"), at_places(image, u, v, 1, "grid-constant"))
    close("warp_affine", "numpy", f"cubic, inverse, replicate, {name}", image,
          peers.run(image, f"warp_affine:matrix={listed(matrix)},inverse=true,method=cubic,border=replicate"),
          keys(image, u, v))
    back = np.linalg.inv(np.vstack([matrix, [0, 0, 1]]))
    close("warp_affine", "scikit-image warp", f"linear, replicate, {name}", image,
          peers.run(image, f"warp_affine:matrix={listed(matrix)},border=replicate"),
          skimage.transform.warp(image.astype(np.float64), back, order=1, mode="edge", preserve_range=True))

    for angle, scale in ((30, 1), (-101.5, 0.75)):
        a = math.radians(angle)
        c, s = math.cos(a) / scale, math.sin(a) / scale
        cx, cy = (width - 1) / 2, (height - 1) / 2
        u, v = cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy)
        close("rotate", "SciPy map_coordinates", f"{angle} degrees, scale {scale}, {name}", image,
              peers.run(image, f"rotate:angle={angle},scale={scale}"), at_places(image, u, v, 1, "grid-constant"))
    close("rotate", "scikit-image rotate", f"-20 degrees, replicate, {name}", image,
          peers.run(image, "rotate:angle=-20,border=replicate"),
          skimage.transform.rotate(image.astype(np.float64), -20, order=1, mode="edge", preserve_range=True))
    peers.agrees("rotate", "numpy rot90", f"90 degrees, expand, {name}", peers.run(image, "rotate:angle=90,expand=true"),
                 np.rot90(image))

    matrix = np.array([[0.875, 0.25, 3], [-0.125, 1.0625, 2], [2**-10, -(2**-11), 1]])
    w = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
    u, v = ((matrix[k, 0] * x + matrix[k, 1] * y + matrix[k, 2]) / w for k in (0, 1))
    close("warp_perspective", "SciPy map_coordinates", f"linear, inverse, {name}", image,
          peers.run(image, f"warp_perspective:matrix={listed(matrix)},inverse=true"),
          at_places(image, u, v, 1, "grid-constant"))
    close("warp_perspective", "scikit-image warp", f"linear, replicate, {name}", image,
          peers.run(image, f"warp_perspective:matrix={listed(matrix)},border=replicate"),
          skimage.transform.warp(image.astype(np.float64), np.linalg.inv(matrix), order=1, mode="edge",
                                 preserve_range=True))

    peers.agrees("pyramid_down", "numpy", name, peers.run(image, "pyramid_down"), rounded(image, pyramid(image, False)),
                 2e-7 if real else 0, sums if real else "")
    peers.agrees("pyramid_up", "numpy", name, peers.run(image, "pyramid_up"), rounded(image, pyramid(image, True)),
                 2e-7 if real else 0, sums if real else "")
    up = "OpenCV rounds ties up, we to even"
    peers.agrees("pyramid_down", "OpenCV pyrDown", name, peers.run(image, "pyramid_down"), cv2.pyrDown(image),
                 2e-7 if real else 1, sums if real else up)
    peers.agrees("pyramid_up", "OpenCV pyrUp", name, peers.run(image, "pyramid_up"), cv2.pyrUp(image),
                 2e-7 if real else 1, sums if real else up)

    fx, fy, cx, cy = width * 0.875, width * 0.9375, width / 2 - 3, height / 2 + 2
    k1, k2, p1, p2, k3 = -0.25, 0.125, 2**-8, -(2**-9), 2**-6
    step = f"undistort:fx={fx},fy={fy},cx={cx},cy={cy},k1={k1},k2={k2},p1={p1},p2={p2},k3={k3}"
    a, b = (x - cx) / fx, (y - cy) / fy
    r2 = a * a + b * b
    radial = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
    u = fx * (a * radial + 2 * p1 * a * b + p2 * (r2 + 2 * a * a)) + cx
    v = fy * (b * radial + p1 * (r2 + 2 * b * b) + 2 * p2 * a * b) + cy
    close("undistort", "SciPy map_coordinates", f"linear, {name}", image, peers.run(image, step),
          at_places(image, u, v, 1, "grid-constant"))

# OpenCV's own warps, on a plane, where an error of a place makes an error of its slope.
plane = plane_of(96, 160)
inside = (slice(8, -8), slice(8, -8))
allowed = 1e-3
camera = np.array([[140, 0, 78.5], [0, 150, 49.25], [0, 0, 1]])
lens = np.array([0.125, -0.0625, 2**-9, -(2**-10), 2**-6])
peers.agrees("undistort", "OpenCV initUndistortRectifyMap and remap", "f32 plane, away from the border",
             peers.run(plane, "undistort:fx=140,fy=150,cx=78.5,cy=49.25,k1=0.125,k2=-0.0625,p1=0.001953125,"
                              "p2=-0.0009765625,k3=0.015625,border=replicate")[inside],
             cv2.remap(plane, *cv2.initUndistortRectifyMap(camera, lens, None, camera, (160, 96), cv2.CV_32FC1),
                       cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[inside], allowed, places)
matrix = np.array([[0.9, 0.1, 6], [-0.05, 0.95, 5], [2**-11, -(2**-12), 1]])
peers.agrees("warp_perspective", "OpenCV warpPerspective", "f32 plane, away from the border",
             peers.run(plane, f"warp_perspective:matrix={listed(matrix)},border=replicate")[inside],
             cv2.warpPerspective(plane, matrix, (160, 96), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[inside],
             allowed, places)
turn = cv2.getRotationMatrix2D((79.5, 47.5), 17, 1.1)
peers.agrees("rotate", "OpenCV warpAffine of getRotationMatrix2D", "f32 plane, away from the border",
             peers.run(plane, "rotate:angle=17,scale=1.1,border=replicate")[inside],
             cv2.warpAffine(plane, turn, (160, 96), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[inside],
             allowed, places)

peers.finish()
