#!/usr/bin/python3
"""Tests which failed tests failures.py selects for a second run.

    failures-test.py FOLDER

A log as Meson writes it is created in FOLDER.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Name, result, exit status, output, and whether a second run is justified
TESTS = [
    ("elements passes", "OK", 0, "", False),
    ("gst-mgpu:check+base / elements late", "FAIL", 1, "50%: Checks: 2, Failures: 1\nlater than 100 ms", True),
    ("elements crashes", "FAIL", 1, "E:general:test:0: (after this point) Received signal 11", False),
    ("elements hangs", "FAIL", 1, "E:slow:test:0: Test timeout expired", False),
    ("elements killed", "FAIL", -11, "", False),
    ("elements slow", "TIMEOUT", 1, "", False),
    ("elements leaks", "FAIL", 23, "ERROR: LeakSanitizer: detected memory leaks", False),
    ("elements shifts", "FAIL", 1, "x.c:3:5: runtime error: shift exponent 40", False),
    ("elements bytes", "FAIL", 1, "GRAY8 16x16: frame 3 differs", False),
    ("gst-mgpu:kernelcheck / kernelcheck blur, class cpu", "FAIL", 1, "1 passed, 1 failed", False),
    ("stress mgpufilter", "FAIL", 1, "no message", False),
    ("soak", "FAIL", 1, "seed 7\n" + 40 * "line\n", False),
]


def failures(*args):
    return subprocess.run([sys.executable, "-B", os.path.join(HERE, "failures.py"), *args],
                          check=True, text=True, capture_output=True).stdout.splitlines()


os.makedirs(sys.argv[1], exist_ok=True)
path = os.path.join(sys.argv[1], "testlog.json")
with open(path, "w", encoding="utf-8") as log:
    for name, result, status, said, _ in TESTS:
        print(json.dumps({"name": name, "result": result, "returncode": status, "stdout": said,
                          "duration": 1.5}), file=log)

again = failures("--again", path)
assert again == [t[0].split(" / ")[-1] for t in TESTS if t[4]], again
named = [line for line in failures(path) if " after 2 s" in line]
assert len(named) == len(TESTS) - 1, named
assert "failed:   seed 7" in failures(path), failures(path)
left = [line for line in failures(path, "elements late") if " after 2 s" in line]
assert len(left) == len(named) - 1 and not any("elements late" in line for line in left), left
print("ok")
