#!/usr/bin/python3
"""Shakes a video by a known motion, stabilizes it, and measures how much of the motion is left.

    stabilize.py FOLDER [--scene pan|street] [--frames N] [--seed N] [--peer]
        [--videostab PROGRAM] [--tripod] [PROPERTIES ...]

Each of PROPERTIES is a text with properties of mgpustabilize, such as "smoothing=30
look-ahead=5". With --peer, ffmpeg's vid.stab stabilizes the same frames, and with --videostab
OpenCV's module of that name does; its program is build/tests/tools/videostab. Frames are
640x480 at 25 per second: a pan over a photograph of opencv-doc, or its street video. They are
shaken by sines of 1.5 to 9 Hz by 7 pixels, 0.5 degrees and 0.6 %. Seeds other than 1 also draw
their frequencies, from 1 to 10 Hz. The output is registered to the frames that were not shaken.
Motions of the frame's middle above 0.3 Hz count, without 40 frames at each end; those of its
corners are also printed. The exit status is 1 if motion is reduced by less than LEAST has for
the properties, or if mode=tripod leaves more than MOST_TRIPOD. Files are written to FOLDER.
"""
import argparse
import os
import subprocess
import sys

import numpy as np

from launch import first_frames

WIDTH, HEIGHT, RATE = 640, 480, 25
DATA = "/usr/share/doc/opencv-doc/examples/data/"
ENDS = 40
# Minimum reduction of motions, in decibels
LEAST = {"": 30, "smoothing=30 look-ahead=5": 18, "smoothing=30 look-ahead=0": 12}
# Maximum motion, in pixels, that is left with mode=tripod
MOST_TRIPOD = 0.2


def sample(picture, x, y):
    """Returns the values of a picture at positions, each interpolated between the four pixels
    around it."""
    height, width = picture.shape
    x = np.minimum(np.maximum(x, np.float32(0)), np.float32(width - 1.001))
    y = np.minimum(np.maximum(y, np.float32(0)), np.float32(height - 1.001))
    i, j = x.astype(np.int32), y.astype(np.int32)
    x -= i
    y -= j
    j *= width
    j += i
    flat = picture.ravel()

    def mix(at):
        left, right = flat.take(at), flat[1:].take(at)
        right -= left
        right *= x
        right += left
        return right

    above, below = mix(j), mix(j + width)
    below -= above
    below *= y
    below += above
    return below


GRID = np.meshgrid(np.arange(WIDTH, dtype=np.float32) - np.float32((WIDTH - 1) / 2),
                   np.arange(HEIGHT, dtype=np.float32) - np.float32((HEIGHT - 1) / 2))


def view(picture, motion, middle):
    """Returns what a camera sees of a picture: motion moves its view, about the middle."""
    x, y = GRID
    a, b, u, v = np.asarray(motion, np.float32)
    middle = np.asarray(middle, np.float32)
    return sample(picture, a * x - b * y + u + middle[0], b * x + a * y + v + middle[1])


def decode(folder, name, width, height, n):
    """Returns the first n frames of a file, in gray; fewer if the file is shorter. width is a
    multiple of 4, so that rows have no padding."""
    path = f"{folder}/decoded.grey"
    subprocess.run(["gst-launch-1.0", "-q", "filesrc", f"location={DATA}{name}", "!", "decodebin",
                    "!", *first_frames(n).split(), "!", "videoconvert", "!", "videoscale",
                    "!", f"video/x-raw,format=GRAY8,width={width},height={height}", "!",
                    "filesink", f"location={path}"], check=True)
    return np.fromfile(path, np.uint8).reshape(-1, height, width).astype(np.float32)


def load(folder, scene, n):
    """Yields pictures, and the middle of the view in each."""
    if scene == "pan":
        grey = decode(folder, "aloeL.jpg", 1280, 1108, 1)[0]
        return [(grey, (360 + 560 * i / n, 553.5 + 60 * np.sin(i * 0.02))) for i in range(n)]
    return [(frame, (383.5, 287.5)) for frame in decode(folder, "vtest.avi", 768, 576, n)]


def make_shake(n, seed):
    """Returns for each frame: a and b of a rotation and zoom, and a translation."""
    random = np.random.RandomState(seed)
    frequencies = (1.5, 2.3, 3.7, 5.6, 9) if seed == 1 else random.uniform(1, 10, 5)
    t = np.arange(n) / RATE

    def noise(size):
        value = sum(np.sin(2 * np.pi * (f * t + random.rand())) for f in frequencies)
        return size * value / np.sqrt(np.mean(value ** 2))

    x, y, turn, zoom = noise(7), noise(7), np.radians(noise(0.5)), 1 + noise(0.006)
    return np.stack([zoom * np.cos(turn), zoom * np.sin(turn), x, y], 1)


def register(frame, base, guess):
    """Returns the similarity that maps positions in base to positions in frame, by Gauss-Newton
    steps over every other pixel, from an initial guess. Both images are smoothed first."""
    x, y = (g[24:-24:2, 24:-24:2].ravel() for g in GRID)
    want = base[24:-24:2, 24:-24:2].ravel()
    dy, dx = (d[24:-24:2, 24:-24:2].ravel() for d in np.gradient(base))
    p = np.array(guess, float)
    for _ in range(12):
        a, b, c, d = p.astype(np.float32)
        u = a * x - b * y + c + np.float32((WIDTH - 1) / 2)
        v = b * x + a * y + d + np.float32((HEIGHT - 1) / 2)
        inside = (u > 4) & (u < WIDTH - 5) & (v > 4) & (v < HEIGHT - 5)
        error = sample(frame, u, v) - want
        # Uses the gradient of base, rotated and scaled, as the gradient of the frame.
        scale = a * a + b * b
        gx, gy = (a * dx - b * dy) / scale, (b * dx + a * dy) / scale
        rows = np.stack([gx * x + gy * y, gy * x - gx * y, gx, gy])
        # Gives less weight to objects that move by themselves.
        weighted = rows * (inside / (1 + (error / 10) ** 2)).astype(np.float32)
        step = np.linalg.solve((weighted @ rows.T).astype(float), (weighted @ error).astype(float))
        p -= step
        if abs(step[2:]).max() < 1e-3 and abs(step[:2]).max() < 1e-6:
            break
    return p


def smooth(picture):
    """Returns a picture without its finest detail, and without 3 pixels at the edges."""
    for _ in range(2):
        mean = sum(weight * picture[:, i:picture.shape[1] - 6 + i]
                   for i, weight in enumerate((1, 6, 15, 20, 15, 6, 1))) / 64
        picture = np.pad(mean, ((0, 0), (3, 3)), "edge").T
    return picture


def residual(motions, places):
    """Returns the root mean square of the motions of positions above 0.3 Hz, in pixels."""
    a, b, u, v = np.asarray(motions).T
    total = 0
    for x, y in places:
        for s in (a * x - b * y + u, b * x + a * y + v):
            t = np.arange(len(s))
            s = s - np.polyval(np.polyfit(t, s, 1), t)
            spectrum = np.fft.rfft(s)
            spectrum[np.fft.rfftfreq(len(s), 1 / RATE) <= 0.3] = 0
            total += np.mean(np.fft.irfft(spectrum, len(s))[ENDS:-ENDS] ** 2)
    return np.sqrt(total / len(places))


MIDDLE = [(0, 0)]
CORNERS = [(-320, -240), (320, -240), (-320, 240), (320, 240)]


def write(path, frames):
    with open(path, "wb") as file:
        for frame in frames:
            file.write(np.clip(np.rint(frame), 0, 255).astype(np.uint8).tobytes())


def read(path, n):
    frames = np.fromfile(path, np.uint8).reshape(-1, HEIGHT, WIDTH)
    if len(frames) != n:
        sys.exit(f"{path}: {len(frames)} frames came out of {n}")
    return frames.astype(np.float32)


def steady(folder, properties):
    subprocess.run(["gst-launch-1.0", "-q", "filesrc", f"location={folder}/shaken.grey", "!",
                    "rawvideoparse", "format=gray8", f"width={WIDTH}", f"height={HEIGHT}",
                    f"framerate={RATE}/1", "!", "mgpustabilize", *properties.split(), "!",
                    "filesink", f"location={folder}/steady.grey"], check=True)


def steady_peer(folder, smoothing, tripod):
    raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE)]
    detect = f"vidstabdetect=shakiness=8:accuracy=15:result={folder}/peer.trf"
    transform = f"vidstabtransform=input={folder}/peer.trf:smoothing={smoothing}:crop=black"
    if tripod:
        detect += ":tripod=1"
        transform += ":tripod=1"
    ffmpeg = ["ffmpeg", "-v", "error", "-y", *raw, "-i", f"{folder}/shaken.grey"]
    subprocess.run([*ffmpeg, "-vf", "format=yuv420p," + detect, "-f", "null", "-"], check=True)
    subprocess.run([*ffmpeg, "-vf", f"format=yuv420p,{transform},format=gray", "-f", "rawvideo",
                    f"{folder}/steady.grey"], check=True)


def steady_opencv(folder, program, passes, smoothing):
    subprocess.run([program, str(passes), str(smoothing), str(WIDTH), str(HEIGHT),
                    f"{folder}/shaken.grey", f"{folder}/steady.grey"], check=True)


def measure(name, folder, bases, shake, zoom):
    """Prints how much motion is left. Returns: the motion of the middle, and by how many
    decibels it was reduced."""
    frames = read(f"{folder}/steady.grey", len(bases))
    motions, guess = [], (zoom, 0, 0, 0)
    for frame, base in zip(frames, bases):
        guess = register(smooth(frame), base, guess)
        motions.append(guess)
    # Converts to pixels of frames before they were enlarged.
    motions = np.array(motions) / np.mean(motions, 0)[0]
    text = name
    for where, places in ("corners", CORNERS), ("middle", MIDDLE):
        before, after = residual(shake, places), residual(motions, places)
        gain = 20 * np.log10(before / after)
        text += f"; {where}: {before:.2f} px, {after:.3f} left, {gain:.1f} dB"
    print(text, flush=True)
    return after, gain


def shake_scene(folder, name, n, seed):
    """Writes shaken frames. Returns: the frames before shaking, smoothed, the shake and the
    middles of the view."""
    shake, scene = make_shake(n, seed), load(folder, name, n)
    write(f"{folder}/shaken.grey", [view(picture, s, middle) for (picture, middle), s in zip(scene, shake)])
    bases = [smooth(view(picture, (1, 0, 0, 0), middle)) for picture, middle in scene]
    return bases, shake, [middle for _, middle in scene]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--scene", choices=("pan", "street"), default="pan")
    parser.add_argument("--frames", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--videostab")
    parser.add_argument("--tripod", action="store_true")
    parser.add_argument("properties", nargs="*")
    options = parser.parse_intermixed_args()
    os.makedirs(options.folder, exist_ok=True)
    bases, shake, _ = shake_scene(options.folder, options.scene, options.frames, options.seed)
    ok = True
    for properties in options.properties or [""]:
        mode = properties + (" mode=tripod zoom=1.4" if options.tripod else "")
        steady(options.folder, mode)
        after, gain = measure(f"{options.scene}, mgpustabilize {mode}", options.folder, bases, shake,
                              1.4 if options.tripod else 1.1)
        least = LEAST.get(properties, 0)
        ok &= after <= MOST_TRIPOD if options.tripod else gain >= least
    for smoothing in (15, 30) if options.peer else ():
        steady_peer(options.folder, smoothing, options.tripod)
        measure(f"{options.scene}, vid.stab smoothing={smoothing}", options.folder, bases, shake, 1.1)
    for passes, smoothing in ((1, 15), (2, 15), (2, 30)) if options.videostab else ():
        steady_opencv(options.folder, options.videostab, passes, smoothing)
        measure(f"{options.scene}, videostab passes={passes} smoothing={smoothing}", options.folder,
                bases, shake, 1)
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
