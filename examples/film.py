#!/usr/bin/python3
"""Makes a short video that shows what the elements do, with one pipeline.

While the pipeline plays, elements are enabled and disabled, and rectangles move.

    film.py [--shorter N] VIDEO OUTPUT.webm [PICTURE.jpg]

The scenes are made for Debian's vtest.avi. PICTURE shows a frame of each scene. With --shorter,
every scene has only 1/N of its frames.
"""
import argparse
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("GdkPixbuf", "2.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GdkPixbuf, Gst, GstVideo

# Elements that are not enabled pass frames unchanged.
FILM = ("filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=I420 ! "
        f"{need_mgpu.FIRST_FRAMES} ! "
        "mgpubilateral name=smooth enabled=false ! mgpuhisteq name=contrast enabled=false ! "
        "mgpuinpaint name=remove mode=temporal background=true enabled=false ! "
        "mgpusift name=keypoints max-features=500 enabled=false ! "
        "mgpuhog name=people enabled=false ! "
        "mgputrack name=ids high-threshold=0.2 new-threshold=0.25 coast=6 enabled=false ! "
        "mgpuoverlay name=draw line-width=2 ! videoconvert name=drawn ! "
        "vp9enc deadline=20000 cpu-used=4 threads=2 end-usage=cq cq-level=42 target-bitrate=1000000 "
        "keyframe-max-dist=120 ! webmmux ! filesink name=output")

# Boxes of the objects that lie on the grass in all frames
THINGS = "452,330,84,164;64,492,104,44;318,446,40,28"

# Scenes: number of frames, text, and the names of the enabled elements
SCENES = [
    (60, "before | mgpubilateral ! mgpuhisteq", ["smooth", "contrast"]),
    (50, "mgpusift: {keypoints} keypoints", ["keypoints"]),
    (70, "mgpuhog ! mgputrack: people with ids", ["people", "ids"]),
    (15, "a tripod, clothes on the grass", []),
    (45, "mgpuinpaint: they are gone", ["remove"]),
]
SWITCHED = ["smooth", "contrast", "remove", "keypoints", "people", "ids"]


class Film:
    def __init__(self, options, output):
        self.pipeline = Gst.parse_launch(FILM)
        self.get("file").set_property("location", options.video)
        self.get("output").set_property("location", output)
        self.get("remove").set_property("rectangle", THINGS)
        self.scenes = [(max(n // options.shorter, 2), text, working) for n, text, working in SCENES]
        need_mgpu.pass_first(self.pipeline, sum(length for length, _, _ in self.scenes))
        self.n_frames = 0
        self.n_drawn = 0
        self.shown = []
        self.get("first").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.direct)
        if options.picture:
            self.get("drawn").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.keep)

    def get(self, name):
        return self.pipeline.get_by_name(name)

    def direct(self, pad, info):
        """Sets the properties for the next frame, which all elements process in this thread."""
        first = 0
        for length, text, working in self.scenes:
            if self.n_frames < first + length:
                break
            first += length
        if self.n_frames == first:
            self.get("draw").set_property("text", text)
            self.get("draw").set_property("trail-length", 25 if "ids" in working else 0)
            for name in SWITCHED:
                self.get(name).set_property("enabled", name in working)
        if "smooth" in working:
            # Moves the left edge of the filtered rectangle from right to left, then to the
            # middle.
            n = (self.n_frames - first) / length
            left = 0.99 - n * 1.58 if n < 0.5 else 0.2 + (n - 0.5) * 0.6
            for name in working:
                self.get(name).set_property("rectangle", f"{left:.3f},0.0,{1 - left:.3f},1.0")
        self.n_frames += 1
        return Gst.PadProbeReturn.OK

    def keep(self, pad, info):
        """Keeps a frame of each scene that has enabled elements."""
        first = 0
        for length, _, working in self.scenes:
            if working and self.n_drawn == first + length * 5 // 6:
                sample = Gst.Sample.new(info.get_buffer(), pad.get_current_caps(), None, None)
                self.shown.append(sample)
            first += length
        self.n_drawn += 1
        return Gst.PadProbeReturn.OK

    def write_picture(self, path):
        """Writes a picture with the frames that were kept, two in each row."""
        caps = Gst.Caps.from_string("video/x-raw,format=RGB,width=384,height=288")
        sheet = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 768 + 4, 576 + 4)
        sheet.fill(0xffffffff)
        for i, sample in enumerate(self.shown):
            small = GstVideo.video_convert_sample(sample, caps, 10 * Gst.SECOND)
            buffer = small.get_buffer()
            data = buffer.extract_dup(0, buffer.get_size())
            picture = GdkPixbuf.Pixbuf.new_from_data(data, GdkPixbuf.Colorspace.RGB, False, 8, 384, 288, 1152)
            picture.copy_area(0, 0, 384, 288, sheet, i % 2 * 388, i // 2 * 292)
        sheet.savev(path, "jpeg", ["quality"], ["85"])

    def run(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        message = self.pipeline.get_bus().timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        self.pipeline.set_state(Gst.State.NULL)
        if message.type == Gst.MessageType.ERROR:
            sys.exit(f"the video was not made: {message.parse_error().gerror.message}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shorter", type=need_mgpu.count, default=1,
                        help="factor by which each scene is shorter (default: 1)")
    parser.add_argument("video", help="file that is read")
    parser.add_argument("output", help="file that is written: a .webm")
    parser.add_argument("picture", nargs="?",
                        help="file that is written: a picture of the result (default: none)")
    options = parser.parse_args()
    Gst.init(None)
    with (need_mgpu.output(options.output, ".webm", options.video) as output,
          need_mgpu.output(options.picture, ".jpg", options.video) as picture):
        film = Film(options, output)
        film.run()
        n_wanted = sum(length for length, _, _ in film.scenes)
        if film.n_frames != n_wanted:
            sys.exit(f"{options.video} is too short: the scenes have {n_wanted} frames")
        if options.picture:
            film.write_picture(picture)
    print(f"{film.n_frames} frames in {options.output}")


main()
