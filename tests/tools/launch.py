# SPDX-License-Identifier: LGPL-2.1-or-later
"""Parts of launch lines that the tools share."""


def first_frames(n):
    """Returns the elements that pass n frames and then end the stream.

    The frame that reaches the number of eos-after is left out. A decoder that is stopped may push one more frame, from
    elsewhere in the video; the first element leaves it out.
    """
    return f"identity eos-after={n + 2} ! identity eos-after={n + 1}"
