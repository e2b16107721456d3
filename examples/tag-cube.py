#!/usr/bin/python3
"""Draws a cube on each AprilTag of a video, in perspective.

    tag-cube.py [--families NAMES] [--fov DEGREES] [--calibration FILE] VIDEO OUTPUT.webm

NAMES are tag families, as for the property of mgputags (default: tag36h11). A calibration file
of OpenCV, ROS or Kalibr describes the camera, and the distortion of its lens is then corrected;
without such a file, the camera is an ideal one whose field of view across the frame is --fov
degrees (default: 60). If no tag is found, nothing is written, and the exit status is 1.
"""
import argparse
import sys

import cairo
import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstMgpu, GstVideo

# mgpuremap passes the parameters of the camera to mgputags, in a GstMgpuCameraMeta.
READ = ("filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=BGRx ! mgpuremap name=camera ! "
        "mgputags name=tags tag-size=1 ! video/x-raw,format=BGRx ! appsink name=sink sync=false max-buffers=4")
WRITE = ("appsrc name=source format=time ! videoconvert ! "
         "vp8enc deadline=1 cpu-used=8 target-bitrate=2000000 ! webmmux ! filesink name=file")

# Corners of the cube, in units of the tag's side: x to the right of the tag, y down, z into the
# tag. The first four corners are on the tag.
CORNERS = [(x, y, z) for z in (0, -1) for x, y in ((-.5, -.5), (.5, -.5), (.5, .5), (-.5, .5))]
SIDES = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)]
COLORS = [(.9, .3, .2), (.2, .7, .3), (.2, .4, .9), (.9, .7, .1), (.9, .9, .9)]


def place(meta, i, point):
    """Converts a point on tag i to camera coordinates: x to the right, y down, z forward."""
    r, t = meta.get_rotation(i, 0), meta.get_position(i, 0)
    return [sum(r[3 * row + k] * point[k] for k in range(3)) + t[row] for row in range(3)]


def draw_cube(context, camera, corners):
    # Draws the far sides first, because near sides cover them.
    sides = sorted(zip(SIDES, COLORS), key=lambda side: -sum(corners[k][2] for k in side[0]))
    for side, color in sides:
        for k in side:
            shown, x, y = camera.project(corners[k])
            if not shown:
                return
            context.line_to(x + .5, y + .5)
        context.close_path()
        context.set_source_rgba(*color, .6)
        context.fill_preserve()
        context.set_source_rgb(*(c / 2 for c in color))
        context.stroke()


def draw(sample):
    """Returns the pixels of a frame with its cubes, and the number of cubes."""
    info, buffer = GstVideo.VideoInfo.new_from_caps(sample.get_caps()), sample.get_buffer()
    pixels = bytearray(buffer.extract_dup(0, info.width * info.height * 4))
    tags, camera = GstMgpu.buffer_get_mgpu_tag_meta(buffer), GstMgpu.buffer_get_mgpu_camera_meta(buffer)
    surface = cairo.ImageSurface.create_for_data(pixels, cairo.FORMAT_RGB24, info.width, info.height)
    context, cubes = cairo.Context(surface), []
    for i in range(tags.get_n_tags() if tags else 0):
        if tags.get_n_poses(i) > 0:
            cubes.append([place(tags, i, corner) for corner in CORNERS])
    for corners in sorted(cubes, key=lambda c: -c[0][2]):
        draw_cube(context, camera, corners)
    surface.flush()
    return pixels, len(cubes)


def start(description, path):
    pipeline = Gst.parse_launch(description)
    pipeline.get_by_name("file").set_property("location", path)
    return pipeline


def make(arguments, output):
    """Returns the number of all frames, and the number of frames with a cube."""
    reader, writer = start(READ, arguments.video), start(WRITE, output)
    reader.get_by_name("tags").set_property("families", arguments.families)
    camera = reader.get_by_name("camera")
    if arguments.calibration is not None:
        camera.set_property("location", arguments.calibration)
    else:
        camera.set_property("input-fov", arguments.fov)
        Gst.util_set_object_arg(camera, "input", "perspective")
        Gst.util_set_object_arg(camera, "projection", "same")
    source = writer.get_by_name("source")
    writer.set_state(Gst.State.PLAYING)
    n_frames = n_found = 0
    for sample in need_mgpu.samples(reader, arguments.video):
        pixels, n_cubes = draw(sample)
        n_frames += 1
        n_found += n_cubes > 0
        drawn = Gst.Buffer.new_wrapped(bytes(pixels))
        drawn.pts, drawn.duration = sample.get_buffer().pts, sample.get_buffer().duration
        source.emit("push-sample", Gst.Sample.new(drawn, sample.get_caps(), None, None))
    reader.set_state(Gst.State.NULL)
    source.emit("end-of-stream")
    message = writer.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    writer.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f"the video was not made: {message.parse_error().gerror.message}")
    return n_frames, n_found


def angle(text):
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 1 <= number <= 170:
        raise argparse.ArgumentTypeError(f"{text} is not an angle from 1 to 170 degrees")
    return number


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--families", default="tag36h11",
                    help="families of tags, with commas between them (default: tag36h11)")
parser.add_argument("--fov", type=angle, default=60,
                    help="horizontal field of view of the camera, in degrees (default: 60)")
parser.add_argument("--calibration", help="calibration file of the camera, instead of --fov")
parser.add_argument("video", help="file that is read")
parser.add_argument("output", help="file that is written: a .webm")
arguments = parser.parse_args()
with need_mgpu.output(arguments.output, ".webm", arguments.video) as output:
    n_frames, n_found = make(arguments, output)
    if n_found == 0:
        sys.exit(f"no tag of {arguments.families} is in the {n_frames} frames of {arguments.video}")
print(f"{n_found} of {n_frames} frames have a cube")
