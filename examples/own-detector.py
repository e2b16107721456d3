#!/usr/bin/python3
"""Tracks, blurs and draws the objects that a detector of your own finds in a video.

    own-detector.py [--onnx MODEL.onnx] [--frames N] VIDEO OUTPUT.webm

The detector gets each frame as an RGB numpy array (height, width, 3), and returns a list of
(label, confidence, x, y, width, height) in pixels. Without --onnx, the class Changes is the
detector, which finds what moves: replace it by a detector of your own. With --onnx, onnxruntime
runs a YOLO model (v8 or later) that was exported by `yolo export format=onnx`.
"""
import argparse
import itertools
import sys

import gi
import numpy as np

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo

READ = ("filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=RGB ! "
        "appsink name=sink sync=false max-buffers=4")
WRITE = ("appsrc name=frames format=time block=true max-buffers=4 ! "
         "mgputrack ! mgpublur roi-type=* mask-dilate=4 mask-hold=5 ! mgpuoverlay ! videoconvert ! "
         "vp8enc deadline=1 cpu-used=8 target-bitrate=2000000 ! webmmux ! filesink name=output")
CELL = 16
# The first COCO classes, which most models number the same way; any other class is named by its
# number.
NAMES = ["person", "bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat"]


class Changes:
    """A detector for tests: boxes around cells of the frame that differ from earlier frames."""

    def __init__(self):
        self.background = None

    def __call__(self, frame):
        height, width = (n // CELL for n in frame.shape[:2])
        gray = frame[:height * CELL, :width * CELL].mean(axis=2)
        cells = gray.reshape(height, CELL, width, CELL).mean(axis=(1, 3))
        if self.background is None:
            self.background = cells
        waiting = set(zip(*np.nonzero(abs(cells - self.background) > 8)))
        self.background = 0.95 * self.background + 0.05 * cells
        found = []
        while waiting:
            group = [waiting.pop()]
            for y, x in group:
                near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & waiting
                waiting -= near
                group.extend(near)
            (top, left), (bottom, right) = np.min(group, axis=0), np.max(group, axis=0) + 1
            if len(group) > 3:
                found.append(("changed", 0.9, left * CELL, top * CELL,
                              (right - left) * CELL, (bottom - top) * CELL))
        return found


class Yolo:
    def __init__(self, path):
        try:
            import onnxruntime
            self.session = onnxruntime.InferenceSession(
                path, providers=onnxruntime.get_available_providers())
        except Exception as error:
            sys.exit(f"{path}: {error}")
        self.input = self.session.get_inputs()[0]
        self.size = self.input.shape[2]

    def __call__(self, frame):
        scale = self.size / max(frame.shape[:2])
        rows, columns = ((np.arange(int(n * scale)) / scale).astype(int) for n in frame.shape[:2])
        square = np.full((self.size, self.size, 3), 114, np.uint8)
        square[:len(rows), :len(columns)] = frame[rows][:, columns]
        tensor = square.transpose(2, 0, 1)[None].astype(np.float32) / 255
        return read_yolo(self.session.run(None, {self.input.name: tensor})[0][0], scale)


def read_yolo(output, scale, min_confidence=0.4, max_overlap=0.5):
    """Returns the objects in an output of YOLOv8, an array (4 + classes, boxes), after
    non-maximum suppression."""
    classes, confidences = output[4:].argmax(axis=0), output[4:].max(axis=0)
    found, boxes = [], []
    for i in confidences.argsort()[::-1]:
        if confidences[i] < min_confidence:
            break
        x, y, width, height = output[:4, i] / scale
        box = np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])
        if all(overlap(box, other) < max_overlap for other in boxes):
            boxes.append(box)
            name = NAMES[classes[i]] if classes[i] < len(NAMES) else f"class-{classes[i]}"
            found.append((name, float(confidences[i]), *box[:2], width, height))
    return found


def overlap(a, b):
    """Returns the intersection over union of two boxes (left, top, right, bottom)."""
    shared = np.prod(np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0))
    return shared / (np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - shared)


def detect(sample, detector):
    """Returns a copy of the frame (not of its pixels) with the objects that the detector finds."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    buffer = sample.get_buffer()
    with buffer.map(Gst.MapFlags.READ) as data:
        frame = np.ndarray((info.height, info.width, 3), np.uint8, data.data,
                           strides=(info.stride[0], 3, 1))
        objects = detector(frame)
        del frame
    # Metas can only be added to a writable buffer (with one reference), and Buffer.copy() in Python
    # only returns another reference to the same buffer.
    buffer = buffer.copy_region(Gst.BufferCopyFlags.FLAGS | Gst.BufferCopyFlags.TIMESTAMPS
                                | Gst.BufferCopyFlags.META | Gst.BufferCopyFlags.MEMORY,
                                0, buffer.get_size())
    for label, confidence, x, y, width, height in objects:
        left, top = max(round(x), 0), max(round(y), 0)
        meta = GstVideo.buffer_add_video_region_of_interest_meta(
            buffer, label, left, top, max(round(x + width) - left, 0), max(round(y + height) - top, 0))
        meta.add_param(Gst.Structure.from_string(
            f"detection, confidence=(double){confidence}, label_name=(string){label}")[0])
    return buffer, len(objects)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--onnx", metavar="MODEL.onnx", help="YOLO model (default: find what moves)")
    parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                        help="number of frames that are read (default: all)")
    parser.add_argument("video", help="file that is read")
    parser.add_argument("output", help="file that is written: a .webm")
    options = parser.parse_args()
    detector = Yolo(options.onnx) if options.onnx else Changes()
    with need_mgpu.output(options.output, ".webm", options.video) as output:
        reader, writer = Gst.parse_launch(READ), Gst.parse_launch(WRITE)
        reader.get_by_name("file").set_property("location", options.video)
        writer.get_by_name("output").set_property("location", output)
        frames, n_frames, n_objects = writer.get_by_name("frames"), 0, 0
        for sample in itertools.islice(need_mgpu.samples(reader, options.video), options.frames):
            if n_frames == 0:
                frames.set_property("caps", sample.get_caps())
                writer.set_state(Gst.State.PLAYING)
            buffer, n = detect(sample, detector)
            if frames.emit("push-buffer", buffer) != Gst.FlowReturn.OK:
                break
            n_frames, n_objects = n_frames + 1, n_objects + n
        reader.set_state(Gst.State.NULL)
        if n_frames == 0:
            sys.exit(f"{options.video} has no frames")
        frames.emit("end-of-stream")
        message = writer.get_bus().timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        writer.set_state(Gst.State.NULL)
        if message.type == Gst.MessageType.ERROR:
            sys.exit(f"{options.output}: {message.parse_error().gerror.message}")
    print(f"{n_frames} frames, {n_objects} objects")


main()
