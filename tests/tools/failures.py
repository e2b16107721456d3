#!/usr/bin/env python3
"""Prints which tests of a Meson test log failed, and the end of what each said.

    failures.py build/meson-logs/testlog.json

Lines begin with "failed: "; nothing is printed when every test passed.
"""
import json
import sys

LINES = 30

for line in open(sys.argv[1], encoding="utf-8"):
    test = json.loads(line)
    if test["result"] in ("OK", "SKIP", "EXPECTEDFAIL"):
        continue
    print(f"failed: {test['name']}: {test['result']} after {test['duration']:.0f} s")
    said = test.get("stdout", "") + test.get("stderr", "")
    for said_line in said.splitlines()[-LINES:]:
        print(f"failed:   {said_line[:200]}")
