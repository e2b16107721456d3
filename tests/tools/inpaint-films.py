#!/usr/bin/python3
"""Removes objects from videos whose true background is known, and measures how well mgpuinpaint
fills the holes.

    inpaint-films.py FOLDER [--scene NAME ...] [--way NAME ...] [--frames N] [--pictures FRAME]
        [--properties "NAME=VALUE ..."]

The videos are parts of opencv-doc's street video, in which people walk. What is hidden is
known, so the truth is the frames themselves or, if people are removed, the median of all
frames. Prints a table in Markdown with a row for each video and each setting of mgpuinpaint,
all measured in luma:

* PSNR of the hole in decibels, over all frames
* seam: the mean difference of neighbors of which one is in the hole and the other is not,
  minus the same mean in the truth
* texture: the sum of differences of neighbors in the hole, as a fraction of the same sum in the truth
* flicker: the mean change from frame to frame of pixels that are hidden in both, moved with
  the camera, as a fraction of the change of the pixels within 12 columns and rows of the hole
  that are visible in both; in gray levels if those do not change at all

With --pictures, FOLDER gets a PNG of eight frames from FRAME on for each video: the truth with
the hole in gray, then a row for each setting. Requires numpy, and ImageMagick for pictures.
"""
import argparse
import os
import subprocess
import sys

import numpy as np

from launch import first_frames

FILM = "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
WIDTH, HEIGHT = 768, 576
RING = 12
WAYS = {
    "exact": "mode=exact",
    "temporal": "mode=temporal",
    "background": "mode=exact background=true",
    "passing": "mode=temporal background=true",
    "camera=moves": "mode=exact background=true camera=moves",
    "passing, look-ahead=8": "mode=temporal background=true look-ahead=8",
    "background, mgpumotion": "mode=exact background=true",
}
# Elements before mgpuinpaint
BEFORE = {"background, mgpumotion": "mgpumotion ! "}


def read_film(first, n):
    """Returns the luma and chroma of n frames of the street video, from frame number first on."""
    data = subprocess.run(
        ["gst-launch-1.0", "-q", "filesrc", f"location={FILM}", "!", "decodebin", "!",
         "videoconvert", "!", "video/x-raw,format=I420", "!",
         *first_frames(first + n).split(), "!", "fdsink"], check=True, stdout=subprocess.PIPE).stdout
    frames = np.frombuffer(data, np.uint8).reshape(-1, WIDTH * HEIGHT * 3 // 2)[first:first + n]
    luma = frames[:, :WIDTH * HEIGHT].reshape(-1, HEIGHT, WIDTH)
    chroma = frames[:, WIDTH * HEIGHT:].reshape(-1, 2, HEIGHT // 2, WIDTH // 2)
    return luma, chroma


class Film:
    """Holds frames, the masks of what is hidden in each of them, and the truth for the masked
    pixels."""

    def __init__(self, luma, chroma, masks, truth=None, camera=None):
        self.luma, self.chroma, self.masks = luma, chroma, masks
        self.truth = luma if truth is None else truth
        # Position of the camera in each frame
        self.camera = camera if camera is not None else [(0, 0)] * len(luma)


def crop(luma, chroma, x, y, width, height):
    return (luma[:, y:y + height, x:x + width],
            chroma[:, :, y // 2:(y + height) // 2, x // 2:(x + width) // 2])


def hide_box(shape, x, y, width, height):
    mask = np.zeros(shape, np.uint8)
    mask[max(y, 0):max(y + height, 0), max(x, 0):max(x + width, 0)] = 255
    return mask


def still(n, at, hole):
    """Returns a part of the video with a hole that does not move."""
    luma, chroma = crop(*read_film(at[0], n), *at[1:])
    return Film(luma, chroma, [hide_box(luma.shape[1:], *hole)] * n)


def moving(n):
    """Returns the video with a hole of the size of a person that crosses it, 5 columns per
    frame."""
    luma, chroma = crop(*read_film(100, n), 300, 130, 384, 288)
    masks = [hide_box(luma.shape[1:], -60 + 5 * i, 90 + i // 4, 44, 110) for i in range(n)]
    return Film(luma, chroma, masks)


def people(n):
    """Masks boxes around everything that differs from the median of the video, from the first
    frame on."""
    everything, _ = read_film(0, 200)
    plate = np.median(everything[::8], axis=0).astype(np.uint8)
    luma, chroma = crop(*read_film(0, n), 200, 100, 448, 336)
    plate = plate[100:436, 200:648]
    masks = []
    for frame in luma:
        moves = abs(frame.astype(int) - plate) > 24
        mask = np.zeros(frame.shape, np.uint8)
        # Returns blocks of 8x8 pixels with enough difference, grown by two blocks.
        blocks = moves.reshape(42, 8, 56, 8).sum((1, 3)) >= 12
        for v, u in zip(*np.nonzero(blocks)):
            mask[max(8 * v - 16, 0):8 * v + 24, max(8 * u - 16, 0):8 * u + 24] = 255
        masks.append(mask)
    return Film(luma, chroma, masks, np.broadcast_to(plate, luma.shape))


def stops(n):
    """Freezes people for 60 frames, and masks a box where some of them stood, after they walk
    on, for n // 2 frames."""
    everything, _ = read_film(0, 200)
    plate = np.median(everything[::8], axis=0).astype(np.uint8)[60:300, 400:720]
    luma, chroma = read_film(0, 111 + n // 2)
    order = [*range(110), *[110] * 60, *range(111, 111 + n // 2)]
    luma, chroma = crop(luma[order], chroma[order], 400, 60, 320, 240)
    empty, hole = np.zeros(plate.shape, np.uint8), hide_box(plate.shape, 110, 66, 76, 90)
    return Film(luma, chroma, [empty if i < 171 else hole for i in range(len(luma))], np.broadcast_to(plate, luma.shape))


def relight(film, light):
    """Returns the video in another light: @light has a factor for each pixel of each frame."""
    def scale(luma):
        return np.stack([np.clip((a + 24.0) * f - 24 + 0.5, 0, 255).astype(np.uint8) for a, f in zip(luma, light)])

    chroma = np.stack([np.clip((c - 128.0) * f[::2, ::2] + 128.5, 0, 255).astype(np.uint8)
                       for c, f in zip(film.chroma, light)])
    return Film(scale(film.luma), chroma, film.masks, scale(film.truth))


def dim(film, first, n):
    """Returns the light of a lamp at the upper left that is dimmed over n frames from frame
    first on."""
    height, width = film.luma.shape[1:]
    y, x = np.mgrid[:height, :width]
    lamp = 1 / (1 + ((x - width / 4) ** 2 + (y - height / 4) ** 2) / (width / 2) ** 2)
    return relight(film, [1 - 0.5 * np.clip((i - first) / n, 0, 1) * lamp for i in range(len(film.luma))])


def shade(film, first, n):
    """Returns the light of a cloud that covers the left half n frames after frame first, and
    has passed after as many more frames."""
    height, width = film.luma.shape[1:]
    y, x = np.mgrid[:height, :width]

    def cover(t):
        edge = np.interp(t, [first, first + n, first + 2 * n], [-60, width / 2, -60])
        return 1 - 0.35 * np.clip((edge - x + y / 8) / 60, 0, 1)

    return relight(film, [cover(i) for i in range(len(film.luma))])


def pan(n):
    """Returns a window that moves over the video by 4 columns per frame, with a hole that also
    moves."""
    luma, chroma = read_film(100, n)
    places = [(2 * i + 60, 100 + 2 * (i // 6)) for i in range(n)]
    parts = [crop(luma[i:i + 1], chroma[i:i + 1], x, y, 320, 240) for i, (x, y) in enumerate(places)]
    luma = np.concatenate([part[0] for part in parts])
    chroma = np.concatenate([part[1] for part in parts])
    masks = [hide_box(luma.shape[1:], 20 + 4 * i, 60 + i // 3, 44, 110) for i in range(n)]
    return Film(luma, chroma, masks, camera=places)


def pan_photo(n):
    """Returns a window that moves over a photograph by 3 columns per frame, with a hole that
    also moves."""
    data = subprocess.run(
        ["gst-launch-1.0", "-q", "filesrc", "location=" + os.path.dirname(FILM) + "/aloeL.jpg",
         "!", "decodebin", "!", "videoconvert", "!", "video/x-raw,format=I420", "!", "fdsink"],
        check=True, stdout=subprocess.PIPE).stdout
    width, height = 1282, 1110
    padded = (width + 3) // 4 * 4
    luma = np.frombuffer(data, np.uint8)[:padded * height].reshape(height, padded)[:, :width]
    rest = np.frombuffer(data, np.uint8)[padded * height:]
    columns = (width // 2 + 3) // 4 * 4
    chroma = rest.reshape(2, height // 2, columns)[:, :, :width // 2]
    places = [(300 + 4 * i, 400 - 2 * (i // 5)) for i in range(n)]
    luma = np.stack([luma[y:y + 240, x:x + 320] for x, y in places])
    chroma = np.stack([chroma[:, y // 2:y // 2 + 120, x // 2:x // 2 + 160] for x, y in places])
    masks = [hide_box(luma.shape[1:], 100 - 2 * i, 70, 50, 90) for i in range(n)]
    return Film(luma, chroma, masks, camera=places)


# Settings of mgpuinpaint for a hole that does not move
STILL = ["exact", "temporal", "background", "passing", "passing, look-ahead=8"]
FILMS = {
    "sign": lambda n: still(n, (0, 260, 80, 320, 320), (160, 120, 40, 110)),
    "pole": lambda n: still(n, (60, 300, 130, 320, 320), (150, 20, 16, 260)),
    "logo": lambda n: still(n, (200, 200, 100, 320, 320), (110, 130, 80, 60)),
    "moving": moving,
    "people": people,
    "stops": stops,
    "stops, lamp": lambda n: dim(stops(n), 180, 20),
    "stops, switch": lambda n: dim(stops(n), 180, 1),
    "stops, cloud": lambda n: shade(stops(n), 180, 20),
    "people, lamp": lambda n: dim(people(n), n // 2, 20),
    "people, switch": lambda n: dim(people(n), n // 2, 1),
    "people, cloud": lambda n: shade(people(n), n // 2, n // 5),
    "pan": pan,
    "photograph": pan_photo,
}
# Settings of mgpuinpaint that are of interest for each video
WAYS_OF = {
    "sign": STILL, "pole": STILL, "logo": STILL,
    "moving": ["exact", "background", "camera=moves", "passing, look-ahead=8"],
    "people": ["background", "camera=moves", "passing, look-ahead=8"],
    "stops": ["background", "background, mgpumotion"],
    **{f"{film}, {light}": ["background", "background, mgpumotion"]
       for film in ("stops", "people") for light in ("lamp", "switch", "cloud")},
    "pan": ["exact", "background", "camera=moves"],
    "photograph": ["exact", "background", "camera=moves"],
}


def run(folder, film, properties, before):
    """Fills the holes of a video, after the elements @before. Returns the luma, and the chroma."""
    n, height, width = film.luma.shape
    names = [os.path.join(folder, name) for name in ("in.i420", "mask.gray", "out.i420")]
    with open(names[0], "wb") as file:
        for luma, chroma in zip(film.luma, film.chroma):
            file.write(luma.tobytes() + chroma.tobytes())
    with open(names[1], "wb") as file:
        for mask in film.masks:
            file.write(mask.tobytes())
    parse = f"rawvideoparse width={width} height={height} framerate=25/1 format="
    text = (f"filesrc location={names[0]} ! {parse}i420 ! queue ! {before}"
            f"mgpuinpaint name=f mask-source=pad {properties} ! filesink location={names[2]} "
            f"filesrc location={names[1]} ! {parse}gray8 ! queue ! f.mask_sink")
    subprocess.run(["gst-launch-1.0", "-q"] + text.split(), check=True)
    out = np.fromfile(names[2], np.uint8).reshape(n, width * height * 3 // 2)
    for name in names:
        os.remove(name)
    return (out[:, :width * height].reshape(n, height, width),
            out[:, width * height:].reshape(n, 2, height // 2, width // 2))


def shift(picture, x, y, empty):
    """Returns a picture moved to the left by x columns and up by y rows."""
    height, width = picture.shape
    out = np.full_like(picture, empty)
    to = out[max(-y, 0):height - max(y, 0), max(-x, 0):width - max(x, 0)]
    to[:] = picture[max(y, 0):height - max(-y, 0), max(x, 0):width - max(-x, 0)]
    return out


def grow(mask, radius):
    out = mask.copy()
    for _ in range(radius):
        out[1:] |= out[:-1].copy()
        out[:-1] |= out[1:].copy()
        out[:, 1:] |= out[:, :-1].copy()
        out[:, :-1] |= out[:, 1:].copy()
    return out


def sum_edges(picture, mask):
    """Returns sums and counts of the differences of neighbors: across the border of a mask, and
    within it."""
    sums = np.zeros(4)
    for a, b, p, q in ((picture[1:], picture[:-1], mask[1:], mask[:-1]),
                       (picture[:, 1:], picture[:, :-1], mask[:, 1:], mask[:, :-1])):
        d = abs(a - b)
        sums += d[p != q].sum(), (p != q).sum(), d[p & q].sum(), (p & q).sum()
    return sums


def measure(film, out):
    """Returns PSNR, seam, texture, flicker, and the flicker of the truth."""
    errors = n = 0
    edges, true_edges = np.zeros(4), np.zeros(4)
    changes, ring = np.zeros((2, 2)), np.zeros(2)
    last = None
    for i, picture in enumerate(out):
        picture, truth = picture.astype(int), film.truth[i].astype(int)
        mask = film.masks[i] >= 128
        errors += ((picture - truth)[mask] ** 2).sum()
        n += mask.sum()
        edges += sum_edges(picture, mask)
        true_edges += sum_edges(truth, mask)
        if last is not None:
            by = [film.camera[i][k] - film.camera[i - 1][k] for k in (0, 1)]
            before = [shift(a, *by, empty) for a, empty in zip(last, (-1, -1, True))]
            is_seen = before[0] >= 0
            both = mask & before[2] & is_seen
            around = grow(mask | before[2], RING) & ~mask & ~before[2] & is_seen
            changes[0] += abs(picture - before[0])[both].sum(), both.sum()
            changes[1] += abs(truth - before[1])[both].sum(), both.sum()
            ring += abs(picture - before[0])[around].sum(), around.sum()
        last = picture, truth, mask
    noise = ring[0] / max(ring[1], 1)
    # In a photograph nothing changes, so that the flicker is the change itself, in levels.
    noise = noise if noise > 0 else 1
    return (10 * np.log10(255 ** 2 * n / max(errors, 1)),
            edges[0] / edges[1] - true_edges[0] / true_edges[1], edges[2] / true_edges[2],
            *(changes[:, 0] / np.maximum(changes[:, 1], 1) / noise))


def write_pictures(path, film, outs, first):
    """Writes a PNG: eight frames of each of outs, and of the truth with gray holes."""
    last = min(first + 8, len(film.luma))
    parts = np.stack(film.masks[first:last]).max(0)
    where = np.nonzero(parts)
    y0, y1 = max(where[0].min() - 40, 0), min(where[0].max() + 40, parts.shape[0])
    x0, x1 = max(where[1].min() - 60, 0), min(where[1].max() + 60, parts.shape[1])
    rows = []
    holes, grey = film.luma.copy(), film.chroma.copy()
    for i in range(first, last):
        holes[i][film.masks[i] >= 128] = 128
        grey[i][:, film.masks[i][::2, ::2] >= 128] = 128
    for luma, chroma in [(film.luma, film.chroma), (holes, grey)] + outs:
        pictures = []
        for i in range(first, last):
            y = luma[i].astype(float)
            u, v = (c.repeat(2, 0).repeat(2, 1).astype(float) - 128 for c in chroma[i])
            rgb = np.stack([y + 1.4 * v, y - 0.34 * u - 0.71 * v, y + 1.77 * u], -1)
            pictures.append(np.pad(rgb[y0:y1, x0:x1], ((0, 3), (0, 3), (0, 0))))
        rows.append(np.concatenate(pictures, 1))
    sheet = np.clip(np.concatenate(rows), 0, 255).astype(np.uint8)
    subprocess.run(["convert", "-size", f"{sheet.shape[1]}x{sheet.shape[0]}", "-depth", "8",
                    "rgb:-", path], input=sheet.tobytes(), check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--scene", action="append", choices=FILMS)
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("--properties", default="")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--pictures", type=int)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    print("| film | way | PSNR | seam | texture | flicker | flicker of the truth |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in args.scene or FILMS:
        film = FILMS[name](args.frames)
        outs = []
        for way in args.way or WAYS_OF[name]:
            outs.append(run(args.folder, film, f"{WAYS[way]} {args.properties}", BEFORE.get(way, "")))
            values = measure(film, outs[-1][0])
            print(f"| {name} | {way} | {values[0]:.1f} dB | {values[1]:.2f} | {values[2]:.2f} | "
                  f"{values[3]:.2f} | {values[4]:.2f} |", flush=True)
        if args.pictures is not None:
            write_pictures(os.path.join(args.folder, name + ".png"), film, outs, args.pictures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
