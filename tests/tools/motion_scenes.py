# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes videos of a fixed camera, in which the moving pixels are known.

People are cut out of vtest.avi by their difference from its median, and boxes out of
photographs. They are pasted on known paths over a background; light, shadow, rain, noise and
compression are applied afterwards. Thus the truth is exact. Requires numpy, OpenCV and
opencv-doc's data. The same seed gives the same video with the same versions of both.
"""
import os

import cv2
import numpy as np

DATA = "/usr/share/doc/opencv-doc/examples/data/"
WIDTH, HEIGHT, RATE = 320, 240, 25
MARGIN = 12                     # pixels around a background, for a camera that shakes
FIRST = 100                     # frame from which things move: the background is known then

# Values of the true mask: MIXED is not judged, SHADE is background
BACKGROUND, SHADE, MIXED, THING = 0, 64, 128, 255

# Name of a scene: its background, what moves, and the effects with their strengths
SCENES = {
    "calm": ("vtest", "walkers", dict(noise=3)),
    "noise": ("vtest", "walkers", dict(noise=10)),
    "dim": ("vtest", "walkers", dict(noise=6, gain=0.35)),
    "switch": ("home.jpg", "walkers", dict(noise=4, switch=130)),
    "lamp": ("home.jpg", "walkers", dict(noise=4, lamp=130)),
    "clouds": ("vtest", "walkers", dict(noise=4, clouds=0.3)),
    "exposure": ("leuvenA.jpg", "boxes", dict(noise=4, exposure=1)),
    "shake": ("vtest", "walkers", dict(noise=4, shake=2)),
    "tree": ("tree", "walkers", dict(noise=3)),
    "shadow": ("vtest", "walkers", dict(noise=4, shadow=0.55)),
    "stopgo": ("vtest", "stops", dict(noise=4)),
    "ghost": ("vtest", "leaves", dict(noise=4)),
    "left": ("vtest", "stays", dict(noise=4)),
    "slow": ("building.jpg", "slow", dict(noise=4)),
    "rain": ("vtest", "walkers", dict(noise=4, rain=1)),
    "jpeg": ("vtest", "walkers", dict(noise=5, jpeg=1)),
    "cars": ("leuvenA.jpg", "boxes", dict(noise=4)),
    "empty-noise": ("vtest", "", dict(noise=12)),
    "empty-switch": ("home.jpg", "", dict(noise=4, switch=45)),
    "empty-lamp": ("home.jpg", "", dict(noise=4, lamp=45)),
    "empty-clouds": ("vtest", "", dict(noise=4, clouds=0.4)),
    "empty-shake": ("vtest", "", dict(noise=4, shake=2)),
    "empty-tree": ("tree", "", dict(noise=3)),
    "empty-rain": ("building.jpg", "", dict(noise=4, rain=1)),
    "empty-jpeg": ("building.jpg", "", dict(noise=5, jpeg=1)),
}


def get_missing():
    """Returns the name of a file that is missing, or None."""
    for name in ("vtest.avi", "tree.avi", "home.jpg", "leuvenA.jpg", "building.jpg", "fruits.jpg"):
        if not os.path.exists(DATA + name):
            return DATA + name
    return None


def read_video(name, most=1000000):
    video, frames = cv2.VideoCapture(DATA + name), []
    while len(frames) < most:
        ok, frame = video.read()
        if not ok:
            break
        frames.append(frame)
    return frames


class Stock:
    """Returns the median of vtest.avi, and walking steps of people in it: pairs of colors and
    opacity."""

    def __init__(self, cache):
        if not os.path.exists(cache):
            frames = read_video("vtest.avi")
            median = np.median(np.stack(frames[::12]), axis=0).astype(np.uint8)
            people = [self.cut(frames, median, t) for t in range(0, len(frames) - 8, 24)]
            people = [steps for found in people for steps in found]
            np.savez(cache, median=median, people=np.array(people))
        with np.load(cache) as kept:
            self.median, self.people = kept["median"], kept["people"]

    @staticmethod
    def find_moving(frame, median):
        """Returns where a frame differs from the median: a mask, and its connected components as
        cv2.connectedComponentsWithStats() returns them."""
        away = cv2.GaussianBlur(cv2.absdiff(frame, median).max(axis=2), (5, 5), 0) > 22
        away = cv2.morphologyEx(away.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5)))
        away = cv2.morphologyEx(away, cv2.MORPH_OPEN, np.ones((3, 3)))
        return away, *cv2.connectedComponentsWithStats(away)

    @staticmethod
    def find(frame, median):
        """Returns people who stand alone: masks, and the positions of their feet."""
        away, n, labels, stats, middles = Stock.find_moving(frame, median)
        found = []
        for i in range(1, n):
            x, y, w, h, area = stats[i]
            near = away[max(y - 4, 0):y + h + 4, max(x - 4, 0):x + w + 4].sum()
            if (1.7 < h / w < 3.6 and 55 < h < 140 and area > 0.45 * w * h and near - area <= 20
                    and 44 < middles[i][0] < frame.shape[1] - 44 and y > 6 and y + h < frame.shape[0] - 6):
                found.append((labels == i, int(round(middles[i][0])), int(y + h), area))
        return found

    def cut(self, frames, median, first):
        """Returns the steps of people during 8 frames, as BGRA images of 80x144 with the feet
        at the bottom."""
        found = [self.find(frame, median) for frame in frames[first:first + 8]]
        people = []
        for person in found[0]:
            track = [person]
            for others in found[1:]:
                near = [o for o in others if np.hypot(o[1] - track[-1][1], o[2] - track[-1][2]) < 14
                        and abs(o[3] - track[-1][3]) < 0.25 * track[-1][3]]
                if len(near) != 1:
                    break
                track.append(near[0])
            if len(track) == 8:
                people.append([self.crop(frames[first + i], *step[:3]) for i, step in enumerate(track)])
        return people

    @staticmethod
    def crop(frame, mask, x, y):
        both = np.dstack([frame, mask.astype(np.uint8) * 255])
        both = cv2.copyMakeBorder(both, 144, 4, 40, 40, cv2.BORDER_CONSTANT)
        return both[y + 4:y + 148, x:x + 80]


class Thing:
    """A moving object. place (t) gives the position of its feet and whether it walks, or None."""

    def __init__(self, steps, place, scale):
        size = (int(round(steps[0].shape[1] * scale)), int(round(steps[0].shape[0] * scale)))
        self.steps = [cv2.resize(s, size, interpolation=cv2.INTER_AREA).astype(np.float32) for s in steps]
        self.place = place

    def get_step(self, t, walks):
        k = int(t / 2.5) % 14 if walks else 0
        return self.steps[min(k if k < 8 else 14 - k, len(self.steps) - 1)]


def crossing(start, speed, y):
    """Returns the path of an object that crosses the frame."""
    def place(t):
        x = (-30 if speed > 0 else WIDTH + 30) + speed * (t - start)
        return (x, y, True) if t >= start and -40 < x < WIDTH + 40 else None
    return place


def make_box(rng):
    """Returns the picture of a box with a cabin, cut out of a photograph."""
    photograph = cv2.imread(DATA + ("fruits.jpg", "building.jpg")[int(rng.integers(2))])
    y, x = (int(rng.integers(n - size)) for n, size in zip(photograph.shape, (88, 184)))
    shape = np.zeros((88, 184), np.uint8)
    cv2.rectangle(shape, (4, 36), (180, 86), 255, -1)
    cv2.rectangle(shape, (38, 4), (146, 44), 255, -1)
    box = np.dstack([photograph[y:y + 88, x:x + 184], cv2.GaussianBlur(shape, (0, 0), 2)])
    return cv2.resize(box, (92, 44), interpolation=cv2.INTER_AREA)


def make_things(kind, rng, n, stock):
    def person(place):
        return Thing(stock.people[int(rng.integers(len(stock.people)))], place, rng.uniform(0.55, 0.85))

    def box(place):
        return Thing([make_box(rng)], place, rng.uniform(0.7, 1.2))

    def sign():
        return 1 if rng.integers(2) else -1
    things, start = [], FIRST
    while kind == "walkers" and start < n:
        things.append(person(crossing(start, sign() * rng.uniform(0.8, 2.2), HEIGHT * rng.uniform(0.45, 0.98))))
        start += int(rng.integers(30, 90))
    while kind == "boxes" and start < n:
        things.append(box(crossing(start, sign() * rng.uniform(2, 6), HEIGHT * rng.uniform(0.5, 0.95))))
        start += int(rng.integers(40, 100))
    if kind == "stops":         # for 150 frames
        def stops(t):
            x = 1.5 * (min(t - FIRST, 80) + max(t - FIRST - 230, 0))
            return (x, HEIGHT * 0.8, not 80 <= t - FIRST < 230) if t >= FIRST and x < WIDTH + 40 else None
        things = [person(stops)]
    if kind == "leaves":        # both stand when the video begins
        def walks(t):
            x = WIDTH * 0.4 + 1.4 * max(t - 120, 0)
            return (x, HEIGHT * 0.75, t > 120) if x < WIDTH + 40 else None

        def drives(t):
            x = WIDTH * 0.7 - 2.5 * max(t - 160, 0)
            return (x, HEIGHT * 0.5, True) if x > -60 else None
        things = [person(walks), box(drives)]
    if kind == "stays":
        things = [box(lambda t: (min(3 * (t - FIRST) - 40, WIDTH // 2), HEIGHT * 0.7, True) if t >= FIRST else None)]
    if kind == "slow":
        things = [person(lambda t: (WIDTH * 0.35 + 0.12 * (t - 100), HEIGHT * 0.8, True) if t >= 100 else None),
                  person(lambda t: (WIDTH * 0.8 - 0.3 * (t - 130), HEIGHT * 0.6, True) if t >= 130 else None)]
    return things


def make_backgrounds(name, stock):
    if name == "tree":          # 50 frames, forwards and backwards
        frames = read_video("tree.avi", 50)
        frames = [cv2.resize(f, (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN), interpolation=cv2.INTER_CUBIC) for f in frames]
        return frames + frames[-2:0:-1]
    picture = stock.median if name == "vtest" else cv2.imread(DATA + name)
    return [cv2.resize(picture, (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN), interpolation=cv2.INTER_AREA)]


def move(picture, x, y, border=cv2.BORDER_CONSTANT):
    matrix = np.float32([[1, 0, x], [0, 1, y]])
    return cv2.warpAffine(picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=border)


class Light:
    """Returns the light of each frame: a factor for each pixel, and an offset."""

    def __init__(self, effects, rng):
        self.effects, self.rng = effects, rng
        self.now, self.lamp, self.exposure = (1.0, 0.0), 0.0, 1.0
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        self.cone = 0.55 * np.exp(-((x / WIDTH - 0.3) / 0.35) ** 2 - ((y / HEIGHT - 0.35) / 0.45) ** 2)
        self.sky = cv2.GaussianBlur(rng.standard_normal((HEIGHT // 8 + 8, 500)).astype(np.float32), (0, 0), 9)
        self.sky /= np.abs(self.sky).max()

    def shine(self, frame, t):
        effects = self.effects
        if t and t % effects.get("switch", t + 1) == 0:
            self.now = ((1.0, 0.0), (0.6, 4.0), (0.8, -6.0), (1.25, 8.0))[int(self.rng.integers(4))]
        if "lamp" in effects:
            self.lamp += 0.7 * (t // effects["lamp"] % 2 - self.lamp)
            frame = frame * (0.8 + 1.2 * self.lamp * self.cone)[..., None]
        if "clouds" in effects:
            sky = move(cv2.resize(self.sky, None, fx=8, fy=8, interpolation=cv2.INTER_CUBIC), -2.8 * t, -8)
            frame = frame * (0.85 + effects["clouds"] * sky)[..., None]
        if "exposure" in effects:
            aim = 105 / frame.mean() * (1.25 if np.sin(t / 40) > 0 else 0.75)
            self.exposure += 0.12 * (aim - self.exposure)
            frame = frame * self.exposure
        return frame * (effects.get("gain", 1) * self.now[0]) + self.now[1]


def add_rain(frame, rng):
    drops = np.zeros((HEIGHT, WIDTH), np.float32)
    for _ in range(140):
        x, y, length = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.uniform(6, 16)
        cv2.line(drops, (int(x), int(y)), (int(x + 0.15 * length), int(y + length)), float(rng.uniform(15, 45)), 1,
                 cv2.LINE_AA)
    return frame + drops[..., None]


def add_things(frame, things, t, shift, shadow):
    """Pastes objects. Returns the frame, the opacity of all objects, where shadow falls, and
    boxes of objects."""
    solid, shade, boxes = np.zeros((HEIGHT, WIDTH), np.float32), np.ones((HEIGHT, WIDTH), np.float32), []
    dark = np.zeros((HEIGHT, WIDTH), bool)
    here = [(thing, thing.place(t)) for thing in things]
    for thing, (x, y, walks) in sorted((h for h in here if h[1]), key=lambda h: h[1][1]):
        step = thing.get_step(t, walks)
        left, top = x - step.shape[1] / 2 + shift[0], y - step.shape[0] + shift[1]
        alpha = move(step[..., 3], left, top) / 255
        if shadow:
            skewed = np.float32([[1, -0.55, left + 0.55 * step.shape[0]], [0, 0.38, y - 0.38 * step.shape[0] + shift[1]]])
            cast = cv2.GaussianBlur(cv2.warpAffine(step[..., 3] / 255, skewed, (WIDTH, HEIGHT)), (0, 0), 1.2)
            shade = np.minimum(shade, 1 - (1 - shadow) * cast)
            dark |= cast > 0.1
        frame = frame * (1 - alpha[..., None]) + move(step[..., :3], left, top, cv2.BORDER_REPLICATE) * alpha[..., None]
        shade, solid = np.maximum(shade, alpha), np.maximum(solid, alpha)
        if (alpha > 0.5).sum() >= 48:
            boxes.append(cv2.boundingRect((alpha > 0.5).astype(np.uint8)))
    return frame * shade[..., None], solid, dark, boxes


def get_truth(solid, dark):
    truth = np.where(solid > 0.5, THING, np.where(dark, SHADE, BACKGROUND)).astype(np.uint8)
    some, all_ = (solid > 0.02).astype(np.uint8), (solid > 0.98).astype(np.uint8)
    truth[cv2.dilate(some, np.ones((3, 3))) != cv2.erode(all_, np.ones((3, 3)))] = MIXED
    return truth


def make(name, n, seed, stock):
    """Yields n frames (BGR), their true masks, and the boxes of objects."""
    background, kind, effects = SCENES[name]
    rng = np.random.default_rng([seed, list(SCENES).index(name)])
    things, backgrounds = make_things(kind, rng, n, stock), make_backgrounds(background, stock)
    light, phases = Light(effects, rng), rng.uniform(0, 6, 6)
    for t in range(n):
        waves = np.sin(2 * np.pi * np.array([0.9, 2.3, 5.1, 1.1, 2.9, 4.3]) * t / RATE + phases)
        shift = effects.get("shake", 0) * np.array([waves[:3] @ (0.6, 0.3, 0.25), waves[3:] @ (0.6, 0.3, 0.25)])
        frame = backgrounds[t % len(backgrounds)].astype(np.float32)
        frame = move(frame, shift[0] - MARGIN, shift[1] - MARGIN, cv2.BORDER_REPLICATE)
        frame, solid, dark, boxes = add_things(frame, things, t, shift, effects.get("shadow"))
        frame = light.shine(frame, t)
        if "rain" in effects:
            frame = add_rain(frame, rng)
        # Brighter pixels are noisier.
        frame += (rng.standard_normal(frame.shape) * effects["noise"]
                  * (0.6 + 0.4 * np.sqrt(np.clip(frame, 0, 255) / 128)))
        frame = np.clip(np.rint(frame), 0, 255).astype(np.uint8)
        if "jpeg" in effects:
            coded = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 45 if t % 12 == 0 else 22])[1]
            frame = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        yield frame, get_truth(solid, dark), boxes
