# Compares the statistics with OpenCV, scikit-image and numpy.
import pathlib
import sys

import cv2
import numpy as np
import skimage.metrics

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers

WHITE = {"uint8": 255, "uint16": 65535, "float32": 1.0}


def values(image, step):
    """What one step found."""
    return next(iter(peers.run_values(image, step)[1].values()))


def planes(image):
    return [image] if image.ndim == 2 else [np.ascontiguousarray(image[..., c]) for c in range(image.shape[2])]


def check(name, image):
    real = [p.astype(np.float64) for p in planes(image)]
    white = WHITE[image.dtype.name]
    exact = image.dtype != np.float32
    tolerance = (0, "") if exact else (1e-9 * image.size, "sums of doubles in another order")

    # ---- one value for each channel
    found = values(image, "min_max")
    there = [cv2.minMaxLoc(p) for p in real]
    peers.agrees("min_max", "OpenCV", f"minimum, {name}", found["minimum"], [t[0] for t in there])
    peers.agrees("min_max", "OpenCV", f"maximum, {name}", found["maximum"], [t[1] for t in there])
    peers.agrees("min_max", "numpy", f"first minimum, {name}", np.add(np.multiply(found["minimum_y"], image.shape[1]), found["minimum_x"]),
                 [p.argmin() for p in real])
    peers.agrees("min_max", "numpy", f"first maximum, {name}", np.add(np.multiply(found["maximum_y"], image.shape[1]), found["maximum_x"]),
                 [p.argmax() for p in real])
    peers.agrees("sum", "OpenCV", name, values(image, "sum")["sum"], [cv2.sumElems(p)[0] for p in real], *tolerance)
    peers.agrees("mean", "OpenCV", name, values(image, "mean")["mean"], [cv2.mean(p)[0] for p in real], 1e-9 * white,
                 "divisions of doubles")
    found = values(image, "deviation")
    peers.agrees("deviation", "OpenCV", name, found["deviation"], [cv2.meanStdDev(p)[1][0, 0] for p in real],
                 1e-9 * white, "sums of doubles in another order")
    peers.agrees("deviation", "numpy", name, found["deviation"], [p.std() for p in real], 1e-11 * white,
                 "sums of doubles in another order")
    peers.agrees("count_nonzero", "OpenCV", name, values(image, "count_nonzero")["count"],
                 [cv2.countNonZero(p) for p in planes(image)])

    # ---- percentiles and histograms
    asked = (50, 0, 0.1, 12.5, 33.3, 99.9, 100)
    peers.agrees("percentile", "numpy", name, values(image, "percentile:percentiles=" + "/".join(map(str, asked)))["values"],
                 np.concatenate([np.percentile(p, asked) for p in real]), 1e-12 * white, "one rounding of doubles")
    if exact:
        found = values(image, "histogram")["counts"]
        peers.agrees("histogram", "OpenCV", f"every level, {name}", found,
                     np.concatenate([cv2.calcHist([p], [0], None, [white + 1], [0, white + 1]).ravel() for p in planes(image)]))
    for bins, low, high in ((10, 0.125, 0.75), (256, 0, 1), (777, 0.1, 0.9)):
        ends = (float(np.float32(low * white)), float(np.float32(high * white)))
        step = f"histogram:bins={bins},low={ends[0]:.9g},high={ends[1]:.9g}"
        peers.agrees("histogram", "numpy", f"{bins} bins, {name}", values(image, step)["counts"],
                     np.concatenate([np.histogram(p, bins, ends)[0] for p in real]))
    # numpy's edges are rounded, and an integer on an edge may then lie below it: of integers the formula in integers.
    low, high = min(p.min() for p in real), max(p.max() for p in real)
    found = values(image, "histogram:bins=50")
    if exact:
        bins = [np.minimum((p.astype(np.int64) - int(low)) * 50 // int(high - low), 49) for p in real]
        peers.agrees("histogram", "formula in integers", f"50 bins of an automatic range, {name}", found["counts"],
                     np.concatenate([np.bincount(k.ravel(), minlength=50) for k in bins]))
    else:
        peers.agrees("histogram", "numpy", f"50 bins of an automatic range, {name}", found["counts"],
                     np.concatenate([np.histogram(p, 50, (low, high))[0] for p in real]))

    # ---- sharpness
    found = values(image, "focus_measure")
    energy = [np.mean(cv2.Sobel(p, cv2.CV_64F, 1, 0) ** 2 + cv2.Sobel(p, cv2.CV_64F, 0, 1) ** 2) for p in real]
    reason = "sums of doubles in another order, relative to the value"
    relative = lambda ours, theirs: np.asarray(ours) / np.asarray(theirs)
    peers.agrees("focus_measure", "OpenCV", f"laplacian variance, {name}",
                 relative(found["laplacian_variance"], [cv2.Laplacian(p, cv2.CV_64F).var() for p in real]), np.ones(len(real)), 1e-11, reason)
    peers.agrees("focus_measure", "OpenCV", f"tenengrad, {name}", relative(found["tenengrad"], energy), np.ones(len(real)), 1e-11, reason)
    peers.agrees("focus_measure", "numpy", f"brenner, {name}",
                 relative(found["brenner"], [np.mean((p[:, 2:] - p[:, :-2]) ** 2) for p in real]), np.ones(len(real)), 1e-11, reason)

    # ---- two images
    random = np.random.default_rng(5)
    noise = random.normal(0, 0.02 * white, image.shape)
    other = np.clip(image + noise, 0, white)
    other = np.rint(other).astype(image.dtype) if exact else other.astype(np.float32)
    found = values(image, "compare_images:reference=" + peers.write("reference.tif", other))
    theirs = [p.astype(np.float64) for p in planes(other)]
    pairs = list(zip(real, theirs))
    peers.agrees("compare_images", "OpenCV", f"largest difference, {name}", found["max_difference"],
                 [cv2.norm(a, b, cv2.NORM_INF) for a, b in pairs])
    peers.agrees("compare_images", "numpy", f"its first place, {name}",
                 np.add(np.multiply(found["max_y"], image.shape[1]), found["max_x"]), [np.abs(a - b).argmax() for a, b in pairs])
    peers.agrees("compare_images", "OpenCV", f"mean difference, {name}", found["mean_difference"],
                 [cv2.norm(a, b, cv2.NORM_L1) / a.size for a, b in pairs], 1e-11 * white, "sums of doubles in another order")
    peers.agrees("compare_images", "scikit-image", f"mse, {name}", found["mse"],
                 [skimage.metrics.mean_squared_error(a, b) for a, b in pairs], 1e-11 * white ** 2, "sums of doubles in another order")
    peers.agrees("compare_images", "scikit-image", f"psnr, {name}", found["psnr"],
                 [skimage.metrics.peak_signal_noise_ratio(a, b, data_range=white) for a, b in pairs], 1e-9, "another logarithm")
    peers.agrees("compare_images", "scikit-image", f"ssim, {name}", found["ssim"],
                 [skimage.metrics.structural_similarity(a, b, data_range=white) for a, b in pairs], 1e-10,
                 "moving sums of doubles there, exact sums here")


for name, image in peers.pictures():
    check(name, image)
for name, image in peers.pictures(channels=3, real=False):
    check(f"3 channels, {name}", image)

peers.finish()
