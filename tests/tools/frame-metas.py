#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints what elements attach to frames, for following.py: that process uses OpenCV, and
therefore cannot load an OpenCL driver.

    frame-metas.py FILE "ELEMENTS" WIDTHxHEIGHT [BOXES.json]

FILE contains gray frames, 25 per second. BOXES.json contains for each frame a list of regions
of people that a detector found, [x, y, width, height], or null if the detector did not run.
Prints a line of JSON for each frame: "motion", the motion of a GstMgpuMotionMeta if there is
one, and "boxes", [id, x, y, width, height].
"""
import json
import sys

try:
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstMgpu", "1.0")
    gi.require_version("GstVideo", "1.0")
    from gi.repository import Gst, GstMgpu, GstVideo
except (ImportError, ValueError) as error:
    print("not run:", error, file=sys.stderr)
    sys.exit(77)


def push(source, data, t, boxes):
    buffer = Gst.Buffer.new_wrapped(data)
    buffer.pts = t * Gst.SECOND // 25
    for box in boxes or []:
        meta = GstVideo.buffer_add_video_region_of_interest_meta(buffer, "person", *box)
        meta.add_param(Gst.Structure.from_string("detection, confidence=(double)0.9")[0])
    source.emit("push-buffer", buffer)


def describe(buffer):
    motion = GstMgpu.buffer_get_mgpu_motion_meta(buffer)
    found = [d for d in GstMgpu.mgpu_buffer_get_detections(buffer) if d.tracking_id >= 0]
    return {"motion": list(motion.get_motion()) if motion else None,
            "correction": list(motion.get_correction()) if motion else None,
            "boxes": [[d.tracking_id, d.x, d.y, d.width, d.height] for d in found]}


def main():
    path, elements, size = sys.argv[1:4]
    width, height = (int(n) for n in size.split("x"))
    boxes = json.load(open(sys.argv[4], encoding="utf-8")) if len(sys.argv) > 4 else None
    Gst.init(None)
    caps = f"video/x-raw,format=GRAY8,width={width},height={height},framerate=25/1"
    pipeline = Gst.parse_launch(f"appsrc name=in format=time max-bytes=0 caps={caps} ! {elements} ! "
                                "appsink name=out sync=false max-buffers=4")
    pipeline.set_state(Gst.State.PLAYING)
    source, sink = pipeline.get_by_name("in"), pipeline.get_by_name("out")
    with open(path, "rb") as file:
        for t, data in enumerate(iter(lambda: file.read(width * height), b"")):
            push(source, data, t, boxes[t] if boxes else None)
    source.emit("end-of-stream")
    while sample := sink.emit("pull-sample"):
        print(json.dumps(describe(sample.get_buffer())), flush=True)
    message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    if message is not None:
        sys.exit(f"{elements}: {message.parse_error().gerror.message}")
    pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    main()
