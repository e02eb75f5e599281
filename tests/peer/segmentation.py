# Labels, fills, measurements, distances, growth and outlines against scikit-image, SciPy and OpenCV.
import json
import pathlib
import sys

import cv2
import numpy as np
import scipy.ndimage as ndimage
import skimage.filters
import skimage.measure
import skimage.segmentation
import tifffile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import peers

random = np.random.default_rng(11)
everywhere = np.ones((3, 3), np.uint8)
ROUNDED = "sums in another order, and roots of them"


def otsu(image):
    """The smallest threshold of largest between-class variance (Otsu 1979), in 80 bits."""
    counts = np.bincount(image.ravel()).astype(np.longdouble)
    below, total = np.cumsum(counts), counts.sum()
    moment = np.cumsum(counts * np.arange(counts.size))
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (moment * total - below * moment[-1]) ** 2 / (below * (total - below))
    return int(np.nanargmax(np.where(below < total, variance, -1)))


def regions(labels, intensity=None):
    """Columns of `zeroplane measure`."""
    files = [peers.write("labels.tif", labels)] + ([peers.write("levels.tif", intensity)] if intensity is not None else [])
    rows = json.loads(peers.command("measure", *files, "--no-label", "--json"))
    return {key: np.array([float(row[key]) for row in rows]) for key in (rows[0] if rows else {})}


def compare_regions(what, labels, intensity):
    ours = regions(labels, intensity)
    theirs = skimage.measure.regionprops(labels.astype(np.int64), intensity_image=intensity)

    def same(column, value, tolerance=0.0, reason=ROUNDED, operation="regions"):
        peers.agrees(operation, "skimage.measure.regionprops", f"{column}, {what}", ours[column], [value(r) for r in theirs],
                     tolerance, reason if tolerance else "")

    same("label", lambda r: r.label)
    same("area", lambda r: r.area)
    for k, column in enumerate(("y", "x")):
        same(column, lambda r: r.bbox[k])
        same(("height", "width")[k], lambda r: r.bbox[k + 2] - r.bbox[k])
        same("centroid_" + column, lambda r: r.centroid[k])
    same("perimeter", lambda r: r.perimeter, 1e-11)
    same("equivalent_diameter", lambda r: r.equivalent_diameter_area, 1e-12)
    same("major_axis", lambda r: r.axis_major_length, 1e-11)
    peers.agrees("regions", "skimage.measure.regionprops", f"minor_axis squared, {what}", ours["minor_axis"] ** 2,
                 [r.axis_minor_length ** 2 for r in theirs], 1e-8, "thin objects: the difference of two large numbers there, a product here")
    peers.agrees("regions", "skimage.measure.regionprops", f"eccentricity squared, {what}", ours["eccentricity"] ** 2,
                 [r.eccentricity ** 2 for r in theirs], 1e-13, ROUNDED)
    long = np.array([r.axis_major_length - r.axis_minor_length > 1e-3 * r.axis_major_length for r in theirs], bool)
    turn = np.abs(ours["orientation"] - [np.degrees(r.orientation) - 90 for r in theirs])[long] % 180
    peers.agrees("regions", "skimage.measure.regionprops", f"orientation, {what}", np.minimum(turn, 180 - turn), 0 * turn,
                 1e-5, "an angle in f32, in degrees, here")
    scale = 1 + float(np.abs(intensity.astype(np.float64)).max())
    same("minimum", lambda r: r.intensity_min)
    same("maximum", lambda r: r.intensity_max)
    same("mean", lambda r: r.image_intensity[r.image].astype(np.float64).mean(), 1e-14 * scale)
    same("sum", lambda r: r.image_intensity[r.image].astype(np.float64).sum(), 1e-14 * scale * labels.size if intensity.dtype == np.float32 else 0)
    same("deviation", lambda r: r.image_intensity[r.image].astype(np.float64).std(), 1e-13 * scale)


def compare_labels(what, mask):
    for connectivity, structure in ((8, everywhere), (4, None)):
        ours, found = peers.run_values(mask, f"label:connectivity={connectivity}")
        theirs, count = ndimage.label(mask, structure)
        peers.agrees("label", "scipy.ndimage.label", f"connectivity {connectivity}, {what}", ours, theirs)
        peers.agrees("label", "skimage.measure.label", f"connectivity {connectivity}, {what}", ours,
                     skimage.measure.label(mask != 0, connectivity=2 if connectivity == 8 else 1))
        peers.agrees("label", "cv2.connectedComponents", f"count with connectivity {connectivity}, {what}",
                     next(iter(found.values()))["count"],
                     cv2.connectedComponents((mask != 0).astype(np.uint8), connectivity=connectivity)[0] - 1)
        peers.agrees("label", "scipy.ndimage.label", f"count with connectivity {connectivity}, {what}",
                     next(iter(found.values()))["count"], count)


def compare_distance(what, mask):
    ours = peers.run(mask, "distance")
    peers.agrees("distance", "scipy.ndimage.distance_transform_edt", what, ours,
                 ndimage.distance_transform_edt(mask).astype(np.float32))
    peers.agrees("distance", "cv2.distanceTransform", f"DIST_MASK_PRECISE, {what}", ours,
                 cv2.distanceTransform((mask != 0).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE))


def nearest_label(labels, distance):
    """By a distance map of each label: the smallest of the nearest, and where there is only one."""
    kinds = np.unique(labels[labels != 0])
    maps = np.stack([ndimage.distance_transform_edt(labels != kind) for kind in kinds])
    squares = np.rint(maps ** 2)  # integers, so that equal distances are equal
    least = squares.min(0)
    grown = np.where(least <= float(distance) ** 2, kinds[squares.argmin(0)], 0)
    return grown, (squares == least).sum(0) == 1


def compare_growth(what, labels):
    for distance in (1, 2.5, 12):
        ours = peers.run(labels, f"expand_labels:distance={distance}")
        grown, single = nearest_label(labels, distance)
        peers.agrees("expand_labels", "scipy.ndimage.distance_transform_edt", f"of each label, distance {distance}, {what}", ours, grown)
        peers.agrees("expand_labels", "skimage.segmentation.expand_labels", f"where one label is nearest, distance {distance}, {what}",
                     ours[single], skimage.segmentation.expand_labels(labels, distance)[single])


def compare_outlines(what, labels):
    for connectivity in (4, 8):
        for mode in ("inner", "outer"):
            ours = peers.run(labels, f"find_boundaries:connectivity={connectivity},mode={mode}")
            theirs = skimage.segmentation.find_boundaries(labels, connectivity=connectivity // 4, mode=mode)
            peers.agrees("find_boundaries", "skimage.segmentation.find_boundaries", f"{mode}, connectivity {connectivity}, {what}",
                         ours, theirs * np.uint8(255))


def compare_fill(what, image):
    height, width = image.shape
    x, y = width // 3, height // 2
    reach = float(np.ptp(image.astype(np.float64))) / 6
    reach = float(np.float32(reach)) if image.dtype == np.float32 else int(reach)
    value = image.dtype.type(image.max())
    for connectivity in (4, 8):
        step = f"flood_fill:x={x},y={y},value={value},tolerance={reach},connectivity={connectivity}"
        ours = peers.run(image, step)
        near = skimage.segmentation.flood(image, (y, x), connectivity=connectivity // 4, tolerance=reach)
        peers.agrees("flood_fill", "skimage.segmentation.flood", f"fixed range, connectivity {connectivity}, {what}", ours,
                     np.where(near, value, image))
        if image.dtype == np.uint16:
            continue  # OpenCV has none
        for kind, flag in (("fixed", cv2.FLOODFILL_FIXED_RANGE), ("floating", 0)):
            ours, found = peers.run_values(image, f"{step},range={kind}")
            theirs = image.copy()
            count, _, _, box = cv2.floodFill(theirs, None, (x, y), float(value), reach, reach, connectivity | flag)
            peers.agrees("flood_fill", "cv2.floodFill", f"{kind} range, connectivity {connectivity}, {what}", ours, theirs)
            found = next(iter(found.values()))
            peers.agrees("flood_fill", "cv2.floodFill", f"count and box, {kind} range, connectivity {connectivity}, {what}",
                         [found[key] for key in ("count", "x", "y", "width", "height")], [count, *box])


def objects(mask, kind):
    """Some labels with gaps, of touching objects too."""
    labels = ndimage.label(mask)[0]
    labels = np.where(labels > 40, labels % 40 + 1, labels) * 5
    labels[: labels.shape[0] // 8, : labels.shape[1] // 5] = 7
    labels[: labels.shape[0] // 8, labels.shape[1] // 5: labels.shape[1] // 3] = 12
    return labels.astype(kind)


for name, image in peers.pictures():
    mask = (image > np.quantile(image, 0.8)).astype(np.uint8) * 255
    if image.dtype != np.float32:
        mask, printed = peers.run_values(image, "auto_threshold:method=otsu")
        threshold = next(iter(printed.values()))["threshold"]
        peers.agrees("auto_threshold", "Otsu's formula in 80 bits", name, np.ravel(threshold), [otsu(image)])
        if image.dtype == np.uint8:
            peers.agrees("auto_threshold", "cv2.threshold", f"THRESH_OTSU, {name}", np.ravel(threshold),
                         [cv2.threshold(image, 0, 255, cv2.THRESH_OTSU)[0]])
    compare_labels(name, mask)
    compare_labels(f"as it is, {name}", (image > 0).astype(image.dtype))
    compare_distance(name, mask)
    compare_fill(name, image)
    labels = objects(mask, {"u": np.uint8 if image.dtype == np.uint8 else np.uint16, "f": np.uint32}[image.dtype.kind])
    compare_growth(name, labels)
    compare_outlines(name, labels)
    compare_regions(name, labels, image)
    areas = cv2.connectedComponentsWithStats((mask != 0).astype(np.uint8), connectivity=8, ltype=cv2.CV_32S)
    numbered = areas[1].astype(np.uint32)
    ours = regions(numbered)
    peers.agrees("regions", "cv2.connectedComponentsWithStats", f"boxes and areas, {name}",
                 np.stack([ours[key] for key in ("x", "y", "width", "height", "area")], 1), areas[2][1:])
    peers.agrees("regions", "cv2.connectedComponentsWithStats", f"centroids, {name}",
                 np.stack([ours["centroid_x"], ours["centroid_y"]], 1), areas[3][1:])

for width, height, share in ((300, 200, 0.9995), (70, 333, 0.98), (128, 64, 0.5)):
    what = f"{width}x{height}, zeros {1 - share:.4f}"
    compare_distance(what, (random.random((height, width)) < share).astype(np.uint8))
    seeds = np.where(random.random((height, width)) < share, 0, random.integers(1, 50, (height, width)))
    compare_growth(what, seeds.astype(np.uint16))
    compare_outlines(what, seeds.astype(np.uint32))

if peers.samples.is_dir():
    # Nuclei whose labels come with them, and cells from threshold to table by both.
    nuclei = tifffile.imread(peers.samples / "microscopy/nuclei_u16_512.tif")
    labels = tifffile.imread(peers.samples / "microscopy/nuclei_u16_512_labels.tif")
    compare_regions("nuclei with their labels", labels, nuclei)
    compare_regions("nuclei as f32", labels, nuclei.astype(np.float32) * np.float32(0.01) - 3)
    compare_outlines("nuclei", labels)
    compare_growth("nuclei", labels)
    compare_distance("nuclei", (labels != 0).astype(np.uint8))
    for what, file in (("nuclei", "nuclei_u16_512.tif"), ("cells", "human_D03f00d0.tif")):
        image = tifffile.imread(peers.samples / "microscopy" / file)
        mask, printed = peers.run_values(image, "auto_threshold:method=otsu")
        threshold = float(np.ravel(next(iter(printed.values()))["threshold"])[0])
        peers.agrees("auto_threshold", "skimage.filters.threshold_otsu", what, mask != 0,
                     image > skimage.filters.threshold_otsu(image, nbins=65536))
        theirs = skimage.measure.label(image > threshold)
        compare_regions(f"{what} from threshold to table", peers.run(mask, "label"), image)
        rows = json.loads(peers.command("measure", peers.write("mask.tif", mask), peers.write("levels.tif", image), "--json"))
        peers.agrees("regions", "skimage.measure", f"number of objects, {what}", len(rows), theirs.max())
        peers.agrees("regions", "skimage.measure", f"areas from the mask, {what}", [row["area"] for row in rows],
                     np.bincount(theirs.ravel())[1:])
peers.finish()
