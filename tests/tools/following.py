#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures the quality of the elements that follow motion, compared with other programs, and
prints a table in Markdown.

    following.py PROGRAMS FOLDER [--quick] [--only GROUP,...] [--strips]

PROGRAMS is the folder with track-boxes (build/tests/tools). FOLDER stores files that take long
to make. Groups:

* stabilize: the rest of a shake (stabilize.py) compared with vid.stab, motions between frames, processor time
* rolling: with rolling-shutter, the rest of the distortion of rows, and of the error of motions between frames
* denoise: PSNR of luma (denoise.py) compared with nlmeans, or with motion=none
* boxes: intersection over union with the truth of boxes between detections, of people who weave (flow_scenes.py),
  compared with the motion filter of mgputrack alone
* track: MOTA and IDF1 (track-video.py) compared with coast=0
* passing: objects that pass behind a mask, and a person who is removed (passing.py), compared with Telea and
  background=true
* pan: a hole in a pan that is filled with content that was visible before
* hidden: the fraction of people, and of heads, that a pipeline hides (hidden.py), compared with mgpuhog alone
* match: errors of the corners of reference images (pictures.py) compared with MAGSAC

Aims that name a peer (the other program) are relative to its figure in the same run. Fails if
an aim is missed. With --quick, videos are shorter and fewer, so aims may be missed, and the
tool does not fail. With --strips, FOLDER/strips gets a picture of eight frames for each case
except match: rows are the truth and the input frames, where there are any, the result, and the
peer's result. Requires OpenCV for Python, and ffmpeg with vid.stab. Run it with meson devenv -C
build.
"""
import argparse
import importlib
import json
import os
import resource
import subprocess
import sys

try:
    import cv2
    import numpy as np
except ImportError as error:
    print("not run:", error)
    sys.exit(77)

import denoise
import flow_scenes
import hidden
import passing
import people
import pictures
import stabilize
import strips
from names import list_of

track_video = importlib.import_module("track-video")
HERE = os.path.dirname(os.path.abspath(__file__))
INTERVAL = 5                    # frames from one detection of people who weave to the next


class Table:
    """Rows are printed to the standard output, and the output of the other tools to the
    standard error output."""

    def __init__(self, folder):
        self.ok, self.file, self.folder = True, sys.stdout, folder
        sys.stdout = sys.stderr
        print("| case | ours | peer | aim | |\n| --- | --- | --- | --- | --- |", file=self.file, flush=True)

    def draw(self, name, *rows):
        """Writes a strip of eight frames if strips are requested."""
        if self.folder:
            strips.write(self.folder, name, *rows)

    def draw_holes(self, name, *arguments):
        """Writes a strip of eight frames of the results of passing.py, if strips are requested."""
        if self.folder:
            passing.write_strip(self.folder, name, *arguments)

    def add(self, case, ours, peer, aim, limit, at_least=True):
        """Prints a row of the table. limit is the value of the aim, and peer is "-" if there is
        no peer."""
        met = ours >= limit if at_least else ours <= limit
        self.ok &= bool(met)
        ours, peer = (v if isinstance(v, str) else f"{v:.3g}" for v in (ours, peer))
        print(f"| {case} | {ours} | {peer} | {aim} | {'met' if met else 'missed'} |", file=self.file, flush=True)


def frame_metas(path, elements, width, height, *boxes):
    """Returns what the elements attach to each frame of a file."""
    done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "frame-metas.py"), path, elements, f"{width}x{height}",
                           *boxes], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def get_processor_time(function):
    """Returns the seconds of processor time that child processes take for the call."""
    def now():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    begin = now()
    function()
    return now() - begin


# ---- mgpustabilize

def measure_neighbours(path, shake, middles, points):
    """Returns the RMS error of the motions from frame to frame, in pixels, at 9x9 positions."""
    width, height = stabilize.WIDTH, stabilize.HEIGHT
    metas = frame_metas(path, f"mgpustabilize mode=measure points={points}", width, height)
    x, y = np.meshgrid(np.linspace(0, width - 1, 9), np.linspace(0, height - 1, 9))
    place = np.stack([x.ravel(), y.ravel(), np.ones(81)])
    centre = np.array([[1, 0, (1 - width) / 2], [0, 1, (1 - height) / 2], [0, 0, 1]])
    # Matrices from positions in each frame to positions in the photograph
    views = [np.array([[a, -b, u + x], [b, a, v + y], [0, 0, 1]]) @ centre for (a, b, u, v), (x, y) in zip(shake, middles)]
    total = []
    for before, after, meta in zip(views, views[1:], metas[1:]):
        truth, found = np.linalg.inv(after) @ before @ place, np.reshape(meta["motion"], (3, 3)) @ place
        total.append(((found[:2] / found[2] - truth[:2]) ** 2).sum(axis=0))
    return np.sqrt(np.mean(total))


def measure_times(folder, functions):
    """Returns the processor time per frame in ms, without the constant cost of a run."""
    path, counts = f"{folder}/shaken.grey", []
    times = []
    for part in 1, 4:
        n = os.path.getsize(path) // (stabilize.WIDTH * stabilize.HEIGHT) // part
        os.truncate(path, n * stabilize.WIDTH * stabilize.HEIGHT)
        counts.append(n)
        times.append([get_processor_time(function) for function in functions])
    return [1e3 * (long - short) / (counts[0] - counts[1]) for long, short in zip(*times)]


def measure_stabilize(table, args):
    folder, n, seed = args.folder, 130 if args.quick else 250, 1
    for scene in "pan", "street":
        bases, shake, middles = stabilize.shake_scene(folder, scene, n, seed)

        def score(function, *arguments):
            function(folder, *arguments)
            return stabilize.measure(f"{scene}, {function.__name__} {arguments}", folder, bases, shake, 1.1)[0]

        def read_strip(path):
            """Returns the middle parts of eight frames, every third frame."""
            return [frame[180:300, 260:380] for frame in stabilize.read(f"{folder}/{path}.grey", n)[60:84:3]]

        peer = min(score(stabilize.steady_peer, smoothing, False) for smoothing in (15, 30))
        rows = [[base[180:300, 260:380] for base in bases[60:84:3]], read_strip("shaken"), read_strip("steady")]
        for points in "points=tracks", "points=sift":
            table.add(f"{scene}: shake that is left in the middle, px, {points}", score(stabilize.steady, points), peer,
                      "at most vid.stab", peer, False)
            rows.append(read_strip("steady"))
        table.draw(f"shake {scene}", *rows)
        table.add(f"{scene}: the same, points=tracks look-ahead=0", score(stabilize.steady, "points=tracks look-ahead=0"), "-",
                  "at most 1.6", 1.6, False)
        tracks, sift = (measure_neighbours(f"{folder}/shaken.grey", shake, middles, points) for points in ("tracks", "sift"))
        table.add(f"{scene}: error of motions between frames, px, points=tracks", tracks, sift, "at most points=sift", sift,
                  False)
    ours, peer = measure_times(folder, (lambda: stabilize.steady(folder, "points=tracks"),
                                        lambda: stabilize.steady_peer(folder, 15, False)))
    table.add("processor time of a frame of 640x480, ms, points=tracks", ours, peer, "at most vid.stab", peer, False)


def see_straight(camera, t, correction):
    """Returns the frame of a camera that reads all rows at once, moved by a correction whose
    origin is the corner."""
    x, y = np.meshgrid(np.arange(camera.width), np.arange(camera.height))
    total = 0
    for dx, dy in ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)):
        place = np.stack([(x + dx + 0.5).ravel(), (y + dy + 0.5).ravel(), np.ones(x.size)])
        moved = np.linalg.inv(np.reshape(correction, (3, 3))) @ place
        world = camera.world((moved[:2] / moved[2] - 0.5).T, t)
        total = total + flow_scenes.sample(camera.texture, world[:, 0], world[:, 1]).reshape(x.shape) / 4
    return np.clip(np.rint(total), 0, 255).astype(np.uint8)


def get_distortion(want, got):
    """Returns the median distance, in pixels, of points of a frame from their correct
    positions."""
    points = cv2.goodFeaturesToTrack(want[40:-40, 40:-40], 250, 0.02, 12) + 40
    found, ok, _ = cv2.calcOpticalFlowPyrLK(want, got, points, None, winSize=(21, 21), maxLevel=3,
                                            criteria=(3, 50, 0.001))
    return np.median(np.hypot(*(found - points)[ok.ravel() == 1][:, 0].T))


def measure_rolling(table, args):
    """Straightens frames of a camera whose rows are read in 0.8 of the frame interval."""
    n = 12 if args.quick else 40
    for name in ("building.jpg",) if args.quick else ("building.jpg", "aloeL.jpg"):
        shaken, camera, rows = flow_scenes.Camera(name, 1, 0.8), flow_scenes.Camera(name, 1), []
        stabilize.write(f"{args.folder}/shaken.grey", [shaken.frame(t) for t in range(n)])
        for rolling in "0.8", "0":
            properties = f"zoom=1 edges=mirror rolling-shutter={rolling}"
            metas = frame_metas(f"{args.folder}/shaken.grey", f"mgpustabilize {properties}", camera.width, camera.height)
            stabilize.steady(args.folder, properties)
            frames = stabilize.read(f"{args.folder}/steady.grey", n).astype(np.uint8)
            seen = {t: see_straight(camera, t, metas[t]["correction"]) for t in range(3, n - 1, 4)}
            x, y = np.meshgrid(np.linspace(0, camera.width - 1, 9), np.linspace(0, camera.height - 1, 9))
            place = np.stack([x.ravel(), y.ravel()], 1)
            errors = []
            for t in range(1, n):
                moved = np.reshape(metas[t]["motion"], (3, 3)) @ np.vstack([place.T + 0.5, np.ones(81)])
                errors.append(camera.world((moved[:2] / moved[2]).T - 0.5, t) - camera.world(place, t - 1))
            rows.append((np.mean([get_distortion(seen[t], frames[t]) for t in seen]),
                         np.sqrt((np.array(errors) ** 2).sum(-1).mean())))
        for i, what in enumerate(("distortion of frames", "error of motions between frames")):
            table.add(f"{name}, rows read in 0.8 of the time: {what}, px", rows[0][i], rows[1][i], "at most 0.1", 0.1, False)


# ---- mgpudenoise

def find_part(counted):
    """Returns the rows and columns of the part of 160x120 pixels in which most people are."""
    sums = cv2.boxFilter(counted.sum(0).astype(np.float32), -1, (120, 160), normalize=False, borderType=cv2.BORDER_CONSTANT)
    y, x = np.unravel_index(sums[80:-80, 60:-60].argmax(), sums[80:-80, 60:-60].shape)
    return slice(y, y + 160), slice(x, x + 120)


def measure_denoise(table, args):
    for name, sigma, peer, margin in (("street people", 10, "nlmeans", -0.5), ("street people photons", 10, "nlmeans", -0.5),
                                      ("street still photons", 10, "nlmeans", 0), ("aloeL pan", 10, "motion=none", 2.5),
                                      ("building pan", 5, "motion=none", 2.5), ("layers 80", 8, "motion=none", 2.5),
                                      ("still", 10, "motion=none", -0.1)):
        frames = denoise.SCENES[name][0](8 if args.quick else 16)
        outs, (_, none, flow, nlmeans) = denoise.score(args.folder, name, sigma, *frames)
        y, x = find_part(frames[1][-strips.N:]) if name.startswith("street people") else (slice(120, 280), slice(200, 320))
        table.draw(f"noise {name}", *([frame[y, x] for frame in frames[-strips.N:]] for frames in (frames[0], *outs)))
        limit = (nlmeans if peer == "nlmeans" else none) + margin
        table.add(f"{name}, noise {sigma}: dB, motion=flow", flow, limit - margin, f"{peer} {margin:+g}", limit)


# ---- mgputrack

def make_weaving(folder, seed, shake):
    """Writes frames of people who weave, and the boxes that a detector finds. Returns the true
    boxes and the size of frames."""
    frames, truth = flow_scenes.people(seed, shake=shake)
    stabilize.write(f"{folder}/people.grey", frames)
    rng = np.random.default_rng([seed, 3])
    found = [[[max(round(x + rng.normal()), 0), max(round(y + rng.normal()), 0), w, h] for x, y, w, h in row]
             if t % INTERVAL == 0 else None for t, row in enumerate(truth)]
    with open(f"{folder}/people.json", "w", encoding="utf-8") as file:
        json.dump(found, file)
    return truth, frames[0].shape[::-1]


def measure_weaving(folder, seeds, shake, elements):
    """Returns the overlaps with the true boxes in the frames between detections; 0 if the
    object's region is missing. Also returns eight frames of the last seed, with the true boxes
    in white and the found boxes in red."""
    overlaps = []
    for seed in seeds:
        truth, (width, height) = make_weaving(folder, seed, shake)
        metas = frame_metas(f"{folder}/people.grey", elements, width, height, f"{folder}/people.json")
        for person in range(len(truth[0])):
            name = None
            for t in range(INTERVAL, len(truth)):
                x, y, w, h = box = truth[t][person]
                shares = {b[0]: people.overlap(b[1:], box) for b in metas[t]["boxes"]}
                if min(x, y) < 0 or x + w > width or y + h > height:
                    name = None
                elif t % INTERVAL == 0:
                    name = max(shares, key=shares.get, default=None)
                elif name is not None:
                    overlaps.append(shares.get(name, 0))
    frames = np.fromfile(f"{folder}/people.grey", np.uint8).reshape(-1, height, width)
    return np.array(overlaps), [strips.draw_boxes(frames[t], truth[t], [b[1:] for b in metas[t]["boxes"]])[120:360, 200:440]
                                for t in range(2 * INTERVAL, 2 * INTERVAL + strips.N)]


def measure_boxes(table, args):
    seeds, track = range(1 if args.quick else 3), f"mgputrack interval={INTERVAL} min-frames=1"
    for shake in 0, 4:
        peer, alone = measure_weaving(args.folder, seeds, shake, track)
        peer = peer.mean()
        where = f"camera shaken by {shake} px, mgpuflow"
        (fine, drawn), (coarse, _) = (measure_weaving(args.folder, seeds, shake, f"mgpuflow {flow} ! {track}")
                                      for flow in ("preset=medium", "preset=ultrafast tracks=400"))
        table.draw(f"boxes shaken by {shake}", drawn, alone)
        table.add(f"{where} preset=medium: overlap between detections", fine.mean(), peer, "at least 0.86", 0.86)
        table.add(f"{where} preset=medium: below 0.5, %", 100 * (fine < 0.5).mean(), "-", "at most 1.5", 1.5, False)
        table.add(f"{where} preset=ultrafast tracks=400: overlap between detections", coarse.mean(), peer,
                  "at least the filter alone", peer)


def draw_tracks(table, args, video, rows):
    """Draws, for each of rows, true boxes in white, and the boxes of mgputrack in red."""
    stock = track_video.scenes.Stock(os.path.join(args.folder, "people.npz"))
    walkers = list(track_video.make_walkers(video[-1], 1, stock))[12:12 + 3 * strips.N:3]
    drawn = [[strips.draw_boxes(frame[::2, ::2], *(np.reshape(some, (-1, 4)) / 2 for some in (
        [*boxes.values()], row[12 + 3 * i + 1][:, 1:5]))) for i, (frame, boxes) in enumerate(walkers)] for row in rows]
    table.draw("tracks pasted people", *drawn)


def measure_track(table, args):
    videos = argparse.Namespace(folder=args.folder, seed=1, frames=40 if args.quick else 200, truth=None)
    for video in track_video.list_videos(videos):
        scores, rows = [], []
        for settings in "", "coast=0":
            scores.append(track_video.score(args.track_boxes, args.folder, video, settings))
            rows.append(track_video.evaluate.read_boxes(os.path.join(args.folder, "boxes.csv")))
        ours, peer = scores
        if table.folder and video[0] == "pasted people":
            draw_tracks(table, args, video, rows)
        for name, a, b in zip(("MOTA", "IDF1"), ours, peer):
            table.add(f"{video[0]}: {name}", a, b, "at least coast=0", b)


# ---- mgpuinpaint

def measure_passing(table, args):
    vtest = list(passing.load_vtest())[:1 if args.quick else 4]
    names = ["one", "overlap"] if args.quick else list(passing.scenes.SCENES)
    options = argparse.Namespace(vtest=False, remove=False, scenes=names, masks=["pole16"], seed=0)
    for what, scenes, margin in ("vtest.avi", vtest, 0.8), ("generated people", passing.load(options), 2.9):
        scores = []
        for name, frames, masks, truth, moving in scenes:
            filled = [passing.fill(method, frames, masks, None) for method in ("video", "telea")]
            table.draw_holes(name, truth, filled, masks, moving)
            found = [passing.Score(truth, some, masks, moving) for some in filled]
            scores.append([(score.move, score.still, score.flicker) for score in found])
        ours, peer = np.nanmean(scores, axis=0)
        case = f"behind a pole of 16 px, {what}"
        table.add(f"{case}: dB", ours[0], peer[0], f"Telea {margin:+g}", peer[0] + margin)
        if what == "vtest.avi":
            table.add(f"{case}, where nobody passes: dB", ours[1], peer[1], "Telea -0.2", peer[1] - 0.2)
        else:
            table.add(f"{case}, where nobody passes: change from frame to frame", ours[2], peer[2], "at most 0.5", 0.5, False)
    name, frames, masks, truth, moving = next(passing.load_removal(0))
    filled = [passing.fill(method, frames, masks, None) for method in ("video25", "background25")]
    table.draw_holes(name, truth, filled, masks, moving)
    ours, peer = (passing.psnr((some.astype(float) - truth)[..., 0][masks > 0]) for some in filled)
    for aim, limit in ("at least 20.5", 20.5), ("background=true +3", peer + 3):
        table.add("a person removed among people, look-ahead=25: dB", ours, peer, aim, limit)


def measure_pan(table, args):
    """Fills a hole of 100x60 pixels in the middle of a pan, whose content was visible before."""
    del args
    for name, x, y in ("aloeL.jpg", 12.3, 1.7), ("building.jpg", 9.4, 0.6):
        luma = np.clip(np.rint(np.stack(flow_scenes.pan(name, x, y, 15))), 0, 255).astype(np.uint8)
        frames = np.stack([luma, np.full_like(luma, 128), np.full_like(luma, 128)], axis=-1)
        mask = np.zeros(luma.shape[1:], np.uint8)
        mask[210:270, 270:370] = 1
        filled = [passing.fill_static(options, frames, mask)[..., 0]
                  for options in ("background=true camera=moves", "mode=exact")]
        table.draw(f"pan {name[:-4]}", *(some[-strips.N:, 190:290, 250:390] for some in (luma, *filled)))
        ours, peer = (passing.psnr((some[12:] - luma[12:].astype(float))[:, mask > 0]) for some in filled)
        table.add(f"a hole in a pan over {name}: dB, background=true camera=moves", ours, peer, "at least 34", 34)


# ---- Privacy, and mgpumatch

def measure_hidden(table, args):
    people_found = hidden.find_people(args.folder, 120 if args.quick else 400)
    scores = {name: hidden.score(name, people_found) for name in ("people", "followed", "all")}
    for name in "followed", "all":
        if table.folder:
            rows = [list(hidden.run(line, 120))[64::7] for line in (name, "people")]
            table.draw(f"hidden {name}", *([frame[::3, ::3] for frame in row] for row in rows))
        for i, what in (1, "people"), (2, "heads"):
            table.add(f"{what} hidden by the line \"{name}\" of hidden.py, %", float(scores[name][i]), float(scores["people"][i]),
                      "at least 97", 97)


def measure_match(table, args):
    medians = pictures.compare(20 if args.quick else 60, 101, 6)
    table.add("corners of pictures that mgpumatch finds, median, px", medians["mgpumatch"], medians["MAGSAC"], "at most 1.3",
              1.3, False)


GROUPS = {"stabilize": measure_stabilize, "rolling": measure_rolling, "denoise": measure_denoise, "boxes": measure_boxes,
          "track": measure_track, "passing": measure_passing, "pan": measure_pan, "hidden": measure_hidden,
          "match": measure_match}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs")
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--strips", action="store_true")
    parser.add_argument("--only", type=list_of(GROUPS), default=list(GROUPS))
    args = parser.parse_args()
    args.track_boxes = os.path.join(args.programs, "track-boxes")
    os.makedirs(args.folder, exist_ok=True)
    table = Table(os.path.join(args.folder, "strips") if args.strips else None)
    for name in args.only:
        GROUPS[name](table, args)
    return 0 if table.ok or args.quick else 1


if __name__ == "__main__":
    sys.exit(main())
