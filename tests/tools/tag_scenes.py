# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws scenes with tags whose corners and poses are known.

A scene has up to 14 tags in front of a photograph, seen by a pinhole camera. Each kind of scene
varies one property, the level: from scene to scene, or, for size, tilt and occlusion, from tag
to tag. Pixels are means of 5 x 5 samples. The center of the first pixel is (0.5, 0.5). Corners
are listed clockwise, beginning with the upper left one of the tag. The same seed, kind and
number of a scene give the same bytes with the same version of NumPy.

Requires NumPy. The cells of tags are drawn by libapriltag or OpenCV; backgrounds are
opencv-doc's photographs, or random clouds if OpenCV is missing.
"""
import ctypes
import glob

import numpy as np

# The level (the property that varies) of each kind of scene, and the limits of the bins in which
# its results are listed
KINDS = {
    "size": ("side in pixels", (12, 16, 20, 32, 200)),
    "tilt": ("degrees", (0, 45, 60, 70, 80)),
    "blur": ("sigma of a Gaussian in pixels", (.5, 1.5, 2, 3, 4)),
    "motion": ("pixels that the frame moves while it is exposed", (1, 4, 7, 10, 16)),
    "noise": ("sigma", (0, 20, 30, 40)),
    "light": ("percent of the brightness where it is darkest; with a hard shadow", (8, 100)),
    "rolling": ("percent by which rows differ under flickering lamps", (10, 40, 70, 90)),
    "occlusion": ("percent of a side of the border that are covered", (5, 15, 25, 40)),
    "contrast": ("difference of black and white", (10, 20, 30, 50, 80)),
    "clutter": ("dark things around the margin of a cell; no level", (0, 1)),
}
SQUARE = np.array([[-.5, -.5, 0], [.5, -.5, 0], [.5, .5, 0], [-.5, .5, 0]])
PHOTOGRAPHS = "/usr/share/doc/opencv-doc/examples/data"
MAX_TAGS = 14


# ---- Cells of tags -------------------------------------------------------------------------------------

class Image(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int32), ("height", ctypes.c_int32), ("stride", ctypes.c_int32),
                ("data", ctypes.POINTER(ctypes.c_uint8))]


class Family(ctypes.Structure):
    """apriltag_family_t of AprilTag 3."""
    _fields_ = [("n_codes", ctypes.c_uint32), ("codes", ctypes.c_void_p), ("border", ctypes.c_int),
                ("width", ctypes.c_int)]


def load_apriltag():
    """Returns: AprilTag's library, or None."""
    try:
        library = ctypes.CDLL("libapriltag.so.3")
    except OSError:
        return None
    library.apriltag_to_image.restype = ctypes.POINTER(Image)
    library.apriltag_to_image.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    return library


def make_family(library, name):
    create = getattr(library, name + "_create")
    create.restype = ctypes.c_void_p
    return create()


def find_dictionary(name):
    """Returns: a dictionary of OpenCV, for "tag36h11", "tagAruco4x4_50" or "tagArucoOriginal"."""
    from cv2 import aruco
    if name.startswith("tagAruco"):
        name = name[len("tagAruco"):].replace("x", "X").replace("Original", "ARUCO_ORIGINAL")
        name = name.replace("MIP36h12", "ARUCO_MIP_36h12")
    else:
        name = name.replace("tag", "APRILTAG_")
    get = getattr(aruco, "getPredefinedDictionary", None) or aruco.Dictionary_get
    return get(getattr(aruco, "DICT_" + name))


class Drawings:
    """Provides the cells of tags, 1 for white."""

    def __init__(self):
        self.apriltag = load_apriltag()
        self.kept = {}

    def count(self, family):
        if self.apriltag is not None and not family.startswith("tagAruco"):
            return Family.from_address(make_family(self.apriltag, family)).n_codes
        return find_dictionary(family).bytesList.shape[0]

    def draw(self, family, number):
        """Returns: the cells, and the number of them that lie beyond each side of the border."""
        if (family, number) not in self.kept:
            aruco = self.apriltag is None or family.startswith("tagAruco")
            self.kept[family, number] = (self.draw_aruco if aruco else self.draw_apriltag)(family, number)
        return self.kept[family, number]

    def draw_apriltag(self, family, number):
        made = make_family(self.apriltag, family)
        image = self.apriltag.apriltag_to_image(made, number).contents
        rows = [image.data[y * image.stride:y * image.stride + image.width] for y in range(image.height)]
        beyond = (image.width - Family.from_address(made).border) // 2
        return (np.array(rows) > 127).astype(np.uint8), beyond

    @staticmethod
    def draw_aruco(family, number):
        from cv2 import aruco
        book = find_dictionary(family)
        n = book.markerSize + 2
        draw = getattr(aruco, "generateImageMarker", None) or aruco.drawMarker
        cells = draw(book, number, 8 * n)[4::8, 4::8] > 127
        return np.pad(cells.astype(np.uint8), 1, constant_values=1), 1


# ---- Parts of a scene ----------------------------------------------------------------------------------

def turn(axis, angle):
    """Returns: the matrix of a rotation about an axis (Rodrigues)."""
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def make_pose(random, at, size, tilt, focal, center):
    """Returns: rotation and position of a tag of side 1 that is seen at @at, and would have a
    side of @size pixels without its tilt (in degrees)."""
    ray = np.array([*(np.array(at) - center) / focal, 1])
    z = ray / np.linalg.norm(ray)
    x = np.cross([0, 1, 0], z)
    x /= np.linalg.norm(x)
    direction = random.uniform(0, 2 * np.pi)
    lean = turn(np.array([np.cos(direction), np.sin(direction), 0]), np.radians(tilt))
    spin = turn(np.array([0, 0, 1]), random.uniform(-np.pi, np.pi))
    return np.stack([x, np.cross(z, x), z], 1) @ lean @ spin, ray * focal / size


def blur(image, sigma):
    radius = int(4 * sigma + 1)
    weights = np.exp(-np.arange(-radius, radius + 1) ** 2 / (2 * sigma * sigma))
    weights /= weights.sum()
    for axis in (0, 1):
        n = image.shape[axis]
        wide = np.pad(image, [(radius, radius) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        image = sum(w * np.take(wide, range(i, i + n), axis) for i, w in enumerate(weights))
    return image


def list_photographs():
    """Returns the files of opencv-doc's photographs, none of which shows a tag."""
    return sorted(glob.glob(PHOTOGRAPHS + "/*.jpg") + glob.glob(PHOTOGRAPHS + "/*.png"))


def make_background(random, width, height):
    files = list_photographs()
    try:
        import cv2
        picture = cv2.imread(files[random.integers(len(files))], cv2.IMREAD_GRAYSCALE).astype(float)
    except (ImportError, ValueError):
        clouds = [blur(random.standard_normal((height // s + 2, width // s + 2)), 1).repeat(s, 0).repeat(s, 1)
                  [:height, :width] * s for s in (4, 16, 64)]
        return np.clip(120 + 1.5 * sum(clouds), 0, 255)
    picture = np.tile(picture, (-(-height // picture.shape[0]), -(-width // picture.shape[1])))
    y, x = random.integers(picture.shape[0] - height + 1), random.integers(picture.shape[1] - width + 1)
    return picture[y:y + height, x:x + width].copy()


def project(points, rotation, place, focal, center):
    points = points @ rotation.T + place
    return points[:, :2] / points[:, 2:] * focal + center


def paste(image, drawing, pose, camera, colors, cover, samples=5):
    """Draws a tag. cover: None, or what hides a part of it: side, begin and end (as fractions
    of the side), depth in cells, and gray value"""
    (cells, beyond), (rotation, place), (focal, center) = drawing, pose, camera
    n = len(cells)
    border = n - 2 * beyond
    corners = project(SQUARE * (n / border), rotation, place, focal, center)
    left, top = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, image.shape[::-1])
    matrix = np.array([[focal, 0, center[0]], [0, focal, center[1]], [0, 0, 1]])
    inverse = np.linalg.inv(matrix @ np.stack([rotation[:, 0], rotation[:, 1], place], 1))
    x, y = np.meshgrid(left + (np.arange((right - left) * samples) + .5) / samples,
                       top + (np.arange((bottom - top) * samples) + .5) / samples)
    u, v, w = (inverse[i, 0] * x + inverse[i, 1] * y + inverse[i, 2] for i in range(3))
    u, v = (u / w + .5) * border + beyond, (v / w + .5) * border + beyond
    column, row = (np.clip(t, 0, n - 1).astype(int) for t in (u, v))
    values = np.where(cells[row, column] > 0, colors[1], colors[0]).astype(float)
    if cover is not None:
        side, begin, end, depth, value = cover
        inwards = (v, n - u, n - v, u)[side] - beyond
        along = (u, v, u, v)[side] - beyond
        values[(inwards < depth) & (along > begin * border) & (along < end * border)] = value
    behind = image[top:bottom, left:right].repeat(samples, 0).repeat(samples, 1)
    values = np.where((u >= 0) & (v >= 0) & (u < n) & (v < n), values, behind)
    image[top:bottom, left:right] = values.reshape(bottom - top, samples, right - left, samples).mean((1, 3))


def light(random, image, least):
    height, width = image.shape
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    a, b = random.uniform(0, 2 * np.pi, 2)
    image = image * (least + (1 - least) * np.clip((np.cos(a) * x + np.sin(a) * y + 1) / 2, 0, 1))
    image[np.cos(b) * x + np.sin(b) * y > random.uniform(-.3, .3)] *= .55
    return image


def move(random, image, length):
    """Returns: @image with the blur of a motion by @length pixels during the exposure."""
    height, width = image.shape
    angle, radius = random.uniform(0, np.pi), 18
    wide = np.pad(image, radius, mode="edge")
    total = np.zeros_like(image)
    for step in (np.arange(33) + .5) / 33 - .5:
        x, y = length * step * np.cos(angle) + radius, length * step * np.sin(angle) + radius
        i, j, f, g = int(x), int(y), x % 1, y % 1
        rows = [(1 - f) * wide[k:k + height, i:i + width] + f * wide[k:k + height, i + 1:i + 1 + width]
                for k in (j, j + 1)]
        total += (1 - g) * rows[0] + g * rows[1]
    return total / 33


def expose(random, kind, level, image):
    """Applies the effects on the whole scene, up to the noise of the camera."""
    if kind == "light":
        image = light(random, image, level / 100)
    elif kind == "rolling":
        phase = 2 * np.pi * np.arange(len(image)) / random.uniform(20, 240) + random.uniform(0, 6)
        image = image * (1 - level / 200 + level / 200 * np.sin(phase))[:, None]
    elif kind == "motion":
        image = move(random, image, level)
    image = blur(image, level if kind == "blur" else .6)
    return image + random.standard_normal(image.shape) * (level if kind == "noise" else 2)


# ---- Scenes --------------------------------------------------------------------------------------------

class Scenes:
    """@families: names, as the property "families" has them. @n: number of scenes of each kind"""

    def __init__(self, families, n, seed, width=640, height=480):
        self.families, self.n, self.seed, self.width, self.height = families, n, seed, width, height
        self.drawings = Drawings()
        self.counts = [self.drawings.count(family) for family in families]
        self.focal, self.center = .9375 * width, np.array([width / 2, height / 2])

    def make_tag(self, random, kind, level, image, taken):
        """Adds a tag to @image, if there is room. Returns: its true values, or None."""
        size = np.exp(random.uniform(*np.log((12, 200) if kind == "size" else (28, 90))))
        tilt = (80 if kind == "tilt" else 40) * random.uniform()
        which = random.integers(len(self.families))
        number = int(random.integers(self.counts[which]))
        cells, beyond = self.drawings.draw(self.families[which], number)
        radius = size * len(cells) / (len(cells) - 2 * beyond) * .75 + 6
        if 2 * radius > self.height:
            return None
        at = random.uniform(radius, self.width - radius), random.uniform(radius, self.height - radius)
        if any(np.hypot(at[0] - x, at[1] - y) < radius + r for x, y, r in taken):
            return None
        taken.append((*at, radius))
        pose = make_pose(random, at, size, tilt, self.focal, self.center)
        colors = random.uniform(10, 50), random.uniform(190, 245)
        if kind == "contrast":
            black = random.uniform(40, 200 - level)
            colors = black, black + level
        cover = None
        if kind == "occlusion":
            level = random.uniform(5, 40)
            begin = random.uniform(-.05, 1.05 - level / 100)
            cover = (int(random.integers(4)), begin, begin + level / 100, random.uniform(.5, 1.4),
                     random.uniform(*((180, 250), (5, 60))[random.integers(2)]))
        paste(image, (cells, beyond), pose, (self.focal, self.center), colors, cover)
        return {"family": self.families[which], "id": number, "rotation": pose[0], "position": pose[1],
                "level": {"size": size, "tilt": tilt}.get(kind, level),
                "corners": project(SQUARE, *pose, self.focal, self.center)}

    def make(self, kind, number):
        """Returns: the pixels of a scene, and its tags."""
        random = np.random.default_rng([self.seed, list(KINDS).index(kind), number])
        low, high = KINDS[kind][1][0], KINDS[kind][1][-1]
        level = low + (high - low) * (number + .5) / self.n
        image = make_background(random, self.width, self.height)
        if kind == "clutter":
            image = np.clip(image / 2 + random.standard_normal(image.shape) * 10, 0, 255)
        tags, taken = [], []
        for _ in range(400):
            tag = self.make_tag(random, kind, level, image, taken) if len(tags) < MAX_TAGS else None
            if tag is not None:
                tags.append(tag)
        image = expose(random, kind, level, image)
        return np.clip(np.rint(image), 0, 255).astype(np.uint8), tags
