#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures how much of the people in vtest.avi mgpublur hides, after several detectors.

    hidden.py FOLDER [--frames 400] [--detectors motion,people,followed,both,all,parts]

FOLDER stores what is cut out of vtest.avi. People who stand alone are known by their difference
from the median of the video (motion_scenes.py), from frame 60 on, because mgpumotion learns the
background before. People who enter or leave the frame are counted apart: whatever moves and is
cut by the left or right edge, in every frame. Prints for each detector how many people are
hidden (90 % of their pixels), how many heads (90 % of the upper seventh), how many people at
the edges, and how much of the rest of the frame is also hidden. Run it with meson devenv -C
build.
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
MOTION = "mgpumotion min-frames=1"
DETECTORS = {
    "motion": (MOTION, "roi-type=motion mask-dilate=16 mask-hold=5"),
    "people": ("mgpuhog", "roi-type=person mask-dilate=8 mask-hold=5"),
    "followed": (FOLLOWED, "roi-type=person mask-dilate=16 mask-hold=10"),
    "both": (MOTION + " ! mgpuhog", "roi-type=motion,person mask-dilate=16 mask-hold=5"),
    "all": (MOTION + " ! " + FOLLOWED, "roi-type=motion,person mask-dilate=16 mask-hold=5"),
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


def find_cut(frame, median):
    """Returns the masks of people who are cut by the left or right edge of the frame. Near the
    top of the right edge only reflections move."""
    _, n, labels, stats, _ = scenes.Stock.find_moving(frame, median)
    return [labels == i for i, (x, y, w, h, area) in zip(range(1, n), stats[1:])
            if (x <= 1 or x + w >= WIDTH - 1) and y > 64 and 40 < h < 140 and area > 250]


def find_people(folder, n):
    """Returns, for each of the first n frames, the people who stand alone (in every fourth
    frame), and those who are cut by an edge."""
    median = scenes.Stock(os.path.join(folder, "people.npz")).median
    return [(scenes.Stock.find(frame, median) if t % 4 == 0 else [], find_cut(frame, median)) if t >= FIRST else ([], [])
            for t, frame in enumerate(scenes.read_video("vtest.avi", n))]


def percent(part, whole):
    return 100 * part / max(whole, 1)


def score(detector, people):
    """Returns the number of people, the percentages of hidden people, of hidden heads and of
    hidden pixels in the rest of the frame, and the numbers of people who are cut by an edge and
    of those of them who are hidden."""
    n = hidden = heads = others = rest = n_cut = hidden_cut = 0
    for (found, cut), frame in zip(people, run(detector, len(people)), strict=True):
        filled = (np.abs(frame.astype(int) - FILL).max(axis=2) < 40) if found or cut else None
        everybody = np.zeros((HEIGHT, WIDTH), bool)
        n_cut += len(cut)
        hidden_cut += sum(filled[mask].mean() >= 0.9 for mask in cut)
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
    return n, percent(hidden, n), percent(heads, n), percent(others, rest), n_cut, hidden_cut


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
        n, hidden, heads, rest, n_cut, hidden_cut = score(detector, people)
        print(f"{detector:8} {hidden:5.1f} % of {n} people hidden, {heads:5.1f} % of heads, {hidden_cut} of {n_cut} people at "
              f"the edges, {rest:.1f} % of the rest", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
