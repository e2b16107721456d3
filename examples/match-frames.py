#!/usr/bin/python3
"""Finds corresponding points in two frames of a stream, by their SIFT descriptors.

    match-frames.py

The second frame is the first frame, rotated by 90 degrees, so that the correct position of each
point is known.
"""
import argparse

import gi
import numpy

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
from gi.repository import Gst, GstMgpu

SIZE = 320


def draw():
    """Returns an image of random boxes of different sizes."""
    random = numpy.random.default_rng(1)
    picture = numpy.full((SIZE, SIZE), 128, numpy.uint8)
    for _ in range(300):
        x, y = random.integers(0, SIZE, 2)
        width, height = random.integers(4, 30, 2)
        picture[y:y + height, x:x + width] = random.integers(0, 256)
    return picture


argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
Gst.init(None)
pipeline = Gst.parse_launch(
    f"appsrc name=src caps=video/x-raw,format=GRAY8,width={SIZE},height={SIZE},framerate=25/1 "
    "format=time ! mgpusift descriptor=rootsift ! appsink name=sink sync=false")
source, picture = pipeline.get_by_name("src"), draw()
for frame in picture, numpy.rot90(picture, -1):
    source.emit("push-buffer", Gst.Buffer.new_wrapped(frame.tobytes()))
source.emit("end-of-stream")
frames = [sample.get_buffer() for sample in need_mgpu.samples(pipeline, "the picture")]
meta, turned_meta = map(GstMgpu.buffer_get_mgpu_keypoint_meta, frames)
matches = meta.match_array(turned_meta, 0.75, True)
points, turned_points = meta.keypoint_array(), turned_meta.keypoint_array()
pipeline.set_state(Gst.State.NULL)

# Positions after the rotation, which turns the left edge into the top edge
a, b = points[matches["query"]], turned_points[matches["train"]]
error = numpy.hypot(b["x"] - (SIZE - 1 - a["y"]), b["y"] - a["x"])
right = int((error < 2.5).sum())
print(f"{len(points)} and {len(turned_points)} keypoints, {len(a)} matches, {right} of them right")
assert len(a) > 50 and right > 0.9 * len(a)
