#!/usr/bin/python3
"""Watches a video, and records the first time that something moves in it.

    watch-a-door.py [--before N] [--after N] VIDEO OUTPUT.webm

The recording begins at a key frame, --before seconds (default: 5) before the motion or up to a
second earlier, and ends --after seconds (default: 5) after the motion. If nothing moves,
nothing is written, and the exit status is 1. VIDEO is a file, or the URI of a camera, such as
rtsp://camera/stream or v4l2:///dev/video0. Ctrl-C ends the recording.
"""
import argparse
import collections
import sys

import need_mgpu  # says how to find the plugin

from gi.repository import Gst

WATCH = ("uridecodebin name=video ! videoconvert ! video/x-raw,format=I420 ! "
         "mgpumotion name=motion ! vp8enc deadline=1 cpu-used=8 threads=2 keyframe-max-dist=10 "
         "target-bitrate=2000000 ! appsink name=sink sync=false max-buffers=2")
RECORD = "appsrc name=source format=time ! webmmux ! filesink name=output"


def seconds(text):
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 600:
        raise argparse.ArgumentTypeError(f"{text} is not a time from 0 to 600 seconds")
    return number


class Recorder:
    """Writes encoded frames to a file, which begins at the time 0."""

    def __init__(self, path, first):
        self.pipeline = Gst.parse_launch(RECORD)
        self.source = self.pipeline.get_by_name("source")
        self.pipeline.get_by_name("output").set_property("location", path)
        self.source.set_property("caps", first.get_caps())
        self.source.get_static_pad("src").set_offset(-first.get_buffer().pts)
        self.pipeline.set_state(Gst.State.PLAYING)

    def write(self, sample):
        self.source.emit("push-buffer", sample.get_buffer())

    def end(self):
        self.source.emit("end-of-stream")
        message = self.pipeline.get_bus().timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        self.pipeline.set_state(Gst.State.NULL)
        if message.type == Gst.MessageType.ERROR:
            sys.exit(f"the recording was not written: {message.parse_error().gerror.message}")


class Watcher:
    def __init__(self, options, path):
        self.options, self.path = options, path
        self.kept = collections.deque()  # encoded frames that may be recorded
        self.recorder = self.begin = self.end = None
        self.pipeline = Gst.parse_launch(WATCH)
        self.pipeline.get_by_name("video").set_property("uri", need_mgpu.as_uri(options.video))
        # Motion counts as stopped this long after the last moving object.
        self.pipeline.get_by_name("motion").set_property("stop-delay", options.after)

    def read_messages(self):
        """Reads from messages when motion starts and stops; a message arrives before its frame
        is encoded."""
        bus = self.pipeline.get_bus()
        types = Gst.MessageType.ELEMENT | Gst.MessageType.ERROR
        while (message := bus.pop_filtered(types)) is not None:
            if message.type == Gst.MessageType.ERROR:
                self.pipeline.set_state(Gst.State.NULL)
                sys.exit(f"{self.options.video}: {message.parse_error().gerror.message}")
            event = message.get_structure()
            if event.get_name() != "mgpu-motion":
                continue
            time = event.get_value("timestamp")
            if event.get_string("event") == "started" and self.begin is None:
                print(f"something moves at {time / Gst.SECOND:.1f} s")
                self.begin = time - int(self.options.before * Gst.SECOND)
            elif event.get_string("event") == "stopped" and self.end is None:
                self.end = time

    def forget(self, until):
        """Drops the kept frames before the last key frame whose time is at most until."""
        keys = [i for i, sample in enumerate(self.kept) if sample.get_buffer().pts <= until
                and not sample.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)]
        for _ in range(keys[-1] if keys else 0):
            self.kept.popleft()

    def take(self, sample):
        """Stores a frame. Once the recording has begun, writes the stored frames to it. Returns
        whether the recording has ended."""
        time = sample.get_buffer().pts
        self.kept.append(sample)
        if self.begin is None or time < self.begin:
            self.forget(time - int(self.options.before * Gst.SECOND))
            return False
        if self.recorder is None:
            self.forget(self.begin)
            self.recorder = Recorder(self.path, self.kept[0])
        while self.kept:
            self.recorder.write(self.kept.popleft())
        return self.end is not None and time >= self.end

    def run(self):
        """Returns whether something was recorded."""
        sink, ended = self.pipeline.get_by_name("sink"), False
        self.pipeline.set_state(Gst.State.PLAYING)
        with need_mgpu.interrupts() as pressed:
            while not ended and not pressed and not sink.get_property("eos"):
                sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
                self.read_messages()
                ended = sample is not None and self.take(sample)
        self.read_messages()
        self.pipeline.set_state(Gst.State.NULL)
        if self.recorder is not None:
            self.recorder.end()
        return self.recorder is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=seconds, default=5,
                        help="seconds that are recorded before the motion (default: 5)")
    parser.add_argument("--after", type=seconds, default=5,
                        help="seconds that are recorded after it (default: 5)")
    parser.add_argument("video", help="file, or URI of a camera")
    parser.add_argument("output", help="file that is written: a .webm")
    options = parser.parse_args()
    with need_mgpu.output(options.output, ".webm", options.video) as output:
        if not Watcher(options, output).run():
            sys.exit("nothing moves: nothing was recorded")
    print(f"recorded in {options.output}")


main()
