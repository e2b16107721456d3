#!/usr/bin/python3
"""Writes what gst-inspect-1.0 shows of the plugin as GStreamer's gst_plugins_cache.json has it.

    plugins-cache.py FILE PLUGIN

PLUGIN is the shared object that was built. Properties of GStreamer's base classes are left out.
Without arguments it shows that Python has what this needs.
"""
import json
import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst

DIRECTIONS = {Gst.PadDirection.SRC: "src", Gst.PadDirection.SINK: "sink"}
PRESENCES = {Gst.PadPresence.ALWAYS: "always", Gst.PadPresence.SOMETIMES: "sometimes",
             Gst.PadPresence.REQUEST: "request"}
FLAGS = [("playing", 1 << 12), ("paused", 1 << 11), ("ready", 1 << 10)]


def enum_values(spec):
    """The values of an enumeration, by number, each with number, nick and name."""
    enum = spec.enum_class
    if hasattr(enum, "__enum_values__"):
        values = enum.__enum_values__.values()
        return sorted((int(v), v.value_nick, v.value_name) for v in values)
    # Newer versions of PyGObject give GObject's own structures.
    values = (GObject.enum_get_value(enum, i) for i in range(enum.minimum, enum.maximum + 1))
    return [(v.value, v.value_nick, v.value_name) for v in values if v is not None]


def flag_values(spec):
    """The values of flags that have one bit each, as enum_values() has them."""
    flags = spec.flags_class
    if hasattr(flags, "__flags_values__"):
        values = flags.__flags_values__.values()
        found = [(int(v), v.first_value_nick, v.first_value_name) for v in values]
    else:
        values = (GObject.flags_get_first_value(flags, 1 << i) for i in range(31) if flags.mask >> i & 1)
        found = [(v.value, v.value_nick, v.value_name) for v in values]
    return sorted(v for v in found if v[0])


def text(spec, value):
    """A value as a launch line has it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        return next(nick for number, nick, _ in enum_values(spec) if number == int(value))
    if spec.value_type.is_a(GObject.TYPE_FLAGS):
        return "+".join(nick for number, nick, _ in flag_values(spec) if int(value) & number) or "0"
    if spec.value_type == GObject.TYPE_DOUBLE:
        return f"{value:.6g}"
    return str(value)


def describe_property(spec):
    """One property."""
    flags = int(spec.flags)
    found = {
        "blurb": spec.blurb, "construct": bool(flags & GObject.ParamFlags.CONSTRUCT),
        "construct-only": bool(flags & GObject.ParamFlags.CONSTRUCT_ONLY),
        "controllable": bool(flags & (1 << 9)),
        "mutable": next((name for name, flag in FLAGS if flags & flag), "null"),
        "readable": bool(flags & GObject.ParamFlags.READABLE),
        "type": spec.value_type.name,
        "writable": bool(flags & GObject.ParamFlags.WRITABLE),
    }
    if flags & GObject.ParamFlags.WRITABLE:
        # Boxed types have no attribute in PyGObject 3.50.
        found["default"] = text(spec, spec.default_value if hasattr(spec, "default_value")
                                else spec.get_default_value())
    if hasattr(spec, "minimum"):
        found["min"], found["max"] = text(spec, spec.minimum), text(spec, spec.maximum)
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        found["values"] = [{"name": nick, "value": str(number), "desc": name}
                           for number, nick, name in enum_values(spec)]
    elif spec.value_type.is_a(GObject.TYPE_FLAGS):
        found["values"] = [{"name": nick, "value": hex(number), "desc": name}
                           for number, nick, name in flag_values(spec)]
    return found


def describe_element(factory):
    """One element."""
    element = factory.create(None)
    hierarchy, gtype = [], element.__gtype__
    while gtype:
        hierarchy.append(gtype.name)
        gtype = gtype.parent if gtype.name != "GObject" else None
    properties = {}
    for spec in sorted(element.list_properties(), key=lambda s: s.name):
        if spec.owner_type.name.startswith("GstMgpu"):
            properties[spec.name] = describe_property(spec)
    pads = {}
    for template in factory.get_static_pad_templates():
        pads[template.name_template] = {
            "caps": "\n".join(c.strip() for c in template.get_caps().to_string().split("; ")),
            "direction": DIRECTIONS[template.direction], "presence": PRESENCES[template.presence]}
    return {"author": factory.get_metadata("author"), "description": factory.get_metadata("description"),
            "hierarchy": hierarchy, "klass": factory.get_metadata("klass"),
            "long-name": factory.get_metadata("long-name"), "pad-templates": pads,
            "properties": properties, "rank": "none"}


def main():
    path, library = map(pathlib.Path, sys.argv[1:])
    Gst.init(None)
    plugin = Gst.Plugin.load_file(str(library))
    factories = Gst.Registry.get().get_feature_list_by_plugin(plugin.get_name())
    elements = {f.get_name(): describe_element(f) for f in factories if isinstance(f, Gst.ElementFactory)}
    cache = {plugin.get_name(): {
        "description": plugin.get_description(), "elements": dict(sorted(elements.items())),
        "filename": "gstmgpu", "license": plugin.get_license(), "package": plugin.get_package(),
        "source": plugin.get_source()}}
    now = json.dumps(cache, indent=2, sort_keys=True) + "\n"
    # What is made of the file is not made again when nothing changed.
    if not path.exists() or path.read_text() != now:
        path.write_text(now)


if len(sys.argv) > 1:
    main()
