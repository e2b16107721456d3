#!/usr/bin/python3
"""Fits the confidence of people, 1 / (1 + exp (-slope (score - midpoint))), to labeled
detections.

    fit-confidence.py [--least SCORE] [--header FILE] LABELS.csv
    fit-confidence.py --make MODEL VIDEO > LABELS.csv

Lines of LABELS.csv are frame,score,model: the score of a detection of mgpuhog with a threshold
of 0, and the best score of those boxes of a part model that overlap it (intersection over
union) by half, if there are any. A detection counts as a person if this second score is SCORE
or more. Prints slope and midpoint, fitted by maximum likelihood; with --header the exit status
is 1 if the numbers that FILE defines differ much from these. --make analyzes every eighth frame
of VIDEO.
"""
import argparse
import importlib
import re
import sys

import numpy

INTERVAL = 8
LEAST = -0.45
# Allows for rounding, because the numbers in the header are rounded.
SLACK = 0.02


def read_labels(path, least):
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split(",") for line in lines]
    scores = numpy.array([float(row[1]) for row in rows])
    return scores, numpy.array([row[2] != "" and float(row[2]) >= least for row in rows], float)


def fit(scores, labels):
    """Uses Newton's method on the likelihood, which is concave."""
    x = numpy.stack([scores, numpy.ones_like(scores)], 1)
    weights = numpy.zeros(2)
    for _ in range(50):
        p = 1 / (1 + numpy.exp(-x @ weights))
        weights += numpy.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]), x.T @ (labels - p))
    return weights[0], -weights[1] / weights[0]


def find(video, properties):
    """Yields, for every eighth frame, an array with rows of id, x, y, width, height, score."""
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstMgpu", "1.0")
    from gi.repository import Gst, GstMgpu
    Gst.init(None)
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! mgpuhog max-detections=0 "
        f"frame-interval={INTERVAL} {properties} ! appsink name=sink sync=false max-buffers=4")
    pipeline.get_by_name("file").set_property("location", video)
    pipeline.set_state(Gst.State.PLAYING)
    sink, i = pipeline.get_by_name("sink"), 0
    while True:
        sample = sink.emit("pull-sample")
        if sample is None:
            break
        if i % INTERVAL == 0:
            yield numpy.array([[-1, d.x, d.y, d.width, d.height, d.score] for d in
                               GstMgpu.mgpu_buffer_get_detections(sample.get_buffer())]).reshape(-1, 6)
        i += 1
    pipeline.set_state(Gst.State.NULL)


def make(model, video):
    overlaps = importlib.import_module("evaluate-boxes").overlaps
    frames = zip(find(video, ""), find(video, f"model={model} threshold=-1"))
    for i, (people, boxes) in enumerate(frames):
        shared = overlaps(people, boxes)
        for row, ious in zip(people, shared):
            best = boxes[ious >= 0.5, 5]
            print(f"{INTERVAL * i},{row[5]:.4f},{f'{best.max():.4f}' if best.size else ''}", flush=True)


def check(path, found):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, value in zip(("SLOPE", "MIDPOINT"), found):
        kept = float(re.search(rf"PEOPLE_{name} ([-.\d]+)", text).group(1))
        if abs(kept - value) > SLACK:
            sys.exit(f"{path}: {name} is {kept}, and the fit gives {value:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=float, default=LEAST)
    parser.add_argument("--header")
    parser.add_argument("--make", metavar="MODEL")
    parser.add_argument("file")
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.make, arguments.file)
        return
    scores, labels = read_labels(arguments.file, arguments.least)
    slope, midpoint = fit(scores, labels)
    print(f"slope {slope:.3f}, midpoint {midpoint:.3f}: {len(scores)} detections, "
          f"{int(labels.sum())} people")
    if arguments.header:
        check(arguments.header, (slope, midpoint))


if __name__ == "__main__":
    main()
