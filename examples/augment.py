#!/usr/bin/python3
"""Replaces a known picture that is recognized in a video by another picture.

    augment.py VIDEO KNOWN PICTURE OUTPUT.webm

KNOWN is what the camera sees, such as a box or a poster; PICTURE is shown instead of it,
turned, scaled and tilted as KNOWN is.
"""
import os
import sys

import gi
import numpy

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstMgpu, GstVideo

READ = ("filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=BGRx ! mgpusift ! "
        "mgpumatch name=match ! video/x-raw,format=BGRx ! "
        "appsink name=sink sync=false max-buffers=4")
LOAD = ("filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=BGRx ! "
        "appsink name=sink sync=false")
WRITE = ("appsrc name=source format=time ! videoconvert ! "
         "vp8enc deadline=1 cpu-used=8 target-bitrate=2000000 ! webmmux ! filesink name=file")


def start(description, path):
    pipeline = Gst.parse_launch(description)
    pipeline.get_by_name("file").set_property("location", path)
    return pipeline


def get_pixels(sample):
    """Copies a BGRx frame: height x width x 4 bytes."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    data = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
    return numpy.frombuffer(data, numpy.uint8).reshape(info.height, info.width, 4).copy()


def load(path):
    """Returns the sample of a picture file."""
    pipeline = start(LOAD, path)
    sample = next(need_mgpu.samples(pipeline, path), None)
    pipeline.set_state(Gst.State.NULL)
    return sample or sys.exit(f"{path} has no picture")


def put(frame, picture, matrix, width, height):
    """Draws picture over the area to which matrix maps a known picture of width x height."""
    # matrix maps (x, y, 1) of the known picture to the frame; drawing needs the inverse.
    y, x = numpy.mgrid[:frame.shape[0], :frame.shape[1]]
    place = numpy.linalg.inv(matrix) @ numpy.stack([x, y, numpy.ones_like(x)]).reshape(3, -1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        u, v = place[0] / place[2], place[1] / place[2]
    inside = (place[2] > 0) & (u > -0.5) & (u < width - 0.5) & (v > -0.5) & (v < height - 0.5)
    column = ((u[inside] + 0.5) * picture.shape[1] / width).astype(int)
    row = ((v[inside] + 0.5) * picture.shape[0] / height).astype(int)
    frame.reshape(-1, 4)[inside] = picture[row, column]


def augment(video, known, shown, output):
    """Returns the number of all frames, and the number of frames in which the picture was
    replaced."""
    picture = get_pixels(load(shown))
    reader, writer = start(READ, video), start(WRITE, output)
    if reader.get_by_name("match").emit("add-picture", os.path.basename(known), load(known)) == 0:
        sys.exit(f"{known} cannot be looked for")
    source = writer.get_by_name("source")
    writer.set_state(Gst.State.PLAYING)
    n_frames = n_found = 0
    for sample in need_mgpu.samples(reader, video):
        frame, buffer = get_pixels(sample), sample.get_buffer()
        meta = GstMgpu.buffer_get_mgpu_picture_meta(buffer)
        n_frames += 1
        if meta is not None:
            n_found += 1
            found = meta.get_picture(0)[1]
            put(frame, picture, numpy.reshape(meta.get_matrix(0), (3, 3)), found.width, found.height)
        drawn = Gst.Buffer.new_wrapped(frame.tobytes())
        drawn.pts, drawn.duration = buffer.pts, buffer.duration
        source.emit("push-sample", Gst.Sample.new(drawn, sample.get_caps(), None, None))
    reader.set_state(Gst.State.NULL)
    source.emit("end-of-stream")
    message = writer.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    writer.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f"the video was not made: {message.parse_error().gerror.message}")
    return n_frames, n_found


def main(video, known, shown, path):
    Gst.init(None)
    with need_mgpu.output(path, ".webm", video, known, shown) as output:
        n_frames, n_found = augment(video, known, shown, output)
        if n_found == 0:
            sys.exit(f"{known} is in none of the {n_frames} frames of {video}")
    print(f"{known} is in {n_found} of {n_frames} frames")


if sys.argv[1:] in (["-h"], ["--help"]):
    print(__doc__.strip())
    sys.exit()
if len(sys.argv) != 5:
    sys.exit(__doc__.strip())
main(*sys.argv[1:])
