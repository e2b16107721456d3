#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Scores how mgpuinpaint fills what passes behind a mask, in videos of which the truth is
known, compared with OpenCV.

    passing.py [--scenes one,overlap] [--masks pole16] [--seed 0] [--methods video,telea] [--strips FOLDER]
               [--remove] [--vtest] [--reference PASSING-FRAMES]

Prints for each scene and method: PSNR of luma in the mask where people pass, and in parentheses
the PSNR of the worst frame; PSNR where nobody passes; the mean change from frame to frame where
nobody passes (flicker; the video's own is "film"), and where people pass, as a multiple of the
video's. Methods: video and video5 (mode=video, look-ahead 0 and 5), directional, temporal,
background (mode=temporal with background), telea and ns (cv2.inpaint), and reference and
reference5, the scalar code in the program that --reference names
(tests/tools/passing-frames.c). --vtest: four poles in front of vtest.avi instead. --remove: a
person of "crowd" is removed, with look-ahead 25; the truth is the scene drawn without that
person. --strips writes a picture of eight frames for each scene and mask: the truth, and each
method. Parameters were tuned with seeds other than 0. Run it with GST_PLUGIN_PATH_1_0 as tests
have it: meson devenv -C build.
"""
import argparse
import subprocess
import sys
import tempfile

try:
    import cv2
    import numpy as np
except ImportError as error:
    print("not run:", error)
    sys.exit(77)

import passing_scenes as scenes
import strips
from names import list_of

VTEST = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
# For each pole, its left column, and the first of 60 frames
POLES = [(430, 0), (668, 510), (370, 600), (225, 500)]
MARGIN = 96
ELEMENT = {
    "video": "mode=video", "video5": "mode=video look-ahead=5", "video25": "mode=video look-ahead=25",
    "directional": "method=directional", "temporal": "mode=temporal", "background": "mode=temporal background=true",
    "background25": "background=true look-ahead=25",
}
PEERS = {"telea": cv2.INPAINT_TELEA, "ns": cv2.INPAINT_NS}


def run(command, data):
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True)
    return np.frombuffer(done.stdout, np.uint8)


def fill_element(options, frames, masks):
    """Fills frames with a mask for each. Frames pass through gst-launch-1.0 as Y444; the masks
    arrive at mask_sink."""
    n, height, width, _ = frames.shape
    with tempfile.NamedTemporaryFile() as file:
        file.write((masks * 255).tobytes())
        file.flush()
        command = (
            f"gst-launch-1.0 -q fdsrc fd=0 ! rawvideoparse format=y444 width={width} height={height} ! queue ! "
            f"mgpuinpaint name=f mask-source=pad {options} ! fdsink fd=1 filesrc location={file.name} ! "
            f"rawvideoparse format=gray8 width={width} height={height} ! queue ! f.mask_sink")
        return run(command.split(), frames.transpose(0, 3, 1, 2).tobytes()).reshape(n, 3, height, width) \
            .transpose(0, 2, 3, 1)


def fill_static(options, frames, mask):
    """Fills frames with one mask for all, from a file."""
    n, height, width, _ = frames.shape
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        cv2.imwrite(file.name, mask * 255)
        command = (f"gst-launch-1.0 -q fdsrc fd=0 ! rawvideoparse format=y444 width={width} height={height} ! "
                   f"mgpuinpaint mask-location={file.name} {options} ! fdsink fd=1")
        return run(command.split(), frames.transpose(0, 3, 1, 2).tobytes()).reshape(n, 3, height, width) \
            .transpose(0, 2, 3, 1)


def get_part(masks):
    """Returns the rows and columns in which the element works: the masks with a margin."""
    n, height, width = masks.shape
    rows, columns = np.nonzero(masks.any(0))
    return (slice(max(rows.min() - MARGIN, 0) & ~7, min(rows.max() + 1 + MARGIN, height)),
            slice(max(columns.min() - MARGIN, 0) & ~7, min(columns.max() + 1 + MARGIN, width)))


def fill_reference(program, later, frames, masks):
    y, x = get_part(masks)
    part = frames[:, y, x]
    data = np.concatenate([masks[:, None, y, x], part.transpose(0, 3, 1, 2)], 1)
    out = run([program, str(part.shape[2]), str(part.shape[1]), str(later)], data.tobytes())
    filled = frames.copy()
    filled[:, y, x] = out.reshape(len(part), 3, *part.shape[1:3]).transpose(0, 2, 3, 1)
    return filled


def fill(method, frames, masks, program):
    if method.startswith("reference"):
        return fill_reference(program, int(method[9:] or 0), frames, masks)
    if method in ELEMENT:
        if (masks == masks[:1]).all():
            return fill_static(ELEMENT[method], frames, masks[0])
        return fill_element(ELEMENT[method], frames, masks)
    filled = frames.copy()
    for frame, mask in zip(filled, masks):
        for c in range(3):
            frame[..., c] = cv2.inpaint(np.ascontiguousarray(frame[..., c]), mask, 3, PEERS[method])
    return filled


def psnr(difference):
    return 10 * np.log10(255 ** 2 / max((difference ** 2).mean(), 1e-9)) if difference.size else float("nan")


def change(luma, where):
    return np.abs(np.diff(luma, axis=0))[where].mean() if where.any() else float("nan")


class Score:
    def __init__(self, truth, filled, masks, moving):
        truth, filled = truth[..., 0].astype(float), filled[..., 0].astype(float)
        hidden = masks > 0
        difference, passing = truth - filled, moving & hidden
        self.move = psnr(difference[passing])
        self.worst = min([psnr(d[p]) for d, p in zip(difference, passing) if p.sum() > 200], default=float("nan"))
        self.still = psnr(difference[hidden & ~moving])
        both = hidden[1:] & hidden[:-1]
        calm, busy = both & ~moving[1:] & ~moving[:-1], both & moving[1:] & moving[:-1]
        self.flicker, self.film = change(filled, calm), change(truth, calm)
        self.change = change(filled, busy) / change(truth, busy)

    def __str__(self):
        return (f"{self.move:6.2f} ({self.worst:5.2f})  still {self.still:5.2f}  flicker {self.flicker:4.2f} "
                f"(film {self.film:4.2f})  change {self.change:4.2f}")


def load_vtest():
    """Yields the frames of the poles; people pass where a frame differs from the median."""
    for column, first in POLES:
        video = cv2.VideoCapture(VTEST)
        for _ in range(first):
            video.grab()
        frames = np.stack([cv2.cvtColor(video.read()[1], cv2.COLOR_BGR2YUV) for _ in range(60)])
        masks = np.zeros(frames.shape[:3], np.uint8)
        masks[:, :, column:column + 16] = 1
        middle = np.median(frames, 0)
        moving = np.stack([cv2.blur(np.abs(f - middle).max(-1), (5, 5)) > 18 for f in frames])
        yield f"vtest {column}", frames, masks, frames, moving


def load_removal(seed):
    """Yields the removal of the fourth person of "crowd", in a box with a margin of 8 pixels;
    the truth is the scene without this person."""
    scene, truth = scenes.make("crowd", seed), scenes.make("crowd", seed, without=3)
    masks = np.zeros(scene.frames.shape[:3], np.uint8)
    for mask, hit in zip(masks, scene.people[3]):
        rows, columns = np.nonzero(hit)
        if rows.size:
            mask[max(rows.min() - 8, 0):rows.max() + 9, max(columns.min() - 8, 0):columns.max() + 9] = 1
    yield "removal", scene.frames, masks, truth.frames, truth.moving


def load(args):
    """Yields name, frames, masks, truth, and where people pass."""
    if args.vtest:
        yield from load_vtest()
    elif args.remove:
        yield from load_removal(args.seed)
    else:
        for name in args.scenes:
            scene = scenes.make(name, args.seed)
            for kind in args.masks:
                masks = np.repeat(scenes.make_masks()[kind][None], len(scene.frames), 0)
                yield f"{name} {kind}", scene.frames, masks, scene.frames, scene.moving


def write_strip(folder, name, truth, results, masks, moving):
    """Draws the surroundings of the hole in eight frames in which people pass behind it, with a
    row for each result."""
    passing = moving & (masks > 0)
    times = strips.choose_times(passing.any((1, 2)))
    rows = np.flatnonzero(passing.any((0, 2)))
    top, bottom = max(rows[0] - 16, 0), rows[-1] + 17
    width = min(96, max(64, np.flatnonzero(masks.any((0, 1))).size + 48)) if (masks == masks[:1]).all() else 96
    parts = []
    for t in times:
        middle = int(np.nonzero(masks[t])[1].mean())
        left = min(max(middle - width // 2, 0), truth.shape[2] - width)
        parts.append((t, slice(top, bottom), slice(left, left + width)))
    strips.write(folder, name, *([cv2.cvtColor(frames[part], cv2.COLOR_YUV2BGR) for part in parts]
                                 for frames in [truth, *results]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=list_of(scenes.SCENES), default=list(scenes.SCENES))
    parser.add_argument("--masks", type=list_of(scenes.make_masks()), default="pole16")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--methods", type=list_of([*ELEMENT, *PEERS, "reference", "reference5"]), default="video,telea")
    parser.add_argument("--reference")
    parser.add_argument("--vtest", action="store_true")
    parser.add_argument("--remove", action="store_true")
    parser.add_argument("--strips")
    args = parser.parse_args()
    methods, means = args.methods, {}
    for name, frames, masks, truth, moving in load(args):
        results = [fill(method, frames, masks, args.reference) for method in methods]
        for method, filled in zip(methods, results):
            score = Score(truth, filled, masks, moving)
            means.setdefault(method, []).append([score.move, score.worst, score.still, score.flicker, score.change])
            print(f"{name:16} {method:12} {score}", flush=True)
        if args.strips:
            write_strip(args.strips, name, truth, results, masks, moving)
    for method, rows in means.items():
        print(f"mean             {method:12} " + "  ".join(f"{x:.2f}" for x in np.nanmean(rows, 0)))


if __name__ == "__main__":
    main()
