#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures how much of the people in vtest.avi mgpublur hides, after several detectors.

    hidden.py FOLDER [--frames 400] [--detectors motion,people,followed,both,all,parts]

FOLDER stores what is cut out of vtest.avi. People who stand alone are known by their difference
from the median of the video (motion_scenes.py), from frame 60 on, because mgpumotion learns the
background before. Prints for each detector how many people are hidden (90 % of their pixels),
how many heads (90 % of the upper seventh), and how much of the rest of the frame is also
hidden. Run it with meson devenv -C build.
"""
import argparse
import os
import subprocess
import sys

try:
    import cv2
    import numpy as np
except ImportError as error:
    print("not run:", error)
    sys.exit(77)

import motion_scenes as scenes
from launch import first_frames
from names import list_of

WIDTH, HEIGHT, FIRST = 768, 576, 60
FILL = (255, 0, 255)            # blue, green and red of what is hidden; vtest.avi has no such pixels
MODEL = "/usr/share/doc/opencv-doc/examples/dpm/data/inriaperson.xml"
FOLLOWED = ("mgpuhog group-threshold=0 nms-overlap=0.4 ! mgputrack types=person coast=25 min-frames=1 high-threshold=0.15 "
            "new-threshold=0.2 low-threshold=0.05")
DETECTORS = {
    "motion": ("mgpumotion", "roi-type=motion mask-dilate=16 mask-hold=5"),
    "people": ("mgpuhog", "roi-type=person mask-dilate=8 mask-hold=5"),
    "followed": (FOLLOWED, "roi-type=person mask-dilate=16 mask-hold=10"),
    "both": ("mgpumotion ! mgpuhog", "roi-type=motion,person mask-dilate=16 mask-hold=5"),
    "all": ("mgpumotion ! " + FOLLOWED, "roi-type=motion,person mask-dilate=16 mask-hold=5"),
    "parts": (f"videoscale ! video/x-raw,width={3 * WIDTH // 2},height={3 * HEIGHT // 2} ! mgpuhog model={MODEL} ! "
              "mgputrack coast=25 new-threshold=0.2 high-threshold=0.15",
              "roi-type=inriaperson mask-dilate=24 mask-hold=5"),
}


def run(detector, n):
    """Yields the frames with all detections filled with a color."""
    elements, options = DETECTORS[detector]
    line = (f"filesrc location={scenes.DATA}vtest.avi ! decodebin ! videoconvert ! {first_frames(n)} ! {elements} ! "
            f"mgpublur method=fill color=0xffff00ff {options} ! videoconvert ! videoscale ! video/x-raw,format=BGR,width={WIDTH},height={HEIGHT} ! fdsink fd=1")
    process = subprocess.Popen(["gst-launch-1.0", "-q", *line.split()], stdout=subprocess.PIPE)
    while True:
        data = process.stdout.read(WIDTH * HEIGHT * 3)
        if len(data) < WIDTH * HEIGHT * 3:
            break
        yield np.frombuffer(data, np.uint8).reshape(HEIGHT, WIDTH, 3)
    if process.wait() != 0:
        sys.exit("gst-launch-1.0 failed")


def find_people(folder, n):
    """Returns the people who stand alone in every fourth of the first n frames."""
    median = scenes.Stock(os.path.join(folder, "people.npz")).median
    return [scenes.Stock.find(frame, median) if t >= FIRST and t % 4 == 0 else []
            for t, frame in enumerate(scenes.read_video("vtest.avi", n))]


def score(detector, people):
    """Returns the number of people, and the percentages of hidden people, of hidden heads and
    of hidden pixels in the rest of the frame."""
    n = hidden = heads = others = rest = 0
    for found, frame in zip(people, run(detector, len(people)), strict=True):
        filled = (np.abs(frame.astype(int) - FILL).max(axis=2) < 40) if found else None
        everybody = np.zeros((HEIGHT, WIDTH), bool)
        for mask, _, feet, _ in found:
            everybody |= mask
            rows = np.flatnonzero(mask.any(axis=1))
            head = mask.copy()
            head[rows[0] + max((feet - rows[0]) // 7, 1):] = False
            n += 1
            hidden += filled[mask].mean() >= 0.9
            heads += filled[head].mean() >= 0.9
        if found:
            others += filled[~everybody].sum()
            rest += (~everybody).sum()
    return n, 100 * hidden / max(n, 1), 100 * heads / max(n, 1), 100 * others / max(rest, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--frames", type=int, default=400)
    parser.add_argument("--detectors", type=list_of(DETECTORS), default=list(DETECTORS))
    a = parser.parse_args()
    if scenes.get_missing():
        print("not run: there is no", scenes.get_missing())
        return 77
    os.makedirs(a.folder, exist_ok=True)
    people = find_people(a.folder, a.frames)
    for detector in a.detectors:
        n, hidden, heads, rest = score(detector, people)
        print(f"{detector:8} {hidden:5.1f} % of {n} people hidden, {heads:5.1f} % of heads, {rest:.1f} % of the rest", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
