#!/usr/bin/python3
"""Shows where a frame has edges, and in which direction, from the HOG features of its cells.

    hog-features.py [LEVEL]       LEVEL: level of the feature pyramid; 0 is the finest
"""
import argparse
import sys

import gi
import numpy

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
from gi.repository import Gst, GstMgpu

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("level", type=int, nargs="?", default=0,
                    help="level of the pyramid (default: 0)")
level = parser.parse_args().level
Gst.init(None)
pipeline = Gst.parse_launch(
    "videotestsrc num-buffers=1 pattern=circular ! video/x-raw,width=320,height=240 ! "
    "mgpuhog detector=none attach-features=true levels-per-octave=5 ! fakesink name=sink")
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(
    Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
if message.type == Gst.MessageType.ERROR:
    pipeline.set_state(Gst.State.NULL)
    sys.exit(message.parse_error().gerror.message)
frame = pipeline.get_by_name("sink").get_property("last-sample").get_buffer()

meta = GstMgpu.buffer_get_mgpu_hog_meta(frame)
found, columns, rows, scale, cell_size = meta.get_level(level)
if not found:
    pipeline.set_state(Gst.State.NULL)
    sys.exit(f"there are levels 0 to {meta.get_n_levels() - 1}")
features = numpy.frombuffer(meta.get_features(level).get_data(), numpy.float32)
features = features.reshape(rows, columns, meta.get_n_features())

# Features 18 to 26 are the 9 unsigned directions, in steps of 20 degrees.
directions = features[:, :, 18:27]
strongest = directions.argmax(axis=2)
print(f"level {level} of {meta.get_n_levels()}: {columns}x{rows} cells of "
      f"{cell_size / scale:.1f} pixels of the frame")
for bin in range(9):
    share = (strongest == bin).mean()
    print(f"{20 * bin:3} degrees: {share:6.1%}")

assert features.min() >= 0 and features.max() > 0.1
pipeline.set_state(Gst.State.NULL)
