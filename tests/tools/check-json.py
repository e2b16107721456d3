#!/usr/bin/python3
"""Checks lines of mgpumetajson on the standard input against their schema.

    check-json.py [--least N] [SCHEMA]

Prints which line violates which rule. The exit status is 1 then, and if there are fewer than N
lines (default 1). The default of SCHEMA is docs/mgpumetajson.schema.json. Supports the keywords
that this schema uses, and refuses others.
"""
import argparse
import json
import os
import sys

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs",
                      "mgpumetajson.schema.json")
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int,
         "null": type(None), "boolean": bool}
KEYWORDS = {"$schema", "title", "description", "type", "const", "required", "properties",
            "additionalProperties", "items", "minItems", "minimum", "maximum"}


def is_of(value, name):
    return isinstance(value, TYPES[name]) and isinstance(value, bool) == (name == "boolean")


def check(value, schema, place):
    """Yields descriptions of what is wrong with @value."""
    unknown = schema.keys() - KEYWORDS
    if unknown:
        sys.exit(f"the schema has keywords that are not known here: {', '.join(sorted(unknown))}")
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_of(value, name) for name in types):
        yield f"{place} is {json.dumps(value)}, no {' or '.join(types)}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{place} is {json.dumps(value)}, not {schema['const']}"
    if is_of(value, "number") and not (
            schema.get("minimum", value) <= value <= schema.get("maximum", value)):
        yield f"{place} is {value}, out of range"
    if isinstance(value, dict):
        rules = schema.get("properties", {})
        yield from (f"{place} has no {name}" for name in schema.get("required", ())
                    if name not in value)
        for name, member in value.items():
            if name in rules:
                yield from check(member, rules[name], f"{place}.{name}")
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from check(member, schema["additionalProperties"], f"{place}.{name}")
            elif not schema.get("additionalProperties", True):
                yield f"{place} has {name}"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{place} is too short"
        for i, member in enumerate(value):
            yield from check(member, schema.get("items", {}), f"{place}[{i}]")


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def check_line(line, schema):
    """Returns a list of what is wrong with a line, given as bytes."""
    if not line.endswith(b"\n"):
        return ["the line has no end"]
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=refuse)
    except ValueError as error:
        return [str(error)]
    return list(check(value, schema, "line"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("schema", nargs="?", default=SCHEMA)
    arguments = parser.parse_args()
    with open(arguments.schema, encoding="utf-8") as file:
        schema = json.load(file)
    n = wrong = 0
    for n, line in enumerate(sys.stdin.buffer, 1):
        for what in check_line(line, schema):
            print(f"{n}: {what}")
            wrong += 1
    print(f"{n} lines, {wrong} mistakes")
    if wrong or n < arguments.least:
        sys.exit(1)


if __name__ == "__main__":
    main()
