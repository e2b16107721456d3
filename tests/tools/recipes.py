#!/usr/bin/python3
"""Runs the command lines and programs of docs/recipes as a reader would paste them, and parses
the launch lines of docs/from-peers.md.

    recipes.py ROOT [PAGE...]

Each block of ```sh and ```python is run in a folder with the files that it reads. Cameras,
windows and servers are replaced by stand-ins. A block that begins with the comment "not run by
the tests: REASON" is not run. Each page must have a block that is run, and a list of what it
does not do. Exits with 77 if the files of opencv-doc are missing.
"""
import contextlib
import json
import math
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst

from launch import first_frames

DATA = pathlib.Path("/usr/share/doc/opencv-doc/examples/data")
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LEFT_OUT = re.compile(r"# not run by the tests: (\S.{10,})\n")
SECTIONS = ["## What to change", "## What to expect", "## What it does not do"]
SECONDS = 600
FRAMES = 25
SDP = ("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=camera\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
       "m=video 0 RTP/AVP 26\r\na=control:video\r\n")


def has(element):
    return Gst.ElementFactory.find(element) is not None


def stand_ins(uri):
    """Replacements in blocks: patterns, and the stand-ins for what they match"""
    rules = [
        (r"v4l2src( device=\S+)?", f"videotestsrc is-live=true num-buffers={FRAMES}"),
        (r"pulsesrc", "audiotestsrc is-live=true num-buffers=40"),
        (r"v4l2sink device=\S+", "fakesink"),
        (r"autovideosink", "fakesink"),
        (r"rtsp://camera/stream", uri),
        (r"source /opt/ros/\S+", "export PYTHONPATH=ros:${PYTHONPATH:-}"),
        # Replaces x264enc where it is not installed.
        *([] if has("x264enc") else [(r"x264enc( [a-z-]+=\S+)*", "jpegenc"), (r"mp4mux", "qtmux")]),
    ]
    return [(re.compile(r"(?<![-\w/])" + pattern), replacement) for pattern, replacement in rules]


class Camera:
    """A camera: an RTSP server that plays a video to each client, only by TCP."""

    def __init__(self, video):
        self.video = video
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.uri = "rtsp://127.0.0.1:%d/stream" % self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client = self.socket.accept()[0]
            with contextlib.suppress(OSError), client:
                self.answer(client)

    def answer(self, client):
        requests = client.makefile("r", newline="\r\n")
        while (request := requests.readline()):
            fields = {}
            while (line := requests.readline().strip()):
                name, _, value = line.partition(": ")
                fields[name.lower()] = value
            method = request.split()[0]
            status, head, body = "200 OK", "", ""
            if method == "OPTIONS":
                head = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
            elif method == "DESCRIBE":
                body = SDP
                head = f"Content-Type: application/sdp\r\nContent-Base: {self.uri}/\r\n"
            elif method == "SETUP" and "TCP" in fields["transport"]:
                head = "Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
            elif method == "SETUP":
                status = "461 Unsupported Transport"
            client.sendall(f"RTSP/1.0 {status}\r\nCSeq: {fields['cseq']}\r\n{head}"
                           f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
            if method == "PLAY":
                self.play(client)
                # Receives the RTCP reports of the receiver, and TEARDOWN.
                while client.recv(4096):
                    pass
                return

    def play(self, client):
        pipeline = Gst.parse_launch(f"filesrc location={self.video} ! avidemux ! rtpjpegpay pt=26 ! "
                                    "appsink name=sink max-buffers=4")
        sink = pipeline.get_by_name("sink")
        pipeline.set_state(Gst.State.PLAYING)
        try:
            while (sample := sink.emit("pull-sample")) is not None:
                packet = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
                client.sendall(b"$\0" + len(packet).to_bytes(2, "big") + packet)
            # Sends RTCP packets: a report of a sender, and its end.
            source = packet[8:12]
            end = b"\x80\xc8\0\6" + source + bytes(20) + b"\x81\xcb\0\1" + source
            client.sendall(b"$\1" + len(end).to_bytes(2, "big") + end)
        finally:
            pipeline.set_state(Gst.State.NULL)


def launch(line):
    subprocess.run(["bash", "-c", f"gst-launch-1.0 -q {line}"], check=True, timeout=SECONDS)


def make_files(folder, root):
    """Makes the files that recipes read: parts of vtest.avi, two of them with sound, and a
    calibration."""
    def read(n):
        # Leaves out a frame from the end of the video, with which the file would be so long that
        # qtdemux skips the sound.
        return (f"filesrc location={DATA}/vtest.avi ! decodebin ! videoconvert ! {first_frames(n)} ! "
                "jpegenc")

    # Lasts long enough for mgpumotion to learn the background.
    launch(f"{read(60)} ! avimux ! filesink location={folder}/vtest.avi")
    launch(f"{read(FRAMES)} ! qtmux ! filesink location={folder}/silent.mp4")
    launch(f"{read(FRAMES)} ! qtmux name=m ! filesink location={folder}/talk.mp4 "
           "audiotestsrc num-buffers=120 ! audio/x-raw,rate=48000,channels=2 ! avenc_aac ! m.")
    for video, n_frames in ("vtest.avi", 60), ("silent.mp4", FRAMES), ("talk.mp4", FRAMES):
        assert count(folder / video, "video") == n_frames, video
    assert count(folder / "talk.mp4", "audio") == 121
    # The camera was held upright: players have to turn the frames of this file.
    video = bytearray((folder / "talk.mp4").read_bytes())
    struct.pack_into(">9i", video, find_matrix(video), 0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30)
    (folder / "gopro.mp4").write_bytes(video)
    shutil.copy(DATA / "left_intrinsics.yml", folder / "camera.yml")
    (folder / "examples").symlink_to(root / "examples")
    write_ros(folder / "ros")
    # The stand-in publishes to a file.
    publish = folder / "bin" / "mosquitto_pub"
    publish.parent.mkdir()
    publish.write_text('#!/bin/sh\necho "$@" >> published.options\ncat > published\n')
    publish.chmod(0o755)


ROS = """
import types
class Fields(types.SimpleNamespace):
    allowed = {}
    def __init__(self, **fields):
        super().__init__(**{name: make() for name, make in self.allowed.items()})
        for name, value in fields.items():
            setattr(self, name, value)
    def __setattr__(self, name, value):
        kind = type(self.allowed[name]())
        assert isinstance(value, bytes if kind is list and isinstance(value, bytes) else kind), (name, value)
        super().__setattr__(name, value)
def message(name, **allowed):
    return type(name, (Fields,), {"allowed": allowed})
Header = message("Header", stamp=dict, frame_id=str)
Image = message("Image", header=Header, height=int, width=int, encoding=str, is_bigendian=int, step=int, data=list)
Point = message("Point", x=float, y=float)
Pose = message("Pose2D", position=Point, theta=float)
Box = message("BoundingBox2D", center=Pose, size_x=float, size_y=float)
Hypothesis = message("ObjectHypothesis", class_id=str, score=float)
ObjectHypothesisWithPose = message("ObjectHypothesisWithPose", hypothesis=Hypothesis)
Detection2D = message("Detection2D", header=Header, id=str, bbox=Box, results=list)
Detection2DArray = message("Detection2DArray", header=Header, detections=list)
class Node:
    counts = {}
    ids = set()
    def create_publisher(self, kind, topic, depth):
        def publish(sent):
            assert isinstance(sent, kind)
            self.counts[topic] = self.counts.get(topic, 0) + 1
            for found in getattr(sent, "detections", []):
                self.ids.add(found.id)
        return types.SimpleNamespace(publish=publish)
    def get_clock(self):
        return types.SimpleNamespace(now=lambda: types.SimpleNamespace(to_msg=dict))
    def destroy_node(self):
        print(self.counts, "ids", sorted(self.ids))
def create_node(name):
    return Node()
def init():
    pass
def shutdown():
    pass
"""


def write_ros(folder):
    """Writes modules with the classes and fields of ROS that the example uses."""
    (folder / "rclpy").mkdir(parents=True)
    (folder / "rclpy" / "__init__.py").write_text(ROS)
    for package in "std_msgs", "sensor_msgs", "vision_msgs":
        (folder / package).mkdir()
        (folder / package / "msg.py").write_text("from rclpy import *\n")


def count(path, wanted):
    """Returns the number of packets of video or audio in a file, and the checksum of the
    audio's bytes."""
    demuxer = {".mp4": "qtdemux", ".avi": "avidemux"}.get(path.suffix, "matroskademux")
    pipeline = Gst.parse_launch(f"filesrc location={path} ! {demuxer} name=demuxer")
    counts = {"video": 0, "audio": 0, "bytes": 0}

    def add(pad, info, kind):
        counts[kind] += 1
        if kind == "audio":
            counts["bytes"] += info.get_buffer().get_size()
        return Gst.PadProbeReturn.OK

    def added(_, pad):
        caps = (pad.get_current_caps() or pad.query_caps(None)).to_string()
        sink = Gst.ElementFactory.make("fakesink")
        sink.set_property("async", False)
        pipeline.add(sink)
        pad.add_probe(Gst.PadProbeType.BUFFER, add, "audio" if caps.startswith("audio") else "video")
        pad.link(sink.get_static_pad("sink"))
        sink.sync_state_with_parent()

    pipeline.get_by_name("demuxer").connect("pad-added", added)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message is not None, f"{path}: no end"
    assert message.type == Gst.MessageType.EOS, f"{path}: {message.parse_error()}"
    return counts[wanted]


def check_sound(folder, made):
    """Checks that the file has the frames of talk.mp4, and unchanged sound."""
    for wanted in "video", "audio", "bytes":
        before, after = count(folder / "talk.mp4", wanted), count(folder / made, wanted)
        assert before == after and before > 0, f"{made}: {wanted} {before}, then {after}"


def find_matrix(data):
    """Returns the position of the display matrix of the video track in the bytes of an MP4 file. The
    width and the height follow the matrix; only a video track has a width."""
    headers = [head.start() + 44 for head in re.finditer(b"tkhd\\0", data)]
    return next(i for i in headers if struct.unpack_from(">I", data, i + 36)[0])


def check_upright(folder, name):
    """Checks that the frames of a file are upright, and that players do not turn them."""
    data = (folder / name).read_bytes()
    numbers = struct.unpack_from(">9i2I", data, find_matrix(data))
    assert numbers[:5] == (65536, 0, 0, 0, 65536) and numbers[9] < numbers[10], numbers


def check_views(folder):
    """Checks that the line of the page on fisheye cameras shows four views that are equal if the
    frame looks the same from all sides."""
    size, views = 400, folder / "views"
    middle = (size - 1) / 2
    (folder / "round").write_bytes(bytes(int(255 - 0.8 * math.hypot(x - middle, y - middle))
                                         for y in range(size) for x in range(size)))
    page = pathlib.Path(sys.argv[1]) / "docs" / "recipes" / "fisheye.md"
    line = BLOCK.search(page.read_text())[2].strip().removeprefix("gst-launch-1.0 ")
    line = line.replace("v4l2src", f"filesrc location={folder / 'round'} blocksize={size * size} ! rawvideoparse "
                        f"format=gray8 width={size} height={size}")
    launch(line.replace("autovideosink", f"video/x-raw,format=GRAY8 ! filesink location={views}"))
    shown = views.read_bytes()
    assert len(shown) == 960 * 720, len(shown)
    quarters = [b"".join(shown[960 * y + left:][:480] for y in range(top, top + 360))
                for top, left in ((0, 0), (0, 480), (360, 0), (360, 480))]
    assert len(set(quarters[0])) > 100
    for quarter in quarters[1:]:
        worst = max(abs(a - b) for a, b in zip(quarters[0], quarter))
        assert worst <= 2, worst


def check_crossings(folder):
    """Checks the head of the CSV, and that the program says why it can find nobody in tiny frames."""
    assert (folder / "crossings.csv").read_text().startswith("seconds,id,")
    launch("videotestsrc num-buffers=3 ! video/x-raw,width=32,height=24 ! jpegenc ! avimux ! "
           f"filesink location={folder}/tiny.avi")
    ran = subprocess.run([sys.executable, "examples/crossings.py", "tiny.avi"], cwd=folder, check=True,
                         capture_output=True, text=True, timeout=SECONDS)
    assert "nothing will be found" in ran.stderr, ran.stderr


def check_interrupt(folder):
    """Checks that Ctrl-C ends a recording, and that the file can be played."""
    command = [sys.executable, "examples/watch-a-door.py", "--after", "600", DATA / "vtest.avi", "stopped.webm"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as ran:
        said = ran.stdout.readline()
        ran.send_signal(signal.SIGINT)
        said += ran.communicate(timeout=SECONDS)[0]
    assert ran.returncode == 0 and said.endswith("recorded in stopped.webm\n"), said
    assert 0 < count(folder / "stopped.webm", "video") < 700


def check_published(folder):
    lines = [json.loads(line) for line in (folder / "published").read_text().splitlines()]
    assert lines, "nothing was published"
    assert all("people" in line or "objects" in line for line in lines), lines[0]
    print(f"  published {len(lines)} lines, the last one {str(lines[-1])[:200]}")


# Runs a program that gets each frame late.
LATE = """
import runpy, sys, time
sys.path.insert(0, "examples")
import need_mgpu
samples = need_mgpu.samples
def late(*args):
    for sample in samples(*args):
        time.sleep(0.05)
        yield sample
need_mgpu.samples = late
sys.argv[:] = ["publish-counts.py", "--every", "5.9", "vtest.avi"]
runpy.run_path("examples/publish-counts.py")
"""


def check_last_count(folder):
    """Checks that the last frame has its own counts, although mgputrack has reached the end of
    the video by then."""
    said = subprocess.run([sys.executable, "-c", LATE], cwd=folder, check=True, capture_output=True, text=True,
                          timeout=SECONDS).stdout
    last = json.loads(said.splitlines()[-1])
    assert last["time"] == 5.9 and last["people"] > 0, said


def check_ros(folder):
    """Checks that the published people have tracking ids, although videoconvert of GStreamer 1.22 drops ids."""
    said = subprocess.run([sys.executable, "examples/ros2-people.py", "--frames", "40", "--source",
                           "filesrc location=vtest.avi ! decodebin"], cwd=folder, check=True, capture_output=True,
                          text=True, timeout=SECONDS, env=dict(os.environ, PYTHONPATH=f"{folder / 'ros'}:"
                                                               f"{os.environ.get('PYTHONPATH', '')}")).stdout
    assert re.search("ids .*'[1-9]", said), said


def check_lines(folder, name, key):
    lines = [json.loads(line) for line in (folder / name).read_text().splitlines()]
    assert len(lines) >= FRAMES - 3 and all(key in line for line in lines), (len(lines), key)


def check_video(folder, name):
    assert count(folder / name, "video") > 0


# Checks that follow the blocks of a page: each time, the file that a block makes is read.
CHECKS = {
    "people-to-mqtt": lambda folder: (check_published(folder), check_last_count(folder)),
    "own-detector": lambda folder: check_video(folder, "out.webm"),
    "blurred-people": lambda folder: (check_sound(folder, "blurred.mp4"),
                                      check_video(folder, "blurred.mkv"),
                                      check_video(folder, "blurred-silent.mp4")),
    "steady-video": lambda folder: (check_sound(folder, "steady.mp4"),
                                    check_upright(folder, "steady.mp4")),
    "fisheye": check_views,
    "logo": lambda folder: check_sound(folder, "clean.mp4"),
    "crossings": check_crossings,
    "motion-recording": lambda folder: (check_lines(folder, "motion.json", "motion"),
                                        check_video(folder, "moved.webm"),
                                        check_interrupt(folder)),
    "ros2": check_ros,
    "tags": lambda folder: check_lines(folder, "tags.json", "objects"),
}
# What a page's program has to print: a person with an id.
PRINTED = {"notebook": re.compile("'person', [1-9]")}


def run_block(language, text, folder, rules, printed=None):
    for pattern, replacement in rules:
        text = pattern.sub(lambda _: replacement, text)
    environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
    command = ["bash", "-euo", "pipefail", "-c", text] if language == "sh" else [sys.executable, "-c", text]
    start = time.monotonic()
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS)
    print(f"  {ran.returncode} after {time.monotonic() - start:.1f} s: {text.strip().splitlines()[-1][:100]}")
    said = (ran.stdout + ran.stderr).strip()
    if ran.returncode or "CRITICAL" in said or "WARNING" in said or (printed and not printed.search(said)):
        return f"{text}\n{said}"
    return None


def run_page(page, folder, rules):
    """Returns what is wrong with a page."""
    text, wrong, n_run = page.read_text(), [], 0
    print(page.stem)
    for section in SECTIONS:
        if section not in text and not (page.stem == "boards" and section != SECTIONS[-1]):
            wrong.append(f"no section {section}")
    for language, block in BLOCK.findall(text):
        left_out = LEFT_OUT.match(block)
        if left_out:
            print(f"  not run: {left_out[1]}")
            continue
        n_run += 1
        try:
            failed = run_block(language, block, folder, rules, PRINTED.get(page.stem))
        except subprocess.TimeoutExpired:
            failed = f"{block}\ntook more than {SECONDS} s"
        if failed:
            wrong.append(failed)
        elif page.stem == "people-to-mqtt":
            check_published(folder)
    if not n_run and page.stem != "container":
        wrong.append("no block is run")
    try:
        if not wrong and page.stem in CHECKS:
            CHECKS[page.stem](folder)
    except (AssertionError, OSError) as error:
        wrong.append(f"{type(error).__name__}: {error}")
    return [f"{page.name}: {text}" for text in wrong]


def check_peers(root):
    """Returns the launch lines of docs/from-peers.md that GStreamer does not accept."""
    wrong, n = [], 0
    for row in re.findall(r"^\|[^|]*\|([^|]*)", (root / "docs" / "from-peers.md").read_text(), re.MULTILINE):
        for line in re.findall(r"`(mgpu\w+[^`]*)`", row):
            line = re.sub(r" (\w|-)+=(\.\.\.|\"\.\.\.\"|(?=( |$)))", "", line)
            n += 1
            try:
                Gst.parse_launch(f"videotestsrc ! {line} ! fakesink")
            except GLib.Error as error:
                wrong.append(f"from-peers.md: {line}: {error.message}")
    return wrong if n > 40 else [*wrong, f"from-peers.md has {n} lines"]


def check_lines_arrive(root):
    """Returns what is wrong if the output of the Python examples stays in a buffer."""
    asked = subprocess.run([sys.executable, "-c", "import need_mgpu, sys; print(sys.stdout.line_buffering)"],
                           cwd=root / "examples", capture_output=True, text=True)
    return [] if asked.stdout == "True\n" else [f"need_mgpu.py: {asked.stdout}{asked.stderr}"]


def main():
    root, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if not (DATA / "vtest.avi").exists():
        print(f"not run: there is no {DATA}/vtest.avi, of opencv-doc")
        return 77
    pages = sorted(page for page in (root / "docs" / "recipes").glob("*.md") if page.name != "README.md")
    if set(names) - {page.stem for page in pages}:
        sys.exit(f"no page {', '.join(sorted(set(names) - {page.stem for page in pages}))}")
    index = (root / "docs" / "recipes" / "README.md").read_text()
    wrong = [f"{page.name} is not in the index" for page in pages if f"({page.name})" not in index]
    wrong += check_peers(root) + check_lines_arrive(root)
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        make_files(folder, root)
        rules = stand_ins(Camera(folder / "vtest.avi").uri)
        for page in pages:
            if not names or page.stem in names:
                wrong += run_page(page, folder, rules)
    print("\n".join(wrong) or f"{len(pages)} pages")
    return bool(wrong) or len(pages) < 12


Gst.init(None)
sys.exit(main())
