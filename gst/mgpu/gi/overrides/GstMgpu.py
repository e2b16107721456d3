# SPDX-License-Identifier: LGPL-2.1-or-later
"""Python additions to GstMgpu: tables of keypoints and matches, optical flow, moving pixels and numbers as
NumPy arrays, and statistics of elements as dicts.

PyGObject loads this file with `from gi.repository import GstMgpu`. NumPy is imported
by the first call that needs it.
"""
import re
import struct

from gi.module import get_introspection_module
from gi.overrides import override
from gi.repository import GLib, Gst

GstMgpu = get_introspection_module("GstMgpu")

NUMBERS = {"gfloat": "f4", "gint32": "i4", "guint32": "u4"}


def make_type(kind):
    """The NumPy dtype with the fields of a C struct."""
    import numpy

    info = kind.__info__
    fields = info.get_fields()
    get_type = "get_type_info" if hasattr(fields[0], "get_type_info") else "get_type"
    return numpy.dtype({
        "names": [field.get_name() for field in fields],
        "formats": [NUMBERS[getattr(field, get_type)().get_tag_as_string()] for field in fields],
        "offsets": [field.get_offset() for field in fields],
        "itemsize": info.get_size()})


def to_array(table, entry):
    """Returns the bytes as a read-only array; None for None."""
    import numpy

    return None if table is None else numpy.frombuffer(table.get_data(), entry)


def to_bytes(table, kind):
    """Returns the bytes of an array of structs; returns a bytes object unchanged."""
    import numpy

    if table is None or isinstance(table, GLib.Bytes):
        return table
    entry = make_type(kind)
    table = numpy.asarray(table)
    if table.dtype != entry:
        raise TypeError(f"the array has entries {table.dtype}, not {entry}")
    return GLib.Bytes.new(table.tobytes())


class MgpuKeypointMeta(GstMgpu.MgpuKeypointMeta):
    def keypoint_array(self):
        """Returns all keypoints, in the order of the meta, as an array with the fields of
        MgpuKeypoint; None when they cannot be read."""
        return to_array(self.get_keypoints(), make_type(GstMgpu.MgpuKeypoint))

    def descriptor_array(self):
        """Returns an array with one row of bytes for each keypoint; None without descriptors."""
        table = to_array(self.get_descriptors(), "u1")
        return None if table is None else table.reshape(-1, GstMgpu.MGPU_DESCRIPTOR_SIZE)

    def id_array(self):
        """Returns the ids of tracks as an array of uint32; None if the keypoints are not tracks."""
        return to_array(self.get_ids(), "u4")

    def motion_array(self):
        """Returns an array with a row of four float32 for each track: its position in the previous
        frame, and its motion; None if the keypoints are not tracks."""
        table = to_array(self.get_motions(), "f4")
        return None if table is None else table.reshape(-1, 4)

    def match_array(self, other, ratio, mutual):
        """Returns the result of match() as an array of MgpuKeypointMatch. Raises GLib.Error."""
        return to_array(self.match(other, ratio, mutual), make_type(GstMgpu.MgpuKeypointMatch))

    def fit(self, other, matches, model, options):
        """As in C. @matches may also be an array that match_array() returned, or a part of it."""
        matches = to_bytes(matches, GstMgpu.MgpuKeypointMatch)
        return super().fit(other, matches, model, options)


MgpuKeypointMeta = override(MgpuKeypointMeta)


class MgpuFlowMeta(GstMgpu.MgpuFlowMeta):
    def flow_array(self, field):
        """Returns the samples of a field as an int16 array (height, width, 2), in units of 1/32
        pixel; None if the field was not measured or cannot be read."""
        found, width, height, _ = self.get_field(field)
        table = to_array(self.get_bytes(field), "i2") if found else None
        return None if table is None else table.reshape(height, width, 2)

    def confidence_array(self, field):
        """Returns the confidence of a field as an array of bytes (height, width), or None."""
        found, width, height, _ = self.get_field(field)
        table = to_array(self.get_confidence(field), "u1") if found else None
        return None if table is None else table.reshape(height, width)

    def full_array(self, field):
        """Returns the flow of each pixel, as get_flow() does: a float32 array (height, width, 2), in
        pixels, NaN where the flow is not known; None if the field was not measured. The array has
        a multiple of 2^shift columns and rows, so the last ones may be outside the frame."""
        import numpy

        table = self.flow_array(field)
        if table is None:
            return None
        shift = self.get_field(field)[3]
        unit = 2 << shift
        result = table.astype("i4")
        known = (table[..., :1] != GstMgpu.MGPU_FLOW_NONE).astype("i4")
        for axis in 1, 0:
            position = 2 * numpy.arange(table.shape[axis] << shift) + 1 - unit // 2
            last = table.shape[axis] - 1
            near = numpy.clip(position // unit, 0, last)
            far = numpy.clip(position // unit + 1, 0, last)
            weight = (position % unit).reshape((-1, 1) if axis else (-1, 1, 1))
            result, known = (a.take(near, axis) * (unit - weight) + a.take(far, axis) * weight
                             for a in (result, known))
        full = ((result + unit * unit // 2 >> 2 * shift + 2) / 32).astype("f4")
        return numpy.where(known == unit * unit, full, numpy.nan)


MgpuFlowMeta = override(MgpuFlowMeta)


class MgpuMovingMeta(GstMgpu.MgpuMovingMeta):
    def region_list(self):
        """Returns the regions of the frame as a list of MgpuMovingRegion."""
        return [self.get_region(i)[1] for i in range(self.get_n_regions())]

    def mask_array(self):
        """Returns the mask as an array of bytes (height, width): 255 where something moves, 127
        where a shadow was removed; None if there is no mask."""
        mask, width, height = self.get_mask()
        table = to_array(mask, "u1")
        return None if table is None else table.reshape(height, width)

    def heat_array(self):
        """Returns the map of where something moved lately as an array of uint16 (height, width);
        None if there is none."""
        heat, width, height, _ = self.get_heat()
        table = to_array(heat, "u2")
        return None if table is None else table.reshape(height, width)


MgpuMovingMeta = override(MgpuMovingMeta)


class MgpuNumbersMeta(GstMgpu.MgpuNumbersMeta):
    def number_array(self, name):
        """Returns the list of this name as an array of int32 or float32; None if there is none or
        it cannot be read."""
        i = self.find(name)
        if i < 0:
            return None
        is_int = self.get_list(i)[2] == GstMgpu.MgpuNumbersType.INT
        return to_array(self.get_bytes(i), "i4" if is_int else "f4")

    def number_dict(self):
        """Returns all lists as a dict: for each name a list of int or float; None for one that
        cannot be read."""
        result = {}
        for i in range(self.get_n_lists()):
            _, name, kind, n = self.get_list(i)
            data = self.get_bytes(i)
            code = "i" if kind == GstMgpu.MgpuNumbersType.INT else "f"
            result[name] = None if data is None else list(
                struct.unpack(f"={n}{code}", data.get_data() or b""))
        return result


MgpuNumbersMeta = override(MgpuNumbersMeta)


def mgpu_keypoint_array(n):
    """Returns an array of n keypoints, with all fields 0, for the caller to fill."""
    import numpy

    return numpy.zeros(n, make_type(GstMgpu.MgpuKeypoint))


def buffer_add_mgpu_keypoint_meta_points(buffer, points):
    """As in C. @points may also be an array that mgpu_keypoint_array() or keypoint_array() returned."""
    points = to_bytes(points, GstMgpu.MgpuKeypoint)
    return GstMgpu.buffer_add_mgpu_keypoint_meta_points(buffer, points)


def to_dict(structure):
    """Copies a Gst.Structure and the structures nested in it.

    PyGObject does not copy a nested structure that it returns: it is freed with the outer one. The
    caller has to keep the outer one.
    """
    names = (structure.nth_field_name(i) for i in range(structure.n_fields()))
    values = ((name, structure.get_value(name)) for name in names)
    return {name: to_dict(value) if isinstance(value, Gst.Structure) else value
            for name, value in values}


def mgpu_stats(element):
    """Returns the property "stats" of an element as a dict of numbers. While the property "profile"
    is set, "kernels" is a dict with a dict for each kernel."""
    return to_dict(element.get_property("stats"))


def list_spellings():
    """Yields the name and the function of the second spelling of each function that adds a meta to
    a buffer or reads one: mgpu_buffer_get_x for buffer_get_mgpu_x, and the other way round."""
    for name in dir(GstMgpu):
        other = re.sub(r"^mgpu_buffer_(add|get)_", r"buffer_\1_mgpu_", name)
        if other == name:
            other = re.sub(r"^buffer_(add|get)_mgpu_", r"mgpu_buffer_\1_", name)
        if other != name:
            yield other, globals().get(name) or getattr(GstMgpu, name)


SPELLINGS = dict(list_spellings())
globals().update(SPELLINGS)

__all__ = ["MgpuKeypointMeta", "MgpuFlowMeta", "MgpuMovingMeta", "MgpuNumbersMeta",
           "mgpu_keypoint_array", "buffer_add_mgpu_keypoint_meta_points", "mgpu_stats", *SPELLINGS]
