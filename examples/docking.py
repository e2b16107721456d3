#!/usr/bin/python3
"""Guides a robot to a tag: prints where the robot's camera is, as a line of JSON for each frame.

    docking.py [--tag FAMILY:ID] [--tag-size METERS] [--fov DEGREES] [--calibration FILE] [--frames N] VIDEO

The tag (default: tag36h11:0) is at the dock, and its border is METERS wide (default: 0.16). The
camera looks ahead. A calibration file of OpenCV, ROS or Kalibr describes the camera; without
such a file, the camera is an ideal one whose field of view across the frame is --fov degrees
(default: 60). In each line, "distance", "right" and "down" are the position of the camera in
meters, as seen by somebody who faces the tag: in front of the wall with the tag, to the right
of the tag, and below the tag. "turn" is the angle, in degrees, by which the robot has to turn
to the right to face the wall. "sure" is false if a small or distant tag would look the same
from another pose. Lines with "event" report that the tag appears or disappears. With a camera
instead of the file, such as v4l2src, the same pipeline guides a robot.
"""
import argparse
import collections
import itertools
import json
import math
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
from gi.repository import Gst, GstMgpu

MAX_AMBIGUITY = 0.8

# mgpuremap passes the parameters of the camera to mgputags, in a GstMgpuCameraMeta.
PIPELINE = ("filesrc name=file ! decodebin ! videoconvert ! mgpuremap name=camera ! mgputags name=tags ! "
            "appsink name=sink sync=false max-buffers=1")


def within(low, high):
    def number(text):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not a number from {low} to {high}")
        return value
    return number


def tag_name(text):
    family, colon, number = text.partition(":")
    if not family or not number.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is not FAMILY:ID")
    return family, int(number)


def locate(r, t):
    """Returns where the camera is, computed from the pose of the tag in the coordinates of the
    camera."""
    x, y, z = (-sum(r[3 * k + column] * t[k] for k in range(3)) for column in range(3))
    # The third row is the camera's axis in the coordinates of the tag, whose z axis points into the
    # wall.
    return {"distance": round(-z, 3), "right": round(x, 3) + 0, "down": round(y, 3) + 0,
            "turn": round(-math.degrees(math.atan2(r[6], r[8])), 1) + 0}


def find(buffer, wanted):
    """Returns what to print about a frame, or None if the tag is not in it."""
    meta = GstMgpu.buffer_get_mgpu_tag_meta(buffer)
    for i in range(meta.get_n_tags() if meta else 0):
        tag = meta.get_tag(i)[1]
        if (tag.family, tag.id) == wanted and meta.get_n_poses(i) > 0:
            place = locate(meta.get_rotation(i, 0), meta.get_position(i, 0))
            return place | {"sure": meta.get_ambiguity(i) <= MAX_AMBIGUITY}
    return None


def tell(time, what):
    print(json.dumps({"time": round(time / Gst.SECOND, 3)} | what), flush=True)


def tell_events(messages, wanted):
    while messages:
        s = messages.popleft().get_structure()
        if s.get_name() == "mgpu-tag" and (s.get_string("family"), s.get_uint("id")[1]) == wanted:
            tell(s.get_value("timestamp"), {"event": s.get_string("event")})


def main(arguments):
    pipeline = Gst.parse_launch(PIPELINE)
    camera, tags = pipeline.get_by_name("camera"), pipeline.get_by_name("tags")
    pipeline.get_by_name("file").set_property("location", arguments.video)
    tags.set_property("families", arguments.tag[0])
    tags.set_property("tag-size", arguments.tag_size)
    if arguments.calibration is not None:
        camera.set_property("location", arguments.calibration)
    else:
        camera.set_property("input-fov", arguments.fov)
        Gst.util_set_object_arg(camera, "input", "perspective")
        Gst.util_set_object_arg(camera, "projection", "same")
    messages, bus = collections.deque(), pipeline.get_bus()
    bus.enable_sync_message_emission()
    bus.connect("sync-message::element", lambda bus, message: messages.append(message))
    samples = need_mgpu.samples(pipeline, arguments.video)
    for sample in itertools.islice(samples, arguments.frames):
        buffer = sample.get_buffer()
        tell_events(messages, arguments.tag)
        place = find(buffer, arguments.tag)
        if place is not None:
            tell(buffer.pts, place)
    tell_events(messages, arguments.tag)
    pipeline.set_state(Gst.State.NULL)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--tag", type=tag_name, default=("tag36h11", 0),
                    help="family and number of the tag at the dock (default: tag36h11:0)")
parser.add_argument("--tag-size", type=within(.001, 100), default=.16,
                    help="width of the tag, in meters (default: 0.16)")
parser.add_argument("--fov", type=within(1, 170), default=60,
                    help="horizontal field of view of the camera, in degrees (default: 60)")
parser.add_argument("--calibration", help="calibration file of the camera, instead of --fov")
parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                    help="number of frames that are read (default: all)")
parser.add_argument("video", help="file that is read")
main(parser.parse_args())
