# SPDX-License-Identifier: LGPL-2.1-or-later
"""Ends the program that imports it where Python or GStreamer finds no gst-mgpu, and says why."""
import sys

import gi

HELP = ("Install the package {}, or run this program in the shell that "
        "`meson devenv -C build -w .` opens.")

try:
    gi.require_version("Gst", "1.0")
    gi.require_version("GstMgpu", "1.0")
except ValueError as error:
    sys.exit(f"{error}. " + HELP.format("python3-gstmgpu-1.0"))

from gi.repository import Gst

Gst.init(None)
if Gst.Registry.get().find_plugin("mgpu") is None:
    sys.exit("GStreamer finds no plugin mgpu. " + HELP.format("gstreamer1.0-mgpu"))
