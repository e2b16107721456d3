#!/usr/bin/python3
"""Prints who crosses a line in a video, as CSV.

    crossings.py [--line X1,Y1,X2,Y2] [--frames N] VIDEO > crossings.csv

Each row describes a crossing: the time in seconds, the id of the person, the direction, the
position (the middle of the lower edge of the person's box, in pixels), and how many people have
crossed in each direction so far. The ends of the line are in fractions of the frame; "in" means
crossing from the left of the line to its right, as seen from its first point.
"""
import argparse
import csv
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
from gi.repository import Gst

LINE = (f"filesrc name=file ! decodebin ! videoconvert ! {need_mgpu.FIRST_FRAMES} ! mgpuhog ! "
        "mgputrack name=track ! fakesink")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--line", default="0.3,1,0.6,0.2",
                        help="ends of the line, in fractions of the frame (default: 0.3,1,0.6,0.2)")
    parser.add_argument("--frames", type=need_mgpu.count,
                        help="number of frames that are read (default: all)")
    parser.add_argument("video", help="file")
    options = parser.parse_args()
    pipeline = Gst.parse_launch(LINE)
    pipeline.get_by_name("file").set_property("location", options.video)
    pipeline.get_by_name("track").set_property("lines", f"line:{options.line}")
    if options.frames is not None:
        need_mgpu.pass_first(pipeline, options.frames)
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["seconds", "id", "direction", "x", "y", "in", "out"])
    pipeline.set_state(Gst.State.PLAYING)
    bus, message = pipeline.get_bus(), None
    types = Gst.MessageType.ELEMENT | Gst.MessageType.EOS | Gst.MessageType.ERROR
    with need_mgpu.interrupts() as pressed:
        while not pressed and (message is None or message.type == Gst.MessageType.ELEMENT):
            message = need_mgpu.pop_message(bus, types, Gst.SECOND // 10)
            track = message and message.get_structure()
            if track is None or track.get_name() != "mgpu-track" or track["event"] != "crossed":
                continue
            rows.writerow([round(track["running-time"] / Gst.SECOND, 2), track["id"], track["direction"],
                           track["x"] + track["width"] // 2, track["y"] + track["height"],
                           track["in"], track["out"]])
    pipeline.set_state(Gst.State.NULL)
    if message is not None and message.type == Gst.MessageType.ERROR:
        sys.exit(f"{options.video}: {message.parse_error().gerror.message}")


main()
