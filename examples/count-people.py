#!/usr/bin/python3
"""Counts people in a video and plots their number over time.

    count-people.py [--frames N] [--interval N] [VIDEO [PLOT.png]]

Every 5th frame is analyzed, or every N-th with --interval. With --frames, only the first N
frames are read. The default of VIDEO is vtest.avi of Debian's package opencv-doc; without
PLOT.png nothing is plotted.
"""
import argparse
import itertools
import os
import sys

import cairo
import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
from gi.repository import Gst, GstMgpu

VTEST = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
WIDTH, HEIGHT, MARGIN = 760, 300, 44


def count(path, frames, interval):
    """Returns the times of the analyzed frames, in seconds, and the numbers of people in them."""
    pipeline = Gst.parse_launch(
        f"filesrc name=file ! decodebin ! videoconvert ! mgpuhog frame-interval={interval} ! "
        "appsink name=sink sync=false max-buffers=4")
    pipeline.get_by_name("file").set_property("location", path)
    times, counts = [], []
    for i, sample in enumerate(itertools.islice(need_mgpu.samples(pipeline, path), frames)):
        if i % interval == 0:
            times.append(sample.get_buffer().pts / Gst.SECOND)
            counts.append(len(GstMgpu.mgpu_buffer_get_detections(sample.get_buffer())))
    pipeline.set_state(Gst.State.NULL)
    return times, counts


def plot(times, counts, title, path):
    """Draws the counts over time as steps, and writes a PNG."""
    most, end = max(counts + [1]), times[-1] + (times[1] if len(times) > 1 else 1)
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, WIDTH, HEIGHT)
    context = cairo.Context(surface)
    context.set_source_rgb(1, 1, 1)
    context.paint()
    context.select_font_face("sans-serif")
    context.set_font_size(13)

    def place(second, people):
        """Returns a position in the picture, at the middle of a pixel, so that thin lines are
        sharp."""
        x = MARGIN + second / end * (WIDTH - 2 * MARGIN)
        y = HEIGHT - MARGIN - people / most * (HEIGHT - 2 * MARGIN)
        return round(x) + 0.5, round(y) + 0.5

    def write(text, x, y, across):
        """across: fraction of the text's width that lies to the left of x."""
        context.set_source_rgb(0.3, 0.3, 0.3)
        context.move_to(x - across * context.text_extents(text).x_advance, y)
        context.show_text(text)

    context.set_line_width(1)
    for people in range(0, most + 1, most // 10 + 1):
        context.move_to(*place(0, people))
        context.line_to(*place(end, people))
        context.set_source_rgb(0.87, 0.87, 0.87)
        context.stroke()
        write(str(people), MARGIN - 8, place(0, people)[1] + 4, 1)
    step = next((s for s in (1, 2, 5, 10, 20, 60, 120, 300) if end / s <= 12), 600)
    for second in range(0, int(end) + 1, step):
        write(str(second), place(second, 0)[0], HEIGHT - MARGIN + 18, 0.5)
    write("people", MARGIN - 8, MARGIN - 12, 0.5)
    write("seconds", WIDTH - MARGIN, HEIGHT - MARGIN + 34, 1)
    write(title, WIDTH / 2, MARGIN - 18, 0.5)

    context.move_to(*place(0, 0))
    for begin, until, people in zip(times, times[1:] + [end], counts):
        context.line_to(*place(begin, people))
        context.line_to(*place(until, people))
    context.line_to(*place(end, 0))
    context.set_source_rgba(0.2, 0.45, 0.75, 0.25)
    context.fill_preserve()
    context.set_source_rgb(0.2, 0.45, 0.75)
    context.set_line_width(1.5)
    context.stroke()
    surface.write_to_png(path)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                    help="number of frames that are read (default: all)")
parser.add_argument("--interval", type=need_mgpu.count, default=5,
                    help="the detector analyzes every N-th frame (default: 5)")
parser.add_argument("video", nargs="?", default=VTEST,
                    help="file that is read (default: vtest.avi of opencv-doc)")
parser.add_argument("plot", nargs="?", help="file that is written: a plot, .png (default: none)")
arguments = parser.parse_args()
Gst.init(None)
with need_mgpu.output(arguments.plot, ".png", arguments.video) as picture:
    times, counts = count(arguments.video, arguments.frames, arguments.interval)
    if not counts:
        sys.exit(f"{arguments.video} has no frames")
    plot(times, counts, f"People in {os.path.basename(arguments.video)}", picture)
print(f"{len(counts)} frames, {sum(counts) / len(counts):.2f} people on average, "
      f"{max(counts)} at most")
