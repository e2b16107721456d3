#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures the errors of dense flow and of tracks on scenes whose motion is known
(flow_scenes.py), compared with OpenCV.

    flow.py dense PROGRAMS FOLDER [--sets layers,noise] [--presets fast,medium] [--scenes 2]
    flow.py tracks PROGRAMS FOLDER [--sets layers,noise] [--scenes 2]
    flow.py acceptance PROGRAMS FOLDER [--scenes 2]

PROGRAMS is the folder with flow-pairs and flow-tracks, which run the references
(build/tests/tools). The scenes are stored in FOLDER. "dense" prints the mean error in pixels of
all pixels that are not hidden, and in parentheses the error within 8 pixels of the edges of
motion, compared with OpenCV's DIS of the same preset; for the set "whale", the mean gray level
by which the second image, moved, differs from the first. "tracks" prints the median error of
points in pixels, and in parentheses the percentage of points that are more than 1 pixel off,
compared with OpenCV's PyrLK at the same points. "acceptance" does what "dense" and "tracks" do,
and also measures the flow of pairs of frames without motion. Times are processor times of one
thread.

At the end there is a line for each aim: the aim, the measured value, and whether the aim is
met. Fails if an aim is not met, unless scenes were left out (by --scenes, or because
photographs are missing), because aims are means over all scenes. Requires numpy, Pillow and
OpenCV for Python. Scenes whose photographs are missing (packages opencv-doc, python3-skimage)
are reported as not run.
"""
import argparse
import os
import subprocess
import sys
import time

try:
    import cv2
    import numpy as np
    import flow_scenes
    from names import list_of
except ImportError as error:
    print("not run:", error)
    sys.exit(77)

PRESETS = ["ultrafast", "fast", "medium", "fine"]
SETS = ["layers", "bright", "noise", "small", "subpixel", "homography", "motorcycle", "whale"]
TRACK_SETS = ["homography", "subpixel", "layers", "bright", "noise"]

# Mean errors that were measured when the presets were chosen, in the order of SETS
LIMITS = {
    "ultrafast": [0.70, 1.25, 1.27, 0.40, 0.19, 0.45, 3.10, 1.91],
    "fast": [0.63, 1.18, 1.14, 0.37, 0.186, 0.405, 2.90, 1.92],
    "medium": [0.32, 0.67, 0.92, 0.24, 0.094, 0.191, 2.29, 1.47],
    "medium changes": [0.33, 0.56, 0.93, 0.24, 0.084, 0.189, 2.29, 1.58],
    "fine": [0.21, 0.47, 0.82, 0.19, 0.057, 0.112, 2.09, 1.28],
}

# Maximum error, as a multiple of the error of OpenCV's DIS with the same preset
BESIDE_DIS = {"layers": 1, "bright": 1, "noise": 1, "small": 1, "motorcycle": 1, "homography": 1.15, "whale": 1.15}
DIS = {"ultrafast": cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST, "fast": cv2.DISOPTICAL_FLOW_PRESET_FAST,
       "medium": cv2.DISOPTICAL_FLOW_PRESET_MEDIUM}

# Standard deviations of the noise in frames of noise alone, and the number of pairs that are
# measured with each. The aim applies to the first one, which is the noise of the set "noise".
NOISE_ALONE, N_NOISE_ALONE = (8, 5, 4), 10

# Width of the cells in which points are searched, and of the window of OpenCV's PyrLK
CELL, WINDOW = 32, 21

# Rows (name, aim, measured value, whether the aim is met) that are printed at the end
LINES = []


def judge(what, aim, measured, met):
    LINES.append((what, aim, measured, "met" if met else "missed"))


class Whale:
    """A real pair of images, whose true motion is not known."""

    def __init__(self):
        self.a, self.b = (np.rint(flow_scenes.photo(f"rubberwhale{i}.png")).astype(np.uint8) for i in (1, 2))
        self.flow = np.zeros(self.a.shape + (2,), np.float32)
        self.hidden = np.zeros(self.a.shape, bool)
        self.edge = np.full(self.a.shape, 16, np.int32)


def load(folder, kind, seed):
    """A scene of a set: both frames, flow, hidden pixels, and distances to edges of motion."""
    single = {"motorcycle": flow_scenes.Motorcycle, "whale": Whale}
    path = os.path.join(folder, f"{kind}-{seed}.npz")
    if not os.path.exists(path):
        s = single[kind]() if kind in single else flow_scenes.scene(kind, seed).pair()
        np.savez(path + ".new.npz", a=s.a, b=s.b, flow=s.flow, hidden=s.hidden, edge=s.edge)
        os.rename(path + ".new.npz", path)
    return np.load(path)


def load_all(args, kind):
    """Returns the scenes of a set, without those whose photographs are missing."""
    scenes, missing = [], []
    for seed in flow_scenes.SETS.get(kind, [0]):
        try:
            if len(scenes) < args.scenes:
                scenes.append(load(args.folder, kind, seed))
        except FileNotFoundError as error:
            missing.append(str(error).split(" ")[0])
    if missing:
        print(f"not run: {len(missing)} scenes of {kind}, without {', '.join(sorted(set(missing)))}")
        args.is_complete = False
    return scenes


# ---- Dense flow

def measure(programs, preset, a, b):
    """Returns the flow from a to b in pixels, and the processor time in ms."""
    name, _, changes = preset.partition(" ")
    height, width = a.shape
    done = subprocess.run([os.path.join(programs, "flow-pairs"), str(PRESETS.index(name)), "1" if changes else "0", "0",
                           str(width), str(height)], input=b.tobytes() + a.tobytes(), capture_output=True, check=True)
    flow = np.frombuffer(done.stdout, np.int32, 2 * a.size).reshape(height, width, 2)
    return flow / np.float32(32), float(done.stderr)


def measure_dis(programs, preset, a, b):
    """The same with OpenCV."""
    dis = cv2.DISOpticalFlow_create(DIS[preset])
    begin = time.process_time()
    flow = dis.calc(a, b, None)
    return flow, 1e3 * (time.process_time() - begin)


def difference(a, b, flow):
    """Returns the mean difference between b, moved along the flow, and a, in gray levels."""
    y, x = np.mgrid[:a.shape[0], :a.shape[1]].astype(np.float32)
    moved = cv2.remap(b.astype(np.float32), *(np.float32(i) for i in (x + flow[..., 0], y + flow[..., 1])), cv2.INTER_LINEAR,
                      borderMode=cv2.BORDER_REPLICATE)
    return np.abs(moved - a).mean()


def score(function, programs, preset, kind, scenes):
    """Returns the mean error, the mean error near edges of motion, and the median of the
    processor times."""
    errors, near, times = [], [], []
    for s in scenes:
        flow, ms = function(programs, preset, s["a"], s["b"])
        times.append(ms)
        if kind == "whale":
            errors.append(difference(s["a"], s["b"], flow))
            continue
        error = np.hypot(*np.moveaxis(flow - s["flow"], -1, 0))
        seen = ~s["hidden"]
        errors.append(error[seen].mean())
        if (s["edge"][seen] <= 8).any():
            near.append(error[seen & (s["edge"] <= 8)].mean())
    return np.mean(errors), np.mean(near) if near else 0, np.median(times)


def judge_dense(kind, preset, error, peer):
    limit = 1.05 * LIMITS[preset][SETS.index(kind)]
    judge(f"{kind}, {preset}", f"at most {limit:.3f}", f"{error:.3f}", error <= limit)
    factor = BESIDE_DIS.get(kind) or {"medium": 1.1}.get(preset)
    if peer is not None and factor:
        judge(f"{kind}, {preset} beside DIS", f"at most {factor * peer:.3f}", f"{error:.3f}", error <= factor * peer)
    if kind == "subpixel" and preset == "fast":
        judge(f"{kind}, {preset}", "at most 0.200", f"{error:.3f}", error <= 0.2)


def measure_dense(args):
    for kind in args.sets:
        scenes = load_all(args, kind)
        for preset in args.presets if scenes else []:
            error, near, ms = score(measure, args.programs, preset, kind, scenes)
            peer = None
            print(f"{kind}, {preset}: {error:.3f} ({near:.2f}), {ms:.0f} ms", end="")
            if preset in DIS:
                peer, peer_near, peer_ms = score(measure_dis, args.programs, preset, kind, scenes)
                print(f"; DIS {peer:.3f} ({peer_near:.2f}), {peer_ms:.0f} ms", end="")
            print(f"; {len(scenes)} scenes", flush=True)
            judge_dense(kind, preset, error, peer)


def measure_still(args):
    """Measures the flow between two identical frames and between two uniform frames, which has to
    be 0, and between two frames that show only noise, which has to be small."""
    rng = np.random.default_rng(7)
    for width, height in ((640, 480), (16, 16), (33, 17), (1001, 37)):
        equal = rng.integers(0, 256, (height, width), dtype=np.uint8)
        for what, a, b in (("equal frames", equal, equal), ("flat frames", np.full_like(equal, 90), np.full_like(equal, 140))):
            worst = max(np.abs(measure(args.programs, preset, a, b)[0]).max() for preset in LIMITS)
            judge(f"{what} of {width}x{height}", "0", f"{worst:g}", worst == 0)
    for sigma in NOISE_ALONE:
        lengths = []
        for _ in range(N_NOISE_ALONE):
            pair = [np.clip(np.rint(128 + rng.normal(0, sigma, (480, 640))), 0, 255).astype(np.uint8) for _ in range(2)]
            lengths.append([np.hypot(*np.moveaxis(function(args.programs, "medium", *pair)[0], -1, 0)).mean()
                            for function in (measure, measure_dis)])
        mean, peer = np.mean(lengths, axis=0)
        print(f"noise of {sigma} alone, medium: {mean:.3f}; DIS {peer:.3f}; {len(lengths)} pairs", flush=True)
        if sigma == NOISE_ALONE[0]:
            judge(f"noise of {sigma} alone, medium", "at most 0.45", f"{mean:.3f}", mean <= 0.45)


# ---- Tracks

def follow(programs, frames):
    """Returns the tracks of each frame, as arrays of id, x, y and the position in the previous
    frame, and the ms per frame."""
    height, width = frames[0].shape
    done = subprocess.run([os.path.join(programs, "flow-tracks"), str(CELL), str(width), str(height)],
                          input=b"".join(f.tobytes() for f in frames), capture_output=True, check=True)
    kind = np.dtype([("id", "<u4"), ("at", "<f4", 2), ("old", "<f4", 2)])
    tracks, offset = [], 0
    for _ in frames:
        n = int(np.frombuffer(done.stdout, "<i4", 1, offset)[0])
        tracks.append(np.frombuffer(done.stdout, kind, n, offset + 4))
        offset += 4 + n * kind.itemsize
    return tracks, float(done.stderr)


def sample_truth(scene, points):
    """Returns the true flow of points between pixels, and whether it is known: not hidden, nor
    at an edge of motion."""
    x0, y0 = np.floor(points).astype(int).T
    f, g = (points - np.floor(points)).T[..., None]
    corners = [(y0, x0), (y0, x0 + 1), (y0 + 1, x0), (y0 + 1, x0 + 1)]
    flows = np.stack([scene["flow"][c] for c in corners])
    hidden = np.stack([scene["hidden"][c] for c in corners]).any(axis=0)
    truth = (flows[0] * (1 - f) + flows[1] * f) * (1 - g) + (flows[2] * (1 - f) + flows[3] * f) * g
    return truth, ~hidden & (np.ptp(flows, axis=0).max(axis=-1) < 0.5)


def lucas_kanade(a, b, points):
    """Tracks points with PyrLK. Returns positions in b, and whether tracking back leads to
    within half a pixel."""
    options = {"winSize": (WINDOW, WINDOW), "maxLevel": 3}
    p = points.astype(np.float32).reshape(-1, 1, 2)
    there, ok, _ = cv2.calcOpticalFlowPyrLK(a, b, p, None, **options)
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(b, a, there, None, **options)
    home = np.linalg.norm((back - p)[:, 0], axis=1) <= 0.5
    return there[:, 0], home & (ok[:, 0] > 0) & (ok_back[:, 0] > 0)


def rate(errors):
    """Returns the median, and the percentage above 1 pixel."""
    return (np.median(errors), 100 * (errors > 1).mean()) if len(errors) else (0, 0)


def measure_pairs(programs, scenes):
    """Returns the errors of mgpuflow's tracks, of PyrLK, and of PyrLK with its backward check,
    and the percentages of points that both checks keep."""
    errors, n, kept, peer_kept = [[], [], []], 0, 0, 0
    for s in scenes:
        (first, second), _ = follow(programs, [s["a"], s["b"]])
        truth, known = sample_truth(s, first["at"].astype(float))
        order = {track["id"]: i for i, track in enumerate(first)}
        live = [track for track in second if track["id"] in order and known[order[track["id"]]]]
        errors[0] += [np.linalg.norm(t["at"] - t["old"] - truth[order[t["id"]]]) for t in live]
        there, home = lucas_kanade(s["a"], s["b"], first["at"])
        off = np.linalg.norm(there - first["at"] - truth, axis=1)
        errors[1] += list(off[known])
        errors[2] += list(off[known & home])
        n, kept, peer_kept = n + known.sum(), kept + len(live), peer_kept + (known & home).sum()
    return [rate(np.array(e)) for e in errors], 100 * kept / n, 100 * peer_kept / n


def measure_tracks(args):
    for kind in (kind for kind in args.sets if kind in TRACK_SETS):
        scenes = load_all(args, kind)
        if not scenes:
            continue
        (ours, peer, checked), kept, peer_kept = measure_pairs(args.programs, scenes)
        print(f"tracks, {kind}: {ours[0]:.3f} px ({ours[1]:.1f} %), kept {kept:.0f} %; PyrLK {peer[0]:.3f} "
              f"({peer[1]:.1f}), with the check {checked[0]:.3f} ({checked[1]:.1f}), kept {peer_kept:.0f} %; "
              f"{len(scenes)} scenes", flush=True)
        limit = (1.15 if kind == "noise" else 1) * peer[0]
        judge(f"tracks, {kind}, median", f"at most {limit:.3f}", f"{ours[0]:.3f}", ours[0] <= limit)
        judge(f"tracks, {kind}, above 1 px", f"at most {checked[1] + 1:.1f} %", f"{ours[1]:.1f} %",
              ours[1] <= checked[1] + 1)


def measure_drift(args):
    """Measures the tracks of a shaking pan after 15 frames."""
    for seed, name in enumerate(("aloeL.jpg", "building.jpg")):
        try:
            camera = flow_scenes.Camera(name, seed)
            frames = [camera.frame(t) for t in range(16)]
        except FileNotFoundError as error:
            print(f"not run: drift, {error}")
            continue
        tracks, ms = follow(args.programs, frames)
        first, last = tracks[0], {t["id"]: t["at"] for t in tracks[15]}
        inside = np.ones(len(first), bool)
        for t in range(1, 16):
            place = camera.move(first["at"].astype(float), 0, t)
            inside &= (place >= 8).all(axis=1) & (place < [camera.width - 8, camera.height - 8]).all(axis=1)
        live = np.array([track["id"] in last for track in first]) & inside
        drift = np.array([np.linalg.norm(last[i] - p) for i, p in zip(first["id"][live], place[live])])
        share = 100 * live.sum() / inside.sum()
        print(f"tracks, pan over {name}: {share:.0f} % live, drift {np.median(drift):.3f} px, above 1 px "
              f"{100 * (drift > 1).mean():.1f} %, {ms:.1f} ms", flush=True)
        judge(f"pan over {name}, tracks that live 15 frames", "at least 92 %", f"{share:.1f} %", share >= 92)
        judge(f"pan over {name}, drift", "at most 0.060", f"{np.median(drift):.3f}", np.median(drift) <= 0.06)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("dense", "tracks", "acceptance"))
    parser.add_argument("programs")
    parser.add_argument("folder")
    parser.add_argument("--sets", type=list_of(SETS), default=SETS)
    parser.add_argument("--presets", type=list_of(LIMITS), default=list(LIMITS))
    parser.add_argument("--scenes", type=int, default=99, help="number of scenes of each set")
    args = parser.parse_args()
    if args.what == "tracks" and not set(args.sets) & set(TRACK_SETS):
        parser.error(f"tracks are not measured on {', '.join(args.sets)}, but on {', '.join(TRACK_SETS)}")
    args.is_complete = args.scenes >= 99
    cv2.setNumThreads(1)
    os.makedirs(args.folder, exist_ok=True)
    print(f"OpenCV {cv2.__version__}")
    if args.what != "tracks":
        measure_dense(args)
    if args.what == "acceptance":
        measure_still(args)
    if args.what != "dense":
        measure_tracks(args)
        measure_drift(args)
    print()
    for what, aim, measured, met in LINES:
        print(f"{met:7} {what}: {measured}, {aim}")
    sys.exit(1 if args.is_complete and any(line[-1] == "missed" for line in LINES) else 0)


if __name__ == "__main__":
    main()
