"""Helps tests in Python to read the first frames of a pipeline.

Ends the test as skipped if Python does not find GStreamer and gst-mgpu.
"""
import sys

try:
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstMgpu", "1.0")
    from gi.repository import Gst, GstMgpu
except (ImportError, ValueError) as error:
    print(f"skipped: {error}; install python3-gi and gir1.2-gstreamer-1.0, and configure with "
          "-Dintrospection=enabled")
    sys.exit(77)

DATA = "/usr/share/doc/opencv-doc/examples/data"
N_FRAMES = 3

Gst.init(None)


def map_frames(elements, function, context=None):
    """Calls function with the buffers of the first N_FRAMES frames, and returns the list of its
    results.

    Frees everything else that belongs to the frames.
    """
    pipeline = Gst.parse_launch(f"{elements} ! appsink name=sink sync=false max-buffers=1")
    if context is not None:
        pipeline.set_context(GstMgpu.context_new_mgpu_context(context))
    pipeline.set_state(Gst.State.PLAYING)
    sink = pipeline.get_by_name("sink")
    results = []
    for _ in range(N_FRAMES):
        sample = sink.emit("pull-sample")
        if sample is None:
            message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
            sys.exit(f"{elements}: {message.parse_error().gerror.message}")
        results.append(function(sample.get_buffer()))
    pipeline.set_state(Gst.State.NULL)
    return results
