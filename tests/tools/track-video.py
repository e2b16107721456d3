#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints how well mgputrack tracks people whom a part model finds, and simulated people, with
several settings.

    track-video.py TRACK_BOXES FOLDER [--seed 1] [--frames 200] [--truth FILE] [--settings TEXT]...

TRACK_BOXES is the program track-boxes of this folder. FOLDER stores what the part model found.
The first video has people who were cut out of vtest.avi and walk on known paths over its
median, also behind each other. --truth adds vtest.avi itself, with the boxes of FILE, in the
format of the MOT challenge: the video is the challenge's sequence PETS09-S2L1. Frames are
enlarged by two, because inriaperson.xml finds nobody who is lower than 100 pixels. Simulated
people are those of people.py, 14 and 28 at a time. --settings are properties of mgputrack,
separated by spaces; without it, a table of several settings is printed. Run it with meson
devenv -C build.
"""
import argparse
import importlib
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
import people

evaluate = importlib.import_module("evaluate-boxes")
MODEL = "/usr/share/doc/opencv-doc/examples/dpm/data/inriaperson.xml"
WIDTH, HEIGHT, N_WALKERS = 768, 576, 12
SETTINGS = ("", "coast=3", "coast=0")


class Walker:
    """A person who crosses the frame, and enters again on the other side."""

    def __init__(self, rng, stock):
        self.steps = stock.people[int(rng.integers(len(stock.people)))]
        self.feet = int(rng.uniform(170, HEIGHT - 10))
        self.speed = float(rng.choice((-1, 1)) * rng.uniform(1.5, 4))
        self.x = float(rng.uniform(0, WIDTH))
        self.lap = 0

    def paste(self, frame, t):
        """Returns the box of the walking person, who moves on by a frame, or None."""
        k = int(t / 2.5) % 14
        step = self.steps[k if k < 8 else 14 - k]
        left, top = int(round(self.x)) - step.shape[1] // 2, self.feet - step.shape[0]
        self.x += self.speed
        if not -40 < self.x < WIDTH + 40:
            self.x -= np.sign(self.speed) * (WIDTH + 80)
            self.lap += 1
        step = step[max(-top, 0):, max(-left, 0):max(WIDTH - left, 0)]
        if not (step[..., 3] > 127).any():
            return None
        left, top = max(left, 0), max(top, 0)
        part = frame[top:top + step.shape[0], left:left + step.shape[1]]
        weight = step[..., 3:].astype(np.float32) / 255
        part[:] = part * (1 - weight) + step[..., :3] * weight
        x, y, w, h = cv2.boundingRect((step[..., 3] > 127).astype(np.uint8))
        return left + x, top + y, w, h


def make_walkers(n, seed, stock):
    """Yields frames (BGR) and {name: true box}."""
    rng = np.random.default_rng(seed)
    walkers = sorted((Walker(rng, stock) for _ in range(N_WALKERS)), key=lambda walker: walker.feet)
    for t in range(n):
        frame, truth = stock.median.astype(np.float32), {}
        for i, walker in enumerate(walkers):
            name = walker.lap * N_WALKERS + i + 1
            box = walker.paste(frame, t)
            if box is not None and box[2] > 12:
                truth[name] = box
        frame += rng.standard_normal(frame.shape, np.float32) * 3
        yield np.clip(np.rint(frame), 0, 255).astype(np.uint8), truth


def find_people(frames, path):
    """Writes what the part model finds in the frames, in the format of the MOT challenge."""
    line = (f"gst-launch-1.0 -q fdsrc fd=0 ! rawvideoparse format=bgr width={WIDTH} height={HEIGHT} framerate=25/1 ! "
            f"videoconvert ! videoscale ! video/x-raw,width={2 * WIDTH},height={2 * HEIGHT} ! mgpuhog model={MODEL} "
            f"max-detections=0 max-height=340 ! mgpumetajson location={path}.jsonl ! fakesink")
    with subprocess.Popen(line.split(), stdin=subprocess.PIPE) as process:
        for frame in frames:
            process.stdin.write(frame.tobytes())
        process.stdin.close()
    if process.returncode != 0:
        sys.exit("gst-launch-1.0 failed")
    lines = []
    for line in open(path + ".jsonl", encoding="utf-8"):
        time, rows = evaluate.parse_json(line)
        confidences = [box["detection"]["confidence"] for box in evaluate.json.loads(line)["objects"]]
        lines += [f"{round(time * 25 / 1e9) + 1},-1,{','.join(str(v / 2) for v in row[1:5])},{confidence}"
                  for row, confidence in zip(rows, confidences)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def list_videos(a):
    """Yields name, true boxes, file of detections, width, height and number of frames."""
    stock = scenes.Stock(os.path.join(a.folder, "people.npz"))
    found = os.path.join(a.folder, f"walkers{a.seed}-{a.frames}.csv")
    walkers = list(make_walkers(a.frames, a.seed, stock))
    if not os.path.exists(found):
        find_people((frame for frame, _ in walkers), found)
    truth = {t + 1: np.array([[name, *box, 1] for name, box in boxes.items()], float).reshape(-1, 6)
             for t, (_, boxes) in enumerate(walkers)}
    yield "pasted people", truth, found, WIDTH, HEIGHT, a.frames
    if a.truth:
        truth = evaluate.read_boxes(a.truth)
        n, found = max(truth), os.path.join(a.folder, "vtest.csv")
        if not os.path.exists(found):
            find_people(scenes.read_video("vtest.avi", n), found)
        yield "vtest.avi", truth, found, WIDTH, HEIGHT, n
    for n in (14, 28):
        folder = os.path.join(a.folder, f"people{n}")
        os.makedirs(folder, exist_ok=True)
        people.write_all(list(people.make(n, 600, a.seed)), folder)
        yield (f"{n} generated", evaluate.read_boxes(os.path.join(folder, "truth.csv")),
               os.path.join(folder, "detections.csv"), people.WIDTH, people.HEIGHT, 600)


def score(track_boxes, folder, video, settings):
    """Returns MOTA and IDF1 of a video of list_videos()."""
    _, truth, found, width, height, n = video
    boxes = os.path.join(folder, "boxes.csv")
    subprocess.run([track_boxes, str(width), str(height), str(n), found, boxes, *settings.split()], check=True,
                   stdout=subprocess.DEVNULL)
    result, _ = evaluate.evaluate(truth, evaluate.read_boxes(boxes))
    return result["MOTA"], result["IDF1"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("track_boxes")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--truth")
    parser.add_argument("--settings", action="append")
    a = parser.parse_args()
    if scenes.get_missing() or not os.path.exists(MODEL):
        print("not run: there is no", scenes.get_missing() or MODEL)
        return 77
    os.makedirs(a.folder, exist_ok=True)
    videos = list(list_videos(a))
    print(f"{'MOTA, IDF1':42}", *(f"{video[0]:>14}" for video in videos))
    for settings in a.settings or SETTINGS:
        figures = ["{:.1f}, {:.1f}".format(*score(a.track_boxes, a.folder, video, settings)) for video in videos]
        print(f"{settings or 'defaults':42}", *(f"{text:>14}" for text in figures), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
