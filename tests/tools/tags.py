#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Scores mgputags on scenes with known tags (tag_scenes.py), compared with AprilTag's library
and OpenCV.

    tags.py [--seeds 101,102] [--scenes 12] [--kinds size,tilt] [--families tag36h11] [--width 640] [--height 480]
            [--methods full,half,quarter,april1,april2,aruco] [--mirrored] [--photographs] [--check]

Scenes are those of each kind. Prints for each method and bin: percentage of tags found, and the
median of the corner errors in pixels (root mean square of the four corners). Then, over all
bins: wrong ids; corner errors of the tags that all methods find, and, of the same tags, 95th
percentiles of the errors of rotation and distance with the same solver for all methods
(OpenCV's IPPE), and with mgputags' own poses; processor time per frame. "april1" and "april2"
are AprilTag with quad_decimate 1 and 2. --mirrored counts ids in mirrored scenes; the page of
mgputags names the tags that have an id there. --photographs counts ids in photographs without
tags, of all families for mgputags. With --check, fails if mgputags misses LIMITS, or finds ids
in mirrored scenes or photographs. Parameters were tuned with seeds below 100. Run it with
GST_PLUGIN_PATH_1_0 as tests have it: meson devenv -C build.
"""
import argparse
import collections
import ctypes
import json
import resource
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError as error:
    print("not run:", error)
    sys.exit(77)

import tag_scenes as scenes
from names import list_of, numbers

# Minimum of all tags that are found, in percent, and maximum of the median error of corners, in
# pixels
LIMITS = {"full": (84, .04), "half": (74, .04)}
OUR_DETAILS = ("full", "half", "quarter")
METHODS = OUR_DETAILS + ("april1", "april2", "aruco")
ALL_FAMILIES = ("tag36h11,tag36h10,tag25h9,tag16h5,tagCircle21h7,tagStandard41h12,tagAruco4x4_50,tagAruco5x5_250,"
                "tagAruco6x6_250,tagAruco7x7_250,tagArucoMIP36h12")
NEAR = 10                       # pixels from the true corners up to which a tag is taken for the true one


def make_tag(family, number, corners, pose=None):
    return {"family": family, "id": number, "corners": np.array(corners, float).reshape(4, 2), "pose": pose}


# ---- Detectors. A detector is given a list of pictures of one size. It returns a list of tags for
# each picture, and the processor time in seconds for all pictures. ------

def get_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def launch(pictures, width, options):
    """Returns: the lines of mgpumetajson, and the processor time in seconds"""
    # Pads rows of 8-bit samples to a multiple of 4.
    pictures = [np.pad(p, ((0, 0), (0, -p.shape[1] % 4))) for p in pictures]
    height = len(pictures[0])
    pipeline = (f"fdsrc ! rawvideoparse format=gray8 width={width} height={height} framerate=25/1 ! "
                f"mgputags {options} ! mgpumetajson location=- add-empty=true ! fakesink")
    before = get_seconds()
    done = subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], stdout=subprocess.PIPE, check=True,
                          input=b"".join(p.tobytes() for p in pictures))
    return [json.loads(line) for line in done.stdout.splitlines()], get_seconds() - before


def run_ours(pictures, families, detail):
    height, width = pictures[0].shape
    options = (f"families={','.join(families)} detail={detail} tag-size=1 "
               f"camera={.9375 * width},{.9375 * width},{width / 2 - .5},{height / 2 - .5}")
    _, start = launch(pictures[:1], width, options)
    lines, seconds = launch(pictures, width, options)
    return [[make_tag(o["tag"]["family"], o["tag"]["id"], o["tag"]["corners"],
                      (o["tag"]["pose"]["quaternion"], o["tag"]["pose"]["position"]) if "pose" in o["tag"] else None)
             for o in line["objects"] if "tag" in o] for line in lines], max(seconds - start, 0)


class Detector(ctypes.Structure):
    """The beginning of the struct apriltag_detector_t of AprilTag 3."""
    _fields_ = [("n_threads", ctypes.c_int), ("decimate", ctypes.c_float), ("sigma", ctypes.c_float),
                ("refines", ctypes.c_bool), ("sharpening", ctypes.c_double)]


class Detection(ctypes.Structure):
    _fields_ = [("family", ctypes.c_void_p), ("id", ctypes.c_int), ("hamming", ctypes.c_int),
                ("margin", ctypes.c_float), ("homography", ctypes.c_void_p), ("center", ctypes.c_double * 2),
                ("corners", ctypes.c_double * 8)]


class List(ctypes.Structure):
    _fields_ = [("element", ctypes.c_size_t), ("n", ctypes.c_int), ("room", ctypes.c_int),
                ("data", ctypes.POINTER(ctypes.POINTER(Detection)))]


class AprilTag:
    """AprilTag's library with the defaults of its program, except quad_decimate."""

    def __init__(self, families, decimate):
        self.library = scenes.load_apriltag()
        if self.library is None:
            raise ImportError("there is no libapriltag.so.3")
        self.library.apriltag_detector_create.restype = ctypes.c_void_p
        self.library.apriltag_detector_detect.restype = ctypes.POINTER(List)
        self.library.apriltag_detector_detect.argtypes = [ctypes.c_void_p, ctypes.POINTER(scenes.Image)]
        self.library.apriltag_detections_destroy.argtypes = [ctypes.POINTER(List)]
        add = self.library.apriltag_detector_add_family_bits
        add.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
        self.detector = self.library.apriltag_detector_create()
        self.names = {}
        for name in families:
            family = scenes.make_family(self.library, name)
            add(self.detector, family, 2)
            self.names[family] = name
        settings = Detector.from_address(self.detector)
        settings.n_threads, settings.decimate, settings.refines = 1, decimate, True

    def detect(self, picture):
        height, width = picture.shape
        kept = (ctypes.c_uint8 * picture.size).from_buffer_copy(picture.tobytes())
        found = self.library.apriltag_detector_detect(self.detector, scenes.Image(width, height, width, kept))
        tags = []
        for i in range(found.contents.n):
            d = found.contents.data[i].contents
            # Lists the corners counter-clockwise, from the lower left corner on.
            corners = np.array(d.corners).reshape(4, 2)[::-1]
            tags.append(make_tag(self.names[d.family], d.id, corners))
        self.library.apriltag_detections_destroy(found)
        return tags

    def run(self, pictures):
        before = time.process_time()
        found = [self.detect(picture) for picture in pictures]
        return found, time.process_time() - before


def run_aruco(pictures, families):
    import cv2
    from cv2 import aruco
    make = getattr(aruco, "DetectorParameters_create", None) or aruco.DetectorParameters
    parameters = make()
    parameters.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
    books = [(family, scenes.find_dictionary(family)) for family in families]
    cv2.setNumThreads(1)
    found, before = [], time.process_time()
    for picture in pictures:
        tags = []
        for family, book in books:
            if hasattr(aruco, "ArucoDetector"):
                corners, ids, _ = aruco.ArucoDetector(book, parameters).detectMarkers(picture)
            else:
                corners, ids, _ = aruco.detectMarkers(picture, book, parameters=parameters)
            tags += [make_tag(family, int(n), c[0] + .5) for n, c in zip([] if ids is None else ids.ravel(), corners)]
        found.append(tags)
    return found, time.process_time() - before


def run(method, pictures, families):
    if method in OUR_DETAILS:
        return run_ours(pictures, families, method)
    if method.startswith("april"):
        return AprilTag(families, int(method[5:])).run(pictures)
    return run_aruco(pictures, families)


# ---- Scores --------------------------------------------------------------------------------------------

def find_error(corners, true):
    """Returns: the root mean square distance of corners, in the order that fits best, because
    libraries name corners differently."""
    return min((np.sqrt(((np.roll(corners, k, 0) - true) ** 2).sum(1).mean()), k) for k in range(4))


def rotate(quaternion):
    x, y, z, w = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def compare_pose(rotation, position, tag):
    """Returns: the angle between two rotations in degrees, and the error of the distance in
    percent"""
    cosine = (np.trace(rotation.T @ tag["rotation"]) - 1) / 2
    far = np.linalg.norm(tag["position"])
    return np.degrees(np.arccos(np.clip(cosine, -1, 1))), 100 * abs(np.linalg.norm(position) - far) / far


def solve(corners, tag, camera):
    """Returns: compare_pose() for IPPE's pose with the smaller error; None without OpenCV"""
    try:
        import cv2
    except ImportError:
        return None
    points = np.array([[-.5, .5, 0], [.5, .5, 0], [.5, -.5, 0], [-.5, -.5, 0]])
    matrix = np.array([[camera[0], 0, camera[1][0]], [0, camera[0], camera[1][1]], [0, 0, 1]])
    ok, rotation, position = cv2.solvePnP(points, corners, matrix, None, flags=cv2.SOLVEPNP_IPPE_SQUARE)
    if not ok:
        return None
    # IPPE's coordinates have y up and z towards the camera.
    return compare_pose(cv2.Rodrigues(rotation)[0] @ np.diag([1., -1, -1]), position.ravel(), tag)


class Score:
    """Tags that one method finds. errors: for each true tag, the error of its corners, or NaN"""

    def __init__(self):
        self.errors, self.corners, self.poses = [], [], []
        self.n_wrong = self.n_turned = self.seconds = 0

    def add(self, tags, found):
        used = set()
        for tag in tags:
            near = [(*find_error(f["corners"], tag["corners"]), i) for i, f in enumerate(found)
                    if f["id"] == tag["id"] and f["family"] == tag["family"]]
            near = sorted(n for n in near if n[0] < NEAR)
            used.update(i for _, _, i in near)
            self.errors.append(near[0][0] if near else np.nan)
            self.corners.append(np.roll(found[near[0][2]]["corners"], near[0][1], 0) if near else None)
            self.poses.append(found[near[0][2]]["pose"] if near else None)
            self.n_turned += bool(near) and near[0][1] != 0
        self.n_wrong += len(found) - len(used)


def print_bins(truth, results):
    """Compares found tags with the truth. truth: kind and tag of each true tag"""
    print("bin (tags): found in % / median error of corners in pixels: " + " | ".join(results))
    bins = collections.OrderedDict((kind, scenes.KINDS[kind][1]) for kind, _ in truth)
    errors = {method: np.array(r.errors) for method, r in results.items()}
    for kind, limits in bins.items():
        for low, high in zip(limits, limits[1:]):
            within = np.array([k == kind and low <= t["level"] < high for k, t in truth])
            if within.any():
                print_row(f"{kind} {low:g}-{high:g}", [e[within] for e in errors.values()])
    print_row("all", list(errors.values()))


def print_row(name, columns):
    cells = []
    for errors in columns:
        found = errors[~np.isnan(errors)]
        cells.append(f"{100 * len(found) / len(errors):5.1f} / {np.median(found) if len(found) else np.nan:.3f}")
    print(f"{name:18} ({len(columns[0]):4d})  " + " | ".join(cells), flush=True)


def print_all(truth, results, n_pictures, camera):
    common = ~np.isnan(np.array([r.errors for r in results.values()])).any(0)
    for method, r in results.items():
        errors = np.array(r.errors)[common]
        text = f"{method:8} {r.n_wrong} wrong ids, {1000 * r.seconds / n_pictures:.1f} ms; "
        if r.n_turned and method in OUR_DETAILS:
            text += f"{r.n_turned} TURNED; "
        if not len(errors):
            print(text)
            continue
        text += (f"of {common.sum()} tags that all find: corners rms {np.sqrt((errors ** 2).mean()):.3f}, median "
                 f"{np.median(errors):.3f}, 95 % {np.percentile(errors, 95):.3f}")
        solved = [solve(r.corners[i], truth[i][1], camera) for i in np.flatnonzero(common)]
        own = [compare_pose(rotate(r.poses[i][0]), np.array(r.poses[i][1]), truth[i][1])
               for i in np.flatnonzero(common) if r.poses[i] is not None]
        for name, poses in (("IPPE", solved), ("own", own)):
            if poses and poses[0] is not None:
                angles, distances = np.array([p for p in poses if p is not None]).T
                text += (f"; {name}: rotation {np.median(angles):.2f}, 95 % {np.percentile(angles, 95):.2f} degrees, "
                         f"distance {np.median(distances):.3f}, 95 % {np.percentile(distances, 95):.3f} %")
        print(text)


def score(args):
    """Returns: the Score of each method"""
    results, truth, n = {}, [], 0
    for seed in args.seeds:
        made = scenes.Scenes(args.families, args.scenes, seed, args.width, args.height)
        all_scenes = [(kind, *made.make(kind, i)) for kind in args.kinds for i in range(args.scenes)]
        truth += [(kind, tag) for kind, _, tags in all_scenes for tag in tags]
        n += len(all_scenes)
        for method in args.methods:
            try:
                found, seconds = run(method, [pixels for _, pixels, _ in all_scenes], args.families)
            except (ImportError, AttributeError) as error:
                print(f"{method}: not run: {error}")
                continue
            result = results.setdefault(method, Score())
            result.seconds += seconds
            for (_, _, tags), tags_found in zip(all_scenes, found):
                result.add(tags, tags_found)
    print_bins(truth, results)
    print_all(truth, results, n, (made.focal, made.center))
    return results


def score_mirrored(args):
    """Checks mirrored scenes. Returns: whether mgputags found no id"""
    ok = True
    for seed in args.seeds:
        made = scenes.Scenes(args.families, args.scenes, seed, args.width, args.height)
        pictures = [np.ascontiguousarray(made.make(kind, i)[0][:, ::-1])
                    for kind in args.kinds for i in range(args.scenes)]
        for method in args.methods:
            try:
                tags = [tag for found in run(method, pictures, args.families)[0] for tag in found]
            except (ImportError, AttributeError) as error:
                print(f"{method}: not run: {error}")
                continue
            print(f"{method}: {len(tags)} ids in {len(pictures)} mirrored scenes of seed {seed}: "
                  + ", ".join(f"{t['family']}:{t['id']}" for t in tags), flush=True)
            ok = ok and (not tags or method not in OUR_DETAILS)
    return ok


def read_photographs():
    """Returns: photographs of opencv-doc without tags, a list for each size"""
    import cv2
    sizes = collections.defaultdict(list)
    for path in scenes.list_photographs():
        picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        if picture is not None:
            sizes[picture.shape].append(picture)
    return list(sizes.values())


def score_photographs(args):
    """Checks photographs without tags. Returns: whether mgputags found no id"""
    try:
        groups = read_photographs()
    except ImportError as error:
        print(f"photographs: not run: {error}")
        return True
    ok = True
    for method in args.methods:
        families = ALL_FAMILIES.split(",") if method in OUR_DETAILS else args.families
        tags = []
        for pictures in groups:
            tags += [tag for found in run(method, pictures, families)[0] for tag in found]
        print(f"{method}: {len(tags)} ids in {sum(map(len, groups))} photographs: "
              + ", ".join(f"{t['family']}:{t['id']}" for t in tags))
        ok = ok and (not tags or method not in OUR_DETAILS)
    return ok


def check(results):
    """Returns: whether mgputags is within LIMITS"""
    bad = []
    for method in set(LIMITS) & set(results):
        errors = np.array(results[method].errors)
        found = errors[~np.isnan(errors)]
        if 100 * len(found) < LIMITS[method][0] * len(errors) or np.median(found) > LIMITS[method][1]:
            bad.append(method)
        if results[method].n_wrong or results[method].n_turned:
            bad.append(f"{method} (ids)")
    print("outside of the limits: " + ", ".join(bad) if bad else "within the limits")
    return not bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=numbers, default=[101])
    parser.add_argument("--scenes", type=int, default=12)
    parser.add_argument("--kinds", type=list_of(scenes.KINDS), default=list(scenes.KINDS))
    parser.add_argument("--families", type=lambda text: text.split(","), default=["tag36h11"])
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--height", type=int, default=480)
    parser.add_argument("--methods", type=list_of(METHODS), default=["full", "half", "april1", "april2", "aruco"])
    parser.add_argument("--mirrored", action="store_true")
    parser.add_argument("--photographs", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    ok = check(score(args)) or not args.check if args.scenes > 0 else True
    if args.mirrored:
        ok = (score_mirrored(args) or not args.check) and ok
    if args.photographs:
        ok = (score_photographs(args) or not args.check) and ok
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
