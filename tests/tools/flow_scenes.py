#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes pairs and videos of frames whose motion is known exactly, for tests of optical flow.

A scene is a stack of layers. A layer is a photograph (its texture, mirrored beyond its edges),
a shape (its alpha; None: everywhere) and a pose for each time t: the 3x3 matrix from positions
in the texture to positions in the frame. A frame is rendered with 3x3 samples per pixel, each
interpolated bilinearly in the texture, and layers are blended from the back to the front. Thus
all frames of a scene are resampled in the same way, and none of them is the source of another.

The truth for each pixel (with its center at whole numbers) of the frame at time a, for a time
b, is: the front layer whose alpha is at least 1/2, its position in the texture, and the
position of this texture point at time b. The pixel is hidden if that position is outside of the
frame or another layer is in front there. `edge` is the distance in pixels, at most 16, to the
nearest pixel that belongs to another layer.

Random numbers come from numpy.random.default_rng (seed), PCG64, and are the same on every
machine. Requires numpy and Pillow. Photographs are in opencv-doc and python3-skimage (set
FLOW_PHOTOS to other folders, separated by ":").

        flow-scenes.py --out DIR [--set homography,layers,...]   writes a.png b.png truth.npz of each
        (save as flow_scenes.py) from flow_scenes import scenes
        for s in scenes ("layers"): s.a, s.b, s.flow (from a to b, on a's pixels), s.hidden, s.edge

For tests of programs that use flow there are functions: `people` (videos with true boxes),
`Camera` (a pan that shakes by sines of 1.5 to 9 Hz, also with rolling shutter, noise 2), `pan`
and `slowed` (videos to which noise is added).

Sets (640x480, uint8 luma):
    homography  12 pairs, corners of the frame moved by up to 24 pixels each
    subpixel    12 pairs, shifts of less than a pixel in x and y
    layers      12 pairs, 3 to 7 shapes moving up to 20 pixels over a background that moves up to 8
    small        8 pairs, 12 shapes of 10 to 40 pixels that move 6 to 24 pixels over a slow background
    bright       8 pairs of `layers` (other seeds), b = gain a + offset, 0.75 to 1.3 and -20 to 20, and a slope
                              of up to 20 % across the frame
    noise        8 pairs of `layers` (other seeds), Gaussian noise of 8 in both frames
    film         6 films of 6 frames of `layers`, constant speeds: for starts from the field before
    motorcycle   the stereo pair of skimage: flow = -disparity (no truth where it is not finite)
"""
import argparse, os, sys
import numpy as np
from PIL import Image

from names import list_of

FOLDERS = os.environ.get("FLOW_PHOTOS", "/usr/share/doc/opencv-doc/examples/data:"
    "/usr/lib/python3/dist-packages/skimage/data").split(":")
PHOTOS = ["aloeL.jpg", "fruits.jpg", "building.jpg", "graf1.png", "home.jpg", "leuvenA.jpg", "starry_night.jpg",
    "board.jpg", "baboon.jpg", "messi5.jpg", "astronaut.png", "coffee.png", "chelsea.png", "rocket.jpg", "butterfly.jpg",
    "ela_original.jpg"]

def find(name):
    for f in FOLDERS:
        if os.path.exists(os.path.join(f, name)):
            return os.path.join(f, name)
    raise FileNotFoundError(name + " in " + ":".join(FOLDERS))

_cache = {}
def photo(name):
    """Returns the luma (BT.601) of a photograph, float32, 0 to 255."""
    if name not in _cache:
        rgb = np.asarray(Image.open(find(name)).convert("RGB"), dtype=np.float32)
        _cache[name] = rgb @ np.float32([0.299, 0.587, 0.114])
    return _cache[name]

def mirrored(i, n):
    i = np.mod(i, 2 * n - 2)
    return np.where(i >= n, 2 * n - 2 - i, i)

def sample(image, x, y, outside=None):
    """Returns bilinear samples; beyond the edges mirrored, or `outside` if it is given."""
    h, w = image.shape
    i, j = np.floor(x).astype(np.int32), np.floor(y).astype(np.int32)
    f, g = (x - i).astype(np.float32), (y - j).astype(np.float32)
    i0, i1, j0, j1 = mirrored(i, w), mirrored(i + 1, w), mirrored(j, h), mirrored(j + 1, h)
    flat = image.ravel()
    top = flat[j0 * w + i0] * (1 - f) + flat[j0 * w + i1] * f
    low = flat[j1 * w + i0] * (1 - f) + flat[j1 * w + i1] * f
    v = top * (1 - g) + low * g
    if outside is not None:
        v = np.where((i < 0) | (j < 0) | (i >= w - 1) | (j >= h - 1), np.float32(outside), v)
    return v

def through(m, x, y):
    w = m[2, 0] * x + m[2, 1] * y + m[2, 2]
    return (m[0, 0] * x + m[0, 1] * y + m[0, 2]) / w, (m[1, 0] * x + m[1, 1] * y + m[1, 2]) / w

class Layer:
    def __init__(self, texture, alpha, pose):
        self.texture, self.alpha, self.pose = texture, alpha, pose

    def at(self, t, x, y, image):
        u, v = through(np.linalg.inv(self.pose(t)), x, y)
        return sample(image, u, v, None if image is self.texture else 0)

    def bounds(self, t):
        h, w = self.alpha.shape
        x, y = through(self.pose(t), np.array([0, w, w, 0.0]), np.array([0, 0, h, h * 1.0]))
        return x.min() - 1, y.min() - 1, x.max() + 1, y.max() + 1

    def box(self, t, width, height):
        if self.alpha is None:
            return np.s_[:, :]
        x0, y0, x1, y1 = self.bounds(t)
        return np.s_[max(int(y0), 0):max(int(y1) + 2, 0), max(int(x0), 0):max(int(x1) + 2, 0)]

def shift(x, y):
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])

def turn(angle, zoom):
    c, s = zoom * np.cos(angle), zoom * np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])

def corners_moved(width, height, moves):
    """Returns the homography that moves the corners (0,0) (w,0) (w,h) (0,h) by the rows of
    moves."""
    p = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    q = p + moves
    a, b = [], []
    for (x, y), (u, v) in zip(p, q):
        a += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        b += [u, v]
    return np.append(np.linalg.solve(np.array(a), np.array(b)), 1).reshape(3, 3)

def blob(rng, size):
    """Returns a shape: alpha of a closed curve of random radii, with a border that is soft over
    half a pixel."""
    n = 2 * size + 9
    y, x = np.mgrid[:n, :n].astype(np.float32) - n // 2
    r, a = np.hypot(x, y), np.arctan2(y, x)
    limit = np.full_like(r, 0.72 * size)
    for k in range(2, 6):
        limit += size * rng.uniform(0, 0.28 / k) * np.cos(k * a + rng.uniform(0, 6.28)).astype(np.float32)
    return np.clip(limit - r + 0.5, 0, 1)

class Scene:
    def __init__(self, name, layers, width=640, height=480):
        self.name, self.layers, self.width, self.height = name, layers, width, height
        self.gain, self.offset, self.slope, self.noise, self.seed = 1, 0, 0, 0, 0

    def render(self, t, part=3):
        w, h = self.width, self.height
        y, x = np.mgrid[:h, :w].astype(np.float64)
        total = np.zeros((h, w), np.float32)
        boxes = [layer.box(t, w, h) for layer in self.layers]
        for j in range(part):
            for i in range(part):
                sx, sy = x + (i - (part - 1) / 2) / part, y + (j - (part - 1) / 2) / part
                v = np.zeros((h, w), np.float32)
                for layer, b in zip(self.layers, boxes):
                    s = layer.at(t, sx[b], sy[b], layer.texture)
                    v[b] += (1 if layer.alpha is None else layer.at(t, sx[b], sy[b], layer.alpha)) * (s - v[b])
                total += v
        return total / (part * part)

    def front(self, t, x, y):
        n = np.zeros(x.shape, np.int32)
        for k, layer in enumerate(self.layers):
            if layer.alpha is not None:
                x0, y0, x1, y1 = layer.bounds(t)
                near = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
                n[near] = np.where(layer.at(t, x[near], y[near], layer.alpha) >= 0.5, k, n[near])
        return n

    def truth(self, a, b):
        w, h = self.width, self.height
        y, x = np.mgrid[:h, :w].astype(np.float64)
        n = self.front(a, x, y)
        u, v = np.zeros((h, w)), np.zeros((h, w))
        for k, layer in enumerate(self.layers):
            m = layer.pose(b) @ np.linalg.inv(layer.pose(a))
            px, py = through(m, x, y)
            u, v = np.where(n == k, px, u), np.where(n == k, py, v)
        hidden = (u < 0) | (v < 0) | (u > w - 1) | (v > h - 1) | (self.front(b, u, v) != n)
        return np.stack([u - x, v - y], -1).astype(np.float32), hidden, edges(n)

    def frame(self, t, lit=False):
        """Returns the frame at time t as bytes; lit: with gain, offset and slope (for frame b)."""
        v = self.render(t)
        if lit:
            s = np.linspace(-1, 1, self.width, dtype=np.float32)[None, :] * self.slope
            v = (v * (1 + s)) * self.gain + self.offset
        if self.noise:
            v = v + np.random.default_rng([self.seed, int(round(t * 64)), 77]).normal(0, self.noise, v.shape)
        return np.clip(np.rint(v), 0, 255).astype(np.uint8)

    def pair(self, a=0, b=1):
        self.a, self.b = self.frame(a), self.frame(b, True)
        self.flow, self.hidden, self.edge = self.truth(a, b)
        return self

def edges(n):
    d = np.full(n.shape, 16, np.int32)
    e = np.zeros(n.shape, bool)
    e[:, 1:] |= n[:, 1:] != n[:, :-1]; e[:, :-1] |= n[:, 1:] != n[:, :-1]
    e[1:] |= n[1:] != n[:-1]; e[:-1] |= n[1:] != n[:-1]
    for k in range(16):
        d[e & (d == 16)] = k
        g = e.copy()
        g[:, 1:] |= e[:, :-1]; g[:, :-1] |= e[:, 1:]; g[1:] |= e[:-1]; g[:-1] |= e[1:]
        e = g
    return d

def back(rng, name, width, height, corner):
    tex = photo(name)
    base = shift(-rng.uniform(0, max(1, tex.shape[1] - width)), -rng.uniform(0, max(1, tex.shape[0] - height)))
    move = rng.uniform(-corner, corner, (4, 2))
    return Layer(tex, None, lambda t: corners_moved(width, height, move * t) @ base)

def piece(rng, width, height, size, speed):
    tex = photo(PHOTOS[rng.integers(len(PHOTOS))])
    alpha, n = blob(rng, size), 2 * size + 9
    i, j = rng.integers(0, max(1, tex.shape[1] - n)), rng.integers(0, max(1, tex.shape[0] - n))
    cut = np.ascontiguousarray(tex[j:j + n, i:i + n])
    if cut.shape != (n, n):
        cut = np.pad(cut, ((0, n - cut.shape[0]), (0, n - cut.shape[1])), mode="wrap")
    cut = np.clip(cut * rng.uniform(0.8, 1.2) + rng.uniform(-25, 25), 0, 255).astype(np.float32)
    cx, cy = rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height
    angle, s = rng.uniform(0, 6.28), rng.uniform(*speed)
    spin, zoom = rng.uniform(-0.05, 0.05), rng.uniform(0.97, 1.03)
    return Layer(cut, alpha, lambda t: shift(cx + s * np.cos(angle) * t, cy + s * np.sin(angle) * t)
        @ turn(spin * t, zoom ** t) @ shift(-(n // 2), -(n // 2)))

def layered(kind, seed, width=640, height=480):
    rng = np.random.default_rng([seed, len(kind)])
    name = PHOTOS[seed % len(PHOTOS)]
    if kind == "small":
        stack = [back(rng, name, width, height, 3)] + [piece(rng, width, height, int(rng.integers(6, 21)), (6, 24))
            for _ in range(12)]
    else:
        stack = [back(rng, name, width, height, 8)] + [piece(rng, width, height, int(rng.integers(40, 131)), (0, 20))
            for _ in range(rng.integers(3, 8))]
    s = Scene("%s-%d" % (kind, seed), stack, width, height)
    s.seed = seed
    if kind == "bright":
        s.gain, s.offset, s.slope = rng.uniform(0.75, 1.3), rng.uniform(-20, 20), rng.uniform(-0.2, 0.2)
    if kind == "noise":
        s.noise = 8
    return s

def scene(kind, seed, width=640, height=480):
    if kind == "homography":
        rng = np.random.default_rng([seed, 10])
        return Scene("homography-%d" % seed, [back(rng, PHOTOS[seed % len(PHOTOS)], width, height, 24)], width, height)
    if kind == "subpixel":
        rng = np.random.default_rng([seed, 8])
        layer = back(rng, PHOTOS[seed % len(PHOTOS)], width, height, 0)
        base, move = layer.pose(0), rng.uniform(-1, 1, 2)
        layer.pose = lambda t: shift(*(move * t)) @ base
        return Scene("subpixel-%d" % seed, [layer], width, height)
    return layered(kind, seed, width, height)

SETS = {"homography": range(12), "subpixel": range(12), "layers": range(12), "small": range(20, 28),
    "bright": range(40, 48), "noise": range(60, 68), "film": range(80, 86)}

class Motorcycle:
    name = "motorcycle"
    def __init__(self):
        self.a = np.rint(photo("motorcycle_left.png")).astype(np.uint8)
        self.b = np.rint(photo("motorcycle_right.png")).astype(np.uint8)
        d = np.load(find("motorcycle_disp.npz"))["arr_0"].astype(np.float32)
        ok = np.isfinite(d) & (d > 0)
        self.flow = np.stack([np.where(ok, -d, 0), np.zeros_like(d)], -1)
        x = np.arange(d.shape[1])[None, :] + self.flow[..., 0]
        self.hidden = ~ok | (x < 0)
        self.edge = np.full(d.shape, 16, np.int32)

def scenes(kind, width=640, height=480):
    """Yields the scenes of a set. Scenes of `film` have no frames yet: call frame() and
    truth()."""
    if kind == "motorcycle":
        yield Motorcycle()
        return
    for seed in SETS[kind]:
        s = scene(kind, seed, width, height)
        yield s if kind == "film" else s.pair()

class Camera:
    """A camera that pans over a photograph and shakes by 7 pixels, 0.5 degrees and 0.6 %.
    read_out: fraction of the frame interval in which its rows are read; the middle row is read
    at time t."""
    def __init__(self, name, seed, read_out=0, width=640, height=480, amplitude=7.0):
        self.texture, self.read_out, self.width, self.height, self.amplitude, self.seed = (photo(name), read_out, width,
            height, amplitude, seed)
        rng = np.random.default_rng([seed, 5])
        self.f, self.p = rng.uniform(1.5, 9, (3, 3)), rng.uniform(0, 6.28, (3, 3))

    def pose(self, tau):
        """Returns x, y, angle and zoom at times tau (in frames; 30 per second)."""
        g = lambda k: sum(np.sin(2 * np.pi * self.f[k, i] * tau / 30 + self.p[k, i]) for i in range(3)) * np.sqrt(2 / 3)
        return (100 + 4.0 * tau + self.amplitude * g(0), 120 + tau + self.amplitude * g(1), np.deg2rad(0.5) * g(2),
            1 + 0.006 * np.sin(2 * np.pi * 2.2 * tau / 30 + 1))

    def world(self, p, t):
        """Returns the positions in the photograph of positions p (n x 2) of frame t."""
        tx, ty, a, z = self.pose(t + self.read_out * (p[:, 1] / self.height - 0.5))
        cx, cy = p[:, 0] - (self.width - 1) / 2, p[:, 1] - (self.height - 1) / 2
        return np.stack([(np.cos(a) * cx - np.sin(a) * cy) * z + tx + (self.width - 1) / 2,
            (np.sin(a) * cx + np.cos(a) * cy) * z + ty + (self.height - 1) / 2], 1)

    def move(self, p, t, u):
        """Returns the positions in frame u of what is at positions p of frame t."""
        w, q = self.world(p, t), np.array(p, float)
        for _ in range(30):
            q = q - (self.world(q, u) - w) * 0.9
        return q

    def frame(self, t, noise=2, part=2):
        y, x = np.mgrid[:self.height, :self.width].astype(np.float64)
        total = 0
        for j in range(part):
            for i in range(part):
                p = np.stack([x + (i - (part - 1) / 2) / part, y + (j - (part - 1) / 2) / part], -1).reshape(-1, 2)
                w = self.world(p, t)
                total = total + sample(self.texture, w[:, 0], w[:, 1]).reshape(x.shape)
        v = total / (part * part) + np.random.default_rng([t, self.seed]).normal(0, noise, x.shape)
        return np.clip(np.rint(v), 0, 255).astype(np.uint8)

def people(seed, count=10, frames=26, shake=0, width=640, height=480):
    """Returns frames, and for each frame the boxes (x, y, width, height) of upright ellipses
    that weave in front of building.jpg; the camera shakes by `shake` pixels."""
    rng = np.random.default_rng([seed, 99])
    wave = lambda t: (shake * np.sin(1.1 * t), shake * np.cos(0.9 * t))
    stack = [Layer(photo("building.jpg"), None, lambda t: shift(-30 + wave(t)[0], -30 + wave(t)[1]))]
    paths = []
    for _ in range(count):
        w = int(rng.integers(14, 24)); h = int(w * 2.6)
        tex = photo(PHOTOS[rng.integers(len(PHOTOS))])
        i, j = rng.integers(0, tex.shape[1] - w - 4), rng.integers(0, tex.shape[0] - h - 4)
        y, x = np.mgrid[:h + 4, :w + 4]
        alpha = (np.hypot((x - w / 2 - 1.5) / (w / 2), (y - h / 2 - 1.5) / (h / 2)) < 1.08).astype(np.float32)
        px, py = rng.uniform(40, width - 60), rng.uniform(40, height - 100)
        v, phase, f, a = rng.uniform(-4, 4, 2) * [1, 0.5], rng.uniform(0, 6.28), rng.uniform(0.15, 0.4), rng.uniform(0, 6)
        at = lambda t, px=px, py=py, v=v, phase=phase, f=f, a=a: (px + v[0] * t + a * np.sin(f * t + phase) + wave(t)[0],
            py + v[1] * t + a * 0.5 * np.cos(f * t) + wave(t)[1])
        stack.append(Layer(np.ascontiguousarray(tex[j:j + h + 4, i:i + w + 4]), alpha, lambda t, at=at: shift(*at(t))))
        paths.append((at, w + 4, h + 4))
    s = Scene("people-%d" % seed, stack, width, height)
    return [s.frame(t) for t in range(frames)], [[at(t) + (w, h) for at, w, h in paths] for t in range(frames)]

def pan(name, x, y, frames=10):
    """Returns frames without noise, float32, of a pan by x, y pixels per frame."""
    s = Scene("pan", [Layer(photo(name), None, lambda t: shift(-60 - x * t, -60 - y * t))])
    return [s.render(t, 2) for t in range(frames)]

def slowed(seed, frames=10, speed=0.4):
    """Returns frames without noise of a video of the set `film`, slowed down."""
    s = scene("film", seed)
    for layer in s.layers:
        layer.pose = lambda t, pose=layer.pose: pose(t * speed)
    return [s.render(t, 2) for t in range(frames)]

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", required=True); p.add_argument("--set", type=list_of([*SETS, "motorcycle"]), default="homography,subpixel,layers,small,bright,noise,motorcycle")
    p.add_argument("--size", default="640x480")
    a = p.parse_args()
    w, h = map(int, a.size.split("x"))
    for kind in a.set:
        for s in scenes(kind, w, h):
            d = os.path.join(a.out, s.name); os.makedirs(d, exist_ok=True)
            if kind == "film":
                for t in range(6):
                    Image.fromarray(s.frame(t)).save(os.path.join(d, "%d.png" % t))
                    if t:
                        f, hid, e = s.truth(t, t - 1)
                        np.savez_compressed(os.path.join(d, "truth%d.npz" % t), flow=f, hidden=hid, edge=e)
                continue
            Image.fromarray(s.a).save(os.path.join(d, "a.png")); Image.fromarray(s.b).save(os.path.join(d, "b.png"))
            np.savez_compressed(os.path.join(d, "truth.npz"), flow=s.flow, hidden=s.hidden, edge=s.edge)
            print(s.name, "largest motion %.1f, hidden %.1f %%" % (np.abs(s.flow).max(), 100 * s.hidden.mean()), flush=True)

if __name__ == "__main__":
    main()
