#!/usr/bin/python3
"""Counts people in front of a camera, and prints a line of JSON every second.

    publish-counts.py [--every SECONDS] [--line X1,Y1,X2,Y2] [--frames N] CAMERA

CAMERA is a URI, such as rtsp://camera/stream, or a file. Each line has the time in seconds,
the number of people in view, and how many have crossed the line since the start, in both
directions. The program ends when the stream ends, or with Ctrl-C. Piped to mosquitto_pub -l,
each line is published as an MQTT message.
"""
import argparse
import itertools
import json
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
from gi.repository import Gst

# A live camera cannot wait, so frames that arrive while the detector is busy are dropped.
LINE = ("uridecodebin name=camera ! videoconvert ! {queue}mgpuhog ! "
        "mgputrack name=track lines=line:{line} ! appsink name=sink sync=false max-buffers=2")
LIVE = "queue leaky=downstream max-size-buffers=2 ! "


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=float, default=1, help="seconds between two lines (default: 1)")
    parser.add_argument("--line", default="0.3,1,0.6,0.2",
                        help="ends of the line, in fractions of the frame (default: 0.3,1,0.6,0.2)")
    parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                        help="number of frames after which the program ends (default: all)")
    parser.add_argument("camera", help="URI or file")
    options = parser.parse_args()
    is_uri = "://" in options.camera
    pipeline = Gst.parse_launch(LINE.format(line=options.line, queue=LIVE if is_uri else ""))
    pipeline.get_by_name("camera").set_property("uri", need_mgpu.as_uri(options.camera))
    track, counts, due = pipeline.get_by_name("track"), {}, 0

    # mgputrack may be a few frames ahead of the appsink, so the counts are stored for each
    # frame when mgputrack pushes it.
    def keep_counts(pad, info):
        counts[info.get_buffer().pts] = track.get_property("counts")
        return Gst.PadProbeReturn.OK

    track.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, keep_counts)
    for sample in itertools.islice(need_mgpu.samples(pipeline, options.camera), options.frames):
        seconds = sample.get_segment().to_running_time(Gst.Format.TIME, sample.get_buffer().pts) / Gst.SECOND
        now = counts.pop(sample.get_buffer().pts)
        if seconds < due:
            continue
        due = seconds + options.every
        print(json.dumps({"time": round(seconds, 2), "people": now["present"],
                          "in": now["line-in"], "out": now["line-out"]}), flush=True)
    pipeline.set_state(Gst.State.NULL)


main()
