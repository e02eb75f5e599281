# Layout operations against OpenCV, scikit-image, numpy and tifffile.
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))

import cv2
import numpy as np
import skimage.color
import skimage.util
import tifffile

import peers
from peers import agrees, run

random = np.random.default_rng(11)


def crop_and_pad(name, image):
    height, width = image.shape[:2]
    agrees("crop", "numpy", name, run(image, "crop:x=5,y=7,width=60,height=31"), image[7:38, 5:65])
    for border, theirs, mode in (("replicate", cv2.BORDER_REPLICATE, "edge"), ("reflect", cv2.BORDER_REFLECT, "symmetric"),
                                 ("reflect101", cv2.BORDER_REFLECT_101, "reflect"), ("wrap", cv2.BORDER_WRAP, "wrap"),
                                 ("constant", cv2.BORDER_CONSTANT, "constant")):
        step = f"pad:left=9,top=4,right=3,bottom=12,border={border}"
        ours = run(image, step)
        agrees("pad", "OpenCV", f"{border}, {name}", ours, cv2.copyMakeBorder(image, 4, 12, 9, 3, theirs))
        sides = [(4, 12), (9, 3)] + [(0, 0)] * (image.ndim - 2)
        agrees("pad", "numpy", f"{border}, {name}", ours, np.pad(image, sides, mode))
    top = 1 if image.dtype == np.float32 else np.iinfo(image.dtype).max
    agrees("pad", "OpenCV", f"value, {name}", run(image, f"pad:left=2,top=2,value={top}"),
           cv2.copyMakeBorder(image, 2, 0, 2, 0, cv2.BORDER_CONSTANT, value=[top] * 4))
    agrees("fill", "numpy", name, run(image, f"fill:value={top}"), np.full_like(image, top))
    agrees("pad", "numpy", f"reflect101 three widths beyond the image, {name}",
           run(image, f"pad:left={3 * width},border=reflect101"),
           np.pad(image, [(0, 0), (3 * width, 0)] + [(0, 0)] * (image.ndim - 2), "reflect"))


def convert(name, image):
    if image.dtype == np.float32:
        spread = image * 300 - 20
        agrees("convert", "numpy", f"none to u8, {name}", run(spread, "convert:format=u8,scale=none"), np.clip(np.rint(spread), 0, 255))
        agrees("convert", "scikit-image", f"to u8, {name}", run(image, "convert:format=u8"), skimage.util.img_as_ubyte(image))
        agrees("convert", "scikit-image", f"to u16, {name}", run(image, "convert:format=u16"), skimage.util.img_as_uint(image), 1,
               "products at a tie: v * 65535 is rounded in f32 here, in double there")
        return
    top = np.iinfo(image.dtype).max
    agrees("convert", "scikit-image", f"to f32, {name}", run(image, "convert"), skimage.util.img_as_float32(image), 6e-8,
           "scikit-image multiplies by 1 / white, which is rounded; here v / white is rounded once")
    agrees("convert", "numpy", f"to f32, {name}", run(image, "convert"), (image / np.float64(top)).astype(np.float32))
    agrees("convert", "numpy", f"none to f32, {name}", run(image, "convert:scale=none"), image.astype(np.float32))
    agrees("convert", "numpy", f"scale and offset, {name}", run(image, "convert:format=u8,scale=0.5,offset=3"),
           np.clip(np.rint(image.astype(np.float64) * 0.5 + 3), 0, 255))
    if image.dtype == np.uint8:
        agrees("convert", "scikit-image", f"to u16, {name}", run(image, "convert:format=u16"), skimage.util.img_as_uint(image))
    else:
        agrees("convert", "numpy", f"to u8, {name}", run(image, "convert:format=u8"), np.rint(image / 257.0))
        agrees("convert", "OpenCV", f"none to u8, {name}", run(image, "convert:format=u8,scale=none"),
               cv2.convertScaleAbs(image))
        twelve = image >> 4
        agrees("convert", "numpy", f"12 bits to u8, {name}", run(twelve, "convert:format=u8,white=4095"),
               np.rint(twelve * 255.0 / 4095))


def channels(name, image):
    agrees("extract_channel", "OpenCV", name, run(image, "extract_channel:index=1"), cv2.extractChannel(image, 1))
    agrees("reorder_channels", "OpenCV", name, run(image, "reorder_channels:order=2/1/0"), cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
    agrees("reorder_channels", "numpy", f"grow, {name}", run(image, "reorder_channels:order=1/2/0/2"), image[..., [1, 2, 0, 2]])
    agrees("reorder_channels", "numpy", f"two, {name}", run(image, "reorder_channels:order=2/0"), image[..., [2, 0]])
    planes = [np.ascontiguousarray(image[..., c]) for c in range(3)]
    second, third = peers.write("second.tif", planes[1]), peers.write("third.tif", planes[2])
    agrees("merge", "OpenCV", name, run(planes[0], f"merge:second={second},third={third}"), cv2.merge(planes))
    agrees("grey_to_rgb", "scikit-image", name, run(planes[0], "grey_to_rgb"), skimage.color.gray2rgb(planes[0]))
    agrees("grey_to_rgb", "OpenCV", name, run(planes[0], "grey_to_rgb"), cv2.cvtColor(planes[0], cv2.COLOR_GRAY2RGB))
    agrees("fill", "numpy", f"three values, {name}", run(image, "fill:value=1/0/1"), np.full_like(image, 1) * np.array([1, 0, 1], image.dtype))


def tensor(name, image):
    mean, deviation = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
    scale = np.float32(1) / np.float32(1 if image.dtype == np.float32 else np.iinfo(image.dtype).max)
    numbers = "mean=0.485/0.456/0.406,deviation=0.229/0.224/0.225"
    theirs = (image.astype(np.float32) * scale - mean) / deviation
    height, width = image.shape[:2]
    agrees("to_tensor", "numpy", f"nhwc, {name}", run(image, f"to_tensor:layout=nhwc,{numbers}"), theirs)
    planar = theirs.transpose(2, 0, 1).reshape(3 * height, width)
    agrees("to_tensor", "numpy", f"nchw, {name}", run(image, f"to_tensor:{numbers}"), planar)
    agrees("to_tensor", "numpy", f"nchw f16, {name}", run(image, f"to_tensor:format=f16,{numbers}"),
           planar.astype(np.float16).view(np.uint16))
    other = peers.write("other.tif", np.ascontiguousarray(image[::-1]))
    ours = run(image, f"to_tensor:order=2/1/0,scale=0.5,image2={other}")
    theirs = cv2.dnn.blobFromImages([image.astype(np.float32), image[::-1].astype(np.float32)], 0.5, swapRB=True)
    agrees("to_tensor", "OpenCV", f"batch of two, BGR, {name}", ours, theirs.reshape(6 * height, width))


def alpha(name, image):
    if image.dtype == np.uint8:
        agrees("premultiply", "OpenCV", name, run(image, "premultiply"), cv2.cvtColor(image, cv2.COLOR_RGBA2mRGBA))
        agrees("unpremultiply", "OpenCV", name, run(image, "unpremultiply"), cv2.cvtColor(image, cv2.COLOR_mRGBA2RGBA), 1,
               "OpenCV rounds halves up, here to even")
    top = 1 if image.dtype == np.float32 else np.iinfo(image.dtype).max
    a = image[..., 3:].astype(np.float64)
    color = image[..., :3].astype(np.float64)
    tolerance, reason = (1e-6, "one f32 rounding") if image.dtype == np.float32 else (0, "")
    times = np.concatenate([color * a / top, a], -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        over = np.concatenate([np.where(a == 0, 0, color * top / a), a], -1)
    if top > 1:
        times, over = np.rint(times), np.clip(np.rint(over), 0, top)
    else:
        over[..., :3] = np.where(np.abs(over[..., :3]) < 8, over[..., :3], 0)
    agrees("premultiply", "numpy", name, run(image, "premultiply"), times, tolerance, reason)
    ours = run(image, "unpremultiply").astype(np.float64)
    if top == 1:
        ours[..., :3] = np.where(np.abs(ours[..., :3]) < 8, ours[..., :3], 0)
    agrees("unpremultiply", "numpy", name, ours, over, tolerance, reason)


def packed(bits, samples):
    """Rows of samples as one stream of bits, the highest first, each row ending on a byte."""
    shifts = np.arange(bits - 1, -1, -1)
    stream = (samples[..., None] >> shifts & 1).reshape(len(samples), -1).astype(np.uint8)
    return np.packbits(stream, axis=1)


def mipi(bits, samples):
    """Groups of MIPI CSI-2: high bytes, then the low bits of the group, the lowest first."""
    size = 2 if bits == 12 else 4
    groups = samples.reshape(len(samples), -1, size)
    low = (groups[..., None] >> np.arange(bits - 8) & 1).reshape(*groups.shape[:2], -1).astype(np.uint8)
    return np.concatenate([groups >> (bits - 8), np.packbits(low, axis=2, bitorder="little")], 2).reshape(len(samples), -1).astype(np.uint8)


for name, image in peers.pictures():
    crop_and_pad(name, image)
    convert(name, image)
for name, image in peers.pictures(3):
    crop_and_pad(f"{name} RGB", image)
    channels(name, image)
    tensor(name, image)
for name, image in peers.pictures(4):
    alpha(name, image)
for bits in (10, 12, 14):
    for height, width in ((3, 16), (97, 132), (240, 320)):
        samples = random.integers(0, 1 << bits, (height, width)).astype(np.uint16)
        agrees("unpack", "numpy", f"{bits} bits, msb, {width}x{height}", run(packed(bits, samples), f"unpack:bits={bits},width={width}"), samples)
        agrees("unpack", "numpy", f"{bits} bits, mipi, {width}x{height}", run(mipi(bits, samples), f"unpack:bits={bits},order=mipi"), samples)
        odd = samples[:, :-3]
        agrees("unpack", "numpy", f"{bits} bits, msb, {width - 3}x{height}",
               run(packed(bits, odd), f"unpack:bits={bits},width={width - 3}"), odd)
if peers.samples.is_dir():
    # A file of 12-bit samples: its strips are this packing.
    path = peers.samples / "tiff/flower-minisblack-12.tif"
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        data = b""
        for offset, count in zip(page.dataoffsets, page.databytecounts):
            file.filehandle.seek(offset)
            data += file.filehandle.read(count)
        rows = np.frombuffer(data, np.uint8).reshape(page.imagelength, -1)
        pairs = rows[:, :rows.shape[1] // 3 * 3].reshape(len(rows), -1, 3).astype(np.uint16)
        samples = np.stack([pairs[..., 0] << 4 | pairs[..., 1] >> 4, (pairs[..., 1] & 15) << 8 | pairs[..., 2]], -1).reshape(len(rows), -1)
        width = samples.shape[1]
        agrees("unpack", "numpy", "12 bits, flower-minisblack-12.tif", run(rows, f"unpack:width={width}"), samples)
        # The reader of files unpacks by itself.
        peers.command("run", path, peers.folder / "read.tif")
        agrees("unpack", "our TIFF reader", "12 bits, flower-minisblack-12.tif", run(rows, f"unpack:width={page.imagewidth}"),
               tifffile.imread(peers.folder / "read.tif"))

peers.finish()
