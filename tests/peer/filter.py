# Compares the filters with OpenCV, SciPy, scikit-image and the formulas in numpy.
import pathlib
import sys

import cv2
import numpy as np
import scipy.ndimage as ndimage
import skimage.filters

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers

sums = "sums of f32 in another order"
double = "f32 against double"
ties = "rounding of f32 against double at a half"


def spatial(scipy_filter, image, *arguments, **options):
    """A filter of SciPy on each channel."""
    if image.ndim == 2:
        return scipy_filter(image, *arguments, **options)
    return np.stack([scipy_filter(image[..., c], *arguments, **options) for c in range(image.shape[2])], -1)


def gaussian(image, sigma, mode):
    return spatial(ndimage.gaussian_filter, image.astype(np.float64), sigma, mode=mode, truncate=4)


def rounded(image, values):
    """Values in double as samples of the image's format."""
    if image.dtype == np.float32:
        return values
    return np.rint(values).clip(0, np.iinfo(image.dtype).max)


def white(image):
    return 1.0 if image.dtype == np.float32 else float(np.iinfo(image.dtype).max)


def bilateral(image, radius, sigma_space, sigma_range):
    """The definition in double, border reflect101."""
    a = image.astype(np.float64).reshape(image.shape[:2] + (-1,))
    height, width = a.shape[:2]
    outside = np.pad(a, ((radius, radius), (radius, radius), (0, 0)), mode="reflect")
    total, weights = np.zeros_like(a), np.zeros((height, width, 1))
    for y in range(-radius, radius + 1):
        for x in range(-radius, radius + 1):
            if x * x + y * y > radius * radius:
                continue
            v = outside[radius + y:radius + y + height, radius + x:radius + x + width]
            distance = np.abs(v - a).sum(-1, keepdims=True)
            w = np.exp(-(x * x + y * y) / (2 * sigma_space**2) - distance**2 / (2 * sigma_range**2))
            total, weights = total + w * v, weights + w
    return (total / weights).reshape(image.shape)


kernel = np.array([[0.125, 0.25, -0.375, 0.5], [-0.5, 0.25, 0.125, 0.0625], [0.75, 0, -1, 0.25]], np.float32)
listed = "/".join(map(str, kernel.ravel()))
row, column = np.array([0.125, 0.5, 0.25, 0.125, -0.25]), np.array([0.25, 0.5, 0.25])
row_listed, column_listed = "/".join(map(str, row)), "/".join(map(str, column))

for channels in (1, 3):
    for name, image in peers.pictures(channels=channels):
        name += "" if channels == 1 else ", 3 channels"
        real = image.dtype == np.float32
        step = 1e-6 * white(image)  # a sum of f32 against the same in another order
        f32 = image.astype(np.float32)

        def run(*steps):
            return peers.run(image, *steps)

        for radius in (1, 2, 7):
            ours, side = run(f"box:radius={radius},border=reflect"), 2 * radius + 1  # odd windows have no ties
            peers.agrees("box", "SciPy", f"uniform_filter {side}x{side}, {name}", ours,
                         rounded(image, spatial(ndimage.uniform_filter, image.astype(np.float64), side, mode="reflect")),
                         step if real else 0, double if real else "")
            wide = image.dtype == np.uint16
            peers.agrees("box", "OpenCV", f"blur {side}x{side}, {name}", ours, cv2.blur(image, (side, side), borderType=cv2.BORDER_REFLECT),
                         step if real else int(wide), sums if real else "OpenCV multiplies u16 by the reciprocal in f32" if wide else "")
        peers.agrees("box", "SciPy", f"uniform_filter 6x4, {name}", run("box:size=6x4,border=reflect"),
                     rounded(image, spatial(ndimage.uniform_filter, image.astype(np.float64), (4, 6), mode="reflect")),
                     step if real else 1, double if real else ties)
        for sigma in (0.8, 2, 5):
            peers.agrees("gaussian", "SciPy", f"gaussian_filter sigma {sigma}, {name}",
                         run(f"gaussian:sigma={sigma},border=reflect"), rounded(image, gaussian(image, sigma, "reflect")),
                         2 * step if real else 1, double if real else ties)
        peers.agrees("gaussian", "OpenCV", f"GaussianBlur 17x17, {name}", run("gaussian:sigma=2,radius=8"),
                     cv2.GaussianBlur(image, (17, 17), 2), 2 * step if real else image.itemsize,
                     sums if real else "OpenCV sums u8 and u16 in fixed point")
        for ksize in (3, 5):
            peers.agrees("median", "OpenCV", f"medianBlur {ksize}, {name}", run(f"median:radius={ksize // 2}"),
                         cv2.medianBlur(image, ksize))
        for radius in (3, 6):
            peers.agrees("median", "SciPy", f"median_filter radius {radius}, {name}", run(f"median:radius={radius}"),
                         spatial(ndimage.median_filter, image, 2 * radius + 1, mode="nearest"))
        for radius, percentile in ((1, 33.3), (2, 0), (3, 90), (2, 100)):
            peers.agrees("rank", "SciPy", f"percentile_filter {percentile} radius {radius}, {name}",
                         run(f"rank:radius={radius},percentile={percentile}"),
                         spatial(ndimage.percentile_filter, image, percentile, size=2 * radius + 1, mode="nearest"))
        color = 0.12 * white(image) * channels
        ours = run(f"bilateral:radius=4,sigma_space=3,sigma_range={color}")
        peers.agrees("bilateral", "numpy", f"the definition, {name}", ours, rounded(image, bilateral(image, 4, 3, color)),
                     3 * step if real else 1, double if real else ties)
        if image.dtype != np.uint16:
            peers.agrees("bilateral", "OpenCV", f"bilateralFilter, {name}", ours, cv2.bilateralFilter(image, 9, color, 3),
                         1e-4 if real else 1, "OpenCV interpolates its table of exp" if real else ties)

        # Sums of integers are exact with these kernels.
        peers.agrees("convolve", "OpenCV", f"filter2D 4x3, {name}", run(f"convolve:kernel={listed},size=4x3,anchor=0x2,offset=2"),
                     cv2.filter2D(image, -1, kernel, anchor=(0, 2), delta=2), 4 * step if real else 0, sums if real else "")
        peers.agrees("convolve", "SciPy", f"correlate 4x3 to f32, {name}",
                     run(f"convolve:kernel={listed},size=4x3,format=f32,border=reflect"),
                     spatial(ndimage.correlate, image.astype(np.float64), kernel, mode="reflect"),
                     4 * step if real else 0, double if real else "")
        ones = "/".join(["1"] * 441)
        peers.agrees("convolve", "OpenCV", f"filter2D 21x21, {name}", run(f"convolve:kernel={ones},format=f32"),
                     cv2.filter2D(f32, -1, np.ones((21, 21))), 441 * 4 * step, "OpenCV takes an FFT")
        peers.agrees("convolve_separable", "OpenCV", f"sepFilter2D, {name}",
                     run(f"convolve_separable:kernel_x={row_listed},kernel_y={column_listed},anchor=1x1,offset=2,format=f32"),
                     cv2.sepFilter2D(f32, -1, row, column, anchor=(1, 1), delta=2), 4 * step if real else 0, sums if real else "")
        peers.agrees("convolve_separable", "SciPy", f"correlate1d twice, {name}",
                     run(f"convolve_separable:kernel_x={row_listed},kernel_y={column_listed},border=wrap"),
                     rounded(image, spatial(lambda a: ndimage.correlate1d(ndimage.correlate1d(a, row, 1, mode="wrap"), column, 0, mode="wrap"),
                                            image.astype(np.float64))),
                     4 * step if real else 0, double if real else "")

        few = 8 * step if real else 0
        for dx, dy in ((1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1)):
            peers.agrees("sobel", "OpenCV", f"Sobel {dx} {dy}, {name}", run(f"sobel:dx={dx},dy={dy}"),
                         cv2.Sobel(f32, cv2.CV_32F, dx, dy), few, sums if real else "")
        peers.agrees("sobel", "OpenCV", f"Sobel, same format, {name}", run("sobel:dx=0,dy=1,scale=0.5,offset=100,format=same"),
                     cv2.Sobel(image, -1, 0, 1, scale=0.5, delta=100), 1e-5 if real else 0, sums if real else "")
        for dx in (0, 1):
            peers.agrees("scharr", "OpenCV", f"Scharr {dx} {1 - dx}, {name}", run(f"scharr:dx={dx},dy={1 - dx},scale=0.25,offset=3"),
                         cv2.Scharr(f32, cv2.CV_32F, dx, 1 - dx, scale=0.25, delta=3), 8 * few, sums if real else "")
        for aperture in (1, 3):
            peers.agrees("laplacian", "OpenCV", f"Laplacian {aperture}, {name}", run(f"laplacian:aperture={aperture},border=replicate"),
                         cv2.Laplacian(f32, cv2.CV_32F, ksize=aperture, borderType=cv2.BORDER_REPLICATE), few, sums if real else "")
        peers.agrees("laplacian", "SciPy", f"laplace, {name}", run("laplacian:border=reflect"),
                     spatial(ndimage.laplace, image.astype(np.float64), mode="reflect"), few, double if real else "")
        for kind, derivative in (("sobel", cv2.Sobel), ("scharr", cv2.Scharr)):
            gx, gy = (derivative(image.astype(np.float64), cv2.CV_64F, d, 1 - d) for d in (1, 0))
            peers.agrees("gradient_magnitude", "OpenCV", f"magnitude of {kind}, {name}", run(f"gradient_magnitude:kind={kind}"),
                         cv2.magnitude(gx.ravel(), gy.ravel()).reshape(gx.shape), 32 * step, double)
        if real and channels == 1:
            for kind, theirs in (("sobel", skimage.filters.sobel), ("scharr", skimage.filters.scharr)):
                scale = (0.25 if kind == "sobel" else 0.0625) / np.sqrt(2)
                peers.agrees("gradient_magnitude", "scikit-image", f"{kind}, {name}",
                             run(f"gradient_magnitude:kind={kind},scale={scale},border=reflect"), theirs(image), 1e-6, double)

        smooth = gaussian(image, 1.5, "reflect")
        difference = image - smooth
        sharp = "unsharp_mask:sigma=1.5,amount=0.8,border=reflect"
        peers.agrees("unsharp_mask", "SciPy", f"image + 0.8 (image - gaussian_filter), {name}", run(sharp),
                     rounded(image, image + 0.8 * difference), 4 * step if real else 1, double if real else ties)
        limit = 0.05 * white(image)
        close = np.abs(np.abs(difference) - limit) > 2 * step  # not where rounding decides
        peers.agrees("unsharp_mask", "SciPy", f"where the difference is above 5 percent, {name}", run(f"{sharp},threshold={limit}")[close],
                     rounded(image, np.where(np.abs(difference) <= limit, image, image + 0.8 * difference))[close],
                     4 * step if real else 1, double if real else ties)
        if real:
            peers.agrees("unsharp_mask", "scikit-image", f"unsharp_mask, {name}", run(sharp),
                         spatial(skimage.filters.unsharp_mask, image, 1.5, 0.8, preserve_range=True),
                         4 * step, sums)
            peers.agrees("difference_of_gaussians", "scikit-image", f"difference_of_gaussians, {name}",
                         run("difference_of_gaussians:low=1.2,border=replicate"),
                         skimage.filters.difference_of_gaussians(image, 1.2, channel_axis=-1 if channels == 3 else None), 4 * step, sums)
        peers.agrees("difference_of_gaussians", "SciPy", f"two gaussian_filter, {name}", run("difference_of_gaussians:low=1,high=3,border=wrap"),
                     gaussian(image, 1, "wrap") - gaussian(image, 3, "wrap"), 4 * step, double)

peers.finish()
