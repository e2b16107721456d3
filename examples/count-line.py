#!/usr/bin/python3
"""Counts the people who cross a line in a video, in both directions, and can draw their paths.

    count-line.py [--frames N] [--line X1,Y1,X2,Y2] [VIDEO [PICTURE.png]]

The ends of the line are in fractions of the frame; "in" means crossing from the left of the
line to its right, as seen from its first point. The default of VIDEO is vtest.avi of Debian's
package opencv-doc. PICTURE.png shows the last frame with the line, the paths and the counts; if
PICTURE.png is not given, no picture is saved.
"""
import argparse
import itertools
import sys

import cairo
import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstMgpu, GstVideo

VTEST = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"


def follow(path, line, frames):
    """Returns the paths of all people, {id: [(x, y), ...]}, the counts and the last frame."""
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=BGRx ! mgpuhog ! "
        f"mgputrack name=track lines=line:{line} ! appsink name=sink sync=false max-buffers=4")
    pipeline.get_by_name("file").set_property("location", path)
    ways, last = {}, None
    for last in itertools.islice(need_mgpu.samples(pipeline, path), frames):
        for d in GstMgpu.mgpu_buffer_get_detections(last.get_buffer()):
            if d.tracking_id >= 0:
                ways.setdefault(d.tracking_id, []).append((d.x + d.width / 2, d.y + d.height))
    counts = pipeline.get_by_name("track").get_property("counts")
    pipeline.set_state(Gst.State.NULL)
    if last is None:
        sys.exit(f"{path} has no frames")
    return ways, counts, last


def draw(sample, line, ways, text, path):
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    width, height = info.width, info.height
    pixels = bytearray(sample.get_buffer().extract_dup(0, width * height * 4))
    surface = cairo.ImageSurface.create_for_data(pixels, cairo.FORMAT_RGB24, width, height)
    context = cairo.Context(surface)
    context.set_line_width(2)
    for number, points in ways.items():
        # Successive ids get very different colors.
        hue = number * 0.618 % 1 * 6
        context.set_source_rgb(*(min(max(abs((hue + turn) % 6 - 3) - 1, 0), 1) for turn in (0, 4, 2)))
        for point in points:
            context.line_to(*point)
        context.stroke()
        context.move_to(*points[-1])
        context.show_text(str(number))
    x1, y1, x2, y2 = (float(value) for value in line.split(","))
    context.set_source_rgb(1, 1, 1)
    context.set_line_width(4)
    context.move_to(x1 * width, y1 * height)
    context.line_to(x2 * width, y2 * height)
    context.stroke()
    context.set_font_size(28)
    context.move_to(12, height - 16)
    context.show_text(text)
    surface.write_to_png(path)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                    help="number of frames that are read (default: all)")
parser.add_argument("--line", default="0.3,1,0.6,0.2",
                    help="ends of the line, in fractions of the frame (default: 0.3,1,0.6,0.2)")
parser.add_argument("video", nargs="?", default=VTEST,
                    help="file that is read (default: vtest.avi of opencv-doc)")
parser.add_argument("picture", nargs="?",
                    help="file that is written: a picture of the result (default: none)")
arguments = parser.parse_args()
Gst.init(None)
with need_mgpu.output(arguments.picture, ".png", arguments.video) as picture:
    ways, counts, sample = follow(arguments.video, arguments.line, arguments.frames)
    text = f"{counts.get_value('line-in')} in, {counts.get_value('line-out')} out"
    draw(sample, arguments.line, ways, text, picture)
print(f"{text}, {len(ways)} people")
