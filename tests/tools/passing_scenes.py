#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes videos of people who pass behind a mask; the truth is the video itself.

People have texture, and arms and legs that swing in step with their motion, in front of a
street. make() returns a Scene: frames (n, h, w, 3) of Y, U and V, moving (n, h, w), where
people are, street (h, w, 3), and people {number: (n, h, w)}. With the argument without, it
returns the scene without one person, which is the truth for that person's removal. Random
numbers come from numpy.random.default_rng(seed of the scene + seed), and are the same on every
machine.
"""
from typing import NamedTuple

import numpy as np

WIDTH, HEIGHT, FRAMES = 320, 240, 60


class Scene(NamedTuple):
    frames: np.ndarray
    moving: np.ndarray
    street: np.ndarray
    people: dict


def noise(rng, height, width, size):
    """Returns smooth noise with cells of this size in pixels, mean 0, and a standard deviation
    of about 1."""
    grid = rng.standard_normal((height // size + 3, width // size + 3))
    y, x = np.arange(height) / size, np.arange(width) / size
    a, b = y.astype(int), x.astype(int)
    fy, fx = (y - a)[:, None], (x - b)[None]
    fy, fx = fy * fy * (3 - 2 * fy), fx * fx * (3 - 2 * fx)
    top = (1 - fx) * grid[a][:, b] + fx * grid[a][:, b + 1]
    bottom = (1 - fx) * grid[a + 1][:, b] + fx * grid[a + 1][:, b + 1]
    return ((1 - fy) * top + fy * bottom) * 1.3


def make_street(rng):
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(float)
    street = np.zeros((HEIGHT, WIDTH, 3))
    street[..., 1:] = 128
    wall = 150 + 12 * noise(rng, HEIGHT, WIDTH, 40) + 5 * noise(rng, HEIGHT, WIDTH, 3)
    joints = (y % 12 < 1.5) | ((x + 13 * (y // 12 % 2)) % 26 < 1.5)
    street[..., 0] = wall + joints * -22.
    street[..., 1] += 4 * noise(rng, HEIGHT, WIDTH, 30)
    street[..., 2] += 8
    for _ in range(3):
        left, top = int(rng.integers(0, WIDTH - 70)), int(rng.integers(5, 60))
        street[top:top + 50, left:left + 60, 0] = 60 + 15 * noise(rng, 50, 60, 9)
        street[top:top + 50, left:left + 60, 1] = 140
        street[top:top + 3, left:left + 60, 0] = 200
        street[top:top + 50, left + 28:left + 31, 0] = 210
    ground = y > 150 + .08 * x
    pavement = 118 + 9 * noise(rng, HEIGHT, WIDTH, 25) + 7 * noise(rng, HEIGHT, WIDTH, 2)
    street[..., 0] = np.where(ground, pavement, street[..., 0])
    street[..., 2] = np.where(ground, 128, street[..., 2])
    line = np.abs(y - 190 - .25 * x + 30) < 2
    street[..., 0] = np.where(line & ground, 215, street[..., 0])
    return np.clip(street, 16, 235)


class Person:
    """A person whose feet are at column x(t) and row y; sizes are in units of the person's
    height."""

    def __init__(self, rng, x, y, height):
        self.x, self.y, self.height = x, y, height
        self.phase = rng.uniform(0, 6.28)
        self.texture = noise(rng, 128, 128, 5) * 14 + noise(rng, 128, 128, 2) * 9
        if rng.random() < .5:
            self.texture += 25 * ((np.arange(128)[:, None] // 7).astype(int) % 2)
        ranges = dict(head=((110, 190),), torso=((40, 200), (90, 166), (90, 166)),
                      leg=((35, 110), (115, 150), (110, 140)), arm=((40, 190), (100, 156), (100, 156)))
        self.colours = {name: tuple(rng.uniform(*limits) for limits in of) for name, of in ranges.items()}
        self.colours["head"] += (115, 148)

    def get_limbs(self, swing):
        """Returns the limbs from the back to the front: both ends, radius, color and position
        in the texture."""
        colours = self.colours
        far = tuple(value * .8 if i == 0 else value for i, value in enumerate(colours["leg"]))
        return [((0, .3), (-.14 * swing, .52), .028, colours["arm"], 5),
                ((0, .52), (-.17 * swing, .97), .042, far, 20),
                ((0, .52), (.17 * swing, .97), .042, colours["leg"], 40),
                ((0, .24), (0, .5), .085, colours["torso"], 60),
                ((0, .075), (0, .09), .06, colours["head"], 90),
                ((.01, .26), (.14 * swing, .52), .028, colours["arm"], 100)]

    def render(self, u, v, swing):
        """Returns color and coverage of the points (u, v)."""
        colour, cover = np.zeros(u.shape + (3,)), np.zeros(u.shape, bool)
        for (ax, ay), (bx, by), radius, base, place in self.get_limbs(swing):
            along = ((u - ax) * (bx - ax) + (v - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
            along = np.clip(along, 0, 1)
            beside = u - ax - along * (bx - ax)
            hit = beside ** 2 + (v - ay - along * (by - ay)) ** 2 < radius * radius
            row, column = (along * 60 + place).astype(int) % 128, (beside * 160 + 64).astype(int) % 128
            shade = self.texture[row, column][hit]
            colour[hit] = np.stack([base[0] + shade, base[1] + 0 * shade, base[2] + 0 * shade], -1)
            cover[hit] = True
        return colour, cover

    def draw(self, image, hit, t):
        """Draws the person of frame t with 2x2 samples per pixel, and sets hit where the person
        is."""
        x, height = self.x(t), self.height
        phase = self.phase + (self.x(t) - self.x(0)) / height * 7.
        top = self.y - height - abs(np.cos(phase)) * .012 * height
        x0, x1 = max(int(x - .4 * height), 0), min(int(x + .4 * height) + 1, WIDTH)
        y0, y1 = max(int(top) - 2, 0), min(int(self.y) + 3, HEIGHT)
        if x0 >= x1 or y0 >= y1:
            return
        total, covers = np.zeros((y1 - y0, x1 - x0, 3)), np.zeros((y1 - y0, x1 - x0))
        rows, columns = np.mgrid[y0:y1, x0:x1].astype(float)
        for dy in (-.25, .25):
            for dx in (-.25, .25):
                colour, cover = self.render((columns + dx - x) / height, (rows + dy - top) / height, np.sin(phase))
                total[cover] += colour[cover]
                covers += cover
        alpha = (covers / 4)[..., None]
        mean = total / np.maximum(covers, 1)[..., None]
        image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - alpha) + mean * alpha
        hit[y0:y1, x0:x1] |= covers > 0


def walk(x, speed):
    return lambda t: x + speed * t


def stop(x, speed, begin, n):
    """Returns a path that stands still for n frames."""
    return lambda t: x + speed * (min(t, begin) + max(0, t - begin - n))


def turn(x, speed, when):
    return lambda t: x + speed * (t if t < when else 2 * when - t)


# Seed, standard deviation of the noise, people from the back to the front: path, row of the feet,
# height
SCENES = {
    "one": (1, 2, [(walk(70, 2.6), 222, 140)]),
    "slow": (2, 2, [(walk(120, 1.1), 215, 120)]),
    "fast": (3, 2, [(walk(10, 5.3), 225, 130)]),
    "left": (4, 2, [(walk(250, -2.3), 220, 150)]),
    "meet": (5, 2, [(walk(70, 2.4), 200, 115), (walk(265, -2.9), 226, 145)]),
    "overlap": (6, 2, [(walk(60, 2.7), 205, 120), (walk(85, 2.2), 224, 140)]),
    "stops": (7, 2, [(stop(70, 2.8, 30, 15), 222, 140)]),
    "turns": (8, 2, [(turn(80, 2.6, 31), 220, 135)]),
    "crowd": (9, 2, [(walk(20, 2.5), 190, 95), (walk(240, -1.8), 200, 105), (walk(90, 1.9), 212, 120),
                     (walk(130, 2.4), 228, 140), (walk(300, -3.1), 234, 150)]),
    "atpole": (10, 2, [(stop(160, 2., 0, 20), 222, 140)]),
    "noisy": (11, 8, [(walk(75, 2.5), 222, 140), (walk(240, -2.1), 205, 110)]),
    "light": (12, 2, [(walk(75, 2.5), 222, 140)]),
}


def make_masks():
    masks = {}
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(float)
    for width in (8, 16, 24):
        masks[f"pole{width}"] = (x >= 160 - width // 2) & (x < 160 + width // 2)
    masks["bar16"] = (y >= 150) & (y < 166)
    ring = np.hypot((x - 160) / 1.6, y - 160)
    masks["logo"] = ((ring > 17) & (ring < 24)) | ((y >= 150) & (y < 170) & (x >= 150) & (x < 172))
    text = np.zeros((HEIGHT, WIDTH), bool)
    for k in range(9):
        left, row = 85 + 17 * k, (135, 147, 156)[k % 3]
        text[135:160, left:left + 4] = True
        text[row:row + 4, left:left + 12] = True
        if k % 2:
            text[135:160, left + 9:left + 13] = True
    masks["text"] = text
    masks["scratch"] = np.abs(x - 150 - .12 * y + 3 * np.sin(y / 9)) < 1.6
    return {name: mask.astype(np.uint8) for name, mask in masks.items()}


def make(name, seed=0, without=None):
    own_seed, sigma, people = SCENES[name]
    rng = np.random.default_rng(own_seed + seed)
    street = make_street(rng)
    people = [Person(rng, *person) for person in people]
    frames = np.zeros((FRAMES, HEIGHT, WIDTH, 3), np.uint8)
    hit = {k: np.zeros((FRAMES, HEIGHT, WIDTH), bool) for k in range(len(people))}
    for t in range(FRAMES):
        image = street.copy()
        for k, person in enumerate(people):
            if k != without:
                person.draw(image, hit[k][t], t)
        if name == "light":
            image[..., 0] *= 1 + .002 * t
        image += rng.standard_normal(image.shape) * sigma * np.array([1, .5, .5])
        frames[t] = np.clip(np.rint(image), 0, 255)
    return Scene(frames, np.any(list(hit.values()), 0), np.clip(np.rint(street), 0, 255).astype(np.uint8), hit)
