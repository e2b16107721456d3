#!/usr/bin/python3
"""Makes a video that shows, side by side, another video before and after it was steadied.

    steady-film.py [--shake] [--frames N] VIDEO OUTPUT.webm [PROPERTIES]

PROPERTIES are properties of mgpustabilize, such as "smoothing=30 look-ahead=30 zoom=1.2". With
--shake, the frames are first moved by up to 8 pixels, for videos of a fixed camera. The program
prints how much the picture jerks from frame to frame, before and after.
"""
import argparse
import math
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstMgpu, GstVideo

REACH = 8
# The first queue is in the branch of the original frames, and holds as many frames as mgpustabilize
# may delay. Without drop-allocation there would be a deadlock: videocrop, whose output size
# changes, would send an allocation query to this queue, which answers only when it is empty, while
# compositor empties it only when steadied frames arrive.
FILM = ("filesrc name=file ! decodebin ! videoconvert ! videocrop name=shake ! "
        "video/x-raw,format=I420 ! identity drop-allocation=true ! tee name=t "
        "t. ! queue max-size-buffers=150 max-size-bytes=0 max-size-time=0 ! c.sink_0 "
        "t. ! queue ! mgpustabilize name=steady {} ! mgpustabilize name=measure mode=measure ! "
        "videoconvert ! c.sink_1 "
        "compositor name=c ! videoconvert ! "
        "vp8enc deadline=1 cpu-used=8 target-bitrate=2000000 ! webmmux ! filesink name=output")


class Film:
    def __init__(self, options, output):
        try:
            self.pipeline = Gst.parse_launch(FILM.format(options.properties))
        except GLib.Error as error:
            sys.exit(f"{options.properties}: {error.message}")
        self.options = options
        self.n_frames = 0
        self.motions = {"steady": [], "measure": []}
        self.get("file").set_property("location", options.video)
        self.get("output").set_property("location", output)
        self.probe("shake", "sink", Gst.PadProbeType.BUFFER, self.shake)
        self.probe("measure", "sink", Gst.PadProbeType.EVENT_DOWNSTREAM, self.place)
        for name in self.motions:
            self.probe(name, "src", Gst.PadProbeType.BUFFER, self.note_motion, name)

    def get(self, name):
        return self.pipeline.get_by_name(name)

    def probe(self, element, pad, mask, callback, *data):
        self.get(element).get_static_pad(pad).add_probe(mask, callback, *data)

    def shake(self, pad, info):
        """Shakes a frame by cropping its edges by different amounts; ends the stream after the
        last frame."""
        t = self.n_frames / 25
        self.n_frames += 1
        if self.options.frames and self.n_frames > self.options.frames:
            pad.send_event(Gst.Event.new_eos())
            return Gst.PadProbeReturn.DROP
        if self.options.shake:
            x, y = ((math.sin(a * t) + math.sin(b * t)) / 2 for a, b in ((14, 35), (11, 23)))
            left, top = REACH + round(REACH * x), REACH + round(REACH * y)
            for edge, size in (("left", left), ("right", 2 * REACH - left),
                               ("top", top), ("bottom", 2 * REACH - top)):
                self.get("shake").set_property(edge, size)
        return Gst.PadProbeReturn.OK

    def place(self, pad, info):
        """Places the steadied frames to the right of the original frames, once their size is
        known."""
        event = info.get_event()
        if event.type == Gst.EventType.CAPS:
            info = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            self.get("c").get_static_pad("sink_1").set_property("xpos", info.width)
        return Gst.PadProbeReturn.OK

    def note_motion(self, pad, info, name):
        meta = GstMgpu.buffer_get_mgpu_motion_meta(info.get_buffer())
        if meta is not None:
            motion = meta.get_motion()
            self.motions[name].append((motion[2], motion[5]))
        return Gst.PadProbeReturn.OK

    def get_jerk(self, name):
        """Returns the mean change of the motion from frame to frame, in pixels."""
        motions = self.motions[name]
        jerks = [math.dist(a, b) for a, b in zip(motions[1:], motions[2:])]
        return sum(jerks) / max(len(jerks), 1)

    def run(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        message = self.pipeline.get_bus().timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        self.pipeline.set_state(Gst.State.NULL)
        if message.type == Gst.MessageType.ERROR:
            sys.exit(f"{self.options.video}: {message.parse_error().gerror.message}")

    def report(self):
        before, after = self.get_jerk("steady"), self.get_jerk("measure")
        print(f"{len(self.motions['measure'])} frames: the picture jerks by {before:.2f} pixels "
              f"before, {after:.2f} after")
        if after >= before:
            sys.exit(f"{self.options.video} is not steadier than it was")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shake", action="store_true", help="shake the video first")
    parser.add_argument("--frames", type=need_mgpu.count, default=0,
                        help="number of frames that are read (default: all)")
    parser.add_argument("video", help="file that is read")
    parser.add_argument("output", help="file that is written: a .webm")
    parser.add_argument("properties", nargs="?", default="",
                        help="properties of mgpustabilize, such as smoothing=30")
    options = parser.parse_args()
    Gst.init(None)
    with need_mgpu.output(options.output, ".webm", options.video) as output:
        film = Film(options, output)
        film.run()
    film.report()


main()
