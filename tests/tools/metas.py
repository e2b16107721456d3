#!/usr/bin/python3
"""Reads metas in Python after their buffers were freed.

Each meta still gives the same bytes, in any thread, and frees its memory when Python collects
it.
"""
import gc
import pathlib
import re
import struct
import sys
import threading

from frames import DATA, N_FRAMES, Gst, GstMgpu, map_frames

from gi.repository import GLib

N_THREADS = 2


def data(value):
    """Copies the bytes of a GLib.Bytes, if there is one."""
    return None if value is None else value.get_data()


def read_frame(buffer):
    return None if buffer is None else buffer.extract_dup(0, buffer.get_size())


def read_memory(memory):
    return None if memory is None else memory.get_sizes()


def read_keypoints(meta):
    def read_keypoint(i):
        found, k = meta.get_keypoint(i)
        return found, k.x, k.y, k.size, k.angle, k.response, k.octave, k.layer

    def read_fit():
        matches = meta.match(meta, 1, True)
        fit = meta.fit(meta, matches, GstMgpu.MgpuFitModel.SIMILARITY, None)
        assert fit.is_found() and fit.get_n_inliers() > 2
        assert max(abs(a - b) for a, b in zip(fit.get_matrix(), [1, 0, 0, 0, 1, 0, 0, 0, 1])) < 1e-3
        assert fit.project(3, 4)[0] and len(fit.project_corners(192, 144)) == 8
        return fit.get_matrix(), data(fit.get_inliers()), fit.get_rms()

    def check_arrays(n):
        points, matches = meta.keypoint_array(), meta.match_array(meta, 1, True)
        assert points.tolist() == [read_keypoint(i)[1:] for i in range(n)]
        assert meta.descriptor_array().shape == (n, 128)
        assert meta.descriptor_array().tobytes() == data(meta.get_descriptors())
        assert matches.dtype.names == ("query", "train", "distance")
        assert matches.tolist() == list(struct.iter_unpack("=3I", data(meta.match(meta, 1, True))))
        few = matches[matches["query"] < n // 2]
        fit = meta.fit(meta, few, GstMgpu.MgpuFitModel.SIMILARITY, None)
        assert 2 < fit.get_n_inliers() <= len(few) < len(matches)

    n = meta.get_n_keypoints()
    assert n > 0
    check_arrays(n)
    assert meta.get_matrix() == [1, 0, 0, 0, 1, 0]
    return (n, meta.get_n_dropped(), [read_keypoint(i) for i in range(n)],
            data(meta.get_keypoints()), meta.get_descriptor_type(), data(meta.get_descriptors()),
            read_memory(meta.get_keypoint_memory()), read_memory(meta.get_descriptor_memory()),
            data(meta.match(meta, 0.75, True)), read_fit())


def read_tracks(meta):
    ids, motions = meta.id_array(), meta.motion_array()
    assert len(ids) == len(set(ids)) == len(meta.keypoint_array()) > 10
    assert motions.shape == (len(ids), 4)
    assert ids.tobytes() == data(meta.get_ids()) and motions.tobytes() == data(meta.get_motions())
    return meta.has_tracks(), data(meta.get_keypoints()), ids.tobytes(), motions.tobytes()


def read_hog(meta):
    n = meta.get_n_levels()
    assert n > 0
    return (n, meta.get_n_features(), [meta.get_level(i) for i in range(n)],
            [data(meta.get_features(i)) for i in range(n)], read_memory(meta.get_memory()))


def read_integral(meta):
    return (meta.get_size(), data(meta.get_sum()), data(meta.get_squared_sum()),
            read_memory(meta.get_sum_memory()), read_memory(meta.get_squared_sum_memory()))


def read_flow(meta):
    """Reads the flow of a frame; the first frame has none."""
    if meta is None:
        return None
    fields = GstMgpu.MgpuFlowField.TO_PREVIOUS, GstMgpu.MgpuFlowField.FROM_PREVIOUS
    array, full = meta.flow_array(fields[0]), meta.full_array(fields[0])
    found, width, height, shift = meta.get_field(fields[0])
    assert found and array.shape == (height, width, 2) and array.any()
    assert array.tobytes() == data(meta.get_bytes(fields[0]))
    assert meta.confidence_array(fields[0]).tobytes() == data(meta.get_confidence(fields[0]))
    assert full.shape == (height << shift, width << shift, 2)
    for x, y in (0, 0), (1, 0), (100, 71), (191, 143):
        assert (True, *full[y, x]) == meta.get_flow(fields[0], x, y)
    assert meta.flow_array(fields[1]) is None and meta.full_array(fields[1]) is None
    return ([meta.get_field(f) for f in fields], [data(meta.get_bytes(f)) for f in fields],
            [data(meta.get_confidence(f)) for f in fields], meta.get_previous_offset(),
            read_memory(meta.get_memory(fields[0])),
            read_memory(meta.get_confidence_memory(fields[0])))


def read_camera(meta):
    """Reads the camera of a view 10 degrees to the right: its center, and the ray that the
    center shows."""
    camera = meta.get_camera()
    assert (camera.width, camera.height) == (192, 144)
    assert camera.model == GstMgpu.MgpuCameraModel.PERSPECTIVE
    found, x, y = meta.project([0, 0, 1])
    seen, ray = meta.unproject(96, 72)
    assert found and seen and (round(x, 6), round(y, 6)) == (96, 72) and abs(ray[2] - 1) < 1e-9
    assert not meta.project([0, 0, -1])[0]
    return camera.fx, camera.cx, list(camera.rotation), x, y, ray


def read_numbers(meta):
    """Reads two lists of numbers from a kernel: the number of pixels, and a constant."""
    assert meta.number_dict() == {"seen": [192 * 144, 0], "middle": [0.5]}
    seen = meta.number_array("seen")
    assert seen.dtype == "int32" and seen.tolist() == [192 * 144, 0]
    assert meta.number_array("middle").dtype == "float32" and meta.number_array("none") is None
    assert meta.get_list(0) == (True, "seen", GstMgpu.MgpuNumbersType.INT, 2)
    assert meta.get_values(1) == [0.5] and meta.find("none") == -1 and meta.get_values(2) == []
    return [(data(meta.get_bytes(i)), read_memory(meta.get_memory(i)[0]), meta.get_memory(i)[1])
            for i in range(meta.get_n_lists())]


def read_pyramid(meta):
    def read_plane(level, component):
        found, p = meta.get_plane(level, component)
        return found, p.width, p.height, p.offset, p.stride, p.sample_bytes

    def read_level(i):
        return (read_frame(meta.get_level(i)), data(meta.get_detail(i)),
                read_memory(meta.get_detail_memory(i)),
                [read_plane(i, c) for c in range(meta.get_n_components(i))])

    n = meta.get_n_levels()
    assert n > 1
    return n, [read_level(i) for i in range(n)], read_frame(meta.collapse())


def read_pictures(meta):
    """Reads the corners of box.png in box_in_scene.png, which were checked by eye, clockwise
    from the upper left."""
    known = [118, 161, 284, 175, 267, 298, 90, 272]
    found, picture = meta.get_picture(0)
    assert found and meta.get_n_pictures() == 1 and not meta.get_picture(1)[0]
    assert picture.name == "box" and (picture.width, picture.height) == (324, 223)
    assert picture.n_matches >= picture.n_inliers >= 12
    assert max(abs(a - b) for a, b in zip(meta.get_corners(0), known, strict=True)) < 3
    return picture.name, picture.number, picture.roi_id, meta.get_matrix(0), meta.get_corners(0)


CIRCLES = (f"videotestsrc num-buffers={N_FRAMES} pattern=circular horizontal-speed=9 ! "
           "video/x-raw,format=GRAY8,width=192,height=144")
KERNEL = """//! results int 2 seen
//! results float 1 middle
PIXEL (count) { atomic_inc (seen); middle[0] = 0.5f; return LOAD (x, y); }"""
SCENE = (f"filesrc location={DATA}/box_in_scene.png ! pngdec ! imagefreeze num-buffers={N_FRAMES} ! "
         "videoconvert ! video/x-raw,format=GRAY8")
KINDS = [
    (CIRCLES, "mgpusift descriptor=rootsift", GstMgpu.buffer_get_mgpu_keypoint_meta, read_keypoints),
    (CIRCLES, "mgpuhog detector=none attach-features=true levels-per-octave=2",
     GstMgpu.buffer_get_mgpu_hog_meta, read_hog),
    (CIRCLES, "mgpuintegral squared=true", GstMgpu.buffer_get_mgpu_integral_meta, read_integral),
    (CIRCLES, "mgpuflow dense=false tracks=100 track-cell=8",
     GstMgpu.buffer_get_mgpu_keypoint_meta, read_tracks),
    (CIRCLES, "mgpuflow", GstMgpu.buffer_get_mgpu_flow_meta, read_flow),
    (CIRCLES, "mgpuremap input=fisheye pan=10 fov=80", GstMgpu.buffer_get_mgpu_camera_meta,
     read_camera),
    (CIRCLES, f'mgpukernel source="{KERNEL}"', GstMgpu.buffer_get_mgpu_numbers_meta, read_numbers),
    (CIRCLES, "mgpupyramid type=laplacian levels=3", GstMgpu.buffer_get_mgpu_pyramid_meta,
     read_pyramid),
    (SCENE, f"mgpusift ! mgpumatch pictures={DATA}/box.png", GstMgpu.buffer_get_mgpu_picture_meta,
     read_pictures),
]


def reuse_memory():
    """Overwrites freed memory: allocates buffers with metas of the same size as the freed ones."""
    caps = Gst.Caps.from_string("timestamp/x-test")
    buffers = [Gst.Buffer.new_allocate(None, 16, None) for _ in range(1000)]
    for buffer in buffers:
        buffer.add_reference_timestamp_meta(caps, 0x5a5a5a5a5a5a, 0x5a5a5a5a5a5a)


def read_in_threads(metas, read):
    """Returns what N_THREADS threads read at the same time."""
    results = []
    threads = [threading.Thread(target=lambda: results.append([read(m) for m in metas]))
               for _ in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def check(source, element, get_meta, read):
    context = GstMgpu.MgpuContext.new(None)
    elements = f"{source} ! {element}"
    want = map_frames(elements, lambda buffer: read(get_meta(buffer)), context)
    gc.collect()
    assert context.__grefcount__ == 1, "something keeps what was read with the buffers"

    metas = map_frames(elements, get_meta, context)
    gc.collect()
    reuse_memory()
    assert read_in_threads(metas, read) == [want] * N_THREADS, f"{element}: metas changed"

    # Each memory on the device holds a reference to the context. The metas of pictures and cameras
    # have no memory.
    assert context.__grefcount__ > 1 or read in (read_pictures, read_camera)
    del metas
    gc.collect()
    assert context.__grefcount__ == 1, f"{element}: memory of the device is not freed"


def check_points():
    """Attaches keypoints from a script, as bytes, as an array and as an empty list, and reads
    them."""
    point = struct.pack("=5f2i", 10, 20.5, 8, -1, 0, -2**31, 0)
    array = GstMgpu.mgpu_keypoint_array(2)
    assert array.tobytes() == bytes(2 * len(point))
    array["x"], array["y"], array["size"], array["angle"], array["octave"] = 10, 20.5, 8, -1, -2**31
    for points, n in (GLib.Bytes.new(2 * point), 2), (array, 2), (array[:0], 0):
        buffer = Gst.Buffer.new()
        GstMgpu.buffer_add_mgpu_keypoint_meta_points(buffer, points)
        meta = GstMgpu.buffer_get_mgpu_keypoint_meta(buffer)
        assert data(meta.get_keypoints()) == n * point
        assert meta.keypoint_array().tobytes() == n * point and len(meta.keypoint_array()) == n
        assert data(meta.get_descriptors()) is None and meta.descriptor_array() is None
    for wrong in [1, 2], array["x"], array.astype([(name, "f8") for name in array.dtype.names]):
        try:
            GstMgpu.buffer_add_mgpu_keypoint_meta_points(buffer, wrong)
        except TypeError:
            continue
        sys.exit(f"{wrong} are taken as keypoints")
    try:
        meta.match_array(meta, 0.75, True)
        sys.exit("keypoints without descriptors are matched")
    except GLib.Error as error:
        assert "descriptor" in error.message


def check_names():
    """Checks that the names that docs/elements/common.md lists exist, and belong to their C
    functions."""
    page = pathlib.Path(__file__).parents[2] / "docs" / "elements" / "common.md"
    names = re.findall(r"^\| `(\w+) \(\)` \| `GstMgpu\.([\w.]+)\(", page.read_text(), re.MULTILINE)
    assert len(names) > 10
    for symbol, name in names:
        found = GstMgpu
        for part in name.split("."):
            found = getattr(found, part)
        assert symbol.endswith(name.split(".")[-1]), (symbol, name)
    buffer = Gst.Buffer.new()
    GstMgpu.mgpu_buffer_add_keypoint_meta_points(buffer, GstMgpu.mgpu_keypoint_array(2))
    assert len(GstMgpu.mgpu_buffer_get_keypoint_meta(buffer).keypoint_array()) == 2
    assert GstMgpu.buffer_get_mgpu_detections(buffer) == []


check_names()
check_points()
for kind in KINDS:
    check(*kind)
    print(f"{kind[1]}: its meta outlives its buffer")
