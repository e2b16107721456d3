#!/usr/bin/python3
"""Reads an element's statistics and its context's device through the typelib.

    stats.py [DEVICE]       a device string, such as ":cpu:"
"""
import argparse
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
from gi.repository import GLib, Gst, GstMgpu

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("device", nargs="?", help="OpenCL device, such as :cpu: (default: the best)")
device = parser.parse_args().device
Gst.init(None)
try:
    context = GstMgpu.MgpuContext.new(device)
except GLib.Error as error:
    sys.exit(error.message)
pipeline = Gst.parse_launch(
    "videotestsrc num-buffers=50 ! mgpubilateral name=filter profile=true ! fakesink")
pipeline.set_context(GstMgpu.context_new_mgpu_context(context))
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(
    Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
if message.type == Gst.MessageType.ERROR:
    sys.exit(message.parse_error().gerror.message)

# stats is a dict. get_property() would return a Gst.Structure that owns its nested structures,
# such as "kernels", and would have to be kept while these are read.
stats = GstMgpu.mgpu_stats(pipeline.get_by_name("filter"))
print("device:", context.get_device_name())
print("platform:", context.get_platform_name())
kernels = stats.pop("kernels")
for name, value in stats.items():
    print(f"{name}: {value}")
for name, kernel in kernels.items():
    print(f"{name}: {kernel['launches']} launches, {kernel['device-time'] / 1e6:.1f} ms")
pipeline.set_state(Gst.State.NULL)
