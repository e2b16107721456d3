# SPDX-License-Identifier: LGPL-2.1-or-later
"""Functions of the examples in Python. If Python or GStreamer does not find gst-mgpu, importing
this module prints why and ends the program. The functions implement the rules of all examples:
the input is the first argument, an output is written only to a file that the caller named, and
it may only replace an older output.
"""
import argparse
import contextlib
import os
import re
import shutil
import signal
import sys
import tempfile

import gi

HELP = ("Install the package {}, or run this program in the shell that "
        "`meson devenv -C build -w .` opens.")

# How files begin.
HEADS = {
    ".jpg": rb"\xff\xd8\xff",
    ".png": rb"\x89PNG\r\n\x1a\n",
    ".webm": rb"\x1a\x45\xdf\xa3.*webm",
}

if not hasattr(gi, "require_version"):
    sys.exit(f"{sys.executable} has no PyGObject: run this program with /usr/bin/python3, after "
             "installing the package python3-gi.")
try:
    gi.require_version("Gst", "1.0")
    gi.require_version("GstMgpu", "1.0")
except ValueError as error:
    sys.exit(f"{error}. " + HELP.format("python3-gstmgpu-1.0"))

from gi.repository import Gst, GstMgpu

# Flushes each printed line, so that it arrives at once also in a file or another program.
sys.stdout.reconfigure(line_buffering=True)

Gst.init(None)
if not hasattr(GstMgpu.MgpuFlowMeta, "flow_array"):
    sys.exit("PyGObject finds the typelib of GstMgpu, but not its override. "
             + HELP.format("python3-gstmgpu-1.0"))
if Gst.Registry.get().find_plugin("mgpu") is None:
    sys.exit("GStreamer finds no plugin mgpu. " + HELP.format("gstreamer1.0-mgpu"))


def count(text):
    """Converts an argument that is a number of frames, as an argparse type."""
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text} is not a number of frames: 1 to 999999999")
    return int(text)


# Elements that let through only the first frames; pass_first() sets how many
FIRST_FRAMES = "identity name=decoded ! identity name=first"


def pass_first(pipeline, n):
    """Makes the elements FIRST_FRAMES of a pipeline pass n frames and then end the stream."""
    # An identity element drops the frame with which it reaches eos-after. A decoder that is
    # stopped may push one more frame, from elsewhere in the video, which the element "decoded"
    # drops.
    pipeline.get_by_name("first").set_property("eos-after", n + 1)
    pipeline.get_by_name("decoded").set_property("eos-after", n + 2)


def as_uri(video):
    """Returns the URI of an argument that is a URI or the name of a file."""
    return video if "://" in video else Gst.filename_to_uri(video)


@contextlib.contextmanager
def interrupts():
    """Yields a list to which Ctrl-C adds an item, so that a program can end its stream and finish
    its output. A second Ctrl-C interrupts the program."""
    pressed = []

    def press(*_):
        pressed.append(True)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def pop_message(bus, types=Gst.MessageType.ERROR, wait=0):
    """Returns the next message of these types on a bus, or None if there is none within wait
    nanoseconds. Prints warnings, such as that frames are too small for a detector."""
    while True:
        message = bus.timed_pop_filtered(wait, types | Gst.MessageType.WARNING)
        if message is None or message.type != Gst.MessageType.WARNING:
            return message
        print(message.parse_warning().gerror.message, file=sys.stderr)


def samples(pipeline, path):
    """Starts a pipeline that reads path, and yields the samples of its "sink", an appsink, until
    the stream ends or Ctrl-C is pressed.

    Ends the program if the pipeline reports an error, because after an error the appsink gets
    neither samples nor an end of stream.
    """
    with interrupts() as pressed:
        yield from read_samples(pipeline, path, pressed)


def read_samples(pipeline, path, pressed):
    sink, bus, message = pipeline.get_by_name("sink"), pipeline.get_bus(), None
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while message is None and not pressed and not sink.get_property("eos"):
            sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
            if sample is not None:
                yield sample
            message = pop_message(bus)
    finally:
        message = message or pop_message(bus)
        if sys.exc_info()[0] is not None or message is not None:
            pipeline.set_state(Gst.State.NULL)
    if message is not None:
        sys.exit(f"{path}: {message.parse_error().gerror.message}")


def check_output(path, ending, inputs):
    """Ends the program if writing path would replace anything but an older output.

    The path has to end in ending, which is one of HEADS. An existing file may be replaced if it
    is empty, or if it is of this type and not one of the inputs.
    """
    if os.path.splitext(path)[1] != ending:
        sys.exit(f"{path}: the output is a {ending}; name a file that ends in it")
    if not os.path.isdir(os.path.dirname(path) or "."):
        sys.exit(f"{path}: there is no such folder; make it first")
    if not os.path.exists(path):
        return
    if any(os.path.exists(name) and os.path.samefile(path, name) for name in inputs):
        sys.exit(f"{path} is the input; name another file for the output")
    if not os.path.isfile(path):
        sys.exit(f"{path} is not a file; name another one for the output")
    with open(path, "rb") as file:
        head = file.read(64)
    if head and not re.match(HEADS[ending], head, re.DOTALL):
        sys.exit(f"{path} is there and is not a {ending}; remove it, or name another file for the "
                 "output")


@contextlib.contextmanager
def output(path, ending, *inputs):
    """Yields the name of a temporary file to write, and copies this file to path at the end.

    If the program fails, an existing file at path stays unchanged. If path is None, the temporary
    file is discarded.
    """
    if path is not None:
        check_output(path, ending, inputs)
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "output" + ending)
        yield made
        if path is not None:
            try:
                shutil.copyfile(made, path)
            except OSError as error:
                sys.exit(f"{path} is not written: {error.strerror}; name another file")
