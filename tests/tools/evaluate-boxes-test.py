#!/usr/bin/python3
"""Compares the figures of evaluate-boxes.py with figures that were computed by hand.

    evaluate-boxes-test.py FOLDER

Two objects exist in three frames. Frame 1 has boxes of both, frame 2 a box of one of them and
no wrong box, and frame 3 boxes of both with their ids exchanged. The files are written to
FOLDER.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TRUTH = [(frame, name, 100 * name, 50, 20, 40, 1) for frame in (1, 2, 3) for name in (1, 2)]
BOXES = [(1, 7, 101, 50, 20, 40, 0.9), (1, 8, 200, 52, 20, 40, 0.8), (2, 7, 100, 50, 20, 40, 0.7),
         (2, 9, 300, 50, 20, 40, 0.6), (3, 8, 100, 50, 20, 40, 0.5), (3, 7, 200, 50, 20, 40, 0.4)]
# Sorted by confidence, all boxes but the fourth are right: precision is 1 up to recall 3/6, then
# 4/5 and 5/6, of which the better one counts for both.
AP = 100 * (3 + 2 * 5 / 6) / 6
# Object 1 has id 7 twice and object 2 has id 8 once, or each has one: 3 of 6 boxes in both files.
FIGURES = {"AP": AP, "precision": 500 / 6, "recall": 500 / 6, "IDF1": 50, "MOTA": 100 * (1 - 4 / 6),
           "hits": 5, "misses": 1, "wrong": 1, "changes": 2}
BEST = {"AP": 50, "precision": 100, "recall": 50, "hits": 3, "misses": 3, "wrong": 0}


def write_csv(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        for row in rows:
            print(*row, sep=",", file=out)


def write_json(path, rows):
    frames = sorted({row[0] for row in rows})
    with open(path, "w", encoding="utf-8") as out:
        for frame in frames:
            objects = [{"x": x, "y": y, "w": w, "h": h, "id": name, "detection": {
                "confidence": 0.5, "score": score}} for at, name, x, y, w, h, score in rows
                if at == frame]
            print(json.dumps({"version": 1, "timestamp": frame, "objects": objects}), file=out)


def check(truth, boxes, wanted, *options):
    command = [sys.executable, "-B", os.path.join(HERE, "evaluate-boxes.py"), *options, truth, boxes]
    words = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    found = dict(zip(words[::2], map(float, words[1::2])))
    for name, value in wanted.items():
        if abs(found[name] - value) > 0.006:
            sys.exit(f"{' '.join(command)}: {name} is {found[name]}, and {value:.2f} by hand")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for kind, write in ("csv", write_csv), ("jsonl", write_json):
        truth, boxes = (os.path.join(folder, f"{name}.{kind}") for name in ("truth", "boxes"))
        write(truth, TRUTH)
        write(boxes, BOXES)
        check(truth, boxes, FIGURES)
        check(truth, boxes, BEST, "--score", "0.7")
        check(truth, truth, {"AP": 100, "IDF1": 100, "MOTA": 100})


if __name__ == "__main__":
    main()
