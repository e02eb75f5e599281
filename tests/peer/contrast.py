# Compares the contrast operations with OpenCV and scikit-image.
import pathlib
import sys

import cv2
import numpy as np
import skimage.exposure
import skimage.filters

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers

WHITE = {"uint8": 255, "uint16": 65535, "float32": 1.0}


def white(image):
    return WHITE[image.dtype.name]


def threshold(image, *arguments):
    """The mask, and the threshold that was found."""
    mask, printed = peers.run_values(image, ":".join(["auto_threshold", *arguments]))
    return mask, next(iter(printed.values()))["threshold"]


def otsu(image):
    """The smallest threshold of largest between-class variance (Otsu 1979), in 80 bits."""
    counts = np.bincount(image.ravel()).astype(np.longdouble)
    below, total = np.cumsum(counts), counts.sum()
    moment = np.cumsum(counts * np.arange(counts.size))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (moment * total - below * moment[-1]) ** 2 / (below * (total - below))
    return int(np.nanargmax(np.where(below < total, variance, -1)))


def disagreeing(ours, theirs):
    """Share of pixels that differ."""
    return np.mean(np.asarray(ours) != np.asarray(theirs))


for name, image in peers.pictures():
    top = white(image)
    integer = image.dtype != np.float32

    # ---- equalize and clahe
    if image.dtype == np.uint8:
        peers.agrees("equalize", "OpenCV", name, peers.run(image, "equalize"), cv2.equalizeHist(image))
    if integer:
        for tiles, clip in (((8, 8), 40), ((3, 5), 2), ((1, 1), 0), ((4, 2), 1.5)):
            peers.agrees("clahe", "OpenCV", f"tiles {tiles}, clip {clip}, {name}",
                         peers.run(image, f"clahe:tiles={tiles[0]}x{tiles[1]},clip_factor={clip}"),
                         cv2.createCLAHE(clip, tiles).apply(image))

    # ---- auto_threshold
    mask, found = threshold(image, "method=otsu")
    if integer:
        peers.agrees("auto_threshold", "formula in 80 bits", f"otsu, {name}", found, [otsu(image)])
        peers.agrees("auto_threshold", "numpy", f"otsu's mask, {name}", mask, np.where(image > found[0], top, 0))
        if image.dtype == np.uint8:
            peers.agrees("auto_threshold", "OpenCV", f"otsu, {name}", found,
                         [cv2.threshold(image, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[0]])
            peers.agrees("auto_threshold", "scikit-image", f"otsu, {name}", found, [skimage.filters.threshold_otsu(image)])
        peers.agrees("auto_threshold", "scikit-image", f"triangle, {name}", threshold(image, "method=triangle")[1],
                     [skimage.filters.threshold_triangle(image, nbins=int(top) + 1)])
        peers.agrees("auto_threshold", "scikit-image", f"li, {name}", threshold(image, "method=li")[1],
                     [skimage.filters.threshold_li(image)], 1e-7 * float(top), "T is rounded to f32")
    else:
        peers.agrees("auto_threshold", "scikit-image", f"otsu, {name}", found,
                     [skimage.filters.threshold_otsu(image, nbins=256)], 1.01 / 256,
                     "65536 bins against 256: within one of its bins")
        peers.agrees("auto_threshold", "scikit-image", f"li, {name}", threshold(image, "method=li")[1],
                     [skimage.filters.threshold_li(image.astype(np.float64), tolerance=1e-9)], 1e-4,
                     "samples are counted in 65536 bins")
    peers.agrees("auto_threshold", "scikit-image", f"mean, {name}", threshold(image, "method=mean")[1],
                 [skimage.filters.threshold_mean(image.astype(np.float64))], 1e-7 * float(top), "T is rounded to f32")

    # ---- adaptive_threshold
    for radius, offset in ((1, 0), (3, 5), (7, 2.5), (20, -3)):
        if image.dtype == np.uint8:
            for method, flag in (("mean", cv2.ADAPTIVE_THRESH_MEAN_C), ("gaussian", cv2.ADAPTIVE_THRESH_GAUSSIAN_C)):
                ours = peers.run(image, f"adaptive_threshold:method={method},radius={radius},offset={offset}")
                theirs = cv2.adaptiveThreshold(image, 255, flag, cv2.THRESH_BINARY, 2 * radius + 1, offset)
                if method == "mean" or radius <= 4:
                    peers.agrees("adaptive_threshold", "OpenCV", f"{method}, radius {radius}, {name}", ours, theirs)
                else:
                    peers.agrees("adaptive_threshold", "OpenCV", f"{method}, radius {radius}, share of pixels, {name}",
                                 disagreeing(ours, theirs), 0, 1e-4,
                                 "Gaussian means in f32 that lie within 1e-5 of a half may round to either side")
        elif image.dtype == np.float32:
            size = 2 * radius + 1
            mean = cv2.blur(image.astype(np.float64), (size, size), borderType=cv2.BORDER_REPLICATE)
            ours = peers.run(image, f"adaptive_threshold:radius={radius},offset={offset / 256}")
            clear = np.abs(image - (mean - offset / 256)) > 1e-6
            peers.agrees("adaptive_threshold", "OpenCV", f"mean, radius {radius}, {name}",
                         np.where(clear, ours, 0), np.where(clear & (image > mean - offset / 256), 1, 0))
    for radius, k in ((1, 0.25), (7, 0.25), (20, -0.5)):
        size = 2 * radius + 1
        real = image.astype(np.float64)
        limits = {"niblack": skimage.filters.threshold_niblack(real, size, k),
                  "sauvola": skimage.filters.threshold_sauvola(real, size, k, r=top / 2)}
        for method, limit in limits.items():
            ours = peers.run(image, f"adaptive_threshold:method={method},radius={radius},k={k}")
            # Its integral images of squares in double leave a deviation of about 1e-6 white where there is none.
            clear = np.abs(real - limit) > 1e-6 * top
            peers.agrees("adaptive_threshold", "scikit-image",
                         f"{method}, radius {radius}, {clear.mean():.3f} of the pixels, {name}",
                         np.where(clear, ours, 0), np.where(clear & (real > limit), top, 0))

    # ---- stretch_contrast
    for low, high in ((0, 100), (1, 99), (0.5, 97.25), (2, 99.9)):
        ours = peers.run(image, f"stretch_contrast:low={low},high={high}")
        ends = np.percentile(image.astype(np.float64), (low, high))
        theirs = skimage.exposure.rescale_intensity(image.astype(np.float64), tuple(ends), (0, float(top)))
        if integer:
            peers.agrees("stretch_contrast", "scikit-image", f"{low} to {high}, {name}", ours, theirs, 0.51,
                         "rounded to a level, after operations in f32")
        else:
            peers.agrees("stretch_contrast", "scikit-image", f"{low} to {high}, {name}", ours, theirs, 3e-7,
                         "operations in f32")

    # ---- match_histogram, the reference of another size
    reference = np.ascontiguousarray(image[::2, : image.shape[1] * 2 // 3][::-1])
    reference = np.minimum(reference // 2 + 20, 200) if integer else reference * np.float32(0.5) + np.float32(0.125)
    reference = reference.astype(image.dtype)
    path = peers.write("reference.tif", reference)
    ours = peers.run(image, f"match_histogram:reference={path}")
    theirs = skimage.exposure.match_histograms(image.astype(np.float64) if not integer else image, reference)
    if integer:
        peers.agrees("match_histogram", "scikit-image", name, ours, theirs, 0.5000001, "floats there, rounded to a level here")
    else:
        peers.agrees("match_histogram", "scikit-image", name, ours, theirs, 1.01 * float(np.ptp(reference)) / 65535,
                     "f32 goes through 65536 levels of the reference's range")

for name, image in peers.pictures(channels=3, formats=("u8", "u16"), real=False):
    top = white(image)
    joined = lambda planes: np.stack(planes, -1)
    planes = [np.ascontiguousarray(image[..., c]) for c in range(3)]
    peers.agrees("clahe", "OpenCV", f"each channel, {name}", peers.run(image, "clahe:clip_factor=3"),
                 joined([cv2.createCLAHE(3, (8, 8)).apply(p) for p in planes]))
    value = cv2.createCLAHE(3, (8, 8)).apply(image.max(-1))
    was = image.max(-1).astype(np.float64)
    scaled = np.where(was[..., None] > 0, image * (value / np.where(was > 0, was, 1))[..., None], value[..., None])
    peers.agrees("clahe", "OpenCV", f"on value, {name}", peers.run(image, "clahe:clip_factor=3,on=value"), scaled, 0.51,
                 "channels scaled in f32 and rounded to a level")
    if top == 255:
        peers.agrees("equalize", "OpenCV", f"each channel, {name}", peers.run(image, "equalize"),
                     joined([cv2.equalizeHist(p) for p in planes]))
    # With channel_axis scikit-image cuts its floats off to integers, hence plane by plane.
    reference = image[:50, ::-1] // 2
    peers.agrees("match_histogram", "scikit-image", f"each channel, {name}",
                 peers.run(image, "match_histogram:reference=" + peers.write("reference.tif", reference)),
                 joined([skimage.exposure.match_histograms(p, reference[..., c]) for c, p in enumerate(planes)]), 0.5000001,
                 "floats there, rounded to a level here")
    for each in (False, True):
        real = image.astype(np.float64)
        low, high = np.percentile(real, (1, 99), axis=(0, 1) if each else None)
        peers.agrees("stretch_contrast", "numpy", f"per_channel={each}, {name}",
                     peers.run(image, f"stretch_contrast:low=1,high=99,per_channel={str(each).lower()}"),
                     np.clip((real - low) / (high - low), 0, 1) * top, 0.51, "rounded to a level, after operations in f32")

peers.finish()
