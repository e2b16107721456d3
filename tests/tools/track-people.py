#!/usr/bin/python3
"""Tracks simulated people with mgputrack, and compares ids and counts with the true ones.

    track-people.py TRACK_BOXES FOLDER [--seeds N,...] [--last-box] [PROPERTY=VALUE ...]

TRACK_BOXES is the program track-boxes of this folder. 14 and 28 people are in the frame at a
time, on other paths with each seed; files are written to FOLDER. Prints all figures; with
--last-box also those of tracking each box by its overlap with the last one. The exit status is
1 if fewer ids or counts are right, in the mean over the seeds, than mgputrack is known to get
right.
"""
import argparse
import os
import re
import subprocess
import sys

import people
from names import numbers

COLUMNS = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
LEAST = {14: {"MOTA": 96.5, "IDF1": 95}, 28: {"MOTA": 95.5, "IDF1": 95.5}}
FRAMES = 600
MOST_WRONG = 8 / 397
HERE = os.path.dirname(os.path.abspath(__file__))


def run(*command):
    """Returns the output of the command; ends the program if the command fails."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(result.stdout, end="")
    if result.returncode != 0:
        sys.exit(result.returncode)
    return result.stdout


def count_crossings(frames):
    """Returns how often people cross each column from the left and from the right."""
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


def follow(arguments, n, seed):
    """Returns the figures of n people: {name: percent}, number of crossings, and number of
    wrong ones."""
    frames = list(people.make(n, FRAMES, seed))
    people.write_all(frames, arguments.folder)
    truth, found, boxes, last = (os.path.join(arguments.folder, name + ".csv") for name in
                                 ("truth", "detections", "boxes", "last-box"))
    # Counting lines from the bottom to the top: "in" is to their right.
    lines = ";".join(f"c{i}:{x},1,{x},0" for i, x in enumerate(COLUMNS))
    print(f"{n} people, seed {seed}:")
    counts = run(arguments.track_boxes, str(people.WIDTH), str(people.HEIGHT),
                 str(FRAMES), found, boxes, "lines=" + lines, *arguments.properties)
    evaluate = os.path.join(HERE, "evaluate-boxes.py")
    if arguments.last_box:
        print("last box: ", end="", flush=True)
        run(sys.executable, evaluate, truth, last)
    print("mgputrack: ", end="", flush=True)
    output = run(sys.executable, evaluate, truth, boxes)
    figures = {name: float(re.search(rf"\b{name} (\S+)", output).group(1)) for name in LEAST[n]}
    return figures, *compare_counts(frames, counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=numbers, default=[1, 2, 3])
    parser.add_argument("--last-box", action="store_true")
    parser.add_argument("track_boxes")
    parser.add_argument("folder")
    parser.add_argument("properties", nargs="*")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    results = {n: [follow(arguments, n, seed) for seed in arguments.seeds] for n in LEAST}
    failures = []
    for n, least in LEAST.items():
        for name, percent in least.items():
            mean = sum(figures[name] for figures, _, _ in results[n]) / len(results[n])
            print(f"{n} people, mean of {len(results[n])} seeds: {name} {mean:.2f}")
            if mean < percent:
                failures.append(f"{name} of {n} people is below {percent}")
    crossings, wrong = (sum(result[i] for n in LEAST for result in results[n]) for i in (1, 2))
    print(f"{crossings} crossings, {wrong} counted wrongly")
    if wrong > MOST_WRONG * crossings:
        failures.append("too many crossings are counted wrongly")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
