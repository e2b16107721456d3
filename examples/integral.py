#!/usr/bin/python3
"""Computes the mean and variance of a rectangle of a frame, in constant time for any size.

    integral.py [X0 Y0 X1 Y1]     from (X0, Y0) up to but without (X1, Y1)
"""
import argparse
import sys

import gi
import numpy

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
from gi.repository import Gst, GstMgpu

WIDTH, HEIGHT = 640, 480

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
for name, default in ("x0", 100), ("y0", 50), ("x1", 400), ("y1", 300):
    parser.add_argument(name, type=int, nargs="?", default=default,
                        help=f"edge of the rectangle (default: {default})")
arguments = parser.parse_args()
x0, y0, x1, y1 = arguments.x0, arguments.y0, arguments.x1, arguments.y1
Gst.init(None)
if not (0 <= x0 < x1 <= WIDTH and 0 <= y0 < y1 <= HEIGHT):
    sys.exit(f"the rectangle is empty or not inside {WIDTH}x{HEIGHT}")
pipeline = Gst.parse_launch(
    f"videotestsrc num-buffers=1 ! video/x-raw,format=GRAY8,width={WIDTH},height={HEIGHT} ! "
    "mgpuintegral squared=true ! fakesink name=sink")
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(
    Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
if message.type == Gst.MessageType.ERROR:
    sys.exit(message.parse_error().gerror.message)
frame = pipeline.get_by_name("sink").get_property("last-sample").get_buffer()

meta = GstMgpu.buffer_get_mgpu_integral_meta(frame)
columns, rows, sum_bytes = meta.get_size()


def rectangle(table, entry):
    t = numpy.frombuffer(table.get_data(), entry).reshape(rows, columns)
    return int(t[y1, x1]) - int(t[y0, x1]) - int(t[y1, x0]) + int(t[y0, x0])


n = (x1 - x0) * (y1 - y0)
mean = rectangle(meta.get_sum(), f"<u{sum_bytes}") / n
variance = rectangle(meta.get_squared_sum(), "<u8") / n - mean * mean
print(f"mean {mean:.4f}, variance {variance:.4f}")

pixels = numpy.frombuffer(frame.extract_dup(0, frame.get_size()), numpy.uint8)
pixels = pixels.reshape(HEIGHT, WIDTH)[y0:y1, x0:x1]
assert abs(mean - pixels.mean()) < 1e-9 and abs(variance - pixels.var()) < 1e-6
pipeline.set_state(Gst.State.NULL)
