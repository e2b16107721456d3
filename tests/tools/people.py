#!/usr/bin/python3
"""Simulates people who walk through a scene, and the boxes that a detector would find.

    people.py [--people N] [--frames N] [--seed N] [--folder FOLDER]

Writes truth.csv and detections.csv, in the format of the MOT challenge. last-box.csv tracks the
detections by their overlap with the last box, for comparison.
"""
import argparse
import os
import random

WIDTH, HEIGHT = 1280, 720
HORIZON = 250


class Person:
    """A person who walks from one side towards the other, at a pace that changes, and swerves."""

    def __init__(self, dice, name, inside):
        self.dice, self.name = dice, name
        self.foot = dice.uniform(HORIZON + 90, HEIGHT - 10)
        self.size = dice.uniform(0.85, 1.15)
        self.shape = dice.uniform(0.34, 0.46)
        self.way = dice.choice((-1, 1))
        self.pace = dice.uniform(0.018, 0.038)
        self.dx, self.dy = self.way * self.pace, dice.gauss(0, 0.003)
        self.x = dice.uniform(0, WIDTH) if inside else WIDTH / 2 - self.way * WIDTH * 0.53

    def height(self):
        return self.size * 0.36 * (self.foot - HORIZON + 40)

    def step(self):
        self.dx += 0.05 * (self.way * self.pace - self.dx) + self.dice.gauss(0, 0.0009)
        self.dy += -0.04 * self.dy + self.dice.gauss(0, 0.0005)
        self.x += self.dx * self.height()
        self.foot += self.dy * self.height()
        if not HORIZON + 80 < self.foot < HEIGHT:
            self.foot -= 2 * self.dy * self.height()
            self.dy = -self.dy

    def box(self):
        height = self.height()
        return self.x - self.shape * height / 2, self.foot - height, self.shape * height, height

    def is_gone(self):
        return self.way * (self.x - WIDTH / 2) > 0.55 * WIDTH


def covered(box, others):
    """Returns the fraction of a box that people in front of it hide, by a grid of points."""
    x, y, w, h = box
    hidden = 0
    for i in range(8):
        for j in range(8):
            px, py = x + (i + 0.5) * w / 8, y + (j + 0.5) * h / 8
            hidden += any(a <= px < a + c and b <= py < b + d for a, b, c, d in others)
    return hidden / 64


def detect(dice, box, hidden):
    """Returns what a detector finds of a person: (box, confidence), or None."""
    if dice.random() < 0.05 + max(0, hidden - 0.4) * 2.2:
        return None
    x, y, w, h = box
    noise = 0.018 * h * (1 + hidden)
    x, y = x + dice.gauss(0, noise), y + dice.gauss(0, noise)
    w, h = w * (1 + dice.gauss(0, 0.04)), h * (1 + dice.gauss(0, 0.03))
    return (x, y, w, h), min(max(0.85 - 0.7 * hidden + dice.gauss(0, 0.1), 0.05), 1)


def imagine(dice):
    """A detection of nobody."""
    height = dice.uniform(50, 180)
    return ((dice.uniform(0, WIDTH - 60), dice.uniform(100, HEIGHT - height), 0.4 * height, height),
            dice.uniform(0.1, 0.65))


def make(n_people, n_frames, seed):
    """Yields for each frame the true boxes, {name: box}, and the detections."""
    dice, detector = random.Random(seed), random.Random(f"detector {seed}")
    people = [Person(dice, i + 1, True) for i in range(n_people)]
    n_names = n_people
    for _ in range(n_frames):
        for i, person in enumerate(people):
            person.step()
            if person.is_gone():
                n_names += 1
                people[i] = Person(dice, n_names, False)
        truth, detections = {}, []
        for person in people:
            box = person.box()
            if not 0 <= person.x < WIDTH:
                continue
            truth[person.name] = box
            hidden = covered(box, [p.box() for p in people if p.foot > person.foot])
            found = detect(detector, box, hidden)
            if found is not None:
                detections.append(found)
        while detector.random() < 0.15:
            detections.append(imagine(detector))
        detector.shuffle(detections)
        yield truth, detections


def overlap(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(w, 0) * max(h, 0)
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def follow_last_boxes(frames):
    """Yields rows for each frame; the pair with the most overlap is chosen first."""
    tracks, n_ids = [], 0
    for _, detections in frames:
        boxes = [d for d in detections if d[1] >= 0.4]
        pairs = sorted((-overlap(t[1], box), i, j) for i, t in enumerate(tracks)
                       for j, (box, _) in enumerate(boxes))
        found = {}
        for gain, i, j in pairs:
            if -gain >= 0.3 and i not in found and j not in found.values():
                found[i] = j
        for i, t in enumerate(tracks):
            t[2] = 0 if i in found else t[2] + 1
            if i in found:
                t[1] = boxes[found[i]][0]
        for j in set(range(len(boxes))) - set(found.values()):
            n_ids += 1
            found[len(tracks)] = j
            tracks.append([n_ids, boxes[j][0], 0])
        yield [(tracks[i][0], *boxes[j][0], boxes[j][1]) for i, j in found.items()]
        tracks = [t for t in tracks if t[2] <= 5]


def write(path, frames):
    with open(path, "w", encoding="utf-8") as out:
        for i, rows in enumerate(frames, 1):
            for row in rows:
                print(i, *(f"{value:.7g}" for value in row), sep=",", file=out)


def write_all(frames, folder):
    write(os.path.join(folder, "truth.csv"),
          [[(name, *box, 1) for name, box in truth.items()] for truth, _ in frames])
    write(os.path.join(folder, "detections.csv"),
          [[(-1, *box, confidence) for box, confidence in found] for _, found in frames])
    write(os.path.join(folder, "last-box.csv"), follow_last_boxes(frames))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=14)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default=".")
    arguments = parser.parse_args()
    write_all(list(make(arguments.people, arguments.frames, arguments.seed)), arguments.folder)


if __name__ == "__main__":
    main()
