# Colour operations against OpenCV, scikit-image and numpy; demosaic against the pictures that its mosaics were cut from.
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))

import cv2
import numpy as np
import skimage.color
import skimage.metrics
import skimage.util

import peers
from peers import agrees, run

FIXED = "OpenCV computes integers in fixed point"


def white_of(image):
    return 1.0 if image.dtype == np.float32 else float(np.iinfo(image.dtype).max)


def stored(image, values):
    """Real values as samples of the image's format: half to even, saturated."""
    return values if image.dtype == np.float32 else np.clip(np.rint(values), 0, white_of(image))


def real_pictures():
    """Crops of colour photographs and micrographs."""
    if not peers.samples.is_dir():
        print(f"sample files: skipped, no folder {peers.samples}")
        return
    for path in ("microscopy/worms_brightfield_rgb.png", "microscopy/retina.jpg", "jpeg/testorig.jpg"):
        image = cv2.imread(str(peers.samples / path), cv2.IMREAD_COLOR_RGB)
        height, width = image.shape[:2]
        top, left = max(0, (height - 700) // 2), max(0, (width - 900) // 2)
        yield pathlib.Path(path).name, np.ascontiguousarray(image[top:top + 701, left:left + 901])


def pictures():
    yield from peers.pictures(3)
    for name, image in real_pictures():
        yield name, image
        yield f"{name} in u16", image.astype(np.uint16) * 257
        yield f"{name} in f32", (image / np.float32(255)).astype(np.float32)


def around(ours, theirs, circle):
    """How far two hues are apart on the circle."""
    turn = np.abs(ours.astype(np.float64) - theirs.astype(np.float64)) % circle
    return np.minimum(turn, circle - turn)


def grey(name, image):
    tolerance, reason = {np.float32: (2e-7, "rounding of f32 sums"), np.uint16: (2, "OpenCV's weights have 15 bits"),
                         np.uint8: (1, FIXED)}[image.dtype.type]
    agrees("rgb_to_grey", "OpenCV", name, run(image, "rgb_to_grey"), cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), tolerance, reason)
    agrees("rgb_to_grey", "scikit-image", f"bt709, {name}", run(image, "rgb_to_grey:standard=bt709") / white_of(image),
           skimage.color.rgb2gray(image), 4e-4 + 0.5 / white_of(image) * (image.dtype != np.float32),
           "scikit-image has 0.2125, 0.7154, 0.0721; here 0.2126, 0.7152, 0.0722, and integers are rounded")
    weights = np.array([0.2126, 0.7152, 0.0722])
    agrees("rgb_to_grey", "numpy", f"bt709, {name}", run(image, "rgb_to_grey:standard=bt709"), stored(image, image @ weights),
           1e-7 if image.dtype == np.float32 else 1, "f32 sums; integers near a tie may round the other way")


def hsv(name, image):
    if image.dtype == np.uint8:
        for hue, circle, there, back in (("half", 180, cv2.COLOR_RGB2HSV, cv2.COLOR_HSV2RGB),
                                         ("full", 256, cv2.COLOR_RGB2HSV_FULL, cv2.COLOR_HSV2RGB_FULL)):
            ours, theirs = run(image, f"rgb_to_hsv:hue={hue}"), cv2.cvtColor(image, there)
            agrees("rgb_to_hsv", "OpenCV", f"hue={hue}, {name}", around(ours[..., 0], theirs[..., 0], circle), 0 * ours[..., 0], 1,
                   "OpenCV divides by tables of 12 bits")
            agrees("rgb_to_hsv", "OpenCV", f"saturation and value, {name}", ours[..., 1:], theirs[..., 1:], 1,
                   "OpenCV divides by tables of 12 bits")
            tolerance, reason = (1, "OpenCV computes in f32 in another order") if hue == "half" else (
                6, "OpenCV counts 256 steps of hue on the way there, but 255 on the way back")
            rgb = run(ours, f"hsv_to_rgb:hue={hue}")
            agrees("hsv_to_rgb", "OpenCV", f"hue={hue}, {name}", rgb, cv2.cvtColor(ours, back), tolerance, reason)
            agrees("hsv_to_rgb", "scikit-image", f"hue={hue}, {name}", rgb, skimage.color.hsv2rgb(ours / [circle, 255, 255]) * 255, 0.501,
                   "integers are rounded")
    if image.dtype == np.float32:
        ours, theirs = run(image, "rgb_to_hsv"), cv2.cvtColor(image, cv2.COLOR_RGB2HSV)
        agrees("rgb_to_hsv", "OpenCV", f"hue, {name}", around(ours[..., 0], theirs[..., 0], 360), 0 * ours[..., 0], 2e-3,
               "OpenCV divides by the range plus an epsilon of f32")
        agrees("rgb_to_hsv", "OpenCV", f"saturation and value, {name}", ours[..., 1:], theirs[..., 1:], 1e-5,
               "OpenCV divides by the value plus an epsilon of f32")
        theirs = skimage.color.rgb2hsv(image.astype(np.float64))
        agrees("rgb_to_hsv", "scikit-image", f"hue, {name}", around(ours[..., 0], theirs[..., 0] * 360, 360), 0 * ours[..., 0], 1e-4,
               "f32 here, double there")
        agrees("rgb_to_hsv", "scikit-image", f"saturation and value, {name}", ours[..., 1:], theirs[..., 1:], 1e-6, "f32 here, double there")
        scaled = ours.astype(np.float64) / [360, 1, 1]
        agrees("hsv_to_rgb", "scikit-image", name, run(ours, "hsv_to_rgb"), skimage.color.hsv2rgb(scaled), 1e-6, "f32 here, double there")
    if image.dtype == np.uint16:
        scaled = skimage.color.rgb2hsv(image.astype(np.float64) / 65535) * [65536, 65535, 65535]
        ours = run(image, "rgb_to_hsv").astype(np.float64)
        agrees("rgb_to_hsv", "scikit-image", f"hue, {name}", around(ours[..., 0], scaled[..., 0], 65536), 0 * ours[..., 0], 0.51,
               "rounded to integers from f32")
        agrees("rgb_to_hsv", "scikit-image", f"saturation and value, {name}", ours[..., 1:], scaled[..., 1:], 0.51, "rounded to integers from f32")
    real = image.astype(np.float64) / white_of(image)
    turned = skimage.color.rgb2hsv(real) + [40 / 360, 0.2, -0.1]
    turned[..., 0] %= 1
    theirs = skimage.color.hsv2rgb(np.clip(turned, 0, 1))
    ours = run(image, "add_hsv:hue=40,saturation=0.2,value=-0.1")
    agrees("add_hsv", "scikit-image", name, ours / white_of(image), theirs,
           {np.float32: 2e-6, np.uint16: 0.54 / 65535, np.uint8: 0.501 / 255}[image.dtype.type], "f32 here, double there; integers are rounded")


def matrix(name, image):
    numbers = [1.6, -0.4, -0.2, -0.3, 1.5, -0.2, 0, -0.5, 1.5]
    ours = run(image, "color_matrix:matrix=" + "/".join(map(str, numbers)))
    theirs = cv2.transform(image, np.float32(numbers).reshape(3, 3))
    tolerance, reason = (1e-6, "sums of f32 in another order") if image.dtype == np.float32 else (1, "a sum near a tie rounds the other way")
    agrees("color_matrix", "OpenCV", name, ours, theirs, tolerance, reason)
    exact = stored(image, image.astype(np.float64) @ np.array(numbers).reshape(3, 3).T + [0.5, 0, -0.25])
    agrees("color_matrix", "numpy", f"offset, {name}", run(image, "color_matrix:matrix=" + "/".join(map(str, numbers)) + ",offset=0.5/0/-0.25"),
           exact, tolerance, reason)


def balance(name, image):
    tolerance, reason = (2e-6, "gains and products in f32") if image.dtype == np.float32 else (1, "gains are f32: a product near a tie rounds the other way")
    flat = image.reshape(-1, 3).astype(np.float64)
    means = flat.mean(0)
    agrees("white_balance", "numpy", f"grey_world, {name}", run(image, "white_balance"), stored(image, image * (means.mean() / means)), tolerance, reason)
    rank = int(np.floor(0.99 * (len(flat) - 1) + 0.5))
    white = np.sort(flat, 0)[rank]
    agrees("white_balance", "numpy", f"white_patch, {name}", run(image, "white_balance:mode=white_patch,percentile=99"),
           stored(image, image * (white.max() / white)), tolerance, reason)
    agrees("white_balance", "numpy", f"gains, {name}", run(image, "white_balance:mode=gains,gains=1.75/1/1.375"),
           stored(image, image * np.array([1.75, 1, 1.375])), 1e-7 if image.dtype == np.float32 else 0, "one f32 rounding")


def ycbcr_matrix(standard, limited, white):
    """Rows and offsets of Y, Cb, Cr for RGB in the same units, from the definition."""
    kr, kb = (0.299, 0.114) if standard == "bt601" else (0.2126, 0.0722)
    y = np.array([kr, 1 - kr - kb, kb])
    rows = np.stack([y, (np.array([0, 0, 1]) - y) / (2 * (1 - kb)), (np.array([1, 0, 0]) - y) / (2 * (1 - kr))])
    unit = {255: 1.0, 65535: 256.0, 1: 1 / 255}[int(white)]
    neutral = 0.5 if white == 1 and not limited else 128 * unit
    if limited:
        rows *= (np.array([219, 224, 224]) * unit / white)[:, None]
    return rows, np.array([16 * unit * limited, neutral, neutral])


def ycbcr(name, image):
    white = white_of(image)
    tolerance, reason = {np.float32: (1e-6, "f32 here, double there"), np.uint16: (1, "f32 here, double there: a sum near a tie rounds the other way"),
                         np.uint8: (1, "f32 here, double there: a sum near a tie rounds the other way")}[image.dtype.type]
    for standard in ("bt601", "bt709"):
        for limited in (False, True):
            step = f"standard={standard},range={'limited' if limited else 'full'}"
            rows, offset = ycbcr_matrix(standard, limited, white)
            ours = run(image, f"rgb_to_ycbcr:{step}")
            agrees("rgb_to_ycbcr", "numpy", f"{step}, {name}", ours, stored(image, image.astype(np.float64) @ rows.T + offset), tolerance, reason)
            agrees("ycbcr_to_rgb", "numpy", f"{step}, {name}", run(ours, f"ycbcr_to_rgb:{step}"),
                   stored(image, (ours.astype(np.float64) - offset) @ np.linalg.inv(rows).T), 3 * tolerance if white == 1 else tolerance, reason)
    ours, theirs = run(image, "rgb_to_ycbcr"), cv2.cvtColor(image, cv2.COLOR_RGB2YCrCb)[..., [0, 2, 1]]
    agrees("rgb_to_ycbcr", "OpenCV", name, ours, theirs, {np.float32: 3e-4, np.uint16: 19, np.uint8: 1}[image.dtype.type],
           "OpenCV's chroma factors have three digits: 0.713 for 0.71327, 0.564 for 0.56433")
    swapped = np.ascontiguousarray(ours[..., [0, 2, 1]])
    agrees("ycbcr_to_rgb", "OpenCV", name, run(ours, "ycbcr_to_rgb"), cv2.cvtColor(swapped, cv2.COLOR_YCrCb2RGB),
           {np.float32: 5e-4, np.uint16: 34, np.uint8: 1}[image.dtype.type], "OpenCV's chroma factors have three digits: 1.403 for 1.402, 1.773 for 1.772")
    if image.dtype == np.float32:
        limited = run(image, "rgb_to_ycbcr:range=limited")
        agrees("rgb_to_ycbcr", "scikit-image", f"limited, {name}", limited, skimage.color.rgb2ycbcr(image.astype(np.float64)) / 255, 1e-6,
               "f32 here, double there")
        agrees("ycbcr_to_rgb", "scikit-image", f"limited, {name}", run(limited, "ycbcr_to_rgb:range=limited"),
               skimage.color.ycbcr2rgb(limited.astype(np.float64) * 255), 2e-6, "f32 here, double there")


def nv12(name, image):
    if image.dtype != np.uint8:
        return
    even = image[:image.shape[0] // 2 * 2, :image.shape[1] // 2 * 2]
    height, width = even.shape[:2]
    planes = cv2.cvtColor(even, cv2.COLOR_RGB2YUV_I420)
    luma, flat = np.ascontiguousarray(planes[:height]), planes[height:].reshape(2, height // 2, width // 2)
    chroma = np.ascontiguousarray(np.stack([flat[0], flat[1]], -1))
    path = peers.write("chroma.tif", chroma)
    agrees("nv12_to_rgb", "OpenCV", name, run(luma, f"nv12_to_rgb:chroma={path}"),
           cv2.cvtColorTwoPlane(luma, chroma, cv2.COLOR_YUV2RGB_NV12), 1, FIXED)
    for cut in ((1, 0), (0, 1), (1, 1)):
        part = np.ascontiguousarray(luma[:height - cut[0], :width - cut[1]])
        ycc = np.dstack([part, np.repeat(np.repeat(chroma, 2, 0), 2, 1)[:part.shape[0], :part.shape[1]]])
        rows, offset = ycbcr_matrix("bt709", True, 255)
        agrees("nv12_to_rgb", "numpy", f"bt709, odd size, {name}", run(part, f"nv12_to_rgb:standard=bt709,chroma={path}"),
               np.clip(np.rint((ycc.astype(np.float64) - offset) @ np.linalg.inv(rows).T), 0, 255), 1,
               "f32 here, double there: a sum near a tie rounds the other way")


XYZ = np.array([[0.43388734556603986, 0.3762240091374987, 0.1898886452964614], [0.21263900587151036, 0.7151686787677559, 0.07219231536073371],
                [0.01775004007097326, 0.10944762085523849, 0.8728023390737882]])


def lab(name, image):
    ours, real = run(image, "rgb_to_lab"), skimage.util.img_as_float64(image)
    agrees("rgb_to_lab", "scikit-image", name, ours, skimage.color.rgb2lab(real), 0.016,
           "scikit-image's matrix has six digits and its white (0.95047, 1, 1.08883) is not that of the matrix")
    linear = np.where(real <= 0.04045, real / 12.92, ((real + 0.055) / 1.055) ** 2.4)
    white = skimage.color.xyz_tristimulus_values(illuminant="D65", observer="2")
    agrees("rgb_to_lab", "scikit-image", f"xyz2lab from the exact matrix, {name}", ours, skimage.color.xyz2lab(linear @ XYZ.T * white), 2e-4,
           "scikit-image writes the straight part below 0.008856 as 7.787 t + 16/116; f32 here")
    back = run(ours, "lab_to_rgb")
    agrees("lab_to_rgb", "scikit-image", name, np.clip(back, 0, 1), skimage.color.lab2rgb(ours.astype(np.float64)), 1.8e-3,
           "scikit-image's matrix and white are rounded apart, and the curve of sRGB is steep where a channel is near 0")
    agrees("lab_to_rgb", "numpy", f"the picture before rgb_to_lab, {name}", back, real, 1e-5, "f32 both ways")
    if image.dtype == np.float32:
        agrees("rgb_to_lab", "OpenCV", name, ours, cv2.cvtColor(image, cv2.COLOR_RGB2Lab), 0.42, "OpenCV interpolates in tables of 33 cubed colours")
        agrees("lab_to_rgb", "OpenCV", name, np.clip(back, 0, 1), cv2.cvtColor(ours, cv2.COLOR_Lab2RGB), 1.9e-3, "OpenCV's matrix has six digits and its curves are splines")


def stains(name, image):
    real = skimage.util.img_as_float64(image)
    ours = run(image, "unmix_stains:matrix=0.65/0.7/0.29/0.07/0.99/0.11/0.27/0.57/0.78")
    agrees("unmix_stains", "scikit-image", f"rgb2hed, {name}", ours, skimage.color.rgb2hed(real) * 6, 2e-6, "f32 here, double there, at densities up to 6")
    for matrix, rows in (("he", [[0.65, 0.70, 0.29], [0.07, 0.99, 0.11]]), ("hdab", [[0.65, 0.70, 0.29], [0.27, 0.57, 0.78]])):
        rest = np.cross(*rows)
        inverse = np.linalg.inv(np.array([*rows, rest / np.linalg.norm(rest)]))
        agrees("unmix_stains", "scikit-image", f"separate_stains, {matrix}, {name}", run(image, f"unmix_stains:matrix={matrix}"),
               skimage.color.separate_stains(real, inverse) * 6, 2e-6, "f32 here, double there, at densities up to 6")


PATTERNS = {"rggb": "BayerRGGB", "bggr": "BayerBGGR", "grbg": "BayerGRBG", "gbrg": "BayerGBRG"}


def mosaic_of(image, pattern):
    mosaic = np.empty(image.shape[:2], image.dtype)
    for k, letter in enumerate(pattern):
        mosaic[k // 2::2, k % 2::2] = image[k // 2::2, k % 2::2, "rgb".index(letter)]
    return mosaic


def demosaic(name, image):
    if image.dtype == np.float32:
        return
    inside = np.s_[1:-1, 1:-1]
    for pattern, theirs in PATTERNS.items():
        mosaic = mosaic_of(image, pattern)
        ours = run(mosaic, f"demosaic:pattern={pattern}")
        agrees("demosaic", "OpenCV", f"bilinear, {pattern}, inside, {name}", ours[inside],
               cv2.demosaicing(mosaic, getattr(cv2, f"COLOR_{theirs}2RGB"))[inside], 1, "OpenCV rounds halves up, here to even")
        malvar = run(mosaic, f"demosaic:pattern={pattern},method=malvar")
        agrees("demosaic", "numpy", f"malvar, {pattern}, {name}", malvar, malvar_of(mosaic, pattern))
        known = mosaic_of(malvar, pattern)
        agrees("demosaic", "numpy", f"own colours are kept, {pattern}, {name}", known, mosaic)


def malvar_of(mosaic, pattern):
    """The five filters of Malvar, He and Cutler by OpenCV's filter2D in double, chosen site by site."""
    eighth = np.float64(1) / 8
    cross = np.array([[0, 0, -1, 0, 0], [0, 0, 2, 0, 0], [-1, 2, 4, 2, -1], [0, 0, 2, 0, 0], [0, 0, -1, 0, 0]]) * eighth
    along = np.array([[0, 0, 0.5, 0, 0], [0, -1, 0, -1, 0], [-1, 4, 5, 4, -1], [0, -1, 0, -1, 0], [0, 0, 0.5, 0, 0]]) * eighth
    diagonal = np.array([[0, 0, -1.5, 0, 0], [0, 2, 0, 2, 0], [-1.5, 0, 6, 0, -1.5], [0, 2, 0, 2, 0], [0, 0, -1.5, 0, 0]]) * eighth
    real = mosaic.astype(np.float64)
    found = {key: cv2.filter2D(real, cv2.CV_64F, k, borderType=cv2.BORDER_REFLECT_101)
             for key, k in (("cross", cross), ("along", along), ("across", along.T), ("diagonal", diagonal))}
    out = np.empty((*mosaic.shape, 3))
    for k, letter in enumerate(pattern):
        site = np.s_[k // 2::2, k % 2::2]
        row = pattern[:2] if k < 2 else pattern[2:]
        for c, wanted in enumerate("rgb"):
            if wanted == letter:
                out[(*site, c)] = real[site]
            elif wanted == "g":
                out[(*site, c)] = found["cross"][site]
            elif letter == "g":
                out[(*site, c)] = found["along" if wanted in row else "across"][site]
            else:
                out[(*site, c)] = found["diagonal"][site]
    return np.clip(np.rint(out), 0, np.iinfo(mosaic.dtype).max)


def demosaic_quality(name, image):
    """Decibels of what each method makes of the picture's own mosaic, four pixels at the border left out."""
    mosaic, inside = mosaic_of(image, "rggb"), np.s_[4:-4, 4:-4]
    made = {"bilinear": run(mosaic, "demosaic"), "malvar": run(mosaic, "demosaic:method=malvar"),
            "OpenCV bilinear": cv2.demosaicing(mosaic, cv2.COLOR_BayerRGGB2RGB), "OpenCV edge-aware": cv2.demosaicing(mosaic, cv2.COLOR_BayerRGGB2RGB_EA)}
    if min(mosaic.shape) > 8:
        made["OpenCV VNG"] = cv2.demosaicing(mosaic, cv2.COLOR_BayerRGGB2RGB_VNG)
    psnr = {key: skimage.metrics.peak_signal_noise_ratio(image[inside], v[inside]) for key, v in made.items()}
    print(f"demosaic of {name}, PSNR in dB: " + ", ".join(f"{key} {v:.2f}" for key, v in psnr.items()))
    agrees("demosaic", "OpenCV", f"PSNR of bilinear, {name}", psnr["bilinear"], psnr["OpenCV bilinear"], 0.05, "OpenCV rounds halves up, here to even")
    agrees("demosaic", "ground truth", f"malvar is better than bilinear, {name}", psnr["malvar"] > psnr["bilinear"], True)


for name, image in pictures():
    for compare in (grey, hsv, matrix, balance, ycbcr, nv12, lab, stains, demosaic):
        compare(name, image)
for name, image in real_pictures():
    demosaic_quality(name, image)

peers.finish()
