#!/usr/bin/python3
"""Follows a point of a video, such as a clicked one, and prints a line of JSON for each frame.

    follow-point.py [--frames N] X,Y [VIDEO]

X,Y is a pixel of the first frame. Each line has the time in seconds, the position, and whether
the motion is sure; while the motion is not sure, the point stays where it is. The program ends
when the point leaves the frame. With --frames, only the first N frames are read. The default of
VIDEO is vtest.avi of Debian's package opencv-doc.
"""
import argparse
import itertools
import json
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstMgpu, GstVideo

VTEST = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
FROM_PREVIOUS = GstMgpu.MgpuFlowField.FROM_PREVIOUS

# The motion of a point is the motion of a box around it, which extends this many pixels from
# the point to each side.
REACH = 4


def point(text):
    try:
        x, y = (float(number) for number in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not X,Y") from None
    if not (0 <= x < 1e6 and 0 <= y < 1e6):
        raise argparse.ArgumentTypeError(f"{text} is not in a frame")
    return x, y


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                    help="number of frames that are read (default: all)")
parser.add_argument("point", type=point, help="x,y of the point in the first frame, in pixels")
parser.add_argument("video", nargs="?", default=VTEST,
                    help="file that is read (default: vtest.avi of opencv-doc)")
arguments = parser.parse_args()
x, y = arguments.point
pipeline = Gst.parse_launch("filesrc name=file ! decodebin ! videoconvert ! "
                            "mgpuflow direction=from-previous ! "
                            "appsink name=sink sync=false max-buffers=4")
pipeline.get_by_name("file").set_property("location", arguments.video)
is_first = True
for sample in itertools.islice(need_mgpu.samples(pipeline, arguments.video), arguments.frames):
    buffer, info = sample.get_buffer(), GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    flow, sure = GstMgpu.buffer_get_mgpu_flow_meta(buffer), True
    if flow is not None:
        sure, dx, dy, _ = flow.median_in_box(FROM_PREVIOUS, round(x) - REACH, round(y) - REACH,
                                             2 * REACH + 1, 2 * REACH + 1)
        x, y = x + dx, y + dy
    if not (0 <= x <= info.width - 1 and 0 <= y <= info.height - 1):
        if is_first:
            sys.exit(f"The point is outside of the frame, which has {info.width}x{info.height} pixels.")
        break
    is_first = False
    print(json.dumps({"time": round(buffer.pts / Gst.SECOND, 3), "x": round(x, 2),
                      "y": round(y, 2), "sure": sure}))
pipeline.set_state(Gst.State.NULL)
