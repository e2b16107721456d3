#!/usr/bin/python3
"""Measures how a crowd moves through zones of a video, and prints a line of JSON for each frame.

    crowd-flow.py [--frames N] [--speed N] [--zone X,Y,WIDTH,HEIGHT]... [VIDEO]

Each zone is a rectangle in pixels; without --zone the frame is divided into 3x3 zones. Each
line has the time in seconds and, for each zone, the fraction of its pixels that move and their
mean motion, in pixels per second to the right and down. Pixels slower than --speed pixels per
second (default: 10) count as standing still. With --frames, only the first N frames are read.
The default of VIDEO is vtest.avi of Debian's package opencv-doc.
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

try:
    import numpy
except ImportError:
    sys.exit("Install the package python3-numpy.")

VTEST = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
TO_PREVIOUS = GstMgpu.MgpuFlowField.TO_PREVIOUS


def speed(text):
    number = float(text)
    if not 0 <= number < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is not a speed: 0 or more pixels per second")
    return number


def zone(text):
    try:
        x, y, width, height = (int(number) for number in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not X,Y,WIDTH,HEIGHT") from None
    if x < 0 or y < 0 or width <= 0 or height <= 0:
        raise argparse.ArgumentTypeError(f"{text} has no pixels in the frame")
    return x, y, width, height


def thirds(width, height):
    """Returns 3x3 zones that cover a frame."""
    xs, ys = [i * width // 3 for i in range(4)], [i * height // 3 for i in range(4)]
    return [(xs[i], ys[j], xs[i + 1] - xs[i], ys[j + 1] - ys[j])
            for j in range(3) for i in range(3)]


def measure(flow, box, rate, least):
    """Returns which fraction of a zone moves with at least this speed, and its mean motion."""
    shift = flow.get_field(TO_PREVIOUS)[3]
    x, y, width, height = box
    part = (slice(y >> shift, (y + height - 1 >> shift) + 1),
            slice(x >> shift, (x + width - 1 >> shift) + 1))
    # The vectors of the field point to the position of a sample in the earlier frame, so the
    # crowd moves in the opposite direction.
    motion = flow.flow_array(TO_PREVIOUS)[part] * (-rate / 32)
    sure = flow.confidence_array(TO_PREVIOUS)[part] >= 128
    moves = sure & (numpy.hypot(motion[..., 0], motion[..., 1]) >= least)
    dx, dy = motion[moves].mean(0).tolist() if moves.any() else (0.0, 0.0)
    return {"zone": box, "moving": round(float(moves.mean()), 4) if moves.size else 0.0,
            "dx": round(dx, 1), "dy": round(dy, 1)}


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                    help="number of frames that are read (default: all)")
parser.add_argument("--speed", type=speed, default=10,
                    help="minimum speed that counts as motion, in pixels per second (default: 10)")
parser.add_argument("--zone", type=zone, action="append", dest="zones",
                    help="X,Y,WIDTH,HEIGHT of a zone; may be given several times")
parser.add_argument("video", nargs="?", default=VTEST,
                    help="file that is read (default: vtest.avi of opencv-doc)")
arguments = parser.parse_args()
pipeline = Gst.parse_launch("filesrc name=file ! decodebin ! videoconvert ! "
                            "mgpuflow preset=fast direction=both ! "
                            "appsink name=sink sync=false max-buffers=4")
pipeline.get_by_name("file").set_property("location", arguments.video)
previous = None
for sample in itertools.islice(need_mgpu.samples(pipeline, arguments.video), arguments.frames):
    buffer, info = sample.get_buffer(), GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    flow = GstMgpu.buffer_get_mgpu_flow_meta(buffer)
    if flow is not None and buffer.pts > previous:
        boxes = arguments.zones or thirds(info.width, info.height)
        for box in boxes:
            if box[0] >= info.width or box[1] >= info.height:
                sys.exit(f"The zone {','.join(map(str, box))} is outside of the frame, which has "
                         f"{info.width}x{info.height} pixels.")
        rate = Gst.SECOND / (buffer.pts - previous)
        print(json.dumps({"time": round(buffer.pts / Gst.SECOND, 3), "zones": [
            measure(flow, box, rate, arguments.speed) for box in boxes]}))
    previous = buffer.pts
pipeline.set_state(Gst.State.NULL)
