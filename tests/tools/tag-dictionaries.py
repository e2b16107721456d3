#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the tables of gst/vision/tags with the codes of the families of tags.

    tests/tools/tag-dictionaries.py FOLDER OUT

FOLDER is the source of AprilTag 3 (https://github.com/AprilRobotics/apriltag, commit
1c21707aa7304121a2529a71f8e512f6542f35d0). Its tables of ArUco codes come from OpenCV's
predefined_dictionaries.hpp, and are written to a separate file, because they have another
license.

A file is a sequence of families. A family is: length of the name, name; numbers of bits and of
the minimum distance between two codes; width in cells within the border and of the whole tag;
whether the border is white (1) or black (0); four bytes with the number of codes, the lowest
first; x and y of each bit, from the first bit of a code, in cells from the upper left cell of
the border; then the codes. A code is the previous code (at first 0) plus d times 982451653,
modulo 2 to the number of bits; d is written in groups of 7 bits, the lowest first, each but the
last plus 128. The multiplier is the one that AprilTag's search for codes uses, so that d is
small for the large families.
"""
import pathlib
import re
import struct
import sys

STEP = 982451653

# Lists only the minimum distance of the whole dictionary; dictionary.c has those of the first 50,
# 100, 250 and 1000 codes.
WHOLE = re.compile(r"tag(?!Aruco)|tagAruco\dx\d_1000|tagAruco_?MIP")


def read(path):
    """Returns the family in a C file of AprilTag."""
    text = path.read_text()

    def number(key):
        return int(re.search(rf"->{key} = (\d+);", text)[1])

    def bits(axis):
        return [int(v) for _, v in sorted(
            (int(i), v) for i, v in re.findall(rf"bit_{axis}\[(\d+)\] = (-?\d+)", text))]

    return {
        "name": path.stem,
        "n_bits": number("nbits"), "distance": number("h"),
        "border": number("width_at_border"), "width": number("total_width"),
        "white": "reversed_border = true" in text,
        "bits": list(zip(bits("x"), bits("y"))),
        "codes": [int(code, 16) for code in re.findall(r"0x([0-9a-f]+)UL", text)]}


def make_original(layout):
    """Returns ArUco's first family: each row of 5 cells has two bits of the id."""
    rows = (0b10000, 0b10111, 0b01001, 0b01110)
    codes = []
    for i in range(1024):
        cells = [rows[i >> 8 - 2 * y & 3] for y in range(5)]
        code = 0
        for x, y in layout["bits"]:
            code = code << 1 | cells[y - 1] >> 5 - x & 1
        codes.append(code)
    return dict(layout, name="tagArucoOriginal", distance=0, codes=codes)


def turn(code, bits, back):
    """Returns the code of the tag after a rotation by 90 degrees."""
    n = len(bits)
    return sum((code >> n - 1 - back[i] & 1) << n - 1 - i for i in range(n))


def measure(family):
    """Returns the minimum distance between two codes in any orientation, except between a code
    and itself unrotated."""
    bits = family["bits"]
    place = {b: i for i, b in enumerate(bits)}
    last = family["border"] - 1
    back = [place[last - y, x] for x, y in bits]
    least = family["n_bits"]
    turned = list(enumerate(family["codes"]))
    for r in range(1, 4):
        turned = [(i, turn(c, bits, back)) for i, c in turned]
        for i, c in turned:
            for j, d in enumerate(family["codes"]):
                least = min(least, bin(c ^ d).count("1"))
    for i, c in enumerate(family["codes"]):
        for d in family["codes"][i + 1:]:
            least = min(least, bin(c ^ d).count("1"))
    return least


def pack(family):
    name = family["name"].encode()
    n = family["n_bits"]
    assert len(family["bits"]) == n and max(family["codes"]) < 1 << n
    out = bytearray([len(name)]) + name
    out += struct.pack("<BBBBBI", n, family["distance"], family["border"], family["width"],
                       family["white"], len(family["codes"]))
    for x, y in family["bits"]:
        out += struct.pack("bb", x, y)
    inverse = pow(STEP, -1, 1 << n)
    last = 0
    for code in family["codes"]:
        d = (code - last) * inverse % (1 << n)
        last = code
        while d > 127:
            out.append(d & 127 | 128)
            d >>= 7
        out.append(d)
    return out


def main():
    folder, out = map(pathlib.Path, sys.argv[1:])
    april = [read(p) for p in sorted(folder.glob("tag*.c"))]
    aruco = [read(p) for p in sorted(folder.glob("aruco/tag*.c")) if WHOLE.match(p.stem)]
    aruco.append(make_original(next(f for f in aruco if f["n_bits"] == 25)))
    for family in aruco:
        family["distance"] = measure(family)
        print(family["name"], family["distance"])
    (out / "apriltag.bin").write_bytes(b"".join(map(pack, april)))
    (out / "aruco.bin").write_bytes(b"".join(map(pack, aruco)))


if __name__ == "__main__":
    main()
