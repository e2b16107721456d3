#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures mgpuremap with the calibrations of tests/check/libs/lenses.h, from files to pixels,
compared with OpenCV.

    lens.py map [--lenses NAME,..]    error of positions in 1/128 pixel of the input frame, as pixels show them
    lens.py gray [--lenses NAME,..]   gray-level errors against exact bilinear interpolation, compared with cv2.remap
    lens.py files [DIR]               calibration files: valid ones have to be read, and broken ones refused
    lens.py all [--lenses NAME,..]
    lens.py points --build DIR        positions searched in the map, as the check program of this build measures them
    lens.py digests --build DIR       digests of maps and frames on all devices, by kernelcheck of this build
    lens.py speed                     milliseconds of processor time per frame, compared with cv2.remap
    lens.py acceptance --build DIR    all of these

At the end it prints a line for each aim that was measured: the aim, the measured value, and
whether the aim is met. A speed that is not met is not a failure, because it depends on the
processor.

"map" passes ramps of 16 bits through the element, in which the value of a pixel gives its
position to 1/256 pixel of the input frame. The exact position is computed in this script in
double precision. A view has the camera matrix of the input, or a wider one. Prints for each
view the largest error, the fraction of pixels with an error above 1/128 pixel (plus 1/512,
because the element rounds positions to 1/256), the fraction of the frame that is not shown
because the lens model ends there, and the errors of cv2's maps. Run it with GST_PLUGIN_PATH_1_0
as tests have it: meson devenv -C build.
"""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

try:
    import cv2
    import numpy as np
except ImportError as error:
    print("not run:", error)
    sys.exit(77)

LENSES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "check", "libs", "lenses.h")
# Maximum error in 1/128 pixel, and maximum fraction of pixels with an error above 1/128 pixel
MAX_ERROR, MAX_SHARE = 1.5, 0.0002
# The element rounds positions to 1/256 pixel, and samples of the ramp to 1/256 of a step.
ROUNDING = 128 / 512 + 128 / 512 / 256
# Maximum fraction of pixels that differ from cv2.remap with float maps by more than one level
MAX_LEVELS = 0.0001
# Maximum distance, in pixels of the input frame, between a position and the result of mapping it
# there and back
MAX_BACK = 0.01
# Value of the first column and row of a ramp
BASE = 4096
# Aims for a frame of 1920x1080 with the lens of opencv-doc's left_intrinsics.yml, in milliseconds
# of processor time
SPEEDS = (("GRAY8", "bilinear", 5), ("NV12", "bilinear", 7), ("GRAY8", "cubic", 17), ("NV12", "cubic", 17), ("NV12", "lanczos", None))
# Rows (name, aim, measured value, whether the aim is met) that are printed at the end
LINES = []


def judge(what, aim, measured, met):
    LINES.append((what, aim, measured, "met" if met else "missed"))


class Lens:
    """A camera as in lenses.h, and the exact position of a ray, computed with NumPy."""

    def __init__(self, name, model, numbers):
        self.name, self.model = name, model
        self.focal, self.centre = numbers[:2], numbers[2:4]
        self.xi, self.alpha = numbers[-5:-3]
        self.size = int(numbers[-2]), int(numbers[-1])
        self.n = len(numbers) - 9
        self.k = np.zeros(14)
        self.k[:self.n] = numbers[4:-5]

    def zoom(self, scale):
        """Returns the zoom of a view that has @scale times the camera matrix of the input;
        lenses of mirrors require a wider view."""
        return scale * 0.35 * min(self.size) / self.focal[0] if self.model in ("OMNI", "DOUBLE_SPHERE") else scale

    def matrix(self, scale):
        """Returns the camera matrix of the view. The middle of a frame stays at its position
        when the view zooms."""
        zoom, middle = self.zoom(scale), [(n - 1) / 2 for n in self.size]
        return [f * zoom for f in self.focal] + [m + (c - m) * zoom for m, c in zip(middle, self.centre)]

    def project(self, x, y):
        """Returns the positions in the input frame of rays (x, y, 1)."""
        k = self.k
        if self.model == "FISHEYE":
            rho = np.hypot(x, y)
            theta = np.arctan(rho)
            q = theta * theta
            theta = theta * (1 + q * (k[0] + q * (k[1] + q * (k[2] + q * k[3]))))
            scale = np.where(rho > 0, theta / np.maximum(rho, 1e-300), 1)
            a, b = x * scale, y * scale
        else:
            n = np.sqrt(x * x + y * y + 1)
            divisor = 1
            if self.model == "OMNI":
                divisor = 1 + self.xi * n
            elif self.model == "DOUBLE_SPHERE":
                z = self.xi * n + 1
                divisor = self.alpha * np.sqrt(x * x + y * y + z * z) + (1 - self.alpha) * z
            a, b = x / divisor, y / divisor
            if self.model != "DOUBLE_SPHERE":
                a, b = self.distort(a, b)
        return a * self.focal[0] + self.centre[0], b * self.focal[1] + self.centre[1]

    def distort(self, a, b):
        k = self.k
        q = a * a + b * b
        radial = (1 + q * (k[0] + q * (k[1] + q * k[4]))) / (1 + q * (k[5] + q * (k[6] + q * k[7])))
        u = a * radial + 2 * k[2] * a * b + k[3] * (q + 2 * a * a) + q * (k[8] + q * k[9])
        v = b * radial + k[2] * (q + 2 * b * b) + 2 * k[3] * a * b + q * (k[10] + q * k[11])
        if k[12] or k[13]:
            s, c = np.sin(k[12:14]), np.cos(k[12:14])
            turn = np.array([[c[1], 0, -s[1]], [0, 1, 0], [s[1], 0, c[1]]]) @ np.array(
                [[1, 0, 0], [0, c[0], s[0]], [0, -s[0], c[0]]])
            turn = np.array([[turn[2, 2], 0, -turn[0, 2]], [0, turn[2, 2], -turn[1, 2]], [0, 0, 1]]) @ turn
            w = turn[2, 0] * u + turn[2, 1] * v + turn[2, 2]
            u, v = ((turn[i, 0] * u + turn[i, 1] * v + turn[i, 2]) / w for i in (0, 1))
        return u, v

    def exact(self, scale):
        f = self.matrix(scale)
        y, x = np.mgrid[:self.size[1], :self.size[0]]
        return self.project((x - f[2]) / f[0], (y - f[3]) / f[1])

    def cv2_maps(self, scale):
        """Returns the maps of OpenCV, or None if OpenCV has no such lens model."""
        f, v = self.focal + self.centre, self.matrix(scale)
        k, new = (np.array([[m[0], 0, m[2]], [0, m[1], m[3]], [0, 0, 1.0]]) for m in (f, v))
        if self.model == "BROWN":
            return cv2.initUndistortRectifyMap(k, self.k, np.eye(3), new, self.size, cv2.CV_32FC1)
        if self.model == "FISHEYE":
            return cv2.fisheye.initUndistortRectifyMap(k, self.k[:4], np.eye(3), new, self.size, cv2.CV_32FC1)
        return None

    def opencv(self):
        """Returns the text of a calibration file of OpenCV."""
        def matrix(name, rows, columns, data):
            return (f"{name}: !!opencv-matrix\n   rows: {rows}\n   cols: {columns}\n   dt: d\n   data: [ "
                    + ", ".join(repr(float(v)) for v in data) + " ]\n")
        n = {"FISHEYE": 4, "OMNI": 4}.get(self.model) or next(n for n in (4, 5, 8, 12, 14) if n >= self.n)
        return (f"%YAML:1.0\n---\nimage_width: {self.size[0]}\nimage_height: {self.size[1]}\n"
                + matrix("camera_matrix", 3, 3, [self.focal[0], 0, self.centre[0], 0, self.focal[1], self.centre[1], 0, 0, 1])
                + matrix("distortion_coefficients", n, 1, self.k[:n])
                + ("fisheye_model: 1\n" if self.model == "FISHEYE" else ""))

    def ros(self):
        """Returns the text of a camera_info message of ROS, or None if ROS has no such lens
        model."""
        kind = "equidistant" if self.model == "FISHEYE" else {5: "plumb_bob", 8: "rational_polynomial"}.get(self.n)
        if self.model not in ("BROWN", "FISHEYE") or kind is None:
            return None
        f, c = self.focal, self.centre
        return (f"image_width: {self.size[0]}\nimage_height: {self.size[1]}\ncamera_name: lens\ncamera_matrix:\n"
                f"  rows: 3\n  cols: 3\n  data: [{f[0]!r}, 0, {c[0]!r}, 0, {f[1]!r}, {c[1]!r}, 0, 0, 1]\n"
                f"distortion_model: {kind}\ndistortion_coefficients:\n  rows: 1\n  cols: {self.n}\n"
                f"  data: {[float(v) for v in self.k[:self.n]]}\n"
                "rectification_matrix:\n  rows: 3\n  cols: 3\n  data: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n"
                f"projection_matrix:\n  rows: 3\n  cols: 4\n  data: [{f[0]!r}, 0, {c[0]!r}, 0, 0, {f[1]!r}, {c[1]!r}, 0, 0, 0, 1, 0]\n")

    def kalibr(self):
        """Returns the text of a camchain file of Kalibr, or None if Kalibr has no such lens
        model."""
        kind = {"FISHEYE": ("pinhole", "equidistant", []), "OMNI": ("omni", "radtan", [self.xi]),
                "DOUBLE_SPHERE": ("ds", "none", [self.xi, self.alpha])}.get(self.model)
        if kind is None:
            return None
        k = [float(v) for v in self.k[:4]] if kind[1] != "none" else []
        return (f"cam0:\n  camera_model: {kind[0]}\n  distortion_coeffs: {k}\n  distortion_model: {kind[1]}\n"
                f"  intrinsics: {kind[2] + self.focal + self.centre}\n  resolution: {list(self.size)}\n  rostopic: /lens\n")

    def write(self, folder):
        """Writes a calibration file that has all numbers of the lens. Returns its path."""
        path = os.path.join(folder, "lens.yaml")
        with open(path, "w") as file:
            file.write(self.kalibr() if self.model in ("OMNI", "DOUBLE_SPHERE") else self.opencv())
        return path


def read_lenses(names):
    """Reads the list in lenses.h, which is a C initializer."""
    with open(LENSES) as file:
        text = file.read()
    lenses = []
    for name, model, rest in re.findall(r'\{"([^"]+)",\s*\{MGPU_LENS_(\w+),(.*?)\}\}', text, re.S):
        numbers = [float(v) for v in re.findall(r"-?[\d.]+(?:e-?\d+)?", rest)]
        # The initializer of a lens without coefficients has a single 0 for them.
        lenses.append(Lens(name, model, numbers))
    if len(lenses) < 40:
        sys.exit(f"{LENSES}: {len(lenses)} lenses, 40 were expected")
    unknown = set(names) - {lens.name for lens in lenses}
    if unknown:
        sys.exit(f"{LENSES} has no lens {', '.join(sorted(unknown))}")
    return [lens for lens in lenses if not names or lens.name in names]


def remap(frames, kind, size, options):
    """Passes frames through mgpuremap in gst-launch-1.0. Returns the new frames, of the same
    size."""
    command = ["gst-launch-1.0", "-q", "fdsrc", "fd=0", "blocksize=1048576", "!", "rawvideoparse", f"format={kind}",
               f"width={size[0]}", f"height={size[1]}", "!", "mgpuremap", *options, "!",
               f"video/x-raw,width={size[0]},height={size[1]}", "!", "fdsink", "fd=1"]
    done = subprocess.run(command, input=b"".join(f.tobytes() for f in frames), stdout=subprocess.PIPE, check=False)
    out = np.frombuffer(done.stdout, frames[0].dtype)
    if done.returncode != 0 or out.size != sum(f.size for f in frames):
        sys.exit(f"failed: {' '.join(command)}")
    return out.reshape(len(frames), size[1], size[0])


def view_options(lens, scale, path):
    return [f"location={path}", "alpha=-1", f"zoom={lens.zoom(scale)!r}"]


def read_position(coarse, fine):
    """Returns the positions that a ramp of 16 steps per pixel and a sawtooth of 256 steps per
    pixel give, and where both agree."""
    position, rest = (coarse.astype(np.float64) - BASE) / 16, fine.astype(np.float64) / 256
    turns = (position - rest) / 256
    # Between the last pixel of a tooth and the first pixel of the next tooth, the sawtooth is not
    # linear.
    return rest + 256 * np.rint(turns), (position % 256 > 0.2) & (position % 256 < 254.8)


def measure_map(lens, scale, path):
    w, h = lens.size
    y, x = np.mgrid[:h, :w]
    ramps = [f.astype("<u2") for f in (BASE + 16 * x, 256 * (x % 256), BASE + 16 * y, 256 * (y % 256))]
    out = remap(ramps, "gray16-le", lens.size, view_options(lens, scale, path))
    u, v = lens.exact(scale)
    shown = np.minimum(out[0], out[2]) >= BASE
    # Leaves out pixels at the edge, which are blended with black.
    inside = (u > 0.01) & (v > 0.01) & (u < w - 1.01) & (v < h - 1.01)
    (a, a_good), (b, b_good) = read_position(out[0], out[1]), read_position(out[2], out[3])
    # Leaves out pixels at the end of a lens model, where a map has a kink between two pixels.
    whole = cv2.erode(shown.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    judged = whole & inside & a_good & b_good
    error = np.maximum(np.abs(a - u), np.abs(b - v))[judged] * 128
    maps = lens.cv2_maps(scale)
    theirs = np.maximum(np.abs(maps[0] - u), np.abs(maps[1] - v))[judged].max() if maps is not None else np.nan
    return (error.max() - ROUNDING, (error > 1 + ROUNDING).mean(), judged.mean(), (inside & ~shown).sum() / max(inside.sum(), 1),
            theirs)


def wide(lens):
    return 0.4 if lens.model == "FISHEYE" else 0.75


def check_map(lenses):
    bad, views = 0, []
    print(f"{'view':34} {'1/128 px':>9} {'> 1':>8} {'judged':>7} {'ends':>6} {'cv2, px':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for lens in lenses:
            for scale in (1, wide(lens)):
                path = lens.write(folder)
                worst, share, judged, ends, theirs = measure_map(lens, scale, path)
                fails = worst > MAX_ERROR or share > MAX_SHARE or judged < 0.05
                bad += fails
                views.append((worst, share))
                print(f"{lens.name + (f', f x {scale}' if scale != 1 else ''):34} {worst:9.2f} {share:8.5f} {judged:7.1%}"
                      f" {ends:6.1%} {theirs:9.6f}{'  FAILED' if fails else ''}", flush=True)
    worst, share = (max(v[i] for v in views) for i in (0, 1))
    judge("map, share of pixels off by at most 1/128 px, in each view", f"{1 - MAX_SHARE:.2%}", f"{1 - share:.4%}",
          share <= MAX_SHARE)
    judge("map, largest error, 1/128 px", MAX_ERROR, f"{worst:.2f}", worst <= MAX_ERROR)
    return bad


def bilinear(picture, u, v):
    i, j = (np.clip(np.floor(p).astype(int), 0, n - 2) for p, n in ((u, picture.shape[1]), (v, picture.shape[0])))
    f, g, p = u - i, v - j, picture.astype(np.float64)
    return ((p[j, i] * (1 - f) + p[j, i + 1] * f) * (1 - g) + (p[j + 1, i] * (1 - f) + p[j + 1, i + 1] * f) * g)


def check_grey(lenses):
    bad, shares, rng = 0, [0], np.random.default_rng(5)
    print(f"{'lens':34} {'off exact: ours':>16} {'cv2 16SC2':>16} {'cv2 float':>16} {'> 1 level from cv2 float':>25}")
    with tempfile.TemporaryDirectory() as folder:
        for lens in lenses:
            maps = lens.cv2_maps(1)
            if maps is None:
                continue
            # Makes structure of every size, as far as the lens resolves it.
            noise = rng.integers(0, 256, lens.size[::-1]).astype(np.float32)
            picture = sum(cv2.normalize(cv2.GaussianBlur(noise, (0, 0), s), None, 0, 85, cv2.NORM_MINMAX) for s in (1, 4, 16))
            picture = picture.astype(np.uint8)
            ours = remap([picture], "gray8", lens.size, view_options(lens, 1, lens.write(folder)))[0].astype(int)
            u, v = lens.exact(1)
            inside = (u > 0.01) & (v > 0.01) & (u < lens.size[0] - 1.01) & (v < lens.size[1] - 1.01)
            inside &= remap([np.full(lens.size[::-1], 255, np.uint8)], "gray8", lens.size,
                            view_options(lens, 1, lens.write(folder)))[0] > 0
            exact = bilinear(picture, u, v)
            floats = cv2.remap(picture, *maps, cv2.INTER_LINEAR).astype(int)
            fixed = cv2.remap(picture, *cv2.convertMaps(*maps, cv2.CV_16SC2), cv2.INTER_LINEAR).astype(int)
            off = [np.abs(p - exact)[inside] for p in (ours, fixed, floats)]
            share = (np.abs(ours - floats)[inside] > 1).mean()
            bad += share > MAX_LEVELS
            shares.append(share)
            print(f"{lens.name:34} " + " ".join(f"{o.max():8.2f} {o.mean():7.3f}" for o in off)
                  + f" {share:25.6%}{'  FAILED' if share > MAX_LEVELS else ''}", flush=True)
    judge("grey, share of pixels at most 1 level off cv2.remap with float maps", f"{1 - MAX_LEVELS:.2%}",
          f"{1 - max(shares):.4%}", max(shares) <= MAX_LEVELS)
    return bad


def broken_files(lens):
    """Yields (name, text) of files that have to be refused; a camera that is given twice may
    also be accepted."""
    good = lens.opencv()
    first = f"data: [ {lens.focal[0]!r}"

    def replace(old, new, n=-1):
        assert old in good, old
        return good.replace(old, new, n)
    more = good.replace("rows: 5\n   cols: 1", "rows: 6\n   cols: 1").replace("0.2383915 ]", "0.2383915, 0.0 ]")
    return [("empty", ""), ("binary", "\0\1\2\3" * 64), ("half", good[:len(good) // 2]),
            ("nan", replace(first, "data: [ .Nan")), ("infinite", replace(first, "data: [ .Inf")),
            ("no-focal", replace(first, "data: [ 0.0")), ("negative-focal", replace(first, "data: [ -535.0")),
            ("far-center", replace(repr(lens.centre[0]), "1e9", 1)), ("6-coefficients", more),
            ("15-coefficients", re.sub(r"rows: 5\n   cols: 1\n   dt: d\n   data: .*", "rows: 15\n   cols: 1\n   dt: d\n   data: ["
                                       + ", ".join(["0.0"] * 15) + "]", good)),
            ("too-many-rows", replace("rows: 3", "rows: 300", 1)), ("negative-rows", replace("rows: 3", "rows: -3", 1)),
            ("no-matrix", replace("camera_matrix", "something_else")), ("word", replace("data: [ ", "data: [ word, ", 1)),
            ("no-width", replace(f"image_width: {lens.size[0]}", "image_width: 0")),
            ("deep", "%YAML:1.0\n---\na: " + "[" * 4000), ("long", "%YAML:1.0\n---\na: " + "7" * 2500000),
            ("model", "image_width: 8\nimage_height: 8\ndistortion_model: nothing_known\n"),
            ("xml", "<?xml version=\"1.0\"?>\n<opencv_storage>\n<camera_matrix>"), ("json", '{"camera_matrix": {"rows": 3,'),
            ("twice", good + good.replace("%YAML:1.0\n---\n", ""))]


def start(path, size):
    """Starts mgpuremap with a file. Returns its messages, and whether it accepted a frame."""
    done = subprocess.run(["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=1", "pattern=black", "!",
                           f"video/x-raw,format=GRAY8,width={size[0]},height={size[1]}", "!", "mgpuremap",
                           "projection=same", f"location={path}", "!", "fakesink"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    return done.stdout, done.returncode == 0


def check_files(lenses, folder):
    bad = 0
    os.makedirs(folder, exist_ok=True)
    files = []
    for i, lens in enumerate(lenses):
        kinds = {"yml": lens.opencv() if lens.model in ("BROWN", "FISHEYE") else None, "ros.yaml": lens.ros(),
                 "kalibr.yaml": lens.kalibr()}
        files += [(f"good-{i:02}.{end}", text, lens, True) for end, text in kinds.items() if text is not None]
    files += [(f"broken-{name}.yml", text, lenses[0], False) for name, text in broken_files(lenses[0])]
    for name, text, lens, good in files:
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(text)
        said, taken = start(path, lens.size)
        fails = taken != good and name != "broken-twice.yml"
        # Checks that the error message names the file.
        fails |= not taken and name not in said
        bad += fails
        if fails or not good:
            print(f"{name:28} {'taken' if taken else 'refused'}: {said.strip().splitlines()[0][:150] if said.strip() else ''}"
                  f"{'  FAILED' if fails else ''}", flush=True)
    n_good = sum(f[3] for f in files)
    print(f"{n_good} good files, {len(files) - n_good} broken ones, {bad} failed")
    judge("files, read or refused as they have to be", f"{len(files)} of {len(files)}", f"{len(files) - bad}", bad == 0)
    return bad


def check_points(build):
    """Checks positions that are mapped there and back, in the table that the check program of
    the library logs."""
    done = subprocess.run([os.path.join(build, "tests", "check", "check-mgpulensmap")], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "GST_DEBUG": "check:4", "GST_DEBUG_NO_COLOR": "1", "CK_DEFAULT_TIMEOUT": "300"})
    back = [(float(d), int(n)) for d, n in re.findall(r"back +([\d.]+) px, (\d+) of \d+ not found", done.stdout)]
    worst, lost = (max((b[i] for b in back), default=float("inf")) for i in (0, 1))
    bad = done.returncode != 0 or worst > MAX_BACK or lost > 0
    print(f"{len(back)} views: {worst:.4f} px there and back at most, {lost} not found{'  FAILED' if bad else ''}")
    judge("points, largest distance there and back, px of the input", MAX_BACK, f"{worst:.4f}", not bad)
    return bad


def check_digests(build):
    """Checks the digests of kernelcheck on all devices, with the knobs of all device classes."""
    done = subprocess.run([os.path.join(build, "tests", "kernelcheck", "kernelcheck"), "--quick", "--function", "remap", "--digests",
                           os.path.join(os.path.dirname(LENSES), "..", "..", "kernelcheck", "digests")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = re.findall(r"^ok remap.*", done.stdout, re.M)
    print("\n".join(found) if done.returncode == 0 else done.stdout)
    judge("digests of maps and frames, on all devices and classes", "equal", f"{len(found)} equal", done.returncode == 0)
    return done.returncode != 0


def child_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def launch_ms(kind, element, n):
    """Returns the milliseconds of processor time that gst-launch-1.0 takes for n frames."""
    begun = child_ms()
    subprocess.run(["gst-launch-1.0", "-q", "videotestsrc", "pattern=black", f"num-buffers={n}", "!",
                    f"video/x-raw,format={kind},width=1920,height=1080", "!", *element, "!", "fakesink"], check=True)
    return child_ms() - begun


def frame_ms(kind, element):
    """Returns the milliseconds of processor time for one frame, without the time of the start
    and of the source."""
    bare = ["identity"]
    few, many = 5, 105
    costs = [launch_ms(kind, e, n) for e in (element, bare) for n in (many, few)]
    return (costs[0] - costs[1] - costs[2] + costs[3]) / (many - few)


def cv2_ms(method, maps, picture):
    costs = []
    for _ in range(15):
        begun = resource.getrusage(resource.RUSAGE_SELF)
        cv2.remap(picture, *maps, method)
        used = resource.getrusage(resource.RUSAGE_SELF)
        costs.append(1000 * (used.ru_utime + used.ru_stime - begun.ru_utime - begun.ru_stime))
    return float(np.median(costs))


def check_speed(lenses):
    lens = lenses[0]
    lens.focal, lens.centre = [f * 3 for f in lens.focal], [lens.centre[0] * 3, lens.centre[1] * 2.25]
    lens.size = 1920, 1080
    picture = np.random.default_rng(5).integers(0, 256, lens.size[::-1]).astype(np.uint8)
    methods = {"bilinear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC, "lanczos": cv2.INTER_LANCZOS4}
    print(f"{'1920x1080':20} {'ours, ms':>9} {'cv2 ' + cv2.__version__ + ', GRAY8, ms':>24}")
    with tempfile.TemporaryDirectory() as folder:
        options = view_options(lens, 1, lens.write(folder))
        for kind, method, aim in SPEEDS:
            ours = sorted(frame_ms(kind, ["mgpuremap", f"interpolation={method}", *options]) for _ in range(3))[1]
            theirs = cv2_ms(methods[method], lens.cv2_maps(1), picture)
            print(f"{kind + ' ' + method:20} {ours:9.1f} {theirs:24.1f}", flush=True)
            # A case without an aim in SPEEDS has to be as fast as OpenCV.
            judge(f"speed, {kind} {method}, ms of processors a frame", aim or f"{theirs:.1f} (cv2)", f"{ours:.1f}", ours <= (aim or theirs))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("map", "grey", "files", "all", "points", "digests", "speed", "acceptance"))
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--build", default="build", help="folder of the build, for points and digests")
    parser.add_argument("--lenses", default="", help="names of the lenses of map and grey")
    args = parser.parse_args()
    lenses = read_lenses([name for name in args.lenses.split(",") if name])
    bad, more = 0, args.what == "acceptance"
    if more or args.what in ("map", "all"):
        bad += check_map(lenses)
    if more or args.what == "points":
        bad += check_points(args.build)
    if more or args.what in ("grey", "all"):
        bad += check_grey(lenses)
    if more or args.what in ("files", "all"):
        with tempfile.TemporaryDirectory() as folder:
            bad += check_files(read_lenses([]), args.folder or folder)
    if more or args.what == "speed":
        bad += check_speed(read_lenses(["left_intrinsics.yml"]))
    if more or args.what == "digests":
        bad += check_digests(args.build)
    print(f"\n{'aim':75} {'at most, or at least':>20} {'measured':>12}")
    for what, aim, measured, met in LINES:
        print(f"{what:75} {aim!s:>20} {measured:>12}  {met}")
    sys.exit(f"{bad} failed" if bad else 0)


if __name__ == "__main__":
    main()
