# SPDX-License-Identifier: LGPL-2.1-or-later
"""Defines parts of launch lines that the tools share."""


def first_frames(n):
    """Returns the elements that pass n frames and then end the stream.

    Leaves out one more frame, because the frame that reaches the number of eos-after is
    dropped. A decoder that is stopped may push one more frame, from another part of the video;
    the first element drops it.
    """
    return f"identity eos-after={n + 2} ! identity eos-after={n + 1}"
