# Morphology against OpenCV, SciPy and scikit-image: all of it orders and selects, so everything agrees exactly.
import pathlib
import sys

import cv2
import numpy as np
import scipy.ndimage as ndimage
import skimage.measure
import skimage.morphology
import skimage.segmentation

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers


def disc(radius):
    square = np.arange(-radius, radius + 1) ** 2
    return (np.add.outer(square, square) <= radius * radius).astype(np.uint8)


def lines(straight, diagonal, oblique):
    """The polygon that stands for a disc: a sum of lines in eight directions."""
    reach = straight + 2 * diagonal + 6 * oblique
    mask = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    mask[reach, reach] = 1
    for dx, dy, steps in ((1, 0, straight), (0, 1, straight), (1, 1, diagonal), (1, -1, diagonal), (2, 1, oblique),
                          (2, -1, oblique), (1, 2, oblique), (1, -2, oblique)):
        line = np.zeros((2 * steps * abs(dy) + 1, 2 * steps * abs(dx) + 1), np.uint8)
        for k in range(-steps, steps + 1):
            line[k * dy + steps * abs(dy), k * dx + steps * abs(dx)] = 1
        mask = cv2.dilate(mask, line, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return mask


elements = [("box", 1, 1, np.ones((3, 3), np.uint8)), ("box", 7, 1, np.ones((15, 15), np.uint8)),
            ("box", 2, 3, np.ones((5, 5), np.uint8)), ("cross", 1, 1, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))),
            ("cross", 4, 2, cv2.getStructuringElement(cv2.MORPH_CROSS, (9, 9))), ("disc", 3, 1, disc(3)),
            ("disc", 5, 2, disc(5))]
compounds = {"open": cv2.MORPH_OPEN, "close": cv2.MORPH_CLOSE, "morphological_gradient": cv2.MORPH_GRADIENT,
             "top_hat": cv2.MORPH_TOPHAT, "black_hat": cv2.MORPH_BLACKHAT}

for name, image in [*peers.pictures(), *((f"{n}, 3 channels", p) for n, p in peers.pictures(channels=3, real=False))]:
    for shape, radius, iterations, mask in elements:
        step = f"element={shape},radius={radius},iterations={iterations}"
        what = f"{shape} of radius {radius}, {iterations} times, {name}"
        peers.agrees("erode", "OpenCV", what, peers.run(image, f"erode:{step}"),
                     cv2.erode(image, mask, iterations=iterations))
        peers.agrees("dilate", "OpenCV", what, peers.run(image, f"dilate:{step}"),
                     cv2.dilate(image, mask, iterations=iterations))
        for operation, kind in compounds.items():
            peers.agrees(operation, "OpenCV", what, peers.run(image, f"{operation}:{step}"),
                         cv2.morphologyEx(image, kind, mask, iterations=iterations))
    # Radii of 3 pixels and fewer have the disc itself; the others a polygon, whose lines are given here.
    for radius, mask in ((3, disc(3)), (9, lines(3, 3, 0)), (25, lines(5, 1, 3)), (50, lines(10, 5, 5))):
        peers.agrees("subtract_background", "OpenCV's top-hat with the same polygon", f"radius {radius}, {name}",
                     peers.run(image, f"subtract_background:radius={radius}"),
                     cv2.morphologyEx(image, cv2.MORPH_TOPHAT, mask))

footprints = {4: ndimage.generate_binary_structure(2, 1), 8: np.ones((3, 3))}
for name, image in peers.pictures():
    # mode "ignore": what lies outside is neutral.
    peers.agrees("open", "scikit-image", f"disc of radius 4, {name}", peers.run(image, "open:element=disc,radius=4"),
                 skimage.morphology.opening(image, skimage.morphology.disk(4), mode="ignore"))
    peers.agrees("close", "scikit-image", f"disc of radius 4, {name}", peers.run(image, "close:element=disc,radius=4"),
                 skimage.morphology.closing(image, skimage.morphology.disk(4), mode="ignore"))
    white = image.max()
    low = np.where(image > white // 5 if image.dtype != np.float32 else image > 0.2, image - image.dtype.type(0.2 * white), 0)
    low = low.astype(image.dtype)
    seeds = np.where(np.random.default_rng(5).random(image.shape) < 0.002, image, 0).astype(image.dtype)
    inside = np.full_like(image, white)
    inside[0], inside[-1], inside[:, 0], inside[:, -1] = image[0], image[-1], image[:, 0], image[:, -1]
    for connectivity, footprint in footprints.items():
        for which, marker in (("0.2 below", low), ("seeds", seeds)):
            peers.agrees("reconstruct", "scikit-image", f"{which}, connectivity {connectivity}, {name}",
                         peers.run(marker, f"reconstruct:mask={peers.write('mask.tif', image)},connectivity={connectivity}"),
                         skimage.morphology.reconstruction(marker, image, footprint=footprint))
        marker = np.where(np.random.default_rng(6).random(image.shape) < 0.002, image, white).astype(image.dtype)
        peers.agrees("reconstruct", "scikit-image", f"erosion, connectivity {connectivity}, {name}",
                     peers.run(marker, f"reconstruct:mask={peers.write('mask.tif', image)},kind=erosion,connectivity={connectivity}"),
                     skimage.morphology.reconstruction(marker, image, method="erosion", footprint=footprint))
        peers.agrees("fill_holes", "scikit-image's reconstruction from the border", f"connectivity {connectivity}, {name}",
                     peers.run(image, f"fill_holes:connectivity={connectivity}"),
                     skimage.morphology.reconstruction(inside, image, method="erosion", footprint=footprint))
        for percent in (30, 60):
            mask = image > np.percentile(image, percent)
            bytes_ = mask.astype(np.uint8) * 255
            what = f"connectivity {connectivity}, {percent} % background, {name}"
            peers.agrees("fill_holes", "SciPy", what, peers.run(bytes_, f"fill_holes:connectivity={connectivity}"),
                         ndimage.binary_fill_holes(mask, footprint) * 255)
            peers.agrees("remove_small", "scikit-image", what,
                         peers.run(bytes_, f"remove_small:area=20,connectivity={connectivity}"),
                         skimage.morphology.remove_small_objects(mask, max_size=19, connectivity=connectivity // 4) * 255)
            # clear_border of scikit-image labels with 8 neighbours; labels made beforehand stay what they are.
            labels = skimage.measure.label(mask, connectivity=connectivity // 4)
            peers.agrees("clear_border", "scikit-image", what,
                         peers.run(bytes_, f"clear_border:connectivity={connectivity}"),
                         (skimage.segmentation.clear_border(labels if connectivity == 4 else mask) > 0) * 255)

peers.finish()
