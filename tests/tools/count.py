#!/usr/bin/python3
"""Counts people before and after elements that crop, scale and rotate frames.

Tests that an application counts all objects of a frame, whatever ids their regions have, and
counts no object twice that is described in two metas.
"""
import sys

from frames import DATA, GstMgpu, map_frames


def find(elements):
    """Returns the boxes of the people in the first frames, after the given elements."""
    return map_frames(
        f"filesrc location={DATA}/vtest.avi ! decodebin ! videoconvert ! {elements}",
        lambda buffer: [(d.x, d.y, d.width, d.height)
                        for d in GstMgpu.mgpu_buffer_get_detections(buffer)])


def check(what, got, expected):
    """Ends the test if two lists of boxes differ by more than rounding."""
    flat = [[n for boxes in frames for box in boxes for n in box] for frames in (got, expected)]
    print(f"{what}: {[len(boxes) for boxes in got]} people")
    if ([len(boxes) for boxes in got] != [len(boxes) for boxes in expected]
            or any(abs(a - b) > 1 for a, b in zip(*flat))):
        sys.exit(f"{what}: {got}, expected {expected}")


def main():
    left, top, width = 200, 40, 768
    people = find("mgpuhog")
    if not all(people):
        sys.exit(f"too few people: {people}")
    check("scaled", find("mgpuhog ! videoscale ! video/x-raw,width=384,height=288"),
          [[tuple(n / 2 for n in box) for box in boxes] for boxes in people])
    check("turned", find("mgpuhog ! mgpuconvert video-direction=180"),
          [[(width - x - w, 576 - y - h, w, h) for x, y, w, h in boxes] for boxes in people])

    # Before mgpuconvert, videocrop only attaches a crop meta; otherwise it crops the frame itself.
    crop = f"video/x-raw,format=BGRx ! videocrop left={left} top={top}"
    cropped = find(f"{crop} ! mgpuhog")
    check("behind videocrop", find(f"{crop} ! mgpuconvert ! video/x-raw,format=BGRx ! mgpuhog"),
          cropped)
    if not all(cropped[:2]) or cropped == people:
        sys.exit(f"too few people: {cropped}")


main()
