#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes docs/images/tags-families.jpg: a tag of each kind of family, tags with a covered
border, tags in a hard shadow and tilted tags, as mgputags finds and mgpuoverlay draws them.

    tags-picture.py FILE

Requires NumPy, OpenCV and libapriltag. Run it with meson devenv -C build.
"""
import os
import subprocess
import sys
import tempfile

try:
    import cv2
    import numpy as np

    import tag_scenes
except ImportError as error:
    print("not run:", error)
    sys.exit(77)

FAMILIES = ("tag36h11", "tag25h9", "tag16h5", "tagCircle21h7", "tagCircle49h12", "tagStandard41h12",
            "tagStandard52h13", "tagCustom48h12", "tagAruco5x5_50", "tagAruco6x6_250")
WIDTH, HEIGHT, FOCAL = 960, 420, 900
CAMERA = FOCAL, np.array([WIDTH / 2, HEIGHT / 2])


def put(image, drawings, family, number, at, size, tilt=(0, 0, 0), cover=None):
    """Draws a tag whose border has @size pixels, rotated about the axes x, y and z by @tilt
    degrees."""
    rotation = np.eye(3)
    for axis, angle in zip(np.eye(3), tilt):
        rotation = rotation @ tag_scenes.turn(axis, np.radians(angle))
    place = np.array([*(np.array(at) - CAMERA[1]) / FOCAL, 1]) * FOCAL / size
    tag_scenes.paste(image, drawings.draw(family, number), (rotation, place), CAMERA, (40, 225), cover)


def draw():
    drawings = tag_scenes.Drawings()
    image = np.full((HEIGHT, WIDTH), 205.)
    for i, family in enumerate(FAMILIES):
        cells, beyond = drawings.draw(family, 7)
        whole = 110 / len(cells)
        put(image, drawings, family, 7, (75 + i % 5 * 120, 120 + i // 5 * 190), whole * (len(cells) - 2 * beyond))
    put(image, drawings, "tag36h11", 21, (745, 110), 90, (35, 20, 10))
    put(image, drawings, "tag36h11", 22, (875, 110), 90, cover=(2, .3, .7, 1.2, 205))
    put(image, drawings, "tag36h11", 23, (735, 290), 74, (-20, 35, -15), (1, .1, .4, 1.2, 205))
    put(image, drawings, "tag36h11", 24, (875, 300), 74, (0, 30, 20))
    x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    image[(x > 660) & (y - 300 > (820 - x) * .5)] *= .55
    noise = np.random.default_rng(1).standard_normal(image.shape) * 3
    return np.clip(np.rint(tag_scenes.blur(image, .6) + noise), 0, 255).astype(np.uint8)


def main():
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "frame.png")
        cv2.imwrite(name, draw())
        camera = ",".join(map(str, (FOCAL, FOCAL, *CAMERA[1])))
        subprocess.run(["gst-launch-1.0", "-q", "filesrc", "location=" + name, "!", "pngdec", "!", "videoconvert", "!",
                        "video/x-raw,format=RGBA", "!", "mgputags", "families=" + ",".join(FAMILIES), "tag-size=0.1",
                        "camera=" + camera, "!", "mgpuoverlay", "!", "videoconvert", "!", "jpegenc", "quality=80",
                        "!", "filesink", "location=" + sys.argv[1]], check=True)


main()
