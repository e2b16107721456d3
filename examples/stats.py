#!/usr/bin/python3
"""Reads an element's statistics and its context's device through the typelib.

    stats.py [DEVICE]       a device string, such as ":cpu:"
"""
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
from gi.repository import Gst, GstMgpu

Gst.init(None)
context = GstMgpu.MgpuContext.new(sys.argv[1] if len(sys.argv) > 1 else None)
pipeline = Gst.parse_launch(
    "videotestsrc num-buffers=50 ! mgpubilateral name=filter ! fakesink")
pipeline.set_context(GstMgpu.context_new_mgpu_context(context))
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(
    Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
if message.type == Gst.MessageType.ERROR:
    sys.exit(message.parse_error().gerror.message)

stats = pipeline.get_by_name("filter").get_property("stats")
print("device:", context.get_device_name())
print("platform:", context.get_platform_name())
for i in range(stats.n_fields()):
    name = stats.nth_field_name(i)
    print(f"{name}: {stats.get_value(name)}")
pipeline.set_state(Gst.State.NULL)
