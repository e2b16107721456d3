#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Adds noise to videos, removes it with mgpudenoise, and prints the PSNR of luma.

    denoise.py FOLDER [--scene NAME ...] [--properties "noise=SIGMA ..."] [--pictures]

Scenes are pans over photographs of opencv-doc, videos of moving layers (flow_scenes.py), a
still photograph, and opencv-doc's street video, of which either the blocks in which people move
count, or all other blocks. In scenes with photon noise, the variance of the noise is
proportional to the brightness, and SIGMA^2 at 128. Each number is the mean over the frames from
FIRST to the last one: of the noisy frames, of those after mgpudenoise with motion=none and with
motion=flow, and, if Python has cv2, of those after OpenCV's fastNlMeansDenoising of each frame
(h: the noise). In properties, SIGMA stands for the noise. Fails if motion=flow gains less than
LEAST over motion=none. With --pictures, FOLDER gets a PNG of a part of the last frame of each
scene and noise. Files are written to FOLDER. Requires numpy and Pillow. Run it with meson
devenv -C build.
"""
import argparse
import os
import subprocess
import sys

import numpy as np
from PIL import Image

import flow_scenes
from launch import first_frames

try:
    import cv2
except ImportError:
    cv2 = None

VIDEO = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
FIRST = 5                       # of the frames that count
# Minimum gain of motion=flow, in decibels
LEAST = {"aloeL pan, 5": 5, "aloeL pan, 10": 5, "building pan, 5": 2.4, "building pan, 10": 3.5, "layers 80, 8": 4,
         "layers 65, 8": 2.5, "still, 5": -0.1, "still, 10": -0.1, "street people, 10": 0, "street still, 10": -0.1}


def street(n, of_people):
    """Selects parts of the street video, and the pixels of people, or of the background behind
    them."""
    width, height = 768, 576
    data = subprocess.run(["gst-launch-1.0", "-q", "filesrc", f"location={VIDEO}", "!", "decodebin", "!", "videoconvert",
                           "!", "video/x-raw,format=GRAY8", "!", *first_frames(200).split(), "!", "fdsink"], check=True,
                          stdout=subprocess.PIPE).stdout
    frames = np.frombuffer(data, np.uint8).reshape(200, height, width)[:, 80:560, 100:740]
    plate = np.median(frames[::8], axis=0)
    frames = frames[100:100 + n].astype(np.float32)
    moves = np.abs(frames - plate) > 24
    # Returns blocks of 8x8 pixels in which much moves.
    blocks = moves.reshape(n, 60, 8, 80, 8).sum((2, 4)) >= 24
    people = blocks.repeat(8, 1).repeat(8, 2)
    return frames, people if of_people else ~people


SCENES = {
    "aloeL pan": (lambda n: (np.stack(flow_scenes.pan("aloeL.jpg", 3.3, 1.7, n)), None), (5, 10)),
    "building pan": (lambda n: (np.stack(flow_scenes.pan("building.jpg", 1.4, 0.6, n)), None), (5, 10)),
    "layers 80": (lambda n: (np.stack(flow_scenes.slowed(80, n)), None), (8,)),
    "layers 65": (lambda n: (np.stack(flow_scenes.slowed(65, n)), None), (8,)),
    "still": (lambda n: (np.stack(flow_scenes.pan("aloeL.jpg", 0, 0, n)), None), (5, 10)),
    "street people": (lambda n: street(n, True), (5, 10)),
    "street still": (lambda n: street(n, False), (5, 10)),
    "still photons": (lambda n: (np.stack(flow_scenes.pan("aloeL.jpg", 0, 0, n)), None), (5, 10)),
    "street people photons": (lambda n: street(n, True), (5, 10)),
    "street still photons": (lambda n: street(n, False), (5, 10)),
}


def run(folder, noisy, properties):
    """Sends frames through mgpudenoise."""
    n, height, width = noisy.shape
    names = [os.path.join(folder, name) for name in ("in.gray", "out.gray")]
    noisy.tofile(names[0])
    subprocess.run(["gst-launch-1.0", "-q", "filesrc", f"location={names[0]}", "!", "rawvideoparse", f"width={width}",
                    f"height={height}", "format=gray8", "!", "mgpudenoise", *properties.split(), "!", "filesink",
                    f"location={names[1]}"], check=True)
    out = np.fromfile(names[1], np.uint8).reshape(n, height, width)
    for name in names:
        os.remove(name)
    return out


def measure(out, clean, counted):
    values = []
    for i in range(FIRST, len(out)):
        error = (out[i].astype(np.float32) - np.clip(clean[i], 0, 255)) ** 2
        values.append(10 * np.log10(255 ** 2 / (error if counted is None else error[counted[i]]).mean()))
    return np.mean(values)


def score(folder, name, sigma, clean, counted, properties=""):
    """Returns the frames with noise, after both kinds of motion, and after OpenCV if Python has
    it; and their PSNR."""
    noise = np.random.default_rng(7).normal(0, sigma, clean.shape)
    if name.endswith("photons"):
        noise *= np.sqrt(np.maximum(clean, 0) / 128)
    noisy = np.clip(np.rint(clean + noise), 0, 255).astype(np.uint8)
    outs = [noisy] + [run(folder, noisy, f"motion={motion} {properties}".replace("SIGMA", str(sigma)))
                      for motion in ("none", "flow")]
    if cv2 is not None:
        outs.append(np.stack([cv2.fastNlMeansDenoising(frame, None, sigma) for frame in noisy]))
    return outs, [measure(out, clean, counted) for out in outs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--scene", action="append", choices=SCENES)
    parser.add_argument("--frames", type=int, default=16)
    parser.add_argument("--properties", default="")
    parser.add_argument("--pictures", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    failed = False
    print("| scene, noise | as it came | motion=none | motion=flow | nlmeans |")
    print("| --- | --- | --- | --- | --- |")
    for name in args.scene or SCENES:
        make, sigmas = SCENES[name]
        clean, counted = make(args.frames)
        for sigma in sigmas:
            outs, values = score(args.folder, name, sigma, clean, counted, args.properties)
            print(f"| {name}, {sigma} | " + " | ".join(f"{v:.2f}" for v in values) + " |", flush=True)
            failed |= values[2] - values[1] < LEAST.get(f"{name}, {sigma}", -99)
            if args.pictures:
                Image.fromarray(np.concatenate([out[-1, 100:400, 200:520] for out in outs], 1)).save(
                    os.path.join(args.folder, f"{name}-{sigma}.png"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
