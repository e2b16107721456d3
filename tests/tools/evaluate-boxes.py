#!/usr/bin/python3
"""Compares boxes with the true boxes of the same frames.

    evaluate-boxes.py [--overlap IOU] [--least NAME=PERCENT,...] [--score SCORE] TRUTH BOXES

A file has lines in the format of the MOT challenge, frame,id,x,y,width,height,confidence;
further columns are ignored, confidence may be missing, and an id of -1 means that there is
none. If its name ends in .jsonl, it has the lines of mgpumetajson, whose timestamps identify
the frames. With --score, boxes of BOXES with a lower score (confidence, in CSV) are ignored.
Prints in percent:

    AP         average precision: the area under precision over recall, boxes in the order
               of their confidence
    precision  fraction of all boxes that match a true one
    recall     fraction of all true boxes that a box matches
    IDF1       F1 score of boxes with the id that fits their object best (Ristani 2016)
    MOTA       100 minus the percentages of missed boxes, wrong boxes and changed ids (Bernardin and
    Stiefelhagen 2008)

and the numbers from which these are computed. A box matches a true one if their intersection
over union is IOU or more (default 0.5). IDF1, MOTA and changes require ids in both files. With
--least the exit status is 1 if one of the named figures is lower than its limit.
"""
import argparse
import collections
import json
import sys

import numpy

NO_ID = -1


def parse_csv(line):
    """Returns the frame and a list of the one box in a line of the MOT challenge."""
    values = [float(value) for value in line.split(",")[:7]]
    row = values[1:6] + (values[6:] or [1.0])
    if len(row) != 6:
        raise ValueError("fewer than 6 columns: write frame,id,x,y,width,height,confidence")
    return int(values[0]), [row]


def parse_json(line):
    """Returns the frame and the boxes in a line of mgpumetajson."""
    values = json.loads(line)
    rows = []
    for box in values["objects"]:
        found = box["detection"]
        score = found.get("score", found["confidence"])
        rows.append([float(box.get("id", NO_ID)), *(float(box[key]) for key in "xywh"),
                     1.0 if score is None else float(score)])
    return int(values["timestamp"]), rows


def read_boxes(path, least=-float("inf")):
    """Maps each frame to an array with rows of id, x, y, width, height, and confidence or
    score, of boxes for which the last is @least or more. A frame of mgpumetajson without boxes
    is also included."""
    frames = collections.defaultdict(list)
    parse = parse_json if path.endswith(".jsonl") else parse_csv
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                frame, rows = parse(line)
            except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
                sys.exit(f"{path}:{number}: {type(error).__name__}: {error}")
            frames[frame] += [row for row in rows if row[5] >= least]
    return {frame: numpy.array(rows).reshape(-1, 6) for frame, rows in frames.items()}


def overlaps(a, b):
    """Returns the intersection over union of each box of a with each box of b."""
    left = numpy.maximum(a[:, None, 1], b[None, :, 1])
    top = numpy.maximum(a[:, None, 2], b[None, :, 2])
    right = numpy.minimum((a[:, 1] + a[:, 3])[:, None], (b[:, 1] + b[:, 3])[None])
    bottom = numpy.minimum((a[:, 2] + a[:, 4])[:, None], (b[:, 2] + b[:, 4])[None])
    both = numpy.clip(right - left, 0, None) * numpy.clip(bottom - top, 0, None)
    area = (a[:, 3] * a[:, 4])[:, None] + (b[:, 3] * b[:, 4])[None] - both
    return numpy.where(area > 0, both / numpy.maximum(area, 1e-9), 0)


def assign(gains):
    """Returns the pairs (row, column) with the largest sum of gains, all 0 or more, found by
    shortest augmenting paths."""
    n_rows, n_columns = gains.shape
    if n_rows > n_columns:
        return [(row, column) for column, row in assign(gains.T)]
    u, v = numpy.zeros(n_rows + 1), numpy.zeros(n_columns + 1)
    owner, before = numpy.zeros(n_columns + 1, int), numpy.zeros(n_columns + 1, int)
    for row in range(1, n_rows + 1):
        owner[0], column = row, 0
        least = numpy.full(n_columns + 1, numpy.inf)
        used = numpy.zeros(n_columns + 1, bool)
        while owner[column] != 0:
            used[column] = True
            costs = -gains[owner[column] - 1] - u[owner[column]] - v[1:]
            better = ~used[1:] & (costs < least[1:])
            least[1:][better] = costs[better]
            before[1:][better] = column
            free = numpy.where(used, numpy.inf, least)
            free[0] = numpy.inf
            following = int(free.argmin())
            delta = free[following]
            u[owner[used]] += delta
            v[used] -= delta
            least[~used] -= delta
            column = following
        while column != 0:
            owner[column] = owner[before[column]]
            column = before[column]
    return [(int(owner[c]) - 1, c - 1) for c in range(1, n_columns + 1)
            if owner[c] and gains[owner[c] - 1, c - 1] > 0]


def average_precision(truth, boxes, overlap):
    order = sorted(((-row[5], frame, i) for frame, rows in boxes.items()
                    for i, row in enumerate(rows)))
    taken = {frame: numpy.zeros(len(rows), bool) for frame, rows in truth.items()}
    hits = []
    for _, frame, i in order:
        hit = False
        if len(truth.get(frame, ())) > 0:
            ious = overlaps(boxes[frame][i:i + 1], truth[frame])[0]
            ious[taken[frame]] = 0
            best = int(ious.argmax())
            hit = bool(ious[best] >= overlap)
            taken[frame][best] |= hit
        hits.append(hit)
    n_true = sum(map(len, truth.values()))
    if not hits or not n_true:
        return 0
    hits = numpy.cumsum(hits)
    precision = hits / numpy.arange(1, len(hits) + 1)
    precision = numpy.maximum.accumulate(precision[::-1])[::-1]
    return float(numpy.sum(numpy.diff(numpy.concatenate([[0], hits / n_true])) * precision))


def match_frames(truth, boxes, overlap):
    """Counts hits, misses, wrong boxes and changed ids. An object keeps the box of the previous
    frame as long as the two overlap."""
    hits = misses = wrong = changes = 0
    last = {}
    none = numpy.zeros((0, 6))
    for frame in sorted(set(truth) | set(boxes)):
        a, b = truth.get(frame, none), boxes.get(frame, none)
        gains = overlaps(a, b)
        gains[gains < overlap] = 0
        kept = numpy.array([[last.get(i) == j and j != NO_ID for j in b[:, 0]] for i in a[:, 0]])
        pairs = assign(gains + 1000 * (kept.reshape(gains.shape) & (gains > 0))) if gains.size else []
        for i, j in pairs:
            old = last.get(a[i, 0])
            changes += old is not None and old != b[j, 0] and b[j, 0] != NO_ID
            last[a[i, 0]] = b[j, 0]
        hits += len(pairs)
        misses += len(a) - len(pairs)
        wrong += len(b) - len(pairs)
    return hits, misses, wrong, changes


def identity_f1(truth, boxes, overlap):
    names = [{}, {}]
    together = collections.Counter()
    for frame in set(truth) | set(boxes):
        a, b = truth.get(frame), boxes.get(frame)
        for known, rows in zip(names, (a, b)):
            for name in rows[:, 0] if rows is not None else ():
                known.setdefault(name, len(known))
        if a is None or b is None:
            continue
        for i, j in zip(*numpy.nonzero(overlaps(a, b) >= overlap)):
            together[names[0][a[i, 0]], names[1][b[j, 0]]] += 1
    gains = numpy.zeros((len(names[0]), len(names[1])))
    for pair, n in together.items():
        gains[pair] = n
    right = sum(gains[pair] for pair in assign(gains)) if gains.size else 0
    total = sum(map(len, truth.values())) + sum(map(len, boxes.values()))
    return 2 * right / total if total else 0


def has_ids(frames):
    return all((rows[:, 0] != NO_ID).all() for rows in frames.values())


def evaluate(truth, boxes, overlap=0.5):
    hits, misses, wrong, changes = match_frames(truth, boxes, overlap)
    figures = {"AP": 100 * average_precision(truth, boxes, overlap),
               "precision": 100 * hits / max(hits + wrong, 1),
               "recall": 100 * hits / max(hits + misses, 1)}
    counts = {"hits": hits, "misses": misses, "wrong": wrong}
    if has_ids(truth) and has_ids(boxes):
        figures["IDF1"] = 100 * identity_f1(truth, boxes, overlap)
        figures["MOTA"] = 100 * (1 - (misses + wrong + changes) / max(hits + misses, 1))
        counts["changes"] = changes
    return figures, counts


def parse_least(text):
    try:
        return {name: float(value) for name, value in
                (part.split("=") for part in text.split(","))}
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}: write MOTA=96,IDF1=96") from error


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--overlap", type=float, default=0.5)
    parser.add_argument("--least", type=parse_least, default={})
    parser.add_argument("--score", type=float, default=-float("inf"))
    parser.add_argument("truth")
    parser.add_argument("boxes")
    arguments = parser.parse_args()
    try:
        figures, counts = evaluate(read_boxes(arguments.truth), read_boxes(arguments.boxes, arguments.score),
                                   arguments.overlap)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; name a file that can be read")
    print(*(f"{name} {value:.2f}" for name, value in figures.items()),
          *(f"{name} {value}" for name, value in counts.items()))
    low = [name for name, value in arguments.least.items() if figures.get(name, 0) < value]
    if low:
        sys.exit("too low: " + ", ".join(f"{name}, {arguments.least[name]:g} wanted" for name in low))


if __name__ == "__main__":
    main()
