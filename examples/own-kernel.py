#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts the bright pixels of each frame, by a kernel of this script that runs on the device.

Uses pyopencl if it is installed, and otherwise ctypes.

    own-kernel.py [--ctypes] [THRESHOLD]     0 to 255, default 128
"""
import argparse
import ctypes
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstMgpu, GstVideo

SOURCE = """
kernel void count (global const uchar *frame, uint offset, int stride, int width, int height,
    int threshold, global int *count)
{
  int x = get_global_id (0), y = get_global_id (1);

  if (x < width && y < height && frame[offset + y * stride + x] > threshold)
    atomic_inc (count);
}
"""


class WithPyopencl:
    """Counts the pixels with pyopencl, which is passed the OpenCL handles of libgstmgpu as
    integers."""

    def __init__(self, context):
        import numpy
        import pyopencl

        self.cl, self.numpy = pyopencl, numpy
        self.context = pyopencl.Context.from_int_ptr(context.get_cl_context())
        device = pyopencl.Device.from_int_ptr(context.get_cl_device())
        self.queue = pyopencl.CommandQueue(self.context, device)
        self.kernel = pyopencl.Program(self.context, SOURCE).build().count

    def count(self, mem, offset, stride, width, height, threshold):
        result = self.numpy.zeros(1, "i4")
        flags = self.cl.mem_flags.READ_WRITE | self.cl.mem_flags.COPY_HOST_PTR
        count = self.cl.Buffer(self.context, flags, hostbuf=result)
        numbers = self.numpy.array([offset, stride, width, height, threshold], "i4")
        self.kernel(self.queue, (width, height), None, self.cl.Buffer.from_int_ptr(mem),
                    *numbers, count)
        self.cl.enqueue_copy(self.queue, result, count)
        return int(result[0])


class WithCtypes:
    """Counts the pixels by calling OpenCL directly, through ctypes."""

    def __init__(self, context):
        self.cl = ctypes.CDLL("libOpenCL.so.1")
        for name in ("clCreateCommandQueue", "clCreateProgramWithSource", "clCreateKernel",
                     "clCreateBuffer"):
            getattr(self.cl, name).restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(context.get_cl_context())
        device = ctypes.c_void_p(context.get_cl_device())
        self.queue = self.make("clCreateCommandQueue", self.context, device, ctypes.c_uint64(0))
        text = ctypes.c_char_p(SOURCE.encode())
        program = self.make("clCreateProgramWithSource", self.context, 1, ctypes.byref(text), None)
        self.call("clBuildProgram", program, 1, ctypes.byref(device), None, None, None)
        self.kernel = self.make("clCreateKernel", program, b"count")
        self.result = self.make("clCreateBuffer", self.context, ctypes.c_uint64(1), ctypes.c_size_t(4),
                                None)

    def call(self, name, *arguments):
        code = getattr(self.cl, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name}: {GstMgpu.mgpu_cl_error_name(code)}")

    def make(self, name, *arguments):
        code = ctypes.c_int32()
        handle = getattr(self.cl, name)(*arguments, ctypes.byref(code))
        if code.value != 0:
            raise RuntimeError(f"{name}: {GstMgpu.mgpu_cl_error_name(code.value)}")
        return ctypes.c_void_p(handle)

    def count(self, mem, offset, stride, width, height, threshold):
        count = ctypes.c_int32(0)
        size = (ctypes.c_size_t * 2)(width, height)
        values = [ctypes.c_void_p(mem), ctypes.c_uint32(offset), *map(ctypes.c_int32, (
            stride, width, height, threshold)), self.result]
        self.call("clEnqueueWriteBuffer", self.queue, self.result, 1, ctypes.c_size_t(0),
                  ctypes.c_size_t(4), ctypes.byref(count), 0, None, None)
        for i, value in enumerate(values):
            self.call("clSetKernelArg", self.kernel, i, ctypes.c_size_t(ctypes.sizeof(value)),
                      ctypes.byref(value))
        self.call("clEnqueueNDRangeKernel", self.queue, self.kernel, 2, None, size, None, 0, None,
                  None)
        self.call("clEnqueueReadBuffer", self.queue, self.result, 1, ctypes.c_size_t(0),
                  ctypes.c_size_t(4), ctypes.byref(count), 0, None, None)
        return count.value


def make_counter(context, only_ctypes):
    if not only_ctypes:
        try:
            return WithPyopencl(context)
        except ImportError:
            pass
    return WithCtypes(context)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("threshold", type=int, nargs="?", default=128,
                        help="brighter pixels are counted (default: 128)")
    parser.add_argument("--ctypes", action="store_true",
                        help="use OpenCL's functions themselves, also where pyopencl is installed")
    arguments = parser.parse_args()
    Gst.init(None)
    context = GstMgpu.MgpuContext.new(None)
    counter = make_counter(context, arguments.ctypes)
    counts = []

    def count_frame(_, info):
        buffer = info.get_buffer()
        memory, video = buffer.peek_memory(0), GstVideo.buffer_get_video_meta(buffer)
        mem = GstMgpu.mgpu_memory_map_cl(memory, Gst.MapFlags.READ)
        assert mem is not None, "this frame is not on the device"
        counts.append(counter.count(mem, video.offset[0], video.stride[0], video.width, video.height,
                                    arguments.threshold))
        GstMgpu.mgpu_memory_unmap_cl(memory, Gst.MapFlags.READ)
        return Gst.PadProbeReturn.OK

    pipeline = Gst.parse_launch(
        "videotestsrc num-buffers=10 pattern=ball ! video/x-raw,format=I420,width=320,height=240 ! "
        "mgpublur name=blur sigma=4 ! fakesink")
    pipeline.set_context(GstMgpu.context_new_mgpu_context(context))
    pipeline.get_by_name("blur").get_static_pad("src").add_probe(
        Gst.PadProbeType.BUFFER, count_frame)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message)
    for i, n in enumerate(counts):
        print(f"frame {i}: {n} bright pixels")


main()
