#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures the errors of dense flow on scenes whose motion is known (flow_scenes.py).

    flow.py FLOW-PAIRS FOLDER [--sets layers,noise] [--presets fast,medium] [--scenes 2]

FLOW-PAIRS is the program of tests/tools/flow-pairs.c, and FOLDER keeps the scenes. Prints the mean error in
pixels of all pixels that are not hidden, in brackets that within 8 pixels of the edges of motion, and fails
where an error is larger than LIMITS allow. These are for all scenes of a set: fewer (--scenes) are printed
alone. Needs numpy and Pillow; scenes whose photographs are missing are named as not run.
"""
import argparse
import os
import subprocess
import sys

import numpy as np

import flow_scenes

PRESETS = ["ultrafast", "fast", "medium", "fine"]
SETS = ["layers", "bright", "noise", "small", "subpixel", "homography", "motorcycle"]

# Mean errors in pixels that were measured when the presets were chosen, in the order of SETS
LIMITS = {
    "ultrafast": [0.70, 1.25, 1.27, 0.40, 0.19, 0.45, 3.10],
    "fast": [0.63, 1.18, 1.14, 0.37, 0.186, 0.405, 2.90],
    "medium": [0.32, 0.67, 0.92, 0.24, 0.094, 0.191, 2.29],
    "medium changes": [0.33, 0.56, 0.93, 0.24, 0.084, 0.189, 2.29],
    "fine": [0.21, 0.47, 0.82, 0.19, 0.057, 0.112, 2.09],
}


def load(folder, kind, most):
    """Scenes of a set: both frames, flow, hidden pixels, and distances to edges."""
    for i, seed in enumerate(flow_scenes.SETS.get(kind, [0])):
        if i == most:
            return
        path = os.path.join(folder, f"{kind}-{seed}.npz")
        if not os.path.exists(path):
            s = flow_scenes.Motorcycle() if kind == "motorcycle" else flow_scenes.scene(kind, seed).pair()
            np.savez(path + ".new.npz", a=s.a, b=s.b, flow=s.flow, hidden=s.hidden, edge=s.edge)
            os.rename(path + ".new.npz", path)
        yield np.load(path)


def measure(program, preset, a, b):
    """Flow from a to b in pixels, and the processor time in ms."""
    name, _, changes = preset.partition(" ")
    height, width = a.shape
    done = subprocess.run([program, str(PRESETS.index(name)), "1" if changes else "0", "0", str(width), str(height)],
                          input=b.tobytes() + a.tobytes(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    flow = np.frombuffer(done.stdout, np.int32, 2 * a.size).reshape(height, width, 2)
    return flow / np.float32(32), float(done.stderr)


def score(program, preset, scenes):
    """Mean error, that near edges, and median of the processor times."""
    errors, near, times = [], [], []
    for s in scenes:
        flow, ms = measure(program, preset, s["a"], s["b"])
        error = np.hypot(*np.moveaxis(flow - s["flow"], -1, 0))
        seen = ~s["hidden"]
        errors.append(error[seen].mean())
        if (s["edge"][seen] <= 8).any():
            near.append(error[seen & (s["edge"] <= 8)].mean())
        times.append(ms)
    return np.mean(errors), np.mean(near) if near else 0, np.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--presets", default=",".join(LIMITS))
    parser.add_argument("--scenes", type=int, default=99, help="number of scenes of each set")
    args = parser.parse_args()
    failed = False
    os.makedirs(args.folder, exist_ok=True)
    for kind in args.sets.split(","):
        try:
            scenes = list(load(args.folder, kind, args.scenes))
        except FileNotFoundError as error:
            print(f"not run: {kind}, {error}")
            continue
        for preset in args.presets.split(","):
            error, near, ms = score(args.program, preset, scenes)
            limit = 1.05 * LIMITS[preset][SETS.index(kind)]
            is_bad = args.scenes >= 99 and error > limit
            failed |= is_bad
            print(f"{kind}, {preset}: {error:.3f} ({near:.2f}) px, at most {limit:.3f}, "
                  f"{len(scenes)} scenes, {ms:.0f} ms{' FAILED' if is_bad else ''}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
