#!/usr/bin/python3
"""Counts people in a video and plots how many there are over time.

    count-people.py [--frames N] [--interval N] [VIDEO [PLOT.png]]

Every 5th frame is looked at, or every N-th with --interval, of all frames or the
first N. Without VIDEO it is vtest.avi of Debian's package opencv-doc.
"""
import argparse
import sys

import gi
import numpy

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo

VTEST = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
WIDTH, HEIGHT, MARGIN = 720, 240, 24

# 3x5 pixels each, rows from above, left pixel first.
DIGITS = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711",
    "5": "74717", "6": "74757", "7": "71222", "8": "75757", "9": "75717",
}


def people_in(buffer):
    """Boxes and scores: (x, y, width, height, confidence)."""
    people = []
    while True:
        roi = GstVideo.buffer_get_video_region_of_interest_meta_id(buffer, len(people))
        if roi is None:
            return people
        detection = roi.get_param("detection")
        people.append((roi.x, roi.y, roi.w, roi.h, detection.get_value("confidence")))


def count(path, frames, interval):
    """Seconds and numbers of people of the frames that were looked at."""
    pipeline = Gst.parse_launch(
        f"filesrc name=file ! decodebin ! videoconvert ! mgpuhog frame-interval={interval} ! "
        "appsink name=sink sync=false max-buffers=4")
    pipeline.get_by_name("file").set_property("location", path)
    pipeline.set_state(Gst.State.PLAYING)
    sink = pipeline.get_by_name("sink")
    times, counts, message, i = [], [], None, 0
    # After an error no sample comes, and no end either.
    while message is None and i < frames and not sink.get_property("eos"):
        sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
        message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if sample is None:
            continue
        if i % interval == 0:
            times.append(sample.get_buffer().pts / Gst.SECOND)
            counts.append(len(people_in(sample.get_buffer())))
        i += 1
    message = message or pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message is not None:
        sys.exit(f"{path}: {message.parse_error().gerror.message}")
    return times, counts


def write_number(picture, x, y, number):
    for i, digit in enumerate(str(number)):
        for row, bits in enumerate(DIGITS[digit]):
            for column in range(3):
                if int(bits) >> (2 - column) & 1:
                    left, top = x + 8 * i + 2 * column, y + 2 * row
                    picture[top:top + 2, left:left + 2] = 80


def plot(times, counts):
    """Grey lines for each person and every 10 seconds, bars for the counts."""
    picture = numpy.full((HEIGHT, WIDTH, 3), 255, numpy.uint8)
    most, end = max(counts + [1]), times[-1] + (times[1] if len(times) > 1 else 1)
    across, up = (WIDTH - 2 * MARGIN) / end, (HEIGHT - 2 * MARGIN) / most
    for n in range(most + 1):
        y = round(HEIGHT - MARGIN - n * up)
        picture[y, MARGIN:-MARGIN] = 220
        write_number(picture, 4, y - 5, n)
    for second in range(0, int(end) + 1, 10):
        x = round(MARGIN + second * across)
        picture[MARGIN:-MARGIN, x] = 220
        write_number(picture, x - 4, HEIGHT - MARGIN + 6, second)
    for i, n in enumerate(counts):
        left = round(MARGIN + times[i] * across)
        right = round(MARGIN + (times[i + 1] if i + 1 < len(times) else end) * across)
        picture[round(HEIGHT - MARGIN - n * up):HEIGHT - MARGIN, left:right] = 60, 120, 190
    return picture


def save(picture, path):
    pipeline = Gst.parse_launch(
        f"appsrc name=src caps=video/x-raw,format=RGB,width={WIDTH},height={HEIGHT},framerate=1/1 "
        "format=time ! pngenc ! filesink name=file")
    pipeline.get_by_name("file").set_property("location", path)
    pipeline.set_state(Gst.State.PLAYING)
    source = pipeline.get_by_name("src")
    source.emit("push-buffer", Gst.Buffer.new_wrapped(picture.tobytes()))
    source.emit("end-of-stream")
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error().gerror.message)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--frames", type=int, default=sys.maxsize)
parser.add_argument("--interval", type=int, default=5)
parser.add_argument("video", nargs="?", default=VTEST)
parser.add_argument("plot", nargs="?", default="people.png")
arguments = parser.parse_args()
Gst.init(None)
times, counts = count(arguments.video, arguments.frames, arguments.interval)
if not counts:
    sys.exit(f"{arguments.video} has no frames")
save(plot(times, counts), arguments.plot)
print(f"{len(counts)} frames, {sum(counts) / len(counts):.2f} people on average, "
      f"{max(counts)} at most; see {arguments.plot}")
