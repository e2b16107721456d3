#!/usr/bin/python3
"""Checks that the GIR file contains no symbols without the version since which they exist, and
no private types.

    gir.py GIR
"""
import sys
import xml.etree.ElementTree as ElementTree

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"
CALLED = [CORE + tag for tag in ("function", "method", "constructor", "property")] + [
    GLIB + "signal"]


def find_casts(namespace):
    """Returns the names of the macros that cast to a class, which follow from GObject's rules."""
    casts = set()
    for name in [c.get(C + "symbol-prefix").upper() for c in namespace.iter(CORE + "class")]:
        casts |= {name, "IS_" + name}
    return casts


def main():
    namespace = ElementTree.parse(sys.argv[1]).getroot().find(CORE + "namespace")
    casts = find_casts(namespace)
    wrong, n = [], 0
    for symbol in namespace:
        name = symbol.get("name") or symbol.get(C + "type")
        if name.endswith("Private"):
            wrong.append(f"{name} is private")
        is_plain = symbol.get(GLIB + "is-gtype-struct-for") or name in casts
        for each in ([] if is_plain else [symbol]) + [s for s in symbol.iter() if s.tag in CALLED]:
            n += 1
            if each.get("version") is None:
                wrong.append(f"{name} {each.get('name')}: there is no Since:")
    print(f"{n} symbols, {len(wrong)} wrong")
    print("\n".join(wrong))
    return bool(wrong) or n < 100


sys.exit(main())
