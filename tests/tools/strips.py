# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes pictures for people to look at: eight frames of a video, side by side, with a row for
each method of processing them."""
import os

import cv2
import numpy as np

N = 8


def choose_times(wanted):
    """Returns eight frame numbers, evenly distributed over those for which wanted is true."""
    times = np.flatnonzero(wanted)
    return times[np.linspace(0, len(times) - 1, N).astype(int)]


def draw_boxes(frame, *boxes):
    """Returns a BGR copy of a gray or BGR frame with boxes (left, top, width, height), one
    color for each list of boxes."""
    frame = frame.copy() if frame.ndim == 3 else cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR)
    for color, some in zip(((255, 255, 255), (0, 0, 255)), boxes):
        for box in some:
            x, y, w, h = (int(round(v)) for v in box)
            cv2.rectangle(frame, (x, y), (x + w - 1, y + h - 1), color)
    return frame


def write(folder, name, *rows):
    """Writes FOLDER/NAME.png; a row is a list of eight pictures of gray levels or BGR."""
    os.makedirs(folder, exist_ok=True)
    rows = [np.hstack([np.clip(np.rint(f), 0, 255).astype(np.uint8) for f in row]) for row in rows]
    rows = [row if row.ndim == 3 else cv2.cvtColor(row, cv2.COLOR_GRAY2BGR) for row in rows]
    cv2.imwrite(os.path.join(folder, name.replace(" ", "-") + ".png"), np.vstack(rows))
