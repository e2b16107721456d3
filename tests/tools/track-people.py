#!/usr/bin/python3
"""Follows generated people with mgputrack, and compares ids and counts with the true ones.

    track-people.py TRACK_BOXES FOLDER [--seed N] [PROPERTY=VALUE ...]

TRACK_BOXES is the program of this folder. 14 and 28 people are in the frame at once; files
go to FOLDER. The exit status is 1 when fewer ids or counts are right than mgputrack is
known to get right.
"""
import argparse
import os
import re
import subprocess
import sys

import people

FRAMES = 600
COLUMNS = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
LEAST = {14: "MOTA=97,IDF1=96", 28: "MOTA=93,IDF1=91"}
MOST_WRONG = 0.02
HERE = os.path.dirname(os.path.abspath(__file__))


def run(*command):
    """What the command prints; ends when it fails."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(result.stdout, end="")
    if result.returncode != 0:
        sys.exit(result.returncode)
    return result.stdout


def count_crossings(frames):
    """How often people cross each column from the left and from the right."""
    counts = {(i, way): 0 for i in range(len(COLUMNS)) for way in ("in", "out")}
    last = {}
    for truth, _ in frames:
        for name, (x, _, w, _) in truth.items():
            middle = (x + w / 2) / people.WIDTH
            for i, column in enumerate(COLUMNS):
                if name in last and (last[name] < column) != (middle < column):
                    counts[i, "out" if middle < column else "in"] += 1
            last[name] = middle
    return counts


def compare_counts(frames, output):
    """Returns (crossings, wrong ones)."""
    true = count_crossings(frames)
    wrong = 0
    for (i, way), n in true.items():
        found = re.search(rf"c{i}-{way}=\(guint64\)(\d+)", output)
        wrong += abs(int(found.group(1)) - n)
    return sum(true.values()), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("track_boxes")
    parser.add_argument("folder")
    parser.add_argument("properties", nargs="*")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    # Lines from the bottom to the top: to their right is "in".
    lines = ";".join(f"c{i}:{x},1,{x},0" for i, x in enumerate(COLUMNS))
    crossings = wrong = 0
    for n, least in LEAST.items():
        frames = list(people.make(n, FRAMES, arguments.seed))
        people.write_all(frames, arguments.folder)
        truth, found, boxes, last = (os.path.join(arguments.folder, name + ".csv") for name in
                                     ("truth", "detections", "boxes", "last-box"))
        print(f"{n} people:")
        counts = run(arguments.track_boxes, str(people.WIDTH), str(people.HEIGHT), str(FRAMES),
                     found, boxes, "lines=" + lines, *arguments.properties)
        evaluate = os.path.join(HERE, "evaluate-boxes.py")
        print("last box: ", end="", flush=True)
        run(sys.executable, evaluate, truth, last)
        print("mgputrack: ", end="", flush=True)
        run(sys.executable, evaluate, "--least", least, truth, boxes)
        new = compare_counts(frames, counts)
        crossings, wrong = crossings + new[0], wrong + new[1]
    print(f"{crossings} crossings, {wrong} counted wrongly")
    if wrong > MOST_WRONG * crossings:
        sys.exit("too many are counted wrongly")


if __name__ == "__main__":
    main()
