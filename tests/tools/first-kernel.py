#!/usr/bin/python3
"""Follows docs/first-kernel.md: saves each file of the page while a pipeline plays, runs its
command lines, and makes the mistake that the page describes. Compares the names of
mgpu-kernel.h with the table of docs/elements/mgpukernel.md.

    first-kernel.py PAGE              as a test
    first-kernel.py PAGE FOLDER       also writes the pictures of the page to the folder
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

PICTURES = "first", "second", "third", "fourth"
PLAYS = ("filesrc location=/usr/share/doc/opencv-doc/examples/data/fruits.jpg ! jpegdec ! imagefreeze ! "
         "mgpukernel name=k location=first.cl ! videoconvert ! jpegenc quality=90 ! "
         "appsink name=sink max-buffers=1 drop=false")


def save(text):
    with open("first.cl", "w", encoding="utf-8") as file:
        file.write(text)


def pull(pipeline, until):
    """Returns the first frame for which until() is true, as bytes of a JPEG file, and the
    warnings before it."""
    bus, warnings = pipeline.get_bus(), []
    for _ in range(4000):
        sample = pipeline.get_by_name("sink").emit("pull-sample")
        while message := bus.pop_filtered(Gst.MessageType.ERROR | Gst.MessageType.WARNING):
            assert message.type == Gst.MessageType.WARNING, message.parse_error()
            warnings.append(message.parse_warning()[0].message)
        assert sample is not None, "the stream ends"
        frame = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
        if until(frame, warnings):
            return frame, warnings
        time.sleep(0.01)
    raise AssertionError("nothing changes")


def follow(files):
    """Saves the kernel files one after the other while a pipeline plays. Returns the picture of
    each."""
    save(files[0])
    pipeline = Gst.parse_launch(PLAYS)
    pipeline.set_state(Gst.State.PLAYING)
    pictures = [pull(pipeline, lambda *_: True)[0]]
    for text in files[1:]:
        save(text)
        picture, warnings = pull(pipeline, lambda frame, _: frame != pictures[-1])
        assert not warnings, warnings
        pictures.append(picture)
    save(files[1])
    pull(pipeline, lambda frame, _: frame == pictures[1])
    save(files[1].replace("* strength", "* strenth"))
    frame, warnings = pull(pipeline, lambda _, warnings: warnings)
    assert frame == pictures[1] and "first.cl:8" in warnings[0], warnings
    assert "strenth" in pipeline.get_by_name("k").get_property("log")
    pipeline.set_state(Gst.State.NULL)
    return pictures


def draw(text, line):
    """Runs the command line that draws boxes on two frames. Returns the first frame."""
    save(text)
    stream, rest = line.removeprefix("gst-launch-1.0 ").replace("imagefreeze", "imagefreeze num-buffers=2").split(
        " ! mgpuoverlay ")
    pipeline = Gst.parse_launch(stream + " ! mgpumetajson location=boxes.json ! mgpuoverlay " + rest.replace(
        "autovideosink", "jpegenc quality=90 ! appsink name=sink wait-on-eos=false"))
    pipeline.set_state(Gst.State.PLAYING)
    picture = pull(pipeline, lambda *_: True)[0]
    message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, Gst.MessageType.EOS)
    pipeline.set_state(Gst.State.NULL)
    assert message is not None, "the stream does not end"
    with open("boxes.json", encoding="utf-8") as file:
        found = [json.loads(line)["objects"] for line in file]
    assert len(found) == 2 and 10 < len(found[0]) < 100, found
    assert {one["roi_type"] for one in found[0]} == {"bright"}, found
    return picture


def check_names(page):
    """Compares the page's table of names with mgpu-kernel.h, and the formats that the element
    accepts with the row about formats."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(page)))
    with open(os.path.join(top, "kernels/kernel/mgpu-kernel.h"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(top, "docs/elements/mgpukernel.md"), encoding="utf-8") as file:
        table = file.read().split("## Names that kernels can use")[1].split("\n## ")[0]
    names = re.findall(r"^#define ([A-Z]\w*)", header, re.MULTILINE)
    names += re.findall(r"^(\w+) \(float \w\)$", header, re.MULTILINE)
    names += re.findall(r"\b(FORMAT_(?:IS|HAS)_\w+)", header)
    names = sorted(set(names) - {"PIXEL", "SAMPLE", "WORK"})
    assert len(names) > 60, names
    told = set(re.findall(r"`([A-Za-z]\w*)(?: \([a-z, ]+\))?`", table))
    assert not set(names) - told, f"not in the table: {set(names) - told}"
    # Names that have no #define in mgpu-kernel.h
    others = {"x", "y", "component", "MAX", "FORMAT_NV12", "RESULTS", "GROUP_X", "GROUP_Y"}
    missing = {name for name in told if name.isupper()} - set(names) - others
    assert not missing, f"not in mgpu-kernel.h: {missing}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    out = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    files = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(gst-launch-1.0 .*)$", page, re.MULTILINE)
    assert len(files) == len(PICTURES) and len(lines) == 4
    check_names(sys.argv[1])
    Gst.init(None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pictures = follow(files)
        pictures[-1] = draw(files[-1], lines[-1])
        for name, picture in zip(PICTURES, pictures, strict=True):
            if out is not None:
                with open(os.path.join(out, name + ".jpg"), "wb") as file:
                    file.write(picture)
        for text, line in zip(files, lines, strict=True):
            save(text)
            line = line.replace("autovideosink", "fakesink").replace(
                "imagefreeze !", "imagefreeze num-buffers=5 !")
            done = subprocess.run(line, shell=True, check=True, capture_output=True, text=True,
                                  timeout=300)
            assert "WARNING" not in done.stdout + done.stderr, done.stderr
        # The third command writes the file.
        with open("edges.json", encoding="utf-8") as file:
            numbers = [json.loads(line)["numbers"] for line in file]
        assert len(numbers) == 5 and all(n == numbers[0] and n["edges"][0] > 1000 for n in numbers)
        os.chdir("/")


main()
