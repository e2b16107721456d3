#!/usr/bin/python3
"""Reads the statistics of an element in Python as a dict, which is a copy."""
from frames import Gst, GstMgpu

N_FRAMES = 5


def main():
    pipeline = Gst.parse_launch(
        f"videotestsrc num-buffers={N_FRAMES} ! video/x-raw,format=GRAY8,width=64,height=48 ! "
        "mgpuhisteq name=filter profile=true ! mgpudownload ! fakesink sync=false")
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE,
                                          Gst.MessageType.EOS | Gst.MessageType.ERROR)
    element = pipeline.get_by_name("filter")
    # Reads through a copy, because the result of get_property() is freed before its inner
    # structures are read.
    for _ in range(50):
        kernel = GstMgpu.mgpu_stats(element)["kernels"]["histeq_apply"]
        assert kernel["launches"] == N_FRAMES and kernel["device-time"] > 0, kernel

    structure, stats = element.get_property("stats"), GstMgpu.mgpu_stats(element)
    pipeline.set_state(Gst.State.NULL)
    assert list(stats) == [structure.nth_field_name(i) for i in range(structure.n_fields())]
    kernels = stats.pop("kernels")
    assert stats == {name: structure.get_value(name) for name in stats}
    assert stats["frames"] == N_FRAMES
    lent = structure.get_value("kernels")
    assert set(kernels) == {lent.nth_field_name(i) for i in range(lent.n_fields())}
    for name, kernel in kernels.items():
        assert kernel.keys() == {"launches", "device-time"}, (name, kernel)
        assert all(type(number) is int for number in kernel.values()), (name, kernel)

    # Without "profile", the statistics contain no structure of kernel times.
    element.set_property("profile", False)
    pipeline.set_state(Gst.State.PAUSED)
    assert "kernels" not in GstMgpu.mgpu_stats(element)
    pipeline.set_state(Gst.State.NULL)
    print(f"{len(stats)} counters, {len(kernels)} kernels")


main()
